"""Derivatives of expressions: every node's value and gradient, exact to double precision.

>>> from autodiff_cli import Value, evaluate, gradient
>>> gradient("a*b + c", {"a": 2, "b": -3, "c": 10})
{'a': -3.0, 'b': 2.0, 'c': 1.0}
>>> a = Value(3.0)
>>> (a + a).backward()
>>> a.grad
2.0
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from math import inf
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar, get_args, overload

from .errors import AutodiffError, needing_arrays, one_line
from .evaluation import evaluate as _evaluate
from .language import as_program, parse
from .notation import canonical
from .program import Program, as_double, by_canonical_name
from .value import Value
from .version import __version__

if TYPE_CHECKING:
    from .arithmetic.arrays import Doubles
    from .curve_fitting.fit import Fit
    from .gradient_check.checker import Verdict
    from .graph_drawing.notebook import Drawing
    from .graph_drawing.picture import Colours, Direction, DrawnNodes
    from .minimization.minimize import Minimum
    from .notebook.magics import Shell
    from .root_finding.solve import Solution
    from .uncertainty_propagation.uncertainty import Uncertainty
    from .vectorized.points import ArrayFunction, PointResults

__all__ = [
    "AutodiffError",
    "Program",
    "Value",
    "__version__",
    "check",
    "compile",
    "diff",
    "draw",
    "evaluate",
    "fit",
    "gradient",
    "hessian",
    "minimize",
    "parse",
    "solve",
    "taylor",
    "uncertainty",
    "with_results",
]

Frame = TypeVar("Frame")
"""a data frame of pandas or polars"""
Limits = tuple[float | None, float | None]
"""a lower and an upper end; None where there is none"""


def _placed(program: Program | str, point: Mapping[str, Any] | None) -> tuple[Program, dict[str, Any]]:
    """The program, and the point with a number for each entry where the program has a list."""
    given = by_canonical_name(point)
    if not (_entries(given) or _has_arrays(given)):
        parsed = as_program(program)
        parsed.warn_of_misspelt(given, stacklevel=3)
        return parsed, given
    from .data.columns import named_entries
    from .language import given_lists

    parsed = given_lists.with_lists(program, given, given=named_entries(given))
    placed = given_lists.placed(parsed, given)
    if not isinstance(point, Mapping):  # of a data frame only the columns that are inputs count
        inputs = parsed.inputs | parsed.constants
        placed = {name: number for name, number in placed.items() if name in inputs}
    parsed.warn_of_misspelt(placed, stacklevel=3)
    return parsed, placed


def _with_data(
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


def _table(columns: Mapping[str, Any], data: Mapping[str, Any], *programs: Program) -> "dict[str, Doubles]":
    """The columns of data as arrays; of a data frame without those that are neither inputs nor numbers."""
    from .arithmetic.arrays import table_of

    if isinstance(data, Mapping):
        return table_of(columns)
    known, table = {name for program in programs for name in program.inputs | program.constants}, {}
    for name, column in columns.items():
        try:
            table |= table_of({name: column})
        except AutodiffError:
            if name in known:
                raise
    return table


def _without_numbers(program: Program | str) -> Program:
    """The program, for which there is no point that could have the numbers of a list."""
    try:
        return as_program(program)
    except AutodiffError as error:
        if error.remedy is not None and error.remedy.kind == "list input":
            error.remedy = None
        raise


def _listed(texts: str | Iterable[str]) -> list[str]:
    """One text, or several. Raises AutodiffError for what is none."""
    listed = list(texts) if isinstance(texts, Iterable) and not isinstance(texts, str) else [texts]
    for text in listed:
        if not isinstance(text, str):
            raise AutodiffError(f"a text is needed, not {one_line(repr(text))}", hint='give "x", or a list of such')
    return listed


def _names(program: Program, wrt: str | Iterable[str] | None) -> list[str] | None:
    """The names that derivatives are with respect to, with those of its entries in place of that of a list."""
    return None if wrt is None else program.entries(map(canonical, _listed(wrt)))


@overload
def evaluate(program: Program | str, point: Mapping[str, float] | None = None) -> float: ...
@overload
def evaluate(program: Program | str, point: Mapping[str, Any]) -> Any: ...
def evaluate(program: Program | str, point: Mapping[str, Any] | None = None) -> Any:
    """The value of a program, or of a text in the language, at a point: input → number.

    Numbers may be NumPy arrays, which are broadcast against each other, or the columns of a data frame: the value is
    then an array too. What the program uses as a list is given as a list.
    """
    parsed, placed = _placed(program, point)
    return (_at_points(parsed, placed, ()) if _has_arrays(placed) else _evaluate(parsed, placed, ())).value


@overload
def gradient(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, float]: ...
@overload
def gradient(
    program: Program | str, point: Mapping[str, Any], wrt: Sequence[str] | str | None = None
) -> dict[str, Any]: ...
def gradient(
    program: Program | str, point: Mapping[str, Any] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, Any]:
    """The partial derivatives of a program, or of a text in the language, at a point: input → number.

    `wrt` limits them to some inputs or named values. Numbers may be NumPy arrays, which are broadcast against each
    other: the partial derivatives are then arrays too. With respect to a list they are a list; of a list that is only
    used by its entries, such as `x[2]`, each that is used has its own.
    """
    parsed, placed = _placed(program, point)
    names = _names(parsed, wrt)
    partials = (_at_points(parsed, placed, names) if _has_arrays(placed) else _evaluate(parsed, placed, names)).gradient
    return parsed.with_lists(partials)


def _has_arrays(point: Mapping[str, Any] | None) -> TypeGuard[Mapping[str, Any]]:
    return any(hasattr(given, "__len__") and not isinstance(given, str) for given in (point or {}).values())


def _numbers(given: Mapping[str, Any] | None, program: Program | None = None) -> dict[str, float]:
    """Numbers by name, with one for each entry of a list, or of what is one in the program."""
    from .language import given_lists

    named = by_canonical_name(given)
    placed = given_lists.by_entry(named) if program is None else given_lists.placed(program, named)
    return {name: as_double(name, value) for name, value in placed.items()}


def _entries(*given: Mapping[str, float]) -> list[str]:
    return [name for numbers in given for name in numbers if "[" in name]


def _is_single(value: Any) -> bool:
    """Whether it is an array of one number."""
    return getattr(value, "size", 0) == 1


def _singled(given: Mapping[str, Any] | None) -> dict[str, Any]:
    """The given numbers and lists, with an array of one number as that number."""
    return {name: value.item() if _is_single(value) else value for name, value in by_canonical_name(given).items()}


def _bounds(given: Mapping[str, Limits] | None) -> dict[str, tuple[float, float]]:
    return {name: _interval(name, pair, (-inf, inf)) for name, pair in by_canonical_name(given).items()}


def _ends(name: str, pair: Limits, absent: Limits = (None, None)) -> tuple[float, float]:
    """The two ends of an interval, with the `absent` ones for None. Raises AutodiffError for what is none."""
    try:
        ends = [other if end is None else end for end, other in zip(pair, absent, strict=True)]
    except (TypeError, ValueError):
        message = f"`{name}` is {pair!r}, not two numbers"
        raise AutodiffError(message, hint="give a lower and an upper end, which may be infinite") from None
    low, high = (as_double(name, end, "an end of ") for end in ends)
    return low, high


def _interval(name: str, pair: Limits, absent: Limits = (None, None)) -> tuple[float, float]:
    """The ends of an interval, the smaller one first. Raises AutodiffError for one that is empty."""
    low, high = _ends(name, pair, absent)
    if not low <= high:
        raise AutodiffError(f"`{name}` is empty: it goes from {low} to {high}", hint="give the smaller end first")
    return low, high


def _require_whole(name: str, given: int, least: int) -> None:
    if not (hasattr(given, "__index__") and given >= least):
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is a whole number, {least} or more")


def _require_one_of(name: str, given: str, kinds: Any) -> None:
    if given not in get_args(kinds):
        raise AutodiffError(f"`{name}` is {given!r}", hint=f"it is one of {', '.join(map(repr, get_args(kinds)))}")


def _require_share(name: str, given: float) -> None:
    if not 0 < as_double(name, given) < 1:
        raise AutodiffError(f"`{name}` is {given}", hint="it is between 0 and 1")


def _at_points(program: Program, points: Mapping[str, Any], wrt: Sequence[str] | None) -> "PointResults":
    with needing_arrays("arrays"):
        from .vectorized.points import at_points
    return at_points(program, points, wrt)


def compile(program: Program | str, wrt: Sequence[str] | str | None = None) -> "ArrayFunction":  # noqa: A001  # as `re.compile`
    """A program, or a text in the language, as a function of arrays: input → array, for many calls.

    The function returns the value and the gradient, which is with respect to every input or to the names of `wrt`. It
    is compiled for the processor where that is possible.

    >>> f = compile("a*b + c", wrt=["a", "b"])
    >>> f({"a": [2.0, 3.0], "b": -3.0, "c": 10.0}).gradient["b"].tolist()
    [2.0, 3.0]
    """
    with needing_arrays("arrays"):
        from .vectorized.points import ArrayFunction
    parsed = _without_numbers(program)
    return ArrayFunction(parsed, _names(parsed, wrt))


def check(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | str | None = None
) -> list["Verdict"]:
    """The verdict on each partial derivative of a program, or of a text in the language, at a point.

    The gradient is compared with finite differences of the value, computed with as many digits as needed.
    """
    from .gradient_check.checker import check as verdicts

    parsed, placed = _placed(program, point)
    return verdicts(parsed, placed, _names(parsed, wrt))


def diff(program: Program | str, wrt: Sequence[str] | str | None = None, order: int = 1) -> Program:
    """The derivative of a program, or of a text in the language, as a program, simplified; `str` gives its text.

    `wrt` is one or several inputs or named values; without it, every input. Each has a statement of its own. An `order`
    above 1 differentiates repeatedly with respect to the same name.

    >>> print(diff("x^3*y", "x"))
    3*x^2*y
    """
    from .derivatives.differentiate import differentiate

    _require_whole("order", order, 1)
    parsed = _without_numbers(program)
    text = differentiate(parsed, _names(parsed, wrt), order=order).text
    return parse(text.rstrip("\n"), "<derivative>")


@overload
def hessian(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, float]]: ...
@overload
def hessian(
    program: Program | str, point: Mapping[str, Any], wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, Any]]: ...
def hessian(
    program: Program | str, point: Mapping[str, Any] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, Any]]:
    """The second partial derivatives of a program, or of a text in the language, at a point: name → name → number.

    `wrt` limits them to some inputs or named values. Numbers may be NumPy arrays, as for `gradient`. For very many
    inputs use `autodiff_cli.derivatives.hessian`, whose result leaves out what is zero.
    """
    from .derivatives.hessian import hessian as computed

    parsed, placed = _placed(program, point)
    names = _names(parsed, wrt)
    if _has_arrays(placed):
        with needing_arrays("arrays"):
            from .vectorized.points import hessian_at_points
        return hessian_at_points(parsed, placed, names)
    result = computed(_evaluate(parsed, placed, names))
    rows = zip(result.names, result.matrix, strict=True)
    return {name: dict(zip(result.names, row, strict=True)) for name, row in rows}


def taylor(
    program: Program | str, point: Mapping[str, float] | None = None, order: int = 6, wrt: str | None = None
) -> list[float]:
    """The Taylor coefficients of a program, or of a text in the language, around a point, from order 0 on.

    `wrt` is the variable, needed if the program has more than one input.
    """
    from .derivatives.taylor import taylor as computed

    _require_whole("order", order, 0)
    parsed, placed = _placed(program, point)
    return computed(_evaluate(parsed, placed, _names(parsed, wrt)), order).coefficients


def fit(
    program: Program | str,
    data: Mapping[str, Any],
    response: str,
    start: Mapping[str, Any] | None = None,
    *,
    fixed: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Limits] | None = None,
    weights: Any = None,
    absolute: bool = False,
    loss: str = "linear",
    starts: int = 1,
    seed: int = 0,
    level: float = 0.95,
) -> "Fit":
    """The parameters with which a program, or a text in the language, describes a response best, by least squares.

    `data` has arrays of equal length by name, or is a data frame; the columns of a matrix are the entries of a list.
    The `response` is a column, or a formula in columns. Inputs that are neither data nor `fixed` are parameters, and
    begin at their `start` or default; `bounds` are as those of `minimize`. Standard errors are scaled by the residuals
    unless the `weights`, inverse variances, are `absolute`. The `loss` is "linear", "soft_l1", "huber" or "cauchy".
    Raises AutodiffError for data that do not fit the formula; a search that fails says so in the result.

    >>> line = fit("a + b*x", {"x": [0, 1, 2], "y": [1, 3, 5]}, "y", {"a": 0, "b": 0})
    >>> {name: round(number, 9) for name, number in line.point.items()}
    {'a': 1.0, 'b': 2.0}
    """
    with needing_arrays("fits"):
        from .arithmetic.arrays import table_of
        from .curve_fitting.data import Data
        from .curve_fitting.fit import fit as fitted
        from .curve_fitting.model import Model
        from .data.column_blocks import ArrayColumns
    _require_whole("starts", starts, 1)
    _require_share("level", level)
    parsed, columns = _with_data(program, data, by_canonical_name(fixed) | by_canonical_name(start))
    known, target = _numbers(fixed, parsed), parse(response, "<response>", entries=_entries(columns))
    column = None if weights is None else "weights="  # no name that a formula could use
    table = _table(columns, data, parsed, target) | ({} if column is None else table_of({column: weights}))
    model = Model(parsed, Data(ArrayColumns(table), parsed, target, known, weights=column), known)
    begun, limits = _numbers(start, parsed), _bounds(bounds)
    first = model.start(begun)
    parsed.warn_of_misspelt(known, {*columns, *begun}, stacklevel=2)
    return fitted(model, first, limits, loss=loss, absolute=absolute, starts=starts, seed=seed, level=level)


def minimize(
    program: Program | str,
    start: Mapping[str, Any] | None = None,
    *,
    fixed: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Limits] | None = None,
    subject_to: Sequence[str] | str = (),
    maximize: bool = False,
    method: str | None = None,
    starts: int = 1,
    seed: int = 0,
    data: Mapping[str, Any] | None = None,
    mean: bool = False,
) -> "Minimum":
    """The minimum of a program, or of a text in the language, in all inputs that have no `fixed` number.

    Inputs without a `start` begin at their default. `bounds` gives a lower and an upper bound by name, None for one
    that there is not; `subject_to` has constraints in the language, such as "x + y <= 3". Of several `starts` the
    lowest minimum is returned. With `data`, arrays by name or a data frame, the sum of the program over the rows is
    minimized, or the `mean`. The `method` is "bfgs", "l-bfgs-b", "slsqp" or "newton". Raises AutodiffError for an input
    without a start, and where the value is not finite there; a search that fails says so in the result.

    >>> minimize("(x - 1)^2 + y^2", {"x": 3, "y": 1}).point
    {'x': 1.0, 'y': 0.0}
    """
    with needing_arrays("minima"):
        from .data.column_blocks import ArrayColumns
        from .minimization import formulation
        from .minimization.minimize import minimize as minimized
        from .search.starts_and_bounds import starting_point
    _require_whole("starts", starts, 1)
    parsed, columns = _with_data(program, data, by_canonical_name(fixed) | by_canonical_name(start))
    known, begun, limits = _numbers(fixed, parsed), _numbers(start, parsed), _bounds(bounds)
    table, texts = None if data is None else ArrayColumns(_table(columns, data, parsed)), _listed(subject_to)
    problem = formulation.formulated(parsed, known, limits, texts, maximize, table, is_mean=mean, entries=begun)
    first = starting_point(problem.names, [parsed], begun, "variable")
    parsed.warn_of_misspelt(known, {*columns, *begun}, stacklevel=2)
    return minimized(problem, first, method, starts, seed)


def solve(
    equations: str | Sequence[str],
    unknowns: str | Sequence[str] = (),
    *,
    start: Mapping[str, Any] | None = None,
    between: tuple[float, float] | None = None,
    all_between: tuple[float, float] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> "Solution":
    """Solve equations such as "x^2 + y^2 = 4"; a text without two sides is to be zero.

    The unknowns are all inputs without a `fixed` number, unless they are named. The search begins at a `start`; one
    equation may also be solved `between` two points at which it has different signs, or have all its roots between two
    points found. Raises AutodiffError where there are not as many equations as unknowns; a search that fails says so in
    the result.

    >>> solve("x^3 = 2*x + 5", between=(2, 3)).roots[0].point
    {'x': 2.0945514815423265}
    """
    with needing_arrays("roots"):
        from .root_finding import solve as solving
        from .root_finding.equations import equations as stated
    if isinstance(unknowns, Mapping):
        raise AutodiffError("`unknowns` are names, without numbers", hint="pass the numbers as `start`")
    if len([place for place in (by_canonical_name(start) or None, between, all_between) if place is not None]) > 1:
        hint = "pass one of `start`, `between` and `all_between`"
        raise AutodiffError("two places to search are given", hint=hint)
    texts, names = _listed(equations), [*map(canonical, _listed(unknowns))]
    known, begun = _numbers(fixed), _numbers(start)
    try:
        system = stated(texts, names, known, entries=_entries(known, begun))
    except AutodiffError as error:  # perhaps about an array of one number that is not a list in the equations
        given = by_canonical_name(fixed) | by_canonical_name(start)
        if error.source is None or not any(map(_is_single, given.values())):
            raise
        known, begun = _numbers(_singled(fixed)), _numbers(_singled(start))
        system = stated(texts, names, known, entries=_entries(known, begun))
    for function in system.functions:
        function.program.warn_of_misspelt(known, begun, stacklevel=2)
    if between is not None:
        return solving.between(system, *_ends("between", between))
    if all_between is not None:
        return solving.everywhere(system, *_interval("all_between", all_between))
    return solving.from_start(system, system.start(begun))


def uncertainty(
    program: Program | str,
    inputs: Mapping[str, Any],
    correlations: Mapping[tuple[str, str], float] | None = None,
    *,
    outputs: Sequence[str] | str = (),
    level: float = 0.95,
    draws: int = 0,
    seed: int = 0,
) -> "Uncertainty":
    """The uncertainty of a program, or of a text in the language, for inputs that were measured.

    An input is a number, a text such as "4.999±0.0032" or "1.23(4)", a `MeasuredValue`, or a list of these.
    `correlations` has the coefficients of pairs of inputs. With `draws` the inputs are also drawn so often. Raises
    AutodiffError for values and correlations that are none.

    >>> round(uncertainty("V/I", {"V": "5.00±0.01", "I": "2.0±0.1"}).single.u, 4)
    0.1251
    """
    with needing_arrays("uncertainties"):
        from .uncertainty_propagation.measured_values import MeasuredValue, measured
        from .uncertainty_propagation.uncertainty import uncertainty as computed

    def known(name: str, given: MeasuredValue | str | float) -> MeasuredValue:
        if isinstance(given, str):
            return measured(name, given, partial(as_double, name))
        return given if isinstance(given, MeasuredValue) else MeasuredValue(as_double(name, given))

    _require_whole("draws", draws, 0)
    _require_share("level", level)
    parsed, placed = _placed(program, inputs)
    quantities = {name: known(name, given) for name, given in placed.items()}
    coefficients: dict[Any, float] = {tuple(map(canonical, pair)): r for pair, r in (correlations or {}).items()}
    names = [*map(canonical, _listed(outputs))]
    return computed(parsed, quantities, coefficients, outputs=names, level=level, draws=draws, seed=seed)


def with_results(
    frame: Frame, program: Program | str, point: Mapping[str, Any] | None = None, *, prefix: str = ""
) -> Frame:
    """A data frame of pandas or polars with the value and the gradient of a program as further columns.

    Columns are inputs, by their names, or the entries of lists; other inputs have a number, or a list, in `point` or a
    default. `prefix` stands before the names of the results. Raises AutodiffError for inputs without a number, for
    columns that hold anything else than numbers, and for results whose names are taken.
    """
    with needing_arrays("data frames"):
        from .data.frames import with_results
    return with_results(frame, program, by_canonical_name(point), prefix)


def draw(
    source: Value | Program | str,
    point: Mapping[str, Any] | None = None,
    *,
    nodes: "DrawnNodes" = "all",
    depth: int | None = None,
    max_nodes: int = 500,
    precision: int = 4,
    stacked: bool | None = None,
    direction: "Direction" = "LR",
    colours: "Colours" = "kind",
    dark: bool = False,
    partials: bool = False,
) -> "Drawing":
    """A picture of the graph of a Value, a program, or a text in the language, at a point: input → number.

    Without a point, the structure alone is drawn if an input has no default. A notebook shows the picture;
    `save("graph.svg")` writes it to a file. `nodes="named"` draws only values that have a name, `depth` only nodes that
    are at most that many operations away from the output. `stacked` makes the boxes narrower, as in pictures that would
    be wide otherwise; `direction="TB"` draws from top to bottom, `colours="gradient"` shows the gradients as colours,
    `partials` writes the derivative of each operation on its lines, `dark` is for dark paper. Raises AutodiffError if
    more than `max_nodes` nodes would be drawn.
    """
    from .graph_drawing.annotated_graph import evaluate_if_given
    from .graph_drawing.notebook import Drawing
    from .graph_drawing.picture import Colours, Direction, DrawnNodes, Look, Picture

    if depth is not None:
        _require_whole("depth", depth, 0)
    _require_whole("precision", precision, 0)
    _require_one_of("nodes", nodes, DrawnNodes)
    _require_one_of("direction", direction, Direction)
    _require_one_of("colours", colours, Colours)
    drawn = source._evaluation() if isinstance(source, Value) else evaluate_if_given(*_placed(source, point))
    look = Look(
        precision=precision, stacked=stacked, direction=direction, colours=colours, dark=dark, partials=partials
    )
    return Drawing(Picture.of(drawn, nodes=nodes, depth=depth, most=max_nodes, **look))


def load_ipython_extension(shell: "Shell") -> None:
    """Add `%autodiff` and `%%autodiff` to a notebook; `%load_ext autodiff_cli` calls it."""
    from .notebook.magics import register

    register(shell)
