"""Names, numbers and operations as text."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from autodiff_cli.notation import (
    as_list,
    canonical,
    counted,
    decimal,
    elided,
    entry_names,
    flattened,
    probability,
    shortest,
    signature,
)
from autodiff_cli.operations import OPERATIONS


def test_names_that_look_the_same_are_the_same() -> None:
    assert [canonical(name) for name in (" π ", "𝜋", "ﬁt", "x₁", "ｘ", "pi")] == ["pi", "pi", "fit", "x1", "x", "pi"]


def test_the_entries_of_a_list_have_names_in_its_shape() -> None:
    names = list(entry_names("W", [[1, 2], [3]]))
    assert names == ["W[1][1]", "W[1][2]", "W[2][1]"]
    assert as_list("W", [[1, 2], [3]], dict(zip(names, flattened([[1, 2], [3]]), strict=True))) == [[1, 2], [3]]


def test_counts_in_words_have_a_comma_between_thousands_and_a_plural_but_for_one() -> None:
    assert [counted(count, "row") for count in (0, 1, 2, 1234)] == ["0 rows", "1 row", "2 rows", "1,234 rows"]


@given(st.floats(allow_nan=False))
def test_the_shortest_text_of_a_number_is_read_as_the_same(number: float) -> None:
    assert repr(float(shortest(number))) == repr(number)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (2.0, "2.0000"), (-0.0, "0.0000"), (1234567.0, "1.2346e+06"), (0.0045, "0.0045"), (0.00123456, "0.0012346"),
        (1e-9, "1.0000e-09"), (math.inf, "inf"), (None, ""),
    ],
)  # fmt: skip
def test_a_decimal_has_so_many_digits(number: float | None, text: str) -> None:
    assert decimal(number, 4) == text


@pytest.mark.parametrize(
    ("number", "fraction", "percent"),
    [
        (0.95, "0.95", "95"),
        (0.57, "0.57", "57"),
        (1 / 3, "0.3333", "33.33"),
        (0.99994, "0.99994", "99.994"),
        (0.999999426697, "0.99999943", "99.999943"),
        (1 - 1e-12, "0.999999999999", "99.9999999999"),
    ],
)
def test_no_probability_is_rounded_to_1(number: float, fraction: str, percent: str) -> None:
    assert (probability(number), probability(number, 100)) == (fraction, percent)


def test_a_long_text_loses_its_middle_and_wide_letters_count_twice() -> None:
    assert [elided("abcdefgh", width) for width in (8, 5, 1)] == ["abcdefgh", "ab…gh", "…"]
    assert elided("漢字漢字", 5) == "漢…字"


def test_a_signature_has_the_parameters_of_the_operation() -> None:
    assert [signature(OPERATIONS[name]) for name in ("add", "max", "tanh", "neg")] == [
        "a + b",
        "max(a, …)",
        "tanh(a)",
        "-a",
    ]
