"""Many points for one formula: drawn from ranges, or the rows of a data file."""

import csv
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import USAGE, AutodiffError
from ..sampling import sample
from . import inputs


class Point(NamedTuple):
    """Numbers for the inputs, and what to call the place that they come from."""

    name: str
    numbers: dict[str, float]


def chosen(
    count: int | None,
    ranges: Mapping[str, tuple[float, float]],
    seed: int,
    data: str | None,
    given: Mapping[str, float],
) -> Iterator[Point] | None:
    """The points that the options ask for, completed by the numbers that are given; None where they ask for none."""
    if count is not None and data is not None:
        raise AutodiffError("both --points and --data were given", hint="leave one of them out", code=USAGE)
    if data is not None:
        return _rows(data, given)
    if count is None and not ranges:
        return None
    if not ranges:
        raise AutodiffError("--points needs ranges", hint="add --over x=-2:2 for each input", code=USAGE)
    twice = sorted(ranges.keys() & given.keys())
    if twice:
        raise AutodiffError(f"`{twice[0]}` has both a range and a number", hint="leave one of them out", code=USAGE)
    drawn = sample(ranges, count or 100, seed)
    return (Point(f"point {number}", {**given, **point}) for number, point in enumerate(drawn, 1))


def _rows(path: str, given: Mapping[str, float]) -> Iterator[Point]:
    for line, row in _read(path):
        twice = sorted(row.keys() & given.keys())
        if twice:
            raise AutodiffError(f"`{twice[0]}` is a column and is set too", hint="leave one of them out", code=USAGE)
        yield Point(f"line {line}", {**given, **row})


def _read(path: str) -> Iterator[tuple[int, dict[str, float]]]:
    try:
        with Path(path).open(encoding="utf-8-sig", newline="") as file:
            if path.endswith((".jsonl", ".ndjson")):
                for line, text in enumerate(file, 1):
                    if text.strip():
                        yield line, _entries(json.loads(text), path, line)
            else:
                reader = csv.DictReader(file, delimiter="\t" if path.endswith(".tsv") else ",", strict=True)
                for entries in reader:
                    yield reader.line_num, _entries(entries, path, reader.line_num)
    except (OSError, ValueError, csv.Error) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise AutodiffError(f"cannot read `{path}`: {reason}") from None


def _entries(entries: Any, path: str, line: int) -> dict[str, float]:
    """The numbers of a row; a column that holds something else is an error that names the place."""
    if not isinstance(entries, dict):
        raise AutodiffError(f"line {line} of `{path}` is not a JSON object")
    numbers = {}
    for name, entry in entries.items():
        try:
            numbers[inputs.name(name)] = float(entry)
        except (TypeError, ValueError, AttributeError):
            message = f"line {line} of `{path}`: column `{name}` holds {entry!r}, which is not a number"
            raise AutodiffError(message) from None
    return numbers
