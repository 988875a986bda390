"""The neuron at ten million rows, against the libraries and against copying its eleven columns."""

from columns import CORES, OURS, Contest, named
from measure import reached
from workloads import workload

TARGET = 2.0
COPY_TARGET = 0.6
PEERS = ("PyTorch", "PyTorch, compiled", "JAX", "CasADi", "CasADi, compiled", "autograd", "numexpr", "copy")


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    work = workload("neuron")
    contest = Contest(work, work.small if small else work.rows, PEERS)
    contest.run(rounds)
    about = (
        f"`{work.text}` with its gradient by all five inputs, at {contest.rows:,} rows in memory. `copy` copies the "
        "eleven columns into new memory, on the same cores."
    )
    speeds = {cores: contest.measured["copy", cores].time / contest.measured[OURS, cores].time for cores in CORES}
    lines = [f"- {named(cores)}: our speed over the copy's: {reached(speeds[cores], COPY_TARGET)}." for cores in CORES]
    return "\n\n".join([f"## The neuron\n\n{about}", contest.report(), "\n".join(lines), contest.verdicts(TARGET)])
