"""The gradient check at many points: how often each verdict was given, and the worst case of all."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..notation import shortest
from ..output.report import Cell, Column, Content, Line, Records, Report, Row, Table
from .report import FIELDS, error, explanation, fields, record, style
from .verdicts import Verdict


class Entry(NamedTuple):
    """One verdict, with the point that it is about."""

    place: str
    point: dict[str, float]
    verdict: Verdict


@dataclass
class Summary(Report):
    """The verdicts at many points, as they are found."""

    keeps_records: bool
    """whether records are wanted: memory for each verdict"""
    entries: list[Entry] = field(default_factory=list)
    worst: Entry | None = None
    """a mismatch if there is one, then what is undecided, then the largest relative error"""
    complete: bool = True
    """whether there are verdicts on all points"""
    _counter: Counter[str] = field(default_factory=Counter)

    def add(self, place: str, point: Mapping[str, float], verdict: Verdict) -> None:
        """One more verdict."""
        entry = Entry(place, dict(point), verdict)
        self._counter[verdict.verdict] += 1
        if self.worst is None or _badness(verdict) > _badness(self.worst.verdict):
            self.worst = entry
        if self.keeps_records:
            self.entries.append(entry)

    @property
    def counts(self) -> dict[str, int]:
        """The number of gradients with each verdict, the most frequent first."""
        return dict(self._counter.most_common())

    def tables(self) -> Iterator[Table | Line]:
        """The number of gradients with each verdict, and the worst."""
        rows = [Row((Cell(verdict, style(verdict)), f"{count:,}")) for verdict, count in self.counts.items()]
        yield Table((Column("verdict", wraps=True), Column("gradients", is_number=True, wraps=True)), rows)
        if self.worst is not None:
            yield ()
            yield from _worst(*self.worst)

    def records(self) -> Records:
        """A row for each verdict, which begins with the point."""
        names = list(self.entries[0].point) if self.entries else []
        rows = (
            (*(point[name] for name in names), verdict.name, verdict.gradient, *record(verdict))
            for _, point, verdict in self.entries
        )
        return Records((*names, "name", "grad", *FIELDS), rows)

    def document(self) -> dict[str, Any]:
        """The number of gradients with each verdict, and the worst with its point; null where there is none."""
        worst = self.worst and {
            "place": self.worst.place,
            "point": self.worst.point,
            "name": self.worst.verdict.name,
            **fields(self.worst.verdict),
        }
        return {"counts": self.counts, "complete": self.complete, "worst": worst}

    def lines(self) -> Iterator[Sequence[Content]]:
        """A count and its verdict in each line."""
        return ((count, verdict) for verdict, count in self.counts.items())


def _badness(verdict: Verdict) -> tuple[int, float]:
    return {"mismatch": 2, "undecided": 1}.get(verdict.verdict, 0), verdict.relative_error or 0.0


def _worst(place: str, point: Mapping[str, float], verdict: Verdict) -> Iterator[Line]:
    numbers = ", ".join(f"{name} = {shortest(number)}" for name, number in point.items())
    distance = error(verdict)
    yield (Cell(f"worst: {verdict.name} at {place}, {numbers}"),)
    yield (Cell(f"       {verdict.verdict}" + (f", relative error {distance}" if distance else "")),)
    if verdict.reason:
        yield (Cell(f"       {explanation(verdict)}"),)
