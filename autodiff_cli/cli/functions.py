"""`autodiff functions`: the table of operations, as the program itself knows it."""

import sys

import click

from ..errors import AutodiffError, did_you_mean
from ..operations import FUNCTIONS, INFIX, OPERATIONS, PREFIX, Operation
from ..output import catalogue
from .output import out_option

_HELP = """All operations and functions of the language, or one: how it is written, its derivative, where it has none.

\b
  autodiff functions
  autodiff functions tanh
  autodiff functions "^"
  autodiff functions --format json | jq -r '.[].name'

In the derivatives a, b, c are the arguments and y is the result. The list cuts long ones short; with NAME they are
whole."""


@click.command(help=_HELP, short_help="All operations and functions, with their derivatives.")
@click.argument("name", required=False)
@click.option(
    "--format", "format_", type=click.Choice(("table", "json")), default="table", help="How to write the result."
)
@out_option
def command(name: str | None, format_: str) -> None:
    """Find the rows, write them."""
    rows = list(OPERATIONS.values()) if name is None else _named(name)
    if format_ == "json":
        catalogue.write_json(rows, sys.stdout)
    elif name is None:
        catalogue.write_table(rows, sys.stdout)
    else:
        catalogue.write_details(rows, sys.stdout)


def _named(name: str) -> list[Operation]:
    word = {"**": "^"}.get(name, name)
    symbols = [table[word] for table in (INFIX, PREFIX) if word in table]
    rows = symbols or FUNCTIONS.get(word) or ([OPERATIONS[word]] if word in OPERATIONS else [])
    if not rows:
        hint = did_you_mean(name, FUNCTIONS) or "`autodiff functions` lists them all"
        raise AutodiffError(f"there is no function `{name}`", hint=hint)
    return rows
