"""The report on a certificate: the enclosures of every node's value and slope."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from ..arithmetic.balls import Ball
from ..evaluation.report import EvaluationReport
from ..output.report import Cell, Content
from .certify import Certificate
from .decimals import double, number_and_radius, text


@dataclass(frozen=True, kw_only=True)
class CertificateReport(EvaluationReport):
    """Decimals with what they may be off by, or the ends of ranges; for programs, doubles with their distances."""

    certificate: Certificate
    digits: int

    def cells(self, name: str, node: int | None) -> Sequence[Content | Cell]:
        """A name in the table, and its node; None if the output does not depend on it."""
        value, slope = self._balls(node)
        text = self.certificate.written.get(node) if node is not None else None
        return *super().cells(name, node)[:2], text or self._text(value), self._text(slope)

    @property
    def header(self) -> Sequence[str]:
        """The header of the records."""
        return "name", "value", "radius", "grad", "grad_radius"

    def record(self, name: str, node: int | None) -> Sequence[Content]:
        """A name among the records, and its node; None if the output does not depend on it."""
        return name, *(part for ball in self._balls(node) for part in self._decimal(ball))

    def _balls(self, node: int | None) -> tuple[Ball | None, Ball | None]:
        """The enclosures of a node's value and slope."""
        return (None, Ball(0)) if node is None else (self.certificate.values[node], self.certificate.adjoints[node])

    def document(self) -> dict[str, Any]:
        """The document of an evaluation, with radii, and with the decimals."""
        certificate = self.certificate
        gradient = certificate.gradient.items()
        document = super().document()
        nodes = document.pop("nodes")
        return document | {
            "radius": double(certificate.value)[1],
            "gradient_radius": {name: double(ball)[1] for name, ball in gradient},
            "certified": {
                "value": self._text(certificate.value),
                "gradient": {name: self._text(ball) for name, ball in gradient},
                "bits": certificate.bits,
            },
            "nodes": nodes,
        }

    def node(self, node: int) -> dict[str, Any]:
        """A node in the document."""
        slope = self.certificate.adjoints[node]
        radii = double(self.certificate.values[node])[1], None if slope is None else double(slope)[1]
        return super().node(node) | dict(zip(("radius", "grad_radius"), radii, strict=True))

    def lines(self) -> Iterator[Sequence[Content]]:
        """The value and its radius, then a name, its partial derivative and the radius of that in each line."""
        yield self._decimal(self.certificate.value)
        for name, ball in self.certificate.gradient.items():
            yield name, *self._decimal(ball)

    def _text(self, ball: Ball | None) -> str:
        return "" if ball is None else text(ball, self.digits, self.certificate.over_ranges)

    def _decimal(self, ball: Ball | None) -> Sequence[Content]:
        return ("", "") if ball is None else number_and_radius(ball, self.digits, self.certificate.over_ranges)
