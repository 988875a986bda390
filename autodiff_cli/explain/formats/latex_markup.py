"""Sentences and numbers as LaTeX, and aligned formulas."""

from collections.abc import Iterable

from ..walkthrough import Walkthrough
from .sentences import typeset

_SPECIAL = {character: f"\\{character}" for character in "#$%&_{}"} | {
    "\\": r"\textbackslash{}", "^": r"\textasciicircum{}", "~": r"\textasciitilde{}", "<": "$<$", ">": "$>$",
    "|": "$|$", '"': "''", "`": "'", "·": r"$\cdot$", "←": r"$\leftarrow$", "∂": r"$\partial$", "…": r"\dots{}",
}  # fmt: skip


def prose(text: str) -> str:
    """A text as LaTeX; parts between backticks are code."""
    return typeset(text, _escaped, lambda formula: rf"\texttt{{{_escaped(formula)}}}")


def sentence(remark: str) -> str:
    """A remark as a sentence."""
    return prose(f"{remark[:1].upper()}{remark[1:]}.")


def _escaped(text: str) -> str:
    parts = (_SPECIAL.get(character, character) for character in text)
    return "".join(
        part if part.isascii() else _escaped(part.encode("ascii", "backslashreplace").decode()) for part in parts
    )


def aligned(lines: Iterable[str]) -> str:
    """Formulas one below the other, aligned at their `&`."""
    return "\\begin{align*}\n" + " \\\\\n".join(lines) + "\n\\end{align*}"


def figure(walk: Walkthrough, number: float) -> str:
    """A number with the digits to show."""
    text = walk.figure(number)
    mantissa, _, exponent = text.partition("e")
    if exponent:
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return {"inf": r"\infty", "-inf": r"-\infty", "nan": r"\mathrm{nan}"}.get(text, text)


def enclosed(text: str) -> str:
    """A number as a factor or a term that is not the first."""
    return rf"\left({text}\right)" if text.startswith("-") or r"\cdot" in text else text
