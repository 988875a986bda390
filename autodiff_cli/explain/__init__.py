"""Explanations of a gradient: the chain rule step by step, with the numbers filled in.

`chain_rule.explain` records the steps of the backward sweep; `local_derivatives` writes their derivatives as formulas,
`gradient_paths` multiplies them along each path to one node, and `node_names` names the nodes. A `Walkthrough` has the
texts of all of these, `step_remarks` what to note at single steps. `formats` writes a walkthrough, one file for each
format; `page` is a page for a browser that goes through the same steps.
"""
