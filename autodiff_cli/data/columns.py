"""Which columns of a table are inputs of a program, which are written, and what the results are called."""

import re
from collections import Counter
from collections.abc import Container, Mapping, Sequence

from ..errors import USAGE, AutodiffError, Notice, did_you_mean, named
from ..evaluation import used
from ..notation import canonical
from ..program import Program

_MOST_NAMED = 12


def inputs(
    program: Program,
    names: Sequence[str],
    given: Mapping[str, float],
    shared: Mapping[str, float],
    what: str = "column",
) -> dict[str, str]:
    """The inputs that are columns: name in the program → name of the column, in the order of the table.

    The others have a number in `given` or `shared`; to the latter a column is preferred. Equal letters of Unicode are
    one letter, as in a formula, and blanks around the name of a column are no part of it. `what` is what messages call
    a column, or "range". Raises AutodiffError for inputs that have neither a column nor a number, all at once; for a
    column that is also given a number; and for two columns of one name.
    """
    columns = {canonical(name): name for name in reversed(names)}
    both = [name for name in given if name in columns]
    if both:
        hint = "leave it out of --set" if what == "column" else "leave one of them out"
        raise AutodiffError(f"`{both[0]}` has both a {what} and a number", hint=hint, code=USAGE)
    # a column shadows a constant, and only goes along where its name is computed; a range of such a name is an error
    shadowing = {name: 0.0 for name in columns if what == "range" or name in program.constants}
    needed = used(program.graph.needed([program.output]), program.point({**shadowing, **shared, **given}))
    missing = [
        name
        for name, node in needed.items()
        if not any(name in there for there in (columns, given, shared)) and node not in program.graph.numbers
    ]
    if missing:
        raise _missing(missing, names) if what == "column" else program.missing(missing)
    found = {normal: columns[normal] for normal in dict.fromkeys(map(canonical, names)) if normal in needed}
    twice = [name for name, count in Counter(map(canonical, names)).items() if count > 1 and name in found]
    if twice:
        hint = "give each column a name of its own"
        raise AutodiffError(f"there are two columns `{twice[0]}`, so it is not clear which is the input", hint=hint)
    return found


def unused(
    program: Program, names: Sequence[str], found: Mapping[str, str], given: Container[str], what: str = "column"
) -> list[Notice]:
    """The warnings for columns that were probably meant to be inputs.

    They are those of a name that is almost that of an input with a default, all of them if the formula depends on none,
    and every range that it does not depend on.
    """
    if what == "range":
        return [
            Notice(f"`{name}` has a range, but the formula does not use it", did_you_mean(name, program.inputs))
            for name in names
            if name not in found
        ]
    left = {name: _alike(name, names) for name in program.inputs if name not in found and name not in given}
    notices = [
        Notice(f"`{name}` has its default in all rows: the column is called `{column}`", "rename one of them")
        for name, column in left.items()
        if column is not None
    ]
    if found or notices:
        return notices
    hint = f"the columns are {named(names, _MOST_NAMED)}" if names else ""
    return [Notice("the formula uses none of the columns: all rows have the same result", hint)]


def kept(names: Sequence[str], chosen: Sequence[str] | None) -> list[str]:
    """The columns that are written: all, or those that were chosen, each text a name or several with commas between.

    Raises AutodiffError for columns that there are not.
    """
    if chosen is None:
        return list(names)
    found = [name for text in chosen for name in ([text] if text in names else map(str.strip, text.split(",")))]
    absent = [name for name in found if name not in names]
    if absent:
        hint = did_you_mean(absent[0], names) if len(absent) == 1 else ""
        raise AutodiffError(
            f"the data has no column{'s' * (len(absent) > 1)} {named(absent, _MOST_NAMED)}",
            hint=hint or f"its columns are {named(names, _MOST_NAMED)}",
        )
    return list(dict.fromkeys(found))


def results(wrt: Sequence[str], kept: Sequence[str], prefix: str) -> list[str]:
    """What the columns of the value and of the gradient are called.

    Raises AutodiffError where a column of that name is written already.
    """
    names = [f"{prefix}value", *(f"{prefix}grad_{name}" for name in wrt)]
    clash = [name for name in names if name in kept]
    if clash:
        raise AutodiffError(
            f"columns of the data have the names of results: {named(clash, _MOST_NAMED)}",
            hint="--prefix d_ puts d_ in front of the names of the results; --columns says which columns are written",
            code=USAGE,
        )
    return names


def _missing(missing: Sequence[str], names: Sequence[str]) -> AutodiffError:
    other = _other_format(names)
    close = {} if other else {name: hint for name in missing if (hint := _close(name, names))}
    hints = [f"`{name}`: {hint}" if len(missing) > 1 else hint for name, hint in close.items()]
    seen = f"its columns are {named(names, _MOST_NAMED)}" if names else "it has no columns"
    numbers = f"--set {' '.join(f'{name}=1' for name in missing)} gives all rows the same number"
    return AutodiffError(
        f"the data has no column{'s' * (len(missing) > 1)} {named(missing, _MOST_NAMED)}",
        hint=other or "; ".join([*(hints or [seen]), numbers]).replace("?;", "?"),
    )


def _other_format(names: Sequence[str]) -> str:
    """The hint for data that is no table with commas; "" where it looks like one."""
    if names and names[0].startswith("{"):
        return "its lines are JSON objects: --data-format jsonl reads them"
    if len(names) == 1 and "\t" in names[0]:
        return "its columns are separated by tabs: --data-format tsv reads them"
    if len(names) == 1 and ";" in names[0]:
        return "its columns are separated by `;`: save it with commas or tabs between them"
    return ""


def _close(name: str, names: Sequence[str]) -> str:
    """The hint for a column that was probably meant by a name; "" where there is none."""
    close = did_you_mean(name, [known for known in names if canonical(known).isidentifier()])
    alike = _alike(name, names)
    if close or alike is None:
        return close
    return f"`{alike}` is no name that a formula can use: rename the column to `{name}`"


def _alike(name: str, names: Sequence[str]) -> str | None:
    """The column whose name is this one but for capitals, a unit behind it, or signs between its words."""
    for known in names:
        words = re.split(r"\W+", known.strip())
        if name.casefold() in (words[0].casefold(), "_".join(words).strip("_").casefold()):
            return known
    return None
