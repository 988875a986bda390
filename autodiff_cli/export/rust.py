"""Rust: a function of doubles, with nothing beyond the standard library."""

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, SIGNS, Shape, TargetLanguage, numerals
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
_HANDWRITTEN = {
    "mod": """\
/// The remainder of a floored division, with the sign of b.
fn modulo(a: f64, b: f64) -> f64 {
    let rest = a % b;
    if rest == 0.0 { rest.copysign(b) } else if (rest < 0.0) != (b < 0.0) { rest + b } else { rest }
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


LANGUAGE = TargetLanguage(
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
    assignment="    let {name} = {text};",
    parameter="{}: f64",
    helper="/// {doc}\nfn {name}({parameters}) -> f64 {{\n{body}    {result}\n}}",
    handwritten=_HANDWRITTEN,
    reserved=frozenset(_RESERVED.split()),
)


def function(request: FunctionRequest, name: str) -> str:
    """A function that returns the value, the gradient and the second derivatives, as arrays in a tuple."""
    code = function_code(request, LANGUAGE, name, matrix=True)
    count = len(code.gradient)
    lines = code.taken_from_array("    let {name} = input[{i}];")
    lines += [*(f"    let _ = {name};" for name in code.unused), *code.assignments]
    types, nan = (
        ", ".join([each, f"[{each}; {count}]", f"[[{each}; {count}]; {count}]"][: len(code.results)])
        for each in ("f64", code.value)
    )
    if count:
        lines += ["    let gradient = [", *(f"        {text}," for text in code.gradient), "    ];"]
        lines += _hessian(code) if request.hessian else []
        lines += [f"    if f64::is_nan({code.value}) {{", f"        return ({nan});", "    }"]
    lines.append(f"    ({', '.join(code.results)})" if count else f"    {code.value}")
    returns = f"({types})" if count else "f64"
    parameters = code.signature(f"input: &[f64; {len(code.names)}]")
    signature = wrapped(f"pub fn {code.name}(", parameters, f") -> {returns} {{")
    comment = code.returning("Returns a tuple:" if count else "Returns:", "/// ")
    return "\n".join([*code.helpers, *comment, "#[allow(non_snake_case)]", *signature, *lines, "}", ""])


def _hessian(code: FunctionCode) -> list[str]:
    if code.has_small_hessian:
        return ["    let hessian = [", *(f"        [{', '.join(row)}]," for row in code.matrix("0.0")), "    ];"]
    count = len(code.gradient)
    lines = [f"    let mut hessian = [[0.0; {count}]; {count}];"]
    return lines + code.second_derivatives("hessian[{i}][{j}]", ";", chained=False)
