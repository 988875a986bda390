"""The layout of the output: which columns are inputs, which are written, and the names of the results."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from ..errors import USAGE, AutodiffError, not_installed
from ..evaluation import used
from ..notation import canonical
from ..program import Program
from . import columns
from .formats import Destination, TableReader

if TYPE_CHECKING:
    from ..many_points.computation import Computation
    from ..many_points.quantities import Quantity


class ColumnLayout(NamedTuple):
    """The columns that are read, computed and written."""

    computation: "Computation"
    inputs: Mapping[str, str]
    """input → its column"""
    kept: Sequence[str]
    """the columns that are written"""
    results: Sequence[str]
    """the names of the results, which follow"""
    errors: str | None = None
    """the name of a column after them, which says why a row has no result; None without it"""
    file: str | None = None
    """the name of the last column, which says what file a row is from; None without it"""
    renamed: Mapping[str, str] = {}
    """columns that are kept → what they are called where they are written, if that is another name"""
    order: Sequence[str] = ()
    """the names of the columns in the order in which they are written; without it the results follow what is kept"""
    keeps_all: bool = False
    """the columns that are kept are all that there are, and not chosen"""

    @property
    def added(self) -> list[str]:
        """The names of all columns that follow those that are kept."""
        return [*self.results, *self.texts]

    @property
    def texts(self) -> list[str]:
        """The names of those among them that hold texts."""
        return [name for name in (self.errors, self.file) if name is not None]

    @property
    def needed(self) -> list[str] | None:
        """The columns that are read, as inputs or to be written; None for all of them."""
        return None if self.keeps_all else list(dict.fromkeys((*self.inputs.values(), *self.kept)))

    def destination(self, source: TableReader, kept: Sequence[str] | None = None) -> Destination:
        """The columns to write of a table; `kept`, if given, are those of it that are kept."""
        inputs, kept = list(self.inputs.values()), self.kept if kept is None else kept
        return Destination(source, kept, inputs, self.added, self.texts, self.renamed, self.order)


class ColumnRequest(NamedTuple):
    """The user's choice of columns, numbers, results and their names."""

    given: Mapping[str, float]
    """numbers for inputs; none of these may be a column"""
    fallback: Mapping[str, float]
    """numbers for inputs that are neither given nor columns"""
    wrt: Sequence[str] | None = None
    """the names that the gradient is with respect to; None for the inputs that are columns"""
    kept: Sequence[str] | None = None
    """the columns that are written; None for all"""
    prefix: str = ""
    """the beginning of the names of the results"""
    quantity: "Quantity | None" = None
    """the results of a row; None for value and gradient"""
    engine: str = "auto"
    """"compiled", "numpy", or "auto" for the faster one"""
    every_input: bool = False
    """without `wrt`, derivatives are with respect to all inputs, not to columns alone"""
    mapping: Mapping[str, str] = {}
    """the columns of inputs that are called otherwise"""
    errors: bool = False
    """a column says why a row has no result"""
    file: str | None = None
    """the name of a column that says what file a row is from"""
    renamed: Mapping[str, str] = {}
    """columns and results → what they are called where they are written, if that is another name"""
    format: str = ""
    """of the table; "grid" for ranges"""


def column_layout(program: Program, names: Sequence[str], request: ColumnRequest) -> ColumnLayout:
    """Return the layout for a table with columns of these names.

    Raises AutodiffError for columns, names and numbers that do not fit together, and where a package is missing.
    """
    require_packages()
    from ..many_points.computation import Computation
    from ..many_points.quantities import Gradients

    quantity = request.quantity or Gradients()
    outputs = quantity.outputs(program)
    inputs = columns.input_columns(
        program, names, request.given, request.fallback, request.format, outputs, request.mapping
    )
    numbers = {name: number for name, number in request.fallback.items() if name not in inputs} | dict(request.given)
    placeholders = numbers | dict.fromkeys(map(canonical, names), 0.0)
    wrt = None if request.wrt is None else list(dict.fromkeys(request.wrt))
    if wrt is None and request.every_input:
        wrt = list(used(program.graph.needed(outputs), program.inputs_given((*inputs, *numbers))))
    program.nodes(
        quantity.wrt(wrt or ()), program.inputs_given(numbers), placeholders
    )  # raises the error for an unknown name
    computation = Computation(program, list(inputs), numbers, wrt, quantity, request.engine)
    own = [*(result.name for result in computation.results), *["error"] * request.errors]
    prefixed = [request.prefix + name for name in own]
    known = [*names, *prefixed, *filter(None, [request.file])]
    chosen = list(names) if request.kept is None else columns.chosen_columns(known, request.kept)
    own_names = set(names)
    kept = [name for name in chosen if name in own_names]
    columns.result_names(own, kept, request.prefix)  # raises the error for a name that would be renamed with another
    columns.refuse_renaming(request.renamed, [*kept, *prefixed])
    written = [request.renamed.get(name, name) for name in kept]
    results = columns.result_names(own, written, request.prefix, request.renamed)
    columns.refuse_no_unicode(request.file or "")
    if request.file in (*written, *results):
        raise AutodiffError(f"there is a column `{request.file}` already", hint="choose another name", code=USAGE)
    errors = results.pop() if request.errors else None
    keeps_all = request.kept is None
    layout = ColumnLayout(
        computation, inputs, kept, results, errors, request.file, request.renamed, keeps_all=keeps_all
    )
    if len(kept) == len(chosen):
        return layout
    order = [request.renamed.get(name, name) for name in chosen]
    followers = layout.added if set(order).isdisjoint(results) else layout.texts
    return layout._replace(order=[*order, *(name for name in followers if name not in order)])


def require_packages() -> None:
    """Raise AutodiffError where a package is missing that tables need."""
    for package in ("numpy", "scipy", "pyarrow"):
        if find_spec(package) is None:
            raise not_installed(f"data files and ranges need the package `{package}`, which is not installed", "data")
