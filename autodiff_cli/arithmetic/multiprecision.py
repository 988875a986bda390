"""Numbers with any number of digits: the operations of mpmath, the reference for double precision.

The table's forms for doubles (`value`) are not used here: an operation is mpmath's own, or its `meaning`. Derivative
rules are those of the table, with exact constants (`pi`, `2/sqrt(pi)`).

Nothing raises except at a bound on the work, and nothing takes forever: the result is nan where no real result exists,
a division by zero gives what IEEE arithmetic gives, and a number past the range of doubles counts as infinite wherever
its size would cost time.
"""

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import local

from mpmath.ctx_mp import MPContext
from mpmath.libmp import gammazeta

from .. import rules
from ..operations import Operation
from ..work_budget import charge_digits, charger_for, price
from . import Real, RealFunction
from .mpmath_functions import RANGE, elementary, special

_of_thread = local()
_BOUNDED = {
    "exp", "expm1", "exp2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "lgamma", "digamma",
    "polygamma", "beta", "mod",
}  # fmt: skip
"""operations that would need too much time or memory for numbers past the range of doubles"""

_QUICK = set("abs cbrt ceil copysign div floor hypot max min mod round sign sqrt trunc".split())  # noqa: SIM905
"""operations that take about as long as a cache lookup"""
_CACHED = 500
"""cached results of each other operation: those of constants, which every point asks for again"""

gammazeta.MAX_GAMMA_TAYLOR_PREC = 1000  # bits: with more, the coefficients take seconds, and Stirling's series does not


class Multiprecision:
    """Operations on numbers with `digits` decimal digits; `textbook` chooses the partials that a person would write."""

    add = staticmethod(operator.add)

    def __init__(self, digits: int, *, textbook: bool = False) -> None:
        self.textbook = textbook
        self.context = MPContext()
        self.context.dps = digits
        self._functions: dict[tuple[Operation, int], RealFunction] = {}
        self._named = elementary(self.context)
        self._named |= special(self.context, self._named["exp"])
        self._cost_of_product = 2e-6 + 1e-12 * digits**2  # seconds

    def number(self, number: float | str) -> Real:
        """The exact value of a double, or the number that a text denotes."""
        return self.context.mpf(number)

    def constant(self, number: float, name: str | None = None) -> Real:
        """A constant of a formula; `pi` and `e` have all digits."""
        return +getattr(self.context, name) if name in ("pi", "e") else self.context.mpf(number)

    def function(self, operation: Operation, count: int) -> RealFunction:
        """The operation on `count` numbers; raises nothing but TooMuchWorkError."""
        if (operation, count) not in self._functions:
            self._functions[operation, count] = self._find(operation, count)
        return self._functions[operation, count]

    def _find(self, operation: Operation, count: int) -> RealFunction:
        native = self._named.get(operation.name)
        if native is None and not operation.value:
            native = getattr(self.context, operation.name, None)
        if native is None:
            return rules.meaning(operation, count, self)
        if operation.name in ("add", "sub", "mul", "neg", "where"):  # these never raise
            return native
        guarded = self._guarded(native, price(operation, self.context.dps), operation.name in _BOUNDED)
        return guarded if operation.name in _QUICK or operation.chooses else _cached(guarded)

    def dot(self, a: Sequence[Real], b: Sequence[Real]) -> Real:
        """The sum of the products of numbers."""
        charge_digits(len(a) * self._cost_of_product)
        return self.context.fdot(a, b)

    def pullback(self, operation: Operation, count: int, wanted: tuple[int, ...]) -> Callable[..., Sequence[Real]]:
        """The operation's contributions to the adjoints of its arguments: (g, y, *arguments) → one for each.

        An argument that was not chosen gets None; a result that is nan contributes nan.
        """
        formula = rules.function(rules.pullback(operation, count, wanted, textbook=self.textbook), self, nothing=None)
        nan = self.context.nan

        def contributions(adjoint: Real, result: Real, *arguments: Real) -> Sequence[Real]:
            return formula(adjoint, result, *arguments) if result == result else [nan] * count

        return contributions

    def _guarded(self, native: RealFunction, cost: float, bounded: bool) -> RealFunction:
        """A function that gives nan where mpmath would raise or leave the real numbers."""
        context, real = self.context, self.context.mpf
        pay = charger_for(context.dps)

        def guarded(*numbers: Real) -> Real:
            if cost:
                pay(cost)
            if bounded:
                numbers = tuple([context.inf * a if context.mag(a) > RANGE else a for a in numbers])
            try:
                result = native(*numbers)
            except OverflowError:  # mpmath's own estimate of a size
                result = native(*[context.inf * number for number in numbers])
            except (ValueError, ZeroDivisionError):
                return context.nan
            return +result if isinstance(result, real) else context.nan  # mpmath may return more digits

        return guarded


def _cached(function: RealFunction) -> RealFunction:
    """The function with a cache of results; nan, which equals nothing, would be cached again and again."""
    cached = lru_cache(_CACHED)(function)
    return lambda *numbers: cached(*numbers) if all(number == number for number in numbers) else function(*numbers)


def with_digits(digits: int) -> Multiprecision:
    """The arithmetic with a number of digits, cached per thread, because mpmath takes milliseconds to set one up.

    No two threads share one: some operations change its precision for a while.
    """
    kept: dict[int, Multiprecision] = _of_thread.__dict__.setdefault("arithmetics", {})
    if digits not in kept:
        kept[digits] = Multiprecision(digits)
    return kept[digits]
