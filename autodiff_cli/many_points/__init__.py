"""A program at many points: columns of numbers in, columns of values and derivatives out."""
