"""A formula at every row of a table: read, computed and written on several cores, in order, in bounded memory.

`columns` and `layout` decide which columns are inputs and which are written; `job` computes a part of the table;
`failed_rows` counts the rows without a result; `grid` is a table made of ranges; `formats` are data files, and
`dataset` computes many of them, on a cluster too.
"""
