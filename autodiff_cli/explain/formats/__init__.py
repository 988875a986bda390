"""The formats of a walkthrough: text, markdown, json and latex, one file each; `key_stepper` shows the text in steps.

The formats share `sentences`; `text_layout` aligns formulas and numbers, `latex_markup` escapes texts for LaTeX.
"""

from importlib import import_module
from typing import TextIO

from ...terminal.encoding import for_programs
from ..walkthrough import Walkthrough

FORMATS = ("text", "markdown", "json", "latex")
"""each is a file of this folder with `write(walk, out)`, which is imported when it is needed"""


def write(walk: Walkthrough, format_: str, out: TextIO) -> None:
    """Write a walkthrough to an open text file, in one of the FORMATS."""
    if format_ != "text":
        for_programs(out)
    import_module(f".{format_}", __name__).write(walk, out)
