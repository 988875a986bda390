"""Tests of the values that some options take."""

import click
import pytest

from autodiff_cli.cli.command_line.parameter_types import Probability


@pytest.mark.parametrize("text", ["0.5", ".5", " 0.5 ", "50%", "50.%", " 50.0 % "])
def test_a_probability_may_be_in_percent(text: str) -> None:
    assert Probability().convert(text, None, None) == 0.5


@pytest.mark.parametrize("text", ["1" * 200_000 + "x", "1." + "1" * 200_000 + "x", "5" + " " * 200_000 + "x"])
def test_a_long_probability_is_read_in_linear_time(text: str) -> None:  # in quadratic time it takes minutes
    with pytest.raises(click.BadParameter):
        Probability().convert(text, None, None)
