"""The columns of a table: the inputs of a program, the columns that are written, and the names of the results."""

import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping, Sequence

from ..errors import USAGE, AutodiffError, Notice, Remedy, did_you_mean, quoted_names
from ..evaluation import used
from ..notation import canonical
from ..program import Program
from .formats.registry import DELIMITED
from .missing_columns import MOST_LISTED, missing_columns_error, refuse_absent, similar_columns

_INDEX = r"(?:0|[1-9]\d*)"
_ENTRY = re.compile(rf"([^\W\d][\w\u0300-\u036f]*?)(?:((?:\[{_INDEX}\])+)|_?({_INDEX}))")  # a name of the language


def input_columns(
    program: Program,
    names: Sequence[str],
    given: Mapping[str, float],
    fallback: Mapping[str, float],
    format_: str = "",
    outputs: Sequence[int] | None = None,
    mapping: Mapping[str, str] = {},
) -> dict[str, str]:
    """Return the inputs that are columns: name in the program → name of the column, in the order of the table.

    Only inputs count that the `outputs`, nodes of the program, depend on; by default the output of the program. Inputs
    that are not columns have a number in `given` or `fallback`; a column takes precedence over the latter. Names are
    compared after Unicode normalization, as in a formula, and without the blanks around them; `mapping` has the columns
    of inputs that have another name there. `format_` is that of the table, which some messages depend on, or "grid" for
    ranges. Raises AutodiffError, for all inputs at once, where an input has neither a column nor a number; for a column
    that is also given a number; and for two columns of one name.
    """
    noun = "range" if format_ == "grid" else "column"
    called = names_in_program(names, program.inputs, mapping)
    columns = dict(zip(reversed(called), reversed(names), strict=True))
    refuse_column_and_number(given, columns, noun)
    # a column shadows a constant, and only matters where its name is computed; a range of such a name is an error
    shadowing = {name: 0.0 for name in columns if noun == "range" or name in program.constants}
    order = program.graph.needed([program.output] if outputs is None else outputs)
    needed = used(order, program.inputs_given((*shadowing, *fallback, *given)))
    missing = [
        name
        for name, node in needed.items()
        if not any(name in numbers for numbers in (columns, given, fallback)) and node not in program.graph.numbers
    ]
    if missing:
        raise missing_columns_error(missing, names, mapping, format_) if noun == "column" else program.missing(missing)
    inputs = {name: columns[name] for name in dict.fromkeys(called) if name in needed}
    refuse_repeated(names, called, inputs)
    return inputs


def names_in_program(names: Sequence[str], known: Container[str], mapping: Mapping[str, str] = {}) -> list[str]:
    """Return each column's name in a program with the `known` inputs: `x[1]` for `x1` or `x_1`, else its own.

    `mapping` has the columns of names that are not those of their columns: name → column. A column that has such a name
    itself, and is not mapped, has none: "". Raises AutodiffError for columns of the mapping that are absent, and for
    an entry 0 beside others of its list.
    """
    refuse_absent(mapping.values(), names)
    mapped = {column: name for name, column in mapping.items()}
    if len(mapped) < len(mapping):
        raise AutodiffError("a column is mapped to two names", hint="leave one of them out", code=USAGE)
    called = [mapped.get(name) or _own_name(name, known) for name in names]
    _refuse_zeroth([name for name in names if name not in mapped], called, known)
    return [
        "" if name in mapping and name != mapped.get(column) else name
        for name, column in zip(called, names, strict=True)
    ]


def list_entries(names: Sequence[str]) -> dict[str, str]:
    """The columns that can be the entries of a list: `x[1]` → `x[1]`, `x1` or `x_1`; `W[1][2]` → `W[1][2]`."""
    columns: dict[str, str] = {}
    for name in names:
        if (entry := _entry(name)) and "[0]" not in entry:
            columns.setdefault(entry, name)
    return columns


def advise_entries(error: AutodiffError, names: Container[str]) -> str | None:
    """Replace the hint of an error about a list that is a column, which is returned: its entries can be columns."""
    remedy = error.remedy
    wanted = remedy.names if remedy is not None and remedy.kind in ("list input", "list entry") else ()
    if column := next((name for name in wanted if name in names), None):
        error.hint = f"name the columns of its entries {column}1, {column}2 and so on"
    return column


def mapped_entries(names: Iterable[str], mapping: Mapping[str, str]) -> list[str]:
    """The entries of lists that columns can be, by their own names or those to which they are mapped."""
    others = set(mapping.values())
    entries = list_entries([name for name in names if name not in others])
    return [*entries, *(name for name in mapping if "[" in name)]


def named_entries(names: Iterable[str], mapping: Mapping[str, str] = {}) -> list[str]:
    """Those of `mapped_entries` that are called so, such as `x[1]`, where no column is called as the list itself."""
    called = {*map(canonical, names), *mapping}
    entries = mapped_entries(names, mapping)
    return [name for name in entries if name in called and name.partition("[")[0] not in called]


def _entry(name: str) -> str:
    """The entry of a list that a column is by its name, perhaps `x[0]`; "" if it is none."""
    match = _ENTRY.fullmatch(canonical(name))
    return f"{match[1]}{match[2] or f'[{match[3]}]'}" if match else ""


def _own_name(name: str, known: Container[str]) -> str:
    """The entry of a list that a column is, unless its own name is known; else its own name."""
    own, entry = canonical(name), _entry(name)
    return entry if entry in known and own not in known else own


def _refuse_zeroth(names: Iterable[str], called: Iterable[str], known: Container[str]) -> None:
    """Raise AutodiffError for a column that would be left out of a list, because it is numbered 0."""
    lists = {name.partition("[")[0] for name in called if "[" in name and name in known}
    for name in names:
        entry = _entry(name)
        if "[0]" in entry and entry.partition("[")[0] in lists and canonical(name) not in known:
            message = f"the column `{name}` would be left out: the entries of a list are numbered from 1"
            raise AutodiffError(message, hint="rename it, or number the columns from 1")


def refuse_repeated(names: Sequence[str], called: Sequence[str], needed: Container[str]) -> None:
    """Raise AutodiffError where two columns are called by one name that is needed: `x1` and `x_1`, both `x[1]`."""
    repeated = next((name for name, count in Counter(called).items() if count > 1 and name in needed), None)
    if repeated is not None:
        columns = [name for name, own in zip(names, called, strict=True) if own == repeated]
        written = "" if set(columns) == {repeated} else f" ({quoted_names(columns)})"
        message = f"there are two columns `{repeated}`{written}, so it is not clear which is the input"
        raise AutodiffError(message, hint="give each column a name of its own")


def refuse_column_and_number(given: Iterable[str], columns: Container[str], noun: str = "column") -> None:
    """Raise AutodiffError where names that are given a number, or lists of which entries are, are columns too."""
    twice = (own for name in given for own in (name, name.partition("[")[0]) if own in columns)
    for name in twice:
        if noun == "column":
            remedy = Remedy("column and number", (), "leave its number out")
            raise AutodiffError(f"`{name}` has both a column and a number", remedy=remedy, code=USAGE)
        raise AutodiffError(f"`{name}` has both a {noun} and a number", hint="leave one of them out", code=USAGE)


def unused_ranges(program: Program, names: Iterable[str], inputs: Container[str]) -> list[Notice]:
    """Return warnings for ranges of names that are not among the inputs that the formula depends on."""
    return [
        Notice(f"`{name}` has a range, but the formula does not use it", did_you_mean(name, program.inputs))
        for name in names
        if name not in inputs
    ]


def unused_mapping(mapping: Iterable[str], known: Collection[str]) -> list[Notice]:
    """Return warnings for names to which columns are mapped, and which are not among the names that are known."""
    return [
        Notice(f"`{name}` is mapped to a column, but the formula does not use it", did_you_mean(name, known))
        for name in mapping
        if name not in known
    ]


def unused_columns(
    program: Program, names: Sequence[str], inputs: Mapping[str, str], given: Container[str]
) -> list[Notice]:
    """Return warnings for columns that were probably meant to be inputs.

    They are the columns whose name is almost that of an input with a default, or all of them if the formula depends on
    none.
    """
    known = {*inputs, *map(canonical, names)}  # with the columns of inputs that no output depends on
    taken = set(inputs.values())
    others = [name for name in names if name not in taken]
    similar = similar_columns(others)
    defaults = {
        name: similar.get(name.casefold()) for name in program.inputs if name not in known and name not in given
    }
    notices = [
        Notice(f"`{name}` has its default in all rows: the column is called `{column}`", "rename one of them")
        for name, column in defaults.items()
        if column is not None
    ]
    if inputs or notices:
        return notices
    hint = f"the columns are {quoted_names(names, MOST_LISTED)}" if names else ""
    return [Notice("the formula uses none of the columns: all rows have the same result", hint)]


def chosen_columns(names: Sequence[str], chosen: Sequence[str]) -> list[str]:
    """Return the chosen ones of these names, in their order; each text is a name or several with commas between.

    Raises AutodiffError for those that are none of them.
    """
    known = set(names)
    parts = [name for text in chosen for name in ([text] if text in known else map(str.strip, text.split(",")))]
    refuse_absent(parts, names)
    return list(dict.fromkeys(parts))


def refuse_renaming(renamed: Mapping[str, str], names: Sequence[str]) -> None:
    """Raise AutodiffError where none of the names has another one, and where two of them would be the same."""
    unknown = next((name for name in renamed if name not in names), None)
    if unknown is not None:
        hint = did_you_mean(unknown, names) or f"the columns are {quoted_names(names, MOST_LISTED)}"
        raise AutodiffError(f"there is no column `{unknown}` to rename", hint=hint)
    written = Counter(renamed.get(name, name) for name in names)
    twice = next((name for name in renamed.values() if written[name] > 1), None)
    if twice is not None:
        raise AutodiffError(f"two columns would have the name `{twice}`", hint="choose another name", code=USAGE)


def result_names(
    results: Sequence[str], kept: Sequence[str], prefix: str, renamed: Mapping[str, str] = {}
) -> list[str]:
    """Return the names of the columns of the results.

    Raises AutodiffError where a column of that name is written already, where two results would have one name, and for
    a name that is not Unicode.
    """
    names = [renamed.get(prefix + name, prefix + name) for name in results]
    for name in (*names, *renamed.values()):
        refuse_no_unicode(name)
    twice = [name for name, count in Counter(names).items() if count > 1]
    if twice:
        message = f"two results would have the name {quoted_names(twice[:1])}"
        raise AutodiffError(message, hint="rename an input or an output in the formula", code=USAGE)
    taken = set(kept)
    clash = [name for name in names if name in taken]
    if clash:
        message = f"columns of the data have the names of results: {quoted_names(clash, MOST_LISTED)}"
        remedy = Remedy("result names", (), "choose a prefix for the names of the results")
        raise AutodiffError(message, remedy=remedy, code=USAGE)
    return names


def refuse_no_unicode(name: str) -> None:
    """Raise AutodiffError for a name that has bytes which are no UTF-8: no format could hold it."""
    shown = name.encode(errors="backslashreplace").decode()
    if shown != name:
        message = f"`{shown}` is not Unicode, so it cannot name a column"
        raise AutodiffError(message, hint="choose another name", code=USAGE)


def require_same(expected: Sequence[str], names: Sequence[str], format_: str) -> None:
    """Raise AutodiffError for a file of some format whose columns are not the expected ones.

    Their order matters where rows are cells without names.
    """
    if list(expected) == list(names) or (format_ not in DELIMITED and Counter(expected) == Counter(names)):
        return
    what = "has its columns in another order"
    if absent := Counter(expected) - Counter(names):
        what = f"lacks {quoted_names(absent, MOST_LISTED)}"
    elif added := Counter(names) - Counter(expected):
        what = f"has {quoted_names(added, MOST_LISTED)} too"
    order = ", in its order" * (format_ in DELIMITED)
    raise AutodiffError(f"this {what}", hint=f"all files must have the columns of the first{order}")
