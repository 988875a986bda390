"""`autodiff eval --each`: the option, with which every line of the input is a formula of its own."""

from collections.abc import Callable
from functools import wraps
from typing import Any

import click

Command = Callable[..., None]


def options(command: Command) -> Command:
    """The option --each; with it every line is evaluated, in place of the command."""

    @wraps(command)
    def either(*, each: bool, **options: Any) -> None:
        if each:
            from .eval_each import run

            run(**options)
        else:
            command(**options)

    help_text = "Every line of the input is a formula of its own; they share what --set gives."
    return click.option("--each", is_flag=True, help=help_text)(either)
