"""A finding made small, and written as the commands that reproduce it."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from .commands import Case


def minimised(case: Case, is_same: Callable[[Case], bool], tries: int = 400) -> Case:
    """The case with as much taken away as `is_same` allows, after at most so many tries."""
    shrinking = True
    while shrinking:
        shrinking = False
        for candidate in _smaller(case):
            tries -= 1
            if tries < 0:
                return case
            if is_same(candidate):
                case, shrinking = candidate, True
                break
    return case


def _smaller(case: Case) -> Iterator[Case]:
    """Cases with something less, the most first."""
    for name in case.environment:
        yield replace(case, environment={other: text for other, text in case.environment.items() if other != name})
    for name in case.files:
        yield replace(case, files={other: data for other, data in case.files.items() if other != name})
    for arguments in _shorter(case.arguments[1:]):
        yield replace(case, arguments=(case.arguments[0], *arguments))
    for place, word in enumerate(case.arguments):
        for text in _shorter(word) if place else ():
            yield replace(case, arguments=(*case.arguments[:place], text, *case.arguments[place + 1 :]))
    for stdin in _shorter(case.stdin):
        yield replace(case, stdin=stdin)
    for name, data in case.files.items():
        for less in _shorter(data):
            yield replace(case, files={**case.files, name: less})


def _shorter(parts: Any) -> Iterator[Any]:
    """The sequence without a piece of it, for pieces of half the length down to one."""
    size = len(parts)
    while size:
        for start in range(0, len(parts), size):
            yield parts[:start] + parts[start + size :]
        size //= 2


def shell(case: Case) -> str:
    """The commands for bash that do what the case does, in an empty folder."""
    folders = sorted({name.rpartition("/")[0] for name in case.files} - {""})
    lines = [f"mkdir {_quoted(folder.encode())}" for folder in folders]
    lines += [f"printf {_format(data)} > {_quoted(name.encode())}" for name, data in case.files.items()]
    words = ["autodiff", *(_quoted(word.encode("utf-8", "surrogateescape")) for word in case.arguments)]
    settings = [f"{name}={_quoted(text.encode())}" for name, text in case.environment.items()]
    source = f"printf {_format(case.stdin)} | " if case.stdin else ""
    return "\n".join([*lines, source + " ".join([*settings, *words])])


def _quoted(data: bytes) -> str:
    """Bytes without NUL as one word of bash."""
    if data and all(chr(byte).isalnum() or byte in b"-_./=:" for byte in data if byte < 128) and data.isascii():
        return data.decode()
    return f"'{data.decode()}'" if _is_plain(data, b"'") else f"$'{_escaped(data)}'"


def _format(data: bytes) -> str:
    """Bytes as a format of printf, whose own escapes can write the NUL too."""
    return f"'{_escaped(data).replace('%', '%%')}'"


def _escaped(data: bytes) -> str:
    return "".join(chr(byte) if _is_plain(bytes([byte]), b"'\\") else f"\\x{byte:02x}" for byte in data)


def _is_plain(data: bytes, but_for: bytes) -> bool:
    return all(32 <= byte < 127 and byte not in but_for for byte in data)
