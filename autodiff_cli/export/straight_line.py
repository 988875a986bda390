"""A program as straight-line code of a language: all that a target has to put a frame around."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..lowering.language import Language, Statement
from ..lowering.lowering import lowered
from ..lowering.naming import Names
from ..lowering.plan import Plan
from ..lowering.plan import plan as make_plan
from ..lowering.request import Request
from .documentation import Described, documentation, inputs, results
from .writer import Library, Writer

MOST_PARAMETERS = 40
"""inputs; a function of more takes them as one array"""
MOST_ROWS = 8
"""of a matrix that is written out; of a larger one only the entries that are not always zero are set"""


@dataclass(frozen=True)
class Straight:
    """The parts of a function's text."""

    name: str
    plan: Plan
    parameters: list[tuple[str, Described]]
    """what the inputs are called in the code, and what there is to say about them"""
    unused: list[str]
    """the parameters that the code does not need, such as x in `where(1, 2, x)`"""
    helpers: str
    statements: list[Statement]
    value: str
    gradient: list[str]
    hessian: dict[tuple[int, int], str]
    """(i, j) with i <= j → an entry that is not always zero"""

    @property
    def array(self) -> bool:
        """Do the inputs come as one array?"""
        return len(self.parameters) > MOST_PARAMETERS

    @property
    def small(self) -> bool:
        """Is the matrix of second derivatives written out?"""
        return len(self.gradient) <= MOST_ROWS

    def entries(self) -> list[tuple[int, int, str]]:
        """The row, the column (not before the row) and the text of the second derivatives that are not always zero."""
        return [(i, j, text) for (i, j), text in self.hessian.items()]

    def matrix(self, zero: str) -> list[list[str]]:
        """All second derivatives, row by row."""
        places = range(len(self.gradient))
        return [[self.hessian.get((min(i, j), max(i, j)), zero) for j in places] for i in places]

    def documentation(self, *returns: str) -> list[str]:
        """The lines of the function's documentation; `returns` says what becomes of the results."""
        inputs = ["The inputs are the entries of the array `input`, in this order.", ""] if self.array else []
        return documentation(self.plan, self.parameters, [*inputs, *returns], array=self.array)

    def returning(self, how: str) -> list[str]:
        """The lines of the documentation of a function that returns its results, and how."""
        return self.documentation(how, *results(self.plan))


def straight(
    request: Request, language: Language, name: str, *, matrix: bool = False, keep: Sequence[str] = ()
) -> Straight:
    """The code for what is asked, as a function called `name` or near it.

    With `matrix` the entries of the Hessian are written out twice, so that those off its diagonal have names; `keep`
    are names that are not free.
    """
    plan = make_plan(request)
    again = [node for (i, j), node in plan.hessian.items() if i != j and matrix and len(plan.gradient) <= MOST_ROWS]
    wanted = (plan.value, *plan.gradient, *plan.hessian.values(), *again)
    shared, copies = lowered(language, plan.graph, plan.inputs.values(), wanted)
    library = Library(language)
    writer = Writer(shared.graph, [copies[node] for node in wanted], library)
    free = Names(language, (*library.texts, *keep))
    function, value = free.new(name + "_" * (name in language.outside)), free.new("value")
    described = inputs(plan)
    parameters = [free.new(each.name) for each in described]
    names = {copies[node]: parameter for node, parameter in zip(plan.inputs.values(), parameters, strict=True)}
    called = {} if shared.is_condition(copies[plan.value]) else {copies[plan.value]: value}
    for node, hint in plan.hints.items():
        if node in copies and shared.graph.arguments[copies[node]] and copies[node] not in called:
            called[copies[node]] = free.new(hint)
    body = writer.body(names, free, called)
    count = len(plan.gradient)
    return Straight(
        function,
        plan,
        list(zip(parameters, described, strict=True)),
        [name for node, name in names.items() if node not in writer.nodes],
        library.text(),
        body.statements,
        body.results[0],
        body.results[1 : 1 + count],
        dict(zip(plan.hessian, body.results[1 + count :], strict=False)),
    )


def wrapped(start: str, parts: Sequence[str], end: str, width: int = 100) -> list[str]:
    """Parts with commas between them, in as many lines as it takes; the later ones stand below the first part."""
    lines, line = [], start
    for i, part in enumerate(parts or [""]):
        text = part + (end if i >= len(parts) - 1 else ",")
        if len(line) + len(text) > width and line.strip() and i:
            lines.append(line.rstrip())
            line = " " * min(len(start), width // 2)
        line += text + " "
    return [*lines, line.rstrip()]
