"""Run whole processes and measure them: wall time and peak memory.

A ratio is taken between medians of runs that were interleaved, so that whatever else the machine does meets both sides.
"""

import platform
import pstats
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from shutil import which
from statistics import median

ROOT = Path(__file__).parent.parent
CORPORA = ROOT.parent / "shared" / "corpora"
FUNCTIONS_SHOWN = 10
"""in a profile"""

# A process inherits the peak of the one that started it, so each is started by a bare interpreter, not by this one.
# It may keep to some of the cores; at a limit of seconds, or an interrupt, it ends with all that it has started.
_LAUNCHER = """
import os, signal, sys, time
limit, cores = map(int, sys.argv[1:3])
if cores and hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
start = time.perf_counter()
child = os.posix_spawn(sys.argv[3], sys.argv[3:], os.environ, setpgroup=0)
for reason in (signal.SIGALRM, signal.SIGINT, signal.SIGTERM):
    signal.signal(reason, lambda *_: os.killpg(child, signal.SIGKILL))
signal.alarm(limit)
_, status, usage = os.wait4(child, 0)
print(time.perf_counter() - start, usage.ru_maxrss, os.waitstatus_to_exitcode(status), file=sys.stderr)
"""


@dataclass(frozen=True)
class Run:
    """One process: its wall time in seconds, its peak memory in bytes and its standard output."""

    seconds: float
    peak: int
    output: str


def python(*arguments: str) -> list[str]:
    """Return the command that runs this interpreter with the arguments."""
    return [sys.executable, *arguments]


def autodiff(*arguments: str) -> list[str]:
    """Return the command that runs the program, installed or from the checkout, with the arguments."""
    script = which("autodiff", path=str(Path(sys.executable).parent))
    return [script, *arguments] if script else python("-m", "autodiff_cli", *arguments)


def run(command: Sequence[str], *, limit: int = 0, cores: int = 0) -> Run:
    """Run a command to its end, on all cores or on some; exit with its message if it fails.

    Raises TimeoutError where a limit of seconds is given and it is not done then.
    """
    launcher = [sys.executable, "-I", "-S", "-c", _LAUNCHER, str(limit), str(cores)]
    done = subprocess.run([*launcher, *command], capture_output=True, text=True, cwd=ROOT, check=False)
    errors, _, measured = done.stderr.rstrip("\n").rpartition("\n")
    seconds, peak, status = measured.split() if done.returncode == 0 else ("0", "0", str(done.returncode))
    if limit and float(seconds) >= limit:
        raise TimeoutError(f"not done after {limit} s, at {int(peak) / 2**20:.1f} GB")
    if status != "0":
        raise SystemExit(f"error: `{' '.join(command)[:200]}` exits with {status}\n{errors or done.stderr}")
    unit = 1 if sys.platform == "darwin" else 1024
    return Run(float(seconds), int(peak) * unit, done.stdout)


def attempt(command: Sequence[str], *, limit: int = 0, cores: int = 0) -> Run | str:
    """Run a command; say why there is no result where it fails or is not done in time."""
    try:
        return run(command, limit=limit, cores=cores)
    except TimeoutError as error:
        return str(error)
    except SystemExit as error:
        return f"fails: {str(error).splitlines()[-1][:100]}"


def interleaved(
    commands: Mapping[str, Sequence[str]], rounds: int, *, cores: int = 0, outputs: Sequence[Path] = ()
) -> dict[str, list[Run]]:
    """Run every command once to warm up, then once in each round, in alternating order.

    Before each run the `outputs` are removed.
    """
    names = list(commands)
    runs: dict[str, list[Run]] = {name: [] for name in names}
    for number in range(rounds + 1):
        for name in names if number % 2 == 0 else reversed(names):
            for output in outputs:
                output.unlink(missing_ok=True)
            done = run(commands[name], cores=cores)
            runs[name] += [done] * (number > 0)
    return runs


def seconds(runs: Sequence[Run]) -> float:
    """Return the median wall time."""
    return median(each.seconds for each in runs)


def peak(runs: Sequence[Run]) -> float:
    """Return the median peak memory in bytes."""
    return median(each.peak for each in runs)


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a Markdown table, the first column to the left and the others to the right."""
    lines = [header, ["---", *["---:"] * (len(header) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def insert(document: Path, begin: str, end: str, text: str) -> None:
    """Put a text between two markers of a document, in place of what stands there."""
    before, has_begin, rest = document.read_text(encoding="utf-8").partition(begin)
    _, has_end, after = rest.partition(end)
    if not has_begin or not has_end:
        raise SystemExit(f"error: no markers {begin} and {end} in {document.name}")
    document.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


def verdict(measured: float, target: float) -> str:
    """Say whether a measured number keeps to its target."""
    return f"{measured:.2f} ≤ {target:g}: met" if measured <= target else f"{measured:.2f} > {target:g}: **missed**"


def reached(measured: float, target: float) -> str:
    """Say whether a measured number comes up to its target."""
    return f"{measured:.2f} ≥ {target:g}: met" if measured >= target else f"{measured:.2f} < {target:g}: **missed**"


def processor() -> str:
    """Name the machine's processor, as well as the platform tells it."""
    info = Path("/proc/cpuinfo")
    lines = info.read_text(encoding="utf-8").splitlines() if info.exists() else []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()


def hot_spots(arguments: list[str]) -> str:
    """A table of the functions that take longest by themselves, under Python's profiler, which slows calls down."""
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "profile")
        run(python("-m", "cProfile", "-o", file, "-m", "autodiff_cli", *arguments))
        profile = pstats.Stats(file).get_stats_profile()
    entries = sorted(profile.func_profiles.items(), key=lambda entry: -entry[1].tottime)[:FUNCTIONS_SHOWN]
    rows = [
        [f"`{name}`", _place(entry.file_name, entry.line_number), entry.ncalls, f"{entry.tottime:.3f}"]
        for name, entry in entries
    ]
    about = (
        f"Profile of the command, {profile.total_tt:.2f} s under the profiler, its functions without what they call:"
    )
    return f"{about}\n\n{table(['function', 'where', 'calls', 'seconds'], rows)}"


def _place(file: str, line: int) -> str:
    return f"{'/'.join(Path(file).parts[-2:])}:{line}" if file not in ("~", "") else "built in"
