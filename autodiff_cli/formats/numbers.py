"""Numbers as a person reads them."""

from math import isfinite


def decimal(number: float | None, precision: int) -> str:
    """So many digits after the point; scientific where fixed digits would show too few or too many. None is blank."""
    if number is None:
        return ""
    if isfinite(number) and number != 0 and not 10.0 ** -min(2, precision) <= abs(number) < 1e6:
        return f"{number:.{precision}e}"
    return f"{number:.{precision}f}"
