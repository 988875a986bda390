"""The report on an uncertainty: the budget that the GUM asks for, and the result as a metrologist writes it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from math import isinf
from typing import Any

from ..notation import by_uncertainty, decimal, probability
from ..output.report import Cell, Content, Line, Records, Report, Table, table_of_numbers
from .budget import Budget, concise, truncated
from .measured_values import MeasuredValue
from .monte_carlo import MonteCarlo
from .uncertainty import Uncertainty

_HEADER = ("input", "value", "u", "df", "sensitivity", "contribution", "share")


@dataclass(frozen=True)
class UncertaintyReport(Report):
    """The uncertainty of one result or several; terms of second order are shown where they are asked for."""

    uncertainty: Uncertainty
    precision: int = 4
    second_order: bool = False

    def tables(self) -> Iterator[Table | Line]:
        """The budget of each result and what follows from it, and the correlations of several."""
        for place, (name, budget) in enumerate(self.uncertainty.outputs.items()):
            if place:
                yield ()
            yield table_of_numbers(_HEADER, _rows(budget, self._with_digits), self.precision, goes_on=True)
            yield ()
            yield from self._lines(name, budget)
        if len(self.uncertainty.outputs) > 1:
            yield ()
            names = list(self.uncertainty.outputs)
            matrix = zip(names, self.uncertainty.correlation, strict=True)
            rows: list[Sequence[Content]] = [(name, *row) for name, row in matrix]
            yield table_of_numbers(("correlation", *names), rows, self.precision, goes_on=True)

    def _with_digits(self, quantity: MeasuredValue) -> str:
        """A value with the digits that its uncertainty leaves."""
        return by_uncertainty(quantity.value, quantity.u, self.precision)

    def _lines(self, name: str, budget: Budget) -> Iterator[Line]:
        yield (Cell(f"{name} = {concise(budget.value, budget.u)}", "bold"), Cell(f"   u = {self._short(budget.u)}"))
        freedom = budget.effective_degrees_of_freedom
        counted = ""
        if freedom is not None and not isinf(freedom):
            counted = f", {decimal(truncated(freedom, 1), 1)} effective degrees of freedom"
        most = "at most " if freedom is None else ""
        yield (
            Cell(
                f"U = {self._short(budget.expanded)} with k = {budget.coverage_factor:.3f}, "
                f"for a level of confidence of {most}{probability(budget.level)}{counted}"
            ),
        )
        if freedom is None:
            undefined = "effective degrees of freedom are not defined: inputs with different ones are correlated"
            yield (Cell(undefined, "dim"),)
        if self.second_order and budget.second_order is not None:
            second = budget.second_order
            yield (Cell(f"with second-order terms: {concise(second.value, second.u)}   u = {self._short(second.u)}"),)
        if name in self.uncertainty.monte_carlo:
            yield from self._monte_carlo(self.uncertainty.monte_carlo[name], budget.level)

    def _monte_carlo(self, drawn: MonteCarlo, level: float) -> Iterator[Line]:
        mean, low, high, shortest_low, shortest_high = (
            by_uncertainty(number, drawn.deviation, self.precision)
            for number in (drawn.mean, *drawn.interval, *drawn.shortest_interval)
        )
        deviation = self._short(drawn.deviation)
        within = f"{probability(level)} of them in [{low}, {high}]"
        yield (Cell(f"{len(drawn.draws):,} draws: mean {mean}, deviation {deviation}, {within}"),)
        yield (Cell(f"shortest interval [{shortest_low}, {shortest_high}]"),)
        agrees = "agrees" if drawn.agrees else "does not agree"
        doubt = "" if drawn.certain else "; more draws may say otherwise"
        yield (Cell(f"the interval of the budget {agrees} with the draws{doubt}", "" if drawn.agrees else "yellow"),)

    def _short(self, number: float) -> str:
        return decimal(number, self.precision)

    def records(self) -> Records:
        """A row for each result and input."""
        several = len(self.uncertainty.outputs) > 1
        rows = (
            (name, *row) if several else row
            for name, budget in self.uncertainty.outputs.items()
            for row in _rows(budget)
        )
        return Records(("output", *_HEADER) if several else _HEADER, rows)

    def document(self) -> dict[str, Any]:
        """All that is known of the result, or of each of several."""
        documents = {name: self._document(name, budget) for name, budget in self.uncertainty.outputs.items()}
        if len(documents) == 1:
            return next(iter(documents.values()))
        names = list(documents)
        return {"outputs": documents, "correlation": {"outputs": names, "matrix": self.uncertainty.correlation}}

    def _document(self, name: str, budget: Budget) -> dict[str, Any]:
        second, drawn = budget.second_order, self.uncertainty.monte_carlo.get(name)
        inputs = {
            name: {**_fields(part.quantity, "value u df"), **_fields(part, "sensitivity contribution share")}
            for name, part in budget.inputs.items()
        }
        return {
            **_fields(budget, "value u effective_degrees_of_freedom coverage_factor expanded level"),
            "inputs": inputs,
            "second_order": None if second is None else asdict(second),
            "monte_carlo": drawn and _fields(drawn, "mean deviation interval shortest_interval agrees certain"),
        }

    def lines(self) -> Iterator[Sequence[Content]]:
        """A value and its standard uncertainty for each result."""
        several = len(self.uncertainty.outputs) > 1
        for name, budget in self.uncertainty.outputs.items():
            yield (name, budget.value, budget.u) if several else (budget.value, budget.u)


def _rows(
    budget: Budget, value: Callable[[MeasuredValue], Content] = lambda quantity: quantity.value
) -> list[Sequence[Content]]:
    """A row for each input; `value` makes a cell of its value."""
    return [
        (
            name,
            value(part.quantity),
            part.quantity.u,
            None if isinf(part.quantity.df) else part.quantity.df,
            part.sensitivity,
            part.contribution,
            part.share,
        )
        for name, part in budget.inputs.items()
    ]


def _fields(result: object, names: str) -> dict[str, Any]:
    return {name: getattr(result, name) for name in names.split()}
