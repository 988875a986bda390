"""The table of operations: one entry for each, with all that the program knows about it.

An entry's formulas are texts in the program's own language, in the operation's parameters `a, b, c` and its result `y`:
`partials` (one for each parameter), `value` (the form to compute by), `meaning` (the definition in simpler operations)
and `singular` (true where no derivative exists). An operation without `value` and `meaning` is a primitive: each
arithmetic finds it by its name. An operation with any number of arguments has the parameter `*a`; its partial is for
the argument `a` among them, and the name `all` stands for them all: an operation of `all` is applied to each of them,
and `sum`, `max` and their like take them together. A formula may need statements before its expression. Numbers such as
5.5.3 refer to the NIST Digital Library of Mathematical Functions, https://dlmf.nist.gov.
"""

from copyreg import __newobj__  # type: ignore[attr-defined]  # as pickle itself does it
from dataclasses import dataclass
from functools import cached_property

INFINITY = float("inf")
REAL = (-INFINITY, INFINITY)
POSITIVE = (0.0, INFINITY)

DIGAMMA_TAIL = (
    0.08333333333333333, -0.008333333333329107, 0.003968253961468143, -0.004166662567441038, 0.00757457223308907,
    -0.02091510642900945, 0.06980456098729218,
)  # fmt: skip
"""(log(x) - 0.5/x - digamma(x))*x^2 in 1/x^2, from 10 up"""


@dataclass(frozen=True, eq=False)
class Operation:
    """An operation on numbers, its derivative, and how it is written and explained."""

    name: str
    parameters: str
    """`a`, `a, b`, `a, b=2` with a default, or `*a` for any number of arguments"""
    partials: tuple[str, ...]
    doc: str
    aliases: tuple[str, ...] = ()
    symbol: str = ""
    """written between its operands or before its operand; "" for a call"""
    precedence: int = 0
    """of the symbol; a larger number binds tighter"""
    textbook: tuple[str, ...] = ()
    """the partials as a textbook writes them, where `partials` has other forms for accuracy"""
    value: str = ""
    meaning: str = ""
    singular: str = ""
    bent: str = ""
    """true where the first derivative exists and is not smooth, which matters for higher ones"""
    call_name: str = ""
    """the name that a call is written with, where that is not the operation's"""
    domain: tuple[tuple[float, float], ...] = ()
    """an interval for each parameter, in which tests evaluate it"""
    example: str = ""
    chooses: bool = False
    """the result is one of several pieces; a comparison of the arguments decides which"""
    literal: bool = False
    """the first argument must be a whole number written in the formula"""

    def __repr__(self) -> str:
        return self.name

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle an operation of the table by its name, so that the receiving process uses its own."""
        if by_name(self.name) is self:
            return by_name, (self.name,)
        return __newobj__, (Operation,), self.__dict__

    @property
    def textbook_partials(self) -> tuple[str, ...]:
        """The partials as a person would write them."""
        return self.textbook or self.partials

    @cached_property
    def names(self) -> tuple[str, ...]:
        """The parameters' names: `("a", "b")`."""
        return tuple(part.split("=")[0].strip(" *") for part in self.parameters.split(","))

    @cached_property
    def defaults(self) -> tuple[float, ...]:
        """The values of the last parameters, where they may be left out."""
        return tuple(float(part.split("=")[1]) for part in self.parameters.split(",") if "=" in part)

    @cached_property
    def variadic(self) -> bool:
        """Whether it takes any number of arguments."""
        return self.parameters.startswith("*")

    @property
    def called(self) -> str:
        """The name that a formula calls it by: `log` for `log_base` too."""
        return self.call_name or self.name

    @cached_property
    def counts(self) -> tuple[int, float]:
        """The smallest and the largest number of arguments that it can be called with."""
        most = INFINITY if self.variadic else len(self.names)
        return len(self.names) - len(self.defaults), most

    def takes(self, count: int) -> bool:
        """Whether it can be called with `count` arguments."""
        least, most = self.counts
        return least <= count <= most


def _entry(name: str, parameters: str, partials: str, doc: str, *, textbook: str = "", **rest: object) -> Operation:
    return Operation(name, parameters, _split(partials), doc, textbook=_split(textbook), **rest)  # type: ignore[arg-type]  # checked by the tests of the table


def _split(partials: str) -> tuple[str, ...]:
    return tuple(part.strip() for part in partials.split("|") if part)


# Leaves of the graph, and calls of a program's own functions: no formula calls these by a name.
INPUT = Operation("input", "", (), "an input")
CONSTANT = Operation("constant", "", (), "a number")
PARAMETER = Operation("parameter", "", (), "a parameter of a function")
OWN_CALL = Operation("own call", "", (), "a call within the definition of a function, unfolded where that is called")
CONSTANTS = {"pi": 3.141592653589793, "e": 2.718281828459045, "inf": INFINITY, "nan": float("nan")}
"""name → number, for the constants that have a name"""

_UNLISTED = {unlisted.name: unlisted for unlisted in (INPUT, CONSTANT, PARAMETER, OWN_CALL)}

# s = abs(a)^(1/b) without the rounding error of 1/b: by a step of Newton's method, which finds every whole root, or,
# where a power of s could lose digits, in two factors. The exponent of the first is exact, that of the second is tiny.
_ROOT = (
    "q = abs(a); p = abs(b); r = q^(1/b); v = r^b; c = where(p < 2^-26, 2^(floor(log2(p)) + 40), 2^26); m = c % p; d = copysign(c, b);"
    "s = where(p >= 1 and p < 1e6 and q > 2.3e-308 and v > 2.3e-308 and v < inf, r - r*((v - q)/q)/b,"
    "where(p == 0, r, q^(round((c - m)/p)/d)*q^(m/p/d)));"
)

# s = a - b, and its rounding error e.
_DIFFERENCE = "s = a - b; t = s - a; e = (a - (s - t)) - (b + t); "

# exp(-a*a) without the rounding error of a*a: h has so few digits that h*h is exact.
BELL = "h = copysign(round(min(abs(a), 40)*1048576)/1048576, a); d = a - h; "

# sin(pi*a) = s*sin(pi*r), and cos(pi*a) = s*cos(pi*r), which is s*sin(pi*(0.5 - abs(r))) where that would lose digits:
# not at 0, a kink of abs(r), at which it could be differentiated only once.
_TURNS = "n = round(a); r = a - n; s = 1 - 2*(n % 2); "

# s = a + b, and its rounding error e.
_SUM = "s = a + b; t = s - a; e = (a - (s - t)) + (b - t); "

# g = trigamma(a + b), whose poles are left of 0: next to one the rounding error of the sum matters.
_TRIGAMMA_OF_SUM = _SUM + "g = trigamma(s) + where(s < 0 and e != 0, e*polygamma(2, s), 0); "


def _beta_slope(a: str, b: str) -> str:
    """The slope of beta, also where s is a pole of gamma and beta is zero: (1/gamma)'(-m) is (-1)^m*m!, by 5.5.3.

    Where both are whole numbers, b right of 0, it is the slope of (-1)^b*beta(1 - s, b), by the reflection 5.5.4.
    Near 0, where the slope of digamma may be too large for a double, a step of the recurrence 5.5.2 is separate.
    """
    return _SUM + (
        f"n = round({b}); where(s <= 0 and s == round(s) and e == round(e),"
        f"where({b} > 0 and {b} == n, y*({b}*digamma_slope(1 - s, {b})),"
        f"where((s - n) % 2 == 0, 1, -1)*beta({a}, 1 - s)*(pi/sin(pi*({b} - n)))),"
        f"where(abs(a) < 1e-9 and abs(b) < 1e-9, -(y*{b}/s/{a} + y*{b}*digamma_slope(1 + {a}, {b})),"
        f"where(abs({b}) < 1, -(y*{b})*digamma_slope({a}, {b}), -y*({b}*digamma_slope({a}, {b})))))"
    )


def _digamma_slope() -> str:
    """The slope of digamma between p and q, where each step by the recurrence 5.5.2 adds 1/p/q, up to that of 5.11.2.

    Left of 0 by the reflection 5.5.4. The tail of 5.11.2 is a polynomial f of w = 1/x^2, and f(w) - f(v) is w - v
    times another one, whose coefficients are those that Horner's rule meets on its way to f(v).
    """
    steps = " + ".join(f"1/(q + {k})/(p + {k})" for k in range(1, 10))
    *names, last = [f"c{k}" for k in range(len(DIGAMMA_TAIL))]
    tail, quotient = f"{last} = {DIGAMMA_TAIL[-1]!r};", last
    for k, name in reversed(list(enumerate(names))):
        tail += f"{name} = {DIGAMMA_TAIL[k]!r} + v*c{k + 1};"
        quotient = f"({name} + w*{quotient})"
    return _SUM + (
        "p = where(a > 0, a, 1 - a); q = where(s > 0, s, 1 - s); h = where(a > 0, where(s > 0, b, q - p),"
        "where(s > 0, q - p, -b)); u = p + 10; z = q + 10; d = h/u; v = 1/u/u; w = 1/z/z;"
        + tail
        + f"far = where(abs(d) < 1e-17, 1, where(abs(d) < 0.5, log1p(d)/d, log(z/u)/d))/u + (0.5 + (1/u + 1/z)*{quotient})/u/z;"
        f"right = 1/max(p, q)/min(p, q) + ({steps} + far);"
        "n = round(a); k = round(s); m = round(b); x = sin(pi*(a - n)); r = sin(pi*((s - k) + e));"
        "turn = pi*where(a > 0, cos(pi*((s - k) + e))/-r, where(s > 0, cos(pi*(a - n))/x,"
        "sin(pi*(b - m))/x/r*where((n + k + m) % 2 == 0, 1, -1)))/b;"
        "where(a > 0 and s > 0, right, turn + where(a <= 0 and s <= 0, -right, right*(h/b)))"
    )


# fmt: off
TABLE: tuple[Operation, ...] = (
    # ---- Operators --------------------------------------------------------------------------------------------------
    _entry("add", "a, b", "1 | 1", "sum", symbol="+", precedence=5, example="a + b"),
    _entry("sub", "a, b", "1 | -1", "difference", symbol="-", precedence=5, example="a - b"),
    _entry("mul", "a, b", "b | a", "product", symbol="*", precedence=6, example="a * b"),
    _entry("div", "a, b", "1/b | -(y/b)", "quotient", symbol="/", precedence=6, singular="b == 0", example="a / b",
         textbook="1/b | -a/b^2"),
    _entry("mod", "a, b", "1 | -round(a/b - y/b)", "remainder of floored division, with the sign of b",
         symbol="%", precedence=6, singular="y == 0 or b == 0", example="7.5 % 2", chooses=True),
    _entry("neg", "a", "-1", "negation", symbol="-", precedence=7, example="-x"),
    _entry("pow", "a, b",
         "where(b == 0, where(a == 0, 0, y*(b/a)), where(abs(y) > 2.3e-308 and abs(y) < inf, where(abs(y/a) < inf, b*(y/a), b*y/a),"
         "b*a^(b - 1)))"
         "| where(a == 0 and b > 0, 0, where(a == 0, -inf, y*log(a)))",
         "power; real, so nan for a negative base with a fractional exponent",
         symbol="^", precedence=8, singular="a == 0 and b < 1", domain=(POSITIVE, REAL), example="x^3",
         textbook="b*a^(b - 1) | y*log(a)"),
    _entry("lt", "a, b", "0 | 0", "1 if less, else 0", symbol="<", precedence=4, singular="a == b", example="x < 1", chooses=True),
    _entry("le", "a, b", "0 | 0", "1 if less or equal, else 0", symbol="<=", precedence=4, singular="a == b",
         example="x <= 1", chooses=True),
    _entry("gt", "a, b", "0 | 0", "1 if greater, else 0", symbol=">", precedence=4, singular="a == b", example="x > 1", chooses=True),
    _entry("ge", "a, b", "0 | 0", "1 if greater or equal, else 0", symbol=">=", precedence=4, singular="a == b",
         example="x >= 1", chooses=True),
    _entry("eq", "a, b", "0 | 0", "1 if equal, else 0", symbol="==", precedence=4, singular="a == b", example="x == 1", chooses=True),
    _entry("ne", "a, b", "0 | 0", "1 if not equal, else 0", symbol="!=", precedence=4, singular="a == b",
         example="x != 1", chooses=True),
    _entry("not", "a", "0", "1 if zero, else 0", symbol="not", precedence=3, singular="a == 0", example="not x > 1", chooses=True),
    _entry("and", "a, b", "0 | 0", "1 if neither is zero, else 0", symbol="and", precedence=2,
         singular="a == 0 or b == 0", example="0 < x and x < 1", chooses=True),
    _entry("or", "a, b", "0 | 0", "0 if both are zero, else 1", symbol="or", precedence=1,
         singular="a == 0 and b == 0", example="x < 0 or x > 1", chooses=True),
    # ---- Exponentials and logarithms --------------------------------------------------------------------------------
    _entry("exp", "a", "y", "exponential", example="exp(x)"),
    _entry("expm1", "a", "exp(a)", "exp(x) - 1, accurate near 0", meaning="exp(a) - 1", example="expm1(x)"),
    _entry("exp2", "a", "y*log(2)", "2 to the power x", meaning="2^a", example="exp2(x)"),
    _entry("log", "a", "1/a", "natural logarithm", aliases=("ln",), domain=(POSITIVE,), singular="a == 0",
         example="ln(x)"),
    _entry("log1p", "a", "1/(1 + a)", "log(1 + x), accurate near 0", meaning="log(1 + a)", domain=((-1, INFINITY),),
         singular="a == -1", example="log1p(x)"),
    _entry("log2", "a", "1/log(2)/a", "logarithm to base 2", meaning="log(a)/log(2)", domain=(POSITIVE,),
         singular="a == 0", example="log2(x)", textbook="1/(a*log(2))"),
    _entry("log10", "a", "1/log(10)/a", "logarithm to base 10", meaning="log(a)/log(10)", domain=(POSITIVE,),
         singular="a == 0", example="log10(x)", textbook="1/(a*log(10))"),
    _entry("log_base", "a, b", "1/log(b)/a | -(y/log(b)/b)", "logarithm to any base: log(x, base)", call_name="log",
         value="s = log(b); q = log(a)/s; n = round(q); where(abs(q - n) < 1e-15*abs(n) and abs(s) > 0.25 and b^n == a, n, q)",
         meaning="log(a)/log(b)", domain=(POSITIVE, POSITIVE), singular="a == 0 or b == 0 or b == 1",
         example="log(x, 3)", textbook="1/(a*log(b)) | -y/(b*log(b))"),
    # ---- Powers and roots -------------------------------------------------------------------------------------------
    _entry("sqrt", "a", "0.5/abs(y)", "square root", domain=(POSITIVE,), singular="a == 0", example="sqrt(x)",
         textbook="1/(2*y)"),
    _entry("cbrt", "a", "1/(3*y*y)", "cube root, real for a negative number too", singular="a == 0",
         example="cbrt(x)", textbook="1/(3*y^2)"),
    _entry("nthroot", "a, b=2",
         "where(a == 0 and b > 0, where(b < 1, a/inf, where(b == 1, 1, inf)), "
         "where(abs(y) >= 2.2250738585072014e-308 and abs(y) < inf, where(abs(b) < 1, y/a/b, y/b/a), nthroot(abs(a), b/(1 - b))/b))"
         "| where(a == 0 or y == 0, 0, -(y*(log(abs(a))/b)/b))",
         "n-th root, real for a negative number with an odd n", domain=(POSITIVE, (1, 40)),
         value=_ROOT + "where(a < 0, where(p % 2 == 1, -s, nan), s)",
         meaning="where(a < 0, where(abs(b) % 2 == 1, -((-a)^(1/b)), nan), a^(1/b))",
         singular="a == 0 and b != 1 or b == 0", example="nthroot(x, 5)", textbook="y/(a*b) | -y*log(abs(a))/b^2"),
    _entry("square", "a", "2*a", "square", value="a*a", meaning="a^2", example="square(x)"),
    _entry("cube", "a", "3*(a*a)", "cube", value="a*a*a", meaning="a^3", example="cube(x)", textbook="3*a^2"),
    _entry("recip", "a", "-(y/a)", "reciprocal", value="1/a", meaning="1/a", singular="a == 0", example="recip(x)",
         textbook="-1/a^2"),
    # at the origin the slope is a computed zero, 0/inf, which an infinite adjoint makes nan
    _entry("hypot", "*a", "a/where(y == 0, inf, y)", "square root of the sum of squares, of any number of arguments",
         meaning="sqrt(sum(all^2))", singular="y == 0", example="hypot(x, y, z)", textbook="a/y"),
    # ---- Trigonometry -----------------------------------------------------------------------------------------------
    _entry("sin", "a", "cos(a)", "sine", example="sin(x)"),
    _entry("cos", "a", "-sin(a)", "cosine", example="cos(x)"),
    _entry("tan", "a", "sec(a)^2", "tangent", meaning="sin(a)/cos(a)", example="tan(x)"),
    _entry("cot", "a", "-csc(a)^2", "cotangent", value="1/tan(a)", meaning="cos(a)/sin(a)", singular="a == 0",
         example="cot(x)"),
    _entry("sec", "a", "y*tan(a)", "secant", value="1/cos(a)", meaning="1/cos(a)", example="sec(x)"),
    _entry("csc", "a", "-y*cot(a)", "cosecant", value="1/sin(a)", meaning="1/sin(a)", singular="a == 0",
         example="csc(x)"),
    _entry("asin", "a", "1/sqrt((1 - a)*(1 + a))", "inverse sine", aliases=("arcsin",), domain=((-1, 1),),
         singular="abs(a) == 1", example="asin(x)", textbook="1/sqrt(1 - a^2)"),
    _entry("acos", "a", "-1/sqrt((1 - a)*(1 + a))", "inverse cosine", aliases=("arccos",), domain=((-1, 1),),
         singular="abs(a) == 1", example="acos(x)", textbook="-1/sqrt(1 - a^2)"),
    _entry("atan", "a", "(1/hypot(1, a))^2", "inverse tangent", aliases=("arctan",), example="atan(x)",
         textbook="1/(1 + a^2)"),
    _entry("acot", "a", "-(1/hypot(1, a))^2", "inverse cotangent, atan(1/x)", aliases=("arccot",), value="atan(1/a)",
         meaning="atan(1/a)", singular="a == 0", example="acot(x)", textbook="-1/(1 + a^2)"),
    _entry("asec", "a", "1/abs(a)/(sqrt(abs(a) - 1)*sqrt(abs(a) + 1))", "inverse secant", aliases=("arcsec",),
         value="t = atan(sqrt(abs(a) - 1)*sqrt(abs(a) + 1)); where(a < 0, pi - t, t)", meaning="acos(1/a)",
         domain=((1, INFINITY),), singular="abs(a) == 1", example="asec(x)", textbook="1/(abs(a)*sqrt(a^2 - 1))"),
    _entry("acsc", "a", "-1/abs(a)/(sqrt(abs(a) - 1)*sqrt(abs(a) + 1))", "inverse cosecant", aliases=("arccsc",),
         value="copysign(atan(1/(sqrt(abs(a) - 1)*sqrt(abs(a) + 1))), a)", meaning="asin(1/a)",
         domain=((1, INFINITY),), singular="abs(a) == 1", example="acsc(x)", textbook="-1/(abs(a)*sqrt(a^2 - 1))"),
    _entry("atan2", "a, b", "h = hypot(a/2, b/2); b/h/4/h | h = hypot(a/2, b/2); -(a/h/4/h)",
         "angle of the point (x, y): atan2(y, x)", aliases=("arctan2",), singular="a == 0 and b <= 0", example="atan2(y, x)",
         textbook="b/(a^2 + b^2) | -a/(a^2 + b^2)"),
    # ---- Hyperbolic functions ---------------------------------------------------------------------------------------
    _entry("sinh", "a", "cosh(a)", "hyperbolic sine", meaning="(exp(a) - exp(-a))/2", example="sinh(x)"),
    _entry("cosh", "a", "sinh(a)", "hyperbolic cosine", meaning="(exp(a) + exp(-a))/2", example="cosh(x)"),
    _entry("tanh", "a", "sech(a)^2", "hyperbolic tangent", meaning="(exp(2*a) - 1)/(exp(2*a) + 1)", example="tanh(x)",
         textbook="1 - y^2"),
    _entry("coth", "a", "t = 2*abs(a); -4*exp(-t)/expm1(-t)^2", "hyperbolic cotangent", value="1/tanh(a)",
         meaning="1/tanh(a)", singular="a == 0", example="coth(x)", textbook="1 - y^2"),
    _entry("sech", "a", "-y*tanh(a)", "hyperbolic secant", value="t = exp(-abs(a)); 2*t/(1 + t*t)",
         meaning="2/(exp(a) + exp(-a))", example="sech(x)"),
    _entry("csch", "a", "-y/tanh(a)", "hyperbolic cosecant",
         value="where(abs(a) < 700, 1/sinh(a), copysign(2*exp(-abs(a)), a))", meaning="1/sinh(a)",
         singular="a == 0", example="csch(x)", textbook="-y*coth(a)"),
    _entry("asinh", "a", "1/hypot(1, a)", "inverse hyperbolic sine", aliases=("arsinh", "arcsinh"), example="asinh(x)",
         textbook="1/sqrt(1 + a^2)"),
    _entry("acosh", "a", "1/(sqrt(a - 1)*sqrt(a + 1))", "inverse hyperbolic cosine", aliases=("arcosh", "arccosh"),
         domain=((1, INFINITY),), singular="a == 1", example="acosh(x)", textbook="1/sqrt(a^2 - 1)"),
    _entry("atanh", "a", "1/((1 - a)*(1 + a))", "inverse hyperbolic tangent", aliases=("artanh", "arctanh"),
         domain=((-1, 1),), singular="abs(a) == 1", example="atanh(x)", textbook="1/(1 - a^2)"),
    _entry("acoth", "a", "1/(1 - a)/(1 + a)", "inverse hyperbolic cotangent", aliases=("arcoth", "arccoth"),
         value="copysign(0.5*log1p(2/(abs(a) - 1)), a)", meaning="atanh(1/a)", domain=((1, INFINITY),),
         singular="abs(a) == 1", example="acoth(x)", textbook="1/(1 - a^2)"),
    _entry("asech", "a", "-1/(a*sqrt((1 - a)*(1 + a)))", "inverse hyperbolic secant", aliases=("arsech", "arcsech"),
         value="where(a < 0, nan, where(a < 1e-300, log(2) - log(a), asinh(sqrt((1 - a)*(1 + a))/a)))", meaning="acosh(1/a)", domain=((0, 1),),
         singular="a == 0 or a == 1", example="asech(x)", textbook="-1/(a*sqrt(1 - a^2))"),
    _entry("acsch", "a", "-1/abs(a)/hypot(1, a)", "inverse hyperbolic cosecant", aliases=("arcsch", "arccsch"),
         value="where(abs(a) < 1e-300, copysign(log(2) - log(abs(a)), a), asinh(1/a))",
         meaning="asinh(1/a)", singular="a == 0", example="acsch(x)",
         textbook="-1/(abs(a)*sqrt(1 + a^2))"),
    # ---- Rounding, sign, choice -------------------------------------------------------------------------------------
    _entry("abs", "a", "sign(a)", "absolute value; slope 0 at 0", aliases=("fabs",), singular="a == 0", example="abs(x)", chooses=True),
    _entry("sign", "a", "0", "-1, 0 or 1", singular="a == 0", example="sign(x)", chooses=True),
    _entry("floor", "a", "0", "largest whole number not above", singular="a == y", example="floor(x)", chooses=True),
    _entry("ceil", "a", "0", "smallest whole number not below", singular="a == y", example="ceil(x)", chooses=True),
    _entry("round", "a", "0", "nearest whole number, halves to even", singular="abs(a - y) == 0.5", example="round(x)", chooses=True),
    _entry("trunc", "a", "0", "whole number next towards 0", singular="a == y and a != 0", example="trunc(x)", chooses=True),
    _entry("copysign", "a, b", "sign(a)*copysign(1, b) | 0", "the first with the sign of the second",
         singular="a == 0 or b == 0", example="copysign(x, y)", chooses=True),
    _entry("step", "a", "0", "1 from 0 on, else 0", value="where(a >= 0, 1, where(a < 0, 0, nan))",
         meaning="where(a >= 0, 1, 0)", singular="a == 0", example="step(x)", chooses=True),
    _entry("max", "*a", "where(a == y, 1/sum(all == y), 0)", "largest of any number of arguments; a tie shares the slope",
         singular="sum(all == y) > 1", example="max(x, 0)", chooses=True),
    _entry("min", "*a", "where(a == y, 1/sum(all == y), 0)", "smallest of any number of arguments; a tie shares the slope",
         singular="sum(all == y) > 1", example="min(x, 1)", chooses=True),
    _entry("fmax", "a, b", "where(a == b, 0.5, where(b != b or a > b, 1, 0)) | where(a == b, 0.5, where(a != a or b > a, 1, 0))",
         "larger of two numbers, as in C: of a number and nan, the number", value="where(b != b or a >= b, a, b)",
         meaning="where(b != b or a >= b, a, b)", singular="a == b", example="fmax(x, y)", chooses=True),
    _entry("fmin", "a, b", "where(a == b, 0.5, where(b != b or a < b, 1, 0)) | where(a == b, 0.5, where(a != a or b < a, 1, 0))",
         "smaller of two numbers, as in C: of a number and nan, the number", value="where(b != b or a <= b, a, b)",
         meaning="where(b != b or a <= b, a, b)", singular="a == b", example="fmin(x, y)", chooses=True),
    _entry("clip", "a, b, c", "where(b <= a and a <= c, where(b < c, 1, 0), 0) | where(a < b and b <= c, 1, 0)"
         "| where(max(a, b) > c or min(a, b) == c, 1, 0)",
         "clip(x, low, high): into the interval; slope 1 at its edges",
         value="min(max(a, b), c)", meaning="min(max(a, b), c)", singular="max(a, b) == c or a == b and b < c", example="clip(x, 0, 1)", chooses=True),
    _entry("where", "a, b, c", "0 | where(a, 1, 0) | where(a, 0, 1)",
         "where(condition, a, b): a if the condition is not 0, else b", aliases=("select",),
         example="where(x > 0, sqrt(x), 0)", chooses=True),
    # ---- Neural networks --------------------------------------------------------------------------------------------
    _entry("relu", "a", "where(a > 0, 1, 0)", "rectifier; slope 0 at 0", value="max(a, 0)", meaning="max(a, 0)",
         singular="a == 0", example="relu(x)", chooses=True),
    _entry("leaky_relu", "a, b=0.01", "where(a > 0, 1, b) | where(a > 0, 0, a)", "rectifier with slope b below 0",
         value="where(a > 0, a, b*a)", meaning="where(a > 0, a, b*a)", singular="a == 0 and b != 1", domain=(REAL, (0, 1)),
         example="leaky_relu(x)"),
    _entry("elu", "a, b=1", "h = exp(a/2); where(a > 0, 1, b*h*h) | where(a > 0, 0, expm1(a))", "exponential linear unit",
         value="where(a > 0, a, b*expm1(a))", meaning="where(a > 0, a, b*(exp(a) - 1))",
         singular="a == 0 and b != 1", bent="a == 0 and b == 1", domain=(REAL, (0, 2)), example="elu(x)",
         textbook="where(a > 0, 1, b*exp(a)) | where(a > 0, 0, expm1(a))"),
    _entry("sigmoid", "a", "y*sigmoid(-a)", "logistic function", aliases=("logistic",),
         value="t = exp(-abs(a)); where(a < 0, t/(1 + t), 1/(1 + t))", meaning="1/(1 + exp(-a))",
         example="sigmoid(x)", textbook="y*(1 - y)"),
    _entry("softplus", "a", "sigmoid(a)", "log(1 + exp(x)), a smooth rectifier",
         value="max(a, 0) + log1p(exp(-abs(a)))", meaning="log(1 + exp(a))", example="softplus(x)"),
    _entry("silu", "a", "where(abs(a) < inf, sigmoid(a)*(1 + a*sigmoid(-a)), step(a))", "x*sigmoid(x)",
         aliases=("swish",), value="where(a < -800, 0, a*sigmoid(a))", meaning="a/(1 + exp(-a))", example="silu(x)",
         textbook="sigmoid(a) + y*(1 - sigmoid(a))"),
    _entry("gelu", "a", "where(abs(a) < inf, normcdf(a) + a*normpdf(a), step(a))",
         "Gaussian error linear unit, exact: x*normcdf(x)", value="where(a < -40, 0, a*normcdf(a))",
         meaning="a*normcdf(a)", example="gelu(x)", textbook="normcdf(a) + a*normpdf(a)"),
    _entry("logaddexp", "a, b",
         _DIFFERENCE + "where(abs(s) < 800, sigmoid(s)*(1 + e*sigmoid(-s)), sigmoid(s))"
         "|" + _DIFFERENCE + "where(abs(s) < 800, sigmoid(-s)*(1 - e*sigmoid(s)), sigmoid(-s))",
         "log(exp(a) + exp(b)) without overflow",
         value=_DIFFERENCE + "t = where(abs(s) < 1e300, exp(-abs(s))*(1 - e*sign(s)), 0);"
               "where(a == b, a + log(2), max(a, b) + log1p(t))",
         meaning="log(exp(a) + exp(b))", example="logaddexp(a, b)", textbook="sigmoid(a - b) | sigmoid(b - a)"),
    _entry("logsumexp", "*a",
         "b = max(all);" + _DIFFERENCE + "where(s > -1e300, exp(s)*(1 + e), 0)/sum(exp(all - b))",
         "log of the sum of the exponentials of any number of arguments, without overflow",
         value="b = max(all); n = sum(all == b);" + _DIFFERENCE + "t = where(s < 0 and s > -1e300, exp(s)*(1 + e), 0);"
               "where(abs(b) == inf, b, b + (log(n) + log1p(sum(t)/n)))",
         meaning="log(sum(exp(all)))", example="logsumexp(a, b, c)", textbook="exp(a - y)"),
    # ---- Special functions ------------------------------------------------------------------------------------------
    _entry("erf", "a", BELL + "2/sqrt(pi)*exp(-h*h)*exp(-d*(a + h))", "error function", example="erf(x)",
         textbook="2/sqrt(pi)*exp(-a^2)"),
    _entry("erfc", "a", BELL + "-2/sqrt(pi)*exp(-h*h)*exp(-d*(a + h))", "1 - erf(x), accurate for large x",
         meaning="1 - erf(a)", example="erfc(x)", textbook="-2/sqrt(pi)*exp(-a^2)"),
    _entry("gamma", "a", "y*digamma(a)", "gamma function", singular="a <= 0 and a == round(a)",
         example="gamma(x)"),
    _entry("lgamma", "a", "digamma(a)", "logarithm of the gamma function's absolute value",
         singular="a <= 0 and a == round(a)", example="lgamma(x)"),
    _entry("digamma", "a", "trigamma(a)", "derivative of lgamma", singular="a <= 0 and a == round(a)",
         example="digamma(x)"),
    _entry("trigamma", "a", "polygamma(2, a)", "second derivative of lgamma", singular="a <= 0 and a == round(a)",
         meaning="polygamma(1, a)", example="trigamma(x)"),
    _entry("polygamma", "a, b", "nan | polygamma(a + 1, b)",
         "polygamma(n, x): n-th derivative of digamma; n is a whole number written out", literal=True,
         singular="b <= 0 and b == round(b)", domain=((0, 4), REAL), example="polygamma(2, x)"),
    _entry("beta", "a, b",
         _beta_slope("a", "b") + "|" + _beta_slope("b", "a"),
         "beta function", singular="a <= 0 and a == round(a) or b <= 0 and b == round(b)",
         domain=(POSITIVE, POSITIVE), example="beta(a, b)",
         textbook="y*(digamma(a) - digamma(a + b)) | y*(digamma(b) - digamma(a + b))"),
    _entry("factorial", "a", "s = a + 1; y*(digamma(s) + where(abs(a) < 1, (a - (s - 1))*trigamma(s), 0))",
         "gamma(x + 1)", value="t = gamma(where(a <= -1, a + 1, a)); where(abs(a) < 1e-20, 1, where(a <= -1, t, a*t))", meaning="gamma(a + 1)",
         domain=(POSITIVE,), singular="a < 0 and a == round(a)", example="factorial(n)", textbook="y*digamma(a + 1)"),
    _entry("normpdf", "a", "where(abs(a) < inf, -a*y, 0)", "density of the standard normal distribution",
         value=BELL + "1/sqrt(2*pi)*exp(-0.5*h*h)*exp(-0.5*d*(a + h))", meaning="exp(-a^2/2)/sqrt(2*pi)",
         example="normpdf(x)", textbook="-a*y"),
    _entry("normcdf", "a", "normpdf(a)", "distribution function of the standard normal distribution",
         value=BELL + "t = -a/sqrt(2); p = round(t*1048576)/1048576;"
               "e = (p*p - h*h/2) + ((t - p)*(t + p) - d*(a + h)/2); erfc(t)*where(a < 0 and a > -40, 0.5 + e/2, 0.5)",
         meaning="erfc(-a/sqrt(2))/2", example="normcdf(x)"),
    _entry("sinc", "a",
         _TURNS + "u = (pi*a)*(pi*a);"
         "where(abs(a) < 0.4, -(pi*pi*a/3)*(1 - u/10*(1 - u/28*(1 - u/54*(1 - u/88*(1 - u/130*(1 - u/180*(1 - u/238"
         "*(1 - u/304)))))))),"
         "(s*where(abs(r) < 0.25, cos(pi*r), sin(pi*(0.5 - abs(r)))) - y)/a)",
         "sin(pi x)/(pi x), 1 at 0",
         value=_TURNS + "where(a == 0, 1, s*sin(pi*r)/(pi*a))",
         meaning="where(a == 0, 1, sin(pi*a)/(pi*a))", example="sinc(x)",
         textbook="where(a == 0, -pi^2*a/3, (cos(pi*a) - y)/a)"),
    _entry("degrees", "a", "180/pi", "radians to degrees", value="a*(180/pi)", meaning="a*180/pi", example="degrees(x)"),
    _entry("radians", "a", "pi/180", "degrees to radians", value="a*(pi/180)", meaning="a*pi/180", example="radians(x)"),
)
# fmt: on


OPERATIONS: dict[str, Operation] = {}
"""name → operation"""

INTERNAL = {
    "digamma_slope": _entry(
        "digamma_slope", "a, b",
        "m = a + b/2;" + _TRIGAMMA_OF_SUM + "where(a > 0 and abs(b) < a/1000, polygamma(2, m) + b*b/24*polygamma(4, m),"
        "(g - trigamma(a))/b) |"
        "m = a + b*2/3;" + _TRIGAMMA_OF_SUM +
        "where(a > 0 and abs(b) < a/1000, polygamma(2, m)/2 + b*b*(polygamma(4, m)/72 - b*polygamma(5, m)/1620), (g - y)/b)",
        "slope of digamma between a and a + b",
        value=_digamma_slope(), meaning="where(b == 0, trigamma(a), (digamma(a + b) - digamma(a))/b)",
    ),
}  # fmt: skip
"""operations that only the table's formulas call"""

INFIX: dict[str, Operation] = {}
PREFIX: dict[str, Operation] = {}
"""symbol → operation"""

FUNCTIONS: dict[str, list[Operation]] = {}
"""every name that a formula can call → the operations that it may mean, distinguished by their number of arguments"""


def by_name(name: str) -> Operation | None:
    """The leaf or the operation with that name; None if there is none."""
    return _UNLISTED.get(name) or OPERATIONS.get(name) or INTERNAL.get(name)


def register(operation: Operation) -> None:
    """Add an operation to the table of the running program."""
    OPERATIONS[operation.name] = operation
    if operation.symbol:
        (PREFIX if len(operation.names) == 1 else INFIX)[operation.symbol] = operation
    if operation.precedence not in _WITHOUT_NAME:
        for name in (operation.called, *operation.aliases):
            FUNCTIONS.setdefault(name, []).append(operation)


SLOW = {"gamma", "lgamma", "digamma", "trigamma", "polygamma", "beta", "factorial"}
"""functions that take much longer than others; with many digits, the time grows nearly with the cube of their number"""

_FORTRAN = "abs acos asin atan atan2 cos cosh exp log log10 sin sinh sqrt tan tanh"
"""functions that have another name in Fortran for double precision: DABS, dsqrt"""
_CAPITAL = """abs acos acosh asin asinh atan atanh cos cosh cot coth csc csch degrees erf erfc exp gamma log10 max min
radians sec sech sign sin sinh sqrt sum tan tanh trunc"""
"""functions that Excel writes in capital letters"""
ALIASES = {
    alias: name
    for name, aliases in {
        "abs": "absolute",
        "degrees": "rad2deg",
        "digamma": "psi",
        "div": "divide true_divide",
        "gamma": "tgamma",
        "lgamma": "gammaln GAMMALN",
        "log": "alog ALOG LN",
        "log10": "alog10 ALOG10",
        "mean": "average AVERAGE",
        "max": "maximum amax1 AMAX1 dmax1 DMAX1",
        "min": "minimum amin1 AMIN1 dmin1 DMIN1",
        "mul": "multiply",
        "neg": "negative",
        "normcdf": "ndtr",
        "pow": "power float_power POWER",
        "prod": "product PRODUCT",
        "radians": "deg2rad",
        "recip": "reciprocal",
        "round": "rint nearbyint",
        "sigmoid": "expit",
        "sub": "subtract",
        "trunc": "fix",
    }.items()
    for alias in aliases.split()
}
"""names of C, Fortran, NumPy, SciPy and Excel for operations that mean exactly the same → their names here"""
ALIASES |= {alias: name for name in _FORTRAN.split() for alias in (f"d{name}", f"D{name.upper()}")}
ALIASES |= {name.upper(): name for name in _CAPITAL.split()}

LIST_FUNCTIONS = {
    "sum": ("sum(x), sum(a, b, …), sum(i, 1, n, x[i])", "sum of a list, of numbers, or over a whole number i", "sum(i, 1, 3, i*x)"),
    "prod": ("prod(x), prod(a, b, …), prod(i, 1, n, x[i])", "product of a list, of numbers, or over a whole number i", "prod(i, 1, 3, x + i)"),
    "mean": ("mean(x), mean(a, b, …)", "mean of a list, or of numbers", "mean(x, y)"),
    "len": ("len(x)", "number of entries of a list", "len([x, y])"),
    "dot": ("dot(x, y)", "scalar product: sum of the products of the entries of two lists", "dot([x, y], [a, b])"),
    "norm": ("norm(x)", "Euclidean length: root of the sum of squares of the entries of a list", "norm([x, y])"),
    "softmax": ("softmax(x)", "list of exp(x[i]) divided by their sum, without overflow", "softmax([x, y])"),
    "matvec": ("matvec(W, x)", "matrix times vector: list of dot(W[i], x), for each row W[i] of a list of lists", "matvec([[a, b], [c, 1]], [x, y])"),
    "D": ("D(f, x), D(f, x, 2)", "derivative of an expression by a name, of order 1 or more", "D(x^3, x)"),
}  # fmt: skip
"""functions that are replaced by operations on numbers when the text is read → calls, its meaning, an example"""

_WITHOUT_NAME = range(1, 5)  # precedences of logic and comparisons: `lt` and `and` cannot be called

for _operation in TABLE:
    register(_operation)

ADD, SUB, MUL, DIV, NEG, POW = (OPERATIONS[_name] for _name in ("add", "sub", "mul", "div", "neg", "pow"))
COMPARISONS = LT, LE, GT, GE, EQ, NE = [OPERATIONS[_name] for _name in ("lt", "le", "gt", "ge", "eq", "ne")]
LOGIC = AND, OR, NOT = [OPERATIONS[_name] for _name in ("and", "or", "not")]
"""the conditions whose operands are conditions too"""
CONDITIONS = frozenset([*COMPARISONS, *LOGIC])
"""the operations whose result is true or false, in a language that tells these from 1 and 0"""
ABS, SIGN, EXP, LOG, SQRT = (OPERATIONS[_name] for _name in ("abs", "sign", "exp", "log", "sqrt"))
WHERE, MIN, MAX, HYPOT = (OPERATIONS[_name] for _name in ("where", "min", "max", "hypot"))
ERFC, LOGSUMEXP, SINC = (OPERATIONS[_name] for _name in ("erfc", "logsumexp", "sinc"))
DIGAMMA, POLYGAMMA, BETA = (OPERATIONS[_name] for _name in ("digamma", "polygamma", "beta"))
