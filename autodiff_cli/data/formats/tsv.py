"""TSV: as CSV, with tabs."""

from . import csv


class Reader(csv.Reader):
    """A table with a header; cells are separated by tabs."""

    format = "tsv"
    delimiter = "\t"


class Writer(csv.Writer):
    """A table with tabs."""

    format = "tsv"
    delimiter = "\t"
