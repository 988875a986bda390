"""JavaScript: a module with a function for Node.js and browsers, and the operations of the table for a web page."""

import json
from collections.abc import Iterable

from .. import rules
from ..graph import Graph
from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, SIGNS, Shape, TargetLanguage, numerals
from ..operations import PARAMETER, Operation
from ..rules import Rule
from .function_code import FunctionCode, function_code, wrapped
from .statements import HelperFunctions, write

_RESERVED = """
arguments async await boolean break byte case catch char class const continue debugger default delete do double else
enum eval export extends false final finally float for from function get global globalThis if implements import in
Infinity instanceof int interface isNaN let long native new NaN null Number Object of package private protected public
return set short static super switch synchronized this throw throws transient true try typeof undefined var void
volatile while window with yield Array Math Symbol gradient hessian input row
"""
_NATIVE = """
abs acos acosh asin asinh atan atan2 atanh cbrt ceil cos cosh exp expm1 floor log log10 log1p log2 max min sign sin
sinh sqrt tan tanh trunc hypot
"""
_HANDWRITTEN = {
    "copysign": """\
// The first number with the sign of the second.
function copysign(a, b) {
  return b < 0 || Object.is(b, -0) ? -Math.abs(a) : Math.abs(a);
}""",
    "mod": """\
// The remainder of a floored division, with the sign of b.
function mod(a, b) {
  const rest = a % b;
  return rest === 0 ? (b < 0 ? -0 : 0) : (rest < 0) !== (b < 0) ? rest + b : rest;
}""",
    "pow": """\
// The power of IEEE arithmetic: 1 to any power is 1.
function pow(a, b) {
  return a === 1 || (a === -1 && Math.abs(b) === Infinity) ? 1 : a ** b;
}""",
    "round": """\
// The nearest whole number, halves to even.
function round(a) {
  const whole = Math.floor(a);
  const rest = a - whole;
  return rest < 0.5 || (rest === 0.5 && whole % 2 === 0) ? whole : rest >= 0.5 ? whole + 1 : a;
}""",
}


LANGUAGE = TargetLanguage(
    shapes=ARITHMETIC
    | COMPARISONS
    | SIGNS
    | {
        "eq": Shape("{0} === {1}", 4, (5, 5)),
        "ne": Shape("{0} !== {1}", 4, (5, 5)),
        "where": Shape("{0} ? {1} : {2}", LOOSE, (1, LOOSE, LOOSE)),
    },
    functions={name: f"Math.{name}" for name in _NATIVE.split()},
    number=numerals("NaN", "Infinity", lambda number: repr(number).removesuffix(".0")),
    as_number=Shape("({0} ? 1 : 0)", ATOM, (1,)),
    as_condition=Shape("{0} !== 0", 4, (5,)),
    assignment="  const {name} = {text};",
    helper="// {doc}\nfunction {name}({parameters}) {{\n{body}  return {result};\n}}",
    handwritten=_HANDWRITTEN,
    variadic=frozenset(("max", "min", "hypot")),
    reserved=frozenset(_RESERVED.split()),
    only_ascii=False,
)


def function(request: FunctionRequest, name: str) -> str:
    """A module that exports a function: it returns `{ value, gradient, hessian }`."""
    code = function_code(request, LANGUAGE, name, matrix=True)
    lines = [*code.taken_from_array("  const {name} = input[{i}];"), *code.assignments]
    value, *derivatives = code.results
    if derivatives:
        lines += ["  const gradient = [", *(f"    {text}," for text in code.gradient), "  ];"]
        lines += _hessian(code) if request.hessian else []
        nan = ["    gradient.fill(NaN);", "    for (const row of hessian) row.fill(NaN);"][: len(derivatives)]
        lines += [f"  if (Number.isNaN({value})) {{", *nan, "  }"]
    returned = "value" if value == "value" else f"value: {value}"
    lines.append(f"  return {{ {', '.join([returned, *derivatives])} }};")
    signature = wrapped(f"export function {code.name}(", code.signature(), ") {")
    return "\n".join([*code.helpers, _comment(code), *signature, *lines, "}", ""])


def _hessian(code: FunctionCode) -> list[str]:
    if code.has_small_hessian:
        return ["  const hessian = [", *(f"    [{', '.join(row)}]," for row in code.matrix("0")), "  ];"]
    count = len(code.gradient)
    lines = [f"  const hessian = Array.from({{ length: {count} }}, () => new Array({count}).fill(0));"]
    return lines + [line.removeprefix("  ") for line in code.second_derivatives("hessian[{i}][{j}]", ";")]


def _comment(code: FunctionCode) -> str:
    lines = [line.replace("*/", "* /") for line in code.returning("Returns an object with", " * ")]
    return "\n".join(["/**", *lines, " */"])


def operation_functions(pairs: Iterable[tuple[Operation, int, tuple[bool, ...]]]) -> str:
    """JavaScript that defines `operations`: how each operation of a program computes, forward and backward.

    `pairs` has the operation, the number of arguments and which arguments' adjoints are wanted, for the nodes of a
    program; an operation and a number may come several times. The text is a statement, `const operations = …;`, that
    works on its own, in a script or a module. `operations["mul/2"]`, named after the operation and the number of
    arguments, has

    - `value(a, b)`: the operation on that many numbers;
    - `pullback(adjoint, result, a, b)`: what the adjoint of the result contributes to the adjoints of the arguments,
      an array with a number for each, null for one that is not wanted or was not chosen.

    Both compute as the engine does: a result that is nan contributes nan, here to every argument. Adjoints that
    meet must be added. `polygamma` and its slope are known up to the order 9, and nan above.
    """
    wanted: dict[tuple[Operation, int], tuple[bool, ...]] = {}
    for operation, count, marks in pairs:
        before = wanted.get((operation, count), (False,) * count)
        wanted[operation, count] = tuple(one or other for one, other in zip(before, marks, strict=True))
    helpers = HelperFunctions(LANGUAGE)
    entries = [_entry(operation, count, marks, helpers) for (operation, count), marks in wanted.items()]
    texts = "".join(f"{text}\n\n" for text in helpers.texts.values())
    return f"const operations = (() => {{\n{texts}return {{\n{''.join(entries)}}};\n}})();\n"


def _entry(operation: Operation, count: int, wanted: tuple[bool, ...], helpers: HelperFunctions) -> str:
    names = [f"a{i + 1}" for i in range(count)] if operation.variadic else list(operation.names)
    value = write(_alone(operation, count), names, helpers)
    rule = rules.pullback(operation, count, wanted)
    nulls = tuple(node for node, label in rule.graph.labels.items() if label == rules.NOTHING)
    leaves = ["g", "y", *names, *["null"] * len(nulls)]
    body = write(rule._replace(parameters=rule.parameters + nulls), leaves, helpers)
    results = ["null" if node is None else text for node, text in zip(rule.results, body.results, strict=True)]
    lines = [
        f"  {json.dumps(f'{operation.name}/{count}')}: {{",
        f"    value({', '.join(names)}) {{",
        *(f"    {line}" for line in LANGUAGE.assignments(value.statements)),
        f"      return {value.results[0]};",
        "    },",
        f"    pullback({', '.join(['g', 'y', *names])}) {{",
        f"      if (y !== y) return [{', '.join(['NaN'] * count)}];",
        *(f"    {line}" for line in LANGUAGE.assignments(body.statements)),
        f"      return [{', '.join(results)}];",
        "    },",
        "  },",
    ]
    return "\n".join(lines) + "\n"


def _alone(operation: Operation, count: int) -> Rule:
    """The operation itself as a formula of its arguments."""
    graph = Graph()
    parameters = tuple(graph.add(PARAMETER) for _ in range(count))
    return Rule(graph, parameters, (graph.add(operation, parameters),))
