"""Rust: a function of doubles, with nothing beyond the standard library."""

from collections.abc import Sequence

from ..lowering.language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, SIGNS, Assignment, Language, Shape, numerals
from ..lowering.request import FunctionRequest
from .function_code import FunctionCode, function_code, wrapped

_RESERVED = """
abstract as async await become box break const continue crate do dyn else enum extern f64 false final fn for gen if impl
in input let loop macro match mod move mut override priv pub ref return self Self static struct super trait true try
type typeof unsafe unsized use virtual where while yield union main gradient hessian
None Some Ok Err Option Result Vec String Box Default Drop Fn FnMut FnOnce
"""
_NATIVE = (
    "abs sqrt cbrt exp exp2 log2 log10 hypot sin cos tan asin acos atan atan2 sinh cosh tanh floor ceil trunc copysign"
)
_OTHER = {"expm1": "exp_m1", "log": "ln", "log1p": "ln_1p", "pow": "powf", "round": "round_ties_even"}
_WRITTEN = {
    "mod": """\
/// The remainder of a floored division, with the sign of b.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest != 0.0 && (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
}""",
    "max": """\
/// The larger number, or nan if either is.
fn max(a: f64, b: f64) -> f64 {
    if a >= b || a.is_nan() { a } else { b }
}""",
    "min": """\
/// The smaller number, or nan if either is.
fn min(a: f64, b: f64) -> f64 {
    if a <= b || a.is_nan() { a } else { b }
}""",
    "sign": """\
/// -1, 0 or 1.
fn sign(a: f64) -> f64 {
    if a == 0.0 { 0.0 } else { a.signum() }
}""",
}


def _statement(statement: Assignment) -> str:
    return f"    let {statement.name} = {statement.text};"


def _helper(name: str, parameters: Sequence[str], statements: Sequence[Assignment], result: str, doc: str) -> list[str]:
    listed = ", ".join(f"{parameter}: f64" for parameter in parameters)
    return [f"/// {doc}", f"fn {name}({listed}) -> f64 {{", *map(_statement, statements), f"    {result}", "}"]


LANGUAGE = Language(
    shapes=ARITHMETIC
    | COMPARISONS
    | SIGNS
    | {"where": Shape("if {0} {{ {1} }} else {{ {2} }}", LOOSE, (1, LOOSE, LOOSE))},
    functions={name: f"f64::{name}" for name in _NATIVE.split()}
    | {name: f"f64::{other}" for name, other in _OTHER.items()}
    | {"mod": "modulo"},
    number=numerals("f64::NAN", "f64::INFINITY"),
    as_number=Shape("f64::from({0})", ATOM, (LOOSE,)),
    as_condition=Shape("{0} != 0.0", 4, (5,)),
    helper=_helper,
    written=_WRITTEN,
    reserved=frozenset(_RESERVED.split()),
)


def function(request: FunctionRequest, name: str) -> str:
    """A function that returns the value, the gradient and the second derivatives, as arrays in a tuple."""
    code = function_code(request, LANGUAGE, name, matrix=True)
    count = len(code.gradient)
    parameters = [f"{parameter}: f64" for parameter, _ in code.parameters]
    if code.array:
        parameters = [f"input: &[f64; {len(parameters)}]"]
    types, results = ["f64"], [code.value]
    lines = [f"    let {each} = input[{i}];" for i, (each, _) in enumerate(code.parameters) if code.array]
    lines += [f"    let _ = {each};" for each in code.unused]
    lines += map(_statement, code.statements)
    if count:
        types.append(f"[f64; {count}]")
        lines += ["    let gradient = [", *(f"        {text}," for text in code.gradient), "    ];"]
        results.append("gradient")
    if request.second:
        types.append(f"[[f64; {count}]; {count}]")
        lines += _hessian(code)
        results.append("hessian")
    if count:
        nan = [code.value, f"[{code.value}; {count}]", f"[[{code.value}; {count}]; {count}]"][: len(results)]
        lines += [f"    if {code.value}.is_nan() {{", f"        return ({', '.join(nan)});", "    }"]
    lines.append(f"    ({', '.join(results)})" if count else f"    {code.value}")
    returns = f"({', '.join(types)})" if count else "f64"
    signature = wrapped(f"pub fn {code.name}(", parameters or [""], f") -> {returns} {{")
    return "\n".join([*code.helper_lines, *_comment(code), "#[allow(non_snake_case)]", *signature, *lines, "}", ""])


def _hessian(code: FunctionCode) -> list[str]:
    """The statements for the matrix of second derivatives."""
    if code.small:
        return ["    let hessian = [", *(f"        [{', '.join(row)}]," for row in code.matrix("0.0")), "    ];"]
    count = len(code.gradient)
    lines = [f"    let mut hessian = [[0.0; {count}]; {count}];"]
    for i, j, text in code.entries():
        lines.append(f"    hessian[{i}][{j}] = {text};")
        lines += [f"    hessian[{j}][{i}] = hessian[{i}][{j}];"] * (i != j)
    return lines


def _comment(code: FunctionCode) -> list[str]:
    lines = code.returning("Returns a tuple:" if code.gradient else "Returns:")
    return [f"/// {line}".rstrip() for line in lines]
