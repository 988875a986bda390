"""Formulas of other notations: what they mean, what is an error, and that exports read back as the same programs."""

import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from decimal import ROUND_DOWN, ROUND_HALF_UP, ROUND_UP, Decimal
from pathlib import Path
from random import Random
from typing import Any

import pytest
import readback
from places import each_example, records
from processor_time import within

import autodiff_cli as autodiff
from autodiff_cli import AutodiffError, evaluate, gradient, parse
from autodiff_cli.conversion import NOTATIONS, convert
from autodiff_cli.export import export
from autodiff_cli.operations import TABLE
from autodiff_cli.program import Program
from autodiff_cli.work_budget import TooMuchWorkError, WorkBudget

FOLDER = Path(__file__).parent
TARGETS = ("python", "numpy", "c", "latex")


def cases(notation: str) -> Iterator[tuple[str, str, str]]:
    """Each formula with `=` or `!` and what follows that."""
    text = (FOLDER / f"{notation}_cases.txt").read_text(encoding="utf-8")
    if notation != "latex":
        text = text.replace("\\\n", "\x00")
    lines = [line for line in text.splitlines() if line.strip()][1:]
    for formula, meaning in zip(lines[::2], lines[1::2], strict=True):
        yield formula.replace("\x00", "\n"), meaning[0], meaning[2:]


CASES = [
    pytest.param(notation, *case, id=f"{notation}: {case[0]}") for notation in NOTATIONS for case in cases(notation)
]


@pytest.mark.parametrize(("notation", "formula", "kind", "expected"), CASES)
def test_a_formula_means_what_it_says(notation: str, formula: str, kind: str, expected: str) -> None:
    if kind == "=":
        converted = convert(formula, notation).text
        assert converted.replace("\n", "; ") == expected
        parse(converted)
    else:
        with pytest.raises(AutodiffError) as caught:
            convert(formula, notation)
        assert caught.value.message == expected
        assert caught.value.source is not None


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        (
            r"f(x) = x^2 \text{ if } x > 0",
            r"a condition is written in `cases` alone: leave it out, or write \begin{cases} … & … \end{cases}",
        ),
        (r"x > 0 \land b", "write a comparison"),
        (r"\begin{cases} x & y \\ 0 \end{cases}", r"write a comparison, or \text{otherwise} for all other values"),
        (
            r"\begin{cases} x & \text{for all } x > 0 \end{cases}",
            r"before a condition write \text{if}, for all other values \text{otherwise}",
        ),
        (r"\sech x", r"write \operatorname{sech}"),
        (r"\sgn x", r"write \operatorname{sgn}"),
        (r"\snh x", r"did you mean `\sinh`?"),
        (r"\GAMMA x", r"did you mean `\gamma`?"),
        ("1.5e-03 x", r"write 1.5 \times 10^{-3} for the number"),
        (f".5e+{'1' * 5000}", rf"write .5 \times 10^{{{'1' * 46}…{'1' * 49}}} for the number"),
        (r"c = 299\,792\,458", r"write one number without blanks in it, or \cdot between two"),
        ("1{,}000 x", "the decimal sign is a point, and thousands have no commas"),
        ("0,5 x", "the decimal sign is a point, and thousands have no commas"),
        ("x, y", ""),
        (r"p = \sigma x \\ -\log p", r"write \\ &- for more of that line; for a new formula write y = -…"),
        (r"p = \sigma x \\ +\log p", r"write \\ &+ for more of that line; for a new formula write it without the +"),
        ("a/b\nc", r"use \frac, or parentheses; for two formulas write \\ between the lines"),
        ("\\sin x\n/2", r"use \frac, or parentheses"),
        ("f(x)\n= x\n= y", "write one side alone, or the difference of both"),
        (
            "y = x\nz = 2",
            r"write one side alone, or the difference of both; for two formulas write \\ between the lines",
        ),
        (r"\sum_{i=1}^{2} \hat{x}_{i2} + \hat{x}_{12}", r"write \hat{x}_{1,2} for one of these, or another name"),
        ("f' + 1", r"for another value write an index, as in x_{new}; a derivative is \frac{d}{dx} …"),
        ("2^n_i", "an index is that of a name: for one in an exponent write braces, as in x^{n_i}"),
        (r"\bar{x_i}", r"write an index after it, as in \bar{x}_1"),
    ],
)
def test_an_error_in_latex_says_what_to_write(formula: str, hint: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        convert(formula, "latex")
    assert caught.value.hint == hint


def test_there_are_many_formulas_from_papers() -> None:
    assert len(list(cases("latex"))) >= 200


@pytest.mark.parametrize("notation", NOTATIONS)
def test_what_is_cut_off_anywhere_is_read_or_an_error(notation: str) -> None:
    for formula, _, _ in cases(notation):
        for end in range(0, len(formula), 3):
            with suppress(AutodiffError):
                convert(formula[:end], notation)


@pytest.mark.parametrize(
    ("notation", "formula"),
    [
        ("latex", r"\sum_{i=1}^{%s} x_i"),
        ("latex", r"\sum_{i=1}^{2} x_{i+%s}"),
        ("c", "0%s*x"),
        ("python", "0x%s*x"),
        ("python", "0o%s*x"),
        ("python", "x[0x%s]"),
        ("excel", "=SUM(A1:A%s)"),
        ("excel", "=A%s"),
    ],
)
def test_a_number_of_thousands_of_digits_is_read_or_an_error(notation: str, formula: str) -> None:
    with suppress(AutodiffError):
        convert(formula % ("1" * 5000), notation)


def test_digits_in_a_comment_are_no_number() -> None:
    assert convert(f"x  # 0x{'1' * 5000}", "python").text == "x"


# ---- Places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("notation", "formula", "part", "place"),
    [
        ("latex", r"1 + \frac{x}{y - 1}", "y - 1", "y - 1"),
        ("latex", r"\sin^2 \alpha + b", "sin(alpha)", r"\sin^2 \alpha"),
        ("python", "np.exp(x) + y**2", "y^2", "y**2"),
        ("python", "α = 2\nnp.sin(α*x)", "α*x", "α*x"),
        ("python", "x = 1\n\f\ny = 25*x\n", "25*x", "25*x"),
        ("c", "double y = 2*x;\nreturn pow(y, 3);", "y^3", "pow(y, 3)"),
        ("excel", "=A1+LOG(B1)", "log10(B1)", "LOG(B1)"),
    ],
)
def test_a_part_of_the_program_knows_where_it_stood(notation: str, formula: str, part: str, place: str) -> None:
    converted = convert(formula, notation)
    start = converted.text.index(part)
    source, (begin, end) = converted.origin.place((start, start + len(part)))
    assert source.text[begin:end] == place


def test_the_tables_for_latex_are_kept() -> None:
    code = (
        "import sys; from autodiff_cli.conversion import convert; convert('x', 'latex'); print('lark' in sys.modules)"
    )
    for _ in range(2):
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout == "False\n"


# ---- Work ------------------------------------------------------------------------------------------------------------


def _nested(call: str, depth: int) -> str:
    return call * depth + "x" + ", 2)" * depth


_HELPERS = [f"def f{i}(x): return f{i - 1}(f{i - 1}(x))" for i in range(1, 25)]


@pytest.mark.parametrize(
    ("notation", "formula"),
    [
        ("latex", r"\sum_{i=1}^{99}\sum_{i=1}^{99}\sum_{i=1}^{99} x"),
        ("python", _nested("math.fmod(", 22)),
        ("python", "\n".join(["def f0(x): return x + x", *_HELPERS])),
        ("excel", "=" + "+".join(["SUM(A1:CV100)"] * 60)),
    ],
)
def test_a_short_text_that_is_a_long_formula_is_too_much_work(notation: str, formula: str) -> None:
    with WorkBudget(0.1), pytest.raises(TooMuchWorkError):
        convert(formula, notation)


def test_a_long_text_may_be_a_long_formula() -> None:
    with WorkBudget(0.0):
        convert(" + ".join(["math.fmod(x, 2)"] * 200), "python")


# ---- Remainders ------------------------------------------------------------------------------------------------------

_REMAINDERS: list[tuple[str, str, Callable[[float, float], float]]] = [
    ("c", "fmod(x, y)", math.fmod),
    ("python", "math.remainder(x, y)", math.remainder),
    ("python", "x // y", lambda x, y: x // y),
]


@pytest.mark.parametrize(("notation", "formula", "expected"), _REMAINDERS)
def test_remainders_are_exact(notation: str, formula: str, expected: Callable[[float, float], float]) -> None:
    program = parse(convert(formula, notation).text)
    pairs = [(1.0, 0.1), (360.0, 1e-3), (1e17, 0.7), (5.0, math.inf), (0.3, 0.1), (4.0, 2.0), (3.0, 2.0), (5.0, 2.0)]
    for x, y in [*pairs, (0.45, 0.3), (1e-20, 1.0), (math.nextafter(4.5, 0), 3.0), (0.0, 2.0)]:
        for signed in (x, y), (-x, y), (x, -y), (-x, -y):
            if math.isfinite(expected(*signed)) and (math.isfinite(y) or "//" not in formula):
                assert float(evaluate(program, {"x": signed[0], "y": signed[1]})) == expected(*signed), signed


@pytest.mark.parametrize(("formula", "whole"), [("fmod(x, y)", math.trunc), ("remainder(x, y)", round)])
@pytest.mark.parametrize("x", [-7.0, -4.0, 0.0, 4.0, 7.0])
@pytest.mark.parametrize("y", [-2.0, 2.0])
def test_the_slopes_of_a_remainder_are_those_of_a_multiple_taken_off(
    formula: str, whole: Callable[[float], int], x: float, y: float
) -> None:
    program = parse(convert(formula, "c").text)
    assert gradient(program, {"x": x, "y": y}) == {"x": 1, "y": -whole(x / y)}


# ---- C ---------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("x", [0.49999999999999994, 0.5, 1.5, 2.5, 4503599627370495.5, 4503599627370497.0])
def test_halves_are_rounded_away_from_zero_as_in_c(x: float) -> None:
    program = parse(convert("round(x)", "c").text)
    expected = float(Decimal(x).quantize(Decimal(1), ROUND_HALF_UP))
    assert [float(evaluate(program, {"x": value})) for value in (x, -x)] == [expected, -expected]


def test_a_line_of_c_goes_on_after_a_backslash() -> None:
    assert convert("#define SWAP(a, b) \\\n  a = b\nx + \\\r\n y", "c").text == "x + y"
    assert convert("x // twice \\\n * 2\n + y", "c").text == "x + y"


# ---- Spreadsheets ----------------------------------------------------------------------------------------------------

_ROUNDINGS = {"ROUND": ROUND_HALF_UP, "ROUNDUP": ROUND_UP, "ROUNDDOWN": ROUND_DOWN}


def _near_halves() -> Iterator[tuple[Decimal, int]]:
    """Decimal numbers with up to 15 digits at and beside what is half between two of fewer places."""
    chance = Random(1)
    for _ in range(300):
        places = chance.randrange(-2, 5)
        number = chance.randrange(1, 10 ** chance.randrange(1, 9)) * Decimal("0.5").scaleb(-places)
        last = Decimal(1).scaleb(number.adjusted() - 14)
        yield from ((sign * number + beside * last, places) for sign in (1, -1) for beside in (-1, 0, 1))


@pytest.mark.parametrize("name", _ROUNDINGS)
def test_a_number_is_rounded_as_its_decimal_digits_are(name: str) -> None:
    program = parse(convert(f"={name}(A1, B1)", "excel").text)
    for number, places in _near_halves():
        rounded = float(evaluate(program, {"A1": float(number), "B1": places}))
        expected = number.quantize(Decimal(1).scaleb(-places), _ROUNDINGS[name])
        assert rounded == pytest.approx(float(expected), rel=1e-15), (number, places)


@pytest.mark.parametrize("name", _ROUNDINGS)
@pytest.mark.parametrize(
    ("number", "digits"),
    [(100000.0, 12), (12345678.9, 10), (3.0, 15), (123456789012345.0, 2), (1e17, 0), (1e308, 4), (-4e20, -3)],
)
def test_a_number_without_more_digits_stays(name: str, number: float, digits: int) -> None:
    program = parse(convert(f"={name}(A1, B1)", "excel").text)
    assert float(evaluate(program, {"A1": number, "B1": digits})) == number


def test_the_number_of_digits_has_no_slope_and_no_fraction() -> None:
    program = parse(convert("=A1*ROUND(B1, C1)", "excel").text)
    assert gradient(program, {"A1": 100, "B1": 1.234, "C1": 2}) == {"A1": 1.23, "B1": 0, "C1": 0}
    assert float(evaluate(program, {"A1": 1, "B1": 1.234, "C1": 1.5})) == 1.2


@pytest.mark.parametrize(
    ("formula", "meaning", "expected"),
    [
        ("=SUM(Sales)/COUNT(sales)", "sum(Sales)/len(Sales)", 3.5),
        ("=AVERAGE(Sales)", "mean(Sales)", 3.5),
        ("=AVERAGE(Sales,A1)", "(sum(Sales) + A1)/(len(Sales) + 1)", 3),
        ("=SUMSQ(Sales,A1)/COUNT(Sales,A1:A2)", "(sum(Sales^2) + A1^2)/(len(Sales) + 2)", 7.25),
        ("=PRODUCT(Sales)*MAX(Sales)", "prod(Sales)*max(Sales)", 48),
        ("=SUMPRODUCT(Sales,Prices)", "dot(Sales, Prices)", 34),
        ("=SUMPRODUCT(Sales,Prices,Sales)", "sum(Sales*Prices*Sales)", 106),
    ],
)
def test_a_range_with_a_name_is_a_list(formula: str, meaning: str, expected: float) -> None:
    converted = convert(formula, "excel").text
    assert converted == meaning
    point = {"Sales": [3, 4], "Prices": [10, 1], "A1": 2.0}
    point = {name: value for name, value in point.items() if name in converted}
    assert evaluate(converted, point) == expected


# ---- Nothing is run --------------------------------------------------------------------------------------------------


def test_python_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for text in ("open('x', 'w')", "(lambda: open('x', 'w'))()", "f'{open(1)}'", "[a for a in x]"):
        with pytest.raises(AutodiffError):
            convert(text, "python")
    assert list(tmp_path.iterdir()) == []


def test_what_is_nested_too_deep_is_an_error() -> None:
    for notation, text in (("python", "(" * 5000), ("c", "(" * 50_000), ("excel", "=" + "-" * 50_000 + "1")):
        with pytest.raises(AutodiffError):
            convert(text, notation)


@pytest.mark.parametrize("notation", NOTATIONS)
def test_a_long_sum_is_not_nested(notation: str) -> None:
    text = " + ".join(["x", *["2*x"] * 600])
    assert convert(text, notation).text == text


@pytest.mark.parametrize("notation", ["python", "sympy"])
def test_a_sum_too_long_for_pythons_parser_is_an_error_that_says_so(notation: str) -> None:
    with pytest.raises(AutodiffError, match="a sum or another chain of operators is too long") as raised:
        convert(" + ".join(["2*x"] * 20_000), notation)
    assert "in parts" in raised.value.hint
    parts = "\n".join(f"part = {' + '.join(['part', *['2*x'] * 999])}" for _ in range(20))
    assert len(convert(f"part = x\n{parts}\npart", notation).text) > 100_000


@pytest.mark.parametrize(
    ("notation", "text"),
    [
        ("c", "x + 1 " + "/* " * 100_000),
        ("c", "x + 1\n#pragma " + "/* " * 100_000),
        ("python", f"sum([{'α*x, ' * 20_000}])"),
    ],
    ids=["comments", "directive", "line"],
)
def test_a_long_text_is_read_in_linear_time(notation: str, text: str) -> None:
    with within(10), suppress(AutodiffError):
        convert(text, notation)


@pytest.mark.parametrize("before", ["é", "𝛼 - 中*é"])
def test_a_part_of_a_line_beyond_ascii_knows_where_it_stood(before: str) -> None:
    text = f"a = é\n{before} + sin()  # 𝛼"
    with pytest.raises(AutodiffError) as caught:
        convert(text, "python")
    assert caught.value.span is not None
    assert text[slice(*caught.value.span)] == "sin()"


# ---- Exports read back -----------------------------------------------------------------------------------------------


def _given(program: Program) -> dict[str, float]:
    numbers = program.graph.numbers
    return {name: numbers.get(node, 0.3 + 0.17 * i) for i, (name, node) in enumerate(program.inputs.items())}


@pytest.mark.parametrize("target", TARGETS)
def test_every_operation_reads_back(target: str) -> None:
    for operation in TABLE:
        program = parse(operation.example)
        assert readback.difference(program, target, _given(program)) == "", operation


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@each_example
def test_every_example_reads_back(file: Path, target: str) -> None:
    program = parse(file.read_text(encoding="utf-8"))
    if "e" in program.inputs:
        pytest.skip("a value that is called e is the number e elsewhere")
    assert readback.difference(program, target, _given(program)) == ""


@pytest.mark.parametrize("target", ["python", "numpy", "c"])
@pytest.mark.parametrize("count", [1, 5, 25])
def test_derivatives_are_left_out(target: str, count: int) -> None:
    program = parse(" + ".join(f"x{i}*y{i}^2" for i in range(count)))
    back = parse(convert(export(program, target, hessian=True), {"numpy": "python"}.get(target, target)).text)
    assert set(back.inputs) == set(program.inputs)
    assert evaluate(back, dict.fromkeys(back.inputs, 2.0)) == 8.0 * count


@pytest.mark.parametrize("target", ["python", "numpy", "c"])
@pytest.mark.parametrize("formula", ["w*sigmoid(w*x + b)", "beta*beta(x, y)", "digamma(x)^2"])
def test_what_only_derivatives_need_is_left_out(target: str, formula: str) -> None:
    exported = export(parse(formula), target)
    back = parse(convert(exported, {"numpy": "python"}.get(target, target)).text)
    assert back.graph.needed_by(back.output) == [*range(len(back.graph.operations))]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("formula", ["x", "where(x > 0, y, y)*1", "y^2 + floor(x)*0"])
def test_formulas_that_need_few_of_their_inputs_read_back(target: str, formula: str) -> None:
    assert readback.difference(parse(formula), target, {"x": 0.3, "y": 2.0}) == ""


@pytest.mark.parametrize("target", ["python", "numpy", "c"])
def test_names_like_those_of_results_read_back(target: str) -> None:
    program = parse("gradient_x = x^2; hessian_0 = 2*x; input_rate*gradient_x + hessian_0")
    exported = convert(export(program, target, hessian=True), {"numpy": "python"}.get(target, target)).text
    assert {"gradient_x = x*x", "hessian_0 = 2.0*x"} <= set(exported.splitlines())
    assert readback.difference(program, target, {"x": 0.3, "input_rate": 2.0}) == ""


@pytest.mark.parametrize("formula", ["V_th*x_sh", "lgamma(x)", "digamma(x)^2", "polygamma(2, x)^3"])
def test_latex_reads_back_in_the_same_words(formula: str) -> None:
    exported = export(parse(f"y = {formula}"), "latex")
    assert convert(exported, "latex").text == f"y = {formula}"


@pytest.mark.parametrize(
    ("formula", "back"),
    [
        ("x1 + 2*x_1", "f = x_1 + 2*x_1_again_2"),
        ("x*X + x_a + xa", "f = x*X + x_a + xa"),
        ("e1 = 2*x; e1^pi1", "e_1 = 2*x\nf = e_1^pi_1"),
        ("gamma(x)^2", "f = gamma(x)^2"),
        ("x", "x"),
        ("θ*Δt + Δ*t + αβ*α*πr", "f = theta*Deltat + Delta*t + alphabeta*alpha*pir"),
    ],
)
def test_latex_keeps_names_apart(formula: str, back: str) -> None:
    assert convert(export(parse(formula), "latex"), "latex").text == back


@pytest.mark.parametrize("target", ["python", "c"])
def test_an_input_called_e_is_not_read_back(target: str) -> None:
    with pytest.raises(AutodiffError, match="`e` cannot be the name of a value"):
        convert(export(parse("e = 0.5; e*x"), target), target)


def test_a_value_called_e_is_not_read_back_as_a_number() -> None:
    exported = export(parse("e = 0.5; e*x"), "latex", wrt=["x"])
    with pytest.raises(AutodiffError, match="the value that is called e"):
        convert(exported, "latex")


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        (r"\sin^{-1} x", r"write \arcsin, or \frac{1}{\sin(…)}"),
        (r"\sinh^{-1} x", r"write \operatorname{arcsinh}, or \frac{1}{\sinh(…)}"),
        (r"\operatorname{erf}^{-1} x", r"write \frac{1}{\operatorname{erf}(…)}"),
        (r"\Delta\lambda", r"write \mathrm{Deltalambda}, or \Delta\cdot \lambda"),
        (r"\Delta H_{vap}", r"write \mathrm{DeltaH}_{vap}, or \Delta\cdot H_{vap}"),
        (r"\Delta G_1 = x", r"write \mathrm{DeltaG}_1 for one name, or the formula alone"),
        ("Re = x", r"write \mathrm{Re} for one name, or the formula alone"),
        ("x_1 y = x", "write the formula alone"),
        ("k_1^0", r"write 1 for the power, \mathrm{k_1_0} for the name"),
        (r"E^{\circ}", r"for a standard state write a name, such as \mathrm{E_0}; for degrees \cdot \frac{\pi}{180}"),
        (r"E^\ominus", r"for a standard state write a name, such as \mathrm{E_0}"),
    ],
)
def test_a_hint_offers_what_is_read(formula: str, hint: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        convert(formula, "latex")
    assert caught.value.hint == hint


def test_functions_of_arrays_are_those_of_lists() -> None:
    formula = convert("np.dot(w, x)/np.linalg.norm(w) + len(x) + w.dot(x)", "python").text
    assert formula == "dot(w, x)/norm(w) + len(x) + dot(w, x)"
    assert evaluate(formula, {"w": [3, 4], "x": [1, 2]}) == 11 / 5 + 2 + 11


@pytest.mark.parametrize(
    ("call", "hint"),
    [
        ("print(x)", "leave it out: the last statement is the output"),
        ("np.linalg.norm(x, 1)", "write its formula for single numbers, such as x[0]"),
        ("np.real(x)", ""),
        ("torch.sgn(x)", "did you mean `sign`?"),
        ("np.tahn(x)", "did you mean `tanh`?"),
    ],
)
def test_a_function_of_python_is_taken_for_no_other(call: str, hint: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        convert(call, "python")
    assert caught.value.hint == hint


@pytest.mark.parametrize(
    ("formula", "hint"),
    [
        ("logb(x)", ""),
        ("sqtr(x)", "did you mean `sqrt`?"),
        ("#define K 3\nK*x", "write `const double K = …;`, or the formula in its place"),
        ("#define SQR(x) ((x)*(x))\nSQR(y)", "write the formula in its place"),
        ("#if 0\ny = 2*x;\n#endif\ny", "leave it out, with the code that is not meant"),
        ("for (i = 0; i < 3; i++) s += x;", "write its steps one after the other"),
        ("if (x > 0) y = x;", "give it one in each case, or before the `if`"),
        ("switch (n) { case 1: y = x; }", "write a choice as `if`"),
    ],
)
def test_a_function_of_c_is_taken_for_no_other(formula: str, hint: str) -> None:
    with pytest.raises(AutodiffError) as caught:
        convert(formula, "c")
    assert caught.value.hint == hint


@pytest.mark.parametrize("formula", ["é*x + 1", "f_é^2*naïve", "ŷ*ẋ*ǎ + Å/ñ", "β̃*3 + θ̂_1", "ά + x̊*ḗ"])
def test_letters_with_accents_read_back(formula: str) -> None:
    program = parse(formula)
    back = parse(convert(export(program, "latex", name="exported"), "latex").text)
    assert list(back.inputs) == list(program.inputs)
    assert evaluate(back, dict.fromkeys(back.inputs, 1.5)) == evaluate(program, dict.fromkeys(program.inputs, 1.5))


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
def test_the_corpora_read_back(target: str) -> None:
    for case in records("feynman.jsonl"):
        program = parse(case["text"])
        assert readback.difference(program, target, case["at"]) == "", case["id"]


def test_from_python_a_formula_of_another_notation_is_a_text_that_every_function_takes() -> None:
    assert autodiff.convert(r"\frac{1}{2} m v^2", "latex") == "1/2*m*v^2"
    assert autodiff.gradient(autodiff.convert("np.sum(x**2)", "python"), {"x": [1, 2]}) == {"x": [2.0, 4.0]}
    wrong: Any
    for wrong in ("Python", None, ["c"]):
        with pytest.raises(AutodiffError, match="`notation` is ") as raised:
            autodiff.convert("x", wrong)
        assert raised.value.hint == "it is one of 'python', 'sympy', 'latex', 'excel', 'c'"
    with pytest.raises(AutodiffError, match="a text is needed, not `list`"):
        autodiff.convert(wrong, "python")
