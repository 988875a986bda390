"""The walkthrough as a LaTeX document that needs no package but amsmath."""

import re
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import TextIO

from ...graph import Graph
from ...latex.document import document
from ...latex.notation import LatexText
from ...latex.printer import formula, has_own_e
from ...operations import DIV, INPUT, PREFIX, Operation
from ..chain_rule import BackwardStep, Contribution
from ..gradient_paths import GradientPath
from ..local_derivatives import literal
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import FACTOR, Walkthrough
from . import sentences
from .latex_markup import aligned, enclosed, figure, prose, sentence, with_names

_DERIVATIVE = re.compile(r"D\(\s*(\w+)\s*,\s*(\w+)\s*(?:,\s*(\d+)\s*)?\)((?:\[\d+\])*)")
_MOST_TEXT = 300  # characters of a formula
_MOST_FACTORS = 8  # in a line


def write(walk: Walkthrough, out: TextIO) -> None:
    """Write the walkthrough."""
    parts = _paths(walk) if walk.paths else _all_steps(walk)
    heading = rf"\section*{{The gradient of ${_name(walk, walk.output)}$}}"
    out.write(document("\n" + "\n\n".join([heading, aligned(_statements(walk)), *parts]) + "\n"))


# ---- Formulas --------------------------------------------------------------------------------------------------------


def _name(walk: Walkthrough, node: int) -> str:
    return walk.symbols.name(walk.name(node))


def _statements(walk: Walkthrough) -> Iterator[str]:
    """The named values as in the program, or where their formulas are long, as operations on names."""
    nodes = [*walk.differentiated, *walk.forward_nodes]
    names = {node: LatexText(_name(walk, node)) for node in nodes if node in walk.graph.labels}
    for node, name in sentences.assignments(walk):
        if name:
            yield f"{walk.symbols.name(name)} &= {_name(walk, node)}"
            continue
        is_written = walk.graph.arguments[node] and walk.source_text(node)
        text = formula(walk.graph, node, names, _MOST_TEXT, own_e=_has_own_e(walk)) if is_written else ""
        yield f"{_name(walk, node)} &= {text or _operation(walk, node)}"


def _has_own_e(walk: Walkthrough) -> bool:
    """Whether the program, or the point, calls something other than the base of exp `e`."""
    return "e" in walk.evaluation.inputs or has_own_e(walk.graph)


def _operation(walk: Walkthrough, node: int, *, filled: bool = False) -> str:
    """The node as an operation on names, or on numbers; a leaf is its number."""
    graph, source = Graph(), walk.graph
    if not source.arguments[node]:
        return figure(walk, walk.evaluation.values[node]).text
    names: dict[int, LatexText] = {}
    for argument in source.arguments[node]:
        number = literal(source, argument)
        leaf = graph.add(INPUT) if number is None else graph.constant(number)
        if number is None:
            names[leaf] = figure(walk, walk.evaluation.values[argument]) if filled else LatexText(_name(walk, argument))
            if filled and leaf >= _bare_operands(source.operations[node]):
                names[leaf] = LatexText(enclosed(names[leaf]))
    operation = source.operations[node]
    return formula(graph, graph.add(operation, tuple(range(len(graph)))), names, own_e=_has_own_e(walk))


def _bare_operands(operation: Operation) -> float:
    """The number of first operands that may be negative numbers without parentheses."""
    if not operation.symbol or operation is DIV:
        return inf
    return int(operation.precedence < PREFIX["-"].precedence)


def _rules(walk: Walkthrough, step: BackwardStep) -> Mapping[int, str]:
    """The local derivatives of a step: place → formula."""
    count = len(walk.graph.arguments[step.node])
    wanted = {link.place for link in step.contributions}
    local = walk.explanation.derivatives.partials_graph(step.node, tuple(place in wanted for place in range(count)))
    names = {
        leaf: LatexText(_name(walk, node))
        for leaf, node in local.leaves.items()
        if local.graph.operations[leaf] is INPUT
    }
    own_e = _has_own_e(walk)
    return {place: formula(local.graph, local.partials[place], names, own_e=own_e) for place in wanted}


def _partial(walk: Walkthrough, link: Contribution) -> str:
    return rf"\frac{{\partial {_name(walk, link.result)}}}{{\partial {_name(walk, link.argument)}}}"


# ---- The walk --------------------------------------------------------------------------------------------------------


def _all_steps(walk: Walkthrough) -> Iterator[str]:
    yield from _forward(walk, walk.forward_nodes, "Forward: the values")
    yield r"\subsection*{Backward: the gradients}"
    yield with_names(walk, sentences.chain_rule(walk, "`{}`".format))
    steps = [step for step in walk.explanation.steps if step.contributions]
    if steps:
        yield "\\begin{align*}\n" + "\n".join(_step(walk, step) for step in steps) + "\n\\end{align*}"
    if walk.evaluation.wrt:
        yield r"\subsection*{The gradient}"
        yield aligned(_gradient(walk))


def _forward(walk: Walkthrough, nodes: Sequence[int], heading: str) -> Iterator[str]:
    yield rf"\subsection*{{{heading}}}"
    yield aligned(_value(walk, node) for node in nodes)
    yield from (sentence(remark) for node in nodes if (remark := value_remark(walk, node)))


def _value(walk: Walkthrough, node: int) -> str:
    forms = [figure(walk, walk.evaluation.values[node]).text]
    if walk.graph.arguments[node]:
        forms = [_operation(walk, node), _operation(walk, node, filled=True), *forms]
    if derivative := walk.derivatives.get(node):
        forms.insert(0, _derivative(walk, derivative))
    return f"{_name(walk, node)} &= {' = '.join(dict.fromkeys(forms))}"


def _derivative(walk: Walkthrough, text: str) -> str:
    """A derivative of the source, `D(u, x, 2)` or `D(u, w)[1]`, as a fraction; as code where it is of an expression."""
    parts = _DERIVATIVE.fullmatch(text)
    if parts is None:
        return rf"\text{{{prose(f'`{text}`')}}}"
    value, name, order, place = parts.groups()
    name += place
    power = f"^{{{order}}}" if order and order != "1" else ""
    return rf"\frac{{\partial{power} {walk.symbols.name(value)}}}{{\partial {walk.symbols.name(name)}{power}}}"


def _step(walk: Walkthrough, step: BackwardStep) -> str:
    """A node with its gradient and the remarks on it as a line of words, then a line for each argument."""
    operation = f"${_name(walk, step.node)} = {_operation(walk, step.node)}$"
    total = _total(walk, step.node, step.adjoint)
    notes = "".join(f" {sentence(remark)}" for remark in step_remarks(walk, step))
    words = rf"\intertext{{{operation}, gradient ${total}${'.' * bool(notes)}{notes}}}"
    if not step.adjoint:
        return words
    rules, adjoint = _rules(walk, step), figure(walk, step.adjoint).text
    lines = (_contribution(walk, link, rules[link.place], adjoint) for link in step.contributions)
    return words + "\n" + " \\\\\n".join(lines)


def _total(walk: Walkthrough, node: int | None, gradient: float) -> str:
    """The gradient of a node, after the terms that it is the sum of, where there are several."""
    total, terms = figure(walk, gradient), [figure(walk, link.product) for link in walk.terms(node)]
    return f"{' + '.join([terms[0].text, *map(enclosed, terms[1:])])} = {total.text}" if len(terms) > 1 else total.text


def _contribution(walk: Walkthrough, link: Contribution, rule: str, adjoint: str) -> str:
    local, product = figure(walk, link.local), figure(walk, link.product)
    forms = " = ".join(dict.fromkeys([rule, local.text]))
    return (
        rf"{_partial(walk, link)} &= {forms} & {adjoint} \cdot {enclosed(local)} &= {product.text}"
        rf" \quad \text{{to }} {_name(walk, link.argument)}"
    )


def _gradient(walk: Walkthrough) -> Iterator[str]:
    for name, partial in walk.evaluation.gradient.items():
        total = _total(walk, walk.evaluation.nodes[name], partial)
        input_ = walk.symbols.name(walk.shortened_name(name))
        yield rf"\frac{{\partial {_name(walk, walk.output)}}}{{\partial {input_}}} &= {total}"


# ---- Paths -----------------------------------------------------------------------------------------------------------


def _paths(walk: Walkthrough) -> Iterator[str]:
    yield from _forward(walk, sentences.nodes_on_paths(walk), "The values on the way")
    steps = {step.node: step for step in walk.explanation.steps}
    for paths in walk.paths:
        yield rf"\subsection*{{With respect to ${_name(walk, paths.node)}$}}"
        yield with_names(walk, sentences.introduction(walk, paths, "`{}`".format))
        yield from (_path(walk, path, steps) for path in paths.shown if path.links)
        yield from map(sentence, sentences.remarks_on_paths(walk, paths))
        yield from map(prose, sentences.conclusion(walk, paths))


def _path(walk: Walkthrough, path: GradientPath, steps: Mapping[int, BackwardStep]) -> str:
    """The product along a path in its forms, one below the other; of a long path only the factors at its ends."""
    links = sentences.shortened(path.links, [])
    rules = [_rules(walk, steps[link.result])[link.place] for link in links]
    if len(links) > 1:
        rules = [
            rule if link.binding >= FACTOR else rf"\left({rule}\right)" for rule, link in zip(rules, links, strict=True)
        ]
    total, numbers = figure(walk, path.product), [figure(walk, link.local) for link in links]
    factors = ([_partial(walk, link) for link in links], rules, [numbers[0].text, *map(enclosed, numbers[1:])])
    hidden = len(path.links) - len(links)
    middle = [rf"\cdots \text{{({hidden:,} more)}} \cdots"] if hidden else []
    half = len(links) // 2 if hidden else len(links)
    forms = [_broken([*parts[:half], *middle, *parts[half:]]) for parts in factors]
    return aligned(
        f"&{equal} {form}" for equal, form in zip(["", *"==="], dict.fromkeys([*forms, total.text]), strict=False)
    )


def _broken(factors: Sequence[str]) -> str:
    """A product, on several lines where it is long."""
    lines = [r" \cdot ".join(factors[at : at + _MOST_FACTORS]) for at in range(0, len(factors), _MOST_FACTORS)]
    return " \\\\\n&\\quad \\cdot ".join(lines)
