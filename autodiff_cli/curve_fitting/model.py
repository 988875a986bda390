"""A formula with parameters, and the data that it is to describe."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy

from ..arithmetic.arrays import Doubles
from ..derivatives.starting_point import starting_point
from ..errors import AutodiffError, did_you_mean, named
from ..evaluation import used
from ..notation import canonical
from ..program import Program
from ..vectorized.computation import Computation

_BLOCK = 65_536  # rows whose Jacobian is computed at a time


@dataclass(frozen=True)
class Data:
    """The rows of a table that are fitted."""

    columns: Mapping[str, Doubles]
    """input of the formula → its numbers"""
    response: Doubles
    """what the formula is to give"""
    factors: Doubles
    """what each residual is multiplied by: the square root of its weight"""

    @property
    def rows(self) -> int:
        """How many there are."""
        return len(self.response)


class Model:
    """A program as a function of its parameters, for the rows of data."""

    def __init__(self, program: Program, data: Data, fixed: Mapping[str, float]) -> None:
        """All inputs that are neither columns nor fixed are parameters. Raises AutodiffError if there are none."""
        order = program.graph.needed([program.output])
        inputs = used(order, program.point(dict.fromkeys([*data.columns, *fixed], 0.0)))
        self.parameters = tuple(name for name in inputs if name not in data.columns and name not in fixed)
        if not self.parameters:
            hint = f"`{next(iter(fixed), 'x')}` is fixed" if fixed else "every input of the formula is a column"
            raise AutodiffError("the formula has no parameter to fit", hint=hint)
        if data.rows < len(self.parameters):
            raise AutodiffError(
                f"{data.rows} rows cannot determine {len(self.parameters)} parameters: {named(self.parameters)}",
                hint="give more rows, or numbers for some of the parameters",
            )
        self.program, self.data = program, data
        columns = [name for name in inputs if name in data.columns]
        self._computation = Computation(program, [*columns, *self.parameters], fixed, self.parameters)

    def start(self, given: Mapping[str, float]) -> Doubles:
        """The first parameters: the numbers given, else the program's defaults.

        Raises AutodiffError for parameters without a number, and for numbers of what is no parameter.
        """
        return numpy.array(starting_point(self.parameters, [self.program], given, "parameter"))

    def blocks(self, parameters: Doubles) -> Iterator[tuple[Doubles, Doubles]]:
        """The residuals and the Jacobian, multiplied by their factors, for some rows after others."""
        for first in range(0, self.data.rows, _BLOCK):
            rows = slice(first, min(first + _BLOCK, self.data.rows))
            value, gradient = self.at(parameters, {name: column[rows] for name, column in self.data.columns.items()})
            factors = self.data.factors[rows]
            yield (value - self.data.response[rows]) * factors, gradient * factors[:, None]

    def at(self, parameters: Doubles, columns: Mapping[str, Doubles]) -> tuple[Doubles, Doubles]:
        """The values for some rows, and the derivatives by the parameters, a row for each."""
        rows = len(next(iter(columns.values()))) if columns else self.data.rows
        constant = {name: numpy.full(rows, number) for name, number in zip(self.parameters, parameters, strict=True)}
        results = self._computation({**columns, **constant}, rows=rows)
        return results.value, numpy.column_stack(results.gradient)

    def residuals(self, parameters: Doubles) -> Doubles:
        """All residuals, multiplied by their factors."""
        return numpy.concatenate([residuals for residuals, _ in self.blocks(parameters)])

    def jacobian(self, parameters: Doubles) -> Doubles:
        """All rows of the Jacobian, multiplied by their factors."""
        return numpy.concatenate([jacobian for _, jacobian in self.blocks(parameters)])


def inverse_squares(deviations: Doubles) -> Doubles:
    """The weights of responses with these standard deviations; nan for one that is not above 0."""
    with numpy.errstate(divide="ignore", invalid="ignore"):
        return numpy.where(deviations > 0, deviations**-2.0, numpy.nan)


def data_of(
    program: Program,
    response: Program,
    columns: Mapping[str, Doubles],
    weights: Doubles | None,
    fixed: Mapping[str, float],
) -> Data:
    """The data of a model, from the columns of a table; the response may be a formula in them.

    Raises AutodiffError for a response that is no column, for one that is constant, and for weights that are negative
    or not finite.
    """
    known = {canonical(name): column for name, column in columns.items()}
    needed = used(response.graph.needed([response.output]), response.point(dict.fromkeys(known, 0.0)))
    absent = [name for name in needed if name not in known]
    if absent:
        hint = did_you_mean(absent[0], known) or f"the columns are {named(known)}"
        raise AutodiffError(f"there is no column `{absent[0]}`, which the response needs", hint=hint)
    values = Computation(response, list(needed), {}, ())(known, rows=len(next(iter(known.values())))).value
    inputs = used(program.graph.needed([program.output]), program.point(dict.fromkeys([*known, *fixed], 0.0)))
    with numpy.errstate(invalid="ignore"):
        factors = numpy.ones(len(values)) if weights is None else numpy.sqrt(weights)
    if not numpy.isfinite(factors).all():
        raise AutodiffError("weights are numbers from 0 on, and deviations are above 0", hint="mend the column")
    if not numpy.isfinite(values).all():
        raise AutodiffError("the response is not finite in some row", hint="leave out the rows without a response")
    data = {name: known[name] for name in inputs if name in known and name not in fixed}
    for name, column in data.items():
        if len(column) > 1 and (column == column[0]).all():
            hint = "nothing can be fitted to what does not change: leave it out of the formula, or fit other rows"
            raise AutodiffError(f"the column `{name}` is the same in all rows", hint=hint)
    return Data(data, values, factors)
