"""The gradient check at many points: how often each verdict was given, and the worst case of all."""

import csv
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple, TextIO

from rich import box
from rich.table import Table
from rich.text import Text

from .. import terminal
from ..errors import printable
from ..notation import shortest
from ..output import finite_or_text
from ..output.verdicts import FIELDS, cells, error, explanation, fields, style
from .checker import Verdict


class Entry(NamedTuple):
    """One verdict, with the point that it is about."""

    place: str
    point: dict[str, float]
    verdict: Verdict


@dataclass
class Summary:
    """The verdicts at many points."""

    entries: list[Entry] = field(default_factory=list)

    def add(self, place: str, point: Mapping[str, float], verdict: Verdict) -> None:
        """One more verdict."""
        self.entries.append(Entry(place, dict(point), verdict))

    @property
    def verdicts(self) -> list[Verdict]:
        """All verdicts."""
        return [entry.verdict for entry in self.entries]

    @property
    def counts(self) -> dict[str, int]:
        """How often each verdict was given, the most frequent first."""
        return dict(Counter(verdict.verdict for verdict in self.verdicts).most_common())

    @property
    def worst(self) -> Entry | None:
        """A mismatch if there is one, then what is undecided, then the largest relative error."""
        rank = {"mismatch": 2, "undecided": 1}
        return max(
            self.entries,
            key=lambda entry: (rank.get(entry.verdict.verdict, 0), entry.verdict.relative_error or 0.0),
            default=None,
        )


def write(summary: Summary, name: str, out: TextIO) -> None:
    """Write the summary in the format of that name; CSV and TSV have a line for every verdict."""
    if name == "json":
        out.write(json.dumps({"counts": summary.counts, "worst": _worst(summary)}) + "\n")
    elif name in ("csv", "tsv"):
        writer = csv.writer(out, delimiter="," if name == "csv" else "\t", lineterminator="\n")
        names = list(summary.entries[0].point) if summary.entries else []
        writer.writerow((*names, "name", "grad", *FIELDS))
        for entry in summary.entries:
            numbers = [repr(entry.point[one]) for one in names]
            writer.writerow(
                [*numbers, printable(entry.verdict.name), repr(entry.verdict.gradient), *cells(entry.verdict)]
            )
    elif name == "plain":
        out.writelines(f"{count} {verdict}\n" for verdict, count in summary.counts.items())
    else:
        _table(summary, out)


def _worst(summary: Summary) -> dict[str, Any] | None:
    worst = summary.worst
    if worst is None:
        return None
    point = {name: finite_or_text(number) for name, number in worst.point.items()}
    return {"place": worst.place, "point": point, "name": worst.verdict.name, **fields(worst.verdict)}


def _table(summary: Summary, out: TextIO) -> None:
    console = terminal.console(out)
    table = Table(box=box.SIMPLE_HEAD, show_edge=False, pad_edge=False)
    table.add_column("verdict")
    table.add_column("gradients", justify="right")
    shown: dict[str, Verdict] = {entry.verdict.verdict: entry.verdict for entry in summary.entries}
    for verdict, count in summary.counts.items():
        table.add_row(Text(verdict, style=style(shown[verdict])), f"{count:,}")
    console.print(table)
    worst = summary.worst
    if worst is not None:
        place = ", ".join(f"{name} = {shortest(number)}" for name, number in worst.point.items())
        distance = error(worst.verdict)
        console.print()
        console.print(Text(f"worst: {worst.verdict.name} at {worst.place}, {printable(place)}"), soft_wrap=True)
        said = f"{worst.verdict.verdict}" + (f", relative error {distance}" if distance else "")
        console.print(Text(f"       {said}"), soft_wrap=True)
        if worst.verdict.reason:
            console.print(Text(f"       {explanation(worst.verdict)}"), soft_wrap=True)
