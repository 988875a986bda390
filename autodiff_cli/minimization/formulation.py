"""A problem as a person states it: a program, numbers that are fixed, bounds and constraints by their texts."""

from collections.abc import Container, Iterable, Mapping

from ..data.column_blocks import Columns
from ..errors import AutodiffError, quoted_names
from ..evaluation import used
from ..language.relations import relations
from ..program import Program
from ..search.scalar_function import ScalarFunction
from ..search.starts_and_bounds import entry_bounds, start_instead
from .data_objective import DataObjective
from .problem import Constraint, Problem


def formulated(
    program: Program,
    fixed: Mapping[str, float],
    bounds: Mapping[str, tuple[float, float]],
    subject_to: Iterable[str] = (),
    maximize: bool = False,
    columns: Columns | None = None,
    *,
    is_mean: bool = False,
    entries: Iterable[str] = (),
) -> Problem:
    """The problem in all inputs of the program and the constraints that have no fixed number.

    With `columns` of a table the sum of the program over its rows, or the mean, is what is minimized. `entries` are
    those of lists that are given numbers, such as `x[1]`, in addition to the fixed ones. Raises AutodiffError if there
    are no inputs left, for bounds of anything else, for a table without rows, and for constraints that depend on its
    columns.
    """
    column_names = columns.names if columns else ()
    list_entries = [*dict.fromkeys(name for name in (*entries, *fixed) if "[" in name)]
    stated = [relation for text in subject_to for relation in relations(text, program, list_entries)]
    for text, _, constrained in stated:
        _refuse_columns(text, constrained, column_names)
    names = _variables([program, *(constraint.difference for constraint in stated)], fixed, column_names)
    bounds = entry_bounds(bounds, names, "variable")
    constraints = [
        Constraint(text, symbol, ScalarFunction(difference, names, fixed)) for text, symbol, difference in stated
    ]
    if columns is None:
        objective: ScalarFunction | DataObjective = ScalarFunction(program, names, fixed)
    elif columns.rows:
        objective = DataObjective(program, names, fixed, columns, is_mean=is_mean)
    else:
        raise AutodiffError("the data has no rows", hint="give arrays with a number for each row")
    return Problem(objective, bounds, constraints, -1.0 if maximize else 1.0)


def _refuse_columns(text: str, difference: Program, columns: Container[str]) -> None:
    """Raise AutodiffError for a constraint that depends on columns, which have another number in each row."""
    inputs = difference.inputs | difference.constants
    varying = [name for name in used(difference.graph.needed([difference.output]), inputs) if name in columns]
    if varying:
        what = "a column" if len(varying) == 1 else "columns"
        message = f"`{text}` depends on {what}, {quoted_names(varying)}, and a constraint has no rows"
        raise AutodiffError(message, hint="give it in variables and fixed numbers")


def _variables(programs: Iterable[Program], fixed: Mapping[str, float], columns: Container[str]) -> list[str]:
    """The inputs that the programs depend on and that have no fixed number, nor one in each row."""
    names: dict[str, int] = {}
    for program in programs:
        names |= used(program.graph.needed([program.output]), program.inputs)
    variables = [name for name in names if name not in fixed and name not in columns]
    if not variables:
        remedy = next((start_instead(name, fixed[name]) for name in names if name in fixed), None)
        hint = (
            "every input of the formula is a column" if names else "write a formula with a variable, such as (x - 1)^2"
        )
        raise AutodiffError("there is nothing to vary", hint="" if remedy else hint, remedy=remedy)
    return variables
