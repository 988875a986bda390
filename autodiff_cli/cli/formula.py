"""What every command that reads a formula shares: where the formula comes from, and the numbers for its inputs.

`FormulaCommand` makes the command line read as people write it: `--set a=2 b=-3` takes all the assignments that follow,
and a word that begins with a minus but is no option is the formula.
"""

import re
import sys
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, TypeVar

import click

from ..errors import USAGE, AutodiffError, Notice
from ..operations import FUNCTIONS, TABLE
from ..parser import parse
from ..program import Program
from ..suggestions import did_you_mean
from . import inputs

Decorated = TypeVar("Decorated", bound=Callable[..., Any])

_ASSIGNMENT = re.compile(r"\s*[^\W\d]\w*\s*=(?!=)")
_OPTION = re.compile(r"--[A-Za-z][\w-]+(=.*)?", re.DOTALL)


class FormulaCommand(click.Command):
    """A command whose first argument is a formula."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the words into options and formulas before click reads them."""
        valued = {
            name: isinstance(option, click.Option) and not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            for name in [*option.opts, *option.secondary_opts]
        }
        options, formulas = [], []
        words = iter(args)
        word = next(words, None)
        while word is not None:
            following = next(words, None)
            if word == "--":
                formulas += [following, *words] if following is not None else []
                break
            if word == "--set" or word.startswith("--set="):
                assignments = [word[6:]] if word != "--set" else []
                while following is not None and _ASSIGNMENT.match(following):
                    assignments.append(following)
                    following = next(words, None)
                if not assignments:
                    raise AutodiffError("--set takes NAME=NUMBER", hint="write --set a=2 b=-3", code=USAGE)
                options += [part for assignment in assignments for part in ("--set", assignment)]
            elif word in valued or _OPTION.fullmatch(word):
                options.append(word)
                if valued.get(word) and following is not None:
                    options.append(following)
                    following = next(words, None)
            else:
                formulas.append(word)
            word = following
        if len(formulas) > 1:
            raise AutodiffError(
                f"more than one formula: `{formulas[0]}` and `{formulas[1]}`",
                hint=f'put a formula with spaces in quotes: "{" ".join(formulas)}"',
                code=USAGE,
            )
        return super().parse_args(ctx, [*options, "--", *formulas])


def formula_options(function: Decorated) -> Decorated:
    """The argument and the options that say which formula, at which point."""
    for decorator in (
        click.option(
            "--inputs", "inputs_file", metavar="FILE", help="Numbers from a JSON object or `name = number` lines."
        ),
        click.option(
            "--set",
            "assignments",
            multiple=True,
            metavar="NAME=NUMBER …",
            help="Numbers for inputs; all assignments that follow are taken. Constant expressions such as pi/2 will do.",
        ),
        click.option("-f", "--file", "file", metavar="FILE", help="Read the formula from a file; - is standard input."),
        click.argument("formula", required=False),
    ):
        function = decorator(function)
    return function


def read_program(formula: str | None, file: str | None) -> Program:
    """The program that the command line names: the argument, a file, or standard input."""
    if formula is not None and file is not None:
        raise AutodiffError("both a formula and --file were given", hint="leave one of them out", code=USAGE)
    if file is not None and file != "-":
        return parse(_decoded(_bytes(file), file), file)
    if formula is not None and formula != "-":
        return _from_argument(formula)
    if formula is None and file is None and sys.stdin.isatty():
        raise AutodiffError(
            "no formula was given", hint='write it in quotes: autodiff eval "a*b+c" --set a=2 b=-3 c=10', code=USAGE
        )
    return parse(_decoded(sys.stdin.buffer.read(), "<stdin>"), "<stdin>")


def _from_argument(formula: str) -> Program:
    try:
        return parse(formula)
    except AutodiffError as error:
        if len(formula) < 1000 and "\0" not in formula and Path(formula).is_file():
            error.hint = f"`{formula}` is a file: read it with -f {formula}"
        raise


def _bytes(path: str) -> bytes:
    try:
        return Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AutodiffError(f"cannot read `{path}`: {reason}") from None


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
    return inputs.from_text(_decoded(_bytes(path), path), path) if path else {}


def unused(program: Program, point: Mapping[str, float], wrt: Iterable[str]) -> list[Notice]:
    """A warning for each name that was set but is not in the program."""
    known = {**program.inputs, **program.constants}
    wanted = set(wrt)
    return [
        Notice(f"`{name}` is set, but the formula does not use it", did_you_mean(name, program.inputs))
        for name in point
        if name not in known and name not in wanted
    ]


def warn(notices: Iterable[Notice | AutodiffError | None]) -> None:
    """Print warnings on standard error."""
    for notice in notices:
        if notice is not None:
            click.echo(notice.render("warning"), err=True)


def expanded(program: Program, functions: Iterable[str]) -> Program:
    """The program with functions taken apart that --expand names; `all` stands for every one that can be."""
    from ..expansion import expand

    rows: set[str] = set()
    for name in functions:
        named = FUNCTIONS.get(name, [])
        if name != "all" and not any(row.meaning for row in named):
            why = "is one of the simplest operations already" if named else "is not a function"
            hint = (
                did_you_mean(name, FUNCTIONS) if not named else "`autodiff functions NAME` shows what a function means"
            )
            raise AutodiffError(f"`{name}` {why}", hint=hint)
        rows |= {row.name for row in (TABLE if name == "all" else named)}
    return expand(program, rows)


def names(texts: Iterable[str]) -> list[str]:
    """The names in `--wrt a,b --wrt c`."""
    return [inputs.name(part.strip()) for text in texts for part in text.split(",") if part.strip()]
