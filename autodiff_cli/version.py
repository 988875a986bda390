"""The version of the package, and the mark of the code that it writes."""

__version__ = "0.1.0"
WRITTEN_BY = "Written by autodiff"
"""begins a comment of exported code, by which it is known when it is read again"""
