"""The walkthrough as Markdown: tables whose formulas are code, so that nothing in them is read as markup."""

import re
from collections.abc import Iterator, Sequence
from typing import TextIO

from ..chain_rule import BackwardStep
from ..gradient_paths import GradientPath
from ..step_remarks import step_remarks, value_remark
from ..walkthrough import Walkthrough
from . import sentences


def write(walk: Walkthrough, out: TextIO) -> None:
    """Write the walkthrough."""
    parts = _paths(walk) if walk.paths else _all_steps(walk)
    heading = f"# The gradient of {code(walk.name(walk.output))}"
    statements = "\n".join(f"    {statement}" for statement in sentences.statements(walk))
    out.write("\n\n".join([heading, statements, *parts]) + "\n")


def code(text: str) -> str:
    """A formula as code, in which nothing is markup."""
    longest = max((len(run) for run in re.findall("`+", text)), default=0)
    fence = "`" * (longest + 1)
    gap = " " * (longest > 0)
    return f"{fence}{gap}{text}{gap}{fence}"


def _table(headings: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str] = ()) -> str:
    """A table; the columns with the headings in `right` are aligned to the right."""
    dashes = ["---:" if heading in right else "---" for heading in headings]
    texts = [[cell.replace("|", r"\|") for cell in row] for row in rows]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in (headings, dashes, *texts))


def _remark(text: str) -> str:
    return "> " + sentences.typeset(text, _plain, code)


def _plain(text: str) -> str:
    return re.sub(r"([\\`*_\[\]<>#&$~])", r"\\\1", text)


# ---- The walk --------------------------------------------------------------------------------------------------------


def _all_steps(walk: Walkthrough) -> Iterator[str]:
    yield from _forward(walk, walk.forward_nodes, "Forward: the values")
    yield from _backward(walk)
    yield from _gradient(walk) if walk.evaluation.wrt else ()


def _forward(walk: Walkthrough, nodes: Sequence[int], heading: str) -> Iterator[str]:
    yield f"## {heading}"
    rows = [_value(walk, node) for node in nodes]
    yield _table(("value", "is", "with numbers", "result"), rows, right=("result",))
    yield from (_remark(remark) for node in nodes if (remark := value_remark(walk, node)))


def _value(walk: Walkthrough, node: int) -> list[str]:
    name, result = code(walk.name(node)), walk.figure(walk.evaluation.values[node])
    if not walk.graph.arguments[node]:
        return [name, "input" if walk.evaluation.is_input(node) else "constant", "", result]
    forms = [walk.derivatives[node]] if node in walk.derivatives else []
    return [name, code(" = ".join([*forms, walk.formula(node)])), code(walk.filled(node)), result]


def _backward(walk: Walkthrough) -> Iterator[str]:
    yield "## Backward: the gradients"
    yield _plain(sentences.chain_rule(walk))
    steps = [step for step in walk.explanation.steps if step.contributions]
    headings = ("from", "gradient", "local derivative", "number", "passed on", "to")
    rows = [row for step in steps for row in _step(walk, step)]
    if rows:
        yield _table(headings, rows, right=("gradient", "number", "passed on"))
    yield from (_remark(remark) for step in steps for remark in step_remarks(walk, step))


def _step(walk: Walkthrough, step: BackwardStep) -> list[list[str]]:
    """A row for each argument, the first of which shows the gradient as a sum."""
    name, gradient = code(walk.name(step.node)), walk.figure(step.adjoint)
    if not step.adjoint:
        return [[name, gradient, "", "", "nothing", ""]]
    products = [link.product for link in walk.terms(step.node)]
    total = f"{walk.added(products)} = {gradient}" if len(products) > 1 else gradient
    rows: list[list[str]] = []
    for link in step.contributions:
        argument, sum_or_gradient = walk.name(link.argument), gradient if rows else total
        rule = code(f"∂{walk.name(step.node)}/∂{argument} = {walk.rule(link)}")
        rows.append([name, sum_or_gradient, rule, walk.figure(link.local), walk.figure(link.product), code(argument)])
    return rows


def _gradient(walk: Walkthrough) -> Iterator[str]:
    yield "## The gradient"
    rows = []
    for name, partial in walk.evaluation.gradient.items():
        terms = walk.terms(walk.evaluation.nodes[name])
        listed = ", ".join(f"{walk.figure(link.product)} from {code(walk.name(link.result))}" for link in terms)
        rows.append([code(walk.shortened_name(name)), walk.figure(partial), listed])
    yield _table(("input", "gradient", "sum of"), rows, right=("gradient",))


# ---- Paths -----------------------------------------------------------------------------------------------------------


def _paths(walk: Walkthrough) -> Iterator[str]:
    yield from _forward(walk, sentences.nodes_on_paths(walk), "The values on the way")
    for paths in walk.paths:
        yield f"## With respect to {code(walk.name(paths.node))}"
        yield _plain(sentences.introduction(walk, paths))
        rows = [_path(walk, path, paths.node) for path in paths.shown if path.links]
        yield from [_table(("path", "product", "result"), rows, right=("result",))] if rows else []
        yield from map(_remark, sentences.remarks_on_paths(walk, paths))
        yield from map(_plain, sentences.conclusion(walk, paths))


def _path(walk: Walkthrough, path: GradientPath, node: int) -> list[str]:
    forms = sentences.product(walk, path)[:-1] or [walk.rule(path.links[0])]
    return [code(sentences.names_on_path(walk, path, node)), code(" = ".join(forms)), walk.figure(path.product)]
