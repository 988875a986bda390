"""Worksheets of `autodiff explain --worksheet`: every number that is asked for, and no other."""

import re
from pathlib import Path
from typing import Any

import pytest
from browser import browser

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.chain_rule import explain
from autodiff_cli.explain.node_names import short_names
from autodiff_cli.explain.page.worksheet import worksheet
from autodiff_cli.language import parse
from autodiff_cli.notation import decimal

_ROW = re.compile(r"<tr><td>(.*)</td></tr>")


def _evaluation() -> Evaluation:
    return evaluate(parse("d = a*b; e = a + b; f = d*e"), {"a": -2.125, "b": 3.25})


def _rows(html: str) -> list[list[str]]:
    return [row.split("</td><td>") for row in _ROW.findall(html)]


def test_a_blank_stands_wherever_the_solution_has_a_number() -> None:
    asked, solved = (_rows(worksheet(_evaluation(), solved=solved)) for solved in (False, True))
    for question, answer in zip(asked, solved, strict=True):
        assert len(question) == len(answer)
        for blank, number in zip(question, answer, strict=True):
            assert ("blank" in blank) == ("answer" in number)
            assert "answer" in number or blank == number


def test_the_answers_are_the_numbers_of_the_chain_rule() -> None:
    evaluation = _evaluation()
    answers = re.findall(r'class="answer">([^<]+)<', worksheet(evaluation, solved=True))
    links = [link for step in explain(evaluation, short_names(evaluation)).steps for link in step.contributions]
    expected = [evaluation.values[node] for node in evaluation.order if evaluation.program.graph.arguments[node]]
    expected += [number for link in links for number in (link.local, link.product)]
    expected += [evaluation.gradient[name] for name in ("a", "b")]
    assert [float(answer) for answer in answers] == [pytest.approx(float(decimal(one, 4))) for one in expected]


def test_the_graph_of_a_worksheet_shows_what_is_given_alone() -> None:
    numbers = re.findall(r'class="(data|grad)"[^>]*>([^<]+)<', worksheet(_evaluation()))
    assert numbers == [("data", "-2.1250"), ("data", "3.2500")]


def test_a_long_graph_is_folded_to_the_width_of_a_sheet() -> None:
    values = dict.fromkeys(("x", "w", "b", "v", "c", "t"), 0.5)
    html = worksheet(evaluate(parse("h = tanh(w*x + b); f = (tanh(v*h + c) - t)^2"), values))
    widths = [float(box.split()[2]) for box in re.findall(r'<svg viewBox="([^"]+)"', html)]
    assert len(widths) > 1
    assert max(widths) < 800
    assert html.count('class="data">0.5000') == len(values)


def test_an_operation_that_is_the_name_of_a_value_stands_there_once() -> None:
    rows = _rows(worksheet(evaluate(parse("y = a*b + c"), {"a": 2, "b": 3, "c": 1})))
    assert [row[:2] for row in rows if len(row) == 3][2::2] == [
        ["<code>a*b</code>", ""],
        ["<code>y</code>", "<code>a*b + c</code>"],
    ]


def test_the_graph_has_the_names_of_the_tables() -> None:
    html = worksheet(evaluate(parse("x = a*b; y = x; x = exp(x/2)^2; x*y"), {"a": 2, "b": 3}))
    drawn = re.findall(r'<g id="node-[^>]*>.*?<text[^>]*>([^<]*)', html, re.DOTALL)
    asked = [row[0].removeprefix("<code>").removesuffix("</code>") for row in _rows(html) if len(row) == 3]
    assert sorted({*drawn} - {"2"}) == sorted(asked)


def test_a_constant_is_not_called_an_input() -> None:
    rows = _rows(worksheet(evaluate(parse("y = pi*x"), {"x": 2})))
    assert [row[1] for row in rows if len(row) == 3][:2] == ["a constant", "an input"]


def test_hostile_text_stays_text() -> None:
    html = worksheet(evaluate(parse("# <script>alert(1)</script>\na*2", "<img src=x>"), {"a": 1}))
    assert "<script" not in html and "<img" not in html


@pytest.mark.slow
def test_a_worksheet_prints_on_two_pages(tmp_path: Path) -> None:
    sheet = tmp_path / "sheet.html"
    sheet.write_text(worksheet(_evaluation()), encoding="utf-8")
    with browser() as running:
        page: Any = running.new_page()
        page.goto(sheet.as_uri())
        assert 1 <= len(re.findall(rb"/Type\s*/Page\b", page.pdf(format="A4"))) <= 2
