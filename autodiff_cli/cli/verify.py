"""`autodiff verify`: whether a derivative that a person wrote is the true one."""

import sys
from typing import Any

import click

from ..errors import MISMATCH
from ..output import write
from . import options
from .output import output_file
from .verification.request import FORMATS, VerifyCommand, VerifyRequest, verify_options

_HELP = """Say whether DERIVATIVE is the derivative of FORMULA.

If it is, the exit code is 0. If not, the simplest point at which they differ is shown, and the exit code is 4.

\b
  autodiff verify "x^3" "3*x^2"
  autodiff verify "sin(x*y)" "y*cos(x*y)" "x*cos(x*y)" --wrt x,y
  autodiff verify "log(x)" "1/x" --wrt x --over x=0.1:100
  autodiff verify "a*x^2" "2*a*x" --wrt x --set a=3 x=2
  autodiff verify "n = x*w; tanh(n)" "x*sech(n)^2" --wrt w
  autodiff verify -f loss.expr "2*x" --wrt x
  autodiff verify --marked model.py kernel.c

The two are compared at 100 points, with each input between -5 and 5 or in the range that --over gives it; an input
with a number from --set keeps it. Numbers are exact: 0.1 is one tenth. The derivative can use the names of the formula.

At a kink every slope between those on the left and on the right is accepted. Points without a slope are skipped; if
fewer than five others are left, there is no answer. Where the function has a slope, the derivative must have a value.

With --marked the arguments are files, in any programming language. Each line in them that has a mark such as

\b
  # autodiff: verify "x^3" "3*x^2" --wrt x

is verified with the options in the mark. Each one that is wrong is listed with its line."""


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
