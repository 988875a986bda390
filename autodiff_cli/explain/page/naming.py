"""What the nodes are called on the page: by their names, by a short formula of other names, else v1, v2 and so on."""

from ...errors import columns, one_line
from ...evaluation import Evaluation
from ...notation import CALL, elided, spelled
from ...printer import Text
from ..naming import short_names

NAME_WIDTH = 44
"""columns of a name; a longer one is cut short in the middle"""
_FORMULA_WIDTH = 26


def names(evaluation: Evaluation) -> dict[int, Text]:
    """A name for every node that the output depends on; no two values share one, and none is long."""
    program, graph = evaluation.program, evaluation.program.graph
    short = short_names(evaluation)
    called = {node: (elided(one_line(text), NAME_WIDTH), binding) for node, (text, binding) in short.items()}
    taken = {text for text, _ in called.values()}
    for node in evaluation.order:
        row, arguments = graph.operations[node], graph.arguments[node]
        if not arguments or node in graph.labels or node == program.output:
            continue
        text = spelled(row, [called[argument] for argument in arguments])
        if text not in taken and columns(text) <= _FORMULA_WIDTH:
            called[node] = text, row.precedence if row.symbol else CALL
            taken.add(text)
    return called
