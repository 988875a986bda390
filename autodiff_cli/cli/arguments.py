"""The arguments of a command line as people write them, sorted into options and the formula before click reads them.

`--set a=2 b=-3` takes all the assignments that follow, and an argument that begins with a minus but is no option is the
formula.
"""

import re
from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import INPUT, USAGE, AutodiffError, did_you_mean

_ASSIGNMENT = re.compile(r"\s*[^\W\d][\w\u0300-\u036f]*(,[^\W\d][\w\u0300-\u036f]*)?\s*=(?!=)")
_OPTION = re.compile(r"--[A-Za-z][\w-]+(=.*)?", re.DOTALL)
_TAKE_ASSIGNMENTS = {
    "--set": "a=2 b=-3",
    "--over": "x=-2:2 y=0:1",
    "--direction": "x=1,y=2",
    "--start": "x=1 y=2",
    "--corr": "a,b=0.5",
    "--bounds": "x=0:5 y=0:",
}
"""options that take all the assignments that follow → an example"""
_STEPS = "x=-2:2:0.5 y=0:1:0.1"


class OptionalValue(click.Option):
    """An option whose value can be left out; a value comes only after `=`, as in `--check=nodes`."""

    value_alone = "inputs"


class FormulaCommand(click.Command):
    """A command whose first argument is a formula."""

    several = False
    """whether it takes more than one formula"""
    sections: Mapping[str, Sequence[str]] = {}
    """the sections of the help of a command with many options: heading → parameters"""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the arguments. Where the shell asks for completions, they may be wrong and end with an open option."""
        if ctx.resilient_parsing and args:
            last = _by_name(self.params).get(args[-1])
            args = args if last is None or last.is_flag else args[:-1]
        try:
            options, formulas = self._sorted(ctx, deque(args))
            if len(formulas) > 1 and not self.several:
                raise _several(formulas)
        except AutodiffError:
            if not ctx.resilient_parsing:
                raise
            return super().parse_args(ctx, args)
        return super().parse_args(ctx, [*options, "--", *formulas])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings; those without a heading come last."""
        options = {option.name: option for option in self.get_params(ctx) if isinstance(option, click.Option)}
        sections = [(heading, [options.pop(name) for name in names]) for heading, names in self.sections.items()]
        for heading, members in [*sections, ("Options" if not sections else "Other", [*options.values()])]:
            with formatter.section(heading):
                formatter.write_dl([record for option in members if (record := option.get_help_record(ctx))])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. The error for a formula that is the name of a file suggests to read the file."""
        try:
            return super().invoke(ctx)
        except AutodiffError as error:
            file = (ctx.params.get("formula") or "").removeprefix("-f")
            if error.code == INPUT and error.source and error.source.name == "<formula>" and is_file(file):
                error.hint = f"`{file}` is a file: read it with -f {file}"
            raise

    def _sorted(self, ctx: click.Context, arguments: deque[str]) -> tuple[list[str], list[str]]:
        by_name = _by_name(self.get_params(ctx))
        options: list[str] = []
        formulas: list[str] = []
        while arguments:
            argument = arguments.popleft()
            if argument == "--":
                return options, [*formulas, *arguments]
            if argument in by_name or _OPTION.fullmatch(argument):
                options += _option(argument, arguments, by_name, ctx.command_path)
            else:
                formulas.append(argument)
        return options, formulas


class FormulasCommand(FormulaCommand):
    """A command whose first arguments are formulas."""

    several = True


def _by_name(parameters: Iterable[click.Parameter]) -> dict[str, click.Option]:
    """The options among parameters, under each of their names."""
    return {
        name: option
        for option in parameters
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }


def words_before_completion(command: click.Command, words: list[str]) -> list[str]:
    """The words before the one that the shell completes, as click's own completion understands them.

    An option that takes all assignments that follow is repeated at the end, where they may go on. An option whose value
    can be left out does not wait for one.
    """
    by_name = _by_name(command.params)
    last = next((word for word in reversed(words) if word.partition("=")[0] in by_name), "")
    after = words[len(words) - words[::-1].index(last) :] if last else []
    name, equals, _ = last.partition("=")
    if name in _TAKE_ASSIGNMENTS and (after or equals) and all(map(_ASSIGNMENT.match, after)):
        return [*words, name]
    if isinstance(by_name.get(name), OptionalValue) and not equals and not after:
        return [*words[:-1], f"{name}={OptionalValue.value_alone}"]
    return words


def _option(argument: str, following: deque[str], by_name: Mapping[str, click.Option], command: str) -> list[str]:
    """An option with its value, as click takes it; the value is removed from the arguments that follow."""
    name, equals, value = argument.partition("=")
    option = by_name.get(name)
    if option is None:
        hint = did_you_mean(name, by_name) or f"`{command} --help` lists the options"
        raise AutodiffError(f"there is no option `{name}`", hint=hint, code=USAGE)
    if name in _TAKE_ASSIGNMENTS:
        assignments = _assignments(name, option.metavar or "", value, following)
        return [part for assignment in assignments for part in (name, assignment)]
    if isinstance(option, OptionalValue) and not equals:
        return [f"{name}={option.value_alone}"]
    if equals or option.is_flag or option.count:
        return [argument]
    if not following or following[0] in by_name or following[0] == "--":
        hint = f"`{command} --help` shows how it is used"
        raise AutodiffError(f"`{name}` needs a value", hint=hint, code=USAGE)
    return [argument, following.popleft()]


def _assignments(option: str, metavar: str, first: str, following: deque[str]) -> list[str]:
    """The assignments that an option takes: the one behind its `=`, if any, and all that follow."""
    assignments = [first] if first else []
    while following and _ASSIGNMENT.match(following[0]):
        assignments.append(following.popleft())
    if not assignments:
        instead = f", not `{following[0]}`" if following else ""
        hint = f"write {option} {_STEPS if 'STEP' in metavar else _TAKE_ASSIGNMENTS[option]}, without spaces"
        raise AutodiffError(f"{option} takes {metavar.removesuffix(' …')}{instead}", hint=hint, code=USAGE)
    return assignments


def _several(formulas: list[str]) -> AutodiffError:
    assignments = [argument for argument in formulas[1:] if _ASSIGNMENT.match(argument)]
    hint = (
        f"numbers for inputs follow --set: --set {' '.join(assignments)}"
        if len(assignments) == len(formulas) - 1
        else f'put a formula with spaces in quotes: "{" ".join(formulas)}"'
    )
    return AutodiffError(f"more than one formula: `{formulas[0]}` and `{formulas[1]}`", hint=hint, code=USAGE)


def is_file(path: str) -> bool:
    """Whether an argument is the name of a file."""
    return 0 < len(path) < 1000 and "\0" not in path and Path(path).is_file()
