"""`autodiff functions`: the table of operations."""

import sys

import click

from ..errors import AutodiffError
from ..notation import signature
from ..operations import ALIASES, FUNCTIONS, INFIX, LIST_FUNCTIONS, OPERATIONS, PREFIX, Operation
from ..output import write
from ..output.json import write_document
from ..output.operations_report import Catalogue
from ..parser.diagnostics.synonyms import similar_function
from . import options
from .completion import completers
from .output import output_file

_FORMATS = ("table", "json")

_HELP = """All operations and functions of the language, or one: how it is written, its derivative, where it has none.

\b
  autodiff functions
  autodiff functions tanh
  autodiff functions "^"
  autodiff functions --format json | jq -r '.[].name'

In the derivatives a, b, c are the arguments and y is the result."""


@click.command(help=_HELP)
@click.argument("name", required=False, shell_complete=completers.functions)
@options.format_option(_FORMATS)
@options.out_option
def command(name: str | None, format_: str | None, out: str | None) -> None:
    """Write the table of operations, or those of one name in detail."""
    with output_file.redirected(out):
        lists = [word for word in LIST_FUNCTIONS if name is None or word == ALIASES.get(name, name)]
        operations = list(OPERATIONS.values()) if name is None else [] if lists else _named(name)
        report = Catalogue(operations, is_detailed=name is not None, lists=lists)
        chosen = output_file.format_of(format_, out, (*_FORMATS, "jsonl"))
        if chosen == "jsonl":
            for operation in report.document():
                write_document(operation, sys.stdout)
        else:
            write(report, chosen, sys.stdout)


def _named(name: str) -> list[Operation]:
    word = {"**": "^", **ALIASES}.get(name, name)
    symbols = [table[word] for table in (INFIX, PREFIX) if word in table]
    operations = symbols or FUNCTIONS.get(word) or ([OPERATIONS[word]] if word in OPERATIONS else [])
    operations = operations or [
        listed for listed in OPERATIONS.values() if "".join(signature(listed).split()) == "".join(name.split())
    ]
    if not operations:
        hint = similar_function(name.partition("(")[0]) or "`autodiff functions` lists them all"
        raise AutodiffError(f"there is no function `{name}`", hint=hint)
    return operations
