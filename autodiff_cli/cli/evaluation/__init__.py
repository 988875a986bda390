"""The work of `autodiff eval` besides values and gradients at a point, and the rows of other commands."""
