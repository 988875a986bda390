"""The functions for Python, which the package has as its own."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, get_args, overload

from ..errors import AutodiffError, needing_arrays
from ..evaluation import evaluate as _evaluate
from ..language import parse
from ..notation import canonical
from ..program import DataFrame, Program, as_double, by_canonical_name
from ..value import Value
from ..work_budget import FEWEST_DRAWS, MOST_COEFFICIENTS, MOST_DRAWS, MOST_FORMULA_ORDERS, MOST_STARTS
from . import arguments
from .arguments import Limits

if TYPE_CHECKING:
    from ..curve_fitting.fit import Fit
    from ..evaluation import Evaluation
    from ..gradient_check.checker import Verdict
    from ..graph_drawing.notebook import Drawing
    from ..graph_drawing.picture import ColoredBy, Direction, DrawnNodes
    from ..many_points.python_arrays import ArrayFunction, PointResults
    from ..minimization.minimize import Minimum
    from ..root_finding.solve import Solution
    from ..uncertainty_propagation.uncertainty import Uncertainty

Frame = TypeVar("Frame")
"""a pandas or polars data frame"""


@overload
def evaluate(program: Program | str, point: Mapping[str, float] | None = None) -> float: ...
@overload
def evaluate(program: Program | str, point: Mapping[str, Any] | DataFrame) -> Any: ...
def evaluate(program: Program | str, point: Mapping[str, Any] | DataFrame | None = None) -> Any:
    """The value of a program, or of a text in the language, at a point: input → number.

    Numbers may be NumPy arrays, which are broadcast against each other, or the columns of a data frame: the value is
    then an array too. Inputs that the program uses as lists are given as lists.
    """
    parsed, numbers = arguments.program_and_point(program, point)
    return _evaluated(parsed, numbers, ()).value


@overload
def gradient(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, float]: ...
@overload
def gradient(
    program: Program | str, point: Mapping[str, Any] | DataFrame, wrt: Sequence[str] | str | None = None
) -> dict[str, Any]: ...
def gradient(
    program: Program | str, point: Mapping[str, Any] | DataFrame | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, Any]:
    """The partial derivatives of a program, or of a text in the language, at a point: input → number.

    `wrt` limits them to some inputs or named values. Numbers may be NumPy arrays, which are broadcast against each
    other: the partial derivatives are then arrays too. With respect to a list they are a list; if only entries
    of it are used, such as `x[2]`, each of these has its own.
    """
    parsed, numbers = arguments.program_and_point(program, point)
    names = arguments.wrt_names(parsed, wrt)
    return parsed.by_list(_evaluated(parsed, numbers, names).gradient)


def _evaluated(program: Program, numbers: Mapping[str, Any], wrt: Sequence[str] | None) -> "Evaluation | PointResults":
    """The value and the gradient at a point, or at many points where some of the numbers are arrays."""
    if not arguments.has_arrays(numbers):
        return _evaluate(program, numbers, wrt)
    with needing_arrays("arrays"):
        from ..many_points.python_arrays import at_points
    return at_points(program, numbers, wrt)


def compile(program: Program | str, wrt: Sequence[str] | str | None = None) -> "ArrayFunction":  # noqa: A001  # as `re.compile`
    """A program, or a text in the language, as a function of arrays: input → array, for many calls.

    The function returns the value and the gradient, which is with respect to every input or to the names of `wrt`. It
    is compiled for the processor where that is possible.

    >>> f = compile("a*b + c", wrt=["a", "b"])
    >>> f({"a": [2.0, 3.0], "b": -3.0, "c": 10.0}).gradient["b"].tolist()
    [2.0, 3.0]
    """
    with needing_arrays("arrays"):
        from ..many_points.python_arrays import ArrayFunction
    parsed = arguments.without_numbers(program)
    return ArrayFunction(parsed, arguments.wrt_names(parsed, wrt), arguments.program_and_point)


def check(
    program: Program | str, point: Mapping[str, Any] | None = None, wrt: Sequence[str] | str | None = None
) -> list["Verdict"]:
    """The verdict on each partial derivative of a program, or of a text in the language, at a point.

    `wrt` limits them to some inputs or named values. The gradient is compared with finite differences of the value,
    computed with as many digits as needed.
    """
    from ..gradient_check.checker import check as verdicts

    parsed, numbers = arguments.program_and_point(program, point)
    return verdicts(parsed, numbers, arguments.wrt_names(parsed, wrt))


def convert(text: str, notation: str) -> str:
    """A formula of another notation as a text in the language, which every function takes.

    The `notation` is "python", "sympy", "latex", "excel" or "c". The text is read, and never run. Raises AutodiffError
    for what it cannot be sure of.

    >>> convert("np.exp(-x**2/2) if x > 0 else 0", "python")
    'where(x > 0, exp(-x^2/2), 0)'
    """
    from ..conversion import NOTATIONS
    from ..conversion import convert as converted

    arguments.require_one_of("notation", notation, NOTATIONS)
    if not isinstance(text, str):
        raise AutodiffError(f"a text is needed, not `{type(text).__name__}`", hint="call `str` on it first")
    return converted(text, notation).text


def diff(program: Program | str, wrt: Sequence[str] | str | None = None, order: int = 1) -> Program:
    """The derivative of a program, or of a text in the language, as a program, simplified; `str` gives its text.

    `wrt` is one or several inputs or named values; without it, every input. Each has a statement of its own. An `order`
    above 1, up to 50, differentiates repeatedly with respect to the same name.

    >>> print(diff("x^3*y", "x"))
    3*x^2*y
    """
    from ..derivatives.differentiate import differentiate, refuse_repeated

    arguments.require_whole("order", order, 1, MOST_FORMULA_ORDERS)
    wrt = None if wrt is None else arguments.texts(wrt)
    refuse_repeated(wrt or ())
    parsed = arguments.without_numbers(program)
    text = differentiate(parsed, arguments.wrt_names(parsed, wrt), order=order).text
    return parse(text.rstrip("\n"), "<derivative>")


@overload
def hessian(
    program: Program | str, point: Mapping[str, float] | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, float]]: ...
@overload
def hessian(
    program: Program | str, point: Mapping[str, Any] | DataFrame, wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, Any]]: ...
def hessian(
    program: Program | str, point: Mapping[str, Any] | DataFrame | None = None, wrt: Sequence[str] | str | None = None
) -> dict[str, dict[str, Any]]:
    """The second partial derivatives of a program, or of a text in the language, at a point: name → name → number.

    `wrt` limits them to some inputs or named values. Numbers may be NumPy arrays, as for `gradient`. For very many
    inputs use `autodiff_cli.derivatives.hessian`, whose result omits zeros.
    """
    from ..derivatives.hessian import hessian as computed

    parsed, numbers = arguments.program_and_point(program, point)
    names = arguments.wrt_names(parsed, wrt)
    if arguments.has_arrays(numbers):
        with needing_arrays("arrays"):
            from ..many_points.python_arrays import hessian_at_points
        return hessian_at_points(parsed, numbers, names)
    result = computed(_evaluate(parsed, numbers, names))
    rows = zip(result.names, result.matrix, strict=True)
    return {name: dict(zip(result.names, row, strict=True)) for name, row in rows}


def jacobian(
    program: Program | str,
    point: Mapping[str, Any],
    outputs: Sequence[str] | str,
    wrt: Sequence[str] | str | None = None,
) -> dict[str, dict[str, Any]]:
    """The gradients of several outputs of a program, or of a text in the language, at a point: output → name → number.

    `outputs` are named values, or lists, each of whose entries has a gradient of its own. They are with respect to all
    inputs that one of the outputs depends on, or to the names of `wrt`; with respect to a list, as for `gradient`, they
    are lists. A list in the point is one of the program.

    >>> jacobian("h = [x*y, x/y]", {"x": 6, "y": 2}, "h")
    {'h[1]': {'x': 2.0, 'y': 6.0}, 'h[2]': {'x': 0.5, 'y': -1.5}}
    """
    from ..derivatives.jacobian import jacobian as computed
    from ..language import given_lists

    given = by_canonical_name(point)
    parsed = parse(program, entries=arguments.entries(given_lists.by_entry(given)), allows_list=True)
    numbers = given_lists.placed(parsed, given)
    parsed.warn_of_misspelt(numbers, stacklevel=2)
    rows = parsed.entries(map(canonical, arguments.texts(outputs)))
    matrix = computed(parsed, numbers, rows, arguments.wrt_names(parsed, wrt))
    gradients = (parsed.by_list(dict(zip(matrix.names, row, strict=True))) for row in matrix.rows)
    return dict(zip(rows, gradients, strict=True))


def taylor(
    program: Program | str, point: Mapping[str, Any] | None = None, order: int = 6, wrt: str | None = None
) -> list[float]:
    """The Taylor coefficients of a program, or of a text in the language, around a point, from order 0 up.

    The `order` is 1000 at most. `wrt` is the variable, needed if the program has more than one input.
    """
    from ..derivatives.taylor import taylor as computed

    arguments.require_whole("order", order, 0, MOST_COEFFICIENTS)
    parsed, numbers = arguments.program_and_point(program, point)
    return computed(_evaluate(parsed, numbers, arguments.wrt_names(parsed, wrt)), order).coefficients


def fit(
    program: Program | str,
    data: Mapping[str, Any] | DataFrame,
    response: Program | str,
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
    """The parameters for which a program, or a text in the language, fits a response best, by least squares.

    `data` has arrays of equal length by name, or is a data frame; the columns of a matrix are the entries of a list.
    The `response` is a column, or a formula in columns. Inputs that are neither data nor `fixed` are parameters, and
    begin at their `start` or default; `bounds` are as for `minimize`. Standard errors are scaled by the residuals
    unless the `weights`, an array of inverse variances or a formula in columns, are `absolute`. The `loss` is
    "linear", "soft_l1", "huber" or "cauchy". Of several `starts`, of which all but the first are drawn with the `seed`,
    the best fit is returned; confidence intervals have the `level`. Raises AutodiffError for data that do not match
    the formula; a search that fails is reported in the result.

    >>> line = fit("a + b*x", {"x": [0, 1, 2], "y": [1, 3, 5]}, "y", {"a": 0, "b": 0})
    >>> {name: round(number, 9) for name, number in line.point.items()}
    {'a': 1.0, 'b': 2.0}
    """
    with needing_arrays("fits"):
        from ..curve_fitting.data import Data
        from ..curve_fitting.fit import fit as fitted
        from ..curve_fitting.model import Model
        from ..data.column_blocks import ArrayColumns
        from ..many_points.array_conversion import table_of
    arguments.require_whole("starts", starts, 1, MOST_STARTS)
    arguments.require_whole("seed", seed)
    level = arguments.probability("level", level)
    parsed, columns = arguments.with_data(program, data, by_canonical_name(fixed) | by_canonical_name(start))
    known, target = arguments.numbers(fixed, parsed), parse(response, "<response>", entries=arguments.entries(columns))
    weighting, further = arguments.weights(weights, columns)
    table = arguments.table(columns, data, *filter(None, (parsed, target, weighting))) | table_of(further)
    model = Model(parsed, Data(ArrayColumns(table), parsed, target, known, weights=weighting), known)
    begun, limits = arguments.numbers(start, parsed), arguments.bounds(bounds)
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
    data: Mapping[str, Any] | DataFrame | None = None,
    mean: bool = False,
) -> "Minimum":
    """The minimum of a program, or of a text in the language, over all inputs that have no `fixed` number.

    Inputs without a `start` begin at their default. `bounds` gives a lower and an upper bound by name, None for no
    bound; `subject_to` has constraints in the language, such as "x + y <= 3". With `maximize` the maximum is sought.
    Of several `starts`, all but the first of which are drawn with the `seed`, the best is returned. With `data`, arrays
    by name or a data frame, the sum of the program over the rows is minimized, or the `mean`. The `method` is "bfgs",
    "l-bfgs-b", "slsqp" or "newton". Raises AutodiffError for an input without a start, and where the value is not
    finite there; a search that fails is reported in the result.

    >>> minimize("(x - 1)^2 + y^2", {"x": 3, "y": 1}).point
    {'x': 1.0, 'y': 0.0}
    """
    with needing_arrays("minima"):
        from ..data.column_blocks import ArrayColumns
        from ..minimization import formulation
        from ..minimization.minimize import minimize as minimized
        from ..search.starts_and_bounds import starting_point
    if mean and data is None:
        raise AutodiffError("`mean` needs rows", hint="pass `data`, or leave `mean` out")
    arguments.require_whole("starts", starts, 1, MOST_STARTS)
    arguments.require_whole("seed", seed)
    parsed, columns = arguments.with_data(program, data, by_canonical_name(fixed) | by_canonical_name(start))
    known, begun, limits = arguments.numbers(fixed, parsed), arguments.numbers(start, parsed), arguments.bounds(bounds)
    table = None if data is None else ArrayColumns(arguments.table(columns, data, parsed))
    texts = arguments.texts(subject_to)
    problem = formulation.formulated(parsed, known, limits, texts, maximize, table, is_mean=mean, entries=begun)
    first = starting_point(problem.names, [parsed], begun, "variable")
    parsed.warn_of_misspelt(known, {*columns, *begun}, stacklevel=2)
    return minimized(problem, first, method, starts, seed)


def solve(
    equations: str | Sequence[str],
    unknowns: str | Sequence[str] = (),
    *,
    start: Mapping[str, Any] | None = None,
    bounds: Mapping[str, Limits] | None = None,
    between: tuple[float, float] | None = None,
    all_between: tuple[float, float] | None = None,
    fixed: Mapping[str, Any] | None = None,
) -> "Solution":
    """Solve equations such as "x^2 + y^2 = 4"; a text with only one side is set to zero.

    The unknowns are all inputs without a `fixed` number, unless they are named. The search begins at a `start`, and
    finds a root within `bounds`, which are as for `minimize`; one equation can also be solved `between` two points at
    which it has opposite signs, or for all roots that are `all_between` two points. Raises AutodiffError where there
    are not as many equations as unknowns; a search that fails is reported in the result.

    >>> solve("x^3 = 2*x + 5", between=(2, 3)).roots[0].point
    {'x': 2.0945514815423265}
    """
    with needing_arrays("roots"):
        from ..root_finding import all_roots
        from ..root_finding import solve as solving
        from ..root_finding.equations import equations as stated
    if isinstance(unknowns, Mapping):
        raise AutodiffError("`unknowns` are names, without numbers", hint="pass the numbers as `start`")
    if len([place for place in (by_canonical_name(start) or None, between, all_between) if place is not None]) > 1:
        hint = "pass one of `start`, `between` and `all_between`"
        raise AutodiffError("two places to search are given", hint=hint)
    if bounds and (between is not None or all_between is not None):
        raise AutodiffError("an interval has ends of its own", hint="leave `bounds` out")
    texts, names = arguments.texts(equations), [*map(canonical, arguments.texts(unknowns))]
    known, begun, limits = arguments.numbers(fixed), arguments.numbers(start), arguments.bounds(bounds)
    try:
        system = stated(texts, names, known, entries=arguments.entries(known, begun), bounds=limits)
    except AutodiffError as error:  # perhaps about an array of one number that is not a list in the equations
        given = by_canonical_name(fixed) | by_canonical_name(start)
        if error.source is None or not any(map(arguments.is_single, given.values())):
            raise
        known, begun = (arguments.numbers(arguments.with_single_numbers(point)) for point in (fixed, start))
        system = stated(texts, names, known, entries=arguments.entries(known, begun), bounds=limits)
    for function in system.functions:
        function.program.warn_of_misspelt(known, begun, stacklevel=2)
    if between is not None:
        return solving.between(system, *arguments.ends("between", between))
    if all_between is not None:
        return all_roots.all_between(system, *arguments.interval("all_between", all_between))
    return solving.from_start(system, system.start(begun))


def uncertainty(
    program: Program | str,
    inputs: Mapping[str, Any],
    correlations: Mapping[tuple[str, str], float] | None = None,
    *,
    outputs: Sequence[str] | str = (),
    level: float = 0.95,
    coverage_factor: float | None = None,
    draws: int = 0,
    seed: int = 0,
) -> "Uncertainty":
    """The uncertainty of a program, or of a text in the language, for inputs that were measured.

    An input is a number, a text such as "4.999±0.0032" or "1.23(4)", a `MeasuredValue`, or a list of these.
    `correlations` has the coefficients of pairs of inputs. `outputs` are named values in place of the result of the
    program. Intervals have the `level`, or that of the `coverage_factor` if it is given. With 100 or more `draws` the
    inputs are also sampled that many times, with the `seed`. Raises AutodiffError for invalid values and correlations.

    >>> round(uncertainty("V/I", {"V": "5.00±0.01", "I": "2.0±0.1"}).single.u, 4)
    0.1251
    """
    with needing_arrays("uncertainties"):
        from ..uncertainty_propagation.budget import Coverage
        from ..uncertainty_propagation.measured_values import MeasuredValue, checked, measured
        from ..uncertainty_propagation.uncertainty import uncertainty as computed

    def known(name: str, given: MeasuredValue | str | float) -> MeasuredValue:
        if isinstance(given, str):
            return measured(name, given, partial(as_double, name))
        if isinstance(given, MeasuredValue):
            return checked(name, given)
        return MeasuredValue(as_double(name, given, hint='write a text such as "5.0±0.1", or a MeasuredValue'))

    arguments.require_whole("draws", draws, FEWEST_DRAWS if draws else 0, MOST_DRAWS)
    arguments.require_whole("seed", seed)
    factor = None if coverage_factor is None else arguments.positive("coverage_factor", coverage_factor)
    coverage = Coverage(arguments.probability("level", level), factor)
    parsed, numbers = arguments.program_and_point(program, inputs)
    quantities = {name: known(name, given) for name, given in numbers.items()}
    coefficients = arguments.correlations(correlations)
    names = [*map(canonical, arguments.texts(outputs))]
    return computed(parsed, quantities, coefficients, outputs=names, coverage=coverage, draws=draws, seed=seed)


def with_results(
    frame: Frame, program: Program | str, point: Mapping[str, Any] | None = None, *, prefix: str = ""
) -> Frame:
    """A data frame of pandas or polars with the value and the gradient of a program as further columns.

    Columns are inputs, by their names, or the entries of lists; other inputs have a number, or a list, in `point` or a
    default. `prefix` is put before the names of the results. Raises AutodiffError for inputs without a number, for
    columns that hold anything but numbers, and for results whose names are taken.
    """
    with needing_arrays("data frames"):
        from ..data.frames import with_results
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
    color: "ColoredBy" = "kind",
    dark: bool = False,
    partials: bool = False,
) -> "Drawing":
    """A picture of the graph of a Value, a program, or a text in the language, at a point: input → number.

    Without a point, only the structure is drawn if an input has no default. A notebook shows the picture;
    `save("graph.svg")` writes it to a file. `nodes="named"` draws only values that have a name, `depth` only nodes that
    are at most that many operations away from the output. `stacked` makes the boxes narrower, as in pictures that would
    be wide otherwise; `direction="TB"` draws from top to bottom, `color="gradient"` shows the gradients as colours,
    `partials` writes the derivative of each operation on its edges, `dark` is for a dark background. Numbers have
    `precision` decimal places. Raises AutodiffError if more than `max_nodes` nodes would be drawn.
    """
    from ..graph_drawing.annotated_graph import evaluate_if_given
    from ..graph_drawing.notebook import Drawing
    from ..graph_drawing.picture import ColoredBy, Direction, DrawnNodes, Look, Picture

    if depth is not None:
        arguments.require_whole("depth", depth, 0)
    arguments.require_whole("max_nodes", max_nodes, 1)
    arguments.require_whole("precision", precision, 0)
    arguments.require_one_of("nodes", nodes, get_args(DrawnNodes))
    arguments.require_one_of("direction", direction, get_args(Direction))
    arguments.require_one_of("color", color, get_args(ColoredBy))
    drawn = (
        source._evaluation()
        if isinstance(source, Value)
        else evaluate_if_given(*arguments.program_and_point(source, point))
    )
    look = Look(precision=precision, stacked=stacked, direction=direction, color=color, dark=dark, partials=partials)
    return Drawing(Picture.of(drawn, nodes=nodes, depth=depth, most=max_nodes, **look))
