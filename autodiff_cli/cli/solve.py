"""`autodiff solve`: where a formula is zero, or where several equations hold."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from ..errors import MISMATCH, UsageError, needing_arrays, quoted_names
from ..notation import canonical
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.remedies import FOR_SEARCHES, worded
from .completion import completers
from .output.notices import warn
from .output.result_output import ResultOptions, result_options
from .sources import ranges
from .sources.formula import FormulaOptions, equation, unused

if TYPE_CHECKING:
    from ..plot.drawable import Drawable
    from ..root_finding.equations import Equations
    from ..root_finding.solve import Solution

_HELP = """Find where EQUATION holds: one equation, or several in as many unknowns.

\b
  autodiff solve "x^3 - 2*x - 5" --between 2:3
  autodiff solve "cos(x) = x" --start x=1
  autodiff solve "sin(x)*x = 1" --all 0:20
  autodiff solve "x^2 + y^2 = 4" "y = exp(x)" --start x=1 y=1
  autodiff solve "h*k = 4" "h + 3 = k" --start h=1 k=1 --bounds h=0: k=0:
  autodiff solve "p*v = r*t" --for v --set p=101325 r=8.314 t=300 --start v=1

A formula alone is set equal to zero. Every input without a number is an unknown, unless --for names others. Exit code
4: no root was found."""


@dataclass(frozen=True, kw_only=True)
class SolveRequest(FormulaOptions, ResultOptions):
    """The options of the command line, under the names of their parameters."""

    formulas: tuple[str, ...]
    bounds: tuple[str, ...]
    between: str | None
    all_between: str | None
    trace: bool

    @property
    def is_piped(self) -> bool:
        """Whether the equations are read from standard input."""
        return super().is_piped and len(self.formulas) < 2

    @property
    def _searched(self) -> dict[str, list[str]]:
        names = [canonical(text.rpartition("=")[0]) for text in (self.between, self.all_between) if text]
        return super()._searched | {name: [name] for name in names if name}

    @property
    def window(self) -> tuple[float, float] | None:
        """The interval that is searched; None without one."""
        following = self.formulas[1:]  # the 2 of `--between 0 2`
        if self.between:
            return ranges.interval(self.between, "--between", following)
        return ranges.interval(self.all_between, "--all", following) if self.all_between else None


@click.command(cls=FormulaCommand, help=_HELP)
@click.argument("formulas", nargs=-1, metavar="EQUATION …")
@options.file_option
@options.from_option
@options.set_option
@options.inputs_option
@options.value_option("Of a program from a file or standard input, the value that is to be 0.")
@options.names_option("--for", "unknowns", help="The unknowns.", example="x y", shell_complete=completers.inputs)
@options.start_option
@options.bounds_option("unknowns")
@click.option("--between", metavar="LOW:HIGH", help="Two points at which the formula has different signs.")
@click.option("--all", "all_between", metavar="LOW:HIGH", help="Find every root between two points.")
@click.option("--trace", is_flag=True, help="Show the points on the way.")
@result_options("the roots on the curve")
@worded(FOR_SEARCHES)
def command(formulas: tuple[str, ...], **values: Any) -> int:
    """Solve the equations and write the roots."""
    with needing_arrays("roots"):
        from ..root_finding.report import SolutionReport
    formulas = () if formulas == ("-",) else formulas
    single = formulas[0] if len(formulas) == 1 and values["file"] is None else None
    request = SolveRequest(formula=single, formulas=formulas, **values)
    request.require_writable()
    window = request.window
    system = _system(request)
    solution = _solution(system, request, window)
    warn(solution.spent)

    def chart() -> "Drawable":
        from ..root_finding import charts

        return charts.chart(system, solution, window)

    request.write(SolutionReport(system.names, solution, request.precision, request.trace), chart)
    request.explain_failure(solution)
    return 0 if solution.converged else MISMATCH


def _system(request: SolveRequest) -> "Equations":
    """The equations in their unknowns."""
    from ..root_finding.equations import equations

    program = None if request.formulas and request.file is None else request.program()
    unknowns = options.names(request.unknowns)
    formulas = [equation(text, request.notation) for text in request.formulas]
    bounds = ranges.bounds(request.bounds)
    system = equations(formulas or None, unknowns, request.point, program, request.entries, bounds)
    if len(system.functions) == 1:
        warn(*unused(system.functions[0].program, request.given, system.names))
    return system


def _solution(system: "Equations", request: SolveRequest, window: tuple[float, float] | None) -> "Solution":
    """The roots, by the one way to search that the options name."""
    from ..root_finding import all_roots, solve

    if len([option for option in (request.start, request.between, request.all_between) if option]) > 1:
        raise UsageError("two places to search were given", "leave all but one of --start, --between and --all out")
    if window and request.bounds:
        raise UsageError("`--bounds` is for --start: an interval has ends of its own", "leave it out")
    if window is None:
        return solve.from_start(system, system.start(request.started))
    if len(system.names) > 1:
        hint = f"write --start {' '.join(f'{name}=1' for name in system.names)}, with your numbers"
        raise UsageError(f"an interval is for one unknown, not for {quoted_names(system.names)}", hint)
    name, equals, ends = (request.between or request.all_between or "").rpartition("=")
    if equals and canonical(name) not in system.names:
        message = f"the interval is one of `{name.strip()}`, but the unknown is `{system.names[0]}`"
        raise UsageError(message, f"write {'--between' if request.between else '--all'} {ends}")
    if request.all_between and request.trace:
        raise UsageError("`--trace` is for one root, and --all finds every one", "leave it out")
    return (solve.between if request.between else all_roots.all_between)(system, *window)
