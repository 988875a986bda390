"""NumPy: a function of arrays, which computes all their points at once, with nothing beyond NumPy."""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from keyword import kwlist, softkwlist

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, Assignment, Shape, TargetLanguage, numerals
from .function_code import function_code
from .python import ASSIGNMENT, HELPER, docstring, header

_NATIVE = """
abs exp expm1 exp2 log log1p log2 log10 sqrt cbrt hypot sin cos tan sinh cosh tanh copysign sign floor ceil trunc
"""
_OTHER = {
    "asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh",
    "atanh": "arctanh", "max": "maximum", "min": "minimum", "round": "rint", "pow": "float_power", "mod": "mod",
}  # fmt: skip


class _NumPy(TargetLanguage):
    """NumPy code has Python numbers among its arrays, and Python refuses to divide these by 0."""

    def helper_function(
        self, name: str, parameters: Iterable[str], statements: Sequence[Assignment], result: str, doc: str
    ) -> str:
        """The text of a small function; `doc` describes it."""
        names = list(parameters)
        arrays = [Assignment(", ".join(names), f"map(np.asarray, ({', '.join(names)}))", False)] * (len(names) > 1)
        return super().helper_function(name, names, [*arrays, *statements], result, doc)


LANGUAGE = _NumPy(
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
    assignment=ASSIGNMENT,
    helper=HELPER,
    helper_prefix="_",
    reserved=frozenset(
        (*kwlist, *softkwlist, "float", "np", "gradient", "hessian", "input", "partials", "row", "__debug__")
    ),
    reserved_functions=frozenset(["map"]),
    only_ascii=False,
)


def function(request: FunctionRequest, name: str) -> str:
    """A module with a function that returns the value and an array of the partial derivatives, first axis first."""
    code = function_code(request, LANGUAGE, name)
    lines = [*header(code), docstring(code)]
    for i, each in enumerate(code.names):
        lines.append(f"    {each} = np.asarray({f'input[{i}]' if code.takes_array else each}, dtype=float)")
    lines += code.assignments
    count = len(code.gradient)
    entries = [*code.gradient, *code.hessian.values()]
    if code.value != "value":
        lines.append(f"    value = {code.value}")
    if code.unused:  # what depends on no input has the shape of the inputs all the same
        lines.append(f"    value = np.broadcast_arrays(value, {', '.join(code.unused)})[0]")
    if not count:
        lines.append("    return np.asarray(value)[()]" if code.names else "    return value")
        return _module(code.helpers, lines)
    lines += [
        "    value, *partials = np.broadcast_arrays(",
        "        value,",
        *(f"        {text}," for text in entries),
        "    )",
    ]
    lines += ["    partials = np.where(np.isnan(value), np.nan, np.array(partials))"]
    if not request.hessian:
        return _module(code.helpers, [*lines, "    return value[()], partials"])
    lines += [f"    hessian = np.zeros(({count}, {count}, *value.shape))"]
    partials = {place: f"partials[{count + k}]" for k, place in enumerate(code.hessian)}
    lines += replace(code, hessian=partials).second_derivatives("hessian[{i}, {j}]")
    lines += ["    hessian = np.where(np.isnan(value), np.nan, hessian)"]
    lines += [f"    return value[()], partials[:{count}], hessian"]
    return _module(code.helpers, lines)


def _module(helpers: Sequence[str], lines: Sequence[str]) -> str:
    heading = ['"""A formula and its derivatives, for arrays."""', "", "import numpy as np", "", ""]
    return "\n".join([*heading, *helpers, '@np.errstate(all="ignore")', *lines, ""])
