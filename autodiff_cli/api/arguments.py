"""The arguments of the Python functions, made into programs, numbers, names and columns."""

from collections.abc import Collection, Iterable, Mapping
from contextlib import suppress
from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING, Any, TypeGuard

from ..errors import AutodiffError
from ..language import parse
from ..notation import canonical, listed
from ..program import DataFrame, Program, as_double, by_canonical_name
from ..terminal.printable_text import one_line

if TYPE_CHECKING:
    from ..arithmetic.arrays import Doubles

Limits = tuple[float | None, float | None]
"""a lower and an upper limit; None for no limit"""


def program_and_point(
    program: Program | str, point: Mapping[str, Any] | DataFrame | None
) -> tuple[Program, dict[str, Any]]:
    """The program, and the point, in which a list of the program is replaced by a number for each entry."""
    given = by_canonical_name(point)
    has_these_names = isinstance(program, Program) and given.keys() <= program.inputs.keys()
    if has_these_names or not (entries(given) or has_arrays(given)):
        parsed = parse(program)
        parsed.warn_of_misspelt(given, stacklevel=3)
        return parsed, given
    from ..data.columns import list_entries
    from ..language import given_lists

    is_frame = not isinstance(point, Mapping)
    if is_frame:
        if isinstance(program, Program):  # columns of lists take long, used or not
            known = {*program.inputs, *program.constants, *program.list_names}
            given = {name: given[name] for name in given if not known.isdisjoint([name, *list_entries([name])])}
        given = _columns(given)
    columns = {  # possible entries of lists, unless a mapping gives the list or the entry by its own name
        name: value
        for name, value in given.items()
        if is_frame or not any({entry, entry.partition("[")[0]} & given.keys() for entry in list_entries([name]))
    }
    # rows are points, whose columns are never lists of the formula, as other arrays may be
    parsed = _read(program, columns, {} if is_frame else given)
    others = {name: value for name, value in given.items() if name not in columns}
    numbers = given_lists.placed(parsed, others | _called(columns, parsed))
    inputs = parsed.inputs | parsed.constants
    if is_frame:  # only its columns that are inputs count
        numbers = {name: number for name, number in numbers.items() if name in inputs}
    else:  # the shapes of others do not count
        used = inputs | parsed.names
        numbers = {name: number if name in used or not _is_array(number) else 0.0 for name, number in numbers.items()}
    parsed.warn_of_misspelt(numbers, stacklevel=3)
    return parsed, numbers


def has_arrays(point: Mapping[str, Any] | None) -> TypeGuard[Mapping[str, Any]]:
    """Whether there are lists, arrays or columns among the numbers."""
    return any(map(_is_array, (point or {}).values()))


def _is_array(value: Any) -> bool:
    return hasattr(value, "__len__") and not isinstance(value, str)


def with_data(
    program: Program | str, data: Mapping[str, Any] | DataFrame | None, point: Mapping[str, Any]
) -> tuple[Program, dict[str, Any]]:
    """The program, and the columns by the names that it has for them: `x[1]` for the column `x1` where x is a list."""
    columns = _columns(by_canonical_name(data))
    parsed = _read(program, columns, point)
    return parsed, _called(columns, parsed)


def _read(program: Program | str, columns: Mapping[str, Any], point: Mapping[str, Any]) -> Program:
    """The program, of which columns may be the entries of lists, and lists of the point are lists.

    Raises AutodiffError for a list that is one column, unless that is in the point too.
    """
    from ..data.columns import advise_entries, list_entries, named_entries
    from ..language.given_lists import parse_with_lists

    names = list(columns)
    try:
        return parse_with_lists(program, point, list_entries(names), given=named_entries([*names, *point]))
    except AutodiffError as error:
        if column := advise_entries(error, columns.keys() - point.keys()):
            from ..many_points.array_conversion import doubles

            doubles(column, listed(columns[column]))  # raises for lists of different lengths
        raise


def _called(columns: Mapping[str, Any], program: Program) -> dict[str, Any]:
    """The columns by the names that the program has for them."""
    from ..data.columns import names_in_program, refuse_repeated

    names = [name for name in columns if not (name in program.list_names and f"{name}[1]" in columns)]
    called = names_in_program(names, program.inputs)
    refuse_repeated(names, called, program.inputs)
    return dict(zip(called, [columns[name] for name in names], strict=True))


def _columns(data: Mapping[str, Any]) -> dict[str, Any]:
    """The columns of data, with each matrix replaced by its columns."""
    return {name: column for own, value in data.items() for name, column in _by_column(own, value).items()}


def _by_column(name: str, value: Any) -> dict[str, Any]:
    """A column by its name, or the columns of a matrix by the names of entries: `x[1]`, `x[2]`."""
    if _is_array(value) and _is_array(next(iter(value), 0)):
        from ..many_points.array_conversion import doubles

        value = value.to_list() if hasattr(value, "to_list") else value
        with suppress(AutodiffError):  # in a data frame it may be a column that is not used
            value = doubles(name, value)
    if getattr(value, "ndim", 1) != 2 or not value.size or hasattr(value, "columns"):
        return {name: value}
    entries = {f"{name}[{place}]": column for place, column in enumerate(value.T, 1)}
    return entries if len(entries) > 1 else {name: value.T[0], **entries}  # a list of one entry, or a number


def table(columns: Mapping[str, Any], data: Mapping[str, Any] | DataFrame, *programs: Program) -> "dict[str, Doubles]":
    """The columns of data as arrays; those of a data frame that are neither inputs nor numbers are left out."""
    from ..many_points.array_conversion import table_of

    if isinstance(data, Mapping):
        return table_of(columns)
    known = {name for program in programs for name in program.inputs | program.constants}
    arrays: dict[str, Doubles] = {}
    for name, column in columns.items():
        try:
            arrays |= table_of({name: column})
        except AutodiffError:
            if name in known:
                raise
    return arrays


def weights(given: Any, columns: Mapping[str, Any]) -> tuple[Program | None, dict[str, Any]]:
    """The formula of the weights, if any, and the column that an array of weights becomes, by name."""
    if given is None:
        return None, {}
    if isinstance(given, str | Program):
        return parse(given, "<weights>", entries=entries(columns)), {}
    program = parse("weights")
    name = "weights="  # the argument, which is no name of any formula
    return replace(program, inputs={name: program.output}), {name: given}


def without_numbers(program: Program | str) -> Program:
    """The program, in a place that takes no point: the error for a list without numbers does not ask for them."""
    try:
        return parse(program)
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "list input":
            error.remedy = None
        raise


def texts(given: str | Iterable[str]) -> list[str]:
    """One text, or several. Raises AutodiffError for anything else."""
    listed = list(given) if isinstance(given, Iterable) and not isinstance(given, str) else [given]
    for text in listed:
        if not isinstance(text, str):
            raise AutodiffError(f"a text is needed, not {one_line(repr(text))}", hint='give "x", or a list of such')
    return listed


def wrt_names(program: Program, wrt: str | Iterable[str] | None) -> list[str] | None:
    """The names that derivatives are with respect to, with the name of a list replaced by those of its entries."""
    return None if wrt is None else program.entries(map(canonical, texts(wrt)))


def numbers(given: Mapping[str, Any] | None, program: Program | None = None) -> dict[str, float]:
    """Numbers by name, with one for each entry of a list, unless the program has a number of that name."""
    from ..language import given_lists

    def by_entry(name: str, value: Any) -> dict[str, Any]:
        if program is not None and (name in program.names or name in program.list_names):
            return given_lists.placed(program, {name: value})
        return given_lists.by_entry({name: value})

    values = given_lists.merged(by_entry(name, value) for name, value in by_canonical_name(given).items())
    return {name: as_double(name, value) for name, value in values.items()}


def entries(*given: Mapping[str, float]) -> list[str]:
    """The names that are entries of lists, such as `x[1]`."""
    return [name for numbers in given for name in numbers if "[" in name]


def is_single(value: Any) -> bool:
    """Whether it is an array of one number."""
    return getattr(value, "size", 0) == 1


def with_single_numbers(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The numbers and lists that are given, with each array of one number replaced by that number."""
    return {name: value.item() if is_single(value) else value for name, value in by_canonical_name(given).items()}


def bounds(given: Mapping[str, Limits] | None) -> dict[str, tuple[float, float]]:
    """Lower and upper bounds by name, infinite where there is none."""
    pairs = by_canonical_name(given, "bounds", '{"x": (0, 1)}')
    return {name: interval(name, pair, (-inf, inf)) for name, pair in pairs.items()}


def correlations(given: Mapping[tuple[str, str], float] | None) -> dict[Any, float]:
    """Correlation coefficients by pairs of names. Raises AutodiffError for anything but a mapping of pairs."""
    try:
        return {tuple(map(canonical, pair)): r for pair, r in ({} if given is None else given).items()}
    except (AttributeError, TypeError):
        hint = 'give a dictionary such as {("V", "I"): 0.5}'
        raise AutodiffError("correlations are given by pairs of names", hint=hint) from None


def ends(name: str, pair: Limits, absent: Limits = (None, None)) -> tuple[float, float]:
    """The two ends of an interval, with the `absent` ones in place of None. Raises AutodiffError for anything else."""
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
        message = f"the interval for `{name}` is empty: it goes from {low} to {high}"
        raise AutodiffError(message, hint="give the smaller end first")
    return low, high


def require_whole(name: str, given: int, least: float = -inf, most: float = inf) -> None:
    """Raise AutodiffError for what is not a whole number, or is less than the `least`, or more than the `most`."""
    if isinstance(given, bool) or not (hasattr(given, "__index__") and least <= given <= most):
        bound = f" from {least:,} to {most:,}" if most < inf else f", {least} or more" if least > -inf else ""
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is a whole number{bound}")


def require_one_of(name: str, given: str, kinds: Collection[str]) -> None:
    """Raise AutodiffError for a text that is not one of the `kinds`."""
    if given not in [*kinds]:
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is one of {', '.join(map(repr, kinds))}")


def probability(name: str, given: Any) -> float:
    """The probability that is given. Raises AutodiffError for a number that is not between 0 and 1."""
    number = as_double(name, given)
    if not 0 < number < 1:
        raise AutodiffError(f"`{name}` is {given}", hint="it is between 0 and 1")
    return number


def positive(name: str, given: Any) -> float:
    """The number that is given. Raises AutodiffError for one that is not above 0, or is infinite."""
    number = as_double(name, given)
    if not 0 < number < inf:
        raise AutodiffError(f"`{name}` is {given}", hint="it is a number above 0")
    return number
