"""A formula at every row of a table: read, computed and written on several cores, in order, in bounded memory.

`columns` and `layout` say which columns are inputs and which are written, `job` what is done with a part of the table,
`pipeline` keeps several parts at work, `troubles` counts the rows that gave no result, and `grid` is a table of ranges.
"""
