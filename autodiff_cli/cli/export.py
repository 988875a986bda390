"""`autodiff export`: the value and the gradient as a function in another language."""

import sys
from pathlib import PurePath

import click

from .. import export
from ..errors import USAGE, AutodiffError
from ..files import write_file
from . import formula as shared
from . import inputs
from .arguments import FormulaCommand

_HELP = """Write FORMULA and its gradient as a function in another language.

The function computes the value and all partial derivatives in one pass of plain statements, and needs nothing but the
language's own mathematics.

\b
  autodiff export "x^2*sin(x)" --to python
  autodiff export -f model.expr -o model.c
  autodiff export -f model.expr --to rust --wrt a,b --name energy
  autodiff export -f model.expr --to numpy --hessian
  autodiff export -f model.expr --to sql --table measurements --keep id

An input that --set gives a number is that number in the function, and no parameter. -o tells the language by the
file's ending: .c .py .js .rs .f90 .jl .tex .sql."""


@click.command(cls=FormulaCommand, help=_HELP, short_help="The gradient as code: C, Python, JavaScript, Rust, SQL …")
@shared.formula_options
@click.option("--to", "target", type=click.Choice(list(export.TARGETS)), help="The language.")
@click.option("-o", "--out", metavar="FILE", help="Write to a file.")
@shared.wrt_option
@shared.output_option
@click.option("--name", metavar="NAME", help="What the function is called, if not as the output or the file.")
@click.option("--hessian", is_flag=True, help="The second derivatives too.")
@shared.expand_option
@click.option("--table", metavar="NAME", help="For SQL: the table that has a column for each input.")
@click.option("--keep", multiple=True, metavar="NAMES", help="For SQL: other columns to pass on: --keep id,day.")
def command(
    formula: str | None,
    file: str | None,
    assignments: tuple[str, ...],
    inputs_file: str | None,
    target: str | None,
    out: str | None,
    wrt: tuple[str, ...],
    output: str | None,
    name: str | None,
    hessian: bool,
    expand: tuple[str, ...],
    table: str | None,
    keep: tuple[str, ...],
) -> None:
    """Read, differentiate, write."""
    language = _target(target, out)
    options = _options(language, table, keep)
    given = inputs.from_assignments(assignments)
    program = shared.read_program(formula, file, output, expand)
    names = shared.names(wrt, "--wrt") if wrt else None
    shared.warn(shared.unused(program, given, names or ()))
    fixed = shared.from_file(inputs_file) | given
    text = export.export(program, language, wrt=names, name=name, hessian=hessian, fixed=fixed, **options)
    if out is None:
        sys.stdout.write(text)
    else:
        write_file(out, text.encode())


def _target(target: str | None, out: str | None) -> str:
    """The language that is asked for, or that the file's ending says."""
    if target is not None:
        return target
    ending = PurePath(out or "").suffix.lower()
    found = next((name for name, endings in export.TARGETS.items() if ending in endings), None)
    if found is None:
        what = f"the ending of `{out}` says no language" if out else "no language is named"
        raise AutodiffError(what, hint=f"add --to {'|'.join(export.TARGETS)}", code=USAGE)
    return found


def _options(language: str, table: str | None, keep: tuple[str, ...]) -> dict[str, object]:
    """The options that are for one language alone."""
    given: dict[str, object] = {"table": table} if table is not None else {}
    if keep:
        given["keep"] = [column.strip() for text in keep for column in text.split(",") if column.strip()]
    if given and language != "sql":
        raise AutodiffError(f"--{next(iter(given))} is for SQL", hint="leave it out, or write --to sql", code=USAGE)
    return given
