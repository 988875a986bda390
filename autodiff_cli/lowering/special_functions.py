"""Functions that some languages lack, each as one formula in the language of this program.

They are straight-line code, without loops, so that every target writes them in its own syntax; what a language
has itself is used instead. Formulas with a number such as 5.11.3 are those of the NIST Digital Library of Mathematical
Functions, https://dlmf.nist.gov.
"""

from collections.abc import Callable
from math import e, factorial, lgamma, prod

from ..arithmetic.special_function_coefficients import (
    BERNOULLI,
    DIGAMMA,
    ERF,
    ERFC,
    GAMMA,
    LGAMMA,
    LGAMMA_TAIL,
    MILLS,
    STIRLING,
    horner,
    ratio,
)
from ..operations import BELL, DIGAMMA_TAIL

_USUAL_ORDERS, _HIGH_STEPS = 23, 50
_MOST_LOGARITHM, _FACTORIAL_DIGITS = 250.0, 40
_ORDERS = 10
"""orders of the polygamma function, where the order is not a number that is written out"""


# ---- The error function ----------------------------------------------------------------------------------------------

# erfc(q) is exp(-q*q)/(1 + q*u), and normcdf(-q) is 0.5*exp(-q*q/2)/(1 + q*u), where u changes so little that it is a
# polynomial. The exponentials are without the rounding error of q*q, as in the table. erfc(28) and normcdf(-40) are 0.
_ERFC_OF_SIZE = (
    "q = min(abs(a), 28); h = round(q*1048576)/1048576; t = (q - 2.5)/(q + 2.5);"
    f"z = exp(-(h*h))*exp((h - q)*(q + h))/(1 + q*{horner('t', ERFC)});"
)
_NORMCDF = BELL + (
    "q = min(abs(a), 40); t = (q - 3.5)/(q + 3.5);"
    f"z = 0.5*exp(-0.5*h*h)*exp(-0.5*d*(a + h))/(1 + q*{horner('t', MILLS)}); where(a > 0, 1 - z, z)"
)

# ---- The gamma function and its relatives ----------------------------------------------------------------------------

# s*sin(pi*r) is sin(pi*a); c is the cotangent of pi*a.
_TURNS = "k = round(a); r = a - k; s = 1 - 2*(k % 2);"
_COTANGENT = "r = a - round(a); c = where(abs(r) < 0.25, 1/tan(pi*r), copysign(tan(pi*(0.5 - abs(r))), r));"


def _gamma() -> str:
    """Near 2 a rational function, reached by the recurrence 5.5.1; from 8 up Stirling's formula 5.11.3.

    Left of 0 the reflection 5.5.3. The power is taken in two halves, so that it overflows no earlier than the result.
    """
    steps = "*".join(f"where(q >= {2 + k}, q - {k}, 1)" for k in range(1, 6))
    return (
        "q = min(abs(a), 200);" + _TURNS + f"u = q - floor(q); small = {ratio('u', GAMMA)}*{steps};"
        "small = where(q < 1, small/(1 + q), where(q < 2, small/q, small));"  # q*gamma(q), then gamma(q)
        f"w = q^(q/2 - 0.25); v = exp(-q)*{horner('(1/q)', STIRLING)};"
        "right = where(q < 8, where(q < 1, small/q, small), v*w*w);"
        "left = pi/(s*sin(pi*r))/where(q < 8, where(q < 1, small, q*small), v*w*q)/where(q < 8, 1, w);"
        "where(abs(a) < 1e-20, 1/a, where(a > 0, right, where(r == 0, nan, left)))"
    )


def _lgamma() -> str:
    """Around 1 and 2, its zeros, a rational function; up to 8 by the recurrence, above that 5.11.1."""
    steps = "*".join(f"where(n >= {k}, q - {k}, 1)" for k in range(1, 7))
    return (
        _TURNS + "q = where(a <= 0, 1 - a, a); n = where(q < 0.75, -1, where(q < 2.25, 0, floor(q - 1.25)));"
        f"z = q - n; u = z - 1; p = where(n < 0, 1/q, {steps});"
        f"small = u*(z - 2)*{ratio('u', LGAMMA)} + log(p); w = 1/q;"
        f"big = (q - 0.5)*(log(q) - 1) + (0.4189385332046727 + w*{horner('(w*w)', LGAMMA_TAIL)});"
        "right = where(q < 1e-20, -log(q), where(q < 8, small, big));"
        "left = where(abs(a) < 1e-20, -log(abs(a)), log(pi/abs(sin(pi*r))) - right);"
        "where(abs(a) == inf or a < 0 and r == 0, inf, where(a > 0, right, left))"
    )


def _digamma() -> str:
    """Between 1 and 2, around its zero, a rational function; up to 10 by 5.5.2, above that 5.11.2; left of 0 5.5.4."""
    steps = " + ".join(f"where(n >= {k}, 1/(q - {k}), 0)" for k in range(1, 9))
    return (
        "q = where(a <= 0, 1 - a, a); n = floor(q) - 1; z = q - n;"
        f"small = (z - 1.4616321449683622 - 9.549995429965697e-17)*{ratio('(z - 1)', DIGAMMA)}"
        f" + where(n < 0, -1/q, {steps}); w = 1/q;"
        f"right = where(q < 10, small, log(q) - (0.5*w + w*w*{horner('(w*w)', DIGAMMA_TAIL)}));"
        + _COTANGENT
        + "where(a > 0, right, where(r == 0, nan, right - pi*c))"
    )


def _polygamma(n: int) -> str:
    """Moved right by the recurrence 5.15.5, where 5.15.8 and its derivatives hold; left of 0 by 5.15.6."""
    if n == 0:
        return "digamma(a)"
    if n < 0:
        return "0*a + nan"
    if n > _USUAL_ORDERS:
        return _high_polygamma(n)
    steps = 10 + n
    moved = " + ".join(f"(q + {k})^-{n + 1}" for k in range(steps - 1, 0, -1)) + f" + q^-{n + 1}"
    tail = [b * factorial(2 * k + n + 1) / factorial(2 * k + 2) / factorial(n) for k, b in enumerate(BERNOULLI)]
    tail_text = f"w^{n}*({1 / n!r} + w*(0.5 + w*{horner('(w*w)', tail)}))"
    sign = "" if n % 2 else "-"
    return (
        f"q = where(a <= 0, 1 - a, a); w = 1/(q + {steps});"
        f"right = {float(factorial(n))!r}*(({moved}) + {tail_text});"
        + _COTANGENT
        + f"left = {sign}{_cotangent(n)} - right;"
        f"where(a > 0, {sign}right, where(r == 0, nan, left))"
    )


def _high_polygamma(n: int) -> str:
    """The same for high orders, of which few terms matter and whose factorials may be out of range.

    Each term is a power of a number of ordinary size, with exact exponents. Left of 0 it is the sum over both sides of
    the next pole, without the poles right of 0. An order that doubles no longer count gives 0 or infinity.
    """
    sign = "" if n % 2 else "-"
    if n >= 2**53:
        return (
            f"q = where(a <= 0, 1 - a, a); right = where(q < {n / e!r}, inf, 0); r = a - round(a);"
            f"where(a > 0, {sign}right, where(abs(r) > 0, {sign}copysign(inf, r), nan))"
        )
    from ..arithmetic.multiprecision import with_digits  # only here: mpmath takes long to start

    power = 2
    while lgamma(n + 1) > _MOST_LOGARITHM * power:
        power *= 2
    context = with_digits(_FACTORIAL_DIGITS).context
    root = float(context.exp(context.loggamma(n + 1) / power))

    def term(number: str, exponent: int = n + 1) -> str:
        return f"({root!r}*{number}^-{exponent / power!r})^{power}"

    moved = " + ".join(term(f"(q + {k})") for k in range(_HIGH_STEPS - 1, 0, -1))
    tail = [b * prod(range(n + 1, n + 2 * k + 2)) / factorial(2 * k + 2) for k, b in enumerate(BERNOULLI)]
    tail_text = f"{term('t', n)}*({1 / n!r} + w*(0.5 + w*{horner('(w*w)', tail)}))"
    other = "+" if n % 2 else "-"
    around = f"u {other} {term('(1 - p)')} + {term('(1 + p)')} {other} {term('(2 - p)')}"
    between = "s" if n % 2 else "where(p == 0.5, 0, -copysign(s, r))"
    return (
        f"q = where(a <= 0, 1 - a, a); t = q + {_HIGH_STEPS}; w = 1/t; v = {term('q')};"
        f"right = where(v == inf, v, {moved} + v + {tail_text});"
        f"r = a - round(a); p = abs(r); u = {term('p')}; s = where(u == inf, u, {around}); c = {between};"
        f"where(a > 0, {sign}right, where(r == 0, nan, where(abs(c) == inf, c, c - right)))"
    )


def _cotangent(n: int) -> str:
    """pi^(n + 1) times the n-th derivative of the cotangent, up to its sign, as a polynomial of c, the cotangent."""
    slope = [0, 1]
    for _ in range(n):
        derived = [power * slope[power] for power in range(1, len(slope))]
        slope = [p + q for p, q in zip([*derived, 0, 0], [0, 0, *derived], strict=True)]
    even = horner("(c*c)", [float(c) for c in slope[n % 2 == 0 :: 2]])
    return f"pi^{n + 1}*{'c*' if n % 2 == 0 else ''}{even}"


def _any_polygamma() -> str:
    """For an order that is known only when the formula is computed, as in a rule; nan above the highest."""
    text = "nan"
    for n in reversed(range(_ORDERS)):
        text = f"where(a == {n}, {f'polygamma({n}, b)' if n else 'digamma(b)'}, {text})"
    return text


def _beta() -> str:
    """Gamma functions of small numbers, Stirling's formula 5.11.3 for what is 8 or more; p is the smaller one.

    What is right of 0 is c*r*r, as r*r alone may be out of range. The rounding error d of the sum w enters by the
    digamma function there, for which its first terms suffice. Left of 0 the reflection 5.5.3
    leaves the beta function of l and h, right of 0, and sines, f of the exact sum s. Where one argument and the sum are
    poles the result is the limit, at the other poles it is inf.
    """
    stirling = {name: horner(f"(1/{name})", STIRLING) for name in "lhw"}
    return (
        "p = min(a, b); q = max(a, b); s = q + p; t = s - q; e = (q - (s - t)) + (p - t);"
        "x = where(p > 0, p, where(q > 0 and s <= 0, q, -p));"
        "z = where(p > 0, q, where(q > 0 and s > 0, s, where(q > 0, -s, -q)));"
        "l = min(x, z); h = max(x, z); w = h + l; t = w - h; d = (h - (w - t)) + (l - t);"
        "near = gamma(h)/gamma(w)*(1 - d*(log(w) - 0.5/w));"
        f"v = {stirling['h']}/{stirling['w']};"
        f"large = {stirling['l']}*v*sqrt(w/h)/sqrt(l);"
        "steep = gamma(l)*where(h < 8, near, v*exp(l - (h - 0.5)*log1p(l/h)));"
        "c = where(w == inf, 1, where(l >= 8, large, steep));"
        "r = where(l >= 8, (l/w)^(l/2)*exp(-0.5*(h*log1p(l/h) + l*(d/w))), where(h < 8, 1, w^(-l/2)));"
        "r = where(w == inf, 0, r); right = r*c*r;"
        "k = round(s); m = round(p); n = round(q); f = sin(pi*((s - k) + e)); g = sin(pi*(p - m));"
        "odd = where(s == 0, 1/q, c*(s/p)); r = where(s == 0, 1, r);"
        "below = where(s > 0, pi/g/r/(c*-p)/r*where(m % 2 == 0, 1, -1), f/g*r*odd*r*where((k - m) % 2 == 0, 1, -1));"
        "both = where(f == 0, 0, pi*f/g/sin(pi*(q - n))/r/(c*-q)*(s/p)/r*where((k - m - n) % 2 == 0, 1, -1));"
        "pole = p <= 0 and p == m or q <= 0 and q == n;"
        "whole = s == k and (q > 1e300 or e == round(e));"
        "limit = where(q > 0 and s <= 0 and whole, r*odd*r*where(q % 2 == 0, 1, -1), inf);"
        "u = where(abs(p) < abs(q), p, q); v = where(abs(p) < abs(q), q, p);"  # near the pole at 0 it is 1/p + 1/q
        "beside = where(abs(u) < 1e-300 or abs(v) < 1e-9, s/v/u, where(p > 0, right, where(q > 0, below, both)));"
        "ends = where(p > 0, 0, where(p == m, nan, where(floor(p) % 2 == 0, inf, -inf)));"
        "where(p == -inf, nan, where(q == inf, ends, where(pole, limit, beside)))"
    )


FORMULAS: dict[str, str] = {
    "sign": "where(a > 0, 1, where(a < 0, -1, where(a == 0, 0, nan)))",
    "exp2": "2^a",
    "expm1": "u = exp(a); where(abs(a) > 1, u - 1, where(u == 1, a, (u - 1)*(a/log(u))))",
    "log1p": "u = 1 + a; where(u == 1, a, where(u < inf, log(u)*(a/(u - 1)), u))",
    "cbrt": "q = abs(a); t = q^(1/3); where(q > 0 and q < inf, copysign(t - (t - q/(t*t))/3, a), a)",
    "hypot": "m = max(abs(all)); n = min(abs(all)); t = n/m;"
             "where(max(where(abs(all) == inf, 1, 0)) == 1, inf, where(m == 0, m, m*sqrt(1 + t*t)))",
    "sinh": "q = abs(a); u = expm1(q); v = exp(q/2);"
            "copysign(where(q < 709, (u + u/(u + 1))/2, 0.5*v*v), a)",
    "cosh": "q = abs(a); u = exp(q); v = exp(q/2); where(q < 709, 0.5*u + 0.5/u, 0.5*v*v)",
    "tanh": "u = expm1(-2*abs(a)); copysign(-u/(u + 2), a)",
    "asinh": "q = abs(a);"
             "copysign(where(q < 1e9, log1p(q + q*(q/(1 + sqrt(1 + q*q)))), log(q) + log(2)), a)",
    "acosh": "t = a - 1; where(a < 1e9, log1p(t + sqrt(t)*sqrt(a + 1)), log(a) + log(2))",
    "atanh": "q = abs(a); copysign(where(q < 0.5, 0.5*log1p(2*q + 2*q*(q/(1 - q))), 0.5*log1p(2*q/(1 - q))), a)",
    "erf": _ERFC_OF_SIZE + f"where(q < 1, a*{ratio('(a*a)', ERF)}, copysign(1 - z, a))",
    "erfc": _ERFC_OF_SIZE + "where(a < 0, 2 - z, z)",
    "normcdf": _NORMCDF,
    "gamma": _gamma(),
    "lgamma": _lgamma(),
    "digamma": _digamma(),
    "polygamma": _any_polygamma(),
    "beta": _beta(),
}  # fmt: skip
"""operation → the formula of it"""

LITERALS: dict[str, Callable[[int], str]] = {"polygamma": _polygamma}
"""operation of a whole number that is written out → the formula for that number"""
