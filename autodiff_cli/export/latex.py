"""LaTeX: a document with a program's formula, its named values and its derivatives."""

from collections import Counter
from collections.abc import Sequence
from itertools import count

from ..arithmetic.symbolic import Symbols
from ..graph import Graph
from ..latex import notation, printer
from ..latex.document import document
from ..latex.notation import ATOM, LatexText
from ..lowering.function_request import FunctionRequest
from ..operations import CONSTANT
from ..simplify import readable
from ..sparsity import dependencies
from ..terminal.printable_text import one_line
from ..transforms import derivative
from ..version import WRITTEN_BY

_REPEATED, _WIDE = 15, 70  # approximate columns above which a node has a name: if it is used again, and always
_LONGEST = 60  # characters of a name


def function(request: FunctionRequest, name: str) -> str:
    """A document with the formula, its named values and its derivatives, in the form that a person would give them.

    What is long, or needed again, has a line of its own.
    """
    program = request.program
    graph = program.graph.cut(())
    for node, number in request.numbers.items():
        graph.operations[node], graph.numbers[node] = CONSTANT, number
        graph.labels.pop(node, None)
    written = graph.needed([program.output])
    named = [node for node in written if node in graph.labels and graph.arguments[node] and node != program.output]
    nodes = list(request.wrt.values())
    first = readable(graph, program.output, derivative(graph, program.output, nodes, textbook=True), named)
    second = _second(graph, program.output, first, nodes, named) if request.hessian else {}
    results = [program.output, *named, *nodes, *first, *second.values()]
    writer = _DocumentWriter(graph, results, program.output, name)
    output = writer.output
    called = [writer.called(node, each) for each, node in request.wrt.items()]
    lines = [
        (rf"\frac{{\partial {output}}}{{\partial {each}}}", node) for each, node in zip(called, first, strict=True)
    ]
    for (i, j), node in second.items():
        below = rf"\partial {called[i]}^{{2}}" if i == j else rf"\partial {called[i]}\,\partial {called[j]}"
        lines.append((rf"\frac{{\partial^{{2}} {output}}}{{{below}}}", node))
    source = program.source.name
    origin = "" if source.startswith("<") else f" from {one_line(source)}"
    body = " \\\\\n".join([*writer.statements, *(f"{left} &= {writer.texts[node].right_side}" for left, node in lines)])
    formulas = f"\\begin{{align*}}\n{body}\n\\end{{align*}}"
    remark = "% e is a value here, not 2.718….\n" if "e" in writer.distinct.typeset else ""
    return f"% {WRITTEN_BY}{origin}.\n{remark}{document(formulas)}"


def _second(
    graph: Graph, output: int, first: Sequence[int], nodes: Sequence[int], named: Sequence[int]
) -> dict[tuple[int, int], int]:
    entries: dict[tuple[int, int], int] = {}
    symbols = Symbols(graph, textbook=True)
    for i, places in enumerate(dependencies(graph, first, nodes)):
        columns = [j for j in sorted(places) if j >= i]
        slopes = derivative(graph, first[i], [nodes[j] for j in columns], symbols=symbols)
        short = readable(graph, output, slopes, named)
        entries |= {(i, j): slope for j, slope in zip(columns, short, strict=True) if graph.numbers.get(slope) != 0}
    return entries


class _DocumentWriter:
    """The lines of a document: a statement for each value with a name, the output's among them."""

    def __init__(self, graph: Graph, results: Sequence[int], output: int, output_name: str) -> None:
        self._graph = graph
        self.names: dict[int, str] = {}
        self.distinct = notation.DistinctNames()
        self.texts: dict[int, LatexText] = {}
        self._temporaries = (f"t{number}" for number in count(1))
        self.statements: list[str] = []
        order = sorted(graph.needed(results), key=lambda node: bool(graph.arguments[node]))  # inputs keep their names
        uses = Counter(argument for node in order for argument in graph.arguments[node])
        self._results = set(results) - {output}
        for node in order:
            label = output_name if node == output and graph.arguments[node] else graph.labels.get(node)
            self._write(node, label, uses[node])
        own = graph.arguments[output] or graph.labels.get(output) == output_name
        self.output = self.names[output] if output in self.names and own else self._statement(output, output_name)
        """the name of the output"""

    def _write(self, node: int, label: str | None, uses: int) -> None:
        """A statement for a node, or only its text."""
        if not self._graph.arguments[node]:
            known = self._graph.operations[node] is CONSTANT
            text = printer.text(self._graph, node, {}) if known else LatexText(self.called(node, label or "?"))
            self.texts[node] = text
            return
        text = printer.text(self._graph, node, self.texts)
        width = printer.columns(text.text)
        again, wide = uses > 1 and width > _REPEATED, width > _WIDE and node not in self._results
        if label is not None or again or wide:
            name = self.called(node, next(self._temporaries) if label is None else label)
            self.statements.append(f"{name} &= {text.right_side}")
            text = LatexText(name, ATOM)
        self.texts[node] = text

    def _statement(self, node: int, label: str) -> str:
        """The name that a number, or an input that has another name already, gets by a statement."""
        name = self._new(label)
        self.statements.append(f"{name} &= {self.texts[node].right_side}")
        return name

    def called(self, node: int, label: str) -> str:
        """A distinct name for a node; one whose name is already taken is numbered."""
        if node not in self.names:
            self.names[node] = self._new(label)
        return self.names[node]

    def _new(self, label: str) -> str:
        return self.distinct.new(one_line(label)[:_LONGEST])
