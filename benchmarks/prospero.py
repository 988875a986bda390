"""Prospero: a formula of 7,866 operations, with its gradient, at every pixel of an image."""

from columns import CORES, OURS, Contest
from measure import CORPORA, verdict
from workloads import workload

TARGET = 5.0
MEMORY_TARGET = 1000.0
"""megabytes"""
PEERS = ("PyTorch", "JAX", "JAX without jit", "CasADi", "CasADi, compiled", "autograd")
SHARES = {"PyTorch": 16, "JAX": 16, "JAX without jit": 16, "CasADi": 16, "CasADi, compiled": 16, "autograd": 16}
LIMITS = {"JAX": 45, "CasADi, compiled": 150}


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    heading = "## Prospero"
    if not CORPORA.exists():
        return f"{heading}\n\nSkipped: `prospero.expr` is not there."
    work = workload("prospero")
    contest = Contest(
        work, work.small if small else work.rows, PEERS, SHARES, dict.fromkeys(LIMITS, 10) if small else LIMITS
    )
    contest.run(rounds)
    side = round(contest.rows**0.5)
    about = (
        f"7,866 operations with the gradient by x and y, at {side} × {side} pixels; the peers draw an image of "
        f"{side // 4} × {side // 4}, and their times are scaled. What is not done within its limit is left out: JAX's "
        f"compiler has {contest.limits['JAX']} s, the C compiler {contest.limits['CasADi, compiled']} s."
    )
    memory = max(contest.measured[OURS, cores].peak for cores in CORES) / 1e6
    lines = [contest.verdicts(TARGET), f"- Our peak memory in MB: {verdict(memory, MEMORY_TARGET)}."]
    return "\n\n".join([f"{heading}\n\n{about}", contest.report(), *reversed(lines)])
