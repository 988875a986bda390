"""What the commands that check gradients share: a progress bar for those that take their time, and the exit code."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ..evaluation import Evaluation

if TYPE_CHECKING:  # the check brings mpmath, which nothing else has to wait for
    from ..gradient_check.checker import Verdict


def checked(evaluation: Evaluation, *, nodes: bool = False, seconds: float = 10.0) -> list[Verdict]:
    """The verdicts on a gradient, with a progress bar on a terminal where that takes more than a second."""
    from ..gradient_check.checker import Checker
    from ..terminal import progress

    checker = Checker(evaluation, seconds)
    judged = checker.nodes(everywhere=nodes)
    return [checker.check(name, node) for name, node in progress(judged, "checking")]


def failed(verdicts: Sequence[Verdict], *, strict: bool) -> bool:
    """Is one of the verdicts a mismatch, or with `strict` undecided?"""
    return any(verdict.verdict == "mismatch" or (strict and verdict.verdict == "undecided") for verdict in verdicts)
