"""What every command that reads a formula shares: where the formula comes from, and the numbers for its inputs."""

import sys
from collections.abc import Callable, Collection, Container, Iterable, Mapping, Sequence
from typing import Any, TypeVar

import click
from click.core import ParameterSource

from .. import files
from ..errors import USAGE, AutodiffError, Notice, did_you_mean
from ..operations import FUNCTIONS, OPERATIONS
from ..output import FORMATS
from ..parser import parse
from ..program import Program
from . import inputs
from .remedies import in_options

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

wrt_option = click.option(
    "--wrt", multiple=True, metavar="NAMES", help="The gradient with respect to these only: --wrt a,b."
)
output_option = click.option("--output", metavar="NAME", help="Differentiate this named value instead of the last.")
expand_option = click.option(
    "--expand", multiple=True, metavar="NAMES", help="Take functions apart: --expand tanh, or --expand all."
)
seed_option = click.option(
    "--seed", type=int, metavar="N", default=0, show_default=True, help="Another seed draws other points."
)


def _once(ctx: click.Context, parameter: click.Parameter, values: tuple[str, ...]) -> str | None:
    """The value of an option that can be given once only: a second file would take the place of the first unseen."""
    if len(values) > 1:
        raise AutodiffError(f"`{parameter.opts[-1]}` is given twice", hint="leave one of the two out", code=USAGE)
    return values[0] if values else None


def formula_options(function: Decorated) -> Decorated:
    """The argument and the options that say which formula, at which point."""
    for decorator in (
        click.option(
            "--inputs",
            "inputs_file",
            multiple=True,
            callback=_once,
            metavar="FILE",
            help="Numbers from a JSON object or `name = number` lines.",
        ),
        click.option(
            "--set",
            "assignments",
            multiple=True,
            metavar="NAME=NUMBER …",
            help="Numbers for inputs; all assignments that follow are taken. "
            "Constant expressions such as pi/2 will do.",
        ),
        click.option(
            "-f",
            "--file",
            multiple=True,
            callback=_once,
            metavar="FILE",
            help="Read the formula from a file; - is standard input.",
        ),
        click.argument("formula", required=False),
    ):
        function = decorator(function)
    return function


def reporting(formats: Sequence[str]) -> Callable[[Decorated], Decorated]:
    """The options that say how numbers are written, in one of these formats."""

    def decorate(function: Decorated) -> Decorated:
        for decorator in (
            click.option(
                "--precision",
                type=click.IntRange(0, 17),
                metavar="N",
                default=4,
                show_default=True,
                help="Digits after the point in the table.",
            ),
            click.option(
                "--format", "format_", type=click.Choice(formats), default="table", help="How to write the result."
            ),
        ):
            function = decorator(function)
        return function

    return decorate


report_options = reporting(FORMATS)


def choices(parameter: str) -> Sequence[str]:
    """The words that an option of the command may have."""
    kinds = [each.type for each in click.get_current_context().command.params if each.name == parameter]
    return [word for kind in kinds if isinstance(kind, click.Choice) for word in kind.choices]


def is_given(name: str) -> bool:
    """Does the command line have the option whose parameter is called so?"""
    return click.get_current_context().get_parameter_source(name) is not ParameterSource.DEFAULT


def refuse(names: Container[str], why: str) -> None:
    """Raise an error if the command line has one of these options, such as that it is for another command."""
    for option in click.get_current_context().command.params:
        if option.name in names and is_given(option.name):
            raise AutodiffError(f"`{option.opts[-1]}` {why}", hint="leave it out", code=USAGE)


def read_program(
    formula: str | None, file: str | None, output: str | None = None, expand: Iterable[str] = ()
) -> Program:
    """The program that the command line names: the argument, a file, or standard input.

    `output` and `expand` are what the options of these names say.
    """
    return prepared(_read(formula, file), output, taken_apart(expand))


def prepared(program: Program, output: str | None, operations: Collection[str]) -> Program:
    """The program with the output of that name, and with these operations taken apart."""
    if output is not None:
        program = program.select(inputs.name(output))
    if not operations:
        return program
    from ..transforms import expand

    return expand(program, operations)


def _read(formula: str | None, file: str | None) -> Program:
    if formula is not None and file is not None:
        raise AutodiffError("both a formula and --file were given", hint="leave one of them out", code=USAGE)
    if file is not None and file != "-":
        return parse(_decoded(_bytes(file), file), file)
    if formula is not None and formula != "-":
        return parse(formula)
    hint = 'write it in quotes: autodiff eval "a*b+c" --set a=2 b=-3 c=10'
    if sys.stdin is None or (formula is None and file is None and sys.stdin.isatty()):
        raise AutodiffError("no formula was given", hint=hint, code=USAGE)
    text = _decoded(sys.stdin.buffer.read(), "<stdin>")
    if not text.strip():
        raise AutodiffError("no formula was given: standard input is empty", hint=hint)
    return parse(text, "<stdin>")


def _bytes(path: str) -> bytes:
    with files.open_for_reading(path) as file:
        return file.read()


def _decoded(data: bytes, name: str) -> str:
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise AutodiffError(
            f"`{name}` is not UTF-8 text: byte {data[error.start]:#04x} in line {line}",
            hint="save the file with the encoding UTF-8",
        ) from None


def from_file(path: str | None) -> dict[str, float]:
    """The numbers of the file that --inputs names."""
    if path == "-":
        hint = "name a file; standard input is for the formula and for --data"
        raise AutodiffError("`--inputs` does not read standard input", hint=hint, code=USAGE)
    return {} if path is None else inputs.from_text(_decoded(_bytes(path), path), path)


def unused(program: Program, point: Mapping[str, float], wrt: Iterable[str]) -> list[Notice]:
    """A warning for each name that was set but is not in the program, and for a formula that comes to nothing."""
    wanted = set(wrt)
    notices = [
        Notice(f"`{name}` is set, but the formula does not use it", did_you_mean(name, program.inputs))
        for name in point
        if name not in program.names and name not in wanted
    ]
    return notices + [
        Notice(
            "the value of this line is not used: only the last line is the result",
            "a formula goes on in the next line only inside parentheses; a value that is needed later needs a name",
            span,
            program.source,
        )
        for span in program.unused[:1]
    ]


def warn(notices: Iterable[Notice | AutodiffError | None]) -> None:
    """Print warnings on standard error."""
    for notice in notices:
        if notice is not None:
            click.echo(in_options(notice).render("warning"), err=True)


def tell(error: AutodiffError | None, allowed: bool, *notices: Notice | None) -> None:
    """Raise the error for a number that is not finite, or print it as a warning where such are allowed.

    Without one, print the notices.
    """
    if error is not None and not allowed:
        raise error
    if error is not None:
        error.hint = ""  # it says how to get what is now printed
    warn([error] if error is not None else notices)


def taken_apart(options: Iterable[str]) -> set[str]:
    """The operations that --expand names; `all` stands for every one that can be taken apart."""
    rows: set[str] = set()
    for name in names(options, "--expand") if options else ():
        named = FUNCTIONS.get(name, [])
        if name != "all" and not any(row.meaning for row in named):
            why = "is one of the simplest operations already" if named else "is not a function"
            hint = (
                did_you_mean(name, FUNCTIONS) if not named else "`autodiff functions NAME` shows what a function means"
            )
            raise AutodiffError(f"`{name}` {why}", hint=hint)
        rows |= {row.name for row in (OPERATIONS.values() if name == "all" else named)}
    return rows


def names(texts: Iterable[str], option: str) -> list[str]:
    """The names in `--wrt a,b --wrt c`; none at all is an error."""
    found = [inputs.name(part) for text in texts for part in text.split(",") if part.strip()]
    if not found:
        raise AutodiffError(f"`{option}` names nothing", hint=f"write {option} a,b", code=USAGE)
    return found
