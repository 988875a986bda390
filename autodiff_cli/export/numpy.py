"""NumPy: a function of arrays, which computes all their points at once, with nothing beyond NumPy."""

from collections.abc import Sequence
from keyword import kwlist, softkwlist

from ..lowering.language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, Language, Shape, numerals
from ..lowering.request import FunctionRequest
from .function_code import function_code
from .python import assignment, docstring, header, helper

_NATIVE = """
abs exp expm1 exp2 log log1p log2 log10 sqrt cbrt hypot sin cos tan sinh cosh tanh copysign sign floor ceil trunc
"""
_OTHER = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "max": "maximum", "min": "minimum", "round": "rint", "pow": "power", "mod": "mod",
}  # fmt: skip


LANGUAGE = Language(
    shapes=ARITHMETIC
    | COMPARISONS
    | {
        "not": Shape("~{0}", 7, (ATOM,)),
        "and": Shape("{0} & {1}", 4, (8, 8)),
        "or": Shape("{0} | {1}", 4, (8, 8)),
        "where": Shape("np.where({0}, {1}, {2})", ATOM, (LOOSE, LOOSE, LOOSE)),
    },
    functions={name: f"np.{name}" for name in _NATIVE.split()}
    | {name: f"np.{other}" for name, other in _OTHER.items()},
    number=numerals("np.nan", "np.inf"),
    as_number=Shape("np.where({0}, 1.0, 0.0)", ATOM, (LOOSE,)),
    as_condition=Shape("{0} != 0", 4, (5,)),
    helper=helper,
    private="_",
    reserved=frozenset(
        (*kwlist, *softkwlist, "float", "np", "gradient", "hessian", "input", "partials", "row", "__debug__")
    ),
    ascii=False,
)


def function(request: FunctionRequest, name: str) -> str:
    """A module with a function that returns the value and an array of the partial derivatives, first axis first."""
    code = function_code(request, LANGUAGE, name)
    signature = header(code)
    names = [parameter for parameter, _ in code.parameters]
    sources = [f"input[{i}]" if code.array else each for i, each in enumerate(names)]
    lines = [f"    {each} = np.asarray({source}, dtype=float)" for each, source in zip(names, sources, strict=True)]
    lines += map(assignment, code.statements)
    count = len(code.gradient)
    entries = [*code.gradient, *code.hessian.values()]
    if code.value != "value":
        lines.append(f"    value = {code.value}")
    if not count:
        lines.append("    return value[()]" if names else "    return value")
        return _module(code.helpers, [*signature, docstring(code), *lines])
    lines += [
        "    value, *partials = np.broadcast_arrays(",
        "        value,",
        *(f"        {text}," for text in entries),
        "    )",
    ]
    lines += ["    partials = np.where(np.isnan(value), np.nan, np.array(partials))"]
    if not request.second:
        return _module(code.helpers, [*signature, docstring(code), *lines, "    return value[()], partials"])
    lines += [f"    hessian = np.zeros(({count}, {count}, *value.shape))"]
    for place, (i, j) in enumerate(code.hessian):
        where = f"hessian[{i}, {j}]" + (f" = hessian[{j}, {i}]" if i != j else "")
        lines.append(f"    {where} = partials[{count + place}]")
    lines += ["    hessian = np.where(np.isnan(value), np.nan, hessian)"]
    lines += [f"    return value[()], partials[:{count}], hessian"]
    return _module(code.helpers, [*signature, docstring(code), *lines])


def _module(helpers: str, lines: Sequence[str]) -> str:
    text = [helpers, ""] if helpers else []
    decorated = ['@np.errstate(all="ignore")', *lines]
    return "\n".join(
        ['"""A formula and its derivatives, for arrays."""', "", "import numpy as np", "", "", *text, *decorated, ""]
    )
