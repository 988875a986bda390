"""Texts that are long, deep, broken or malicious: an answer or a clean error, in bounded time, and nothing else."""

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from processor_time import within

from autodiff_cli import AutodiffError, evaluate, gradient, parse

MEGABYTES_10 = 10_000_000
WIDEST = 320  # columns of a line of an error: a quoted name of 100, or 100 characters of source, and words around them
SIGNS = "()[]{},;=<>+-*/^%!?:|&'$\\.√²⁴½π \n\x00\ud800\u202e"
WORDS = (
    "x",
    "sin",
    "f",
    "1",
    "2.5",
    "000",
    "1e",
    "_0",
    "and",
    "not",
    "if",
    "else",
    "let ",
    "d/dx ",
    "\\frac{a}{b}",
    "#",
)
PIECES = st.sampled_from([*SIGNS, *WORDS, "==", "f(x)=", "\r\n", "\x1b[31m"])


def error(text: str) -> str:
    """The whole error for a text, which is safe to print and fits a screen."""
    with pytest.raises(AutodiffError) as caught:
        parse(text)
    rendered = str(caught.value)
    assert_safe(rendered)
    return rendered


def assert_safe(rendered: str) -> None:
    assert all(character.isprintable() or character == "\n" for character in rendered)
    assert len(rendered.splitlines()) <= 8


# ---- Any text -------------------------------------------------------------------------------------------------------


@pytest.mark.slow
@given(st.one_of(st.text(), st.binary().map(lambda data: data.decode("latin-1")), st.lists(PIECES).map("".join)))
@example("√#")
@example("(#\n")
@example("1e")
@settings(max_examples=1000)
def test_any_text_is_a_program_or_gets_a_printable_error(text: str) -> None:
    try:
        with within(5):
            parse(text)
    except AutodiffError as caught:
        mistake = caught
    else:
        return
    assert_safe(str(mistake))
    assert mistake.message
    start, end = mistake.span or (0, 1)
    assert 0 <= start < end <= max(1, len(text))


@pytest.mark.parametrize("text", ["\x1b[31m2\x1b[0m", "1\x00", "a\u202eb", "x\x9b2J", "\ud800", "1 + \x08", "a\u2066b"])
def test_control_characters_are_shown_escaped(text: str) -> None:
    assert "\\" in error(text)


def test_markup_is_text() -> None:
    assert "1 | [red]x[/red]" in error("[red]x[/red]")


def test_escapes_in_names_of_files_and_inputs_are_shown_escaped() -> None:
    with pytest.raises(AutodiffError) as caught:
        parse("2x", "a\x1b[31m\nb")
    assert "--> a\\x1b[31m\\nb:1:2" in str(caught.value)
    with pytest.raises(AutodiffError) as caught:
        evaluate("x", {"a\x1b[31m": 1.0})
    assert_safe(str(caught.value))


# ---- Long -----------------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_line_of_ten_megabytes_is_read() -> None:
    with within(120):
        assert evaluate(parse("1" + " + 1" * (MEGABYTES_10 // 4))) == MEGABYTES_10 // 4 + 1


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("1" * MEGABYTES_10, "too large"),
        ("x" * MEGABYTES_10 + " y", "expected an operator before `y`"),
        ("x" * MEGABYTES_10 + "(1)", "unknown function"),
        ("1" + " " * MEGABYTES_10 + "x", "expected an operator before `x`"),
        ("(1" + "\n" * MEGABYTES_10 + "x", "never closed"),
        ("(1 #" + "y" * MEGABYTES_10 + "\nx)", "expected an operator or `)` before `x`"),
        ("f(x" + " # y\n" * (MEGABYTES_10 // 5), "never closed"),
        ("1" + "_1" * (MEGABYTES_10 // 2) + "!", "is not a number"),
        ("1" + ",000" * (MEGABYTES_10 // 4), "is not a number"),
        ("'" + "x" * MEGABYTES_10, "has no meaning here"),
        ("|" + "x" * MEGABYTES_10, "has no meaning here"),
        ("a ? " + "b" * MEGABYTES_10, "has no meaning here"),
        ("sin[" + "x" * MEGABYTES_10, "this bracket is never closed"),
        ("\\frac{" + "x" * MEGABYTES_10, "has no meaning here"),
        ("x" + "⁴" * MEGABYTES_10, "has no meaning here"),
        ("\x00" * MEGABYTES_10, "unexpected character `\\x00`"),
        ("a" + " < a" * (MEGABYTES_10 // 4), "comparisons do not chain"),
        ("f(" * (MEGABYTES_10 // 20) + "x" + ")" * (MEGABYTES_10 // 20), "unknown function `f`"),
    ],
    ids=lambda text: text[:8],
)
def test_garbage_of_ten_megabytes_is_one_short_error(text: str, message: str) -> None:
    with within(60):
        rendered = error(text)
    assert message in rendered
    assert max(map(len, rendered.splitlines())) < 4 * WIDEST


def test_excerpt_of_a_long_line_is_a_window_around_the_place() -> None:
    rendered = error("1 + " * 1000 + "2x" + " + 1" * 1000)
    line, carets = rendered.splitlines()[3:5]
    assert rendered.splitlines()[1] == " --> <formula>:1:4002"
    assert line.startswith("1 | …") and line.endswith("…") and len(line) < 120
    assert line[carets.index("^")] == "x"


def test_names_of_100_kilobytes() -> None:
    name = "n" * 100_000
    with within(10):
        assert evaluate(f"{name} = 3; 2*{name}") == 6
        assert gradient(f"{name}^2", {name: 3.0}) == {name: 6.0}
        rendered = error(f"{name}(2)")
        with pytest.raises(AutodiffError) as caught:
            evaluate(f"2*{name}")
    assert max(map(len, [*rendered.splitlines(), *str(caught.value).splitlines()])) < WIDEST


@pytest.mark.slow
def test_many_statements() -> None:
    count = 100_000
    with within(30):
        text = "x0 = 1\n" + "".join(f"x{i} = x{i - 1} + 1\n" for i in range(1, count))
        assert evaluate(text) == count
        assert gradient(text, wrt=["x0"]) == {"x0": 1.0}
        assert f":{count + 1}:2" in error(text + "2x")


# ---- Deep -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("arguments", [",0001" * 50_000, ",001" * 50_000 + ",0001"])
def test_many_commas_that_might_stand_in_a_number(arguments: str) -> None:
    assert len(parse(f"max(x{arguments})").graph) > 50_000


DEPTH = 100_000


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(" * DEPTH + "x" + ")" * DEPTH, 1.0),
        ("-" * DEPTH + "x", 1.0),
        ("-" * (DEPTH + 1) + "x", -1.0),
        ("not " * DEPTH + "x", 1.0),
        ("x^" * DEPTH + "x", 1.0),
        ("(1 + " * DEPTH + "x" + ")" * DEPTH, DEPTH + 1.0),
        ("max(1, " * DEPTH + "x" + ")" * DEPTH, 1.0),
    ],
    ids=lambda text: str(text)[:8],
)
def test_deep_formulas_are_evaluated(text: str, value: float) -> None:
    with within(30):
        assert evaluate(text, {"x": 1.0}) == value
        assert math.isfinite(gradient(text, {"x": 1.0})["x"])


def test_function_nested_50000_deep() -> None:
    value, slope = 1.0, 1.0
    for _ in range(50_000):
        value, slope = math.sin(value), slope * math.cos(value)
    text = "sin(" * 50_000 + "x" + ")" * 50_000
    with within(30):
        assert evaluate(text, {"x": 1.0}) == value
        assert gradient(text, {"x": 1.0})["x"] == pytest.approx(slope, rel=1e-9)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(" * DEPTH, "this parenthesis is never closed"),
        ("(" * DEPTH + "1" + ")" * (DEPTH - 1), "this parenthesis is never closed"),
        ("(" * DEPTH + "1" + ")" * (DEPTH + 1), "this parenthesis was never opened"),
        ("(" * DEPTH + "1 2" + ")" * DEPTH, "expected an operator or `)` before `2`"),
        ("(" * DEPTH + "1" + ")" * DEPTH + "x", "expected an operator before `x`"),
        ("x = 1; " + "x(" * DEPTH + "1" + ")" * DEPTH, "`x` is a value, not a function"),
        ("-" * DEPTH, "expected an operand after `-`"),
        ("1^" * DEPTH, "expected an operand after `^`"),
        ("[" * DEPTH, "this bracket is never closed"),
    ],
    ids=lambda text: text[:8],
)
def test_deep_mistakes_are_clean_errors(text: str, message: str) -> None:
    with within(30):
        assert message in error(text)


def test_many_digits_of_another_alphabet_after_a_mistake() -> None:
    with within(60):
        assert "quotation mark" in error("'" + "\uff10" * 100_000)


@pytest.mark.slow
def test_functions_that_unfold_exponentially_are_refused() -> None:
    text = "f0(x) = x + x\n" + "".join(f"f{i}(x) = f{i - 1}(f{i - 1}(x))\n" for i in range(1, 60)) + "f59(1)"
    with within(60):
        assert "unfold to more than 10,000,000 nodes" in error(text)
