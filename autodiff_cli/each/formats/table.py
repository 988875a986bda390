"""The table for people, a row for each formula. It grows while the lines come in.

What was waiting when the last lines were read is laid out together; a column becomes wider where later rows need it.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TextIO

from rich.text import Text

from ... import terminal
from ...errors import columns, one_line
from ...notation import decimal, elided
from ..formulas import Answer
from . import Manner

_HEADINGS = ("line", "formula", "value", "gradient")
_GAP = "   "
_LEAST, _MOST = 12, 60  # columns of a formula


class _Row(NamedTuple):
    line: str
    formula: str
    value: str
    rest: tuple[str, ...]
    """the parts of the last cell, which stay together where it takes several lines"""
    gap: str
    """what stands between them"""


def encode(answer: Answer, manner: Manner) -> _Row:
    """The row of a line."""
    formula = answer.source.text.partition("#")[0].strip()
    line, formula = str(answer.source.line), elided(one_line(formula), _MOST)
    if answer.evaluation is not None:
        numbers = answer.evaluation.gradient.items()
        gradient = tuple([f"{name} {decimal(number, manner.precision)}" for name, number in numbers])
        return _Row(line, formula, decimal(answer.evaluation.value, manner.precision), gradient, "  ")
    words = one_line(answer.error.message).split() if answer.error else ()
    return _Row(line, formula, "", ("error:", *words), " ")


class Writer:
    """Writes rows, below a heading."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._console = out, terminal.console(out)
        self._widths = [len(heading) for heading in _HEADINGS]
        self._headed = False

    def write(self, encoded: Sequence[_Row]) -> None:
        """Lay out rows and write them."""
        if encoded:
            self._console.print(self._laid_out(encoded), soft_wrap=True, end="")
            self._headed = True
        self._out.flush()

    def _laid_out(self, rows: Sequence[_Row]) -> Text:
        for place, cells in enumerate(zip(*[(*row[:3], row.gap.join(row.rest)) for row in rows], strict=True)):
            self._widths[place] = max(self._widths[place], *map(columns, cells))
        line, formula, value, rest = self._widths
        room = self._console.width - line - value - 3 * len(_GAP)
        formula = max(_LEAST, min(formula, max(room - rest, room // 2)))
        widths = line, formula, value, min(rest, max(_LEAST, room - formula))
        text = Text() if self._headed else _heading(widths)
        for row in rows:
            _append(text, row, widths)
        return text


def _heading(widths: tuple[int, ...]) -> Text:
    line, formula, value, _ = widths
    titles = f"{'line':>{line}}{_GAP}{'formula':<{formula}}{_GAP}{'value':>{value}}{_GAP}gradient\n"
    return Text().append(titles, style="bold").append("─" * (sum(widths) + 3 * len(_GAP)) + "\n")


def _append(text: Text, row: _Row, widths: tuple[int, ...]) -> None:
    line, formula, value, rest = widths
    shown = elided(row.formula, formula)
    text.append(f"{row.line:>{line}}{_GAP}{shown}{' ' * (formula - columns(shown))}{_GAP}")
    text.append(f"{row.value:>{value}}", style="green")
    gap = _GAP
    for part in _filled(row.rest, row.gap, rest):
        text.append(f"{gap}{part}\n", style="" if row.value else "red")
        gap = " " * (line + formula + value) + _GAP * 3
    if not row.rest:
        text.append("\n")


def _filled(parts: Iterable[str], gap: str, width: int) -> Iterator[str]:
    """Lines of so many columns, as full as can be; a part that is longer goes on in the next line."""
    line = ""
    for part in parts:
        if line and columns(line + gap + part) > width:
            yield line
            line = ""
        line += gap * bool(line) + part
        while columns(line) > width:
            cut = next(end for end in range(len(line), 0, -1) if columns(line[:end]) <= width or end == 1)
            yield line[:cut]
            line = line[cut:]
    if line:
        yield line
