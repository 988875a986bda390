"""Numbers with any number of digits: the operations of mpmath, the referee of double precision.

The table's forms for doubles (`value`) are not used here: an operation is mpmath's own, or its `meaning`. Derivative
rules are those of the table, with exact constants (`pi`, `2/sqrt(pi)`).

Nothing raises but for a bound on the work, and nothing takes forever: the result is nan where no real result exists, a
division by zero gives what IEEE arithmetic gives, and a number past the range of doubles counts as infinite wherever
its size would cost time.
"""

import operator
from collections.abc import Callable, Sequence
from functools import lru_cache
from threading import local
from typing import Any

from mpmath.ctx_mp import MPContext
from mpmath.libmp import gammazeta

from .. import rules
from ..operations import ERFC, Operation
from . import Real, RealFunction
from .work import price, spend

_of_thread = local()
_RANGE = 1100
"""2 to this power is past the range of doubles, with some room for steps"""
_BOUNDED = {
    "exp", "expm1", "exp2", "sin", "cos", "tan", "sinh", "cosh", "tanh", "erf", "erfc", "gamma", "lgamma", "digamma",
    "polygamma", "beta", "mod",
}  # fmt: skip
"""operations that would need too much time or memory for numbers past that range"""

_QUICK = set("abs cbrt ceil copysign div floor hypot max min mod round sign sqrt trunc".split())  # noqa: SIM905
"""operations that take about as long as a look at the results that are kept"""
_KEPT = 500
"""results that are kept of each other operation: those of constants, which every point asks for again"""

gammazeta.MAX_GAMMA_TAYLOR_PREC = 1000  # bits: with more, the coefficients take seconds, and Stirling's series does not


class Multiprecision:
    """Operations on numbers with `digits` decimal digits; `textbook` chooses the partials that a person would write."""

    add = staticmethod(operator.add)

    def __init__(self, digits: int, *, textbook: bool = False) -> None:
        self.textbook = textbook
        self.context = MPContext()
        self.context.dps = digits
        self._functions: dict[tuple[Operation, int], RealFunction] = {}
        self._named = _by_name(self.context)
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
            return self.meaning(operation, count)
        if operation.name in ("add", "sub", "mul", "neg", "where"):  # these never raise
            return native
        guarded = self._guarded(native, price(operation, self.context.dps), operation.name in _BOUNDED)
        return guarded if operation.name in _QUICK or operation.chooses else _kept(guarded)

    def dot(self, a: Sequence[Real], b: Sequence[Real]) -> Real:
        """The sum of the products of numbers."""
        spend(len(a) * self._cost_of_product)
        return self.context.fdot(a, b)

    def meaning(self, operation: Operation, count: int) -> RealFunction:
        """The operation as its `meaning` in simpler operations."""
        formula = rules.function(rules.value(operation, count, operation.meaning), self)
        return lambda *numbers: formula(*numbers)[0]

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

        def guarded(*numbers: Real) -> Real:
            if cost:
                spend(cost)
            if bounded:
                numbers = tuple([context.inf * a if context.mag(a) > _RANGE else a for a in numbers])
            try:
                result = native(*numbers)
            except OverflowError:  # mpmath's own estimate of a size
                result = native(*[context.inf * number for number in numbers])
            except (ValueError, ZeroDivisionError):
                return context.nan
            return result if isinstance(result, real) else context.nan

        return guarded


def _kept(function: RealFunction) -> RealFunction:
    """The function with some results kept; nan, which equals nothing, would be kept again and again."""
    kept = lru_cache(_KEPT)(function)
    return lambda *numbers: kept(*numbers) if all(number == number for number in numbers) else function(*numbers)


def with_digits(digits: int) -> Multiprecision:
    """The arithmetic of a number of digits that a thread keeps, because mpmath takes milliseconds to set one up.

    No two threads share one: some operations change its precision for a while.
    """
    kept: dict[int, Multiprecision] = _of_thread.__dict__.setdefault("arithmetics", {})
    if digits not in kept:
        kept[digits] = Multiprecision(digits)
    return kept[digits]


def _by_name(context: Any) -> dict[str, RealFunction]:
    """Functions by name, for the primitives that mpmath lacks or defines otherwise."""
    inf, nan = context.inf, context.nan

    def truth(compare: Callable[..., object]) -> RealFunction:
        return lambda *numbers: context.one if compare(*numbers) else context.zero

    def where(condition: Real, a: Real, b: Real) -> Real:
        return (a if condition else b) if condition == condition else nan

    def extreme(choose: RealFunction) -> RealFunction:
        return lambda *numbers: nan if any(map(context.isnan, numbers)) else choose(numbers)

    def divide(a: Real, b: Real) -> Real:
        return a / b if b else inf * a

    def copysign(a: Real, b: Real) -> Real:
        return -abs(a) if b < 0 else abs(a)

    def modulo(a: Real, b: Real) -> Real:
        if context.isinf(b) and context.isfinite(a):
            return b if a * b < 0 else a
        return a % b if context.mag(b) > -_RANGE else nan

    def exponential(a: Real) -> Real:
        """Of a large number by the power of 2 in it: mpmath would multiply as often as a whole number has bits."""
        size = context.mag(a)
        if not 16 < size <= _RANGE:
            return context.exp(inf * a if size > _RANGE else a)
        with context.extraprec(int(size) + 10):
            doublings = context.floor(a / context.ln2)
            result = context.ldexp(context.exp(a - doublings * context.ln2), int(doublings))
        return +result

    def power(a: Real, b: Real) -> Real:
        if b == 0 or a == 1 or (a == -1 and context.isinf(b)):
            return context.one
        if context.mag(b) > _RANGE:
            return context.power(abs(a), inf * b)
        if a == 0 or context.isinf(a):
            odd = a < 0 and b % 2 == 1
            return (-1 if odd else 1) * (inf if a == 0 and b < 0 else context.power(abs(a), b))
        if context.mag(b) < 64:
            return context.power(a, b)
        if a < 0 and b != context.floor(b):
            return nan
        with context.extraprec(int(context.mag(b))):  # mpmath would multiply as often as the exponent has bits
            size = exponential(b * context.log(abs(a)))
        return -size if a < 0 and b % 2 == 1 else +size

    def log_of_sum(*numbers: Real) -> Real:
        """log(exp(a) + exp(b) + …): what is small beside 1 counts, where the largest number is next to 0."""
        if any(map(context.isnan, numbers)):
            return nan
        largest, *others = sorted(numbers, reverse=True)
        if context.isinf(largest):
            return largest
        return largest + context.log1p(sum([exponential(other - largest) for other in others], context.zero))

    def cube_root(a: Real) -> Real:
        return copysign(context.cbrt(abs(a)), a)

    def hypotenuse(*numbers: Real) -> Real:
        return inf if any(map(context.isinf, numbers)) else context.sqrt(context.fsum(numbers, squared=True))

    def gamma(a: Real) -> Real:
        if abs(a) > 0.5:
            return context.gamma(a)
        return context.gamma(1 + a) / a if a else inf  # mpmath's own loses digits near 0

    def log_gamma(a: Real) -> Real:
        if a > 0:
            return context.loggamma(a) if a > 0.5 else context.loggamma(1 + a) - context.log(a)
        if a == context.floor(a):
            return inf
        return context.log(context.pi / abs(context.sinpi(a))) - context.loggamma(1 - a)

    def polygamma(n: Real, a: Real) -> Real:
        """By the Hurwitz zeta function; left of 0 by reflection, whose terms are polynomials in the cotangent."""
        if n == 0:
            return context.digamma(a)
        if n < 0 or n != context.floor(n):
            return nan
        if a == inf:
            return context.zero
        if a > 0:
            return (-1) ** (int(n) + 1) * context.gamma(n + 1) * context.zeta(n + 1, a)
        if not context.isfinite(a) or n > 170 or a == context.floor(a):
            return nan
        slope = [0, 1]  # the n-th derivative of cot(pi*a) over pi^n, as a polynomial in cot(pi*a)
        for _ in range(int(n)):
            derived = [power * slope[power] for power in range(1, len(slope))]
            slope = [-(p + q) for p, q in zip([*derived, 0, 0], [0, 0, *derived], strict=True)]
        cotangent = context.cospi(a) / context.sinpi(a)
        steepness = context.fsum(c * cotangent**k for k, c in enumerate(slope))
        return (-1) ** int(n) * polygamma(n, 1 - a) - context.pi ** (n + 1) * steepness

    def beta(a: Real, b: Real) -> Real:
        """With enough further digits that the smaller argument is not lost in the sum; at a pole of it the limit."""
        if a != a or b != b:
            return nan
        if a > b:
            a, b = b, a
        if 0 < abs(a) < b < inf and context.mag(a) < -context.prec - 20:  # the next term is a*(digamma(1 + b) + euler)
            return (a + b) / (a * b)
        spread = abs(context.mag(a) - context.mag(b)) if a and b and context.isfinite(a + b) else 0
        with context.extraprec(int(min(spread, 2 * _RANGE))):
            if all(context.isfinite(x) and (x > 0 or x != context.floor(x)) for x in (a, b, a + b)):
                return gamma(a) * gamma(b) / gamma(a + b)
            if 0 < b <= -a < inf and a == context.floor(a) and b == context.floor(b):
                return (-1 if b % 2 else 1) * beta(b, 1 - (a + b))
            return context.beta(a, b)

    def error_function(a: Real) -> Real:
        if a * a > (context.dps + 5) * context.ln10:
            return copysign(context.one, a)  # to all digits
        count_cancelling(a)
        return context.erf(a)

    def complement(a: Real) -> Real:
        if a < 0:
            return 1 + error_function(-a)
        count_cancelling(a)
        return context.erfc(a)

    def count_cancelling(a: Real) -> None:
        """Count the work of the further digits that the terms of a series for erf(a) lose."""
        spend(30 * min(1.0, float(a * a / context.ln10) / context.dps) * price(ERFC, context.dps))

    return {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg, "div": divide,
        "mod": modulo, "pow": power, "abs": abs, "copysign": copysign, "where": where, "hypot": hypotenuse,
        "max": extreme(max), "min": extreme(min), "round": context.nint, "cbrt": cube_root,
        "trunc": lambda a: copysign(context.floor(abs(a)), a),
        "exp": exponential, "gamma": gamma, "lgamma": log_gamma, "polygamma": polygamma, "beta": beta,
        "erf": error_function, "erfc": complement,
        "softplus": lambda a: log_of_sum(a, context.zero), "logaddexp": log_of_sum, "logsumexp": log_of_sum,
        "elu": lambda a, b: nan if context.isnan(a) else a if a > 0 else b * context.expm1(max(a, -context.prec)),
        "sinc": lambda a: context.sincpi(a) if context.isfinite(a) else nan,
        "not": truth(operator.not_), "and": truth(lambda a, b: a and b), "or": truth(lambda a, b: a or b),
        **{name: truth(getattr(operator, name)) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    }  # fmt: skip
