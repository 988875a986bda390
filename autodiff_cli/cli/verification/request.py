"""Derivatives that a person wrote, from a command line or a mark in a file."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import TYPE_CHECKING, Any

import click

from ...conversion import parsed
from ...errors import MISMATCH, AutodiffError, Notice, UsageError, did_you_mean, quoted_names
from ...notation import canonical
from ...program import Program
from .. import options
from ..command_line.arguments import FormulaCommand
from ..command_line.parameter_types import NumberRange
from ..completion import completers
from ..output.notices import warn
from ..sources import inputs, points, ranges
from ..sources.formula import FormulaOptions

if TYPE_CHECKING:
    from ...gradient_check.verify import Verification
    from ...gradient_check.verify_report import VerifyReport

FORMATS = ("text", "json")
_RANGE = (-5.0, 5.0)
_EXAMPLE = 'write autodiff verify "x^3" "3*x^2"'
_FURTHER = 5000
"""points that are tried where too few of those asked for can be compared"""


class VerifyCommand(FormulaCommand):
    """A command whose first arguments are a formula and its derivatives."""

    least = 2


verify_options = options.together(
    click.argument("formulas", nargs=-1, metavar="FORMULA DERIVATIVE …", shell_complete=completers.marked_files),
    options.from_option,
    options.names_option("--wrt", help="The inputs, in the order of the derivatives; one input needs no --wrt."),
    options.value_option("The derivatives are those of this named value, not of the last."),
    options.set_option,
    options.random_option("Ranges from which the points are drawn."),
    click.option(
        "--points",
        "count",
        type=click.IntRange(1),
        metavar="N",
        default=100,
        show_default=True,
        help="How many points.",
    ),
    options.seed_option,
    click.option(
        "--tolerance",
        type=NumberRange(0),
        metavar="RELATIVE",
        default=0.0,
        help="How far off a derivative may be, for numbers that were rounded by hand: --tolerance 1e-3.",
    ),
)
"""the arguments of `VerifyRequest.of`"""


@dataclass(frozen=True, kw_only=True)
class VerifyRequest(FormulaOptions):
    """A formula and a derivative for each name, and the points at which they are compared."""

    derivatives: Sequence[str]
    inputs_file: str | None = None
    count: int
    seed: int
    tolerance: float

    @classmethod
    def of(cls, formulas: Sequence[str], *, file: str | None = None, **options: Any) -> "VerifyRequest":
        """The request of a command line, whose first formula is differentiated, unless that is in a file."""
        if not (formulas or file):
            raise UsageError("no formula was given", _EXAMPLE)
        formula, derivatives = (None, formulas) if file else (formulas[0], formulas[1:])
        return cls(formula=formula, derivatives=derivatives, file=file, **options)

    def report(self) -> "VerifyReport":
        """Compare at all points."""
        from ...gradient_check.verify import verify
        from ...gradient_check.verify_report import VerifyReport

        program = self.program()
        names = program.entries(map(canonical, self.wrt or _only(program.inputs, len(self.derivatives))))
        derivatives = self._parsed_derivatives(program, names)
        given, windows = self.point, ranges.ends(self.over)
        inputs_used = _inputs(program, derivatives)
        _refuse_unknown(names, {**program.names, **inputs_used, **given})
        self._warn_of_unused(program, names, derivatives, windows)
        drawn = {name: windows.get(name, _RANGE) for name in inputs_used if name not in given} | windows
        count = self.count if drawn else 1
        many = points.random_points(count + _FURTHER, drawn, self.seed, given) if drawn else [points.Point("", given)]
        claims = dict(zip(names, derivatives, strict=True))
        numbers = (point.numbers for point in many)
        answer = verify(program, claims, numbers, self.tolerance, self._written(), count)
        return VerifyReport(answer, drawn, _undecided(answer, count, [name for name in inputs_used if name in drawn]))

    def _parsed_derivatives(self, program: Program, names: Sequence[str]) -> list[Program]:
        """The derivative for each name. Raises AutodiffError if there are more or fewer of them."""
        if len(self.derivatives) != len(names):
            needed, example = "derivatives are", '"x*y" "y" "x" --wrt x,y'
            place = f"for each of {quoted_names(names)}"
            if len(names) == 1:
                needed, example, place = "derivative is", '"x^3" "3*x^2"', "after the formula"
            hint = f"write one derivative {place}, as in autodiff verify {example}"
            raise UsageError(f"{len(names)} {needed} needed, not {len(self.derivatives)}", hint)
        entries = [*self.entries, *(name for name in (*program.inputs, *program.names) if "[" in name)]
        return [
            parsed(text, f"<derivative for {name}>", notation=self.notation, entries=entries)
            for text, name in zip(self.derivatives, names, strict=True)
        ]

    def _warn_of_unused(
        self, program: Program, names: Sequence[str], derivatives: Iterable[Program], windows: Collection[str]
    ) -> None:
        """Warn of names that are given a number or a range, and which no formula uses."""
        inputs_used = _inputs(program, derivatives)
        known = {*program.names, *inputs_used, *names}
        for derivative in derivatives:
            known |= derivative.inputs.keys() | derivative.constants.keys()
        for name in (*self.given, *windows):
            is_entry = "[" in name and name.partition("[")[0] in program.list_names
            if name not in known and not is_entry:
                what = "has a range" if name in windows else "is set"
                warn(Notice(f"`{name}` {what}, but no formula uses it", did_you_mean(name, inputs_used)))

    def _written(self) -> dict[str, Program]:
        """The numbers of --inputs and --set as formulas, whose decimals are taken as they are written."""
        written = self.written_in_file
        for name, text in inputs.assignments(self.assignments, "--set").items():
            written |= inputs.constants(name, text, f"--set {name}", "")
        return written


def _undecided(answer: "Verification", count: int, drawn: Sequence[str]) -> AutodiffError | None:
    """The error for too few points that could be compared, of the `count` that are wanted; None for an answer."""
    from ...gradient_check.verify import ENOUGH

    tried = answer.compared + answer.skipped
    if answer.counterexample is not None or answer.compared >= min(ENOUGH, count, tried):
        return None
    ranges_in_domain = " ".join(f"{name}=LOW:HIGH" for name in drawn)
    return AutodiffError(
        f"undecided: only {answer.compared:,} of {tried:,} points can be compared; the rest are outside of the"
        " domain, without a slope, or need too many digits",
        hint=f"give ranges in the domain: --over {ranges_in_domain}" if drawn else "give other numbers",
        code=MISMATCH,
    )


def _only(inputs: Collection[str], derivatives: int) -> Collection[str]:
    """The input of a formula that has one; all of them if there are no derivatives yet, which is then the error.

    Raises AutodiffError where it is not clear to which inputs so many derivatives belong.
    """
    if not inputs:
        raise UsageError("the formula has no inputs", _EXAMPLE)
    if len(inputs) == 1 or not derivatives:
        return inputs
    first = [*islice(inputs, 3)]
    hint = f"name the inputs of the derivatives: --wrt {','.join(first[:derivatives])}"
    if derivatives == 1:
        hint = f"name the input of the derivative: {', or '.join(f'--wrt {name}' for name in first)}"
    raise UsageError("`--wrt` is missing", hint)


def _inputs(program: Program, derivatives: Iterable[Program]) -> dict[str, None]:
    """The inputs of the formula, and those of the derivatives that are neither its names nor have a number."""
    others = (
        name
        for derivative in derivatives
        for name, node in derivative.inputs.items()
        if name not in program.names and node not in derivative.graph.numbers
    )
    return dict.fromkeys((*program.inputs, *others))


def _refuse_unknown(names: Iterable[str], inputs: Collection[str]) -> None:
    for name in names:
        if name not in inputs:
            raise AutodiffError(f"`{name}` is not an input of the formulas", hint=did_you_mean(name, inputs))
