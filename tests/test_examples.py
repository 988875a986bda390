"""Every example runs as it stands, and arrives at the value and gradient that are known for it."""

import json
from typing import TypedDict

import pytest
from places import EXAMPLES

from autodiff_cli import evaluate, parse
from autodiff_cli.evaluation import evaluate as evaluated


class Known(TypedDict):
    """Decimal texts of 20 significant digits, computed apart from this program."""

    value: str
    gradient: dict[str, str]


KNOWN: dict[str, Known] = json.loads((EXAMPLES / "expected.json").read_text(encoding="utf-8"))
NAMES = sorted(path.name for path in EXAMPLES.glob("*.expr"))


def test_examples_and_known_values_belong_together() -> None:
    assert sorted(KNOWN) == NAMES


@pytest.mark.parametrize("name", NAMES)
def test_example_has_its_known_value(name: str) -> None:
    program = parse((EXAMPLES / name).read_text(encoding="utf-8"))
    assert evaluate(program) == pytest.approx(float(KNOWN[name]["value"]), rel=1e-12, abs=0)


@pytest.mark.parametrize("name", NAMES)
def test_example_has_its_known_gradient(name: str) -> None:
    program = parse((EXAMPLES / name).read_text(encoding="utf-8"))
    expected = {label: float(text) for label, text in KNOWN[name]["gradient"].items()}
    actual = evaluated(program, {}).gradient
    assert actual.keys() == expected.keys()
    largest = max(map(abs, expected.values()))
    assert actual == pytest.approx(expected, rel=0, abs=1e-12 * largest)
