"""Text → program, in the whole language: lists, sums over an index and derivatives unfold to operations on numbers."""

import re
from collections.abc import Collection

from ..errors import AutodiffError, Source
from ..parser import run
from ..parser.builder import Builder, ListsNeeded
from ..program import Program
from ..work_budget import grant_text

_SUM = r"(?i)(?:sum|prod|product)\s*\("  # an error may be due to its index


def parse(
    text: Program | str,
    name: str = "<formula>",
    line: int = 0,
    *,
    entries: Collection[str] = (),
    allows_list: bool = False,
    allows_work: bool = True,
) -> Program:
    """Read a program in the language of `grammar/expression.lark`; one that was read already is returned as it is.

    `name` is what errors call the text.
    `line` is its line in the file, if it is one of many. `entries` are the entries of list inputs that are given
    numbers, such as `x[1]` and `x[2]`. With `allows_list` the output may be a list: the caller selects another one. The
    length of the text allows more work, unless this program derived it from another text (`allows_work`).

    Raises AutodiffError, with the place and a hint, for a text that is not a program.
    """
    if isinstance(text, Program):
        return text
    if not isinstance(text, str):
        hint = 'give a text such as "a*b + c", or what `parse` has made of one'
        raise AutodiffError(f"a formula is needed, not `{type(text).__name__}`", hint=hint)
    source = Source(text, name, line)
    if allows_work:
        grant_text(text)
    if not entries:  # most programs have no lists
        builder = Builder(source)
        try:
            run(builder)
        except (ListsNeeded, AutodiffError) as error:
            if isinstance(error, AutodiffError) and not re.search(_SUM, text):
                raise
        else:
            return builder.program()
    from .list_builder import ListBuilder

    builder = ListBuilder(source, entries, allows_list=allows_list)
    run(builder)
    return builder.program()
