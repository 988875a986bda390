"""Generated code: names, comments and documentation, whatever the program calls things."""

import itertools
import math
import re
from importlib import import_module
from pathlib import Path

import exported
import pytest
from exported import Job

from autodiff_cli import AutodiffError, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.export import TARGETS, export
from autodiff_cli.lowering.function_graph import function_graph
from autodiff_cli.lowering.function_request import function_request
from autodiff_cli.lowering.identifiers import Identifiers
from autodiff_cli.notation import canonical
from autodiff_cli.operations import FUNCTIONS, OPERATIONS, TABLE, Operation, register
from autodiff_cli.program import Program

every_target = pytest.mark.parametrize("target", TARGETS)
code_targets = pytest.mark.parametrize("target", [target for target in TARGETS if target not in ("latex", "julia")])


_NAMES = """
double lambda class fn end exp sin Math value gradient hessian input t1 t2 x X select table NaN inf_ unix M_PI
I E self async none None True float abs max main dp merge result y1 j0 begin __name__ _ __ step mod sigmoid len pi
x_2 ω omega жук é Δt ñ K long auto row partials np place
"""
HOSTILE = _NAMES.split()
HALVES = (HOSTILE[:33], HOSTILE[33:])


def _hostile(names: list[str]) -> Program:
    """A program in which every name is one that a language uses otherwise, or cannot have."""
    terms = [f"{name}^2" for name in names]
    terms += ["a" * 10_000, f"sigmoid({names[0]})", f"mod({names[1]}, 3)", f"max({names[2]}, 1)", f"exp({names[3]})"]
    remark = '# */ "" \\ ${x} $(x) --> """ /* ??/ %s\n# {} %n \u2028 #{x} \t\\\n'
    return parse(f"{remark}total = {' + '.join(terms)}", '*/ """ \\ ??/ #{x}\n%x.expr')


def _possible(names: list[str], target: str) -> list[str]:
    """The names that a target can have together: no table of SQL has columns that differ by case alone."""
    return list({name.lower(): name for name in names}.values()) if target == "sql" else names


@pytest.mark.slow
@pytest.mark.parametrize("names", HALVES)
@code_targets
def test_names_that_a_language_uses_otherwise(target: str, names: list[str], tmp_path: Path) -> None:
    program = _hostile(_possible(names, target))
    inputs = function_graph(function_request(program)).inputs
    numbers = itertools.cycle((0.5, 0.25, 2.0, 1.5, 0.75))
    job = Job(program, [[next(numbers) for _ in inputs]], "total", second=True)
    (answers,) = exported.run(target, [job], tmp_path)
    evaluation = evaluate(program, dict(zip(inputs, job.points[0], strict=True)))
    expected = [evaluation.value, *evaluation.gradient.values()]
    assert answers[0][: len(expected)] == pytest.approx(expected, rel=1e-13)


FUNCTIONS_OF_A_LANGUAGE = {
    "c": "strlen malloc printf exit cosf y1 cabs fmin ábs ý0 double_t index",
    "fortran": "value ieee_class ieee_is_nan iso_fortran_env ieee_arithmetic system_clock sum ÿ1 Real modulus",
    "python": "any max min ZeroDivisionError ValueError len abs print á̂bs",
    "javascript": "Math Number á̂ eval undefined",
    "rust": "f64 std Vec drop máin modulo",
}


@pytest.mark.slow
@pytest.mark.parametrize("target", FUNCTIONS_OF_A_LANGUAGE)
def test_an_output_called_like_a_function_of_the_language(target: str, tmp_path: Path) -> None:
    language = import_module(f"autodiff_cli.export.{target}").LANGUAGE
    jobs = []
    for name in FUNCTIONS_OF_A_LANGUAGE[target].split():
        program = parse(f"{name} = x/y + max(x, y) + sigmoid(x % y) + round(exp(x))")
        called = Identifiers(language).function(canonical(name))
        assert re.search(rf"\b{called}\(", export(program, target))
        jobs.append(Job(program, [[800.0, 0.0], [0.5, 2.0]], called))
    expected = [evaluate(jobs[0].program, {"x": x, "y": y}).value for x, y in jobs[0].points]
    for answers in exported.run(target, jobs, tmp_path):
        assert [answer[0] for answer in answers] == pytest.approx(expected, nan_ok=True)


@every_target
def test_a_text_of_the_users_ends_no_comment(target: str) -> None:
    for names in HALVES:
        code = export(_hostile(_possible(names, target)), target)
        assert "\u2028" not in code
        assert target == "sql" or max(map(len, code.splitlines())) < 800


@pytest.mark.parametrize(
    "table",
    ["t\nDROP TABLE victim;--", 't"; DROP TABLE victim;--', "*/ DROP TABLE victim; /*", "t\u2028DROP TABLE victim;--"],
)
def test_a_table_of_any_name_is_read_and_no_other_one_is_touched(table: str) -> None:
    connection = pytest.importorskip("duckdb").connect()
    quoted = table.replace('"', '""')
    connection.execute("CREATE TABLE victim (x DOUBLE)")
    connection.execute(f'CREATE TABLE "{quoted}" AS SELECT 3::DOUBLE AS x')
    assert connection.execute(export(parse("x^2"), "sql", table=table)).fetchall() == [(3.0, 9.0, 6.0)]
    assert connection.execute("SELECT count(*) FROM victim").fetchall() == [(0,)]


@pytest.mark.parametrize(
    ("target", "name"),
    [("c", "double"), ("c", "exp"), ("c", "y1"), ("c", "strlen"), ("c", "ábs"),
     ("c", "a b"), ("c", "ω"), ("c", ""), ("python", "def"), ("rust", "fn"),
     ("javascript", "class"), ("fortran", "real"), ("julia", "end"), ("numpy", "np")],
)  # fmt: skip
def test_a_name_that_no_function_can_have_is_refused(target: str, name: str) -> None:
    with pytest.raises(AutodiffError, match="cannot be the name of a function"):
        export(parse("x"), target, name=name)


def test_a_long_result_fits_the_lines_of_fortran(tmp_path: Path) -> None:
    program = parse("(x and x) == (x and 0.18865315071763966)")
    ((answer,),) = exported.run("fortran", [Job(program, [[2.0]], "truth")], tmp_path)
    assert answer[0] == 1


def test_many_long_names_fit_the_lines_of_fortran(tmp_path: Path) -> None:
    names = [f"a_long_name_of_an_input_{place}" for place in range(10)]
    values = "".join(f"b_{name} = exp({name}); " for name in names)
    program = parse(f"{values}total = {' + '.join(f'b_{name}^2' for name in names)}")
    ((answer,),) = exported.run("fortran", [Job(program, [[0.0] * 10], "total")], tmp_path)
    assert answer == [10.0] + [2.0] * 10


def test_the_name_that_is_offered_is_one_of_the_language() -> None:
    with pytest.raises(AutodiffError) as caught:
        export(parse("x"), "c", name="é")
    assert caught.value.hint == "another name will do, such as e_f"


_JULIA = """
abs acos acosh asin asinh atan atanh cbrt ceil copysign cos cosh exp exp2 expm1 fill floor hypot isfinite isinf isnan
log log10 log1p log2 max min mod round sign sin sinh sqrt tan tanh trunc zeros Float64
"""


def test_julia_calls_only_what_its_base_or_the_file_has() -> None:
    """Julia is not at hand to run the code, which is made as that of the other languages is."""
    for row in TABLE:
        code = export(parse(f"result = {row.example}"), "julia", hessian=True)
        code = re.sub(r'^"""\n[^"]*"""\n|^"[^"\n]*"\n', "", code, flags=re.MULTILINE)
        defined = re.findall(r"^(?:function )?(\w+)\(", code, flags=re.MULTILINE)
        assert set(re.findall(r"(\w+)\(", code)) <= {*_JULIA.split(), *defined}
        assert code.count("(") == code.count(")")
        lines = [line.strip() for line in code.splitlines()]
        assert sum(line.startswith(("function ", "if ")) for line in lines) == lines.count("end")


def test_an_operation_that_is_added_to_the_table_is_exported() -> None:
    operation = Operation("haversine", "a", ("sin(a)/2",), "half the versed sine", meaning="(1 - cos(a))/2*(1 + 0*a^2)")
    register(operation)
    try:
        code = export(parse("haversine(x)*2"), "python")
        assert "def _haversine(a):" in code
        value, (slope,) = exported.defined(code, "f")(0.5)
    finally:
        del OPERATIONS[operation.name], FUNCTIONS[operation.name]
    assert (value, slope) == pytest.approx((1 - math.cos(0.5), math.sin(0.5)))


def test_functions_are_named_after_the_output_or_the_file() -> None:
    assert "def energy(" in export(parse("energy = x^2", "model.expr"), "python")
    assert "def model(" in export(parse("x^2", "some/model.expr"), "python")
    assert "def f(" in export(parse("x^2", "2 models.expr"), "python")
    assert "def f(" in export(parse("x^2"), "python")
    assert "def g(" in export(parse("energy = x^2"), "python", name="g")
    assert "double y1_(" in export(parse("y1 = x^2"), "c")


def test_a_formula_in_latex_has_the_name_that_is_given() -> None:
    assert r"g &= x^{2} \\" in export(parse("y = x^2"), "latex", name="g")
    assert r"y &= x^{2} \\" in export(parse("y = x^2"), "latex")


def test_comments_of_the_program_are_the_documentation() -> None:
    code = export(parse("# The energy of a spring.\n\nk = 2.5   # stiffness, N/m\nE = k*x^2/2\n", "spring.expr"), "c")
    for text in (
        "The energy of a spring.",
        "k  stiffness, N/m; 2.5 in the formula",
        "Written by autodiff from spring.expr.",
    ):
        assert text in code
    assert "sin(ω*t)" in export(parse("sin(ω*t)"), "c")
