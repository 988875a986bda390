"""The tables of laws that simplification applies, as lines `left : right` in the language.

Wherever the left side is found, the right side takes its place. Where the left side has a value, for real numbers, the
right side has the same; it may have one in more places, never in fewer. The letters stand for anything. What sums,
products and choices do without a law is listed in tests/simplify/structure.txt.
"""

from functools import cache

from .. import engine
from ..errors import Source
from ..parser import run
from ..parser.builder import Builder
from .algebra import Algebra
from .forms import Form
from .patterns import letter
from .rewriting import Law, Laws
from .simplifier import Simplifier

INWARD = """
tan(a) : sin(a)/cos(a)
cot(a) : cos(a)/sin(a)
sec(a) : 1/cos(a)
csc(a) : 1/sin(a)
tanh(a) : sinh(a)/cosh(a)
coth(a) : cosh(a)/sinh(a)
sech(a) : 1/cosh(a)
csch(a) : 1/sinh(a)
degrees(a) : 180*a/pi
radians(a) : pi*a/180
silu(a) : a*sigmoid(a)
gelu(a) : a*normcdf(a)
nthroot(a, 1) : a
nthroot(a, 2) : sqrt(a)
nthroot(a, 3) : cbrt(a)
nthroot(a, 4) : a^(1/4)
exp2(a) : 2^a
log(a, b) : log(a)/log(b)
"""
"""functions replaced by others while a formula is simplified; the shortest way to write them is chosen at the end"""

LAWS = """
# Odd and even functions
sin(-a) : -sin(a)
asin(-a) : -asin(a)
atan(-a) : -atan(a)
sinh(-a) : -sinh(a)
asinh(-a) : -asinh(a)
atanh(-a) : -atanh(a)
erf(-a) : -erf(a)
sign(-a) : -sign(a)
cbrt(-a) : -cbrt(a)
acoth(-a) : -acoth(a)
acsch(-a) : -acsch(a)
acsc(-a) : -acsc(a)
cos(-a) : cos(a)
cosh(-a) : cosh(a)
abs(-a) : abs(a)
normpdf(-a) : normpdf(a)
sinc(-a) : sinc(a)
# Values; cos(pi/2) stays, for in doubles tan(pi/2) has a value
sin(0) : 0
sin(pi/6) : 1/2
sin(pi/4) : 1/sqrt(2)
sin(pi/3) : sqrt(3)/2
sin(pi/2) : 1
cos(0) : 1
cos(pi/6) : sqrt(3)/2
cos(pi/4) : 1/sqrt(2)
cos(pi/3) : 1/2
cos(pi) : -1
sinh(0) : 0
cosh(0) : 1
asin(0) : 0
atan(0) : 0
asinh(0) : 0
atanh(0) : 0
log(1) : 0
log1p(0) : 0
log2(1) : 0
log10(1) : 0
expm1(0) : 0
erf(0) : 0
erfc(0) : 1
cbrt(0) : 0
cbrt(1) : 1
sigmoid(0) : 1/2
lgamma(1) : 0
log2(2) : 1
log10(10) : 1
# A function and its inverse
log(exp(a)) : a
log1p(expm1(a)) : a
expm1(log1p(a)) : a
log2(2^a) : a
log10(10^a) : a
sin(asin(a)) : a
cos(acos(a)) : a
cos(asin(a)) : sqrt(1 - a^2)
sin(acos(a)) : sqrt(1 - a^2)
sin(atan(a)) : a/sqrt(1 + a^2)
cos(atan(a)) : 1/sqrt(1 + a^2)
cos(2*acos(a)) : 2*a^2 - 1
sin(2*acos(a)) : 2*a*sqrt(1 - a^2)
cos(2*asin(a)) : 1 - 2*a^2
sin(2*asin(a)) : 2*a*sqrt(1 - a^2)
sinh(asinh(a)) : a
cosh(acosh(a)) : a
cosh(asinh(a)) : sqrt(1 + a^2)
sinh(acosh(a)) : sqrt(a^2 - 1)
sinh(atanh(a)) : a/sqrt(1 - a^2)
cosh(atanh(a)) : 1/sqrt(1 - a^2)
cbrt(a)^3 : a
cbrt(a^3) : a
a/cbrt(a)^2 : cbrt(a)
cbrt(a)/a : 1/cbrt(a)^2
a/cbrt(a) : cbrt(a)^2
cbrt(a^2) : cbrt(a)^2
# Squares that add up
sin(a)^2 + cos(a)^2 : 1
1 - sin(a)^2 : cos(a)^2
1 - cos(a)^2 : sin(a)^2
cos(a)^2 - sin(a)^2 : cos(2*a)
1 - 2*sin(a)^2 : cos(2*a)
2*cos(a)^2 - 1 : cos(2*a)
cosh(a)^2 - sinh(a)^2 : 1
1 + sinh(a)^2 : cosh(a)^2
cosh(a)^2 - 1 : sinh(a)^2
cosh(a)^2 + sinh(a)^2 : cosh(2*a)
2*sinh(a)^2 + 1 : cosh(2*a)
2*cosh(a)^2 - 1 : cosh(2*a)
1/cos(a)^2 - 1 : tan(a)^2
1/sin(a)^2 - 1 : cot(a)^2
1 - 1/cosh(a)^2 : tanh(a)^2
1 + 1/sinh(a)^2 : coth(a)^2
(1 + sin(a))*(1 - sin(a)) : cos(a)^2
(1 + cos(a))*(1 - cos(a)) : sin(a)^2
1/((1 + sin(a))*(1 - sin(a))) : 1/cos(a)^2
1/((1 + cos(a))*(1 - cos(a))) : 1/sin(a)^2
(1 + sqrt(a))*(1 - sqrt(a)) : 1 - a
1/((1 + sqrt(a))*(1 - sqrt(a))) : 1/(1 - a)
# Exponentials
exp(a) + exp(-a) : 2*cosh(a)
exp(a) - exp(-a) : 2*sinh(a)
1 + expm1(a) : exp(a)
1/(1 + exp(a)) : sigmoid(-a)
sigmoid(a)*exp(-a) : sigmoid(-a)
sigmoid(a)*(1 + exp(-a)) : 1
sigmoid(2*a)*exp(-a) : 1/(2*cosh(a))
sigmoid(-2*a)*exp(a) : 1/(2*cosh(a))
sigmoid(2*a)*sigmoid(-2*a) : 1/(4*cosh(a)^2)
exp(a)/cosh(a) : 2*sigmoid(2*a)
exp(-a)/cosh(a) : 2*sigmoid(-2*a)
1 - sigmoid(a) : sigmoid(-a)
sigmoid(a) + sigmoid(-a) : 1
sinh(a) + cosh(a) : exp(a)
1 + sinh(a)/cosh(a) : 2*sigmoid(2*a)
1 - sinh(a)/cosh(a) : 2*sigmoid(-2*a)
1 - erf(a) : erfc(a)
1 - erfc(a) : erf(a)
erf(a) + erfc(a) : 1
1 - normcdf(a) : normcdf(-a)
normcdf(a) + normcdf(-a) : 1
# Absolute values; the third power comes first, for products with a sign take one of its powers at a time
sign(a)^3 : sign(a)
sign(a)*a : abs(a)
sign(a)*abs(a) : a
a/abs(a) : sign(a)
abs(a)/a : sign(a)
sign(a)/a : 1/abs(a)
sign(a)/abs(a) : 1/a
sign(sign(a)) : sign(a)
hypot(a, b)^2 : a^2 + b^2
hypot(a, b, c)^2 : a^2 + b^2 + c^2
hypot(a, 0) : abs(a)
# Recurrences
gamma(a + 1)/gamma(a) : a
gamma(a)/gamma(a + 1) : 1/a
digamma(a + 1) - digamma(a) : 1/a
# Choices
a % a : 0
max(a, a) : a
min(a, a) : a
max(a) : a
min(a) : a
logsumexp(a) : a
hypot(a) : abs(a)
1/(1 + (a == b)) : where(a == b, 1/2, 1)
where(a >= b, c*where(a == b, 1/2, 1), 0) : where(a > b, c, where(a == b, c/2, 0))
where(a <= b, c*where(a == b, 1/2, 1), 0) : where(a < b, c, where(a == b, c/2, 0))
"""
"""laws applied while forms are put together"""

RATIOS = """
sin(a)/cos(a) : tan(a)
cos(a)/sin(a) : cot(a)
sinh(a)/cosh(a) : tanh(a)
cosh(a)/sinh(a) : coth(a)
"""
"""quotients that have a name"""

DOUBLES = """
sin(a)*cos(a) : sin(2*a)/2
sinh(a)*cosh(a) : sinh(2*a)/2
1/(sin(a)*cos(a)) : 2/sin(2*a)
1/(sinh(a)*cosh(a)) : 2/sinh(2*a)
"""
"""products of two functions of the same angle"""

RECIPROCALS = """
1/cos(a) : sec(a)
1/sin(a) : csc(a)
1/cosh(a) : sech(a)
1/sinh(a) : csch(a)
"""
"""reciprocals that have a name, which save a fraction"""


def entries(table: str) -> list[tuple[str, str]]:
    """The left and the right sides of the laws of a table, as texts."""
    lines = [line for line in table.splitlines() if line and not line.startswith("#")]
    return [(left, right) for left, right in (line.split(" : ") for line in lines)]


@cache
def compiled(*tables: str) -> Laws:
    """The laws of some tables, ready to be applied."""
    return Laws([_law(*entry) for table in tables for entry in entries(table)])


def _law(left: str, right: str) -> Law:
    algebra = Simplifier(Laws())
    return Law(algebra, pattern(algebra, left), pattern(algebra, right))


def pattern(algebra: Algebra, text: str) -> Form:
    """A formula in letters as a form."""
    builder = Builder(Source(text, "the table of laws"))
    run(builder)
    program = builder.program()
    graph = program.graph
    order = graph.needed([program.output])
    forms = {
        node: algebra.constant(graph.numbers[node], graph.labels.get(node))
        if node in graph.numbers
        else letter(algebra, graph.labels[node])
        for node in order
        if not graph.arguments[node]
    }
    engine.forward(graph, order, forms, algebra)
    return forms[program.output]
