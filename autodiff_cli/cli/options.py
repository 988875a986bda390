"""Options that several commands share, and what is asked about options as they stand on a command line."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce, wraps
from typing import Any, TypeVar

import click

from ..conversion import NOTATIONS
from ..data.formats import READABLE
from ..data.formats.options import READ_FIELDS, WHITE_SPACE
from ..errors import UsageError
from ..notation import canonical
from ..output import FORMATS
from ..work_budget import MOST_STARTS
from .command_line.arguments import WRITTEN, ShortForm
from .command_line.lists import ASSIGNMENTS, FILES, MISSING, NAMES, ListEntry, ListOption
from .command_line.parameter_types import AsciiCharacter, Probability
from .completion import completers

Request = TypeVar("Request")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Present = Mapping[str, str]
"""the options that stand on the command line: parameter → option"""

_SHORT_FORMATS = [name for name, format_ in FORMATS.items() if not format_.is_for_people]
"""the formats that are options of their own too"""
_OF = ("--output", "--of")
_FILE_NAME = r"[/\\]|\.\w+$"


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def _once(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    """The value of an option that may be given only once, because click would silently take the last."""
    if len(values) > 1:
        raise UsageError(f"`{parameter.opts[-1]}` is given twice", "leave one of the two out")
    return values[0] if values else None


def list_option(*names: str, entry: ListEntry, example: str, **attributes: Any) -> Decorator:
    """An option that takes a list; further attributes are those of click's options."""
    return click.option(*names, cls=ListOption, multiple=True, entry=entry, example=example, **attributes)


def names_option(*names: str, **attributes: Any) -> Decorator:
    """An option that takes names: those of inputs and values of the formula, unless attributes say otherwise."""
    usual: dict[str, Any] = {"entry": NAMES, "metavar": "NAME …", "example": "a b", "shell_complete": completers.names}
    return list_option(*names, **usual | attributes)


def assigned_option(*names: str, **attributes: Any) -> Decorator:
    """An option that takes assignments: numbers for inputs of the formula, unless attributes say otherwise."""
    usual: dict[str, Any] = {"entry": ASSIGNMENTS, "metavar": "NAME=NUMBER …", "shell_complete": completers.assignments}
    return list_option(*names, **usual | attributes)


def range_option(text: str) -> Decorator:
    """The option for ranges."""
    return assigned_option("--over", metavar="NAME=LOW:HIGH[:STEP] …", example="x=-2:2:0.1", help=text)


def random_option(text: str) -> Decorator:
    """The option for ranges from which points are drawn."""
    return assigned_option("--over", metavar="NAME=LOW:HIGH …", example="x=-2:2", help=text)


start_option = assigned_option("--start", example="x=1", help="Where the search begins.")


def bounds_option(what: str) -> Decorator:
    """The option for the bounds of variables or parameters."""
    text = f"Bounds of {what}; either end may be left out."
    return assigned_option("--bounds", metavar="NAME=LOW:HIGH …", example="x=0:5 y=0:", help=text)


def path_option(*names: str, **attributes: Any) -> Decorator:
    """An option that takes the name of a file, which the shell completes; it may be given once."""
    return click.option(
        *names, metavar="FILE", multiple=True, callback=_once, shell_complete=completers.files, **attributes
    )


def tables_option(text: str) -> Decorator:
    """The option for the tables whose rows are points."""
    attributes = {"metavar": "FILE …", "shell_complete": completers.files, "help": text}
    return list_option("--data", entry=FILES, example="points.csv", **attributes)


file_option = path_option("-f", "--file", help="Read the formula from a file; - is standard input.")
set_option = assigned_option(
    "--set",
    "assignments",
    example="a=2 b=-3",
    help="Numbers for inputs; constant expressions such as pi/2 are allowed.",
    shell_complete=completers.numbers,
)
inputs_option = path_option(
    "--inputs",
    "inputs_file",
    help="Read numbers from a file: a JSON object, or lines `name = number`; - is standard input.",
)
from_option = click.option(
    "--from",
    "notation",
    type=click.Choice(tuple(NOTATIONS)),
    metavar="NOTATION",
    help=f"The notation of the formula, if not that of autodiff: {', '.join(NOTATIONS)}.",
)
formula_options = together(
    click.argument("formula", required=False), file_option, from_option, set_option, inputs_option
)
"""the formula, and the numbers for its inputs: the fields of `FormulaOptions`"""


def value_option(text: str) -> Decorator:
    """The option for the named value that a command is about."""
    return click.option(*_OF, metavar="NAME", callback=_refuse_file, shell_complete=completers.values, help=text)


def values_option(text: str) -> Decorator:
    """The option for the named values that a command is about."""
    return names_option(*_OF, callback=_refuse_file, help=text, shell_complete=completers.values)


def _refuse_file(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value of --of. Raises AutodiffError for a name that can only be that of a file."""
    for name in (value,) if isinstance(value, str) else value or ():
        if re.search(_FILE_NAME, name):
            raise UsageError(f"`{name}` is not the name of a value", f"-o {name} writes to a file")
    return value


wrt_option = names_option("--wrt", help="Differentiate with respect to these only.")
output_option = value_option("Differentiate this named value instead of the last.")
level_option = click.option(
    "--level",
    type=Probability(),
    default=0.95,
    show_default=True,
    metavar="P",
    help="The level of confidence.",
)
expand_option = names_option(
    "--expand",
    help="Replace these functions, or `all`, with simpler operations.",
    example="tanh exp",
    shell_complete=completers.expandable,
)
starts_option = click.option(
    "--starts",
    type=click.IntRange(1, MOST_STARTS),
    default=1,
    metavar="N",
    help="Search from N starting points, and keep the best result.",
)
seed_option = click.option(
    "--seed", type=int, metavar="N", default=0, show_default=True, help="Another seed draws other points or rows."
)
_DELIMITERS = {"tab": "\t", "\\t": "\t", "space": " ", WHITE_SPACE: WHITE_SPACE}
DATA_FIELDS = ("data_format", *READ_FIELDS, "map_", "where", "sample", "limit")
"""the parameters of `data_options`"""
data_options = together(
    click.option(
        "--data-format", type=click.Choice(READABLE), help="The format of --data, if the file's name does not say."
    ),
    click.option(
        "--delimiter",
        type=AsciiCharacter(";", _DELIMITERS),
        metavar="CHAR",
        default="",
        help=f"The separator of the cells of CSV: a character, tab, space, or {WHITE_SPACE} for any number of them.",
    ),
    click.option("--decimal", type=click.Choice([".", ","]), default=".", help="The decimal sign of CSV."),
    click.option(
        "--thousands",
        type=AsciiCharacter(",", {"space": " "}),
        metavar="CHAR",
        default="",
        help="What stands between thousands in CSV, as in 1,234.5: a character, or space.",
    ),
    click.option("--encoding", metavar="NAME", default="", help="The encoding of a text file, if not UTF-8."),
    click.option("--no-header", is_flag=True, help="The CSV has no header; its columns are called c1, c2 and so on."),
    click.option(
        "--comment",
        type=AsciiCharacter("#", {}),
        metavar="CHAR",
        default="",
        help="Lines of CSV that begin with this are comments.",
    ),
    click.option(
        "--skip", type=click.IntRange(0), metavar="N", default=0, help="Skip N lines before the header of CSV."
    ),
    click.option("--sheet", metavar="NAME", default="", help="The sheet of a spreadsheet, if not the first."),
    list_option(
        "--na",
        entry=MISSING,
        example="skip NULL",
        metavar="skip|keep|fail|WORD …",
        callback=lambda ctx, parameter, words: ",".join(words),
        shell_complete=completers.missing,
        help="Rows that lack a number (empty, NA, null, nan, or WORD): skip leaves their results empty, keep computes "
        "with nan, fail is an error.",
    ),
    assigned_option(
        "--map",
        "map_",
        metavar="NAME=COLUMN …",
        example='spot="Spot (USD)"',
        help="Read the input NAME from the column COLUMN.",
    ),
    click.option("--where", metavar="CONDITION", help='Use only rows for which this holds, such as "x > 0 and y < 1".'),
    click.option("--sample", type=click.IntRange(0), metavar="N", help="Draw N of the rows at random; see --seed."),
    click.option("--limit", type=click.IntRange(0), metavar="N", help="Use only the first N rows."),
)
"""options for reading the table of --data: the fields of `DataOptions`"""
nonfinite_option = click.option(
    "--allow-nonfinite", is_flag=True, help="Print infinite and nan results, with a warning."
)
out_option = path_option("-o", "--out", help="Write to a file, which appears whole or not at all.")


def precision_option(text: str) -> Decorator:
    """The option for the number of digits after the point."""
    return click.option("--precision", type=click.IntRange(0, 17), metavar="N", default=4, show_default=True, help=text)


def report_options(formats: Iterable[str]) -> Decorator:
    """The options for a report in one of these formats; without --format the format is None (see `format_of`)."""
    return together(format_option(formats), precision_option("Digits after the point in the table."))


def format_option(formats: Iterable[str], text: str = "How to write the result") -> Decorator:
    """The option for one of these formats; without it the format is None (see `output_file.format_of`)."""
    choices = tuple(formats)
    short = [name for name in choices if name in _SHORT_FORMATS]
    flags = [
        click.option(f"--{name}", "format_", cls=ShortForm, flag_value=name, help=f"Short for --format {name}.")
        for name in short
    ]
    text = f"{text}; for short {', '.join(f'--{name}' for name in short)}."
    return together(*flags, click.option("--format", "format_", type=click.Choice(choices), help=text))


def picture_option(formats: Iterable[str], text: str) -> Decorator:
    """The option for the format of a picture; `--to` is an older word for it."""
    choice = click.Choice(tuple(formats))
    return together(
        click.option("--to", "format_", cls=ShortForm, type=choice, help="The same as --format."),
        click.option("--format", "format_", type=choice, help=text),
    )


def present(ctx: click.Context) -> Present:
    """The command's own options that stand on the command line, as they are written, by the names of parameters."""
    return {
        parameter.name: name
        for parameter in ctx.command.params
        if parameter.expose_value and parameter.name
        for name in parameter.opts
        if name in ctx.meta[WRITTEN]
    }


def request_of(kind: Callable[..., Request]) -> Callable[[Callable[[Request], int]], Callable[..., int]]:
    """Pass the command its options as one object of this kind, which has a field for each, and `present`."""

    def passing(command: Callable[[Request], int]) -> Callable[..., int]:
        @wraps(command)
        @click.pass_context
        def with_request(context: click.Context, /, **values: Any) -> int:
            return command(kind(present=present(context), **values))

        return with_request

    return passing


def refuse(given: Present, parameters: Collection[str], why: str) -> None:
    """Raise an error if one of these options stands on the command line, where it has no use."""
    for parameter, option in given.items():
        if parameter in parameters:
            raise UsageError(f"`{option}` {why}", "leave it out")


def names(texts: Iterable[str]) -> list[str]:
    """The names of a list, each once."""
    return list(dict.fromkeys(map(canonical, texts)))
