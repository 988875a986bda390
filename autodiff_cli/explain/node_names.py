"""The names of the nodes in an explanation: those of the program, else `v1`, `v2`, … or a short formula."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain, count

from ..errors import AutodiffError, did_you_mean
from ..evaluation import Evaluation
from ..notation import CALL, elided, operation_text
from ..operations import CONSTANT
from ..printer import Text
from ..printer import number as number_text
from ..terminal.printable_text import columns, one_line
from .definitions import definitions
from .local_derivatives import literal

NAME_WIDTH = 40
"""columns; a longer name is shortened in the middle, and numbered if others become the same"""
PAGE_NAME_WIDTH = 44
"""columns of a name on the page; a longer one is shortened in the middle"""
_PAGE_FORMULA_WIDTH = 26
_LETTERS = ("v", "t", "u", "w", "z", "s")
_OUTPUTS = ("f", "y", "out", "result")


def short_names(evaluation: Evaluation) -> dict[int, Text]:
    """A name for every node that the output depends on, different for each value.

    A name that is assigned several times stands for its last value; the earlier ones are `c[1]`, `c[2]`, with numbers
    that no entry of a list has. The name of a constant is its number.
    """
    program, order = evaluation.program, evaluation.order
    functions = {definition.name for definition in definitions(program.source.text)}
    taken = {*program.graph.labels.values(), *program.names, *evaluation.inputs, *functions}
    fresh = _numbered(taken)
    labels = _labels(evaluation)
    names: dict[int, Text] = {}
    for node in order:
        number = literal(program.graph, node)
        if node in labels:
            names[node] = labels[node], CALL
        elif node == program.output:
            names[node] = program.output_name or _free(_OUTPUTS, "f", taken), CALL
        else:
            names[node] = (next(fresh), CALL) if number is None else number_text(number)
    return names


def _labels(evaluation: Evaluation) -> dict[int, str]:
    """The names of the nodes that have one in the program, made different where the program uses one again."""
    program, graph = evaluation.program, evaluation.program.graph
    defined = program.names | evaluation.inputs
    labels: dict[int, str] = {}
    written = Counter(elided(label, NAME_WIDTH) for label in set(graph.labels.values()))
    earlier: Counter[str] = Counter()
    for node in evaluation.order:
        if node in graph.labels:
            label = graph.labels[node]
            short = labels[node] = elided(label, NAME_WIDTH)
            is_assigned = graph.operations[node] is not CONSTANT or label in program.assigned
            if written[short] > 1 or (defined.get(label) != node and is_assigned):
                earlier[short] += 1
                while (name := f"{short}[{earlier[short]}]") in written:
                    earlier[short] += 1
                labels[node] = name
    return labels


def _numbered(taken: Iterable[str]) -> Iterator[str]:
    """`v1`, `v2`, …, with another letter where the program has such names."""
    prefixes = {match[1] for match in (re.fullmatch(r"(\D+)\d+", name) for name in taken) if match}
    prefix = _free(_LETTERS, "v", prefixes)
    return (f"{prefix}{number}" for number in count(1))


def _free(words: Iterable[str], letter: str, taken: Iterable[str]) -> str:
    """The first of some words, or of a letter repeated, that is not taken."""
    unavailable = set(taken)
    return next(word for word in chain(words, (letter * length for length in count(2))) if word not in unavailable)


def page_names(evaluation: Evaluation) -> dict[int, Text]:
    """The names on the page: the short ones, or where these are made up, formulas that are about as short."""
    program, graph = evaluation.program, evaluation.program.graph
    short = short_names(evaluation)
    names = {node: (elided(one_line(text), PAGE_NAME_WIDTH), binding) for node, (text, binding) in short.items()}
    taken = {text for text, _ in names.values()}
    for node in evaluation.order:
        operation, arguments = graph.operations[node], graph.arguments[node]
        if not arguments or node in graph.labels or node == program.output:
            continue
        text = operation_text(operation, [names[argument] for argument in arguments])
        if text not in taken and columns(text) <= _PAGE_FORMULA_WIDTH:
            names[node] = text, operation.precedence if operation.symbol else CALL
            taken.add(text)
    return names


def named_node(evaluation: Evaluation, names: Mapping[int, Text], word: str) -> int:
    """The node with a name of the explanation or of the program. Raises AutodiffError where there is none."""
    program, graph = evaluation.program, evaluation.program.graph
    nodes = {text: node for node, (text, _) in names.items() if graph.operations[node] is not CONSTANT}
    nodes |= {name: node for name, node in program.names.items() if name not in program.constants} | evaluation.inputs
    if word not in nodes:
        hint = did_you_mean(word, nodes) or "values without a name are called as the explanation calls them: v1, v2, …"
        raise AutodiffError(f"no value is named `{word}`", hint=hint)
    return nodes[word]
