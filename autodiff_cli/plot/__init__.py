"""What there is to draw, free of any plotting library: curves in pieces, and grids of values and gradients.

`curves.trace` follows a program and its derivative along one input, `field.survey` over two.
"""
