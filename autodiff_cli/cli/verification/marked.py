"""`autodiff verify --marked`: derivatives that stand in the comments of files.

A mark is the rest of a line from `autodiff: verify` on, and has the arguments of that command, quoted as in a shell:

    # autodiff: verify "x^3" "3*x^2" --wrt x

It is only split into words. Nothing in it is run, and it has no option that names a file.
"""

import re
import shlex
import sys
from collections import Counter
from collections.abc import Collection, Iterator
from io import TextIOWrapper
from json import detect_encoding
from typing import Any, NamedTuple

import click

from ... import files
from ...errors import INPUT, MISMATCH, AutodiffError, UsageError
from ...notation import counted
from ...output import write
from ...terminal.encoding import for_programs
from ...terminal.printable_text import one_line
from .. import options
from ..command_line.outcome import usage_message
from ..command_line.remedies import in_options
from .request import FORMATS, VerifyCommand, VerifyRequest, verify_options

_MARK = re.compile(r"\bautodiff:[ \t]*verify[ \t]+(\S.*)")
_END_OF_COMMENT = re.compile(r"\s*(\*+/|--+>|\*\)|-\}|\|#|#\}|%\}|%>|\"\"\"|''')\s*$")
_ANSWERS = ("right", "wrong", "undecided", "unreadable")
_REFUSED = ("file", "inputs_file", "format_", "out")
_LONGEST_LINE = 2**20  # characters; a longer one is read in parts


class Mark(NamedTuple):
    """The arguments of `verify` that stand in a line of a file, in one text."""

    place: str
    """the file and the line, `model.py:12`"""
    text: str


def verify_marked(paths: Collection[str]) -> int:
    """Verify every mark in the files and write each that is wrong, with its place; returns the exit code."""
    if not paths:
        raise UsageError("no files were given", "autodiff verify --marked FILE …")
    for_programs(sys.stdout)
    answers = Counter(_answer(mark) for path in paths for mark in _marks(path))
    kinds = ", ".join(f"{answers[answer]} {answer}" for answer in _ANSWERS if answers[answer])
    number = f"{counted(answers.total(), 'mark')} in {counted(len(paths), 'file')}"
    click.echo(f"{number}: {kinds}" if kinds else number)
    return INPUT if answers["unreadable"] else MISMATCH if answers["wrong"] or answers["undecided"] else 0


def _answer(mark: Mark) -> str:
    """Write the answer to a mark that is wrong, or its error to standard error; which of `_ANSWERS` it is."""
    try:
        report = _request(mark).report()
        if report.undecided is not None:
            raise report.undecided
    except AutodiffError as error:
        click.echo(f"{mark.place}: {in_options(error).render()}\n", err=True)
        return "undecided" if error.code == MISMATCH else "unreadable"
    if report.answer.counterexample is None:
        return "right"
    sys.stdout.write(f"{mark.place}: ")
    write(report, "plain", sys.stdout)
    return "wrong"


def _marks(path: str) -> Iterator[Mark]:
    """The marks of a file, which may have any encoding that contains ASCII, or be UTF-16 or UTF-32."""
    number = 1
    with files.open_for_reading(path) as file:
        encoding = detect_encoding(file.peek(4)[:4])
        lines = TextIOWrapper(file, encoding, errors="replace", newline="\n")
        while line := lines.readline(_LONGEST_LINE):
            if "autodiff:" in line and (mark := _MARK.search(line)):
                yield Mark(f"{one_line(path)}:{number}", _END_OF_COMMENT.sub("", mark[1]))
            number += line.endswith("\n")


def _request(mark: Mark) -> VerifyRequest:
    """The arguments of a mark. Raises AutodiffError for arguments that `verify` does not know."""
    try:
        with _mark.make_context(
            "verify", shlex.split(mark.text), click.Context(click.Group(), info_name="autodiff")
        ) as ctx:
            options.refuse(options.present(ctx), _REFUSED, "is not an option of a mark, which names no file")
            if "-" in ctx.params["formulas"]:
                raise AutodiffError(
                    "`-` is not a formula of a mark, which does not read standard input", hint="write a formula"
                )
            return VerifyRequest.of(**{name: value for name, value in ctx.params.items() if name not in _REFUSED})
    except ValueError as error:
        message = f"these are not arguments of `autodiff verify`: {str(error).lower()}"
        raise AutodiffError(message, hint='write autodiff: verify "x^3" "3*x^2" --wrt x') from None
    except click.ClickException as error:
        raise AutodiffError(usage_message(error)) from None


@click.command(cls=VerifyCommand, add_help_option=False)
@verify_options
@options.file_option
@options.inputs_option
@options.format_option(FORMATS)
@options.out_option
def _mark(**parameters: Any) -> None:
    """Stand for the arguments of a mark; it is never invoked."""
