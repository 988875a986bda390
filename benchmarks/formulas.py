"""Larger formulas at millions of rows: a bundle adjustment residual, Black–Scholes, a mixture likelihood's terms."""

from columns import Contest
from measure import CORPORA
from workloads import workload

TARGET = 1.0
PEERS = ("PyTorch", "PyTorch, compiled", "JAX", "CasADi", "CasADi, compiled", "autograd")
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


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
    parts = ["## Larger formulas"]
    for name, peers in CONTESTS.items():
        if name != "black_scholes" and not CORPORA.exists():
            parts.append(f"Skipped: the formula of `{name}`, as `{CORPORA.name}` is not there.")
            continue
        work = workload(name)
        contest = Contest(work, work.small if small else work.rows, peers)
        contest.run(rounds)
        about = f"### {work.title[0].upper()}{work.title[1:]}\n\n{ABOUT[name]}; {contest.rows:,} rows."
        parts += [about, contest.report(), contest.verdicts(TARGET)]
    return "\n\n".join(parts)
