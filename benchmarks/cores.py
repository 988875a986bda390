"""What the second core brings, on Prospero and on Black–Scholes."""

from columns import CORES, OURS, Contest
from measure import CORPORA, reached, table
from workloads import workload

TARGET = 1.8
ABOUT = """\
Between two steps, of some microseconds each, a thread takes Python's lock, and sleeps where the other one has it: that
is most of what Black–Scholes loses. A long plan such as Prospero's is computed by processes, which do not wait, but
have to map the pages of the memory that they share."""
ROWS = {"black_scholes": 10**7, "prospero": 1024**2}


def section(rounds: int, small: bool) -> str:
    """Measure, and return the section of the report."""
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
    header = ["", "rows", "1 core, s", "2 cores, s", f"times as fast (target {TARGET})"]
    return "\n\n".join([heading, ABOUT, table(header, rows), *profiles])


def _row(contest: Contest) -> list[str]:
    one, two = (contest.measured[OURS, cores].time for cores in CORES)
    return [contest.work.title, f"{contest.rows:,}", f"{one:.3g}", f"{two:.3g}", reached(one / two, TARGET)]
