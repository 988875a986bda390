"""The report of `autodiff verify`: yes, or no with the simplest counterexample."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..errors import AutodiffError
from ..notation import counted, shortest
from ..output.report import Cell, Line, Report
from .verify import Verification


@dataclass(frozen=True)
class VerifyReport(Report):
    """A verification; `ranges` are those that the points were drawn from."""

    answer: Verification
    ranges: Mapping[str, tuple[float, float]]
    undecided: AutodiffError | None = None
    """the error where too few points could be compared"""

    def tables(self) -> Iterator[Line]:
        """The plain lines, with the answer in its colour."""
        style = "bold green" if self.answer.counterexample is None else "bold red"
        for number, (line,) in enumerate(self.lines()):
            answer, colon, rest = line.partition(":") if number == 0 else ("", "", line)
            yield Cell(answer, style), Cell(colon + rest)

    def document(self) -> dict[str, Any]:
        """Whether the derivatives are equal or null, at how many points, and the counterexample or null."""
        wrong = self.answer.counterexample
        return {
            "equal": None if self.undecided else wrong is None,
            "compared": self.answer.compared,
            "skipped": self.answer.skipped,
            "complete": self.answer.complete,
            "counterexample": wrong
            and {"name": wrong.name, "point": wrong.point, "derivative": wrong.true, "written": wrong.written},
        }

    def lines(self) -> Iterator[tuple[str]]:
        """One line that begins with yes, or no with the point and both values below."""
        wrong = self.answer.counterexample
        if wrong is None:
            yield (self._yes(),)
            return
        place = ", ".join(f"{name} = {shortest(number)}" for name, number in wrong.point.items())
        true, written = f"the derivative with respect to {wrong.name}", "what was written gives"
        yield (f"no: at {place}" if place else "no",)
        yield (f"  {true}  {shortest(wrong.true)}",)
        yield (f"  {written:<{len(true)}}  {shortest(wrong.written)}",)
        if wrong.true == wrong.written:
            yield ("  (the same double; with more digits they differ)",)

    def _yes(self) -> str:
        answer = self.answer
        ranges = "".join(f", {name} from {shortest(a)} to {shortest(b)}" for name, (a, b) in self.ranges.items())
        equal = f"yes: equal at {counted(answer.compared, 'point')}{ranges}"
        skipped = f"; {answer.skipped:,} skipped, where nothing can be compared" if answer.skipped else ""
        return equal + skipped + ("" if answer.complete else "; the others were left out, as work ran out")
