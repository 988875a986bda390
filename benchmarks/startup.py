"""Start-up: a whole `autodiff eval` of a small formula against the import of the libraries that it rests on."""

import json

from measure import autodiff, interleaved, python, run, seconds, table, verdict

TARGET = 1.35
FORMULA = ("eval", "a*b+c", "--set", "a=2", "b=-3", "c=10")
PEERS = {"json": "import click, lark", "table": "import click, lark, rich.console, rich.table"}


def section(rounds: int) -> str:
    """Measure, and return the section of the report."""
    _check()
    return "## Start-up\n\n" + table(
        ["command", "median", "peer", "median", f"ratio (target {TARGET})"], [_row(name, rounds) for name in PEERS]
    )


def _row(output: str, rounds: int) -> list[str]:
    commands = {"ours": autodiff(*FORMULA, "--format", output), "peer": python("-c", PEERS[output])}
    runs = interleaved(commands, rounds)
    ours, peer = seconds(runs["ours"]), seconds(runs["peer"])
    shown = f'`autodiff eval "a*b+c" --set a=2 b=-3 c=10 --format {output}`'
    times = [f"{1000 * ours:.0f} ms", f'`python -c "{PEERS[output]}"`', f"{1000 * peer:.0f} ms"]
    return [shown, *times, verdict(ours / peer, TARGET)]


def _check() -> None:
    """Check that the command does its work before it is timed."""
    result = json.loads(run(autodiff(*FORMULA, "--format", "json")).output)
    if (result["value"], result["gradient"]) != (4.0, {"a": -3.0, "b": 2.0, "c": 1.0}):
        raise SystemExit(f"error: a*b+c is evaluated to {result['value']}, {result['gradient']}")
