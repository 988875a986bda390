"""The parts of the page that need no script: the formula and the table, as HTML."""

from collections.abc import Iterator
from html import escape

from ...notation import decimal
from .data import Subject


def formula(subject: Subject) -> str:
    """A list item for each line of the source."""
    return "".join(f"<li><code>{escape(line)}</code></li>\n" for line in subject.listing.text.split("\n"))


def table(subject: Subject) -> str:
    """A row for each node; the output is the last."""
    return "".join(f'<tr id="row-{node}">{"".join(_cells(subject, node))}</tr>\n' for node in subject.order)


def _cells(subject: Subject, node: int) -> Iterator[str]:
    evaluation = subject.explanation.evaluation
    name, formula = subject.names[node][0], subject.formula(node)
    text = f'<button type="button" tabindex="-1">{escape(name)}</button>'
    if node not in evaluation.program.graph.labels and formula != name:
        text += f"<code>{escape(formula)}</code>"
    yield f'<th scope="row">{text}</th>'
    yield f'<td class="operation">{escape(subject.operation(node))}</td>'
    for heading, number in (("data", evaluation.values[node]), ("grad", evaluation.adjoints[node])):
        yield f'<td class="{heading}">{decimal(number, subject.precision)}</td>'
