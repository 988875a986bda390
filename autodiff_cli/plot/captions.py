"""Texts that the terminal and the figures share: captions, and the error for a package that is missing."""

from collections.abc import Iterator
from dataclasses import astuple

from ..errors import AutodiffError, not_installed
from ..notation import elided, rounded
from ..program import Program
from ..terminal.printable_text import one_line
from .curves import Curve, CurvePlot

_FUNCTION = 30  # columns of a function where its value is stated


def function_caption(program: Program) -> str:
    """The name of the function, else its formula."""
    return one_line(program.output_name or program.text(program.output))


def _derivative_caption(program: Program, name: str) -> str:
    """`dy/dx`, or `d/dx` for a formula without a name; with ∂ where there are several inputs."""
    sign = "∂" if len(program.inputs) > 1 else "d"
    output = program.output_name or ""
    space = " " if max(len(output), len(name)) > 1 else ""
    return one_line(f"{sign}{space if output else ''}{output}/{sign}{space}{name}")


def caption(curve: Curve) -> str:
    """The caption of a curve."""
    if curve.tangent is not None:
        of = f" of {one_line(curve.program.output_name)}" if curve.program.output_name else ""
        return f"tangent{of} at {rounded(curve.tangent.at)}"
    return function_caption(curve.program) if curve.wrt is None else _derivative_caption(curve.program, curve.wrt)


def tangent_notes(plot: CurvePlot) -> Iterator[str]:
    """The caption of each tangent: `x = 1: sin(x) = 0.841471, slope 0.540302`."""
    for curve in plot.curves:
        if curve.tangent is not None:
            at, value, slope = map(rounded, astuple(curve.tangent))
            function = elided(function_caption(curve.program), _FUNCTION)
            yield one_line(f"{plot.name} = {at}: {function} = {value}, slope {slope}")


def missing_package(package: str) -> AutodiffError:
    """The error for a drawing package that is not installed."""
    return not_installed(f"plots need the package `{package}`, which is not installed", "plot")
