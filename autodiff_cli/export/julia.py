"""Julia: a function of numbers, with nothing beyond Base."""

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, SIGNS, Shape, TargetLanguage, numerals
from .function_code import FunctionCode, function_code, wrapped

_RESERVED = """
baremodule begin break catch const continue do else elseif end export false finally for function global if import in
isa let local macro module mutable primitive public quote return struct abstract type true try using where while
outer gradient hessian input ans im pi e nothing missing Inf NaN fill isfinite isinf isnan zeros Float64
"""
_NATIVE = "abs exp expm1 exp2 cbrt hypot sinh cosh tanh asinh atan copysign sign floor ceil trunc round mod max min"
_DOMAINS = {
    "log": "a < 0", "log2": "a < 0", "log10": "a < 0", "log1p": "a < -1", "sqrt": "a < 0", "sin": "isinf(a)",
    "cos": "isinf(a)", "tan": "isinf(a)", "asin": "abs(a) > 1", "acos": "abs(a) > 1", "acosh": "a < 1",
    "atanh": "abs(a) > 1",
}  # fmt: skip
"""functions that throw an error, and where"""
_HANDWRITTEN = {
    name: f'"{name}, NaN outside of its domain"\n_{name}(a) = {where} ? NaN : {name}(a)\n'
    for name, where in _DOMAINS.items()
} | {
    "pow": '"The real power, NaN where there is none"\n'
    "_pow(a, b) = a < 0 && isfinite(b) && b != round(b) ? (isinf(a) ? Inf^b : NaN) : a^b\n",
}


LANGUAGE = TargetLanguage(
    shapes=ARITHMETIC
    | COMPARISONS
    | SIGNS
    | {"where": Shape("{0} ? {1} : {2}", LOOSE, (1, LOOSE, LOOSE)), "atan2": Shape("atan({0}, {1})", ATOM, (0, 0))},
    functions={name: name for name in _NATIVE.split()} | {name: f"_{name}" for name in _HANDWRITTEN},
    number=numerals("NaN", "Inf"),
    as_number=Shape("Float64({0})", ATOM, (LOOSE,)),
    as_condition=Shape("{0} != 0", 4, (5,)),
    assignment="    {name} = {text}",
    helper='"{doc}"\nfunction {name}({parameters})\n{body}    return {result}\nend\n',
    handwritten=_HANDWRITTEN,
    helper_prefix="_",
    variadic=frozenset(("max", "min", "hypot")),
    reserved=frozenset(_RESERVED.split()),
    only_ascii=False,
)


def function(request: FunctionRequest, name: str) -> str:
    """A function that returns the value, the gradient as a vector and the second derivatives as a matrix."""
    code = function_code(request, LANGUAGE, name, matrix=True)
    lines = [
        f"    {name} = Float64({f'input[{i}]' if code.takes_array else name})" for i, name in enumerate(code.names, 1)
    ]
    lines += code.assignments
    value, *derivatives = code.results
    if derivatives:
        lines += ["    gradient = Float64[", *(f"        {text}," for text in code.gradient), "    ]"]
        lines += _hessian(code) if request.hessian else []
        lines += [f"    if isnan({value})", *(f"        fill!({each}, NaN)" for each in derivatives), "    end"]
    lines.append(f"    return {', '.join(code.results)}")
    signature = wrapped(f"function {code.name}(", code.signature(), ")")
    return "\n".join([*code.helpers, _comment(code), *signature, *lines, "end", ""])


def _hessian(code: FunctionCode) -> list[str]:
    if code.has_small_hessian:
        rows = [f"        {' '.join(f'({text})' for text in row)};" for row in code.matrix("0.0")]
        return ["    hessian = Float64[", *rows, "    ]"]
    lines = [f"    hessian = zeros({len(code.gradient)}, {len(code.gradient)})"]
    return lines + code.second_derivatives("hessian[{i}, {j}]", first=1)


def _comment(code: FunctionCode) -> str:
    lines = code.returning("Returns a tuple:" if code.gradient else "Returns:")
    text = "\n".join(lines).replace("\\", "\\\\").replace('"', '\\"').replace("$", "\\$")
    return f'"""\n{text}\n"""'
