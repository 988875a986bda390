"""Generated code: what is computed and at what cost, names and documentation."""

import math
import re
from collections.abc import Callable, Iterator
from pathlib import Path

import exported
import pytest
from exported import Job
from places import CORPORA, EXAMPLES, records

from autodiff_cli import AutodiffError, parse
from autodiff_cli.evaluation import evaluate
from autodiff_cli.export import TARGETS, c, export
from autodiff_cli.lowering import lowering
from autodiff_cli.lowering.function_graph import FunctionGraph, function_graph
from autodiff_cli.lowering.function_request import function_request
from autodiff_cli.operations import OPERATIONS

EXPRESSIONS = sorted(EXAMPLES.glob("*.expr"))
every_target = pytest.mark.parametrize("target", TARGETS)
code_targets = pytest.mark.parametrize("target", [target for target in TARGETS if target not in ("latex", "julia")])


def _plan(text: str, **options: object) -> FunctionGraph:
    return function_graph(function_request(parse(text), **options))  # type: ignore[arg-type]


# ---- What is computed ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("x^2", ["value = x*x", "gradient[0] = 2.0*x"]),
        ("x^3", ["t1 = x*x", "value = t1*x", "gradient[0] = 3.0*t1"]),
        ("a - b", ["value = a - b", "gradient[0] = 1.0", "gradient[1] = -1.0"]),
        ("2*pi*x", ["value = 6.283185307179586*x", "gradient[0] = 6.283185307179586"]),
        ("relu(x)", ["value = max(x, 0.0)", "gradient[0] = x > 0.0 ? 1.0 : 0.0"]),
        ("where(x < y, x, y)", ["t1 = x < y", "value = t1 ? x : y", "gradient[0] = t1 ? 1.0 : 0.0",
                                "gradient[1] = t1 ? 0.0 : 1.0"]),
        ("h(r) = where(abs(r) < 1, r^2/2, abs(r)); h(x)", ["t1 = fabs(x)", "t2 = t1 < 1.0",
                                                          "value = t2 ? x*x/2.0 : t1",
                                                          "gradient[0] = t2 ? x : sign(x)"]),
        ("n = x*w; o = n*n", ["n = x*w", "value = n*n", "d_n = n + n", "gradient[0] = d_n*w", "gradient[1] = d_n*x"]),
        ("x and y > 1", ["gradient[0] = 0.0", "gradient[1] = 0.0"]),
        ("where(x, 1, 2)", ["value = x != x ? (double)NAN : x != 0.0 ? 1.0 : 2.0", "gradient[0] = 0.0"]),
    ],
)  # fmt: skip
def test_code_is_what_a_person_would_write(text: str, lines: list[str]) -> None:
    code = export(parse(text), "c")
    body = code[code.rindex("{\n", 0, code.index("if (isnan")) + 2 :]
    assert [re.sub(r"^(const )?(double |int )?", "", line.strip(" ;")) for line in body.splitlines()][
        : len(lines)
    ] == lines


@every_target
def test_an_input_that_nothing_is_left_of_is_still_a_parameter(target: str) -> None:
    for hessian in (False, True):
        assert export(parse("where(flag, x, y)"), target, wrt=["x"], fixed={"flag": 1.0}, hessian=hessian)


def test_a_constant_without_a_gradient_is_a_result_of_numpy() -> None:
    pytest.importorskip("numpy")
    code = export(parse("where(2 < 2, y, sqrt(0.25))"), "numpy", wrt=[])
    assert exported.defined(code, "f")(1.0) == 0.5


@pytest.mark.parametrize("exponent", [0.5, 2.0, -0.5, 1.5])
def test_powers_of_numpy_arrays_by_a_number_are_those_of_numbers(exponent: float) -> None:
    numpy = pytest.importorskip("numpy")
    bases = [-math.inf, -4.0, 0.0, 4.0, math.inf]
    for text, arguments in (("x^y", [exponent]), (f"x^{exponent}", [])):
        f = exported.defined(export(parse(text), "numpy"), "f")
        together, _ = f(numpy.array(bases), *arguments)
        alone = [evaluate(parse(text), {"x": x, "y": exponent}).value for x in bases]
        assert together.tolist() == pytest.approx(alone, nan_ok=True)


def test_a_function_of_numpy_may_be_called_map() -> None:
    numpy = pytest.importorskip("numpy")
    value, _ = exported.defined(export(parse("map = log(x, b)"), "numpy"), "map_")(numpy.array([8.0, 9.0]), 3.0)
    assert value == pytest.approx([math.log(8, 3), 2.0])


@pytest.mark.parametrize("text", ["x > nan or y > nan", "where(2 < 2, x, y)", "where(2 < 2, x + y, 2)", "x + y"])
def test_numpy_results_have_the_shape_of_the_inputs_even_if_they_are_constant(text: str) -> None:
    numpy = pytest.importorskip("numpy")
    x, y = numpy.ones((3, 1)), numpy.ones(4)
    code = export(parse(text), "numpy", hessian=True)
    shapes = [numpy.shape(part) for part in exported.defined(code, "f")(x, y)]
    assert shapes == [(3, 4), (2, 3, 4), (2, 2, 3, 4)]


@pytest.mark.parametrize("text", ["acos(1 - x)^2", "cos(sqrt(x))", "cbrt(x)^3", "sqrt(x^4)", "hypot(sqrt(x), 0*x)"])
def test_zero_times_infinity_is_nan_and_what_was_not_chosen_is_zero(text: str) -> None:
    value, (partial,) = exported.defined(export(parse(text), "python"), "f")(0.0)
    assert math.isfinite(value)
    assert math.isnan(partial)
    assert exported.defined(export(parse(f"where(x > 0, {text}, 1)"), "python"), "f")(0.0) == (1.0, (0.0,))


@pytest.mark.parametrize(
    ("text", "x"),
    [("1/exp(x)", 400.0), ("recip(exp(x))", 400.0), ("x^3/(exp(x) - 1)", 400.0), ("exp(x)/(1 + exp(x))^2", 300.0),
     ("x/sinh(x)", 500.0), ("1/x^3", 1e70), ("1/(1/x)", 1e-200)],
)  # fmt: skip
def test_a_divisor_whose_own_slope_is_out_of_range_loses_no_gradient(text: str, x: float) -> None:
    _, (slope,) = exported.defined(export(parse(text), "python"), "f")(x)
    assert slope == pytest.approx(evaluate(parse(text), {"x": x}).gradient["x"], rel=1e-13, abs=0)


@pytest.mark.parametrize(
    ("text", "wrt"), [("u = x^2; u + x^2", "u"), ("n = x*1; 2*n*n + x", "n"), ("u = 2^2; u + 4*x", "u")]
)
def test_what_equals_a_named_value_is_not_differentiated_by(text: str, wrt: str) -> None:
    program = parse(text)
    expected = evaluate(program, {"x": 3.0}, [wrt]).gradient[wrt]
    code = export(program, "python", wrt=[wrt])
    assert exported.defined(code, "f")(3.0)[1] == (expected,)


def test_derivatives_by_a_number_hold_it() -> None:
    code = export(parse("pi^2*r"), "python", wrt=["pi", "r"], hessian=True)
    _, gradient, hessian = exported.defined(code, "f")(3.0)
    assert gradient == pytest.approx((6 * math.pi, math.pi**2))
    assert hessian == (pytest.approx((6.0, 2 * math.pi)), pytest.approx((2 * math.pi, 0.0)))
    code = export(parse("y = x; y^2*z"), "python", wrt=["y"], fixed={"x": 3.0})
    assert exported.defined(code, "f")(5.0) == (45.0, (30.0,))


def test_what_is_set_is_a_number() -> None:
    code = export(parse("a*x^2 + pi"), "python", fixed={"a": 3.0, "pi": 3.0})
    assert "def f(x):" in code
    assert "value = 3.0*(x*x) + 3.0" in code
    assert "Here a = 3, pi = 3." in code


@every_target
def test_other_derivatives_than_those_of_all_inputs(target: str) -> None:
    program = parse("q = a*b; n = x*w; o = tanh(n)")
    assert export(program, target, wrt=["n", "x"])
    assert export(program, target, wrt=["q"])
    with pytest.raises(AutodiffError, match="neither in the program"):
        export(program, target, wrt=["z"])
    with pytest.raises(AutodiffError, match="set to a number"):
        export(program, target, wrt=["x"], fixed={"x": 1.0})
    with pytest.raises(AutodiffError, match="is computed"):
        export(program, target, wrt=["n"], hessian=True)
    with pytest.raises(AutodiffError, match="computed by the program"):
        export(program, target, fixed={"n": 1.0})


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        "3",
        "x",
        "x > 1",
        "inf",
        "-x",
        "nan*x",
        "0*x",
        "x - x",
        "where(1, x, y)",
        "where(1 > 0, 1, x)",
        "where(x > y, 0, 1.5)",
    ],
)
@code_targets
def test_the_smallest_programs(target: str, text: str, tmp_path: Path) -> None:
    program = parse(text)
    job = Job(program, [[0.5] * len(function_graph(function_request(program)).inputs)], "f", second=True)
    (answers,) = exported.run(target, [job], tmp_path)
    evaluation = evaluate(program, dict(zip(job.function.inputs, job.points[0], strict=True)))
    expected = [evaluation.value, *(evaluation.gradient[name] for name in job.function.inputs)]
    assert answers[0][: len(expected)] == pytest.approx(expected, nan_ok=True)


@pytest.mark.parametrize("text", ["where(x > 0, 1, 2)", "sqrt(x)", "max(x, 1)", "x > 0", "2*x", "where(1, 3, x)"])
def test_a_null_among_the_inputs_of_sql_gives_null(text: str) -> None:
    connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE points AS SELECT NULL::DOUBLE AS x, 2::DOUBLE AS y")
    ((x, *results),) = connection.execute(export(parse(f"result = {text}"), "sql", hessian=True)).fetchall()
    assert {x, *results} == {None}
    ((_, _, *results),) = connection.execute(export(parse(f"where(y > 1, y, {text})"), "sql")).fetchall()
    assert results == [None] * 3


def test_a_column_that_is_kept_twice_is_one() -> None:
    assert export(parse("x"), "sql", keep=["id", "id"]) == export(parse("x"), "sql", keep=["id"])


def test_sql_without_inputs_has_a_row_for_each_of_the_table() -> None:
    connection = pytest.importorskip("duckdb").connect()
    connection.execute("CREATE TABLE points AS SELECT * FROM (VALUES (1), (2))")
    assert connection.execute(export(parse("2*pi"), "sql")).fetchall() == [(2 * math.pi,)] * 2


@pytest.mark.parametrize(
    ("table", "quoted"),
    [("points", '"points"'), ("lab.points", '"lab"."points"'), ("lab.tab", '"lab"."tab"'), ("a.csv.gz", '"a.csv.gz"'),
     ("A.CSV", '"A.CSV"'), ("a.jsonl", '"a.jsonl"'), ("data/a.parquet", '"data/a.parquet"')],
)  # fmt: skip
def test_a_table_of_sql_may_be_a_file(table: str, quoted: str) -> None:
    assert f"FROM {quoted}\n" in export(parse("x"), "sql", table=table)


# ---- How much it costs -----------------------------------------------------------------------------------------------


def _examples() -> Iterator[tuple[str, str]]:
    yield from ((path.name, path.read_text(encoding="utf-8")) for path in EXPRESSIONS)


def _corpora() -> Iterator[tuple[str, str]]:
    for name in ("feynman", "adbench", "peer_derivatives"):
        for record in records(f"{name}.jsonl")[::4]:
            yield str(record["id"]), record["text"].replace("nthRoot", "nthroot")
    for path in CORPORA.glob("**/*.expr"):
        yield path.name, path.read_text(encoding="utf-8")


@pytest.mark.parametrize("formulas", [_examples, pytest.param(_corpora, marks=pytest.mark.slow)])
def test_a_gradient_costs_at_most_five_times_its_value(formulas: Callable[[], Iterator[tuple[str, str]]]) -> None:
    """In operations, a function of the language's counting as one, whatever the number of inputs.

    A rule that is accurate everywhere may have more: that of a power whose exponent is a variable, of a root, of the
    error function, and of the choice of the largest or smallest.
    """
    for name, text in formulas():
        made = _plan(text)
        rows = [made.graph.operations[node] for node in made.graph.needed([made.value])]
        powers = sum(row.name in ("pow", "nthroot", "erf", "erfc") and row is OPERATIONS[row.name] for row in rows)
        choices = sum(row.name in ("max", "min", "clip") for row in rows)
        graph, copies = lowering.lowered(c.LANGUAGE, made.graph, made.inputs.values(), [made.value, *made.gradient])
        value, everything = (
            sum(1 for node in graph.needed(copies[each] for each in results) if graph.arguments[node])
            for results in ([made.value], [made.value, *made.gradient])
        )
        assert everything <= 5 * value + 20 * powers + 5 * choices + 5, (name, value, everything)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["c", "python", "sql", "latex"])
def test_code_grows_in_proportion_to_the_program(target: str) -> None:
    sizes = [
        len(export(parse("a = x\n" + "a = where(a > y, sin(a)*x + y, max(a, x))\n" * depth), target).splitlines())
        for depth in (100, 200)
    ]
    assert sizes[1] < 2.2 * sizes[0]


@pytest.mark.slow
@every_target
def test_a_program_nested_deeply_and_one_with_many_inputs_are_exported(target: str) -> None:
    assert export(parse("(" * 5000 + "x" + "+1)" * 5000), target)
    text = " + ".join(f"x{i}*y{i}^2" for i in range(2000))
    code = export(parse(text), target)
    assert code.count("\n") < 30_000


def test_second_derivatives_use_the_sparsity() -> None:
    pairs = "; ".join(f"p{i} = 100*(y{i} - x{i}^2)^2 + (1 - x{i})^2" for i in range(300))
    made = _plan(f"{pairs}; {' + '.join(f'p{i}' for i in range(300))}", hessian=True)
    assert len(made.hessian) == 900
    assert exported.size(made) < 300 * 40


@pytest.mark.slow
@code_targets
def test_many_inputs_come_as_an_array(target: str, tmp_path: Path) -> None:
    program = parse(" + ".join(f"x{i}*x{i + 1}" for i in range(50)))
    point = [float(i % 7 + 1) for i in range(51)]
    job = Job(program, [point], "total", second=True)
    (answers,) = exported.run(target, [job], tmp_path)
    evaluation = evaluate(program, dict(zip(job.function.inputs, point, strict=True)))
    assert answers[0][:52] == [evaluation.value, *evaluation.gradient.values()]
    assert answers[0][52:] == [float(abs(i - j) == 1) for i in range(51) for j in range(51)]
