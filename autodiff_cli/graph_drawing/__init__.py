"""Pictures of a computation graph: boxes with values and gradients, and the operations between them.

`annotated_graph` has what is drawn: a graph with names and numbers, of a program or an evaluation.
`drawn_nodes` selects the nodes, `picture` makes boxes of them, which `palette` colours, and `file_formats` writes these
in one of the formats: `svg`, `png_and_pdf`, `dot`, `mermaid`, `html`. `layout` compares the arrangements that Graphviz
makes, which `graphviz` runs. `tree` is the picture as text, for the terminal; `notebook` has the `Drawing` that
`autodiff_cli.draw` returns.
"""
