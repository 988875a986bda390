"""Options that several commands share, and what is asked about options as they stand on a command line."""

import re
from collections.abc import Callable, Collection, Iterable, Mapping
from functools import reduce, wraps
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from ..conversion import NOTATIONS
from ..data.formats import READABLE
from ..data.formats.options import READ_FIELDS, WHITE_SPACE
from ..errors import UsageError
from ..notation import canonical
from ..output import FORMATS
from ..work_budget import MOST_STARTS
from .command_line.arguments import WRITTEN, ShortForm
from .command_line.lists import ASSIGNMENTS, FILES, MISSING, NAMES, RELATIONS, ListEntry, ListOption
from .command_line.numbers import NumberRange
from .completion import completers

Request = TypeVar("Request")
Decorator = Callable[[Callable[..., Any]], Callable[..., Any]]
Present = Mapping[str, str]
"""the options that stand on the command line: parameter → option"""

_SHORT_FORMATS = [name for name, format_ in FORMATS.items() if not format_.is_for_people]
"""the formats that are options of their own too"""
_OF = ("--output", "--of")
_CHARACTER = re.compile(r"""[!#-/:-@[-`{-~ \t]""")
_FILE_NAME = re.compile(r"[/\\]|\.\w+$")


def together(*options: Decorator) -> Decorator:
    """Several options as one decorator, in the order of the help."""
    return lambda command: reduce(lambda decorated, option: option(decorated), reversed(options), command)


def _once(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    """The value of an option that may be given only once, because click would silently take the last."""
    if len(values) > 1:
        raise UsageError(f"`{parameter.opts[-1]}` is given twice", "leave one of the two out")
    return values[0] if values else None


def _list_option(*names: str, entry: ListEntry, example: str, **attributes: Any) -> Decorator:
    return click.option(*names, cls=ListOption, multiple=True, entry=entry, example=example, **attributes)


def names_option(
    *names: str,
    text: str,
    example: str = "a b",
    entry: ListEntry = NAMES,
    complete: completers.Completer = completers.names,
    **attributes: Any,
) -> Decorator:
    """An option that takes names."""
    attributes |= {"metavar": "NAME …", "shell_complete": complete, "help": text}
    return _list_option(*names, entry=entry, example=example, **attributes)


def assigned_option(
    *names: str,
    metavar: str,
    example: str,
    text: str,
    entry: ListEntry = ASSIGNMENTS,
    complete: completers.Completer = completers.assignments,
) -> Decorator:
    """An option that takes assignments to the inputs of the formula."""
    return _list_option(*names, entry=entry, example=example, metavar=metavar, shell_complete=complete, help=text)


def range_option(text: str) -> Decorator:
    """The option for ranges."""
    return assigned_option("--over", metavar="NAME=LOW:HIGH[:STEP] …", example="x=-2:2:0.1", text=text)


def random_option(text: str) -> Decorator:
    """The option for ranges from which points are drawn."""
    return assigned_option("--over", metavar="NAME=LOW:HIGH …", example="x=-2:2", text=text)


start_option = assigned_option("--start", metavar="NAME=NUMBER …", example="x=1", text="Where the search begins.")


def bounds_option(what: str) -> Decorator:
    """The option for the bounds of variables or parameters."""
    text = f"Bounds of {what}; either end may be left out."
    return assigned_option("--bounds", metavar="NAME=LOW:HIGH …", example="x=0:5 y=0:", text=text)


class AsciiCharacter(click.ParamType[str]):
    """A character of ASCII that may stand between cells or before them; some have names."""

    name = "character"

    def __init__(self, example: str, names: Mapping[str, str]) -> None:
        self._example, self._names = example, names

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> str:
        """The character, or what a name stands for."""
        if value in self._names:
            return self._names[value]
        if value and not _CHARACTER.fullmatch(value):
            known = [f"a character such as {self._example}", *filter(str.isalpha, self._names)]
            self.fail(f"{value!r} is not {' or '.join(known)}.", param, ctx)
        return str(value)


def path_option(*names: str, text: str, **others: Any) -> Decorator:
    """An option that takes the name of a file, which the shell completes; it may be given once."""
    return click.option(
        *names, metavar="FILE", multiple=True, callback=_once, shell_complete=completers.files, help=text, **others
    )


def relations_option(*names: str, text: str) -> Decorator:
    """An option that takes equations and inequalities."""
    attributes = {"metavar": "RELATION …", "shell_complete": completers.nothing, "help": text}
    return _list_option(*names, entry=RELATIONS, example='"x + y <= 3"', **attributes)


def tables_option(text: str) -> Decorator:
    """The option for the tables whose rows are points."""
    attributes = {"metavar": "FILE …", "shell_complete": completers.files, "help": text}
    return _list_option("--data", entry=FILES, example="points.csv", **attributes)


file_option = path_option("-f", "--file", text="Read the formula from a file; - is standard input.")
set_option = assigned_option(
    "--set",
    "assignments",
    metavar="NAME=NUMBER …",
    example="a=2 b=-3",
    text="Numbers for inputs. Constant expressions such as pi/2 will do.",
    complete=completers.numbers,
)
inputs_option = path_option(
    "--inputs",
    "inputs_file",
    text="Numbers from a JSON object or `name = number` lines; - is standard input.",
)
from_option = click.option(
    "--from",
    "notation",
    type=click.Choice(tuple(NOTATIONS)),
    metavar="NOTATION",
    help=f"The formula is not in the language, but in {', '.join(NOTATIONS)}.",
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
    return names_option(*_OF, callback=_refuse_file, text=text, complete=completers.values)


def _refuse_file(ctx: click.Context, parameter: click.Parameter, value: Any) -> Any:
    """The value of --of. Raises AutodiffError for a name that can only be that of a file."""
    for name in (value,) if isinstance(value, str) else value or ():
        if _FILE_NAME.search(name):
            raise UsageError(f"`{name}` is not the name of a value", f"-o {name} writes to a file")
    return value


wrt_option = names_option("--wrt", text="The gradient with respect to these only.")
output_option = value_option("Differentiate this named value instead of the last.")
level_option = click.option(
    "--level",
    type=NumberRange(0, 1, min_open=True, max_open=True),
    default=0.95,
    show_default=True,
    metavar="P",
    help="The level of confidence.",
)
expand_option = names_option(
    "--expand",
    text="Replace these functions, or `all`, by simpler operations.",
    example="tanh exp",
    complete=completers.expandable,
)
starts_option = click.option(
    "--starts",
    type=click.IntRange(1, MOST_STARTS),
    default=1,
    metavar="N",
    help="Search from N places, keep the best.",
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
        "--skip", type=click.IntRange(0), metavar="N", default=0, help="Leave out N lines before the header of CSV."
    ),
    _list_option(
        "--na",
        entry=MISSING,
        example="skip NULL",
        metavar="skip|keep|fail|WORD …",
        callback=lambda ctx, parameter, words: ",".join(words),
        shell_complete=completers.missing,
        help="Rows without a number (empty, NA, null, nan, a WORD): skip gives them no result, keep nan, "
        "fail an error.",
    ),
    assigned_option(
        "--map",
        "map_",
        metavar="NAME=COLUMN …",
        example='spot="Spot (USD)"',
        text="The column of an input that has another name there.",
    ),
    click.option("--where", metavar="CONDITION", help='Only the rows for which this holds, as "x > 0 and y < 1".'),
    click.option("--sample", type=click.IntRange(0), metavar="N", help="N of the rows, drawn at random; see --seed."),
    click.option("--limit", type=click.IntRange(0), metavar="N", help="Only the first N rows."),
)
"""options for reading the table of --data: the fields of `DataOptions`"""
nonfinite_option = click.option(
    "--allow-nonfinite", is_flag=True, help="Print infinite and nan results, with a warning."
)
out_option = path_option("-o", "--out", text="Write to a file, which appears whole or not at all.")


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


def picture_option(parameter: str, formats: Iterable[str], text: str) -> Decorator:
    """The option for the format of a picture; `--to` is an older word for it."""
    choice = click.Choice(tuple(formats))
    return together(
        click.option("--to", parameter, cls=ShortForm, type=choice, help="The same as --format."),
        click.option("--format", parameter, type=choice, help=text),
    )


def present(ctx: click.Context) -> Present:
    """The command's own options that stand on the command line, as they are written, by the names of parameters."""
    given = [
        (parameter.name, next((name for name in parameter.opts if name in ctx.meta[WRITTEN]), parameter.opts[-1]))
        for parameter in ctx.command.params
        if parameter.expose_value and parameter.name
        if ctx.get_parameter_source(parameter.name) is not ParameterSource.DEFAULT
    ]
    return dict(sorted(given, key=lambda option: option[1] in ctx.meta[WRITTEN]))


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
