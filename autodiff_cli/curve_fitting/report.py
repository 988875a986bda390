"""The report on a fit: each parameter with how well it is known, the fit as a whole, and why the search ended."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ..notation import by_uncertainty, counted, decimal, probability
from ..output.report import Cell, Content, Line, Records, Report, Table, none_if_nan, table_of_numbers
from .fit import Fit

_HEADER = ("parameter", "estimate", "standard_error", "t", "low", "high")
_SUMMARY = (
    "residual_sum_of_squares",
    "residual_deviation",
    "degrees_of_freedom",
    "r_squared",
    "aic",
    "bic",
    "covariance",
    "correlation",
    "level",
    "unknown_because",
    "at_bound",
)


@dataclass(frozen=True)
class FitReport(Report):
    """A fit; `errors` says in words how standard errors were scaled."""

    fit: Fit
    errors: str
    precision: int = 4

    def tables(self) -> Iterator[Table | Line]:
        """A row for each parameter, the fit as a whole, and why the search ended."""
        statistics = self.fit.statistics
        freedom = counted(statistics.degrees_of_freedom, "degree")
        level = f"{probability(statistics.level, 100)} %"
        headings = ("parameter", "estimate", "std. error", "t", f"{level} from", "to")
        yield table_of_numbers(headings, self._rows(self._with_digits), self.precision)
        yield ()
        yield (
            Cell(
                f"residual sum of squares {self._short(statistics.residual_sum_of_squares)}, "
                f"deviation {self._short(statistics.residual_deviation)} on {freedom} of freedom"
            ),
        )
        explained = round(statistics.r_squared, 6) + 0.0
        r_squared = f"R² = {explained:.6f}, " if explained == explained else ""
        yield (Cell(f"{r_squared}AIC = {statistics.aic:.2f}, BIC = {statistics.bic:.2f}"),)
        for note in statistics.notes:
            yield (Cell(note, "yellow"),)
        if any(part.standard_error == part.standard_error for part in statistics.parameters.values()):
            yield (Cell(self.errors, "dim"),)
        count = counted(self.fit.evaluations, "evaluation")
        yield (Cell(f"{self.fit.reason}; {count}", "dim" if self.fit.converged else "yellow"),)

    def _short(self, number: float) -> str:
        return decimal(number, self.precision)

    def records(self) -> Records:
        """A row for each parameter."""
        return Records(_HEADER, self._rows())

    def _rows(self, text: Callable[[float, float], Content] = lambda number, error: number) -> Iterator[list[Content]]:
        """A row for each parameter; `text` makes a cell of the estimate, and of the ends of its interval."""
        for name, part in self.fit.statistics.parameters.items():
            error = part.standard_error
            low, high = (None if end != end else text(end, error) for end in part.interval)
            yield [name, text(part.estimate, error), none_if_nan(error), none_if_nan(part.t), low, high]

    def _with_digits(self, number: float, error: float) -> str:
        """The number with the digits that the standard error leaves."""
        return by_uncertainty(number, error, self.precision)

    def document(self) -> dict[str, Any]:
        """All that is known of the parameters and the fit."""
        statistics = self.fit.statistics
        parameters = {name: asdict(part) for name, part in statistics.parameters.items()}
        summary = {name: getattr(statistics, name) for name in _SUMMARY}
        end = {"converged": self.fit.converged, "reason": self.fit.reason, "evaluations": self.fit.evaluations}
        return {"parameters": parameters, **summary, **end}

    def lines(self) -> Iterator[Sequence[Content]]:
        """A parameter and its estimate in each line."""
        yield from self.fit.point.items()
