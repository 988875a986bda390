"""`-o FILE` for commands that print: what they print goes to a file, which appears whole or not at all."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

Command = Callable[..., None]


def out_option(command: Command) -> Command:
    """The option; the ending of the file says the format, where --format does not and the command has it."""

    @click.option("-o", "--out", metavar="FILE", help="Write to a file, which appears whole or not at all.")
    @wraps(command)
    def either(out: str | None, **words: Any) -> None:
        if out is None:
            command(**words)
            return
        from . import results

        with results.redirected(out, words):
            command(**words)

    return either
