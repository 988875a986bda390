"""Plots of a function: curves over one input, contours over two, in the terminal or as a figure in a file.

`curves` and `contours` compute what is drawn. A curve is sampled by `program_sampler`, more densely where it bends or
breaks by `adaptive_sampling`, mended at single points by `removable_singularities`, and cut by `curve_pieces`;
`viewing_window` and `panel_layout` choose which values are shown, `contour_levels` and `axis_ticks` round numbers.
`terminal_curves` and `terminal_contours` draw with characters in a `terminal_frame`, `figure_curves` and
`figure_contours` with matplotlib, set up by `figure` with `fonts` that have all characters; both take their `captions`
from one file.
"""
