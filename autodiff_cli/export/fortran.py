"""Fortran: a module with a subroutine, for any compiler for Fortran 2018 or later."""

from collections.abc import Iterable, Sequence

from ..lowering.function_request import FunctionRequest
from ..lowering.target_language import ARITHMETIC, ATOM, COMPARISONS, LOOSE, Assignment, Shape, TargetLanguage, numerals
from .function_code import FunctionCode, function_code

_IEEE = "ieee_value ieee_quiet_nan ieee_positive_inf ieee_is_nan ieee_rint"
_RESERVED = f"""
dp gradient hessian input real64 {_IEEE} merge
real logical integer if then else end function subroutine module contains result
"""
_RESERVED_FUNCTIONS = """
value ieee_arithmetic ieee_exceptions ieee_features iso_c_binding iso_fortran_env cpu_time date_and_time event_query
execute_command_line get_command get_command_argument get_environment_variable move_alloc mvbits random_init
random_number random_seed system_clock
"""
_NATIVE = """
abs sqrt exp log log10 sin cos tan asin acos atan atan2 sinh cosh tanh asinh acosh atanh erf erfc gamma hypot
"""
_WIDEST = 100  # columns of a line; the standard allows 132


def _function(name: str, parameters: str, doc: str, *body: str) -> str:
    lines = [f"! {doc}", f"pure elemental function {name}({parameters}) result(y)"]
    lines += [f"    real(dp), intent(in) :: {parameters}", "    real(dp) :: y", *body, f"end function {name}"]
    return "\n".join(lines)


def _handwritten(name: str, parameters: str, doc: str, *body: str) -> str:
    return _function(name, parameters, doc, *(f"    {line}" for line in body))


_HANDWRITTEN = {
    "mod": _handwritten("modulus", "a, b", "The remainder of a floored division, with the sign of b.", "y = mod(a, b)",
                    "if (abs(y) > 0 .and. ((y < 0) .neqv. (b < 0))) y = y + b", "if (abs(y) <= 0) y = sign(y, b)"),
    "max": _handwritten("larger", "a, b", "The larger number, or nan if either is.",
                    "y = merge(a, b, a >= b .or. ieee_is_nan(a))"),
    "min": _handwritten("smaller", "a, b", "The smaller number, or nan if either is.",
                    "y = merge(a, b, a <= b .or. ieee_is_nan(a))"),
    "sign": _handwritten("signum", "a", "-1, 0 or 1.", "y = merge(sign(1.0_dp, a), a, abs(a) > 0)"),
    "floor": _handwritten("below", "a", "The largest whole number not above.", "y = aint(a)", "if (y > a) y = y - 1"),
    "ceil": _handwritten("above", "a", "The smallest whole number not below.", "y = aint(a)", "if (y < a) y = y + 1"),
}  # fmt: skip
_NAMES = {"mod": "modulus", "max": "larger", "min": "smaller", "sign": "signum", "floor": "below", "ceil": "above"}


def continued(line: str) -> list[str]:
    """A statement in lines that are not too long, broken at spaces."""
    lines = []
    while len(line) > _WIDEST and " " in line[10:]:
        at = line.rfind(" ", 10, _WIDEST)
        at = at if at > 0 else line.index(" ", 10)
        lines.append(f"{line[:at]} &")
        line = f"        {line[at + 1 :]}"
    return [*lines, line]


def _declarations(statements: Sequence[Assignment]) -> list[str]:
    lines = []
    for kind, names in (
        ("real(dp)", [each.name for each in statements if not each.condition]),
        ("logical", [each.name for each in statements if each.condition]),
    ):
        for first in range(0, len(names), 8):
            lines += continued(f"    {kind} :: {', '.join(names[first : first + 8])}")
    return lines


class _Fortran(TargetLanguage):
    """Fortran breaks long lines, and declares variables before all statements."""

    def assignments(self, statements: Iterable[Assignment]) -> list[str]:
        """The lines of assignments."""
        return [line for name, text, _ in statements for line in continued(f"    {name} = {text}")]

    def helper_function(
        self, name: str, parameters: Iterable[str], statements: Sequence[Assignment], result: str, doc: str
    ) -> str:
        """The text of a small function; `doc` describes it."""
        body = [*_declarations(statements), *self.assignments(statements), *continued(f"    y = {result}")]
        return _function(name, ", ".join(parameters), doc, *body)


LANGUAGE = _Fortran(
    shapes=ARITHMETIC
    | COMPARISONS
    | {
        "neg": Shape("-{0}", 5, (6,)),
        "pow": Shape("{0}**{1}", 8, (9, 9)),
        "ne": Shape("{0} /= {1}", 4, (5, 5)),
        "not": Shape(".not. {0}", 3, (4,)),
        "and": Shape("{0} .and. {1}", 2, (2, 3)),
        "or": Shape("{0} .or. {1}", 1, (1, 2)),
        "where": Shape("merge({1}, {2}, {0})", ATOM, (LOOSE, LOOSE, LOOSE)),
        "copysign": Shape("sign({0}, {1})", ATOM, (LOOSE, LOOSE)),
        "round": Shape("ieee_rint({0})", ATOM, (LOOSE,)),
        "trunc": Shape("aint({0})", ATOM, (LOOSE,)),
    },
    functions={name: name for name in _NATIVE.split()} | {"lgamma": "log_gamma"} | _NAMES,
    number=numerals(
        "ieee_value(1.0_dp, ieee_quiet_nan)", "ieee_value(1.0_dp, ieee_positive_inf)", lambda number: f"{number!r}_dp"
    ),
    as_number=Shape("merge(1.0_dp, 0.0_dp, {0})", ATOM, (LOOSE,)),
    as_condition=Shape("{0} /= 0", 4, (5,)),
    handwritten=_HANDWRITTEN,
    reserved=frozenset(_RESERVED.split()),
    reserved_functions=frozenset(_RESERVED_FUNCTIONS.split()),
    ignores_case=True,
    longest_operand=50,
)


def function(request: FunctionRequest, name: str) -> str:
    """A module, `name_module`, with a pure subroutine that sets the value, the gradient and the second derivatives."""
    code = function_code(request, LANGUAGE, name)
    count = len(code.gradient)
    results = ["value", *code.results[1:]]
    listed = ", ".join([*code.signature(), *results])
    lines = [*continued(f"pure subroutine {code.name}({listed})")]
    lines += _parameters(code, results)
    lines += [f"    {each} = input({i + 1})" for i, each in enumerate(code.names) if code.takes_array]
    lines += [f"    if (.false.) value = {each}" for each in code.unused]  # else a compiler warns
    lines += code.assignments
    if code.value != "value":
        lines += continued(f"    value = {code.value}")
    for i, text in enumerate(code.gradient):
        lines += continued(f"    gradient({i + 1}) = {text}")
    lines += ["    hessian = 0"] * request.hessian
    for line in code.second_derivatives("hessian({i}, {j})", first=1, chained=False):
        lines += continued(line)
    lines += [
        "    if (ieee_is_nan(value)) then",
        *(f"        {each} = value" for each in results[1:]),
        "    end if",
    ] * bool(count)
    lines.append(f"end subroutine {code.name}")
    return "\n".join([*_module(code), *code.returning("Sets:", "! "), *lines, "", f"end module {code.name}_module", ""])


def _parameters(code: FunctionCode, results: Sequence[str]) -> list[str]:
    """The declarations of the parameters and of the variables."""
    count, names = len(code.gradient), code.names
    lines = [f"    real(dp), intent(in) :: {', '.join(names[first : first + 8])}" for first in range(0, len(names), 8)]
    if code.takes_array:
        lines = [line.replace(", intent(in)", "") for line in lines]
        lines.insert(0, f"    real(dp), intent(in) :: input({len(names)})")
    shapes = ["value", f"gradient({count})", f"hessian({count}, {count})"][: len(results)]
    statements = [each for each in code.statements if each.name != "value"]
    lines.append(f"    real(dp), intent(out) :: {', '.join(shapes)}")
    return [*(part for line in lines for part in continued(line)), *_declarations(statements)]


def _module(code: FunctionCode) -> list[str]:
    return [
        f"module {code.name}_module",
        "use, intrinsic :: iso_fortran_env, only: dp => real64",
        *continued(f"use, intrinsic :: ieee_arithmetic, only: {', '.join(_IEEE.split())}"),
        "implicit none",
        "private",
        f"public :: {code.name}",
        "",
        "contains",
        "",
        *code.helpers,
    ]
