"""The things that a command works on: formulas, numbers for inputs, ranges, points, rows of files, pressed keys."""
