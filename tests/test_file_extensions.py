"""Every command with every file extension: what it writes is what the extension says, or there is no file."""

import gc
import gzip
import io
import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from click.testing import CliRunner

from autodiff_cli import file_extensions
from autodiff_cli.cli import COMMANDS, group
from autodiff_cli.errors import USAGE, AutodiffError

pytestmark = [
    pytest.mark.slow,
    # a command that ends with an error leaves the data open, which the end of its process closes:
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]

REPORT = ("text", "json", "csv", "tsv", "jsonl")
ROWS = ("text", "json", "csv", "tsv", "jsonl", "parquet", "arrow", "arrows")
PICTURES = ("svg", "png", "pdf")
WRITTEN: dict[str, tuple[str, ...]] = {
    "eval x*y --set x=1 y=2": REPORT,
    "eval x*y --set x=1 y=2 --check": REPORT,
    "eval x*y --set x=1 y=2 --hessian": REPORT,
    "eval x*y --set x=1 y=2 --direction x=1": REPORT,
    "eval x^2 --set x=1 --order 2": REPORT,
    "eval a=x^2;b=x*a --set x=1 --output a,b": REPORT,
    "eval --each -f formulas.txt --set x=1": REPORT,
    "eval x*y --data rows.csv": ROWS,
    "eval x*y --data rows.csv --hessian": ROWS,
    "eval x*y --data rows.csv --reduce mean": REPORT,
    "eval x*y --over x=0:1:1 y=1:2:1": ROWS,
    "convert --from python 2*x": ("text", "expr"),
    "diff x^2": ("text", "expr", "latex", "json", "jsonl"),
    "taylor exp(x) --at 0": REPORT,
    "check x^2 --set x=1": REPORT,
    "check x*y --data rows.csv": REPORT,
    "check x^2 --set x=1 --sweep": REPORT,
    "verify x^2 2*x --wrt x --points 3": ("text", "json", "jsonl"),
    "functions": ("text", "json", "jsonl"),
    "export x^2": ("c", "python", "javascript", "rust", "fortran", "julia", "latex", "sql"),
    "graph x*y": ("text", *PICTURES, "dot", "mermaid", "html"),
    "explain x*y --set x=1 y=2": ("text", "markdown", "json", "jsonl", "latex", "html"),
    "plot x^2 --over x=0:1 --points 10": ("text", *PICTURES),
    "minimize x^2 --start x=1": (*REPORT, *PICTURES),
    "solve x^2-2 --between 0:2": (*REPORT, *PICTURES),
    "fit a*x --data rows.csv --response y --start a=1": (*REPORT, *PICTURES),
    "uncertainty x*y --set x=1±0.1 y=2": (*REPORT, *PICTURES),
    "uncertainty x*z --data rows.csv --set z=2±0.1": ROWS,
    "sensitivity x*y --set x=1 y=2": (*REPORT, *PICTURES),
    "sensitivity x*y --data rows.csv": ROWS,
}
"""the words of a command → the formats that it writes; numpy has no extension of its own"""

FILES = {"rows.csv": "x,y\n1,2\n3,4\n4,6\n", "formulas.txt": "x^2\nsin(x)\n"}
UNKNOWN = (".xlsx", ".parquett", ".7z", ".v2")


def _is_json(data: bytes) -> bool:
    lines = [data] if data.startswith((b"{\n", b"[\n")) else data.splitlines()
    return all(isinstance(json.loads(line), dict | list) for line in lines)


def _is_table(delimiter: bytes) -> Callable[[bytes], bool]:
    return lambda data: len({line.count(delimiter) for line in data.splitlines()}) == 1 and "─" not in data.decode()


def _is_text(data: bytes) -> bool:
    return bool(data.decode().strip()) and not data.startswith((b"{", b"<", b"digraph"))


def _is_arrow_stream(data: bytes) -> bool:
    from pyarrow import ipc

    return ipc.open_stream(io.BytesIO(data)).read_all().num_rows > 0


IS: dict[str, Callable[[bytes], bool]] = {
    "text": _is_text,
    "expr": lambda data: data == b"2*x\n",
    "json": _is_json,
    "jsonl": lambda data: all(line.startswith(b"{") for line in data.splitlines()) or _is_json(data),
    "csv": _is_table(b","),
    "tsv": _is_table(b"\t"),
    "parquet": lambda data: data.startswith(b"PAR1") and data.endswith(b"PAR1"),
    "arrow": lambda data: data.startswith(b"ARROW1"),
    "arrows": _is_arrow_stream,
    "markdown": lambda data: b"\n#" in b"\n" + data,
    "latex": lambda data: b"\\" in data,
    "html": lambda data: data.lower().startswith(b"<!doctype html"),
    "svg": lambda data: b"</svg>" in data,
    "png": lambda data: data.startswith(b"\x89PNG"),
    "pdf": lambda data: data.startswith(b"%PDF"),
    "dot": lambda data: data.startswith(b"digraph"),
    "mermaid": lambda data: b"flowchart" in data,
    "c": lambda data: b"double" in data,
    "python": lambda data: b"def " in data,
    "javascript": lambda data: b"function " in data,
    "rust": lambda data: b"fn " in data,
    "fortran": lambda data: b"subroutine" in data.lower(),
    "julia": lambda data: b"function " in data,
    "sql": lambda data: b"SELECT" in data,
}


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    for name, text in FILES.items():
        Path(name).write_text(text)
    yield
    gc.collect()  # so that no later test is told of the files left open


def _written(words: str, extension: str) -> bytes | AutodiffError:
    """The file with that extension that the command writes, or the error in place of it."""
    out = Path("out" + extension)
    result = CliRunner().invoke(group, [*words.split(), "-o", str(out)])
    if result.exception is None or isinstance(result.exception, SystemExit):
        return out.read_bytes()
    assert isinstance(result.exception, AutodiffError), f"{extension}: {result.exception!r}"
    assert not out.exists()
    return result.exception


def test_no_command_that_writes_a_file_is_left_out() -> None:
    assert {words.split()[0] for words in WRITTEN} == {*COMMANDS} - {"completion", "repl"}


@pytest.mark.parametrize("words", WRITTEN)
def test_a_file_is_what_its_extension_says_or_the_error_lists_those_that_can_be_written(words: str) -> None:
    for extension, format_ in [
        *file_extensions.FORMATS.items(),
        (".JSON", "json"),
        *((extension, "") for extension in UNKNOWN),
    ]:
        written = _written(words, extension)
        if format_ in WRITTEN[words]:
            assert isinstance(written, bytes), f"{extension}: {written}"
            assert IS[format_](written), f"{extension}: {written[:200]!r}"
        else:
            assert isinstance(written, AutodiffError), f"{extension}: {written[:200]!r}"
            assert written.code == USAGE
            assert f"cannot be a {extension} file" in written.message
            possible = written.hint.partition(";")[0].removeprefix("it can be ").replace(" or ", ", ").split(", ")
            listed = {file_extensions.FORMATS[other] for other in possible}
            # One point in a file .jsonl is JSON, and rows in a file .txt are CSV: neither is listed.
            assert listed | {"json", "jsonl"} | ({"text"} if "parquet" in listed else set()) >= {*WRITTEN[words]}
            assert listed <= {*WRITTEN[words], "text"}


@pytest.mark.parametrize("words", WRITTEN)
def test_only_rows_are_compressed(words: str) -> None:
    for extension in (".csv.gz", ".json.gz", ".parquet.gz", ".txt.gz", ".svg.gz", ".gz"):
        written = _written(words, extension)
        if WRITTEN[words] == ROWS and not extension.startswith((".parquet", ".svg")):
            assert isinstance(written, bytes), f"{extension}: {written}"
            assert IS["jsonl" if "json" in extension else "csv"](gzip.decompress(written))
        else:
            assert isinstance(written, AutodiffError), extension
            assert written.code == USAGE


def test_an_option_for_the_format_has_precedence_over_the_extension() -> None:
    CliRunner().invoke(
        group, ["eval", "x", "--set", "x=1", "--format", "csv", "-o", "out.xlsx"], catch_exceptions=False
    )
    assert Path("out.xlsx").read_text().startswith("name,value,grad")
