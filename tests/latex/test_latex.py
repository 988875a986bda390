"""LaTeX: formulas as a person writes them, and documents that compile."""

import shutil
import subprocess
from pathlib import Path

import pytest
from places import EXAMPLES

from autodiff_cli import parse
from autodiff_cli.export import export
from autodiff_cli.latex.printer import formula
from autodiff_cli.notation import is_constant
from autodiff_cli.operations import TABLE

HOSTILE = "_x^2 + ñandú*é + Δt/ω + a_b_c + __ + x_1*x1 + theta12 + lambda + M_PI"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("x^2*sin(x)", r"x^{2}\,\sin\left(x\right)"),
        ("-x^2", "-x^{2}"),
        ("(-x)^2", r"\left(-x\right)^{2}"),
        ("2*(a + b)", r"2\,\left(a + b\right)"),
        ("x*(a + b)", r"x \cdot \left(a + b\right)"),
        ("-(a + b)*c", r"-\left(a + b\right)\,c"),
        ("a*-b", r"a \cdot \left(-b\right)"),
        ("a + -b", "a - b"),
        ("a - (b - c)", r"a - \left(b - c\right)"),
        ("sin(x)^2", r"\sin^{2}\left(x\right)"),
        ("(a/b)^2", r"\left(\frac{a}{b}\right)^{2}"),
        ("exp(-x/2)", r"e^{-\frac{x}{2}}"),
        ("2*3", r"2 \cdot 3"),
        ("1e-9*x", r"10^{-9}\,x"),
        ("theta1 + camera_x + ω + Δt", r"\theta_{1} + \mathrm{camera}_{x} + \omega + \Delta t"),
        ("log(x, 3) + cbrt(y)", r"\log_{3}\left(x\right) + \sqrt[3]{y}"),
        ("where(x > 0, x, 1)", r"\begin{cases} x & \text{if } x > 0 \\ 1 & \text{otherwise} \end{cases}"),
        (
            "where(x > 0, where(y > 0, 1, 2), where(y > 1, 3, 4))",
            r"\begin{cases} \begin{cases} 1 & \text{if } y > 0 \\ 2 & \text{otherwise} \end{cases} & \text{if } x > 0 "
            r"\\ 3 & \text{if } y > 1 \\ 4 & \text{otherwise} \end{cases}",
        ),
        ("2*pi*r", r"2\,\pi\,r"),
        ("e = (2); e^x*exp(y)", r"2^{x}\,\exp\left(y\right)"),
        ("e = t + 1; exp(x)^2", r"\exp\left(x\right)^{2}"),
        ("e*exp(x)", r"e\,e^{x}"),
        ("abs(x)^2", r"\left|x\right|^{2}"),
        ("x^y^z", "x^{y^{z}}"),
        ("_a__b", r"\mathrm{\_a\_\_b}"),
        ("é*Ångström*ά", r"\acute{e}\,\mathrm{\mathring{A}ngstr\ddot{o}m}\,\acute{\alpha}"),
        ("结果 + жук_1", r"\text{结果} + \text{жук}_{1}"),
        ("factorial(n + 1)", r"\left(n + 1\right)!"),
    ],
)
def test_a_formula_is_typeset(text: str, expected: str) -> None:
    program = parse(text)
    assert formula(program.graph, program.output) == expected


def test_the_names_are_searched_once_for_all_exponentials(monkeypatch: pytest.MonkeyPatch) -> None:
    program, asked = parse("e*exp(a)*exp(b)*exp(c)"), []

    def counted(name: str, number: float | None) -> bool:
        asked.append(name)
        return is_constant(name, number)

    monkeypatch.setattr("autodiff_cli.latex.printer.is_constant", counted)
    formula(program.graph, program.output)
    assert asked == ["e", "e"]  # for the exponentials, and where it is written


def _documents() -> list[str]:
    """Every operation of the table; names that LaTeX cannot print; programs with cases, indices and iterates."""
    operations = " + ".join(f"({row.example})" for row in TABLE)
    texts = [operations, HOSTILE, *((EXAMPLES / f"{name}.expr").read_text() for name in ("huber", "kalman", "rlc"))]
    return [export(parse(text), "latex", hessian=text == HOSTILE) for text in texts]


def test_documents_are_balanced_and_plain() -> None:
    for text in _documents():
        plain = text.replace(r"\{", "").replace(r"\}", "")
        assert plain.count("{") == plain.count("}")
        assert text.count(r"\left") == text.count(r"\right")
        assert text.isascii()


def test_a_document_says_that_it_needs_letters() -> None:
    assert "XeLaTeX" in export(parse("结果 = 2*x"), "latex")
    assert "XeLaTeX" not in export(parse("é = 2*ñ"), "latex")


def test_documents_compile(tmp_path: Path) -> None:
    if shutil.which("pdflatex") is None:
        pytest.skip("pdflatex is not installed")
    for place, text in enumerate(_documents()):
        (tmp_path / f"{place}.tex").write_text(text, encoding="utf-8")
        command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", f"{place}.tex"]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, check=False)
        assert done.returncode == 0, done.stdout[-2000:]


def test_a_comparison_after_an_equals_sign_is_in_parentheses() -> None:
    assert r"c &= \left(a = b\right)" in export(parse("c = a == b; y = c*x"), "latex")
    program = parse("a == b")
    assert formula(program.graph, program.output) == r"\left(a = b\right)"
    program = parse("where(a == b, 1, 2)")
    assert r"if } a = b" in formula(program.graph, program.output)
    assert r"f &= \left(a > 0 \land b > 0\right)" in export(parse("a > 0 and b > 0"), "latex")
    assert r"f &= a \bmod b" in export(parse("a % b"), "latex")


def test_what_is_needed_again_has_a_line_of_its_own() -> None:
    text = export(parse("n = x*w; o = tanh(n)^2"), "latex")
    assert "n &= x\\,w" in text
    assert r"\frac{\partial o}{\partial x} &= 2\,w\," in text
    again = export(parse("x = a + 1; x = x^2; x = x^2"), "latex")
    assert "{x}_{(2)} &= x^{2}" in again
    assert "{x}_{(3)} &= {x}_{(2)}^{2}" in again
