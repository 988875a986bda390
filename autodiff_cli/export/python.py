"""Python: a function of numbers that follows IEEE arithmetic, with nothing beyond the module `math`."""

from collections.abc import Sequence
from keyword import kwlist, softkwlist

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, Shape, TargetLanguage, numerals
from ..operations import Operation
from .function_code import FunctionCode, function_code, wrapped

_BUILTINS = "float abs len math gradient hessian input __debug__"
_OF_HELPERS = "any max min round ZeroDivisionError OverflowError ValueError"
_QUOTIENT = Operation("quotient", "a, b", (), "division by a number that is not 0")

_NATIVE = "asinh atan atan2 cbrt copysign erf erfc hypot tanh"
_UNDEFINED = {
    "sin": "nan where it is infinite",
    "cos": "nan where it is infinite",
    "tan": "nan where it is infinite",
    "asin": "nan beyond 1",
    "acos": "nan beyond 1",
    "acosh": "nan below 1",
    "sqrt": "nan below 0",
}
"""functions that raise ValueError outside their domain"""
_OVERFLOWS = ("exp", "expm1", "exp2", "cosh")
_POLES = {"log": "0.0", "log2": "0.0", "log10": "0.0", "log1p": "-1.0"}
"""functions with a pole, where they are -inf"""
_WHOLE = {"floor": "math.floor(a)", "ceil": "math.ceil(a)", "trunc": "math.trunc(a)", "round": "round(a)"}


def _lines(name: str, parameters: str, doc: str, *body: str) -> str:
    lines = [f"def _{name}({parameters}):", f'    """{doc}"""', *(f"    {line}" for line in body)]
    return "\n".join([*lines, ""])


_HANDWRITTEN = {
    "div": _lines("div", "a, b", "a/b, infinite or nan where b is 0.", "try:", "    return a/b",
                  "except ZeroDivisionError:",
                  "    return math.nan if a == 0 or a != a else math.copysign(math.inf, a)*math.copysign(1.0, b)"),
    "mod": _lines("mod", "a, b", "The remainder of a floored division.", "return a % b if b else math.nan"),
    "pow": _lines("pow", "a, b", "The real power, nan where there is none.", "try:", "    return math.pow(a, b)",
                  "except OverflowError:", "    return -math.inf if a < 0 and b % 2 == 1 else math.inf",
                  "except ValueError:",
                  "    if a != 0:", "        return math.nan",
                  "    return math.copysign(math.inf, a) if b % 2 == 1 else math.inf"),
    "max": _lines("max", "*numbers", "The largest number, or nan.",
                  "return math.nan if any(a != a for a in numbers) else max(numbers)"),
    "min": _lines("min", "*numbers", "The smallest number, or nan.",
                  "return math.nan if any(a != a for a in numbers) else min(numbers)"),
    "sign": _lines("sign", "a", "-1, 0 or 1.", "return float((a > 0) - (a < 0)) if a == a else a"),
    "sinh": _lines("sinh", "a", "The hyperbolic sine, infinite where it overflows.", "try:", "    return math.sinh(a)",
                   "except OverflowError:", "    return math.copysign(math.inf, a)"),
    "atanh": _lines("atanh", "a", "The inverse hyperbolic tangent, infinite at 1, nan beyond.",
                    "if abs(a) == 1:", "    return math.copysign(math.inf, a)",
                    "return math.atanh(a) if abs(a) < 1 else math.nan"),
    "gamma": _lines("gamma", "a", "The gamma function, infinite where it overflows and at 0, nan at its other poles.",
                    "try:", "    return math.gamma(a)", "except ValueError:",
                    "    return math.copysign(math.inf, a) if a == 0 else math.nan",
                    "except OverflowError:", "    return math.copysign(math.inf, a) if abs(a) < 1 else math.inf"),
    **{name: _lines(name, "a", f"math.{name}, {doc}.", "try:", f"    return math.{name}(a)", "except ValueError:",
                    "    return math.nan") for name, doc in _UNDEFINED.items()},
    **{name: _lines(name, "a", f"math.{name}, infinite where it overflows.", "try:", f"    return math.{name}(a)",
                    "except OverflowError:", "    return math.inf") for name in _OVERFLOWS},
    **{name: _lines(name, "a", f"math.{name}, -inf at {pole} and nan below.", "try:", f"    return math.{name}(a)",
                    "except ValueError:", f"    return -math.inf if a == {pole} else math.nan")
       for name, pole in _POLES.items()},
    **{name: _lines(name, "a", f"The {name} of a number, itself where it is not finite.",
                    f"return math.copysign(float({text}), a) if math.isfinite(a) else a")
       for name, text in _WHOLE.items()},
}  # fmt: skip


def _specialized(operation: Operation, numbers: Sequence[float | None]) -> Operation:
    return _QUOTIENT if operation.name == "div" and numbers[1] else operation


ASSIGNMENT = "    {name} = {text}"
HELPER = 'def {name}({parameters}):\n    """{sentence}"""\n{body}    return {result}\n'

LANGUAGE = TargetLanguage(
    shapes={name: shape for name, shape in ARITHMETIC.items() if name != "div"}
    | COMPARISONS
    | {
        "quotient": ARITHMETIC["div"],
        "not": Shape("not {0}", 3, (3,)),
        "and": Shape("{0} and {1}", 2, (2, 3)),
        "or": Shape("{0} or {1}", 1, (1, 2)),
        "where": Shape("{1} if {0} else {2}", LOOSE, (1, 1, LOOSE)),
    },
    functions={name: f"math.{name}" for name in _NATIVE.split()}
    | {"abs": "abs"}
    | {name: f"_{name}" for name in _HANDWRITTEN},
    number=numerals("math.nan", "math.inf"),
    as_number=Shape("float({0})", ATOM, (LOOSE,)),
    as_condition=Shape("{0} != 0", 4, (5,)),
    assignment=ASSIGNMENT,
    helper=HELPER,
    handwritten=_HANDWRITTEN,
    specialized=_specialized,
    helper_prefix="_",
    variadic=frozenset(("max", "min", "hypot")),
    reserved=frozenset((*kwlist, *softkwlist, *_BUILTINS.split())),
    reserved_functions=frozenset(_OF_HELPERS.split()),
    only_ascii=False,
)


def function(request: FunctionRequest, name: str) -> str:
    """A module with a function that returns the value and a tuple of the partial derivatives."""
    code = function_code(request, LANGUAGE, name, matrix=True)
    lines = [f"    {name} = float({f'input[{i}]' if code.takes_array else name})" for i, name in enumerate(code.names)]
    lines += code.assignments
    if code.gradient:
        lines += ["    gradient = (", *(f"        {text}," for text in code.gradient), "    )"]
        lines += _hessian(code) if request.hessian else []
        nan = [f"        gradient = (math.nan,)*{len(code.gradient)}", "        hessian = (gradient,)*len(gradient)"]
        lines += [f"    if {code.value} != {code.value}:", *nan[: len(code.results) - 1]]
    lines.append(f"    return {', '.join(code.results)}")
    return "\n".join(['"""A formula and its derivatives."""', "", "import math", "", "", *code.helpers,
                      *header(code), docstring(code), *lines, ""])  # fmt: skip


def _hessian(code: FunctionCode) -> list[str]:
    if code.has_small_hessian:
        rows = [f"        ({', '.join(row)}{',' * (len(row) == 1)})," for row in code.matrix("0.0")]
        return ["    hessian = (", *rows, "    )"]
    lines = [f"    hessian = [[0.0]*{len(code.gradient)} for _ in gradient]"]
    return lines + code.second_derivatives("hessian[{i}][{j}]")


def header(code: FunctionCode) -> list[str]:
    """The line that a function begins with."""
    return wrapped(f"def {code.name}(", code.signature(), "):")


def docstring(code: FunctionCode) -> str:
    """The documentation of a function."""
    lines = code.returning("Returns a tuple:" if code.gradient else "Returns:", "    ")
    text = "\n".join(lines).lstrip()
    return '    """' + text.replace("\\", "\\\\").replace('"""', r"\"\"\"") + '\n    """'
