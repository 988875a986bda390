"""The arguments of the Python functions: the programs, numbers, names and data that they are taken for."""

from collections.abc import Iterable, Mapping
from math import inf
from typing import TYPE_CHECKING, Any, TypeGuard, get_args

from .errors import AutodiffError, one_line
from .language import as_program
from .notation import canonical
from .program import Program, as_double, by_canonical_name

if TYPE_CHECKING:
    from .arithmetic.arrays import Doubles

Limits = tuple[float | None, float | None]
"""a lower and an upper end; None where there is none"""


def placed(program: Program | str, point: Mapping[str, Any] | None) -> tuple[Program, dict[str, Any]]:
    """The program, and the point with a number for each entry where the program has a list."""
    given = by_canonical_name(point)
    if not (entries(given) or has_arrays(given)):
        parsed = as_program(program)
        parsed.warn_of_misspelt(given, stacklevel=3)
        return parsed, given
    from .data.columns import named_entries
    from .language import given_lists

    parsed = given_lists.with_lists(program, given, given=named_entries(given))
    numbers = given_lists.placed(parsed, given)
    if not isinstance(point, Mapping):  # of a data frame only the columns that are inputs count
        inputs = parsed.inputs | parsed.constants
        numbers = {name: number for name, number in numbers.items() if name in inputs}
    parsed.warn_of_misspelt(numbers, stacklevel=3)
    return parsed, numbers


def has_arrays(point: Mapping[str, Any] | None) -> TypeGuard[Mapping[str, Any]]:
    """Whether there are lists, arrays or columns among the numbers."""
    return any(hasattr(given, "__len__") and not isinstance(given, str) for given in (point or {}).values())


def with_data(
    program: Program | str, data: Mapping[str, Any] | None, point: Mapping[str, Any]
) -> tuple[Program, dict[str, Any]]:
    """The program, and columns by the names that it has for them: `x[1]` for the column `x1` where x is a list."""
    from .data.columns import called_by, list_entries, named_entries, refuse_repeated
    from .language.given_lists import with_lists

    given = by_canonical_name(data).items()
    columns = {name: column for own, value in given for name, column in _by_column(own, value).items()}
    names = list(columns)
    parsed = with_lists(program, point, list_entries(names), given=named_entries([*names, *point]))
    called = called_by(names, parsed.inputs)
    refuse_repeated(names, called, parsed.inputs)
    return parsed, dict(zip(called, columns.values(), strict=True))


def _by_column(name: str, value: Any) -> dict[str, Any]:
    """A column, or those of a matrix, which has a list in each of its rows."""
    columns = value.T if getattr(value, "ndim", 1) == 2 and value.size else [value]
    is_list = len(columns) > 1
    return {f"{name}[{place}]" if is_list else name: column for place, column in enumerate(columns, 1)}


def table(columns: Mapping[str, Any], data: Mapping[str, Any], *programs: Program) -> "dict[str, Doubles]":
    """The columns of data as arrays; of a data frame without those that are neither inputs nor numbers."""
    from .arithmetic.arrays import table_of

    if isinstance(data, Mapping):
        return table_of(columns)
    known, arrays = {name for program in programs for name in program.inputs | program.constants}, {}
    for name, column in columns.items():
        try:
            arrays |= table_of({name: column})
        except AutodiffError:
            if name in known:
                raise
    return arrays


def without_numbers(program: Program | str) -> Program:
    """The program, for which there is no point that could have the numbers of a list."""
    try:
        return as_program(program)
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "list input":
            error.remedy = None
        raise


def texts(given: str | Iterable[str]) -> list[str]:
    """One text, or several. Raises AutodiffError for what is none."""
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    for text in listed:
        if not isinstance(text, str):
            raise AutodiffError(f"a text is needed, not {one_line(repr(text))}", hint='give "x", or a list of such')
    return listed


def wrt_names(program: Program, wrt: str | Iterable[str] | None) -> list[str] | None:
    """The names that derivatives are with respect to, with those of its entries in place of that of a list."""
    return None if wrt is None else program.entries(map(canonical, texts(wrt)))


def numbers(given: Mapping[str, Any] | None, program: Program | None = None) -> dict[str, float]:
    """Numbers by name, with one for each entry of a list, or of what is one in the program."""
    from .language import given_lists

    named = by_canonical_name(given)
    by_entry = given_lists.by_entry(named) if program is None else given_lists.placed(program, named)
    return {name: as_double(name, value) for name, value in by_entry.items()}


def entries(*given: Mapping[str, float]) -> list[str]:
    """The names that are entries of lists, such as `x[1]`."""
    return [name for numbers in given for name in numbers if "[" in name]


def is_single(value: Any) -> bool:
    """Whether it is an array of one number."""
    return getattr(value, "size", 0) == 1


def singled(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The given numbers and lists, with an array of one number as that number."""
    return {name: value.item() if is_single(value) else value for name, value in by_canonical_name(given).items()}


def bounds(given: Mapping[str, Limits] | None) -> dict[str, tuple[float, float]]:
    """Lower and upper bounds by name, infinite where there is none."""
    return {name: interval(name, pair, (-inf, inf)) for name, pair in by_canonical_name(given).items()}


def ends(name: str, pair: Limits, absent: Limits = (None, None)) -> tuple[float, float]:
    """The two ends of an interval, with the `absent` ones for None. Raises AutodiffError for what is none."""
    try:
        given = [other if end is None else end for end, other in zip(pair, absent, strict=True)]
    except (TypeError, ValueError):
        message = f"`{name}` is {pair!r}, not two numbers"
        raise AutodiffError(message, hint="give a lower and an upper end, which may be infinite") from None
    low, high = (as_double(name, end, "an end of ") for end in given)
    return low, high


def interval(name: str, pair: Limits, absent: Limits = (None, None)) -> tuple[float, float]:
    """The ends of an interval, the smaller one first. Raises AutodiffError for one that is empty."""
    low, high = ends(name, pair, absent)
    if not low <= high:
        raise AutodiffError(f"`{name}` is empty: it goes from {low} to {high}", hint="give the smaller end first")
    return low, high


def require_whole(name: str, given: int, least: int) -> None:
    """Raise AutodiffError for what is not a whole number, or is less than the `least`."""
    if not (hasattr(given, "__index__") and given >= least):
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is a whole number, {least} or more")


def require_one_of(name: str, given: str, kinds: Any) -> None:
    """Raise AutodiffError for a text that the literal type `kinds` does not have."""
    if given not in get_args(kinds):
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is one of {', '.join(map(repr, get_args(kinds)))}")


def require_share(name: str, given: float) -> None:
    """Raise AutodiffError for what is not between 0 and 1."""
    if not 0 < as_double(name, given) < 1:
        raise AutodiffError(f"`{name}` is {given}", hint="it is between 0 and 1")
