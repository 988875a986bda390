"""The words of a command line as people write them, sorted into options and the formula before click reads them.

`--set a=2 b=-3` takes all the assignments that follow, and a word that begins with a minus but is no option is the
formula.
"""

import re
from collections import deque
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from ..errors import INPUT, USAGE, AutodiffError, did_you_mean

_ASSIGNMENT = re.compile(r"\s*[^\W\d][\w\u0300-\u036f]*\s*=(?!=)")
_GREEDY = {"--set": "a=2 b=-3", "--over": "x=-2:2 y=0:1", "--direction": "x=1,y=2"}
_STEPS = "x=-2:2:0.5 y=0:1:0.1"
_OPTION = re.compile(r"--[A-Za-z][\w-]+(=.*)?", re.DOTALL)


class OptionalValue(click.Option):
    """An option that may stand alone; a value comes only after `=`, as in `--check=nodes`."""

    value_alone = "inputs"


class FormulaCommand(click.Command):
    """A command whose first argument is a formula."""

    several = False
    """does it take more than one formula?"""
    sections: Mapping[str, Sequence[str]] = {}
    """headings of the help, for a command of many options: heading → parameters"""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the words, unless the shell only asks how one could be completed."""
        if ctx.resilient_parsing:
            return super().parse_args(ctx, args)
        options, formulas = self._sorted(ctx, deque(args))
        if len(formulas) > 1 and not self.several:
            raise _several(formulas)
        return super().parse_args(ctx, [*options, "--", *formulas])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings; those that have none come last."""
        options = {option.name: option for option in self.get_params(ctx) if isinstance(option, click.Option)}
        sections = [(heading, [options.pop(name) for name in names]) for heading, names in self.sections.items()]
        for heading, members in [*sections, ("Options" if not sections else "Other", [*options.values()])]:
            with formatter.section(heading):
                formatter.write_dl([record for option in members if (record := option.get_help_record(ctx))])

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command; a formula that is wrong and is the name of a file was meant as that."""
        try:
            return super().invoke(ctx)
        except AutodiffError as error:
            file = (ctx.params.get("formula") or "").removeprefix("-f")
            if error.code == INPUT and error.source and error.source.name == "<formula>" and is_file(file):
                error.hint = f"`{file}` is a file: read it with -f {file}"
            raise

    def _sorted(self, ctx: click.Context, words: deque[str]) -> tuple[list[str], list[str]]:
        takes_value = {
            name: isinstance(option, click.Option) and not (option.is_flag or option.count)
            for option in self.get_params(ctx)
            for name in [*option.opts, *option.secondary_opts]
        }
        optional = [option for option in self.params if isinstance(option, OptionalValue)]
        metavars = {name: option.metavar or "" for option in self.params for name in option.opts}
        alone = {name: option.value_alone for option in optional for name in option.opts}
        options: list[str] = []
        formulas: list[str] = []
        while words:
            word = words.popleft()
            name, sign, text = word.partition("=")
            if word == "--":
                return options, [*formulas, *words]
            if name in _GREEDY and name in takes_value:
                taken = _assignments(name, metavars[name], text, words)
                options += [part for assignment in taken for part in (name, assignment)]
            elif word in takes_value or _OPTION.fullmatch(word):
                if name not in takes_value:
                    hint = did_you_mean(name, takes_value) or f"`{ctx.command_path} --help` lists the options"
                    raise AutodiffError(f"there is no option `{name}`", hint=hint, code=USAGE)
                if name in alone and not sign:
                    options.append(f"{name}={alone[name]}")
                    continue
                options.append(word)
                if takes_value[name] and not sign:
                    if not words or words[0] in takes_value or words[0] == "--":
                        hint = f"`{ctx.command_path} --help` shows how it is used"
                        raise AutodiffError(f"`{name}` needs a value", hint=hint, code=USAGE)
                    options.append(words.popleft())
            else:
                formulas.append(word)
        return options, formulas


def _assignments(option: str, metavar: str, first: str, words: deque[str]) -> list[str]:
    """What --set, --over or --direction takes: the assignment behind its own `=`, if any, and those that follow."""
    assignments = [first] if first else []
    while words and _ASSIGNMENT.match(words[0]):
        assignments.append(words.popleft())
    if not assignments:
        found = f", not `{words[0]}`" if words else ""
        hint = f"write {option} {_STEPS if 'STEP' in metavar else _GREEDY[option]}, without spaces"
        raise AutodiffError(f"{option} takes {metavar.removesuffix(' …')}{found}", hint=hint, code=USAGE)
    return assignments


def _several(formulas: list[str]) -> AutodiffError:
    assignments = [word for word in formulas[1:] if _ASSIGNMENT.match(word)]
    hint = (
        f"numbers for inputs follow --set: --set {' '.join(assignments)}"
        if len(assignments) == len(formulas) - 1
        else f'put a formula with spaces in quotes: "{" ".join(formulas)}"'
    )
    return AutodiffError(f"more than one formula: `{formulas[0]}` and `{formulas[1]}`", hint=hint, code=USAGE)


def is_file(path: str) -> bool:
    """Is the word of a command line the name of a file?"""
    return 0 < len(path) < 1000 and "\0" not in path and Path(path).is_file()
