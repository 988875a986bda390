"""From the columns of a table to those that are written: what is computed, of which columns, under which names."""

from collections.abc import Mapping, Sequence
from importlib.util import find_spec
from typing import TYPE_CHECKING, NamedTuple

from ..errors import not_installed
from ..notation import canonical
from ..program import Program
from . import columns

if TYPE_CHECKING:
    from ..vectorized.computation import Computation


class Layout(NamedTuple):
    """What becomes of the columns of a table."""

    computation: "Computation"
    inputs: Mapping[str, str]
    """which column each input is: input → column"""
    kept: Sequence[str]
    """the columns that are written"""
    results: Sequence[str]
    """what the value and the partial derivatives that follow are called"""

    @property
    def read(self) -> list[str]:
        """The columns that are needed, as inputs or to be written."""
        return list(dict.fromkeys((*self.inputs.values(), *self.kept)))


class Choice(NamedTuple):
    """What a user says of it."""

    given: Mapping[str, float]
    """numbers for inputs; none of them may be a column"""
    shared: Mapping[str, float]
    """numbers for inputs that are no columns and not given"""
    wrt: Sequence[str] | None = None
    """what the gradient is with respect to; None for the inputs that are columns"""
    kept: Sequence[str] | None = None
    """the columns that are written; None for all"""
    prefix: str = ""
    """what stands before the names of the results"""
    what: str = "column"
    """what a message calls a column, or `range`"""


def layout(program: Program, names: Sequence[str], choice: Choice) -> Layout:
    """What becomes of the columns of these names.

    Raises AutodiffError for what does not go together, and where a package is missing.
    """
    require_packages()
    from ..vectorized.computation import Computation

    inputs = columns.inputs(program, names, choice.given, choice.shared, choice.what)
    numbers = {name: number for name, number in choice.shared.items() if name not in inputs} | dict(choice.given)
    known = numbers | dict.fromkeys(map(canonical, names), 0.0)
    wrt = None if choice.wrt is None else list(dict.fromkeys(choice.wrt))
    program.nodes(wrt or (), program.point(numbers), known)  # an unknown name is an error
    computation = Computation(program, list(inputs), numbers, wrt)
    kept = columns.kept(names, choice.kept)
    return Layout(computation, inputs, kept, columns.results(computation.wrt, kept, choice.prefix))


def require_packages() -> None:
    """Raise AutodiffError where a package is missing that tables need."""
    for package in ("numpy", "scipy", "pyarrow"):
        if find_spec(package) is None:
            raise not_installed(f"data files and ranges need the package `{package}`, which is not installed", "data")
