"""A formula at every row of a table: read, computed and written on several cores, in order, in bounded memory.

`columns` and `layout` decide which columns are inputs and which are written, and `missing_columns` says which ones a
table lacks; `job` computes a part of the table, and `failed_rows` counts the rows without a result. `grid` is a table
made of ranges, `formats` reads and writes data files, and `dataset` computes many files, on a cluster too.
"""
