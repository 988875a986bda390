"""`autodiff convert`: a formula of another notation in the language."""

from pathlib import Path

import click

from ..conversion import NOTATIONS, convert
from ..errors import AutodiffError, UsageError
from ..language import parse
from . import options
from .command_line.arguments import FormulaCommand
from .output import output_file
from .sources.formula import lacks_list, text_and_name

_HELP = """Translate a formula from another notation into the language of autodiff.

\b
  autodiff convert --from python "np.exp(-x**2/2) if x > 0 else 0"
  autodiff convert --from latex "\\frac{1}{2} m v^2 + m g h"
  autodiff convert --from excel "=SUM(A1:A3)/3 - LOG(B1)"
  autodiff convert --from c -f model.c -o model.expr
  autodiff convert -f loss.py

The text is never run. If it can be read in two ways, the error shows both. Every command that takes a formula has
--from too."""

_EXTENSIONS = {".py": "python", ".c": "c", ".h": "c", ".tex": "latex"}


@click.command(cls=FormulaCommand, help=_HELP)
@click.argument("formula", required=False)
@options.file_option
@options.from_option
@options.out_option
def command(formula: str | None, file: str | None, notation: str | None, out: str | None) -> None:
    """Write the program that the formula is in the language."""
    notation = notation or _EXTENSIONS.get(Path(file or "").suffix.lower())
    if notation is None:
        raise UsageError("no notation is named", f"add --from {'|'.join(NOTATIONS)}")
    output_file.format_of(None, out, ("text", "expr"))  # raises for another extension
    text, name = text_and_name(formula, file)
    converted = convert(text, notation, name)
    try:
        with converted.errors_in_origin():
            parse(converted.text, name, allows_work=False)
    except AutodiffError as error:
        if not lacks_list(error):  # which is given where the formula is computed
            raise
    with output_file.redirected(out):
        click.echo(converted.text)
