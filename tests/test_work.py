"""Bounds on the work of a computation."""

import math
from collections.abc import Callable
from threading import Thread

import pytest
from mpmath import mpf

from autodiff_cli import parse, solve
from autodiff_cli.arithmetic.multiprecision import Multiprecision
from autodiff_cli.certification.certify import certify
from autodiff_cli.derivatives.differentiate import differentiate
from autodiff_cli.derivatives.hessian import hessian
from autodiff_cli.derivatives.scalar_function import ScalarFunction
from autodiff_cli.derivatives.taylor import taylor
from autodiff_cli.drawing.picture import Picture
from autodiff_cli.errors import AutodiffError
from autodiff_cli.evaluation import evaluate
from autodiff_cli.gradient_check.checker import check
from autodiff_cli.gradient_check.verify import Verification, verify
from autodiff_cli.operations import OPERATIONS
from autodiff_cli.root_finding import equations
from autodiff_cli.root_finding.isolation import isolate
from autodiff_cli.vectorized.computation import Computation
from autodiff_cli.work import TooMuchWorkError, Work, allow, apart, left, price, spend


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
    evaluation, square, claim = evaluate(series, {"x": 2.5}), parse("x^2"), parse("x + 1")
    with Work(2e-5):
        assert math.isnan(evaluate(product, {"x": 0}).gradient["x"])
    with Work(1e-4):
        expansion = taylor(evaluation, 3)
    assert expansion.unsettled == 1 and math.isfinite(expansion.coefficients[0])
    monkeypatch.setattr(equations, "_SECONDS", 0.0)
    assert not solve("x^2 = lgamma(x + 7)", start={"x": 2.0}).roots
    with Work(1e-5):
        assert verify(square, {"x": claim}, [{"x": 3.0}, {"x": 4.0}]) == Verification(0, 2, None)


def test_work_is_counted_for_digits_that_cancel() -> None:
    exact = Multiprecision(480)
    work = Work(1.0)
    with work:
        exact.function(OPERATIONS["erfc"], 1)(exact.number(1.5))
        few, work.left = 1.0 - work.left, 1.0
        assert few > 0
        exact.function(OPERATIONS["erfc"], 1)(exact.number(33.3))
    assert 1.0 - work.left > 10 * few


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
    with Work(1.0) as bound:
        compute()
    assert 0 < 1 - bound.left < 0.5
    with Work(0.0), pytest.raises(AutodiffError, match="more work"):
        compute()


def test_a_text_unfolds_within_its_work() -> None:
    with Work(0.001), pytest.raises(AutodiffError, match="unfold to more than 5,248 nodes"):
        parse("sum(i, 1, 6000, i*x)")
    with Work(0.001), pytest.raises(AutodiffError, match="unfold to more than 9,496"):
        parse("f(x) = x*x*x; sum(i, 1, 5000, f(i*x))")


def test_more_terms_and_orders_are_more_work() -> None:
    def spent(terms: int, order: int) -> float:
        with Work(10.0) as bound:
            taylor(evaluate(parse(f"sum(i, 1, {terms}, sin(i*x))"), {"x": 0.3}), order)
        return 10 - bound.left

    assert 2 * spent(1000, 2) < spent(4000, 2) < spent(4000, 20)


def test_a_check_without_work_is_undecided() -> None:
    with Work(0.01):
        (verdict,) = check(_SUM, {"x": 0.3})
    assert verdict.verdict == "undecided"


# ---- Bounds ----------------------------------------------------------------------------------------------------------


def test_bounds_within_each_other_count_together_and_a_thread_has_its_own() -> None:
    seen: list[float] = []
    with Work(2.0) as outer, Work(1.0) as inner:
        spend(0.5)
        assert (outer.left, inner.left, left()) == (1.5, 0.5, 0.5)
        with apart():
            spend(0.25)
            assert left() == 0.25
        allow(0.5)
        assert (outer.left, inner.left) == (2.0, 1.0)
        thread = Thread(target=lambda: seen.append(left()))
        thread.start()
        thread.join()
    assert seen == [math.inf] and left() == math.inf


def test_what_a_text_allows_is_there_even_after_too_much() -> None:
    with Work(0.1) as work:
        with pytest.raises(TooMuchWorkError):
            spend(5)
        parse("x + y")
        assert work.left == pytest.approx(0.005)


def test_slow_functions_of_doubles_are_work_too() -> None:
    digamma = parse("digamma(x)")
    with Work(1.0) as work:
        evaluate(digamma, {"x": -3.7})
    assert 1 - work.left >= price(OPERATIONS["digamma"], 25)


def test_more_digits_of_enclosures_and_slower_functions_are_more_work() -> None:
    def spent(formula: str, digits: int) -> float:
        program = parse(formula)
        with Work(100.0) as bound:
            certify(program, {"x": 0.3}, digits=digits)
        return 100 - bound.left

    assert spent("x*x", 2000) < spent("sin(x)", 2000) < min(spent("sin(x)", 9000), spent("digamma(x)", 2000))


def test_parts_of_ranges_plans_of_columns_and_pictures_are_work() -> None:
    for compute in (
        lambda: isolate(ScalarFunction(_SUM, ["x"], {}), 0.1, 1.0),
        lambda: Computation(_SUM, ["x"], {}),
        lambda: Picture.of(_SUM),
    ):
        with Work(0.0), pytest.raises(TooMuchWorkError):
            compute()
