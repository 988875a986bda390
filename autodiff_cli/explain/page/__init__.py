"""A page for a browser that walks through a formula: the graph, the formula and the table, step by step.

`html.page` assembles it, in one file that needs nothing else: `page.html` is its template, `page.css` its style,
and `scripts/` what runs on it. `script_data` is what the scripts work on, `graph_svg` the graph, where `short_edges`
draws far arguments again, and `source_listing` the formula's text. `variants` expand functions, or make each call
of the program's own a single node, `data_rows` are rows to step downhill on, and `worksheet` is the walk on paper.
"""
