"""Plots drawn: `screen` and its two with characters in the terminal, `figure` and its two as pictures for a file."""

from ..errors import AutodiffError, not_installed, one_line
from ..program import Program
from .curves import Curve


def function_label(program: Program) -> str:
    """What the function is called: its name, else its formula."""
    return one_line(program.output_name or program.text(program.output))


def derivative_label(program: Program, name: str) -> str:
    """What a derivative is called: `dy/dx`, or `d/dx` of a formula without a name; ∂ where there are more inputs."""
    sign = "∂" if len(program.inputs) > 1 else "d"
    output = program.output_name or ""
    space = " " if max(len(output), len(name)) > 1 else ""
    return one_line(f"{sign}{space if output else ''}{output}/{sign}{space}{name}")


def label(program: Program, curve: Curve) -> str:
    """What a curve is called."""
    return function_label(program) if curve.wrt is None else derivative_label(program, curve.wrt)


def missing(package: str) -> AutodiffError:
    """The error for a package that draws and is not installed."""
    return not_installed(f"plots need the package `{package}`, which is not installed", "plot")
