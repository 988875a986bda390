"""A table with a row for each of many formulas, which grows while the lines come in.

Rows that come together are laid out together; a column becomes wider where later rows need it. Where there is too
little room for columns each row is a record.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from typing import NamedTuple, TextIO

from ..notation import decimal, elided
from ..output.report import Column, Row, Table
from ..output.row_records import records
from ..terminal.printable_text import columns, one_line
from ..terminal.screen import Screen, Segments
from .formulas import Answer

_HEADINGS = ("line", "formula", "value", "gradient")
_GAP = "   "
_LEAST, _MOST = 12, 60  # columns of a formula
_NAME = 4  # minimum columns of a name in the gradient


class AnswerRow(NamedTuple):
    """An answer in the table."""

    line: str
    formula: str
    value: float | None
    gradient: Mapping[str, float]
    error: str
    """the reason why there is no value"""
    precision: int

    @property
    def number(self) -> str:
        """The value as text."""
        return decimal(self.value, self.precision)

    @property
    def parts(self) -> list[tuple[str, str]]:
        """The names and the numbers of the gradient, or the words of the error, each with no number."""
        if self.error:
            return [(word, "") for word in f"error: {self.error}".split()]
        return [(name, f" {decimal(number, self.precision)}") for name, number in self.gradient.items()]


def row(answer: Answer, precision: int) -> AnswerRow:
    """The row of an answer: its value and its gradient, or in their place the error."""
    line, formula = str(answer.source.line), answer.source.text.partition("#")[0].strip()
    formula = elided(one_line(formula), _MOST)
    if answer.evaluation is None:
        return AnswerRow(line, formula, None, {}, one_line(answer.error.message) if answer.error else "", precision)
    return AnswerRow(line, formula, answer.evaluation.value, answer.evaluation.gradient, "", precision)


class GrowingTable:
    """Writes rows below a heading."""

    def __init__(self, out: TextIO) -> None:
        self._screen = Screen(out)
        self._widths = [*map(len, _HEADINGS[:3]), _LEAST]
        self._is_begun = False

    def write(self, encoded: Sequence[AnswerRow]) -> None:
        """Lay out rows, write them and flush the file."""
        for line in self._laid_out(encoded) if encoded else ():
            self._screen.line(*line)
            self._is_begun = True
        self._screen.out.flush()

    def _laid_out(self, rows: Sequence[AnswerRow]) -> Iterator[Segments]:
        for row in rows:
            least = max((_NAME + len(number) for _, number in row.parts), default=0)
            needed = len(row.line), columns(row.formula), len(row.number), least
            self._widths = [*map(max, self._widths, needed)]
        line, formula, value, least = self._widths
        room = self._screen.width - line - value - 3 * len(_GAP)
        if room < _LEAST + least:
            yield from chain.from_iterable(self._record(row) for row in rows)
            return
        wanted = max(len(_HEADINGS[3]), *(columns(_joined(row.parts)) for row in rows))
        formula = max(_LEAST, min(formula, max(room - wanted, room // 2), room - least))
        widths = line, formula, value, min(wanted, room - formula)
        yield from [] if self._is_begun else _heading(widths)
        yield from chain.from_iterable(_lines(row, widths) for row in rows)

    def _record(self, row: AnswerRow) -> Iterator[Segments]:
        """A line for each cell, and for each partial derivative."""
        numbers = [("value", row.value), *row.gradient.items()]
        kinds = [Column("line"), Column("formula", most=_MOST), Column("error", "red")]
        kinds += [Column(one_line(name), is_number=True, most=_MOST) for name, _ in numbers]
        cells = row.line, row.formula, row.error, *(number for _, number in numbers)
        yield from [()] * self._is_begun
        yield from records(Table(kinds, (), row.precision), [Row(cells)], self._screen.width)


def _heading(widths: tuple[int, ...]) -> Iterator[Segments]:
    line, formula, value, _ = widths
    yield [(f"{'line':>{line}}{_GAP}{'formula':<{formula}}{_GAP}{'value':>{value}}{_GAP}gradient", "bold")]
    yield [("─" * (sum(widths) + 3 * len(_GAP)), "")]


def _lines(row: AnswerRow, widths: tuple[int, ...]) -> Iterator[Segments]:
    line, formula, value, rest = widths
    shown = elided(row.formula, formula)
    left = f"{row.line:>{line}}{_GAP}{shown}{' ' * (formula - columns(shown))}{_GAP}"
    first, *others = _filled(row.parts, rest) or [""]
    style = "red" if row.error else ""
    yield [(left, ""), (f"{row.number:>{value}}", "green"), (_GAP + first, style)]
    for part in others:
        yield [(" " * (line + formula + value) + _GAP * 3 + part, style)]


def _filled(parts: Sequence[tuple[str, str]], width: int) -> list[str]:
    """Lines of at most `width` columns, filled greedily; a name that is too long loses its middle."""
    lines: list[list[tuple[str, str]]] = []
    for name, number in parts:
        part = elided(name, width - len(number)), number
        if lines and columns(_joined([*lines[-1], part])) <= width:
            lines[-1].append(part)
        else:
            lines.append([part])
    return [_joined(line) for line in lines]


def _joined(parts: Sequence[tuple[str, str]]) -> str:
    """Words with a space between them, or names and numbers with two."""
    return ("  " if any(number for _, number in parts) else " ").join(name + number for name, number in parts)
