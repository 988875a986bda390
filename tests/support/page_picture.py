"""The picture in the README: the page of the neuron, on the way back.

`python tests/support/page_picture.py` writes it to docs/pictures/page.png.
"""

from pathlib import Path
from tempfile import TemporaryDirectory

from browser import browser, shown
from places import EXAMPLES, ROOT

from autodiff_cli import parse
from autodiff_cli.evaluation import evaluate

PICTURE = ROOT / "docs/pictures/page.png"
STEP = "backward 3 of 6"


def write() -> None:
    """Go to the step and take the picture."""
    path = EXAMPLES / "neuron.expr"
    program = parse(path.read_text(encoding="utf-8"), path.name)
    with TemporaryDirectory() as folder, browser() as chromium:
        page = shown(chromium, evaluate(program, {}), Path(folder), viewport={"width": 1280, "height": 800})
        while page.progress != STEP:
            page.press("ArrowRight")
        page.page.screenshot(path=PICTURE, animations="disabled")


if __name__ == "__main__":
    write()
