"""The options of a command, and the values that they may have."""

from collections.abc import Sequence

import click

from .lists import NAMES, ListOption


def options_of(command: click.Command, context: click.Context | None = None) -> dict[str, click.Option]:
    """The options of a command, under each of their names; in a context also that for its help."""
    return {
        name: option
        for option in (command.get_params(context) if context else command.params)
        if isinstance(option, click.Option)
        for name in (*option.opts, *option.secondary_opts)
    }


def is_option(text: str, name: str) -> bool:
    """Whether a word of the command line is the option of that name, with a value or without."""
    return text.partition("=")[0] == name


def value_of(option: str, words: Sequence[str]) -> str | None:
    """The word after an option of the command line; None if it is another option, or there is none."""
    for place, word in enumerate(words):
        if is_option(word, option):
            following = [word.partition("=")[2]] if "=" in word else words[place + 1 :]
            return following[0] if following and not following[0].startswith("--") else None
    return None


def spelled(option: click.Option, value: str) -> str:
    """A choice of an option as it is spelled; capitals make no difference."""
    choices = option.type.choices if isinstance(option.type, click.Choice) else ()
    return next((choice for choice in choices if choice.lower() == value.lower()), value)


def takes(option: click.Option, value: str | None) -> bool:
    """Whether a value may be that of an option; one that is not known may be any."""
    if value is not None and isinstance(option, ListOption) and option.entry is NAMES:
        return "=" not in value
    return value is None or not isinstance(option.type, click.Choice) or value in option.type.choices
