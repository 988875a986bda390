"""The columns that were probably meant, in tables and formulas of any size."""

import pytest
from processor_time import within

from autodiff_cli import parse
from autodiff_cli.data.columns import input_columns, unused_columns
from autodiff_cli.errors import AutodiffError


def test_weights_with_defaults_are_compared_with_columns_in_linear_time() -> None:
    weights = "; ".join(f"w{number} = {number}" for number in range(4000))
    program = parse(f"{weights}; p0 + " + " + ".join(f"w{number}" for number in range(4000)))
    names = ["p0", *(f"Pixel {number} (grey)" for number in range(4000)), "W7 [1]"]
    with within(10):  # a look at all columns for each takes half a minute
        (notice,) = unused_columns(program, names, {"p0": "p0"}, ())
    assert notice.message == "`w7` has its default in all rows: the column is called `W7 [1]`"


def test_hints_are_given_for_the_missing_inputs_that_are_named() -> None:
    program = parse("+".join(f"w{number}*p{number % 300}" for number in range(1000)))
    with within(2), pytest.raises(AutodiffError, match=r"the data has no columns `w0`, .*`w11`, …") as caught:
        input_columns(program, [f"p{number}" for number in range(300)], {}, {})
    assert "`w11`: did you mean `p11`?" in caught.value.hint
    assert "`w12`" not in caught.value.hint


def test_all_columns_that_are_mapped_and_absent_are_named() -> None:
    with pytest.raises(AutodiffError, match="the data has no columns `u`, `v`"):
        input_columns(parse("a*b"), ["x", "y"], {}, {}, mapping={"a": "u", "b": "v"})
