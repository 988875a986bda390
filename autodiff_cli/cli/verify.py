"""`autodiff verify`: whether a derivative that a person wrote is the true one."""

import sys
from typing import Any

import click

from ..errors import MISMATCH
from ..output import write
from . import options
from .output import output_file
from .verification.request import FORMATS, VerifyCommand, VerifyRequest, verify_options

_HELP = """Is DERIVATIVE the derivative of FORMULA?

Yes ends with exit code 0. No shows the simplest point that says so, with both values, and ends with exit code 4.

\b
  autodiff verify "x^3" "3*x^2"
  autodiff verify "sin(x*y)" "y*cos(x*y)" "x*cos(x*y)" --wrt x,y
  autodiff verify "log(x)" "1/x" --wrt x --over x=0.1:100
  autodiff verify "a*x^2" "2*a*x" --wrt x --set a=3 x=2
  autodiff verify "n = x*w; tanh(n)" "x*sech(n)^2" --wrt w
  autodiff verify -f loss.expr "2*x" --wrt x
  autodiff verify --marked model.py kernel.c

The formulas are compared at 100 points, each input between -5 and 5 where --over gives it no other range; inputs that
--set gives a number keep it. A derivative can use the names of the formula. Numbers are exact, 0.1 is one tenth. Points
outside of the domain are skipped, and those without a slope; fewer than five others are no answer. At a kink every
slope between left and right is right. Where the function has a slope, the derivative must have a value. A formula with
one input needs no --wrt.

With --marked the arguments are files, in any programming language. Each line in them that has a mark such as

\b
  # autodiff: verify "x^3" "3*x^2" --wrt x

is verified with the options of the mark, and each one that is wrong is named with its line."""


@click.command(cls=VerifyCommand, help=_HELP)
@options.file_option
@verify_options
@options.inputs_option
@click.option("--marked", is_flag=True, help="Verify the marks in files, which are named in place of the formulas.")
@options.format_option(FORMATS, "How to answer")
@options.out_option
@click.pass_context
def command(
    ctx: click.Context, /, formulas: tuple[str, ...], marked: bool, format_: str | None, out: str | None, **request: Any
) -> int:
    """Compare the derivatives with the true ones at many points."""
    if marked:
        from .verification.marked import verify_marked

        own = options.present(ctx).keys() - {"marked"}
        options.refuse(options.present(ctx), own, "does not go with --marked: each mark has its own options")
        return verify_marked(formulas)
    format_ = output_file.format_of(format_, out, FORMATS)
    report = VerifyRequest.of(formulas, **request).report()
    if report.undecided is None or format_ == "json":
        with output_file.redirected(out):
            write(report, "table" if format_ == "text" else format_, sys.stdout)
    if report.undecided is not None:
        raise report.undecided
    return 0 if report.answer.counterexample is None else MISMATCH
