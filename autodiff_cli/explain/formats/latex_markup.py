"""Sentences and numbers as LaTeX, and aligned formulas."""

from collections.abc import Iterable

from ...latex.notation import FRACTION, LatexText, decimal
from ..walkthrough import Walkthrough
from .sentences import typeset

_SPECIAL = {character: f"\\{character}" for character in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$",
    "|": "$|$", '"': "''", "`": "'", "·": r"$\cdot$", "←": r"$\leftarrow$", "∂": r"$\partial$", "…": r"\dots{}",
}  # fmt: skip


def prose(text: str) -> str:
    """A text as LaTeX; parts between backticks are code."""
    return typeset(text, _escaped, lambda formula: rf"\texttt{{{_escaped(formula)}}}")


def with_names(walk: Walkthrough, text: str) -> str:
    """A text as LaTeX; parts between backticks are names, typeset as in formulas."""
    return typeset(text, _escaped, lambda written: f"${walk.symbols.name(written)}$")


def sentence(remark: str) -> str:
    """A remark as a sentence."""
    return prose(f"{remark[:1].upper()}{remark[1:]}.")


def _escaped(text: str) -> str:
    return "".join(_SPECIAL.get(character, character) for character in text)


def aligned(lines: Iterable[str]) -> str:
    """Formulas one below the other, aligned at their `&`."""
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def figure(walk: Walkthrough, number: float) -> LatexText:
    """A number with the digits to show."""
    return decimal(walk.figure(number))


def enclosed(number: LatexText) -> str:
    """A number as a factor or a term that is not the first."""
    return number.within(FRACTION)
