"""The body of a generated function, as straight-line code of a language; the language's file puts a frame around it."""

from collections.abc import Sequence
from dataclasses import dataclass

from ..lowering.function_graph import FunctionGraph, function_graph
from ..lowering.function_request import FunctionRequest
from ..lowering.identifiers import Identifiers
from ..lowering.lowering import lowered
from ..lowering.target_language import Assignment, TargetLanguage
from .documentation import InputDescription, documentation, inputs, results
from .statements import HelperFunctions, StatementWriter

MOST_PARAMETERS = 40
"""a function of more inputs takes them as one array"""
MOST_WRITTEN = 8
"""rows of a matrix that is written out; of a larger one only the entries that are not always zero are set"""


@dataclass(frozen=True)
class FunctionCode:
    """The parts of a function's text."""

    language: TargetLanguage
    name: str
    function: FunctionGraph
    parameters: list[tuple[str, InputDescription]]
    """the names of the inputs in the code, and a remark on each"""
    unused: list[str]
    """the parameters that the code does not need, such as x in `where(1, 2, x)`"""
    helpers: list[str]
    """the helper functions, each with an empty line after it"""
    statements: list[Assignment]
    value: str
    gradient: list[str]
    hessian: dict[tuple[int, int], str]
    """(i, j) with i <= j → an entry that is not always zero"""

    @property
    def results(self) -> list[str]:
        """The text of the value, and the names of the variables that its derivatives have."""
        return [self.value, *["gradient"] * bool(self.gradient), *["hessian"] * self.function.request.hessian]

    @property
    def takes_array(self) -> bool:
        """Whether the inputs come as one array."""
        return len(self.parameters) > MOST_PARAMETERS

    @property
    def has_small_hessian(self) -> bool:
        """Whether the matrix of second derivatives is small enough to be written out."""
        return len(self.gradient) <= MOST_WRITTEN

    @property
    def names(self) -> list[str]:
        """The names of the inputs in the code."""
        return [name for name, _ in self.parameters]

    @property
    def assignments(self) -> list[str]:
        """The lines of the statements."""
        return self.language.assignments(self.statements)

    def signature(self, array: str = "input") -> list[str]:
        """The parameters as the language declares them; `array` declares the one array."""
        return [array] if self.takes_array else [self.language.parameter.format(name) for name in self.names]

    def taken_from_array(self, template: str) -> list[str]:
        """Assignments of entries of the array to the inputs, where they come as one array."""
        return [template.format(name=name, i=i) for i, name in enumerate(self.names)] if self.takes_array else []

    def second_derivatives(self, entry: str, end: str = "", *, first: int = 0, chained: bool = True) -> list[str]:
        """The statements for the entries of the matrix that are not always zero, and for those mirrored.

        `entry` is the template of an entry in row `i` and column `j`, counted from `first`. Where assignments are not
        `chained`, a mirrored entry has a statement of its own.
        """
        lines = []
        for (i, j), text in self.hessian.items():
            place, mirrored = (entry.format(i=row + first, j=column + first) for row, column in ((i, j), (j, i)))
            lines.append(f"    {place} = {f'{mirrored} = ' if chained and i != j else ''}{text}{end}")
            if i != j and not chained:
                lines.append(f"    {mirrored} = {place}{end}")
        return lines

    def matrix(self, zero: str) -> list[list[str]]:
        """All second derivatives, row by row."""
        places = range(len(self.gradient))
        return [[self.hessian.get((min(i, j), max(i, j)), zero) for j in places] for i in places]

    def documentation(self, prefix: str, *returns: str) -> list[str]:
        """The lines of the function's documentation after a prefix; `returns` says what becomes of the results."""
        inputs = ["The inputs are the entries of the array `input`, in this order.", ""] if self.takes_array else []
        lines = documentation(self.function, self.parameters, [*inputs, *returns], takes_array=self.takes_array)
        return [f"{prefix}{line}".rstrip() for line in lines]

    def returning(self, how: str, prefix: str = "") -> list[str]:
        """The lines of the documentation of a function: `how` it returns its results, and what they are."""
        return self.documentation(prefix, how, *results(self.function))


def function_code(
    request: FunctionRequest, language: TargetLanguage, name: str, *, matrix: bool = False, keep: Sequence[str] = ()
) -> FunctionCode:
    """The code for a request, as a function called `name`, or close to it where that is taken.

    With `matrix` the entries of the Hessian are written out twice, so that those off its diagonal have names; `keep`
    are names that are not free.
    """
    function = function_graph(request)
    again = [
        node
        for (i, j), node in function.hessian.items()
        if i != j and matrix and len(function.gradient) <= MOST_WRITTEN
    ]
    wanted = (function.value, *function.gradient, *function.hessian.values(), *again)
    graph, copies = lowered(language, function.graph, function.inputs.values(), wanted)
    helpers = HelperFunctions(language)
    writer = StatementWriter(graph, [copies[node] for node in wanted], helpers)
    free = Identifiers(language, (*helpers.texts, *keep))
    code_name, value = free.function(name), free.new("value")
    described = inputs(function)
    parameters = [free.new(each.name) for each in described]
    names = {copies[node]: parameter for node, parameter in zip(function.inputs.values(), parameters, strict=True)}
    called = {} if graph.is_condition(copies[function.value]) else {copies[function.value]: value}
    for node, hint in function.hints.items():
        if node in copies and graph.arguments[copies[node]] and copies[node] not in called:
            called[copies[node]] = free.new(hint)
    body = writer.body(names, free, called)
    count = len(function.gradient)
    return FunctionCode(
        language,
        code_name,
        function,
        list(zip(parameters, described, strict=True)),
        [name for node, name in names.items() if node not in writer.nodes],
        [f"{text}\n" for text in helpers.texts.values()],
        body.statements,
        body.results[0],
        body.results[1 : 1 + count],
        dict(zip(function.hessian, body.results[1 + count :], strict=False)),
    )


def wrapped(start: str, parts: Sequence[str], end: str, width: int = 100) -> list[str]:
    """Parts with commas between them, in as many lines as it takes; the later ones begin below the first part."""
    lines, line = [], start
    for i, part in enumerate(parts or [""]):
        text = part + (end if i >= len(parts) - 1 else ",")
        if len(line) + len(text) > width and line.strip() and i:
            lines.append(line.rstrip())
            line = " " * min(len(start), width // 2)
        line += text + " "
    return [*lines, line.rstrip()]
