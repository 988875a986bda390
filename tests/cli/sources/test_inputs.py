"""Numbers for inputs and ranges, as people write them."""

import math
from fractions import Fraction

import pytest

from autodiff_cli import AutodiffError
from autodiff_cli.cli.sources import inputs, ranges


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("2", 2),
        ("-1e-3", -0.001),
        ("pi/2", math.pi / 2),
        ("inf", math.inf),
        ("-0", -0.0),
        (" 1 ", 1),
        ("2^0.5", 2**0.5),
    ],
)
def test_a_number_is_a_constant_expression(text: str, number: float) -> None:
    assert repr(inputs.number(text, "a")) == repr(float(number))


@pytest.mark.parametrize("text", ["", "x", "1; 2", "a = 1", "1e400", "2x"])
def test_any_other_text_is_no_number(text: str) -> None:
    with pytest.raises(AutodiffError):
        inputs.number(text, "a")


@pytest.mark.parametrize("text", ['{"a": 2, "b": "pi/2"}', "a = 2\nb = pi/2  # radians\n", "b = pi/2; a = 2"])
def test_a_file_holds_an_object_or_lines(text: str) -> None:
    assert inputs.from_text(text, "file") == {"a": 2.0, "b": math.pi / 2}


@pytest.mark.parametrize("text", ['{"a": 1, "a": 2}', "a = 1\na = 2", "[1]", "1 + 2", '{"a": [1, []]}', '{"a": 1'])
def test_a_file_without_one_number_for_each_name_is_an_error(text: str) -> None:
    with pytest.raises(AutodiffError):
        inputs.from_text(text, "file")


def test_the_ends_of_a_range_are_constant_expressions() -> None:
    assert ranges.ends(["x=-pi:pi", "y=0:1"]) == {"x": (-math.pi, math.pi), "y": (0.0, 1.0)}


def test_a_step_is_as_exact_as_it_is_written() -> None:
    assert ranges.with_steps(["x=0:1:0.1"])["x"] == (0, 1, Fraction(1, 10))
    assert ranges.with_steps(["x=1:0:-1/2"])["x"] == (1, 0, Fraction(-1, 2))


def test_a_range_without_a_step_has_a_hundred() -> None:
    assert ranges.with_steps(["x=0:1"])["x"] == (0, 1, Fraction(1, 100))
    assert ranges.count(["x=0:1", "y=0:1:1/4"]) == 5
    assert ranges.count(["x=0:1"]) is None


@pytest.mark.parametrize("text", ["x", "x=1", "x=1:0", "x=1:1", "x=0:inf", "x=0:1:0.1"])
def test_what_is_no_range_is_an_error(text: str) -> None:
    with pytest.raises(AutodiffError):
        ranges.ends([text])


@pytest.mark.parametrize("text", ["x", "x=1:0", "x=0:1:0", "x=0:1:-1", "x=0:inf:1"])
def test_what_is_no_range_with_a_step_is_an_error(text: str) -> None:
    with pytest.raises(AutodiffError):
        ranges.with_steps([text])


def test_entries_of_a_list_are_assignments_and_what_is_none_stays() -> None:
    texts = ["x=[1, [2, 3]]", "[", "a", "y=[1"]
    assert inputs.by_entries(texts) == ["x[1]=1", "x[2][1]=2", "x[2][2]= 3", "[", "a", "y=[1"]


def test_measured_values_of_a_list_may_stand_on_several_lines() -> None:
    text = "W = [[1±0.1, 2],\n  [3, 4(1)]]; a = 5\nb = max(1, 2)"
    entries = {"W[1][1]": "1±0.1", "W[1][2]": "2", "W[2][1]": "3", "W[2][2]": "4(1)", "a": "5", "b": "max(1, 2)"}
    assert inputs.texts_from_text(text, "file") == entries


def test_many_measured_values_are_read_in_linear_time() -> None:  # in quadratic time they take minutes
    lines = "\n".join(f"x{number} = 1.0±0.1" for number in range(30_000))
    assert len(inputs.texts_from_text(lines, "lines")) == 30_000
    row = ", ".join(["1.0±0.1"] * 100_000)
    assert len(inputs.texts_from_text(f"x = [[{row}]]", "list")) == 100_000


@pytest.mark.parametrize(
    ("assignment", "numbers"),
    [
        ("x=[1, [2, 3]]", {"x[1]": 1, "x[2][1]": 2, "x[2][2]": 3}),
        ("W[1]=[1, 2]", {"W[1][1]": 1, "W[1][2]": 2}),
        ("W[1]=[1, 2]*3", {"W[1][1]": 3, "W[1][2]": 6}),
    ],
)
def test_a_list_or_a_row_of_one_can_be_set(assignment: str, numbers: dict[str, float]) -> None:
    assert inputs.from_assignments([assignment]) == numbers
    assert inputs.assigned_names(assignment) == list(numbers)


@pytest.mark.parametrize("text", ["[1, 2]\ny = 3", "[1, 2][1]", "[1, 2]; 5", "[1, 2];"])
def test_anything_more_than_a_list_is_no_list(text: str) -> None:
    with pytest.raises(AutodiffError, match="is not one list"):
        inputs.from_assignments([f"x={text}"])


@pytest.mark.parametrize("texts", [["a=2;", "b=3"], ["a=2;b=3"], ["a=2;", "b=3;c=4"], ["x=[1, 2]; b = 3"]])
def test_semicolons_do_not_separate_numbers(texts: list[str]) -> None:
    with pytest.raises(AutodiffError, match="`;` does not separate numbers"):
        inputs.from_assignments(texts)


@pytest.mark.parametrize("text", ['{"a": 2, "x": [1, [2, 3]], "y[1]": 4}', "a = 2; x = [1, [2, 3]]; y[1] = 4"])
def test_the_names_in_a_file_have_their_entries(text: str) -> None:
    names = {"a": ["a"], "x": ["x[1]", "x[2][1]", "x[2][2]"], "y[1]": ["y[1]"]}
    assert inputs.names_in_text(text, "file") == names
