"""`autodiff eval` with `--hessian`, `--order`, `--direction` or several outputs."""

import sys

from ...errors import UsageError
from ...evaluation import evaluate
from ...evaluation.nonfinite import kink_warning, nonfinite_error, nonfinite_warning
from ...output import write
from ..command_line.remedies import ALL_NODES
from ..output.notices import raise_or_warn
from ..sources import inputs
from .request import EvalRequest


def evaluate_derivatives(request: EvalRequest) -> int:
    """Compute and write the derivatives that are asked for in place of the gradient or besides it; returns 0."""
    direction = direction_of(request)
    refuse_combinations(request)
    if request.is_vector:
        _jacobian(request)
    elif direction:
        _directional(request, direction)
    elif request.order is not None:
        _up_to_order(request, request.order)
    else:
        _hessian(request)
    return 0


def direction_of(request: EvalRequest) -> dict[str, float]:
    """The components of `--direction`."""
    return inputs.from_assignments(request.direction, "--direction")


def refuse_combinations(request: EvalRequest) -> None:
    """Raise an error if more than one kind of derivative is asked for."""
    if len(request.outputs) < len(request.output):
        raise UsageError("`--of` has the same name twice", "leave one of the two out")
    has_order = request.order is not None
    together = {
        f"--of {','.join(request.outputs)}": request.is_vector,
        "--hessian": request.hessian,
        "--order": has_order,
        "--direction": request.direction,
        "--check": request.check,
        "--wrt": request.wrt and request.direction,
        "--nodes": request.nodes and (request.is_vector or has_order),
    }
    both = [option for option, is_present in together.items() if is_present][:2]
    if len(both) == 2:
        raise UsageError(f"`{both[0]}` and `{both[1]}` do not go together", "leave one of them out")


def _hessian(request: EvalRequest) -> None:
    from ...derivatives import hessian as hessians
    from ...derivatives.hessian_report import HessianReport

    evaluation = evaluate(*request.read())
    hessian = hessians.hessian(evaluation)
    error = nonfinite_error(evaluation) or hessians.nonfinite_error(evaluation, hessian)
    notices = nonfinite_warning(evaluation), kink_warning(evaluation, "second derivatives", order=2)
    raise_or_warn(error, request.allow_nonfinite, *notices)
    write(HessianReport(evaluation, request.nodes, request.precision, hessian=hessian), request.format, sys.stdout)


def _up_to_order(request: EvalRequest, order: int) -> None:
    from ...derivatives import taylor
    from ...derivatives.taylor_report import DerivativesReport

    evaluation = evaluate(*request.read())
    expansion = taylor.taylor(evaluation, order)
    error = taylor.nonfinite_error(evaluation, expansion)
    raise_or_warn(error, request.allow_nonfinite, *taylor.warnings(evaluation, expansion))
    report = DerivativesReport(evaluation, precision=request.precision, derivatives=expansion.derivatives)
    write(report, request.format, sys.stdout)


def _directional(request: EvalRequest, direction: dict[str, float]) -> None:
    from ...derivatives import forward, forward_report

    program, point, _ = request.read(direction)
    slopes = forward.directional(program, point, direction)
    raise_or_warn(forward.nonfinite_error(slopes), request.allow_nonfinite, nonfinite_warning(slopes.evaluation))
    report = forward_report.report(slopes, request.nodes, request.precision, ALL_NODES)
    write(report, request.format, sys.stdout)


def _jacobian(request: EvalRequest) -> None:
    from ...derivatives.jacobian import jacobian, named_error
    from ...derivatives.jacobian_report import JacobianReport

    program, point, wrt = request.read()
    matrix = jacobian(program, point, program.entries(request.outputs), wrt)
    for evaluation in matrix.suspects:
        raise_or_warn(named_error(evaluation), request.allow_nonfinite, nonfinite_warning(evaluation))
    write(JacobianReport(matrix, request.precision), request.format, sys.stdout)
