"""Power series in one variable t, truncated at some order: a forward sweep over them computes Taylor coefficients.

For y = f(a, …) the chain rule is y' = Σ p·a', with the table's partials p, which are series too. So the coefficient k
of y follows from lower ones of p: k·y[k] = Σ j·a[j]·p[k-j]. Partials in turn have partials, and all are computed order
by order. Equal series are one, which keeps their number small: those of sin(a) are cos(a) and sin(a) itself. Choices
of the formula (`where`, the larger of two, a sign) are made by the doubles at t = 0, those within a rule of the table
by numbers with all digits.

A quotient of two series that begin with zeros, as in sin(x)/x at 0, is that of what follows the zeros. The
quotient has no value before that, so it is done at once, and only with many digits, which tell a zero from rounding.

Source: Griewank and Walther, Evaluating Derivatives (2008), chapter 13.
"""

from collections.abc import Callable, Iterable, Sequence
from math import nan
from operator import mul
from typing import TYPE_CHECKING

from .. import rules
from ..operations import CONSTANT, DIV, INPUT, MUL, NEG, SINC, WHERE, Operation
from ..work_budget import NODE, charge_digits
from . import Real, floats
from .sinc import slope_of_sinc

if TYPE_CHECKING:  # mpmath takes long to start
    from .multiprecision import Multiprecision

_SLOPE_OF_SINC = Operation("slope_of_sinc", "a, b", ("nan", "slope_of_sinc(a + 1, b)"), "a-th derivative of sinc at b")

_AT_A_POINT = {"beta", "nthroot"}
"""operations whose accurate partials have cases that hold at single points only; the textbook's are used"""

_TAIL = Operation("tail", "", (), "a series without its first coefficients, known up to an order")

MOST_ZEROS = 20
"""with which denominators of quotients of zeros may begin, all together"""


class Series:
    """A power series, with as many coefficients as have been computed."""

    __slots__ = (
        *("arguments", "coefficients", "constant", "number", "operation", "placed", "terms", "value", "weighted"),
        "within_rule",
    )

    def __init__(
        self,
        number: int,
        value: float,
        coefficient: Real,
        operation: Operation,
        arguments: tuple["Series", ...] = (),
        *,
        within_rule: bool = False,
    ) -> None:
        self.number = number
        """in the order of creation, which is topological"""
        self.value = value
        """at t = 0, in double precision"""
        self.coefficients = [coefficient]
        self.weighted = [0.0]
        """coefficient j times j"""
        self.operation, self.arguments = operation, arguments
        self.constant = operation is CONSTANT
        """whether it is a number, without further coefficients"""
        self.within_rule = within_rule
        """whether it is part of a rule, where all digits choose"""
        self.placed = False
        """whether it is among the series whose coefficients are computed"""
        self.terms: list[tuple[Series, Series]] | None = None
        """the arguments that it varies with, each with the partial; None until the first coefficient after the value"""

    def append(self, coefficient: Real) -> None:
        """Append the next coefficient."""
        self.weighted.append(len(self.coefficients) * coefficient)
        self.coefficients.append(coefficient)

    def forget(self) -> None:
        """Go back to the value, or to the coefficients that were given."""
        self.placed, self.terms = False, None
        if self.arguments:
            del self.coefficients[1:], self.weighted[1:]


class PowerSeries:
    """Operations on the series of one computation: at first on their values alone; `compute` adds the coefficients.

    Coefficients are doubles, or numbers of the arithmetic `exact`.
    """

    def __init__(self, exact: "Multiprecision | None" = None, order: int = 0) -> None:
        """`order` is the one up to which quotients of zeros are computed, less the zeros that they begin with."""
        self._exact, self._order = exact, order
        self.zeros = 0
        """the zeros with which denominators begin, all together"""
        self.divisor: Real = 1.0
        """the product of the coefficients after these zeros; if more digits change it, rounding made one nonzero"""
        self._function = exact.function if exact else floats.function
        self._dot = exact.dot if exact else _dot
        self._rules = _WithinRules(self)
        self._all: dict[object, Series] = {}
        self._levels: list[list[Series]] = []
        """the series to compute: the results and what they are computed from, their partials, partials of these, …"""

    # ---- Values ------------------------------------------------------------------------------------------------------

    def constant(self, number: float, name: str | None = None) -> Series:
        """The series of a number, or of a constant with a name."""
        key = repr(number), name
        if key not in self._all:
            self._all[key] = Series(len(self._all), number, self._number(number, name), CONSTANT)
        return self._all[key]

    def line(self, value: float, slope: float) -> Series:
        """The straight line value + slope·t."""
        series = self._all[object()] = Series(len(self._all), value, self._number(value), INPUT)
        series.append(self._number(slope))
        return series

    def _number(self, number: float, name: str | None = None) -> Real:
        return self._exact.constant(number, name) if self._exact else number

    def function(self, operation: Operation, count: int) -> Callable[..., Series]:
        """The operation on `count` series."""
        return lambda *arguments: self.apply(operation, *arguments)

    def apply(self, operation: Operation, *arguments: Series, within_rule: bool = False) -> Series:
        """Return the series of an operation on series, created if there is none yet."""
        if operation is WHERE:
            return self._chosen(*arguments, within_rule=within_rule)
        if operation is MUL and arguments[0].constant and arguments[0].coefficients[0] == 1:
            return arguments[1]
        if operation is NEG and arguments[0].operation is NEG:
            return arguments[0].arguments[0]
        if operation is DIV and self._exact and not self._levels:
            arguments = self._without_zeros(self._exact, *arguments)
        key = operation, arguments, operation.chooses and within_rule
        series = self._all.get(key)
        if series is None:
            series = self._all[key] = self._new(*key)
        return series

    def _new(self, operation: Operation, arguments: tuple[Series, ...], within_rule: bool) -> Series:
        if operation is _SLOPE_OF_SINC:
            order, a = arguments
            number = slope_of_sinc(int(order.value), a.coefficients[0], self._exact)
            return Series(len(self._all), float(number), number, operation, arguments)
        value = coefficient = floats.function(operation, len(arguments))(*[argument.value for argument in arguments])
        by_doubles = operation.chooses and not within_rule
        if by_doubles and not rules.sloping_arguments(operation, len(arguments)):
            return self.constant(value)
        if self._exact and by_doubles:
            coefficient = self._piece(operation, value, arguments)
            if operation.name == "mod" and abs(coefficient) > abs(arguments[1].coefficients[0]):
                coefficient = self._exactly(operation, arguments)  # doubles know no digit of the remainder
        elif self._exact:
            coefficient = self._exactly(operation, arguments)
        series = Series(len(self._all), value, coefficient, operation, arguments, within_rule=within_rule)
        series.constant = not _varying(series)
        return series

    def _exactly(self, operation: Operation, arguments: tuple[Series, ...]) -> Real:
        assert self._exact
        return self._exact.function(operation, len(arguments))(*[argument.coefficients[0] for argument in arguments])

    def _piece(self, operation: Operation, value: float, arguments: tuple[Series, ...]) -> Real:
        """The value of an operation on the piece that the doubles chose, on which it is linear."""
        numbers = [argument.value for argument in arguments]
        moves = [argument.coefficients[0] - argument.value for argument in arguments]
        return self._number(value) + floats.change_on_piece(operation, value, numbers, moves)

    def _chosen(self, condition: Series, a: Series, b: Series, *, within_rule: bool) -> Series:
        number = condition.coefficients[0] if within_rule else condition.value
        return (a if number else b) if number == number else self.constant(nan)

    # ---- Coefficients ------------------------------------------------------------------------------------------------

    def compute(self, results: Iterable[Series], order: int) -> None:
        """Compute the coefficients of the results, and of all that they are computed from, up to an order.

        In pass k the results reach order k, their partials k - 1, partials of these k - 2 and so on. The last come
        first, so that each needs only what is already there, without recursion.
        """
        self._levels.append([])
        self._place(results)
        for _ in range(order):
            self._pass()

    def _pass(self) -> None:
        levels = self._levels[::-1]
        self._levels.append([])
        for level in levels:
            for series in level:
                series.append(self._next(series))

    def _without_zeros(self, exact: "Multiprecision", a: Series, b: Series) -> tuple[Series, Series]:
        """Two series that begin with zeros, without those of b; themselves where a has fewer, or b too many or none."""
        if b.constant or a.coefficients[0] or b.coefficients[0]:
            return a, b
        self.compute((a, b), 0)
        zeros = 0
        while not b.coefficients[zeros] and zeros < MOST_ZEROS:
            self._pass()
            zeros += 1
        for _ in range(zeros, self._order):
            self._pass()
        without = a, b
        if exact.context.isnormal(b.coefficients[zeros]) and not any(a.coefficients[:zeros]):
            without = a if a.constant else self._tail(a, zeros), self._tail(b, zeros)
            self.divisor *= b.coefficients[zeros]
        self.zeros += zeros
        placed = [series for level in self._levels for series in level]
        charge_digits(NODE * len(placed) * max(zeros, self._order))
        self._levels.clear()
        for series in placed:
            series.forget()
        return without

    def _tail(self, series: Series, start: int) -> Series:
        first, *rest = series.coefficients[start:]  # nan in doubles, which choose nothing by it
        tail = self._all[object()] = Series(len(self._all), nan, first, _TAIL)
        for coefficient in rest:
            tail.append(coefficient)
        return tail

    def _place(self, wanted: Iterable[Series]) -> None:
        """Include series, and all that they are computed from, in the next passes."""
        unplaced, pending = [], list(wanted)
        while pending:
            series = pending.pop()
            if not (series.placed or series.constant):
                series.placed = True
                unplaced.append(series)
                pending += series.arguments
        self._levels[-1] += sorted(unplaced, key=lambda series: series.number)

    def _next(self, series: Series) -> Real:
        """The coefficient that follows the last one."""
        order = len(series.coefficients)
        if series.operation is INPUT:
            return 0.0
        if series.operation is _TAIL:
            return nan
        if series.operation is DIV:
            a, b = series.arguments
            return self._next_of_quotient(a, b, series.coefficients)
        if series.terms is None:
            series.terms = self._terms(series)
            series.constant = not series.terms
            self._place(partial for _, partial in series.terms)
        total: Real = 0.0
        slope: Real = 0.0
        for argument, partial in series.terms:
            if partial.constant:
                total += partial.coefficients[0] * argument.coefficients[order]
            else:
                slope += self._dot(argument.weighted[1 : order + 1], partial.coefficients[order - 1 :: -1])
        return total + slope / order

    def _next_of_quotient(self, a: Series, b: Series, quotient: list[Real]) -> Real:
        """The next coefficient of y = a/b: b[0]·y[k] = a[k] - Σ b[j]·y[k-j]."""
        order = len(quotient)
        total = self._dot(b.coefficients[1 : order + 1], quotient[::-1])
        return self._function(DIV, 2)((0.0 if a.constant else a.coefficients[order]) - total, b.coefficients[0])

    def _terms(self, series: Series) -> list[tuple[Series, Series]]:
        """The arguments that a series varies with, each with its partial unless that is always zero."""
        if series.operation in (SINC, _SLOPE_OF_SINC):
            *order, a = series.arguments
            return [(a, self.apply(_SLOPE_OF_SINC, self.constant(order[0].value + 1 if order else 1.0), a))]
        varying = set(_varying(series))
        wanted = tuple([index in varying for index in range(len(series.arguments))])
        rule = rules.pullback(series.operation, len(wanted), wanted, textbook=series.operation.name in _AT_A_POINT)
        by_doubles = series.operation.chooses and not series.within_rule
        arithmetic = self if by_doubles else self._rules
        partials = rules.function(rule, arithmetic)(self.constant(1.0), series, *series.arguments)
        return [
            (argument, partial)
            for argument, partial in zip(series.arguments, partials, strict=True)
            if not (partial.operation is CONSTANT and partial.coefficients[0] == 0)
        ]  # a computed zero times infinity gives nan


def _dot(a: Sequence[Real], b: Sequence[Real]) -> Real:
    return sum(map(mul, a, b))


class _WithinRules:
    """The operations of a rule's formula on the series of a computation, whose choices are made by all digits."""

    def __init__(self, numbers: PowerSeries) -> None:
        self._numbers, self.constant = numbers, numbers.constant

    def function(self, operation: Operation, count: int) -> Callable[..., Series]:
        """The operation on `count` series."""
        return lambda *arguments: self._numbers.apply(operation, *arguments, within_rule=True)


def _varying(series: Series) -> list[int]:
    """The indices of the arguments that a series can vary with."""
    indices = rules.sloping_arguments(series.operation, len(series.arguments))
    return [index for index in indices if not series.arguments[index].constant]
