"""The table of all options in `docs/options.md` is that of the commands.

Run as a program, this file writes the table into the page.
"""

import re
from pathlib import Path

import click

from autodiff_cli.cli import COMMANDS, group

PAGE = Path(__file__).parents[2] / "docs/options.md"
HEADING = "| option | commands | |\n| --- | --- | --- |\n"


def rows() -> dict[tuple[str, str], list[str]]:
    """Every option as it is written, with its help → the commands that have it so."""
    found: dict[tuple[str, str], list[str]] = {}
    context = click.Context(group)
    for name in COMMANDS:
        command = group.get_command(context, name)
        assert command is not None
        for option in command.params:
            record = isinstance(option, click.Option) and option.get_help_record(click.Context(command))
            if record:
                written = re.sub(r" \[\w.*\]", " CHOICE", record[0])
                *others, last = re.findall(r"--[\w-]+", written)
                found.setdefault((written, record[1]), []).append(name)
                for other in others:
                    found.setdefault((other, f"See `{last}`."), []).append(name)
    return found


def table() -> str:
    """The table: a row for each option and meaning, by the alphabet."""
    by_name = sorted(rows().items(), key=lambda row: re.findall(r"--([\w-]+)", row[0][0])[-1])
    return HEADING + "".join(f"| `{written}` | {_listed(names)} | {text} |\n" for (written, text), names in by_name)


def _listed(names: list[str]) -> str:
    return "all" if len(names) == len(COMMANDS) else ", ".join(names)


def test_the_page_has_the_options_of_the_commands() -> None:
    before, heading, after = PAGE.read_text(encoding="utf-8").partition(HEADING)
    assert before
    assert heading + after == table(), f"python {Path(__file__).name} writes the table"


if __name__ == "__main__":
    page = PAGE.read_text(encoding="utf-8").partition(HEADING)[0]
    PAGE.write_text(page + table(), encoding="utf-8")
