"""Compare derivatives by this program and its peers with the true ones, at the points where rules lose their digits.

    python benchmarks/pitfalls.py            write the table into docs/numerics.md
    python benchmarks/pitfalls.py --print    write it to standard output

Needs the `benchmark` extra; a library that is not installed is left out of the table, with a message. The cases stand
in `pitfall_cases.py`, the way each library is used in `libraries.py`, the referee in `truth.py`.
"""

import argparse
import math
import sys
import warnings
from pathlib import Path

import truth
from libraries import Library, installed
from pitfall_cases import CASES, Case

DOCUMENT = Path(__file__).parent.parent / "docs" / "numerics.md"
BEGIN, END = "<!-- pitfalls: begin -->", "<!-- pitfalls: end -->"
RIGHT_ULP, RIGHT_SUBNORMAL = 4, 1e-320


def main() -> None:
    """Make the table and put it where it belongs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--print", action="store_true", dest="to_stdout", help="write to standard output instead")
    arguments = parser.parse_args()
    warnings.simplefilter("ignore")  # the peers warn of the overflows that are looked for here
    libraries, missing = installed()
    if missing:
        print(f"left out, not installed: {', '.join(missing)}", file=sys.stderr)
    table = report(libraries)
    if arguments.to_stdout:
        print(table)
    else:
        DOCUMENT.write_text(insert(DOCUMENT.read_text(encoding="utf-8"), table), encoding="utf-8")


def insert(document: str, table: str) -> str:
    """Put the table between the two markers of the document."""
    before, begin, rest = document.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"error: no markers {BEGIN} and {END} in {DOCUMENT.name}")
    return f"{before}{BEGIN}\n\n{table}\n\n{END}{after}"


def report(libraries: list[Library]) -> str:
    """Return the Markdown table: one row for each case, a count, and the libraries' versions below it."""
    rows = [_row(case, libraries) for case in CASES]
    counts = [_count([row[1][column] for row in rows]) for column in range(len(libraries))]
    lines = [
        _line(["formula", "at", "derivative", "true value", *(library.name for library in libraries)]),
        _line(["---"] * (4 + len(libraries))),
        *(_line([*heading, *(text for text, _ in cells)]) for heading, cells in rows),
        _line(["**right**", "", "", "", *(f"**{count}**" for count in counts)]),
    ]
    versions = ", ".join(f"{library.name} {library.version}" for library in libraries if library.name != "autodiff")
    return "\n".join([*lines, "", f"Compared with {versions}."])


Cell = tuple[str, bool | None]
"""What the table shows, and whether it is right; None where nothing is to be judged."""


def _row(case: Case, libraries: list[Library]) -> tuple[list[str], list[Cell]]:
    true = _true_value(case)
    point = ", ".join(f"{name} = {_short(number, 12)}" for name, number in case.at.items())
    derivative = f"∂/∂{case.wrt}" if case.order == 1 else f"∂²/∂{case.wrt}²"
    heading = [f"`{case.formula}`", point, derivative, _show_truth(case, true)]
    return heading, [_cell(case, true, library) for library in libraries]


def _true_value(case: Case) -> float | None:
    """Return the true derivative, correctly rounded, or None where there is none."""
    if case.slopes or case.jump:
        return None
    return float(truth.derivative(case.formula, case.at, case.wrt, case.order)) if case.limit is None else case.limit


def _show_truth(case: Case, true: float | None) -> str:
    if case.jump:
        return "none: a jump"
    if case.slopes:
        low, high = case.slopes
        return f"{_short(low)} … {_short(high)} (convention)"
    assert true is not None
    return "nan (outside the domain)" if math.isnan(true) else _short(true, 12)


def _cell(case: Case, true: float | None, library: Library) -> Cell:
    try:
        found = library.derivative(case.formula, case.at, case.wrt, case.order)
    except NotImplementedError:
        found = None
    if found is None:
        return "—", None
    if case.jump:
        return _short(found), None
    if case.slopes:
        right = case.slopes[0] <= found <= case.slopes[1]
        return (_short(found) if right else f"**{_short(found)}**"), right
    assert true is not None
    text = error(found, true)
    return (text, True) if text == "exact" else (f"**{text}**", False)


def error(found: float, true: float) -> str:
    """Say how far off a number is: `exact`, `476 ulp`, a relative error, or the number itself if plainly wrong."""
    if found == true or (math.isnan(found) and math.isnan(true)):
        return "exact"
    if not (math.isfinite(found) and math.isfinite(true)):
        return _short(found)
    difference = abs(found - true)
    ulps = difference / math.ulp(true)
    if ulps <= RIGHT_ULP or difference <= RIGHT_SUBNORMAL:
        return "exact"
    relative = difference / abs(true) if true else math.inf
    if ulps < 10_000:
        return f"{ulps:.0f} ulp"
    return _short(relative, 1) if relative < 0.01 else _short(found)


def _short(number: float, digits: int = 3) -> str:
    """Write a number with few digits: `-9`, `1e200`, `4e-8`."""
    return f"{number + 0.0:.{digits}g}".replace("e+0", "e").replace("e+", "e").replace("e-0", "e-")


def _count(cells: list[Cell]) -> str:
    judged = [right for _, right in cells if right is not None]
    return f"{sum(judged)} of {len(judged)}"


def _line(cells: list[str]) -> str:
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
