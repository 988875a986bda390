"""Functions that people call and that do not exist here, or that have another name."""

from .idioms import DERIVATIVE, Habit

CALLS = (
    Habit(r"(?<!\w)d[a-z]?\s*/\s*d[^\W\d_]\d?", "", DERIVATIVE),
    Habit(r"(?<!\w)(?:diff|derivative|deriv|grad|gradient)", "", DERIVATIVE),
    Habit(r"(?<!\w)(?i:sum|add|total|plus)", "", "write a + b"),
    Habit(r"(?<!\w)(?i:prod|product|times|multiply)", "", "write a * b"),
    Habit(r"(?<!\w)(?i:average|avg|mean)", "", "write (a + b)/2"),
    Habit(r"(?<!\w)(?i:and)", "", "write a and b"),
    Habit(r"(?<!\w)(?i:or)", "", "write a or b"),
    Habit(r"(?<!\w)(?i:xor)", "", "write (a != 0) != (b != 0)"),
    Habit(r"(?<!\w)(?i:not)", "", "write not a"),
    Habit(r"(?<!\w)log_?(?P<n>\d+)", "", "write log(x, {n})"),
    Habit(r"(?<!\w)exp10", "", "write 10^x"),
    Habit(r"(?<!\w)(?:LOG|lg)", "", "write log10(x), or ln(x) for the natural logarithm"),
    Habit(r"(?<!\w)(?:print|return|output|disp|display|echo)", "", "leave it out: the last statement is the output"),
    Habit(r"(?<!\w)(?i:rand|random|randn|uniform)", "", "numbers are given, not drawn: make it an input, with --set"),
)
"""calls of functions that do not exist: `before` ends with the function's name"""

NICKNAMES = {
    name: known
    for known, names in {
        "abs": "fabs absolute magnitude",
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
        "degrees": "rad2deg deg",
        "digamma": "psi",
        "exp": "exponential",
        "factorial": "fact",
        "hypot": "norm",
        "leaky_relu": "lrelu leaky",
        "lgamma": "gammaln lngamma loggamma",
        "max": "maximum amax fmax",
        "min": "minimum amin fmin",
        "mod": "modulo",
        "normcdf": "normsdist",
        "nthroot": "root surd",
        "pow": "power",
        "radians": "deg2rad rad",
        "recip": "reciprocal",
        "round": "rint",
        "sec": "secant",
        "sigmoid": "expit",
        "sign": "sgn signum",
        "sin": "sine",
        "cos": "cosine",
        "sinh": "sh",
        "sqrt": "squareroot square_root",
        "step": "heaviside",
        "tan": "tg tangent",
        "tanh": "th",
        "where": "if iif ifelse cond piecewise ternary",
    }.items()
    for name in names.split()
}
"""other names of the functions"""
