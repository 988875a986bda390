"""Curves fitted to data: the parameters of a formula by least squares, and how well they are known."""

LOSSES = ("linear", "soft_l1", "huber", "cauchy")
