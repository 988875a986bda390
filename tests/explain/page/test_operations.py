"""The operations of the table in JavaScript, for a web page: values and pullbacks as the engine has them."""

import itertools
import json
import math
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import mpmath
import pytest
import referee

from autodiff_cli import rules
from autodiff_cli.arithmetic import floats
from autodiff_cli.export.javascript import operation_functions
from autodiff_cli.operations import OPERATIONS, TABLE, Operation


def _calls() -> Iterator[tuple[Operation, int, tuple[float, ...], float]]:
    """Operations, arguments in and outside of their domain, and adjoints."""
    few = (0.0, -0.0, 1.0, -2.5, 1e300, math.inf, -math.inf, math.nan)
    for operation in TABLE:
        for count in (1, 3) if operation.variadic else (len(operation.names),):
            points = referee.samples(operation, count, 60)[:60]
            points += [
                point for point in itertools.product(few[: 10 - 2 * count], repeat=count) if not operation.literal
            ]
            yield from ((operation, count, point, adjoint) for point in points for adjoint in (-2.5, 0.0))


@pytest.mark.slow
def test_operations_of_the_page_are_the_engines(tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    calls = list(_calls())
    script = (
        operation_functions((operation, count, (True,) * count) for operation, count, _, _ in calls)
        + """
const decode = (x) => typeof x === "string" ? { "-0": -0, nan: NaN, inf: Infinity, "-inf": -Infinity }[x] : x;
const encode = (x) => Number.isFinite(x) ? x : x !== x ? "nan" : x > 0 ? "inf" : "-inf";
const results = JSON.parse(require("fs").readFileSync(0, "utf8")).map(([key, g, y, ...a]) => [
  encode(operations[key].value(...a.map(decode))),
  ...operations[key].pullback(decode(g), decode(y), ...a.map(decode)).map((x) => x === null ? null : encode(x)),
]);
console.log(JSON.stringify(results));
"""
    )
    (tmp_path / "page.js").write_text(script, encoding="utf-8")
    values = [floats.function(operation, count)(*point) for operation, count, point, _ in calls]
    sent = [
        [f"{operation.name}/{count}", *map(_encoded, (g, y, *point))]
        for (operation, count, point, g), y in zip(calls, values, strict=True)
    ]
    done = subprocess.run(
        [node, "page.js"], cwd=tmp_path, input=json.dumps(sent), capture_output=True, text=True, check=True
    )
    for (operation, count, point, g), y, (value, *contributions) in zip(
        calls, values, json.loads(done.stdout), strict=True
    ):
        if operation.name == "beta" and not all(0 < a < 1e10 for a in point):
            continue
        _assert_close(operation, float(value), y, point)
        expected = floats.pullback(operation, count, (True,) * count)(g, y, *point)
        rule = rules.pullback(operation, count, (True,) * count)
        sizes = (
            list(referee.largest_terms(rule, (g, y, *point))) if all(map(math.isfinite, (y, *point))) else [0] * count
        )
        for contribution, e, size in zip(contributions, expected, sizes, strict=True):
            assert (contribution is None) == (e is None)
            if e is None:
                continue
            _assert_close(
                operation, float(contribution), e, (g, *point), size, exact=operation.name in ("add", "sub", "mul")
            )


def _encoded(number: float) -> float | str:
    return (
        number
        if math.isfinite(number) and (number or math.copysign(1, number) > 0)
        else repr(number).removesuffix(".0")
    )


def _assert_close(
    operation: Operation, actual: float, expected: float, numbers: object, size: object = 0, *, exact: bool = False
) -> None:
    largest = max(float(size), 1.0 if operation.name in ("lgamma", "digamma", "logsumexp", "gelu") else 0.0)  # type: ignore[arg-type]
    bound = 0 if exact else 1e6 if operation.name == "beta" else 16
    assert referee.error(actual, mpmath.mpf(expected), largest) <= bound, (operation, numbers, actual, expected)


def test_the_page_carries_only_what_its_program_uses() -> None:
    text = operation_functions([(OPERATIONS["mul"], 2, (True, False)), (OPERATIONS["mul"], 2, (False, True))])
    assert "function" not in text
    assert re.findall(r'"(\w+/\d)"', text) == ["mul/2"]
    assert "return [g*b, g*a];" in text
