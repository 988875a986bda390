"""The sections about many rows: a neuron, larger formulas, Prospero, and what the second core brings."""

from columns import CORES, OURS, Contest, named
from measure import CORPORA, reached, table, verdict
from workloads import workload

PEERS = ("PyTorch", "PyTorch, compiled", "JAX", "CasADi", "CasADi, compiled", "autograd")

# ---- The neuron ------------------------------------------------------------------------------------------------------

NEURON_TARGET, COPY_TARGET = 2.0, 0.6


def neuron(rounds: int, small: bool) -> str:
    """Measure the neuron at ten million rows, against the libraries and against copying its eleven columns."""
    work = workload("neuron")
    contest = Contest(work, work.small if small else work.rows, (*PEERS, "numexpr", "copy"))
    contest.run(rounds)
    about = (
        f"`{work.text}` with its gradient by all five inputs, at {contest.rows:,} rows in memory. `copy` copies the "
        "eleven columns into new memory, on the same cores."
    )
    speeds = {cores: contest.measured["copy", cores].time / contest.measured[OURS, cores].time for cores in CORES}
    lines = [f"- {named(cores)}: our speed over the copy's: {reached(speeds[cores], COPY_TARGET)}." for cores in CORES]
    return "\n\n".join(
        [f"## The neuron\n\n{about}", contest.report(), "\n".join(lines), contest.verdicts(NEURON_TARGET)]
    )


# ---- Larger formulas -------------------------------------------------------------------------------------------------

FORMULAS_TARGET = 1.0
CONTESTS = {
    "bundle": (*PEERS, "numexpr"),
    "black_scholes": PEERS,
    "mixture": (*PEERS, "numexpr"),
}
ABOUT = {
    "bundle": "One residual of ADBench's bundle adjustment with its gradient by all fifteen inputs",
    "black_scholes": "The price of a call with its gradient by all five inputs: the Greeks delta, rho, vega and theta, "
    "and the derivative by the strike (numexpr has no error function)",
    "mixture": "The logarithm of a mixture of five Gaussians in the plane: a row is a datum, and the gradient is by "
    "the mixture's thirty parameters, which all rows share",
}


def formulas(rounds: int, small: bool) -> str:
    """Measure a bundle adjustment residual, Black–Scholes, and a mixture likelihood's terms at millions of rows."""
    parts = ["## Larger formulas"]
    for name, peers in CONTESTS.items():
        if name != "black_scholes" and not CORPORA.exists():
            parts.append(f"Skipped: the formula of `{name}`, as `{CORPORA.name}` is not there.")
            continue
        work = workload(name)
        contest = Contest(work, work.small if small else work.rows, peers)
        contest.run(rounds)
        about = f"### {work.title[0].upper()}{work.title[1:]}\n\n{ABOUT[name]}; {contest.rows:,} rows."
        parts += [about, contest.report(), contest.verdicts(FORMULAS_TARGET)]
    return "\n\n".join(parts)


# ---- Prospero --------------------------------------------------------------------------------------------------------

PROSPERO_TARGET = 5.0
MEMORY_TARGET = 1000.0
"""megabytes"""
PROSPERO_PEERS = ("PyTorch", "JAX", "JAX without jit", "CasADi", "CasADi, compiled", "autograd")
LIMITS = {"JAX": 45, "CasADi, compiled": 150}


def prospero(rounds: int, small: bool) -> str:
    """Measure a formula of 7,866 operations, with its gradient, at every pixel of an image."""
    heading = "## Prospero"
    if not CORPORA.exists():
        return f"{heading}\n\nSkipped: `prospero.expr` is not there."
    work = workload("prospero")
    shares, limits = dict.fromkeys(PROSPERO_PEERS, 16), dict.fromkeys(LIMITS, 10) if small else LIMITS
    contest = Contest(work, work.small if small else work.rows, PROSPERO_PEERS, shares, limits)
    contest.run(rounds)
    side = round(contest.rows**0.5)
    about = (
        f"7,866 operations with the gradient by x and y, at {side} × {side} pixels; the peers draw an image of "
        f"{side // 4} × {side // 4}, and their times are scaled. What is not done within its limit is left out: JAX's "
        f"compiler has {contest.limits['JAX']} s, the C compiler {contest.limits['CasADi, compiled']} s."
    )
    memory = max(contest.measured[OURS, cores].peak for cores in CORES) / 1e6
    lines = [contest.verdicts(PROSPERO_TARGET), f"- Our peak memory in MB: {verdict(memory, MEMORY_TARGET)}."]
    return "\n\n".join([f"{heading}\n\n{about}", contest.report(), *reversed(lines)])


# ---- One core and two ------------------------------------------------------------------------------------------------

CORES_TARGET = 1.8
ABOUT_CORES = """\
Between two steps, of some microseconds each, a thread takes Python's lock, and sleeps where the other one has it: that
is most of what the second core loses. Long plans are computed in longer blocks for that reason."""
ROWS = {"black_scholes": 10**7, "prospero": 1024**2}


def cores(rounds: int, small: bool) -> str:
    """Measure what the second core brings, on Prospero and on Black–Scholes."""
    heading = "## One core and two"
    if len(CORES) < 2:
        return f"{heading}\n\nSkipped: there is one core only."
    rows, profiles = [], []
    for name in ROWS:
        if name != "prospero" or CORPORA.exists():
            work = workload(name)
            contest = Contest(work, work.small if small else ROWS[name], ())
            contest.run(rounds)
            rows.append(_row(contest))
            profiles += [contest.profile()] if "missed" in rows[-1][-1] else []
    header = ["", "rows", "1 core, s", "2 cores, s", f"times as fast (target {CORES_TARGET})"]
    return "\n\n".join([heading, ABOUT_CORES, table(header, rows), *profiles])


def _row(contest: Contest) -> list[str]:
    one, two = (contest.measured[OURS, cores].time for cores in CORES)
    return [contest.work.title, f"{contest.rows:,}", f"{one:.3g}", f"{two:.3g}", reached(one / two, CORES_TARGET)]
