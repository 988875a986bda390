"""`autodiff eval --data` and `--over`: the rows of a table or the points of a grid, with their values and gradients."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from typing import Any

import click

from ..data import formats
from ..errors import USAGE, AutodiffError
from ..output import FORMATS
from . import eval_cluster as cluster
from . import formula as shared

Command = Callable[..., None]
TABLES = tuple(dict.fromkeys((*FORMATS, *formats.FORMATS)))
"""the formats of one point and of many"""

format_option = click.option(
    "--data-format", type=click.Choice(formats.FORMATS), help="What --data is, if the file's name does not say."
)
_OPTIONS = (
    click.option(
        "--data",
        metavar="FILE",
        help="Every row of a file, or of all files of a folder, is a point; its columns are inputs. - is a pipe.",
    ),
    click.option("--over", multiple=True, metavar="NAME=LOW:HIGH:STEP …", help="Every point of a grid, ends included."),
    format_option,
    click.option(
        "-o",
        "--out",
        metavar="FILE",
        help="Write to a file, or with a folder of data to a folder; it appears whole or not at all.",
    ),
    click.option("--columns", multiple=True, metavar="NAMES", help="The columns of --data that are written: a,b."),
    click.option("--no-inputs", is_flag=True, help="Write the results only."),
    click.option("--prefix", metavar="TEXT", help="Put this before the names of the results."),
    click.option(
        "--jobs",
        type=click.IntRange(1),
        metavar="N",
        help="Work in N threads, or with --each in N processes. Without it one for each core, or with --each one.",
    ),
    *cluster.OPTIONS,
)


@dataclass
class Request:
    """What these options say."""

    data: str | None
    over: Sequence[str]
    data_format: str | None
    out: str | None
    columns: Sequence[str]
    no_inputs: bool
    prefix: str | None
    jobs: int | None
    cluster: str | None
    retries: int | None

    @property
    def option(self) -> str:
        """The one that asks for many points."""
        return "--over" if self.data is None else "--data"


def options(command: Command) -> Command:
    """The options; --data and --over evaluate many points in place of the command, which -o sends to a file."""

    @wraps(command)
    def either(**words: Any) -> None:
        request = Request(**{field.name: words.pop(field.name) for field in fields(Request)})
        if request.data is not None or request.over:
            from . import eval_data as rows

            rows.run(request, **words)
            return
        _refuse_alone(words["format_"])
        if request.out is None:
            command(**words)
            return
        from . import results

        with results.redirected(request.out, words):
            command(**words)

    for option in reversed(_OPTIONS):
        either = option(either)
    return either


def _refuse_alone(format_: str) -> None:
    """Raise an error for an option that only many points have a use for."""
    shared.refuse(("data_format", "columns", "no_inputs", "prefix", "cluster", "retries"), "is for --data and --over")
    if not shared.is_given("each"):
        shared.refuse(("jobs",), "is for --data, --over and --each")
    if format_ not in FORMATS and not (format_ == "jsonl" and shared.is_given("each")):
        raise AutodiffError(f"`--format {format_}` is for --data and --over", hint="choose json", code=USAGE)
