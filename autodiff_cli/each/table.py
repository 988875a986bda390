"""A table with a row for each of many formulas, which grows while the lines come in.

Rows that come together are laid out together; a column becomes wider where later rows need it.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import NamedTuple, TextIO

from .. import output
from ..errors import columns, one_line
from ..notation import decimal, elided
from ..output.report import Cell, Line, Report
from ..terminal.console import console
from .formulas import Answer

_HEADINGS = ("line", "formula", "value", "gradient")
_GAP = "   "
_LEAST, _MOST = 12, 60  # columns of a formula


class AnswerRow(NamedTuple):
    """An answer in the table."""

    line: str
    formula: str
    value: str
    rest: tuple[str, ...]
    """the parts of the last cell, which stay together where it takes several lines"""
    gap: str
    """what stands between them"""


def row(answer: Answer, precision: int) -> AnswerRow:
    """The row of an answer: its value and its gradient, or in their place the error."""
    line, formula = str(answer.source.line), answer.source.text.partition("#")[0].strip()
    formula = elided(one_line(formula), _MOST)
    if answer.evaluation is None:
        words = one_line(answer.error.message).split() if answer.error else ()
        return AnswerRow(line, formula, "", ("error:", *words), " ")
    gradient = [f"{name} {decimal(number, precision)}" for name, number in answer.evaluation.gradient.items()]
    return AnswerRow(line, formula, decimal(answer.evaluation.value, precision), tuple(gradient), "  ")


@dataclass(frozen=True)
class _Part(Report):
    """Some lines of the table, as a text with line breaks."""

    text: Line

    def tables(self) -> Iterable[Line]:
        """The text."""
        return (self.text,)


class GrowingTable:
    """Writes rows below a heading."""

    def __init__(self, out: TextIO) -> None:
        self._out, self._width = out, console(out).width
        self._widths = [len(heading) for heading in _HEADINGS]
        self._is_begun = False

    def write(self, encoded: Sequence[AnswerRow]) -> None:
        """Lay out rows and write them, so that whoever reads the file has them."""
        if encoded:
            output.write(_Part(tuple(self._laid_out(encoded))), "table", self._out)
            self._is_begun = True
        self._out.flush()

    def _laid_out(self, rows: Sequence[AnswerRow]) -> Iterator[Cell]:
        for place, cells in enumerate(zip(*[(*row[:3], row.gap.join(row.rest)) for row in rows], strict=True)):
            self._widths[place] = max(self._widths[place], *map(columns, cells))
        line, formula, value, rest = self._widths
        room = self._width - line - value - 3 * len(_GAP)
        formula = max(_LEAST, min(formula, max(room - rest, room // 2)))
        widths = line, formula, value, min(rest, max(_LEAST, room - formula))
        lines = chain.from_iterable(_lines(row, widths) for row in rows)
        for number, cells in enumerate(lines if self._is_begun else chain(_heading(widths), lines)):
            yield Cell("\n" * bool(number))
            yield from cells


def _heading(widths: tuple[int, ...]) -> Iterator[Line]:
    line, formula, value, _ = widths
    yield (Cell(f"{'line':>{line}}{_GAP}{'formula':<{formula}}{_GAP}{'value':>{value}}{_GAP}gradient", "bold"),)
    yield (Cell("─" * (sum(widths) + 3 * len(_GAP))),)


def _lines(row: AnswerRow, widths: tuple[int, ...]) -> Iterator[Line]:
    line, formula, value, rest = widths
    shown = elided(row.formula, formula)
    left = Cell(f"{row.line:>{line}}{_GAP}{shown}{' ' * (formula - columns(shown))}{_GAP}")
    first, *others = _filled(row.rest, row.gap, rest) or [""]
    style = "" if row.value else "red"
    yield left, Cell(f"{row.value:>{value}}", "green"), Cell((_GAP + first).rstrip(), style)
    for part in others:
        yield (Cell(" " * (line + formula + value) + _GAP * 3 + part, style),)


def _filled(parts: Iterable[str], gap: str, width: int) -> list[str]:
    """Lines of at most `width` columns, filled greedily; a longer part goes on in the next line."""
    lines, line = [], ""
    for part in parts:
        if line and columns(line + gap + part) > width:
            lines.append(line)
            line = ""
        line += gap * bool(line) + part
        while columns(line) > width:
            cut = next(end for end in range(len(line), 0, -1) if columns(line[:end]) <= width or end == 1)
            lines.append(line[:cut])
            line = line[cut:]
    return [*lines, line] if line else lines
