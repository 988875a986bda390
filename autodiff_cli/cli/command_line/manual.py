"""Manual pages, made of the same texts as the help: `autodiff --man` prints them, and the wheel installs them."""

import re
from collections.abc import Iterable, Iterator
from inspect import cleandoc
from textwrap import dedent, wrap

import click

from ...errors import UsageError, did_you_mean
from ...version import __version__
from .arguments import FormulaCommand
from .outcome import EXIT_CODES

_LITERAL = "\b"  # the first line of a paragraph whose lines click keeps as they are
_WIDTH = 68  # of a line of text; its escapes add to that
_ESCAPES = {"\\": r"\e", "-": r"\-", "'": r"\(aq", "`": r"\(ga", "^": r"\(ha", "~": r"\(ti"}


def page(group: click.Group, name: str = "") -> str:
    """The manual page of a command, or that of the whole program, as the input of `man`.

    Raises AutodiffError for a name that no command has.
    """
    root = _context(group, "autodiff", None)
    if not name:
        return _page(group, root, ["autodiff-" + other for other in group.list_commands(root)])
    command = group.get_command(root, name)
    if command is None:
        hint = did_you_mean(name, group.list_commands(root)) or "`autodiff --help` lists the commands"
        raise UsageError(f"there is no command `{name}`", hint)
    return _page(command, _context(command, name, root), ["autodiff"])


def pages(group: click.Group) -> dict[str, str]:
    """The manual pages of the program and of all its commands, by the names of their files."""
    names = group.list_commands(_context(group, "autodiff", None))
    return {"autodiff.1": page(group)} | {f"autodiff-{name}.1": page(group, name) for name in names}


def _context(command: click.Command, name: str, parent: click.Context | None) -> click.Context:
    return click.Context(command, info_name=name, parent=parent, **command.context_settings)


def _page(command: click.Command, context: click.Context, related: list[str]) -> str:
    """The page of a command; `related` are the pages that it refers to."""
    title = context.command_path.replace(" ", "-")
    texts, examples = _texts_and_examples(cleandoc(command.help or ""))
    summary = command.get_short_help_str(1000).removesuffix(".")
    sections = {
        "NAME": [f"{_text(title)} \\- {_text(summary)}"],
        "SYNOPSIS": [f"{_bold(context.command_path)} {_text(' '.join(command.collect_usage_pieces(context)))}"],
        "DESCRIPTION": list(_paragraphs(texts)),
        "COMMANDS": list(_definitions(_commands(command, context))),
        "OPTIONS": list(_options(command, context)),
        "EXIT STATUS": list(_definitions((str(code), meaning) for code, meaning in EXIT_CODES.items())),
        "EXAMPLES": list(_paragraphs(examples)),
        "SEE ALSO": [",\n".join(f"{_bold(other)}(1)" for other in related)],
    }
    lines = [f'.TH {_text(title.upper())} 1 "" "autodiff {__version__}"', ".nh", ".ad l"]
    for heading, content in sections.items():
        if content:
            lines += [f".SH {heading}", *content]
    return "\n".join(lines) + "\n"


def _texts_and_examples(text: str) -> tuple[list[str], list[str]]:
    """The paragraphs of a help text, and those of them that are examples: command lines."""
    texts: list[str] = []
    examples: list[str] = []
    for paragraph in re.split(r"\n\s*\n", text):
        (examples if re.match(rf"{_LITERAL}\s+autodiff ", paragraph) else texts).append(paragraph)
    return texts, examples


def _paragraphs(texts: Iterable[str]) -> Iterator[str]:
    for number, text in enumerate(texts):
        if number:
            yield ".PP"
        if text.startswith(_LITERAL):
            lines = dedent(text.partition("\n")[2]).split("\n")
            yield "\n".join([".RS 4", ".nf", *map(_text, lines), ".fi", ".RE"])
        else:
            yield _filled(text)


def _commands(command: click.Command, context: click.Context) -> Iterator[tuple[str, str]]:
    if isinstance(command, click.Group):
        for name in command.list_commands(context):
            member = command.get_command(context, name)
            yield name, member.get_short_help_str(1000) if member else ""


def _options(command: click.Command, context: click.Context) -> Iterator[str]:
    """The options, below the headings that they have in the help."""
    if isinstance(command, FormulaCommand) and command.sections:
        for heading, records in command.help_records(context):
            yield f".SS {_text(heading)}"
            yield from _definitions(records)
    else:
        options = (parameter for parameter in command.get_params(context) if isinstance(parameter, click.Option))
        yield from _definitions(record for option in options if (record := option.get_help_record(context)))


def _definitions(entries: Iterable[tuple[str, str]]) -> Iterator[str]:
    """Terms with what they mean; the options among the words of a term, and words in small letters, are bold."""
    for term, meaning in entries:
        words = (_bold(word) if re.match(r"-|[a-z0-9]+$", word) else _text(word) for word in term.split(" "))
        yield f".TP\n{' '.join(words)}\n{_filled(meaning)}"


def _filled(text: str) -> str:
    """A text whose lines `man` fills, in short lines."""
    return "\n".join(map(_text, wrap(text, _WIDTH, break_long_words=False, break_on_hyphens=False)))


def _bold(text: str) -> str:
    return rf"\fB{_text(text)}\fR"


def _text(text: str) -> str:
    """A text in which no character means anything to `man`."""
    escaped = "".join(
        _ESCAPES.get(character) or (character if character.isascii() else rf"\[u{ord(character):04X}]")
        for character in text
    )
    return rf"\&{escaped}" if escaped.startswith(".") else escaped
