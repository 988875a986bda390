"""The columns that a table lacks: the errors, with the columns that were probably meant and how to read them."""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import chain

from ..errors import AutodiffError, Remedy, did_you_mean, quoted_names
from ..notation import canonical
from .formats.registry import HEADED

MOST_LISTED = 12
"""columns that a message lists"""
_NUMBER = re.compile(r"[-+]?(\d+\.?|\d*\.\d+)([eE][-+]?\d+)?")


def refuse_absent(columns: Iterable[str], names: Collection[str]) -> None:
    """Raise AutodiffError for those of some columns that are not among the names of all."""
    known = set(names)
    if absent := [name for name in columns if name not in known]:
        if remedy := _remedy_of_header([*names], absent, may_be_row=False):
            raise AutodiffError(_has_no(absent), remedy=remedy)
        hint = did_you_mean(absent[0], names) if len(absent) == 1 else ""
        raise AutodiffError(_has_no(absent), hint=hint or columns_hint(names))


def columns_hint(names: Collection[str]) -> str:
    """The words of a hint that say which columns the data has."""
    return f"its columns are {quoted_names(names, MOST_LISTED)}" if names else "it has no columns"


def _has_no(names: Sequence[str]) -> str:
    return f"the data has no column{'s' * (len(names) > 1)} {quoted_names(names, MOST_LISTED)}"


def refuse_forgotten(missing: Sequence[str], names: Sequence[str], mapping: Mapping[str, str], format_: str) -> None:
    """Raise AutodiffError where inputs that are not columns may be unknowns, but look as if columns were meant."""
    error = missing_columns_error(missing, names, mapping, format_) if missing else None
    if error is not None and error.remedy is not None and error.remedy.kind != "same number":
        raise error


def missing_columns_error(
    missing: Sequence[str], names: Sequence[str], mapping: Mapping[str, str], format_: str
) -> AutodiffError:
    """The error for inputs that are not columns: the table may have them under other names, or is read wrongly."""
    for name, mapped in mapping.items():
        if mapped in missing:
            message = f"the column `{mapped}` is mapped to `{name}`, so the input `{mapped}` has no column"
            return AutodiffError(message, hint="map another column to it, or give it a number")
    if remedy := _remedy_of_header(names, missing, may_be_row=format_ in HEADED and not mapping):
        return AutodiffError(_has_no(missing), remedy=remedy)
    similar = similar_columns(names)
    others = {
        name: column
        for name in missing
        if (column := similar.get(name.casefold())) and column.isprintable() and not is_name(column)
    }
    if others and len(others) == len(missing):
        pairs = tuple(f"{name}={column}" for name, column in others.items())
        words = ", ".join(f"rename `{column}` to `{name}`" for name, column in others.items())
        return AutodiffError(_has_no(missing), remedy=Remedy("map columns", pairs, words))
    usable = [column for column in names if is_name(column)]
    hints = []
    for name in missing[:MOST_LISTED]:
        hint, column = did_you_mean(name, usable), similar.get(name.casefold())
        if not hint and column is not None:
            hint = f"`{column}` is not a name that a formula can use: rename the column to `{name}`"
        if hint:
            hints.append(f"`{name}`: {hint}" if len(missing) > 1 else hint)
    lead = "; ".join([*(hints or [columns_hint(names)]), ""]).replace("?;", "?")
    return AutodiffError(
        _has_no(missing), remedy=Remedy("same number", tuple(missing), "a number in the point holds for all rows", lead)
    )


def _remedy_of_header(names: Sequence[str], missing: Sequence[str], *, may_be_row: bool) -> Remedy | None:
    """The remedy where the first line was probably read in another format than its own, or is not a header."""
    first = names[0] if names else ""
    if first.startswith("{"):
        return _format_remedy("its lines are JSON objects", "jsonl")
    if re.match(r"\[\s*(\{|$)", ",".join(names)):
        return _format_remedy("its rows are the objects of a JSON array", "json")
    if first.startswith("sep="):
        words, lead = "leave the first line out", "its first line names the delimiter: "
        return Remedy("skip first line", tuple(first[4:5]), words, lead)
    if len(names) == 1 and first.startswith("#") and not {*missing} & {*re.split(r"\W+", first)}:
        return Remedy("comment", ("#",), "say that these are comments", "its first line looks like a comment: ")
    if may_be_row and len(missing) <= len(names) and all(map(_NUMBER.fullmatch, names)):
        numbered = [f"c{number}" for number in range(1, len(names) + 1)]
        inputs = [name for name in missing if name not in numbered]
        free = [column for column in numbered if column not in missing]
        pairs = tuple(map("=".join, zip(inputs, free, strict=False)))
        return Remedy("no header", pairs, "rename them", f"its columns are {quoted_names(names, MOST_LISTED)}; ")
    match _delimiter(names, missing, may_be_several=may_be_row):
        case "":
            return None
        case "\t":
            return _format_remedy("its columns are separated by tabs", "tsv")
        case delimiter:
            shown = "blanks" if delimiter == "whitespace" else f"`{delimiter}`"
            words = f"split or rename its column `{first}`"
            return Remedy("delimiter", (delimiter,), words, f"its columns look separated by {shown}: ")


def _delimiter(names: Sequence[str], missing: Sequence[str], *, may_be_several: bool) -> str:
    """The probable delimiter of a header that was read with another one; "" if there is no sign of one.

    A name with a comma, such as `p [bar, abs]`, makes several columns of such a header.
    """
    header = ",".join(names)
    signs = [sign for sign in "\t;|:" if sign in header]
    if ":" in signs and (len(names) > 1 or re.search(r":\s", header)):
        signs.remove(":")  # which also stands before units
    if len(names) > 1:
        signs = signs if may_be_several else []
        if any(name.isidentifier() for name in names):  # some columns are names of their own
            return ""
        cells = {sign: [cell.strip(' "') for cell in header.split(sign)] for sign in signs}
        wanted = {name.casefold() for name in missing}
        return next((sign for sign, columns in cells.items() if wanted <= similar_columns(columns).keys()), "")
    cells = {",": [cell.strip() for cell in header.split(",")], "whitespace": header.split()}
    return next(chain(signs, (name for name, columns in cells.items() if {*missing} & {*columns})), "")


def _format_remedy(reason: str, format_: str) -> Remedy:
    return Remedy("data format", (format_, "them"), f"the format {format_} reads them", f"{reason}: ")


def is_name(column: str) -> bool:
    """Whether a column can have its own name in a formula."""
    return canonical(column).isidentifier()


def similar_columns(columns: Iterable[str]) -> dict[str, str]:
    """The first column for each name, casefolded, that differs by capitals, a unit, or characters between words."""
    similar: dict[str, str] = {}
    for column in columns:
        words = re.split(r"\W+", column.strip())
        for name in (words[0], "_".join(words).strip("_")):
            similar.setdefault(name.casefold(), column)
    return similar
