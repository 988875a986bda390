"""Files of the web, `https://host/table.csv`: read as they come, and to their end or not at all; written whole."""

import io
import os
import socket
import ssl
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from http.client import HTTPException, HTTPResponse, responses
from typing import TYPE_CHECKING, Any, BinaryIO
from urllib import request
from urllib.error import HTTPError, URLError
from urllib.parse import urlsplit

from ...errors import USAGE, AutodiffError, uncapitalized
from ...files import without_credentials

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

TIMEOUT = 30.0
"""seconds without an answer, or without another byte"""


def is_of_web(url: str) -> bool:
    """Whether a URL is one of the web."""
    return url.lower().startswith(("https://", "http://"))


def open_url(url: str) -> io.BufferedReader:
    """Open a file of the web. Raises AutodiffError with the reason, here or while it is read."""
    with _errors_about(url):
        return io.BufferedReader(_WebFile(_answer(url, "download", {}), url))


def put(url: str, file: BinaryIO) -> None:
    """Write a file of the web by the method PUT, as presigned addresses of object stores take it.

    Raises AutodiffError with the reason.
    """
    size = str(os.fstat(file.fileno()).st_size)
    with _errors_about(url, "write"):
        headers = {"Content-Length": size, "Content-Type": "application/octet-stream"}
        _answer(url, "upload", headers, data=file, method="PUT").close()


def _answer(url: str, verb: str, headers: Mapping[str, str], **words: Any) -> HTTPResponse:
    """The answer to a request. Raises AutodiffError for a password in the address, and other errors as they come."""
    if urlsplit(url).username is not None:
        message = f"the address `{without_credentials(url)}` has a password in it, which others could see"
        raise AutodiffError(message, hint=f"{verb} the file by a program that asks for it", code=USAGE)
    asked = request.Request(url, headers={"User-Agent": "autodiff", **headers}, **words)  # noqa: S310  # is_of_web
    answer: HTTPResponse = request.build_opener(_Redirects).open(asked, timeout=TIMEOUT)
    return answer


class _Redirects(request.HTTPRedirectHandler):
    """Follows redirects within the web, but for one from `https` to what is not encrypted."""

    def redirect_request(self, asked: request.Request, *answer: Any) -> request.Request | None:
        target = answer[-1]
        if not target.lower().startswith("https://" if asked.type == "https" else ("https://", "http://")):
            answer[0].close()
            raise URLError(f"it leads to `{without_credentials(target)}`, which is not encrypted")
        return super().redirect_request(asked, *answer)


class _WebFile(io.RawIOBase):
    """The content of an answer; an error where the connection ends before it does."""

    def __init__(self, response: HTTPResponse, url: str) -> None:
        self._response, self._url, self._received = response, url, 0
        length = response.headers.get("Content-Length", "")
        self._size = int(length) if length.isdecimal() else None

    def readable(self) -> bool:
        """Return True."""
        return True

    def readinto(self, buffer: "WriteableBuffer") -> int:
        """Read what has come."""
        view = memoryview(buffer)
        with _errors_about(self._url):
            data = self._response.read1(len(view))
            self._received += len(data)
            if not data and self._size is not None and self._received < self._size:
                raise OSError(f"the connection ended after {self._received:,} of {self._size:,} bytes")
        view[: len(data)] = data
        return len(data)

    def close(self) -> None:
        """Close the connection."""
        self._response.close()
        super().close()


@contextmanager
def _errors_about(url: str, verb: str = "read") -> Iterator[None]:
    try:
        yield
    except (OSError, HTTPException, ValueError) as error:
        raise AutodiffError(f"cannot {verb} `{without_credentials(url)}`: {_reason(error)}") from None


def _reason(error: Exception) -> str:
    """The reason in a few words, without the address, which may hold a key."""
    cause = error.reason if isinstance(error, URLError) and not isinstance(error, HTTPError) else error
    if isinstance(cause, HTTPError):
        cause.close()
        if 300 <= cause.code < 400:
            return "the server leads in a circle, or out of the web"
        return f"the server answers {cause.code} {responses.get(cause.code, '')}".rstrip()
    if isinstance(cause, TimeoutError):
        return f"no answer within {TIMEOUT:g} seconds"
    if isinstance(cause, socket.gaierror):
        return "there is no such host, or no network"
    if isinstance(cause, ssl.SSLCertVerificationError):
        return f"its certificate is not valid: {cause.verify_message}"
    if isinstance(cause, OSError) and cause.strerror:
        return uncapitalized(cause.strerror)
    if isinstance(cause, HTTPException | ValueError):
        return "its answer is not whole, or not one of the web"
    return str(cause)
