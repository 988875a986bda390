"""Texts that the terminal and the figures share: captions, and the error for a package that is missing."""

from ..errors import AutodiffError, not_installed, one_line
from ..program import Program
from .curves import Curve


def function_caption(program: Program) -> str:
    """The name of the function, else its formula."""
    return one_line(program.output_name or program.text(program.output))


def _derivative_caption(program: Program, name: str) -> str:
    """`dy/dx`, or `d/dx` for a formula without a name; with ∂ where there are several inputs."""
    sign = "∂" if len(program.inputs) > 1 else "d"
    output = program.output_name or ""
    space = " " if max(len(output), len(name)) > 1 else ""
    return one_line(f"{sign}{space if output else ''}{output}/{sign}{space}{name}")


def caption(program: Program, curve: Curve) -> str:
    """The caption of a curve."""
    return function_caption(program) if curve.wrt is None else _derivative_caption(program, curve.wrt)


def missing_package(package: str) -> AutodiffError:
    """The error for a drawing package that is not installed."""
    return not_installed(f"plots need the package `{package}`, which is not installed", "plot")
