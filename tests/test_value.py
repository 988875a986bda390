"""`Value`, in micrograd's manner."""

import copy
import gc
import math
import pickle
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli import Value


def test_the_example_that_micrograd_is_known_by() -> None:
    a = Value(-4.0)
    b = Value(2.0)
    c = a + b
    d = a * b + b**3
    c += c + 1
    c += 1 + c + (-a)
    d += d * 2 + (b + a).relu()
    d += 3 * d + (b - a).relu()
    e = c - d
    f = e**2
    g = f / 2.0
    g += 10.0 / f
    assert f"{g.data:.4f}" == "24.7041"
    g.backward()
    assert f"{a.grad:.4f}" == "138.8338"
    assert f"{b.grad:.4f}" == "645.5773"


def test_a_value_used_many_times_collects_its_gradient_from_every_place() -> None:
    x = Value(-4.0)
    z = 2 * x + 2 + x
    q = z.relu() + z * x
    h = (z * z).relu()
    y = h + q + q * x
    y.backward()
    assert (y.data, x.grad) == (-20.0, 46.0)


def test_backward_twice_gives_the_same_gradients() -> None:
    a = Value(3.0)
    b = a + a
    b.backward()
    b.backward()
    assert a.grad == 2.0


def test_backward_clears_what_another_output_left() -> None:
    a = Value(3.0)
    b = a * 2
    (b * 10).backward()
    (b * 1).backward()
    assert (a.grad, b.grad) == (2.0, 1.0)


def test_numbers_stand_on_either_side_of_every_operator() -> None:
    x = Value(3.0)
    results = [x + 2, 2 + x, x - 2, 2 - x, x * 2, 2 * x, x / 2, 2 / x, x % 2, 2 % x, x**2, 2**x, -x, +x, abs(-x)]
    expected = [5, 5, 1, -1, 6, 6, 1.5, 2 / 3, 1, 2, 9, 8, -3, 3, 3]
    assert [result.data for result in results] == expected


def test_arrays_stand_on_either_side_of_every_operator() -> None:
    numpy: Any = pytest.importorskip("numpy", reason="arrays need NumPy")
    x, array = Value(3.0), numpy.array([1.0, 2.0])
    results = [x + array, array + x, x - array, x * array, x / array, x % array, x**array, x * numpy.array([x, x])]
    expected = [[4, 5], [4, 5], [2, 1], [3, 6], [3, 1.5], [0, 1], [3, 9], [9, 9]]
    assert [[entry.data for entry in result] for result in results] == expected
    assert (x * numpy.array(2.0)).data == 6


def test_values_are_compared_and_formatted_as_their_numbers_are() -> None:
    x, y = Value(3.0), Value(-1.0)
    assert (x > y, x >= 3, x < 3, y > math.nan) == (True, True, False, False)
    assert (max(0, y), max(x, y), sorted([x, y])) == (0, x, [y, x])
    assert (x == Value(3.0), x == x, x != y) == (False, True, True)
    assert (f"{x:.2f}", f"{y:5.1f}|", f"{x}") == ("3.00", " -1.0|", str(x))
    with pytest.raises(TypeError, match="not supported between instances of 'str' and 'Value'"):
        sorted([x, "4"])  # type: ignore[type-var]  # which is refused
    branch = x**2 if x > 0 else -x
    branch.backward()
    assert x.grad == 6.0


def test_a_power_may_have_a_value_as_its_exponent() -> None:
    x, n = Value(2.0), Value(3.0)
    y = x**n
    y.backward()
    assert (y.data, x.grad) == (8.0, 12.0)
    assert n.grad == pytest.approx(8 * math.log(2))


def test_a_constant_exponent_takes_no_logarithm() -> None:
    x = Value(-3.0)
    (x**2).backward()
    assert x.grad == -6.0


def test_a_value_knows_how_it_was_made() -> None:
    a, b = Value(2.0, label="a"), Value(-3.0)
    c = a * b
    c.label = "c"
    assert (c.op, c.args, c.label) == ("*", (a, b), "c")
    assert (a.op, a.args, a.tanh().op) == ("", (), "tanh")
    assert repr(a) == "Value(data=2.0, grad=0.0, label='a')"


def test_functions_take_several_arguments_and_defaults() -> None:
    x = Value(8.0)
    assert x.log(2).data == 3.0
    assert x.max(1, 9).data == 9.0
    assert x.nthroot(3).data == 2.0
    assert (x - 8).where(1, 2).data == 2.0
    assert (-x).leaky_relu().data == -0.08
    with pytest.raises(TypeError, match="sin does not take 2 arguments"):
        x.sin(2)


@pytest.mark.parametrize("given", ["1", "abc", 1j, None, [1.0]])
def test_what_is_no_number_is_refused(given: Any) -> None:
    _refuses(given)


def test_what_is_no_real_number_of_numpy_is_refused() -> None:
    numpy: Any = pytest.importorskip("numpy", reason="arrays need NumPy")
    for given in (1 + 2j, "3", b"3", numpy.datetime64(1, "s"), numpy.timedelta64(1, "s")):
        _refuses(numpy.asarray(given)[()])
        _refuses(numpy.asarray(given))
    _refuses(numpy.array([1 + 2j]))


def _refuses(given: Any) -> None:
    x = Value(2.0)
    for call in (lambda: x * given, lambda: given + x, lambda: x**given, lambda: x.max(given), lambda: Value(given)):
        with pytest.raises(TypeError):
            call()


def test_the_order_of_a_function_is_a_whole_number() -> None:
    x = Value(1.3)
    slope = x.polygamma(1)
    slope.backward()
    assert (slope.data, x.grad) == (x.trigamma().data, x.polygamma(2).data)
    for order in (1.5, -1, Value(1.0), "1", math.nan):
        with pytest.raises(TypeError, match=r"the order of polygamma is .*, not a whole number, 0 or more, as in x\.p"):
            x.polygamma(order)


@pytest.mark.slow
def test_the_types_of_operators_allow_every_real_number(tmp_path: Path) -> None:
    pytest.importorskip("numpy", reason="arrays need NumPy")
    mypy: Any = pytest.importorskip("mypy.api")
    calls = tmp_path / "calls.py"
    calls.write_text("""
from decimal import Decimal
from fractions import Fraction
import numpy
from autodiff_cli import Value
x = Value(Fraction(1, 2))
results: list[Value] = [x * Fraction(1, 2), Decimal(2) * x, x ** numpy.float32(2), x + 1, True / x, x.max(Decimal(3))]
""")
    assert mypy.run(["--strict", str(calls)]) == ("Success: no issues found in 1 source file\n", "", 0)


@pytest.mark.slow
def test_a_chain_of_a_hundred_thousand_values_needs_no_recursion() -> None:
    x = Value(1.0)
    y = x
    for _ in range(100_000):
        y = y * 1.0
    y.backward()
    assert x.grad == 1.0


def test_a_long_chain_can_be_copied_together_with_what_it_was_computed_from() -> None:
    x = value = Value(2.0, "x")
    for _ in range(10_000):
        value = value * 0.9 + 0.1
    copied, of_x = copy.deepcopy((value, x))
    copied.backward()
    assert (copied.data, of_x.label, of_x.data, x.grad) == (value.data, "x", 2, 0)
    assert of_x.grad == pytest.approx(0.9**10_000)


@pytest.mark.parametrize("dumps", [pickle.dumps, pickle._dumps])  # type: ignore[attr-defined]  # that of Python alone
@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_a_long_chain_can_be_pickled(dumps: Callable[..., bytes], protocol: int) -> None:
    x = middle = Value(2.0, "x")
    for _ in range(3_000):
        middle = middle * 0.9
    value = middle + x
    for order in ((0, 1, 2), (2, 1, 0), (1, 2, 0)):
        kept = {place: (x, middle, value)[place] for place in order}
        copied = pickle.loads(dumps(kept, protocol))  # noqa: S301  # it is our own
        assert list(copied) == list(order)
        assert copied[2].args == (copied[1], copied[0])
        assert (copied[0].label, copied[2].data) == ("x", value.data)


def test_a_shallow_copy_is_another_value_of_the_same_arguments() -> None:
    x = Value(2.0)
    value = x * x
    copied = copy.copy(value)
    assert copied is not value
    assert (copied.data, copied.op, copied.args) == (4, "*", (x, x))


def test_a_copy_is_of_the_same_class_and_has_copies_of_its_attributes() -> None:
    class Tagged(Value):
        tags: list[Value]

    x = Tagged(1.0)
    x.tags = [x]
    copied = copy.deepcopy(x)
    assert isinstance(copied, Tagged)
    assert copied.tags[0] is copied


def test_values_go_when_they_are_no_longer_used() -> None:
    class Weak(Value):
        __slots__ = ("__weakref__",)

    x = Weak(1.0)
    seen = weakref.ref(x)
    gc.disable()
    try:
        y = (x * 2).exp()
        y.backward()
        del x, y
        assert seen() is None, "a cycle keeps the values alive"
    finally:
        gc.enable()
