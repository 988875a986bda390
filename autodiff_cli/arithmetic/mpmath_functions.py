"""The operations that mpmath lacks, defines differently or computes too slowly, with any number of digits."""

import operator
from collections.abc import Callable
from math import log10
from typing import Any

from ..operations import ERFC, OPERATIONS
from ..work_budget import charger_for, price
from . import Real, RealFunction

RANGE = 1100
"""2 to this power is past the range of doubles, with some room for steps"""

_LARGE = 16  # bits of a number whose exponential takes mpmath long, and to which its reciprocal adds no digit
_OF_LARGE = 2e-4  # the work of a power with a large exponent, in seconds
_OF_SUM = 2e-5  # the work of the logarithm of a sum of exponentials, in seconds


def elementary(context: Any) -> dict[str, RealFunction]:
    """Functions by name: arithmetic, choices, powers, exponentials."""
    inf, nan, pay = context.inf, context.nan, charger_for(context.dps)

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
        if abs(a) < abs(b):  # mpmath would write both with the exponent of the smaller one
            return a + b if a * b < 0 else a
        return a % b if context.mag(a) - context.mag(b) <= 2 * RANGE else nan

    def exponential(a: Real) -> Real:
        """Of a large number by the power of 2 in it: mpmath would multiply as often as a whole number has bits."""
        size = context.mag(a)
        if not _LARGE < size <= RANGE:
            return context.exp(inf * a if size > RANGE else a)
        with context.extraprec(int(size) + 10):
            doublings = context.floor(a / context.ln2)
            result = context.ldexp(context.exp(a - doublings * context.ln2), int(doublings))
        return +result

    def large(native: RealFunction, otherwise: RealFunction) -> RealFunction:
        """A function, or another one where a number is so large that its reciprocal exponential adds no digit."""
        return lambda a: otherwise(a) if context.mag(a) > _LARGE else native(a)

    def power(a: Real, b: Real) -> Real:
        if b == 0 or a == 1 or (a == -1 and context.isinf(b)):
            return context.one
        if context.mag(b) > RANGE:
            return context.power(abs(a), inf * b)
        if a == 0 or context.isinf(a):
            odd = a < 0 and b % 2 == 1
            return (-1 if odd else 1) * (inf if a == 0 and b < 0 else context.power(abs(a), b))
        if context.mag(b) < 64:
            return context.power(a, b)
        if a < 0 and b != context.floor(b):
            return nan
        pay(_OF_LARGE)
        with context.extraprec(int(context.mag(b))):  # mpmath would multiply as often as the exponent has bits
            size = exponential(b * context.log(abs(a)))
        return -size if a < 0 and b % 2 == 1 else +size

    def log_of_sum(*numbers: Real) -> Real:
        """log(exp(a) + exp(b) + …): terms much smaller than 1 count, where the largest number is next to 0."""
        if any(map(context.isnan, numbers)):
            return nan
        largest, *others = sorted(numbers, reverse=True)
        if context.isinf(largest):
            return largest
        pay(_OF_SUM)
        return largest + context.log1p(sum([exponential(other - largest) for other in others], context.zero))

    def cube_root(a: Real) -> Real:
        return copysign(context.cbrt(abs(a)), a)

    def hypotenuse(*numbers: Real) -> Real:
        return inf if any(map(context.isinf, numbers)) else context.sqrt(context.fsum(numbers, squared=True))

    return {
        "add": operator.add, "sub": operator.sub, "mul": operator.mul, "neg": operator.neg, "div": divide,
        "mod": modulo, "pow": power, "abs": abs, "copysign": copysign, "where": where, "hypot": hypotenuse,
        "max": extreme(max), "min": extreme(min), "round": context.nint, "cbrt": cube_root,
        "trunc": lambda a: copysign(context.floor(abs(a)), a),
        "exp": exponential,
        "expm1": large(context.expm1, lambda a: exponential(a) - 1),
        "sinh": large(context.sinh, lambda a: copysign(exponential(abs(a)) / 2, a)),
        "cosh": large(context.cosh, lambda a: exponential(abs(a)) / 2),
        "softplus": lambda a: log_of_sum(a, context.zero), "logaddexp": log_of_sum, "logsumexp": log_of_sum,
        "elu": lambda a, b: nan if context.isnan(a) else a if a > 0 else b * context.expm1(max(a, -context.prec)),
        "sinc": lambda a: context.sincpi(a) if context.isfinite(a) else nan,
        "not": truth(operator.not_), "and": truth(lambda a, b: a and b), "or": truth(lambda a, b: a or b),
        **{name: truth(getattr(operator, name)) for name in ("lt", "le", "gt", "ge", "eq", "ne")},
    }  # fmt: skip


def _hurwitz(context: Any, n: int, a: Real) -> Real:
    """The sum of (a + k)^-(n + 1) for all k from 0 up, as DLMF 5.15.5 and 5.15.9 give it: mpmath's loses digits."""
    with context.extraprec(int(context.mag(n)) + 15):
        total, z = context.zero, +a
        while z < (n + context.prec) / 4:
            term = z ** -(n + 1)
            total += term
            if context.mag(term) < context.mag(total) - context.prec:
                break
            z += 1
        else:
            total += (1 / context.mpf(n) + 1 / (2 * z)) / z**n
            factor, k = (n + 1) / (2 * z ** (n + 2)), 2
            while context.mag(term := context.bernoulli(k) * factor) >= context.mag(total) - context.prec:
                total += term
                factor *= (n + k) * (n + k + 1) / ((k + 1) * (k + 2) * z * z)
                k += 2
    return +total


def special(context: Any, exponential: RealFunction) -> dict[str, RealFunction]:
    """Functions by name: gamma and its relatives, the error function."""
    inf, nan, pay = context.inf, context.nan, charger_for(context.dps)

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
        """By the Hurwitz zeta function; left of 0 by the sum over both sides, without what is right of 0."""
        if n == 0:
            return context.digamma(a)
        if not 0 <= n < inf or n != context.floor(n):
            return nan
        if a == inf:
            return context.zero
        order, sign = int(n), (-1) ** (int(n) + 1)
        if a > 0 and (n + 1 > context.prec * (a + 1) or context.mag(n) > 64):
            # the first term of its series is the function, or a geometric series is
            with context.extraprec(int(context.mag(n)) + 10):
                size = exponential(context.loggamma(n + 1) - (n + 1) * context.log(a))
                falling = min((n + 1) / a, 2 * context.prec)  # beyond that the first term is all there is
                size /= -context.expm1(-falling)  # each of the others is smaller than the one before by this factor
            return sign * +size
        if a > 0:
            return sign * context.gamma(n + 1) * _hurwitz(context, order, a)
        if not context.isfinite(a) or a == context.floor(a):
            return nan
        pay(2 * price(OPERATIONS["polygamma"], context.dps))  # three sums, of which the caller counts only one
        left = context.floor(a)
        with context.extraprec(max(0, -context.mag(a - left - 0.5 or 1)) + 10):
            both_sides = _hurwitz(context, order, a - left) + sign * _hurwitz(context, order, left + 1 - a)
            return sign * context.gamma(n + 1) * (both_sides - sign * _hurwitz(context, order, 1 - a))

    def beta(a: Real, b: Real) -> Real:
        """With enough further digits that the smaller argument is not lost in the sum; at a pole of it the limit."""
        if a != a or b != b:
            return nan
        if a > b:
            a, b = b, a
        if 0 < abs(a) < b < inf and context.mag(a) < -context.prec - 20:  # the next term is a*(digamma(1 + b) + euler)
            return (a + b) / (a * b)
        spread = abs(context.mag(a) - context.mag(b)) if a and b and context.isfinite(a + b) else 0
        more = int(min(spread, 2 * RANGE))
        pay(price(OPERATIONS["beta"], int(context.dps + more * log10(2))) - price(OPERATIONS["beta"], context.dps))
        with context.extraprec(more):
            if all(context.isfinite(x) and (x > 0 or x != context.floor(x)) for x in (a, b, a + b)):
                return gamma(a) * gamma(b) / gamma(a + b)
            if 0 < b <= -a < inf and a == context.floor(a) and b == context.floor(b):
                return (-1 if b % 2 else 1) * beta(b, 1 - (a + b))
            return context.beta(a, b)

    def error_function(a: Real) -> Real:
        if a * a > (context.dps + 5) * context.ln10:
            return context.sign(a)  # to all digits
        count_cancelling(a)
        return context.erf(a)

    def complement(a: Real) -> Real:
        if a < 0:
            return 1 + error_function(-a)
        if 2 * context.mag(a) > context.prec + 10:  # the first term of its series is the function
            with context.extraprec(int(min(2 * context.mag(a), 2 * RANGE))):
                size = exponential(-a * a)
            return +size / (a * context.sqrt(context.pi))
        if 1.44 * (a - 1) ** 2 <= context.prec + 20 + 2 * context.mag(a):  # beyond, mpmath's series does not cancel
            count_cancelling(a)
        return context.erfc(a)

    def count_cancelling(a: Real) -> None:
        """Count the work of the further digits that the terms of a series for erf(a) lose."""
        pay(30 * min(1.0, float(a * a / context.ln10) / context.dps) * price(ERFC, context.dps))

    return {
        "gamma": gamma, "lgamma": log_gamma, "polygamma": polygamma, "beta": beta, "erf": error_function,
        "erfc": complement,
    }  # fmt: skip
