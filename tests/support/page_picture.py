"""The pictures of the page in the README and the manual: `python tests/support/page_picture.py` writes them.

They go to docs/pictures: `page.png` is the page of the neuron on the way back, the others show it in its modes.
"""

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from browser import Shown, browser, shown
from places import EXAMPLES, ROOT

from autodiff_cli import parse
from autodiff_cli.evaluation import Evaluation, evaluate
from autodiff_cli.explain.page.data_rows import DataRows

FOLDER = ROOT / "docs/pictures"
STEP = "backward 3 of 6"
ROWS = DataRows(("x", "y"), [(0.0, 1.1), (1.0, 2.9), (2.0, 5.2), (3.0, 6.8)])


def _neuron() -> Evaluation:
    path = EXAMPLES / "neuron.expr"
    return evaluate(parse(path.read_text(encoding="utf-8"), path.name), {})


def _two_paths() -> Evaluation:
    return evaluate(parse("d = a*b; e = a + b; f = d*e", "two_paths"), {"a": -2, "b": 3})


def _line() -> Evaluation:
    return evaluate(parse("(w*x + b - y)^2", "line"), {"w": 0, "b": 0, **ROWS.first})


def _network() -> Evaluation:
    calls = "h1 = neuron(x, y, 0.5, -1); h2 = neuron(y, x, w1, w2); out = neuron(h1, h2, w1, 2)"
    text = f"neuron(a, b, w, u) = tanh(w*a + u*b)\n{calls}"
    return evaluate(parse(text, "network"), {"x": 1, "y": -0.5, "w1": 0.75, "w2": 0.25})


def _go(page: Shown) -> None:
    while page.progress != STEP:
        page.press("ArrowRight")


def _present(page: Shown) -> None:
    _go(page)
    page.press("p")


def _paths(page: Shown) -> None:
    page.page.click("#mode-paths")
    page.page.hover("[data-name=a]")


def _wiggle(page: Shown) -> None:
    page.page.click("#mode-wiggle")
    for _ in range(3):
        page.page.get_by_role("button", name="h ÷ 10").click()


def _downhill(page: Shown) -> None:
    page.page.click("#mode-downhill")
    page.page.select_option("select[aria-label=rows]", "mean")
    page.page.get_by_role("button", name="10 steps").click()


def _predict(page: Shown) -> None:
    page.page.click("#mode-predict")
    for answer in ("-6", "5"):
        page.page.fill(".predict input", answer)
        page.press("Enter")


def _unfold(page: Shown) -> None:
    with page.page.expect_event("load"):
        page.page.get_by_role("button", name="Unfold tanh").click()
    page.press("End")
    page.press("ArrowLeft", 8)


def _fold(page: Shown) -> None:
    with page.page.expect_event("load"):
        page.page.get_by_role("button", name="Fold neuron").click()
    page.press("End")
    page.press("ArrowLeft")
    page.page.click("#fit")


def _bug(page: Shown) -> None:
    page.page.goto(f"{page.address}#mode=bug%3A5")
    page.page.reload()
    page.page.click("[data-name=d]")
    page.page.get_by_role("button", name="The mistake is here").click()


PICTURES: dict[str, tuple[Callable[[], Evaluation], Callable[[Shown], None]]] = {
    "page": (_neuron, _go),
    "page-presenting": (_neuron, _present),
    "page-paths": (_two_paths, _paths),
    "page-wiggle": (_two_paths, _wiggle),
    "page-downhill": (_line, _downhill),
    "page-predict": (_two_paths, _predict),
    "page-unfolded": (_neuron, _unfold),
    "page-folded": (_network, _fold),
    "page-bug": (_two_paths, _bug),
}


def write(chromium: Any, name: str) -> None:
    """Show what the picture of that name shows, and take it."""
    evaluation, show = PICTURES[name]
    width, height = (1280, 800) if name in ("page", "page-folded") else (1024, 600)
    with TemporaryDirectory() as folder:
        rows = ROWS if name == "page-downhill" else None
        page = shown(chromium, evaluation(), Path(folder), rows=rows, viewport={"width": width, "height": height})
        show(page)
        page.page.screenshot(path=FOLDER / f"{name}.png", animations="disabled")


if __name__ == "__main__":
    with browser() as chromium:
        for name in PICTURES:
            write(chromium, name)
