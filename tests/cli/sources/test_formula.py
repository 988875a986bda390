"""The formula and the numbers for its inputs, as the command line gives them: above all lists."""

from pathlib import Path
from typing import Any

import pytest

from autodiff_cli import AutodiffError
from autodiff_cli.cli.sources.formula import FormulaOptions, unused


def _options(formula: str, *assignments: str, **options: Any) -> FormulaOptions:
    return FormulaOptions(formula=formula, **{"file": None, "assignments": assignments, "inputs_file": None, **options})


def _with_file(path: Path, text: str, formula: str, *assignments: str) -> FormulaOptions:
    path.write_text(text, encoding="utf-8")
    return _options(formula, *assignments, inputs_file=str(path))


@pytest.mark.parametrize(
    ("formula", "assignments", "columns", "entries"),
    [
        ("sum(x)", ["x[1]=3"], ["x2", "y"], ["x[1]", "x[2]"]),
        ("sum(x)", [], ["x_1", "x[2]"], ["x[1]", "x[2]"]),
        ("sum(x)", ["x=[1, 2]"], ["x3"], ["x[1]", "x[2]"]),
        ("sum(x) + sum(z)", ["x=[1, 2]"], ["z1", "x3"], ["x[1]", "x[2]", "z[1]"]),
        ("sum(W[1])", ["W[1][1]=3"], ["W[1][2]", "W[2][1]"], ["W[1][1]", "W[1][2]"]),
        ("sum(x\u0302)", ["x\u0302[1]=3"], ["x\u0302[2]", "x\u03023"], ["x\u0302[1]", "x\u0302[2]", "x\u0302[3]"]),
    ],
)
def test_columns_complete_lists_of_which_entries_are_given(
    formula: str, assignments: list[str], columns: list[str], entries: list[str]
) -> None:
    assert list(_options(formula, *assignments).program(columns=columns).inputs) == entries


@pytest.mark.parametrize("text", ['{"x[1]": 3}', "x[1] = 3; y = 2"])
def test_columns_complete_a_list_that_a_file_begins(text: str, tmp_path: Path) -> None:
    options = _with_file(tmp_path / "numbers", text, "sum(x)*y")
    assert list(options.program(columns=["x[2]"]).inputs) == ["x[1]", "x[2]", "y"]


@pytest.mark.parametrize("text", ['{"x": [3]}', "x = [3]"])
def test_columns_add_nothing_to_a_list_that_a_file_gives(text: str, tmp_path: Path) -> None:
    options = _with_file(tmp_path / "numbers", text, "sum(x)")
    assert list(options.program(columns=["x[2]"]).inputs) == ["x[1]"]


@pytest.mark.parametrize(
    ("formula", "text"),
    [
        ("w = [1, 2]; sum(w)", '{"w": [5]}'),
        ("w = [1, 2]; sum(w)", '{"w": [5, 6, 7]}'),
        ("w = [1, 2]; sum(w)", "w = [5, 6, 7]"),
        ("W = [[1, 2], [3, 4]]; sum(W[1])", '{"W": [5, 6, 7, 8]}'),
        ("W = [[1, 2], [3, 4]]; sum(W[1])", '{"W[1]": [5]}'),
        ("a = 3; a^2", '{"a": [1, 2]}'),
    ],
)
def test_a_list_of_a_file_has_the_entries_of_the_default(formula: str, text: str, tmp_path: Path) -> None:
    with pytest.raises(AutodiffError, match="in the formula"):
        _with_file(tmp_path / "numbers", text, formula).program()


@pytest.mark.parametrize(
    ("formula", "assignment"),
    [
        ("w = [1, 2]; sum(w)", "w=[5]"),
        ("w = [1, 2]; sum(w)", "w=[5, 6, 7]"),
        ("W = [[1, 2], [3, 4]]; sum(W[1])", "W=[5, 6, 7, 8]"),
        ("W = [[1, 2], [3, 4]]; sum(W[1])", "W[1]=[5, 6, 7]"),
    ],
)
def test_a_list_that_is_set_has_the_entries_of_the_default(formula: str, assignment: str) -> None:
    with pytest.raises(AutodiffError, match="in the formula"):
        _options(formula, assignment).program()


@pytest.mark.parametrize("text", ['{"w": [1, 2, 3]}', "w = [1, 2, 3]", '{"w": 4}', '{"w[3]": 3}'])
def test_a_list_that_is_set_takes_the_place_of_that_of_the_file(text: str, tmp_path: Path) -> None:
    program, point, _ = _with_file(tmp_path / "numbers", text, "sum(w)", "w=[5, 6]").read()
    assert point == dict(zip(program.inputs, [5, 6], strict=True))


def test_an_entry_beyond_the_list_is_said_to_be_unused() -> None:
    options = _options("w = [1, 2]; sum(w)", "w[3]=9")
    (notice,) = unused(options.program(), options.given, ())
    assert notice.message == "`w[3]` is set, but the formula does not use it"
    options = _options("x[1]^2", "x=[3, 4]")
    assert not unused(options.program(), options.given, ())
