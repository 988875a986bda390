"""The file that `-o` names, and the format that its extension says."""

from functools import partial
from pathlib import Path

import pytest

from autodiff_cli.cli.output.output_file import format_of, redirected, write_bytes
from autodiff_cli.errors import AutodiffError

FORMATS = ("table", "json", "csv")


@pytest.mark.parametrize(
    ("format_", "out", "chosen"),
    [
        (None, None, "table"),
        (None, "-", "table"),
        (None, "report.csv", "csv"),
        (None, "REPORT.CSV", "csv"),
        (None, "report.jsonl", "json"),
        (None, "report", "table"),
        (None, "report.TXT", "table"),
        (None, "/dev/fd/3", "table"),
        ("json", "report.csv", "json"),
        ("json", "report.xlsx", "json"),
    ],
)
def test_the_extension_says_the_format_that_no_option_says(format_: str | None, out: str | None, chosen: str) -> None:
    assert format_of(format_, out, FORMATS) == chosen


@pytest.mark.parametrize("format_", [None, "json"])
@pytest.mark.parametrize("out", ["report.json.gz", "report.zst"])
def test_no_report_is_compressed(format_: str | None, out: str) -> None:
    with pytest.raises(AutodiffError, match="cannot be a"):
        format_of(format_, out, FORMATS)


def test_an_extension_of_no_format_is_an_error_that_lists_the_others() -> None:
    with pytest.raises(AutodiffError) as caught:
        format_of(None, "report.md", FORMATS)
    assert caught.value.message == "`-o report.md`: this result cannot be a .md file"
    assert caught.value.hint == "it can be .txt, .json or .csv"


@pytest.mark.parametrize("format_", [None, "json"])
def test_no_report_is_sent_to_a_url_whose_keys_are_not_shown(format_: str | None) -> None:
    url = "https://me:secret@host/report.json?key=secret"
    for write in (partial(format_of, format_, url, FORMATS), partial(write_bytes, b"", url), redirected(url).__enter__):
        with pytest.raises(AutodiffError, match=r"cannot write `https://host/report\.json`: it is a URL") as caught:
            write()
        assert "secret" not in str(caught.value)


def test_a_file_has_what_is_printed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with redirected(str(tmp_path / "out.txt")):
        print("θ", end="")  # noqa: T201  # it is what is redirected
    assert (tmp_path / "out.txt").read_bytes() == "θ".encode()
    assert capsys.readouterr().out == ""


def test_an_error_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    (tmp_path / "out.txt").write_text("before")
    with pytest.raises(ZeroDivisionError), redirected(str(tmp_path / "out.txt")):
        print(1 / 0)  # noqa: T201  # it is what is redirected
    assert [(path.name, path.read_text()) for path in tmp_path.iterdir()] == [("out.txt", "before")]
