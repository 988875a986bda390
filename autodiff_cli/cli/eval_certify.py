"""`autodiff eval --certify`: enclosures of the value and the gradient, at a point or over a box."""

import sys
from typing import TYPE_CHECKING

from ..errors import USAGE, AutodiffError, not_installed
from ..evaluation import evaluate
from ..evaluation.nonfinite import kink_warning
from ..output import write
from ..program import Program
from . import inputs
from .eval_request import EvalRequest
from .formula import unused
from .notices import warn
from .remedies import ALL_NODES

if TYPE_CHECKING:
    from ..certification.certify import Constant, Point

_DIGITS = 17

_HINT = "; a formula goes before --set"


def evaluate_certified(request: EvalRequest) -> int:
    """Write what is certain about the value and the gradient; returns 0."""
    try:
        from ..certification.certify import certify
        from ..certification.report import CertificateReport
    except ModuleNotFoundError:
        raise not_installed("--certify needs the package `python-flint`, which is not installed", "certify") from None
    program, wrt, point = request.program(request.output_name), request.wrt_names, _point(request)
    wrt = wrt and program.entries(wrt)
    warn(unused(program, point, wrt or ()))
    digits = request.digits or _DIGITS
    certificate = certify(program, point, wrt, digits=digits, parts=request.split or 1)
    warn([kink_warning(certificate.evaluation, "the gradient")])
    report = CertificateReport(
        certificate.evaluation, request.nodes, hint=ALL_NODES, certificate=certificate, digits=digits
    )
    write(report, request.format, sys.stdout)
    return 0


def _point(request: EvalRequest) -> "Point":
    """The numbers and ranges of the inputs as they are written; those of --set take precedence."""
    point: dict[str, Constant | tuple[Constant, Constant]] = {}
    if request.inputs_file is not None:
        point |= inputs.programs_from_text(request.inputs_text, request.inputs_name)
    for name, text in inputs.assignments(inputs.by_entries(request.assignments), "--set").items():
        low, dots, high = text.partition("..")
        point |= {name: _range(name, low, high)} if dots else inputs.constants(name, text, f"--set {name}", _HINT)
    return point


def _range(name: str, low: str, high: str) -> "tuple[Program, Program]":
    ends = _number(name, low), _number(name, high)
    numbers = [evaluate(end, {}, ()).value for end in ends]
    if not numbers[0] <= numbers[1]:
        raise AutodiffError(
            f"the range `{name}={low}..{high}` is empty", hint=f"write the smaller end first: {name}=1..2", code=USAGE
        )
    return ends


def _number(name: str, text: str) -> Program:
    return inputs.constant(text, f"--set {name}", _HINT)
