"""Errors for arguments of a command line, with hints at what may be meant; imported only where there is one."""

import re
from collections.abc import Container, Sequence

import click

from ...errors import INPUT, AutodiffError, UsageError
from .foreign_words import no_option
from .known_options import options_of, value_of
from .lists import ListOption
from .misplaced_words import (
    QUOTES,
    extra_words_hint,
    file_hint,
    is_formula,
    meant_as_assignment,
    meant_as_number,
    notation_of,
    with_estimate,
)
from .remedies import command_line

_SHORT_OPTION = re.compile(r"-[A-Za-z?][\w-]*(=.*)?|--[A-Za-z](=.*)?", re.DOTALL)
"""a word that may be meant as an option, if another word is the formula"""
_EXAMPLE = re.compile(r'(?m)^ +(autodiff \w+ ".*)$')
"""the first of the examples in a command's help that has a formula in quotes"""


def add_hint_for_formula(error: AutodiffError, ctx: click.Context) -> None:
    """Add a hint to the error of a command that takes a formula.

    The error for a formula that is the name of a file suggests to read the file, that for one in another notation
    names this; the error for none shows an example.
    """
    if error.code == INPUT and error.source and _is_source_of_formula(error.source.name, ctx):
        text = error.source.text
        if error.source.name == "<formula>" and (file := file_hint(text, options_of(ctx.command))):
            error.hint = file
        elif not ctx.params.get("notation") and (notation := notation_of(text)):
            error.add_hint(f"--from {notation} reads it")
    if error.remedy and error.remedy.kind == "formula" and (example := _EXAMPLE.search(ctx.command.help or "")):
        error.remedy = error.remedy._replace(names=(example[1],))


def _is_source_of_formula(source: str, context: click.Context) -> bool:
    """Whether a source of that name is a formula of the command line."""
    if source == "<stdin>":
        return context.params.get("inputs_file") != "-"
    return source in ("<formula>", context.params.get("file")) or source.startswith("<derivative ")


def empty_list(name: str, option: ListOption, following: Sequence[str], words: Sequence[str]) -> AutodiffError:
    """The error for an option that takes a list, before words that are no entry of it."""
    if not option.entry.is_assigned:
        return UsageError(f"`{name}` names nothing", f"write {name} {option.example}")
    instead = f", not `{following[0]}`" if following else ""
    takes = (option.metavar or "").removesuffix(" …")
    if following and with_estimate(following[0]) != following[0]:
        hint = f"write the estimate too: {name} {command_line(with_estimate(following[0]))}"
        return UsageError(f"{name} takes {takes}{instead}", hint)
    meant = meant_as_assignment(following, words)
    example = meant if option.entry.begins(meant) else option.example
    hint = f"write {name} {example}, without spaces around `=`"
    if following and following[0].startswith("{"):
        hint = f"write {name} {example}, or read a JSON object from a file with --inputs"
    return UsageError(f"{name} takes {takes}{instead}", hint)


def unknown_option(tried: str, words: Sequence[str], context: click.Context) -> AutodiffError:
    """The error for an option that the command does not have; it may be meant as the number of an input."""
    value = value_of(tried, words) or "="
    following = words[words.index(value) + 1 :][:1] if value in words else ()
    is_alone = "=" not in value and not meant_as_assignment(following, words)
    assigned = meant_as_assignment([value], words) if is_alone else ""
    error, assignment = no_option(tried, words, context, assigned), meant_as_number(tried, words)
    known = options_of(context.command)
    option = "--start" if "--start" in known and "--start" not in words else "--set"
    if assignment and option in known:
        what = "numbers for inputs" if option == "--set" else "numbers where a search begins"
        return UsageError(error.message, f"{what} follow {option}: {option} {assignment}")
    return error


def refuse_several(
    formulas: Sequence[str], arguments: Sequence[str], context: click.Context, *, is_allowed: bool, has_file: bool
) -> None:
    """Raise an error for several formulas, or one and another from a file, if the command takes one.

    Where several formulas are allowed, an option such as `--x 1` is none of them.
    """
    joined = " ".join(formulas)
    short = next(filter(_SHORT_OPTION.fullmatch, formulas), None)
    if short is not None and (not is_allowed or meant_as_number(short.partition("=")[0], arguments)):
        error = unknown_option(short.partition("=")[0], arguments, context)
        if not error.hint.endswith("?") and not has_file and is_formula(joined):
            error.add_hint(f"{QUOTES}: {command_line(joined)}")
        raise error
    if len(formulas) < 2 or is_allowed:
        return
    known = options_of(context.command, context)
    hint = _options_after_dashes(arguments, known) or extra_words_hint(formulas, known)
    raise UsageError(f"more than one formula: `{formulas[0]}` and `{formulas[1]}`", hint)


def _options_after_dashes(arguments: Sequence[str], known: Container[str]) -> str:
    """The hint for an option after `--`, where it is taken for a formula; "" if there is none."""
    after = arguments[arguments.index("--") :] if "--" in arguments else ()
    option = next((word for word in after if word.partition("=")[0] in known), None)
    return f"only a formula follows `--`: put {option} before it" if option else ""
