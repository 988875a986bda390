"""One command line, run in this process, and everything that must hold for it."""

import csv
import gc
import io
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile
import time
import traceback
import warnings
from dataclasses import dataclass
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from types import FrameType
from typing import Any, NoReturn

from autodiff_cli import cli

from .commands import OUT, Case

CODES = range(6)
"""the exit codes that the help lists"""
SECONDS = 5.0
"""of processor time of an ordinary computer, for each kilobyte that the command is given"""
_LOOP, _ORDINARY = 10**6, 0.05
"""the turns of a loop in Python, and the seconds that an ordinary computer takes for it"""
_TIMES = 3  # that a case has to be too slow
_SLOWEST = 3  # times as slow as that, at most, is a computer on which this runs
MEGABYTES = 500
_GUARD = 4 * 2**30  # of writable memory, so that a case that asks for everything harms no other program
_SHORT_FORMATS = ("--json", "--csv", "--tsv", "--plain", "--value-only")
_ELSEWHERE = ("--each", "--help", "-h", "-o", "--out", "--compression")
"""options with which standard output is not the rows themselves"""
_COLOUR = re.compile(r"\x1b\[[0-9;]*m")
_WHOLE = {
    "check": (".json", ".csv", ".tsv"),
    "eval": (".json", ".csv", ".tsv", ".jsonl", ".parquet", ".arrow", ".arrows"),
    "explain": (".json", ".html"),
    "graph": (".svg", ".html", ".png", ".pdf"),
    "plot": (".svg", ".png", ".pdf"),
    "taylor": (".json", ".csv", ".tsv"),
}
"""extensions of files that can be read back: command → those that say the format of what it writes"""


@dataclass(frozen=True)
class Outcome:
    """The end of a case; `finding` is the fault of it, "" if there is none."""

    code: int | None
    seconds: float
    finding: str
    detail: str = ""


class _TooLong(BaseException):
    """Raised by the timer where the program is."""


class Runner:
    """Runs cases in this process, which it takes over: the streams, the working folder, the limits."""

    def __init__(self) -> None:
        for name in cli.COMMANDS:
            import_module(f"autodiff_cli.cli.{name}")
        self._streams = [os.memfd_create(name) for name in ("stdin", "stdout", "stderr")]
        self._report = os.fdopen(os.dup(2), "w")
        self._root = Path(tempfile.mkdtemp(prefix="fuzz-", dir="/dev/shm" if os.path.isdir("/dev/shm") else None))  # noqa: S108
        self._folder, self._temporary = self._root / "work", self._root / "tmp"
        os.environ.update(TMPDIR=str(self._temporary), HOME=str(self._root))
        tempfile.tempdir = None
        signal.signal(signal.SIGPROF, _stop)
        warnings.simplefilter("always", RuntimeWarning)
        resource.setrlimit(resource.RLIMIT_DATA, (_GUARD, _GUARD))
        self._count = 0

    def close(self) -> None:
        """Remove the folder."""
        os.chdir("/")
        shutil.rmtree(self._root, ignore_errors=True)

    def run(self, case: Case) -> Outcome:
        """Run a case and judge it; one that is too slow runs again, since a computer may be slower for a moment."""
        slowness = 0.0
        for _ in range(_TIMES):
            outcome = self._run(case, slowness)
            if outcome.finding != "slow":
                break
            slowness = _slowness()
        return outcome

    def _run(self, case: Case, slowness_before: float) -> Outcome:
        self._prepare(case)
        before = dict(os.environ)
        os.environ.update(case.environment)
        base = _resident(peak=False)
        Path("/proc/self/clear_refs").write_text("5")
        start = time.process_time()
        most = SECONDS * max(1.0, _size(case) / 1000)
        code, escaped = _ended(_SLOWEST * most)
        seconds = time.process_time() - start
        memory = _resident(peak=True) - base
        os.environ.clear()
        os.environ.update(before)
        out, error = (self._read(number) for number in (1, 2))
        finding, detail = escaped or _said(case, code, error) or self._left(case, code, out) or ("", "")
        if not finding and memory > MEGABYTES:
            finding, detail = "memory", f"{memory:.0f} MB"
        if not finding and seconds > most and seconds > most * (slowness := max(slowness_before, _slowness())):
            finding, detail = "slow", f"{seconds:.1f} s, on a computer that is {slowness:.1f} times as slow as others"
        self._count += 1
        if self._count % 50 == 0:
            gc.collect()
            gc.freeze()  # modules and what is kept from call to call: a fifth of the time went into looking at it again
        return Outcome(code, seconds, finding, detail)

    def _prepare(self, case: Case) -> None:
        os.chdir(self._root)
        for folder in (self._folder, self._temporary):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
        os.chdir(self._folder)
        for name, data in case.files.items():
            path = self._folder / name
            path.parent.mkdir(exist_ok=True)
            path.write_bytes(data)
        for number, stream in enumerate(self._streams):
            os.ftruncate(stream, 0)
            os.lseek(stream, 0, os.SEEK_SET)
            os.dup2(stream, number)
        os.write(0, case.stdin)
        os.lseek(0, 0, os.SEEK_SET)
        sys.stdin, sys.stdout, sys.stderr = (
            io.TextIOWrapper(open(number, mode, closefd=False), encoding="utf-8")  # noqa: SIM115  # until the next case
            for number, mode in enumerate(("rb", "wb", "wb"))
        )
        sys.argv = ["autodiff", *case.arguments]

    def _read(self, number: int) -> bytes:
        (sys.stdout if number == 1 else sys.stderr).flush()
        return os.pread(self._streams[number], os.fstat(self._streams[number]).st_size, 0)

    def _left(self, case: Case, code: int | None, out: bytes) -> tuple[str, str] | None:
        """The fault of the files that are there now, or of the printed text; None if there is none."""
        found = {str(path.relative_to(self._folder)): path for path in self._folder.rglob("*") if path.is_file()}
        for name, data in case.files.items():
            if name not in found or (found[name].read_bytes() != data and not name.startswith(OUT)):
                return "input changed", name
        for name, path in found.items():
            data = path.read_bytes()
            if data == case.files.get(name):
                continue
            if name.partition("/")[0] not in _named(case) or "/.autodiff-" in f"/{name}":
                return "file left behind", name
            options = {word.partition("=")[0] for word in case.arguments}
            if code not in (0, 3, 4) and not (code == 1 and {"--data", "--each"} & options):  # some rows have no result
                return "file written by a command that failed", f"{name}, exit code {code}"
            extension = f".{_format(case)}" if _format(case) else os.path.splitext(name)[1].lower()
            if name in _values(case, "--html", "--worksheet"):
                extension = ".html"
            elif name in _values(case, "--errors"):
                extension = ".csv"
            elif name.endswith((".gz", ".zst", ".bz2", ".lz4")):
                extension = ""
            if extension in _WHOLE.get(case.arguments[0], ()) and (problem := _incomplete(extension, data)):
                return "half a file", f"{name}: {problem}"
        if leftovers := [path.name for path in self._temporary.iterdir()]:
            return "file left behind", f"{leftovers} in the folder for temporary files"
        extension, elsewhere = f".{_format(case)}", {*_ELSEWHERE} & {word.partition("=")[0] for word in case.arguments}
        if code == 0 and out and not elsewhere and (problem := _incomplete(extension, out)):
            return f"{extension} that cannot be read", problem
        return None


def _slowness() -> float:
    """The time that this computer takes just now for what an ordinary one does in a second."""
    start, total = time.process_time(), 0
    for turn in range(_LOOP):
        total += turn
    return (time.process_time() - start) / _ORDINARY


def _stop(number: int, frame: FrameType | None) -> NoReturn:
    raise _TooLong


def _size(case: Case) -> int:
    """The number of bytes that a command is given."""
    return len(case.stdin) + sum(map(len, case.arguments)) + sum(map(len, case.files.values()))


def _ended(most: float) -> tuple[int | None, tuple[str, str] | None]:
    """Run the program for so many seconds at most; the exit code, or what came out of it in place of one."""
    signal.setitimer(signal.ITIMER_PROF, most, 1)
    try:
        try:
            cli.main()
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
    except SystemExit as end:
        return (end.code if isinstance(end.code, int) else None), None
    except _TooLong as error:
        return None, (
            f"slow: {sys.argv[1]} in {_place(error).partition('/')[0]}",
            f"more than {most:.0f} s, {_place(error)}",
        )
    except BaseException as error:  # whatever it is, it is a finding
        return None, (f"{type(error).__name__} in {_place(error)}", str(error)[:200])
    return None, ("no exit code", "")


def _place(error: BaseException) -> str:
    """The innermost function of the program in a traceback."""
    frames = [frame for frame in traceback.extract_tb(error.__traceback__) if "/autodiff_cli/" in frame.filename]
    return f"{frames[-1].filename.rpartition('/autodiff_cli/')[2]}:{frames[-1].name}" if frames else "?"


def _said(case: Case, code: int | None, error: bytes) -> tuple[str, str] | None:
    """The fault of the exit code and the messages; None if there is none."""
    text = error.decode("utf-8", "replace")
    if "always" in _values(case, "--color"):
        text = _COLOUR.sub("", text)
    if "Traceback" in text:
        frames = re.findall(r'/autodiff_cli/(\S+)", line \d+, in (\S+)', text)
        kind = next(
            (line for line in reversed(text.splitlines()) if re.match(r"[\w.]+(Error|Exception|Warning)\b", line)), "?"
        )
        return f"{kind.partition(':')[0]} in {':'.join(frames[-1]) if frames else '?'}", kind[:300]
    if code not in CODES:
        return f"exit code {code}", text[:300]
    if warning := re.search(r"^.*:\d+: \w*Warning: .*", text, re.MULTILINE):
        return f"warning {re.sub(r'.*/', '', warning[0])[:80]}", warning[0][:300]
    if strange := next((sign for sign in text if not sign.isprintable() and sign not in "\n\ufffd"), ""):
        return "a message with a control character", ascii(strange)
    if code in (1, 2, 3, 5) and "error: " not in text and "Usage: " not in text:
        return f"exit code {code} without an error", text[:300]
    if code == 0 and re.search(r"^error: ", text, re.MULTILINE):
        return "an error with exit code 0", text[:300]
    return None


def _format(case: Case) -> str:
    """The format that the last of the options for it asks for; "" without one."""
    asked = [""]
    for word, after in pairwise([*case.arguments, ""]):
        name, equals, value = word.partition("=")
        if word in _SHORT_FORMATS:
            asked.append(word.removeprefix("--"))
        elif name in ("--format", "--to"):
            asked.append(value if equals else after)
    return asked[-1]


def _named(case: Case) -> set[str]:
    """The files that the command may write."""
    return {
        os.path.normpath(name)
        for name in _values(case, "-o", "--out", "--html", "--tornado", "--worksheet", "--errors")
    }


def _values(case: Case, *options: str) -> list[str]:
    words = [*case.arguments, ""]
    following = [after for word, after in pairwise(words) if word in options]
    return following + [word.partition("=")[2] for word in words if word.partition("=")[0] in options and "=" in word]


def _incomplete(extension: str, data: bytes) -> str:
    """The reason why a file with that extension cannot be whole; "" if it can."""
    try:
        _read_back(extension, data)
    except Exception as error:  # each library has its own
        return f"{type(error).__name__}: {error}"[:200]
    return ""


def _read_back(extension: str, data: bytes) -> None:
    """Read a file as other programs do. Raises whatever they raise."""
    if extension == ".json":
        [
            json.loads(line, parse_constant=_refused)
            for line in ([data] if data.startswith((b"{\n", b"[\n")) else data.splitlines())
        ]
    elif extension == ".jsonl":
        [json.loads(line, parse_constant=_refused) for line in data.split(b"\n") if line]
    elif extension in (".csv", ".tsv"):
        text = data.decode(errors="surrogateescape")  # cells of CSV that the formula does not use stay as they are
        rows = [*csv.reader(io.StringIO(text, newline=""), delimiter="," if extension == ".csv" else "\t")]
        assert len({len(row) for row in rows if row}) <= 1, "rows of different length"
    elif extension in (".svg", ".html", ".pdf", ".png"):
        end = {".svg": b"</svg>", ".html": b"</html>", ".pdf": b"%%EOF", ".png": b"IEND\xaeB`\x82"}[extension]
        assert data.rstrip().endswith(end), f"does not end with {end!r}"
    elif extension in (".parquet", ".arrow", ".arrows"):
        import pyarrow
        from pyarrow import ipc, parquet

        source = pyarrow.BufferReader(data)
        {".parquet": parquet.read_table, ".arrow": _arrow(ipc.open_file), ".arrows": _arrow(ipc.open_stream)}[
            extension
        ](source)


def _arrow(reader: Any) -> Any:
    return lambda source: reader(source).read_all()


def _refused(word: str) -> NoReturn:
    raise ValueError(f"{word} is not JSON")


def _resident(*, peak: bool) -> float:
    """Megabytes of this process in memory, now or at the highest since that was reset."""
    field = "VmHWM:" if peak else "VmRSS:"
    with open("/proc/self/status", encoding="ascii") as file:
        return next(int(line.split()[1]) / 1024 for line in file if line.startswith(field))
