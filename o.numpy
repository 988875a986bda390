"""A formula and its derivatives, for arrays."""

import numpy as np


@np.errstate(all="ignore")
def f(x, y):
    """where(x>y, 0.5 >= 0.1 % 1e8, x<y) and (2>1)

    Returns a tuple:
        value     the formula
        gradient  its derivatives with respect to the inputs, in their order
        hessian   its second derivatives, row by row

    Written by autodiff.
    """
    x = np.asarray(x, dtype=float)
    y = np.asarray(y, dtype=float)
    value = np.where((np.where(x > y, 1.0, np.where(x < y, 1.0, 0.0)) != 0) & (1.0 != 0), 1.0, 0.0)
    value, *partials = np.broadcast_arrays(
        value,
        0.0,
        0.0,
    )
    partials = np.where(np.isnan(value), np.nan, np.array(partials))
    hessian = np.zeros((2, 2, *value.shape))
    hessian = np.where(np.isnan(value), np.nan, hessian)
    return value[()], partials[:2], hessian
