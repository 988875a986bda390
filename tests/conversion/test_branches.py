"""`if` over statements: random functions have the values that Python gives them, in Python and in C, or are refused."""

from random import Random

import pytest

from autodiff_cli import AutodiffError, evaluate, parse
from autodiff_cli.conversion import convert

NAMES = ("a", "b", "c")
POINTS = (-2.5, -1.0, 0.0, 0.5, 1.0, 3.0)


def random_block(random: Random, depth: int) -> list[str]:
    """Lines of assignments, choices and perhaps a `return`, in Python."""
    lines = []
    for _ in range(random.randint(1, 3)):
        if depth and random.random() < 0.5:
            lines += [
                f"if {random_value(random)} > {random.randint(-1, 1)}:",
                *indented(random_block(random, depth - 1)),
            ]
            if random.random() < 0.6:
                lines += ["else:", *indented(random_block(random, depth - 1))]
        elif depth < 3 and random.random() < 0.25:
            return [*lines, f"return {random_value(random)}"]
        else:
            lines.append(f"{random.choice(NAMES)} = {random_value(random)} + {random_value(random)}")
    return lines


def random_value(random: Random) -> str:
    return random.choice(["x", "1.0", "2*x", *NAMES])


def indented(lines: list[str]) -> list[str]:
    return [f"    {line}" for line in lines]


def in_c(lines: list[str]) -> str:
    """The same lines in C: a brace for every indentation."""
    text, depth = "", 0
    for line in [*lines, ""]:
        level = (len(line) - len(line.lstrip())) // 4
        text += "}" * (depth - level)
        depth = level
        word, _, rest = line.strip().rstrip(":").partition(" ")
        if word == "if":
            text, depth = f"{text} if ({rest}) {{", depth + 1
        elif word == "else":
            text, depth = f"{text} else {{", depth + 1
        else:
            text += f" {line.strip()};"
    return text


def values(lines: list[str]) -> list[float] | None:
    """What Python computes at all points; None where a name has no value at one of them."""
    scope: dict[str, object] = {}
    exec("\n".join(["def f(x):", *indented(lines)]), scope)  # noqa: S102  # the lines are those made above
    try:
        return [scope["f"](x) for x in POINTS]  # type: ignore[operator]  # a function
    except NameError:
        return None


@pytest.mark.parametrize("notation", ["python", "c"])
def test_a_function_with_choices_has_the_values_that_python_computes(notation: str) -> None:
    random, read = Random(1), 0
    for _ in range(600):
        lines = [
            "a = x",
            "b = 1.0",
            *["c = 0.0"][random.randint(0, 1) :],
            *random_block(random, 2),
            f"return {random_value(random)}",
        ]
        if notation == "python":
            text = "\n".join(["def f(x):", *indented(lines)])
        else:
            text = f"double f(double x) {{ {in_c(lines)} }}"
        try:
            program = parse(convert(text, notation).text)
        except AutodiffError:
            continue
        expected = values(lines)
        if expected is not None and program.inputs.keys() <= {"x", *program.assigned}:  # else `c` may have none
            read += 1
            assert [evaluate(program, {"x": x}) for x in POINTS] == expected, text
    assert read > 200
