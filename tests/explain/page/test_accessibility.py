"""A page of `autodiff explain --html` for those who do not see it: what is announced, and what axe-core finds."""

import os
from pathlib import Path
from typing import Any

import pytest
from browser import shown
from places import EXAMPLES

from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.page.html import MODES
from autodiff_cli.language import parse

pytestmark = pytest.mark.slow
AXE = next(
    (
        script
        for folder in os.environ.get("PATH", "").split(os.pathsep)
        if (script := Path(folder).parent / "axe-core/axe.min.js").is_file()
    ),
    None,
)
"""the script of axe-core, which npm puts beside the programs of the same folder"""


def _neuron() -> Evaluation:
    return evaluate(parse((EXAMPLES / "neuron.expr").read_text(encoding="utf-8"), "neuron.expr"), {})


@pytest.mark.skipif(AXE is None, reason="needs axe-core: npm install axe-core katex")
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_in_any_mode(scheme: str, chromium: Any, tmp_path: Path) -> None:
    assert AXE is not None
    page = shown(chromium, _neuron(), tmp_path, color_scheme=scheme)
    page.page.evaluate(AXE.read_text(encoding="utf-8"))
    for mode in MODES:
        page.page.click(f"#mode-{mode}")
        page.press("ArrowRight", 8)
        found = page.page.evaluate("axe.run()")["violations"]
        assert [(one["id"], one["nodes"][0]["html"]) for one in found if one["impact"] in ("serious", "critical")] == []


def test_every_box_announces_its_name_value_and_gradient(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path)
    boxes = page.page.locator(".node[role=button]")
    assert boxes.last.get_attribute("aria-label") == "o data grad"
    page.press("End")
    assert boxes.last.get_attribute("aria-label") == "o data 0.7071 grad 1.0000"
    assert boxes.first.get_attribute("aria-label") == "x1 data 2.0000 grad -1.5000"


def test_changes_are_announced_after_each_step_but_not_while_it_plays(chromium: Any, tmp_path: Path) -> None:
    page = shown(chromium, _neuron(), tmp_path)
    assert page.page.get_attribute("#panel", "aria-live") == "polite"
    page.press("Space")
    assert page.page.get_attribute("#panel", "aria-live") == "off"
