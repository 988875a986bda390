"""Arrays of texts as bytes that stand one after the other."""

from typing import Any

import numpy
import pyarrow

from . import Array


def array(data: Any, ends: Array) -> Any:
    """A PyArrow array of the texts that end at these positions of the data, each beginning where the last one ends."""
    offsets = numpy.append(0, ends).astype(numpy.int32)
    return pyarrow.Array.from_buffers(pyarrow.binary(), len(ends), [None, pyarrow.py_buffer(offsets), _buffer(data)])


def joined(texts: Any) -> Any:
    """The bytes of all the texts: a buffer."""
    _, offsets, data = texts.buffers()
    if data is None:
        return pyarrow.py_buffer(b"")
    ends = numpy.frombuffer(offsets, dtype=numpy.int32)[texts.offset : texts.offset + len(texts) + 1]
    return data.slice(int(ends[0]), int(ends[-1] - ends[0]))


def _buffer(data: Any) -> Any:
    return data if isinstance(data, pyarrow.Buffer) else pyarrow.py_buffer(data)
