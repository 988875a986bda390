"""`autodiff export`: the value and the gradient as a function in another language."""

from typing import Any

import click

from .. import export
from ..errors import UsageError
from ..terminal.encoding import for_programs
from . import options
from .command_line.arguments import FormulaCommand
from .command_line.lists import COLUMNS
from .command_line.remedies import FOR_FORMULAS, worded
from .completion import completers
from .output import output_file
from .output.notices import warn
from .sources.formula import FormulaOptions, like_constants

_HELP = """Write FORMULA and its gradient as a function in another language.

The function computes the value and all partial derivatives in one pass of plain statements, and needs nothing but the
language's own mathematics.

\b
  autodiff export "x^2*sin(x)" --to python
  autodiff export -f model.expr -o model.c
  autodiff export -f model.expr --to rust --wrt a,b --name energy
  autodiff export -f model.expr --to numpy --hessian
  autodiff export -f model.expr --to sql --table measurements --keep id

--set makes an input a constant in the function, not a parameter. Without --to the extension of -o determines the
language: .c .py .js .rs .f90 .jl .tex .sql."""


@click.command(cls=FormulaCommand, help=_HELP)
@options.formula_options
@click.option("--to", "target", type=click.Choice(export.TARGETS), help="The language.")
@options.path_option("-o", "--out", help="Write to a file.")
@options.wrt_option
@options.output_option
@click.option("--name", metavar="NAME", help="The name of the function, if not that of the output or the file.")
@click.option("--hessian", is_flag=True, help="Add the second derivatives.")
@options.expand_option
@click.option("--table", metavar="NAME", help="For SQL: the table that has a column for each input.")
@options.names_option(
    "--keep",
    help="For SQL: other columns to pass on.",
    example="id day",
    entry=COLUMNS,
    shell_complete=completers.nothing,
)
@worded(FOR_FORMULAS)
def command(
    target: str | None,
    out: str | None,
    name: str | None,
    hessian: bool,
    table: str | None,
    keep: tuple[str, ...],
    **formula: Any,
) -> None:
    """Write the formula and its gradient in another language."""
    language = _language(target, out)
    for_sql = _options_for_sql(language, table, keep)
    program, fixed, wrt = FormulaOptions(**formula).read()
    warn(*like_constants(program, [*fixed, *(wrt or ())]))
    text = export.export(program, language, wrt=wrt, name=name, hessian=hessian, fixed=fixed, **for_sql)
    with output_file.opened(out) as stream:
        for_programs(stream)
        stream.write(text)


def _language(target: str | None, out: str | None) -> str:
    """The language that --to names, else that of the file's extension."""
    language = output_file.format_of(target, out, ("", *export.TARGETS))
    if not language:
        message = f"the name `{out}` does not say which language" if out and out != "-" else "no language is named"
        raise UsageError(message, f"add --to {'|'.join(export.TARGETS)}")
    return language


def _options_for_sql(language: str, table: str | None, keep: tuple[str, ...]) -> dict[str, object]:
    """The options that only SQL has. Raises AutodiffError for another language."""
    given: dict[str, object] = {"table": table} if table is not None else {}
    if keep:
        given["keep"] = [name.strip() for names in keep for name in names.split(",")]
    if given and language != "sql":
        raise UsageError(f"--{next(iter(given))} is for SQL", "leave it out, or write --to sql")
    return given
