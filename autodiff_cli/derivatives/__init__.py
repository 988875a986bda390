"""Derivatives beyond the gradient at a point: formulas, forward mode, Jacobians, Hessians and Taylor series."""
