"""`autodiff verify`: whether a derivative that a person wrote is the true one."""

import sys
from collections.abc import Iterable

import click

from ..errors import MISMATCH, USAGE, AutodiffError, did_you_mean
from ..output import write
from ..parser import parse
from ..program import Program
from . import options, output_file, points, ranges
from .arguments import FormulasCommand
from .formula import FormulaOptions

_HELP = """Is DERIVATIVE the derivative of FORMULA?

Yes ends with exit code 0. No shows the simplest point that says so, with both values, and ends with exit code 4.

\b
  autodiff verify "x^3" "3*x^2" --wrt x
  autodiff verify "sin(x*y)" "y*cos(x*y)" "x*cos(x*y)" --wrt x,y
  autodiff verify "log(x)" "1/x" --wrt x --over x=0.1:100
  autodiff verify "a*x^2" "2*a*x" --wrt x --set a=3 x=2
  autodiff verify "n = x*w; tanh(n)" "x*sech(n)^2" --wrt w
  autodiff verify -f loss.expr "2*x" --wrt x

The formulas are compared at 100 points, each input between -5 and 5 where --over gives it no other range; inputs that
--set gives a number keep it. A derivative can use the names of the formula. Numbers are exact, 0.1 is one tenth. Points
outside of the domain are skipped, and those without a slope; at a kink every slope between left and right is right."""

_FORMATS = ("text", "json")
_RANGE = (-5.0, 5.0)


@click.command(cls=FormulasCommand, help=_HELP, short_help="Is a derivative that you wrote the true one?")
@click.argument("formulas", nargs=-1, metavar="FORMULA DERIVATIVE …")
@options.file_option
@click.option("--wrt", multiple=True, metavar="NAMES", required=True, help="The inputs, in the derivatives' order.")
@options.set_option
@options.repeatable("--over", "NAME=LOW:HIGH …", "Ranges that the points are drawn of.")
@click.option(
    "--points", "count", type=click.IntRange(1), metavar="N", default=100, show_default=True, help="How many points."
)
@options.seed_option
@click.option(
    "--tolerance",
    type=options.NonNegative(),
    metavar="RELATIVE",
    default=0.0,
    help="How far off a derivative may be, for numbers that were rounded by hand: --tolerance 1e-3.",
)
@options.format_option(_FORMATS, "How to answer.")
@options.out_option
def command(
    formulas: tuple[str, ...],
    file: str | None,
    wrt: tuple[str, ...],
    assignments: tuple[str, ...],
    over: tuple[str, ...],
    count: int,
    seed: int,
    tolerance: float,
    format_: str | None,
    out: str | None,
) -> int:
    """Compare the derivatives with the true ones at many points."""
    from ..gradient_check.verify import verify
    from ..gradient_check.verify_report import VerifyReport

    format_ = output_file.format_of(format_, out, _FORMATS)
    with output_file.redirected(out):
        names = options.names(wrt, "--wrt")
        source = FormulaOptions(formula=None, file=file, assignments=assignments, inputs_file=None)
        program, derivatives = _programs(formulas, names, source)
        given, windows = source.given, ranges.ends(over)
        used = _inputs(program, derivatives)
        _refuse_unknown(names, {**program.names, **used, **given})
        drawn = {name: windows.get(name, _RANGE) for name in used if name not in given} | windows
        many = points.drawn(count, drawn, seed, given) if drawn else iter([points.Point("", given)])
        answer = verify(
            program, dict(zip(names, derivatives, strict=True)), (point.numbers for point in many or ()), tolerance
        )
        if not answer.compared:
            raise AutodiffError(
                "there is nothing to compare: all the points are outside of the domain, or without a slope",
                hint="give other ranges: --over x=0.1:10",
            )
        write(VerifyReport(answer, drawn), "plain" if format_ == "text" else format_, sys.stdout)
    return 0 if answer.counterexample is None else MISMATCH


def _programs(formulas: tuple[str, ...], names: list[str], source: FormulaOptions) -> tuple[Program, list[Program]]:
    """The formula, and a derivative for each name. Raises AutodiffError for another number of derivatives."""
    derivatives = formulas[0 if source.file else 1 :]
    if len(derivatives) != len(names):
        raise AutodiffError(
            f"{len(names)} derivative{'s are' if len(names) > 1 else ' is'} needed, not {len(derivatives)}",
            hint='write autodiff verify "x^3" "3*x^2" --wrt x, with a derivative for each name of --wrt',
            code=USAGE,
        )
    program = source.program() if source.file else parse(formulas[0])
    return program, [parse(text, f"<derivative for {name}>") for text, name in zip(derivatives, names, strict=True)]


def _inputs(program: Program, derivatives: Iterable[Program]) -> dict[str, None]:
    """The inputs of the formula, and those of the derivatives that are neither its names nor have a number."""
    others = (name for derivative in derivatives for name, node in derivative.inputs.items()
              if name not in program.names and node not in derivative.graph.numbers)  # fmt: skip
    return dict.fromkeys((*program.inputs, *others))


def _refuse_unknown(names: Iterable[str], inputs: Iterable[str]) -> None:
    for name in names:
        if name not in inputs:
            raise AutodiffError(f"`{name}` is no input of the formulas", hint=did_you_mean(name, inputs))
