"""Pages in a real browser: Chromium without a window, driven by Playwright."""

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from autodiff_cli.evaluation import Evaluation
from autodiff_cli.explain.page.data_rows import DataRows
from autodiff_cli.explain.page.html import page as page_of

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
_SWITCHES = [
    "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
]  # fmt: skip
_NUMBERS = """() => [...document.querySelectorAll("#rows tbody tr")].map((row) =>
  [".data", ".grad"].map((kind) => row.querySelector(`td${kind}`).dataset.number))"""
_SET = """(given) => { for (const [name, text] of Object.entries(given)) {
  const field = [...document.querySelectorAll("#fields input")].find((one) => one.dataset.input === name);
  field.value = text;
  field.dispatchEvent(new Event("input"));
} }"""


@contextmanager
def browser() -> Iterator[Any]:
    """A browser; without one, or without Playwright, the test is skipped."""
    playwright = pytest.importorskip("playwright.sync_api", reason="needs Playwright")
    if CHROMIUM is None:
        pytest.skip("needs Chromium")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=CHROMIUM, args=_SWITCHES)
        yield running
        running.close()


class Shown:
    """An evaluation's page, open in a browser. Whatever the page complains about or asks for is written down."""

    def __init__(self, context: Any, file: Path) -> None:
        self.complaints: list[str] = []
        self.requests: list[str] = []
        self.page = context.new_page()
        self.page.on("console", lambda message: self.complaints.append(message.text))
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("dialog", lambda dialog: (self.complaints.append(f"a dialog: {dialog.message}"), dialog.dismiss()))
        self.page.on("request", lambda request: self.requests.append(request.url))
        self.address = file.as_uri()
        self.page.goto(self.address)

    def press(self, key: str, times: int = 1) -> None:
        """Press a key so many times."""
        for _ in range(times):
            self.page.keyboard.press(key)

    def text(self, selector: str) -> str:
        """The text of an element."""
        return str(self.page.inner_text(selector))

    @property
    def progress(self) -> str:
        """The name of the step."""
        return self.text("#progress")

    def type(self, given: dict[str, str]) -> None:
        """Type into the fields of inputs."""
        self.page.evaluate(_SET, given)

    def numbers(self) -> list[tuple[float | None, float | None]]:
        """The value and the gradient of each row with all digits; None where there is none yet."""
        return [(_number(value), _number(grad)) for value, grad in self.page.evaluate(_NUMBERS)]

    def nodes(self, selector: str) -> set[int]:
        """The nodes of the rows or of the boxes that match."""
        found = self.page.eval_on_selector_all(selector, "all => all.map((one) => one.id)")
        return {int(name.split("-")[1]) for name in found}


def _number(text: str | None) -> float | None:
    return float(text) if text else None


def shown(
    browser: Any,
    evaluation: Evaluation,
    folder: Path,
    precision: int = 4,
    rows: DataRows | None = None,
    **options: Any,
) -> Shown:
    """The page of an evaluation, in a context of its own with some options, such as `color_scheme="dark"`."""
    file = folder / "page.html"
    file.write_text(page_of(evaluation, precision, rows), encoding="utf-8", newline="")
    return Shown(browser.new_context(**{"reduced_motion": "reduce", **options}), file)
