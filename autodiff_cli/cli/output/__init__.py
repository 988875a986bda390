"""The output: standard output or a file, a report or a figure, and the notices beside it."""
