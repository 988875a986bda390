"""Power series in one variable t, cut off at some order: a sweep forward over them computes Taylor coefficients.

For y = f(a, …) the chain rule is y' = Σ p·a', with the table's partials p, which are series too. So the coefficient k
of y follows from lower ones of p: k·y[k] = Σ j·a[j]·p[k-j]. Partials have partials in their turn, and all are computed
order by order; equal series are one, which keeps their number small: those of sin(a) are cos(a) and sin(a) itself.
Choices (`where`, the larger of two, a sign) are made by the doubles at t = 0.

Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 13.
"""

from collections.abc import Callable, Iterable
from math import nan
from operator import mul
from typing import TYPE_CHECKING, Any

from .. import rules
from ..operations import CONSTANT, INPUT, OPERATIONS, Operation
from . import floats
from .sinc import slope_of_sinc

if TYPE_CHECKING:  # mpmath takes long to start
    from .multiprecision import Multiprecision

Number = Any
_MUL, _DIV, _NEG, _WHERE, _SINC = (OPERATIONS[name] for name in ("mul", "div", "neg", "where", "sinc"))
_SLOPE_OF_SINC = Operation("slope_of_sinc", "a, b", ("nan", "slope_of_sinc(a + 1, b)"), "a-th derivative of sinc at b")

_AT_A_POINT = {"beta", "nthroot"}
"""operations whose computing rule holds, at special points, for the point alone; the textbook's is taken"""


class Series:
    """A power series, with as many coefficients as have been computed."""

    __slots__ = ("arguments", "coefficients", "constant", "number", "operation", "placed", "terms", "value", "weighted")

    def __init__(
        self, number: int, value: float, coefficient: Number, operation: Operation, arguments: tuple["Series", ...] = ()
    ) -> None:
        self.number = number
        """in the order of making, which is topological"""
        self.value = value
        """at t = 0, as doubles compute it"""
        self.coefficients = [coefficient]
        self.weighted = [0.0]
        """j times the coefficient j"""
        self.operation, self.arguments = operation, arguments
        self.constant = operation is CONSTANT
        """is it a number, without further coefficients?"""
        self.placed = False
        """is it among those that are computed?"""
        self.terms: list[tuple[Series, Series]] | None = None
        """the arguments that move it, each with the partial; None as long as there is only the value"""

    def append(self, coefficient: Number) -> None:
        """Take the next coefficient."""
        self.weighted.append(len(self.coefficients) * coefficient)
        self.coefficients.append(coefficient)


class PowerSeries:
    """Operations on the series of one computation: at first only on their values, the coefficients follow.

    Coefficients are doubles, or have as many digits as the arithmetic says.
    """

    def __init__(self, exact: "Multiprecision | None" = None) -> None:
        self._exact = exact
        self._function = exact.function if exact else floats.function
        self._known: dict[object, Series] = {}
        self._levels: list[list[Series]] = []
        """the series that are computed: the results and all that they are made of, their partials, partials of these"""

    # ---- Values ------------------------------------------------------------------------------------------------------

    def constant(self, number: float, name: str | None = None) -> Series:
        """A number, or a constant with a name."""
        key = repr(number), name
        if key not in self._known:
            self._known[key] = Series(len(self._known), number, self._number(number, name), CONSTANT)
        return self._known[key]

    def line(self, value: float, slope: float) -> Series:
        """The straight line value + slope·t."""
        made = Series(len(self._known), value, self._number(value), INPUT)
        made.append(self._number(slope))
        self._known[made] = made
        return made

    def _number(self, number: float, name: str | None = None) -> Number:
        return self._exact.constant(number, name) if self._exact else number

    def function(self, operation: Operation, count: int) -> Callable[..., Series]:
        """The operation on so many series."""
        return lambda *arguments: self.apply(operation, *arguments)

    def apply(self, operation: Operation, *arguments: Series) -> Series:
        """The series of an operation on series; the same one again where it is known."""
        if operation is _WHERE:
            return self._chosen(*arguments)
        if operation is _MUL and arguments[0].constant and arguments[0].coefficients[0] == 1:
            return arguments[1]
        if operation is _NEG and arguments[0].operation is _NEG:
            return arguments[0].arguments[0]
        made = self._known.get((operation, arguments))
        if made is None:
            made = self._known[operation, arguments] = self._made(operation, arguments)
        return made

    def _made(self, operation: Operation, arguments: tuple[Series, ...]) -> Series:
        if operation is _SLOPE_OF_SINC:
            order, a = arguments
            number = slope_of_sinc(int(order.value), a.coefficients[0], self._exact)
            return Series(len(self._known), float(number), number, operation, arguments)
        value = coefficient = floats.function(operation, len(arguments))(*[argument.value for argument in arguments])
        if not rules.sloping_arguments(operation, len(arguments)):
            return self.constant(value)
        if self._exact and operation.chooses:
            coefficient = self._piece(operation, value, arguments)
        elif self._exact:
            function = self._exact.function(operation, len(arguments))
            coefficient = function(*[argument.coefficients[0] for argument in arguments])
        made = Series(len(self._known), value, coefficient, operation, arguments)
        made.constant = not _moving(made)
        return made

    def _piece(self, operation: Operation, value: float, arguments: tuple[Series, ...]) -> Number:
        """The value of an operation in the piece that the doubles chose, where it is linear."""
        numbers = [argument.value for argument in arguments]
        slopes = floats.pullback(operation, len(numbers), (True,) * len(numbers))(1.0, value, *numbers)
        moves = [argument.coefficients[0] - argument.value for argument in arguments]
        return self._number(value) + sum(slope * move for slope, move in zip(slopes, moves, strict=True) if move)

    def _chosen(self, condition: Series, a: Series, b: Series) -> Series:
        number = condition.value
        return (a if number else b) if number == number else self.constant(nan)

    # ---- Coefficients ------------------------------------------------------------------------------------------------

    def compute(self, results: Iterable[Series], order: int) -> None:
        """Give the results, and all that they are made of, their coefficients up to an order.

        In the pass k the results reach order k, their partials k - 1, partials of these k - 2 and so on, the last
        first: each is then computed from what is there, without any recursion.
        """
        self._levels.append([])
        self._place(results)
        for _ in range(order):
            levels = self._levels[::-1]
            self._levels.append([])
            for level in levels:
                for series in level:
                    series.append(self._next(series))

    def _place(self, wanted: Iterable[Series]) -> None:
        """Have series computed from the next pass on, and all that they are made of."""
        unplaced, pending = [], list(wanted)
        while pending:
            series = pending.pop()
            if not (series.placed or series.constant):
                series.placed = True
                unplaced.append(series)
                pending += series.arguments
        self._levels[-1] += sorted(unplaced, key=lambda series: series.number)

    def _next(self, series: Series) -> Number:
        """The coefficient that follows the last one."""
        order = len(series.coefficients)
        if series.operation is INPUT:
            return 0.0
        if series.operation is _DIV:
            a, b = series.arguments
            return self._next_of_quotient(a, b, series.coefficients)
        if series.terms is None:
            series.terms = self._terms(series)
            series.constant = not series.terms
            self._place(partial for _, partial in series.terms)
        total: Number = 0.0
        slope: Number = 0.0
        for argument, partial in series.terms:
            if partial.constant:
                total += partial.coefficients[0] * argument.coefficients[order]
            else:
                slope += sum(map(mul, argument.weighted[1 : order + 1], partial.coefficients[order - 1 :: -1]))
        return total + slope / order

    def _next_of_quotient(self, a: Series, b: Series, quotient: list[Number]) -> Number:
        """The coefficient of y = a/b that follows: b[0]·y[k] = a[k] - Σ b[j]·y[k-j]."""
        order = len(quotient)
        known = sum(map(mul, b.coefficients[1 : order + 1], quotient[::-1]))
        return self._function(_DIV, 2)((0.0 if a.constant else a.coefficients[order]) - known, b.coefficients[0])

    def _terms(self, series: Series) -> list[tuple[Series, Series]]:
        """The arguments that move a series, each with its partial, but for those whose partial is zero for every t."""
        if series.operation in (_SINC, _SLOPE_OF_SINC):
            *before, a = series.arguments
            return [(a, self.apply(_SLOPE_OF_SINC, self.constant(before[0].value + 1 if before else 1.0), a))]
        moving = set(_moving(series))
        wanted = tuple([place in moving for place in range(len(series.arguments))])
        rule = rules.pullback(series.operation, len(wanted), wanted, textbook=series.operation.name in _AT_A_POINT)
        partials = rules.function(rule, self)(self.constant(1.0), series, *series.arguments)
        return [
            (argument, partial)
            for argument, partial in zip(series.arguments, partials, strict=True)
            if not (partial.constant and partial.coefficients[0] == 0)
        ]


def _moving(series: Series) -> list[int]:
    """The places of the arguments that a series can change with."""
    places = rules.sloping_arguments(series.operation, len(series.arguments))
    return [place for place in places if not series.arguments[place].constant]
