"""The answers to the scripts of the shells: what could stand in place of the word before the cursor.

A script sends the command line up to the cursor in `COMP_LINE`. The answer has a line for each possibility: its kind,
the whole word, and a description, with tabs between them. The kinds are `plain`; `open` for a word that goes on, which
no space follows; and `file`, in place of which the shell itself completes the name of a file.
"""

import os

import click
from click.shell_completion import CompletionItem, ShellComplete, add_completion_class, split_arg_string

from ...errors import AutodiffError
from ...terminal.printable_text import one_line
from ..command_line.arguments import words_before_completion
from . import SHELLS, script


def register() -> None:
    """Have click answer the scripts of this folder in place of its own."""
    for shell in SHELLS:
        add_completion_class(Completion, shell)


class Completion(ShellComplete):
    """The answers, which are the same for every shell."""

    def source(self) -> str:
        """The script for the shell that `_AUTODIFF_COMPLETE` names."""
        return script(os.environ[self.complete_var].partition("_")[0])

    def get_completion_args(self) -> tuple[list[str], str]:
        """The words of the command line, and the one that is begun."""
        words = split_arg_string(os.environ["COMP_LINE"] + "_")  # a letter, so that the last word is the one begun
        return words[1:-1], words[-1][:-1]

    def get_completions(self, args: list[str], incomplete: str) -> list[CompletionItem[str]]:
        """The candidates for the word that is begun; none if the words before it make no sense."""
        try:
            items = super().get_completions(self._before(args), incomplete)
        except AutodiffError:
            return []
        option, equals, _ = incomplete.partition("=")
        if option.startswith("--") and equals:  # click completes the value alone
            for item in items:
                item.value = item.value if item.type == "file" else option + equals + item.value
        return items

    def _before(self, args: list[str]) -> list[str]:
        """The words before, as click understands them."""
        assert isinstance(self.cli, click.Group)
        context = click.Context(self.cli)
        name = next((word for word in args if word in self.cli.list_commands(context)), "")
        command = self.cli.get_command(context, name)
        return words_before_completion(command, args) if command else args

    def complete(self) -> str:
        """The answer. What the shell keeps of the word, as bash does of `a=` in `a=b`, is left out."""
        args, incomplete = self.get_completion_args()
        replaced = os.environ.get("COMP_REPLACED", incomplete)
        kept = incomplete.removesuffix(replaced) if incomplete.endswith(replaced) else ""
        return "\n".join(
            f"{item.type}\t{item.value.removeprefix(kept)}\t{_summary(item.help)}"
            for item in self.get_completions(args, incomplete)
        )


def _summary(text: str | None) -> str:
    """The first sentence of a help text."""
    return one_line(text or "").partition(". ")[0].removesuffix(".")
