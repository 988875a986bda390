"""The functions in which a command of the program spends most of its time."""

import pstats
import tempfile
from pathlib import Path

from measure import python, run, table

FUNCTIONS_SHOWN = 10
"""functions that are shown"""


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
