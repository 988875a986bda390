"""The report on certified results of many points."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..arithmetic.balls import Ball
from ..output.report import Column, Content, Line, Records, Report, Row, Table
from .certify import Certificate
from .decimals import double, number_and_radius, text


@dataclass(frozen=True)
class CertifiedRows(Report):
    """A row for each point: its numbers, the value and the partial derivatives, each with its radius."""

    inputs: Sequence[str]
    wrt: Sequence[str]
    rows: Iterable[tuple[Sequence[float | None], Certificate | None]]
    """the numbers of a point, None for one that cannot be read, and the enclosures of its results, if it has any"""
    digits: int

    @property
    def _results(self) -> list[str]:
        return ["value", *(f"grad_{name}" for name in self.wrt)]

    def tables(self) -> Iterator[Table | Line]:
        """A table of numbers with what they may be off by."""
        columns = [Column(name, is_number=True) for name in (*self.inputs, *self._results)]
        yield Table(columns, [Row((*numbers, *self._texts(certificate))) for numbers, certificate in self.rows])

    def _texts(self, certificate: Certificate | None) -> list[str]:
        if certificate is None:
            return [""] * len(self._results)
        return [text(ball, self.digits, certificate.over_ranges) for ball in _balls(certificate)]

    def records(self) -> Records:
        """A row for each point, which has a column for every radius."""
        header = [part for name in self._results for part in (name, f"{name}_radius")]
        return Records(
            [*self.inputs, *header], ((*numbers, *self._parts(certificate)) for numbers, certificate in self.rows)
        )

    def _parts(self, certificate: Certificate | None) -> list[Content]:
        if certificate is None:
            return [None] * (2 * len(self._results))
        pairs = [number_and_radius(ball, self.digits, certificate.over_ranges) for ball in _balls(certificate)]
        return [part for pair in pairs for part in pair]

    def document(self) -> dict[str, Any]:
        """The rows as objects."""
        return {"rows": [*self.objects()]}

    def objects(self) -> Iterator[dict[str, Any]]:
        """An object for each row, with what the document of a single point has."""
        return (self._row(numbers, certificate) for numbers, certificate in self.rows)

    def _row(self, numbers: Sequence[float | None], certificate: Certificate | None) -> dict[str, Any]:
        row: dict[str, Any] = {"inputs": dict(zip(self.inputs, numbers, strict=True))}
        if certificate is None:
            return row
        (value, radius), *slopes = map(double, _balls(certificate))
        texts = self._texts(certificate)
        return row | {
            "value": value,
            "gradient": {name: number for name, (number, _) in zip(self.wrt, slopes, strict=True)},
            "radius": radius,
            "gradient_radius": {name: number for name, (_, number) in zip(self.wrt, slopes, strict=True)},
            "certified": {"value": texts[0], "gradient": dict(zip(self.wrt, texts[1:], strict=True))},
        }


def _balls(certificate: Certificate) -> list[Ball]:
    """The enclosures of the value and of the gradient."""
    return [certificate.value, *certificate.gradient.values()]
