"""Functions that people call and that do not exist here or have another name."""

from collections.abc import Iterable

from ...errors import Remedy, did_you_mean
from ...operations import FUNCTIONS, LIST_FUNCTIONS
from .idioms import DERIVATIVE, Idiom

_GIVEN = Remedy("random number", (), "numbers are given, not drawn: make it an input and pass its value in the point")

MISSING_FUNCTIONS = (
    Idiom(r"(?<!\w)d[a-z]?\s*/\s*d[^\W\d_]\d?", "", DERIVATIVE),
    Idiom(r"(?<!\w)d", r"\s*\((?P<u>PART)\)\s*/\s*d(?P<x>[^\W\d]\w*)", "write D({u}, {x})"),
    Idiom(r"(?<!\w)d", r"\s*\((?P<u>PART),\s*(?P<x>NAME)\s*\)", "write D({u}, {x})"),
    Idiom(r"(?<!\w)(?i:diff|derivative|n?deriv|(?:value_and_)?grad|gradient|backward|expression)", "", DERIVATIVE),
    Idiom(r"(?<!\w)(?:jacobian|jacfwd|jacrev|hessian)", "", DERIVATIVE),
    Idiom(r"(?<!\w)(?i:integral|integrate)", "", "there are no integrals"),
    Idiom(r"(?<!\w)(?i:lim|limit)", "", "there are no limits"),
    Idiom(r"(?<!\w)int", r"\s*\(PART,", "there are no integrals"),
    Idiom(r"(?<!\w)(?:Value|tensor)", r"\s*\((?P<x>PART)\)", "write {x}"),
    Idiom(
        r"(?<!\w)arg(?P<m>max|min)",
        "",
        "its result is a position, which jumps and has no useful derivative: write {m}(x) for the value, or softmax(x)",
    ),
    Idiom(r"(?<!\w)(?i:add|total|plus)", "", "write a + b"),
    Idiom(r"(?<!\w)(?i:times)", "", "write a * b"),
    Idiom(r"(?<!\w)(?i:avg)", "", "write mean(a, b)"),
    Idiom(r"(?<!\w)(?i:and)", "", "write a and b"),
    Idiom(r"(?<!\w)(?i:or)", "", "write a or b"),
    Idiom(r"(?<!\w)(?i:xor)", "", "write (a != 0) != (b != 0)"),
    Idiom(r"(?<!\w)(?i:not)", "", "write not a"),
    Idiom(r"(?<!\w)log(?:_?(?P<n>\d+)|_(?P<b>[a-zA-Z]))", "", "write log(x, {n}{b})"),
    Idiom(r"(?<!\w)(?:exp10|pow10)", "", "write 10^x"),
    Idiom(
        r"(?<!\w)(?:fmod|rem)", "", "for the remainder with the sign of x write x - y*trunc(x/y); x % y has that of y"
    ),
    Idiom(
        r"(?<!\w)MOD",
        "",
        "write x % y for the sign of y, as in Excel, or x - y*trunc(x/y) for that of x, as in Fortran",
    ),
    Idiom(r"(?<!\w)(?P<f>sin|cos|tan)d", "", "for an angle in degrees write {f}(radians(x))"),
    Idiom(r"(?<!\w)a(?P<f>sin|cos|tan)d", "", "for an angle in degrees write degrees(a{f}(x))"),
    Idiom(
        r"(?<!\w)(?i:cross|det|inv|median|std|transpose|var)", "", "there is no such function: write out its formula"
    ),
    Idiom(
        r"(?<!\w)(?i:erfinv|erfcinv|gammainc|gammaincc|betainc|norminv|normppf|normsinv|qnorm)",
        "",
        "there is no such function, nor a formula of others that equals it",
    ),
    Idiom(r"(?<!\w)(?i:erfcx)", "", "write exp(x^2)*erfc(x), for x up to 26"),
    Idiom(r"(?<!\w)(?i:logit)", "", "write log(p/(1 - p))"),
    Idiom(r"(?<!\w)(?i:lbeta|betaln|logbeta)", "", "write lgamma(a) + lgamma(b) - lgamma(a + b)"),
    Idiom(r"(?<!\w)fdim", "", "write max(x - y, 0)"),
    Idiom(r"(?<!\w)fma", "", "write x*y + z"),
    Idiom(r"(?<!\w)ldexp", "", "write x*2^n"),
    Idiom(r"(?<!\w)rsqrt", "", "write 1/sqrt(x)"),
    Idiom(r"(?<!\w)SQRTPI", "", "write sqrt(x*pi)"),
    Idiom(r"(?<!\w)remainder", "", "write x % y, as in NumPy, or x - y*round(x/y), as in C and Python"),
    Idiom(r"(?<!\w)(?:INT|int)", "", "write floor(x) to round down, as in Excel, or trunc(x) to round towards 0"),
    Idiom(r"(?<!\w)ROUND", "", "write round(x), which rounds halves to even"),
    Idiom(r"(?<!\w)ATAN2", "", "write atan2(y, x): Excel has the arguments the other way round"),
    Idiom(r"(?<!\w)ACOT", "", "write pi/2 - atan(x), which is Excel's for a negative x too"),
    Idiom(r"(?<!\w)(?:LOG|lg)", "", "write log10(x), or ln(x) for the natural logarithm"),
    Idiom(r"(?<!\w)(?:print|return|output|disp|display|echo)", "", "leave it out: the last statement is the output"),
    Idiom(r"(?<!\w)(?i:rand|random|randn|uniform)", "", "", remedy=_GIVEN),
)
"""calls of functions that do not exist: `before` ends with the function's name"""

MORE_ARGUMENTS = {
    "normcdf": "normcdf((x - m)/s) for the mean m and the standard deviation s",
    "normpdf": "normpdf((x - m)/s)/s for the mean m and the standard deviation s",
}
"""functions that take more arguments elsewhere → the formula in their place"""

SYNONYMS = {
    synonym: name
    for name, synonyms in {
        "abs": "absolute magnitude",
        "acot": "arcctg arccotan",
        "atan": "arctg arctangent",
        "asin": "arcsine",
        "acos": "arccosine",
        "ceil": "ceiling",
        "clip": "clamp saturate",
        "cosh": "ch",
        "cot": "ctg cotan cotg cotangent",
        "csc": "cosec cosecant",
        "csch": "cosech",
        "degrees": "deg",
        "digamma": "ψ psi",
        "exp": "exponential",
        "factorial": "fact",
        "gamma": "γ",
        "leaky_relu": "lrelu leaky",
        "lgamma": "lngamma loggamma",
        "max": "amax maximum",
        "min": "amin minimum",
        "mod": "modulo",
        "normcdf": "normsdist pnorm φ",
        "normpdf": "dnorm",
        "nthroot": "root surd",
        "pow": "power",
        "radians": "rad",
        "sec": "secant",
        "sign": "sgn signum",
        "sin": "sine sinus",
        "cos": "cosine cosin cosinus",
        "sinh": "sh",
        "sqrt": "squareroot square_root",
        "step": "heaviside",
        "tan": "tg tangent tangens",
        "tanh": "th",
        "where": "if iif ifelse cond piecewise ternary",
    }.items()
    for synonym in synonyms.split()
}
"""other names of functions → their names here"""


def similar_function(name: str, own: Iterable[str] = ()) -> str:
    """A hint with the function that a name may stand for, a program's `own` or the language's; "" for none."""
    synonym = SYNONYMS.get(name.lower())
    of_lists = (function for function in LIST_FUNCTIONS if function != "D")  # d(a + b) is rather a product
    return f"did you mean `{synonym}`?" if synonym else did_you_mean(name, (*own, *FUNCTIONS, *of_lists))
