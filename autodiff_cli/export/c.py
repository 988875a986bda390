"""C: a function for any C99 compiler, with nothing beyond math.h."""

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, SIGNS, Shape, TargetLanguage, numerals
from . import c_reserved_names
from .function_code import FunctionCode, function_code, wrapped

_RESERVED = """
auto break case char const continue default do double else enum extern float for goto if inline int long register
restrict return short signed sizeof static struct switch typedef union unsigned void volatile while asm typeof bool
true false nullptr float_t double_t alignas alignof constexpr static_assert thread_local typeof_unqual main
and and_eq bitand bitor catch class compl const_cast delete dynamic_cast explicit export friend mutable namespace new
not not_eq operator or or_eq private protected public reinterpret_cast static_cast template this throw try typeid
typename using virtual wchar_t xor xor_eq
NULL NAN INFINITY HUGE HUGE_VAL HUGE_VALF HUGE_VALL MAXFLOAT DOMAIN SING OVERFLOW UNDERFLOW PLOSS TLOSS FP_NAN
FP_INFINITE FP_ZERO FP_SUBNORMAL FP_NORMAL FP_ILOGB0 FP_ILOGBNAN MATH_ERRNO MATH_ERREXCEPT math_errhandling
fpclassify isfinite isinf isnan isnormal signbit isgreater isgreaterequal isless islessequal islessgreater isunordered
M_E M_LOG2E M_LOG10E M_LN2 M_LN10 M_PI M_PI_2 M_PI_4 M_1_PI M_2_PI M_2_SQRTPI M_SQRT2 M_SQRT1_2
linux unix i386 signgam gradient hessian input i j
"""
_NATIVE = """
acos acosh asin asinh atan atan2 atanh cbrt ceil copysign cos cosh erf erfc exp exp2 expm1 floor fmax fmin hypot lgamma
log log10 log1p log2 pow sin sinh sqrt tan tanh trunc
"""
_HANDWRITTEN = {
    "mod": """\
/* The remainder of a floored division, with the sign of b. */
static double mod(double a, double b)
{
    const double rest = fmod(a, b);
    return rest == 0.0 ? copysign(rest, b) : (rest < 0.0) != (b < 0.0) ? rest + b : rest;
}""",
    "max": """\
/* The larger number, or nan if either is. */
static double max(double a, double b)
{
    return a >= b || isnan(a) ? a : b;
}""",
    "min": """\
/* The smaller number, or nan if either is. */
static double min(double a, double b)
{
    return a <= b || isnan(a) ? a : b;
}""",
    "sign": """\
/* -1, 0 or 1. */
static double sign(double a)
{
    return isnan(a) ? a : (double)(a > 0.0) - (double)(a < 0.0);
}""",
}


LANGUAGE = TargetLanguage(
    shapes=ARITHMETIC
    | COMPARISONS
    | SIGNS
    | {
        "or": Shape("{0} || {1}", 1, (3, 3)),  # with the parentheses that compilers ask for
        "where": Shape("{0} ? {1} : {2}", LOOSE, (1, LOOSE, LOOSE)),
    },
    functions={name: name for name in _NATIVE.split()} | {"abs": "fabs", "round": "nearbyint", "gamma": "tgamma"},
    number=numerals("(double)NAN", "HUGE_VAL"),
    as_number=Shape("({0} ? 1.0 : 0.0)", ATOM, (1,)),
    as_condition=Shape("{0} != 0.0", 4, (5,)),
    assignment="    const {type} {name} = {text};",
    types=("double", "int"),
    parameter="double {}",
    helper="/* {doc} */\nstatic double {name}({parameters})\n{{\n{body}    return {result};\n}}",
    handwritten=_HANDWRITTEN,
    reserved=frozenset(_RESERVED.split()),
    reserved_functions=c_reserved_names.NAMES,
)


def function(request: FunctionRequest, name: str) -> str:
    """A function that returns the value, and writes the gradient and the second derivatives to arrays."""
    code = function_code(request, LANGUAGE, name)
    count = len(code.gradient)
    parameters = code.signature(f"const double input[{len(code.names)}]")
    if count:
        parameters.append(f"double gradient[{count}]")
    if request.hessian:
        parameters.append(f"double hessian[{count}][{count}]")
    lines = code.taken_from_array("    const double {name} = input[{i}];")
    lines += [f"    (void){name};" for name in code.unused]
    lines += [*code.assignments, *_results(code), f"    return {code.value};"]
    signature = wrapped(f"double {code.name}(", parameters or ["void"], ")")
    return "\n".join(["#include <math.h>", "", *code.helpers, _comment(code), *signature, "{", *lines, "}", ""])


def _results(code: FunctionCode) -> list[str]:
    """The statements that write the derivatives; where the value is nan, all of them are."""
    count = len(code.gradient)
    lines = [f"    gradient[{i}] = {text};" for i, text in enumerate(code.gradient)]
    nan = [f"        for (int i = 0; i < {count}; i++) {{", f"            gradient[i] = {code.value};"]
    if code.function.request.hessian:
        lines += _hessian(code)
        nan += [f"            for (int j = 0; j < {count}; j++) {{", f"                hessian[i][j] = {code.value};"]
        nan += ["            }"]
    nan += ["        }"]
    if count == 1:
        nan = [f"        {line.split(' = ')[0].strip()} = {code.value};" for line in lines]
    return [*lines, f"    if (isnan({code.value})) {{", *nan, "    }"] if count else []


def _hessian(code: FunctionCode) -> list[str]:
    count = len(code.gradient)
    if code.has_small_hessian:
        return [f"    hessian[{i}][{j}] = {_entry(code, i, j)};" for i in range(count) for j in range(count)]
    lines = [f"    for (int i = 0; i < {count}; i++) {{", f"        for (int j = 0; j < {count}; j++) {{"]
    lines += ["            hessian[i][j] = 0.0;", "        }", "    }"]
    return lines + code.second_derivatives("hessian[{i}][{j}]", ";", chained=False)


def _entry(code: FunctionCode, i: int, j: int) -> str:
    return f"hessian[{j}][{i}]" if i > j else code.hessian.get((i, j), "0.0")


def _comment(code: FunctionCode) -> str:
    how = "Returns the value, and writes its derivatives to arrays:" if code.gradient else "Returns:"
    lines = [line.replace("*/", "* /").replace("/*", "/ *").replace("??", "? ?") for line in code.returning(how, " * ")]
    return "\n".join(["/*", *lines, " */"])
