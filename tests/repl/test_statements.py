"""Typed lines as statements."""

import pytest

from autodiff_cli.errors import Source
from autodiff_cli.repl.statements import is_unfinished, statements, typed_texts


@pytest.mark.parametrize(
    "text",
    [
        "y = (x",
        "y = x +",
        "f(a, b) =",
        "y = x +  # more",
        "max(1,",
        "not",
        "a and",
        "sin(x\n  + 2",
        ":diff\nx +",
    ],
)
def test_an_open_parenthesis_or_operator_goes_on(text: str) -> None:
    assert is_unfinished(text)


@pytest.mark.parametrize(
    "text", ["", "x", "y = (x)", "f(a) = a", "x)", "x;", "x = 2 # (", "y = x +\n2", "y = (x +\n", "x!", "2e", ":help ^"]
)
def test_everything_else_is_finished(text: str) -> None:
    assert not is_unfinished(text)


def test_typed_texts_are_statements_and_commands_with_their_lines() -> None:
    text = "x = 2\n  :diff x\nf(a,\n# within\nb) = a +\nb\ny = (\n\n(x ? 1\n:2\n:eval"
    assert [tuple(typed) for typed in typed_texts(text.splitlines(keepends=True))] == [
        ("x = 2", 1),
        ("  :diff x", 2),
        ("f(a,\n# within\nb) = a +\nb", 3),
        ("y = (\n", 7),
        ("(x ? 1\n:2", 9),
        (":eval", 11),
    ]


def test_a_statement_knows_what_it_defines_and_uses() -> None:
    text = "f(a) = a*k + g(a); y = sin(y2)·π; x² + ﬁ(2); W [1][02] = W[2][n] + w[3]"
    found = [*statements(Source(text))]
    assert [statement.name for statement in found] == ["f()", "y", "", "W[1][2]"]
    uses = [["k", "g()"], ["sin()", "y2", "pi"], ["x", "fi()"], ["W[2]", "n", "w[3]"]]
    assert [[*statement.uses] for statement in found] == uses
    assert [text[statement.start :][: len(statement.text)] for statement in found] == text.split("; ")


@pytest.mark.parametrize(
    ("text", "used"),
    [
        ("sum(i, 1, n, i*x)", ["sum()", "n", "x"]),
        ("i + SUM(i, i, 3, i)", ["i", "SUM()"]),
        ("prod(i, 1, 3, product(j, 1, i, i*j)) + j", ["prod()", "product()", "j"]),
        ("sum(i, 1, 3, w[i] + i(2))", ["sum()", "w", "i()"]),
        ("sum(a, b, c, d) + max(a, b, c, a) + (x, 1, 3, x)", ["sum()", "a", "b", "c", "d", "max()", "x"]),
    ],
)
def test_the_index_of_a_sum_is_no_name_that_is_used(text: str, used: list[str]) -> None:
    (statement,) = statements(Source(text))
    assert [*statement.uses] == used


@pytest.mark.slow
def test_a_statement_of_many_lines_is_read_in_linear_time() -> None:
    assert len([*typed_texts(["(\n", *["x +\n"] * 200_000, "x)\n"])]) == 1
