"""Every block in the README and the documentation does what it shows."""

import doctest
import importlib
import inspect
import re
from pathlib import Path
from types import ModuleType
from typing import Any

import console
import pytest
from places import BLOCK, ROOT

import autodiff_cli
from autodiff_cli import api, value
from autodiff_cli.operations import FUNCTIONS
from hatch_build import PackageReadme

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
LINKED = [*PAGES, *(ROOT / name for name in ("llms.txt", "CONTRIBUTING.md", "CHANGELOG.md", "benchmarks/README.md"))]


class LastDigits(doctest.OutputChecker):
    """Takes what differs in the last digits alone for equal, as vector instructions may make them differ."""

    def check_output(self, want: str, got: str, optionflags: int) -> bool:
        """Whether this is what an example is to print."""
        same = console.matches(want.splitlines(), got.splitlines(), exact=False)
        return same or super().check_output(want, got, optionflags)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_blocks(page: Path, tmp_path: Path) -> None:
    for name in ("examples", "benchmarks"):
        (tmp_path / name).symlink_to(ROOT / name)
    names: dict[str, object] = {}  # what the blocks of Python above have defined
    for kind, text in BLOCK.findall(page.read_text(encoding="utf-8")):
        if kind == "console":
            assert console.check(text, tmp_path) > 0
        elif kind == "repl":
            assert console.check_prompt(text, tmp_path) > 0
        elif kind == "python":
            test = doctest.DocTestParser().get_doctest(text, names, page.name, str(page), 0)
            assert test.examples, f"a python block without an example:\n{text}"
            assert doctest.DocTestRunner(LastDigits(), verbose=False).run(test, clear_globs=False).failed == 0
            names |= test.globs
        else:
            assert kind in ("sh", "text", "yaml"), f"a block that nothing runs: {kind}"


@pytest.mark.parametrize("page", LINKED, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\(([^)\s]+)\)", _prose(page)):
        if not link.startswith("https:"):
            path, _, heading = link.partition("#")
            target = (page.parent / path).resolve() if path else page
            assert target.exists(), link
            assert not heading or heading in _anchors(target), link


@pytest.mark.parametrize("page", sorted((ROOT / "docs").glob("*.md")), ids=lambda page: page.name)
def test_a_page_begins_with_an_example(page: Path) -> None:
    introduction = page.read_text(encoding="utf-8").partition("```")[0]
    assert len(introduction.split()) < (100 if page.name == "architecture.md" else 65)


def test_the_changes_since_the_last_release_are_read_in_minutes() -> None:
    changes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("## Unreleased")[2].partition("\n## ")[0]
    assert len(changes.split()) < 4000, "say what a user notices, and sum up what has one cause"


@pytest.mark.slow
def test_the_commands_of_the_summary_for_machines_work(tmp_path: Path) -> None:
    (tmp_path / "points.csv").write_text("a,b\n1,2\n", encoding="utf-8")
    commands = re.findall(r"`(autodiff [^`]+)`", (ROOT / "llms.txt").read_text(encoding="utf-8"))
    assert len(commands) > 5
    for command in commands:
        assert console.run(command, tmp_path)[2] == 0, command


def _prose(page: Path) -> str:
    return BLOCK.sub("", page.read_text(encoding="utf-8"))


def _anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, as the forges make them."""
    headings = re.findall(r"^#+ (.+)$", _prose(page), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def test_the_two_commands_of_the_readme_are_what_ci_runs() -> None:
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    install, tests = (text.strip() for kind, text in BLOCK.findall(readme) if kind == "sh")
    ci = (ROOT / ".ci/run").read_text(encoding="utf-8")
    assert install in ci
    assert tests in ci


def test_the_figures_of_the_readme_are_those_that_were_measured() -> None:
    pages = ("benchmarks/RESULTS.md", "docs/background/rules.md", "docs/background/gradient-check.md")
    measured = "".join((ROOT / page).read_text(encoding="utf-8") for page in pages)
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    rows = readme.partition("## Compared with other tools")[2].split("\n\n")[1].splitlines()[2:]
    cells = "".join(cell for row in rows for cell in row.split("|")[2:4])
    figures = re.findall(r"\d(?:[\d,.]*\d)?(?: of 50| ms)?", cells)
    assert len(figures) > 10
    assert [figure for figure in figures if not re.search(rf"(?<![\d,.]){re.escape(figure)}(?!\d)", measured)] == []


def test_the_links_of_the_package_s_description_lead_to_the_repository() -> None:
    metadata: dict[str, Any] = {"urls": {"Repository": "https://example.org/autodiff"}}
    PackageReadme(str(ROOT), {}).update(metadata)
    links = re.findall(r"\]\(([^)]+)\)", metadata["readme"]["text"])
    assert "https://example.org/autodiff/raw/main/docs/pictures/page.png" in links
    assert "https://example.org/autodiff/blob/main/docs/README.md" in links
    assert all(link.startswith(("https://", "#")) for link in links)


def test_the_page_on_python_names_every_public_name() -> None:
    words = set(re.findall(r"\w+", (ROOT / "docs/python.md").read_text(encoding="utf-8")))
    assert {name for name in autodiff_cli.__all__ if not name.startswith("_")} <= words


def test_dir_lists_every_public_name_once() -> None:
    assert autodiff_cli.gradient is not None  # it is loaded
    names = dir(autodiff_cli)
    assert len(names) == len(set(names))
    assert {*autodiff_cli.__all__} <= {*names}


def test_the_functions_of_the_package_describe_their_options() -> None:
    for name in autodiff_cli.__all__:
        function = getattr(autodiff_cli, name)
        for parameter in inspect.signature(function).parameters.values() if inspect.isfunction(function) else ():
            if parameter.kind is parameter.KEYWORD_ONLY or parameter.name == "wrt":
                assert re.search(rf"`{parameter.name}\b", function.__doc__ or ""), (name, parameter.name)


def test_the_types_of_results_are_in_one_place() -> None:
    pytest.importorskip("scipy")
    known = {"Any", "Program", "Frame", *importlib.import_module("autodiff_cli.types").__all__}
    functions = filter(inspect.isfunction, (getattr(autodiff_cli, name) for name in autodiff_cli.__all__))
    named = [re.findall(r"\b[A-Z]\w*", str(function.__annotations__["return"])) for function in functions]
    assert set().union(*named) <= known


@pytest.mark.parametrize("page", ["CONTRIBUTING.md", "docs/architecture.md"])
def test_the_pages_for_developers_name_files_that_exist(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    paths = re.findall(r"[\w./*-]*\w(?:/|\.(?:py|js|lark|md|txt))(?![\w/*])", text)
    found = {path: [*ROOT.glob(path), *(ROOT / "autodiff_cli").rglob(path.rstrip("/"))] for path in paths}
    assert [path for path, files in found.items() if not files] == []
    for name, path in re.findall(r"`(\w+)` in\s`([\w/]+\.py)`", text):
        defined = found[path][0].read_text(encoding="utf-8")
        assert re.search(rf"^(class |def )?{name}\b", defined, re.MULTILINE), f"{name} in {path}"


def test_the_index_and_the_summary_for_machines_name_every_page() -> None:
    pages = {str(page.relative_to(ROOT)) for page in PAGES} - {"README.md", "docs/README.md"}
    index = set(re.findall(r"\(([\w/.-]+\.md)[)#]", (ROOT / "docs/README.md").read_text(encoding="utf-8")))
    assert {f"docs/{link}" for link in index if not link.startswith("../")} == pages
    summary = (ROOT / "llms.txt").read_text(encoding="utf-8")
    assert [page for page in sorted(pages) if f"({page})" not in summary and "background" not in page] == []


def test_the_page_on_the_language_names_every_function() -> None:
    words = set(re.findall(r"\w+", (ROOT / "docs/language.md").read_text(encoding="utf-8")))
    assert {row.called for rows in FUNCTIONS.values() for row in rows} <= words


@pytest.mark.parametrize("module", [autodiff_cli, api, value], ids=lambda module: module.__name__)
def test_examples_in_docstrings(module: ModuleType) -> None:
    result = doctest.testmod(module)
    assert result.attempted > 0
    assert result.failed == 0


def test_the_functions_of_the_package_work_more_than_once() -> None:
    for _ in range(2):
        assert [verdict.verdict for verdict in autodiff_cli.check("x*y", {"x": 1, "y": 2})] == ["ok", "ok"]
