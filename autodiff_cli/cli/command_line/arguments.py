"""The arguments of a command line as people write them, sorted into options and formulas before click reads them.

An option that takes a list takes all entries that follow (see `lists`). An argument that begins with a minus but is no
option is a formula.
"""

import re
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import click

from ...errors import AutodiffError, UsageError
from .known_options import options_of, spelled, takes
from .lists import ListOption
from .remedies import command_line

WRITTEN = "autodiff.options"
"""the key under which click's context has the options as they are written on the command line"""
_OPTION = re.compile(r"--[A-Za-z][\w-]+(=.*)?", re.DOTALL)


class OptionalValue(click.Option):
    """An option with choices that can be left out, for `value_alone`: `--check`, `--check=nodes` or `--check nodes`."""

    def __init__(self, *arguments: Any, value_alone: str, **attributes: Any) -> None:
        super().__init__(*arguments, **attributes)
        self.value_alone = value_alone


class ShortForm(click.Option):
    """A flag that stands for another option with a value, whose help names it, so that it needs no line of its own."""

    def get_help_record(self, ctx: click.Context) -> None:
        """No line in the help."""


class FormulaCommand(click.Command):
    """A command whose first argument is a formula, or whose first arguments are some."""

    least = 1
    """the number of formulas it needs, counting one from a file"""
    sections: Mapping[str, Sequence[str]] = {}
    """the sections of the help of a command with many options: heading → parameters"""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Sort the arguments. Where the shell asks for completions, they may be wrong and end with an open option."""
        if ctx.resilient_parsing and args:
            last = options_of(self, ctx).get(args[-1])
            args = args if last is None or last.is_flag else args[:-1]
        line = _CommandLine(ctx, args)
        try:
            line.sort(args)
            line.take_formula()
            if len(line.formulas) + line.has_file > 1:
                from .argument_errors import refuse_several

                is_allowed = any(parameter.nargs < 0 for parameter in self.params)
                refuse_several(line.formulas, args, ctx, is_allowed=is_allowed, has_file=line.has_file)
            if line.ambiguous and len(line.formulas) + line.has_file < self.least:
                raise line.ambiguous
        except AutodiffError:
            if not ctx.resilient_parsing:
                raise
            return super().parse_args(ctx, args)
        ctx.meta[WRITTEN] = line.written
        return super().parse_args(ctx, [*line.options, "--", *line.formulas])

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options below their headings."""
        for heading, options in self.help_records(ctx):
            with formatter.section(heading):
                formatter.write_dl(options)

    def help_records(self, ctx: click.Context) -> Iterator[tuple[str, list[tuple[str, str]]]]:
        """The headings of the help, each with its options and their texts; those without a heading come last."""
        parameters = [parameter for parameter in self.get_params(ctx) if isinstance(parameter, click.Option)]
        options = [(option.name, record) for option in parameters if (record := option.get_help_record(ctx))]
        for heading, names in self.sections.items():
            yield heading, [record for listed in names for name, record in options if name == listed]
        below = {name for names in self.sections.values() for name in names}
        yield "Other" if self.sections else "Options", [record for name, record in options if name not in below]

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command. The error for a formula may get a hint."""
        try:
            return super().invoke(ctx)
        except AutodiffError as error:
            from .argument_errors import add_hint_for_formula

            add_hint_for_formula(error, ctx)
            raise


def options_and_others(ctx: click.Context, words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The options among words for the command of a context, with their values, and the other words.

    Raises AutodiffError for an option that the command does not have, or without its value.
    """
    line = _CommandLine(ctx)
    line.sort(words)
    return line.options, line.formulas


def words_before_completion(command: click.Command, words: list[str]) -> list[str]:
    """The words before the one that the shell completes, as click's own completion understands them.

    An option that takes a list is repeated at the end, where the list may go on.
    """
    by_name = options_of(command)
    last = next((word for word in reversed(words) if word.partition("=")[0] in by_name), "")
    after = words[len(words) - words[::-1].index(last) :] if last else []
    name, equals, value = last.partition("=")
    option = by_name.get(name)
    if isinstance(option, ListOption):
        following = deque(after)
        return [*words, name] if option.words([value] if equals else [], following) and not following else words
    return words


class _CommandLine:
    """Takes a command line apart into options, as click reads them, and formulas."""

    def __init__(self, context: click.Context, words: Sequence[str] = ()) -> None:
        """`words` are those after the command, for hints that repeat them."""
        self._context = context
        self.known = options_of(context.command, context)
        """the options of the command, under each of their names"""
        self._words = words
        self.options: list[str] = []
        self.written: set[str] = set()
        """the names of the options, as they are written"""
        self.formulas: list[str] = []
        self.has_file = False
        """whether --file names a formula"""
        self.ambiguous: AutodiffError | None = None
        """the error for a value of an option that may as well be the formula, if there is no other"""

    def sort(self, arguments: Sequence[str]) -> None:
        """Take all arguments apart."""
        following = deque(arguments)
        while following:
            argument = following.popleft()
            if argument == "--":
                self.formulas += following
                return
            if argument.partition("=")[0] in self.known or _OPTION.fullmatch(argument):
                self.options += self._option(argument, following)
            else:
                self.formulas.append(argument)

    def take_formula(self) -> None:
        """Take `-v` for the negative of `v` where no other word is the formula and there are no rows to tell of."""
        has_rows = any(word.partition("=")[0] in ("--data", "--over") for word in self.options)
        if not (self.formulas or self.has_file or has_rows) and "-v" in self.options:
            self.options.remove("-v")
            self.written -= {"-v"} - {*self.options}
            self.formulas.append("-v")

    def _option(self, argument: str, following: deque[str]) -> list[str]:
        """An option with its value, as click takes it; the value is removed from the arguments that follow."""
        name, equals, value = argument.partition("=")
        option = self.known.get(name)
        if option is None:
            from .argument_errors import unknown_option

            raise unknown_option(name, self._words, self._context)
        self.written.add(name)
        self.has_file |= option.name == "file"
        if isinstance(option, ListOption) and (equals or option.entry.is_assigned):
            return self._list(name, option, [value] if equals else [], following)
        if isinstance(option, OptionalValue) and not equals:
            return [f"{name}={self._choice(name, option, following)}"]
        is_flag, usage = option.is_flag or option.count, f"`{self._context.command_path} --help` shows how it is used"
        if equals and not name.startswith("--"):  # of which click would take the `=` for a part of the value
            if is_flag:
                raise UsageError(f"option `{name}` does not take a value", usage)
            return [name, spelled(option, value)]
        if equals or is_flag:
            return [f"{name}={spelled(option, value)}" if equals else argument]
        if not self._is_word(following):
            choices = "|".join(option.type.choices) if isinstance(option.type, click.Choice) else ""
            example = "-5:5" if option.metavar == "LOW:HIGH" else choices
            raise UsageError(f"`{name}` needs a value", f"write {name} {example}" if example else usage)
        if isinstance(option, ListOption):
            return self._list(name, option, [], following)
        return [argument, spelled(option, following.popleft())]

    def _is_word(self, following: Sequence[str]) -> bool:
        """Whether a word follows that is no option."""
        return bool(following) and following[0] != "--" and following[0].partition("=")[0] not in self.known

    def _choice(self, name: str, option: OptionalValue, following: deque[str]) -> str:
        """The choice that follows an option whose value can be left out, or that without one."""
        if not following or not takes(option, spelled(option, following[0])):
            return option.value_alone
        choice = spelled(option, following.popleft())
        self.ambiguous = _ambiguous(choice, name, f"{name}={choice}")
        return choice

    def _list(self, name: str, option: ListOption, first: list[str], following: deque[str]) -> list[str]:
        """An option for each entry of a list."""
        words = option.words(first, following)
        entries = option.entries(words)
        is_cut = option.entry.is_assigned and entries and entries[-1].partition("=")[1:] == ("=", "")
        if is_cut and self._is_word(following):
            following.appendleft(entries[-1])  # the number of `x= 3` stands apart
            entries = []
        if not entries:
            from .argument_errors import empty_list

            raise empty_list(name, option, following, self._words)
        if option.is_doubtful(words):
            self.ambiguous = _ambiguous(words[-1], name, f"{name} {command_line(','.join(words))}")
        return [part for entry in entries for part in (name, entry)]


def _ambiguous(word: str, option: str, written: str) -> AutodiffError:
    """The error for a word that was taken for a value of an option, which is `written` so where that is certain."""
    hint = f"write {written} if it is a name; put it before {option} if it is a formula"
    return UsageError(f"`{word}` after {option} may be a name or a formula", hint)
