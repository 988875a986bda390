"""`autodiff completion`: the script with which a shell completes command lines.

`shells` answers the scripts; `completers` are what options and arguments name as their `shell_complete`.
"""

from os.path import dirname, join

import click

SHELLS = ("bash", "zsh", "fish")

_HELP = """Print the script that lets the Tab key complete what follows `autodiff`, in bash (4.4 or later), zsh or fish.

One line in the shell's start-up file turns it on:

\b
  eval "$(autodiff completion bash)"      in ~/.bashrc
  eval "$(autodiff completion zsh)"       in ~/.zshrc, after compinit
  autodiff completion fish | source       in ~/.config/fish/config.fish

It completes commands, options and their values, files and functions, and the names of the formula's inputs if the
formula comes before the cursor."""


@click.command(help=_HELP)
@click.argument("shell", type=click.Choice(SHELLS))
def command(shell: str) -> None:
    """Print the script."""
    click.echo(script(shell), nl=False)


def script(shell: str) -> str:
    """The script for a shell, which says how the words after `autodiff` are completed."""
    with open(join(dirname(__file__), f"autodiff.{shell}"), encoding="utf-8") as script:
        return script.read()
