"""The report on certified results of many points."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..arithmetic.balls import Ball
from ..output.report import Column, Content, Line, Records, Report, Row, Table
from .decimals import double, number_and_radius, text


@dataclass(frozen=True)
class CertifiedRows(Report):
    """A row for each point: its numbers, the value and the partial derivatives, each with its radius."""

    inputs: Sequence[str]
    wrt: Sequence[str]
    rows: Iterable[tuple[Sequence[float | None], Sequence[Ball]]]
    """the numbers of a point, None for one that cannot be read, and the enclosures of its results, if it has any"""
    digits: int

    @property
    def _results(self) -> list[str]:
        return ["value", *(f"grad_{name}" for name in self.wrt)]

    def tables(self) -> Iterator[Table | Line]:
        """A table of numbers with what they may be off by."""
        columns = [Column(name, is_number=True) for name in (*self.inputs, *self._results)]
        yield Table(columns, [Row((*numbers, *self._texts(balls))) for numbers, balls in self.rows])

    def _texts(self, balls: Sequence[Ball]) -> list[str]:
        return [text(ball, self.digits) for ball in balls] or [""] * len(self._results)

    def records(self) -> Records:
        """A row for each point, which has a column for every radius."""
        header = [part for name in self._results for part in (name, f"{name}_radius")]
        return Records([*self.inputs, *header], ((*numbers, *self._parts(balls)) for numbers, balls in self.rows))

    def _parts(self, balls: Sequence[Ball]) -> list[Content]:
        parts: list[Content] = [part for ball in balls for part in number_and_radius(ball, self.digits)]
        return parts or [None] * (2 * len(self._results))

    def document(self) -> dict[str, Any]:
        """The rows as objects."""
        return {"rows": [*self.objects()]}

    def objects(self) -> Iterator[dict[str, Any]]:
        """An object for each row, with what the document of a single point has."""
        return (self._row(numbers, balls) for numbers, balls in self.rows)

    def _row(self, numbers: Sequence[float | None], balls: Sequence[Ball]) -> dict[str, Any]:
        row: dict[str, Any] = {"inputs": dict(zip(self.inputs, numbers, strict=True))}
        if not balls:
            return row
        (value, radius), *slopes = map(double, balls)
        texts = self._texts(balls)
        return row | {
            "value": value,
            "gradient": {name: number for name, (number, _) in zip(self.wrt, slopes, strict=True)},
            "radius": radius,
            "gradient_radius": {name: number for name, (_, number) in zip(self.wrt, slopes, strict=True)},
            "certified": {"value": texts[0], "gradient": dict(zip(self.wrt, texts[1:], strict=True))},
        }
