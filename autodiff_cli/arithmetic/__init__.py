"""The arithmetics: each file has the operations on one kind of number, over which the sweeps of `engine` run."""
