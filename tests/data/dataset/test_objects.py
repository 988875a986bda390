"""Single objects: files of the web, from a server on this machine, and of an object store."""

import io
from collections.abc import Iterator
from contextlib import closing
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

pytest.importorskip("pyarrow", reason="data files need PyArrow")
import pyarrow
from processes import run
from pyarrow import parquet
from pyarrow.fs import FileSystem, FSSpecHandler, LocalFileSystem, PyFileSystem, SubTreeFileSystem

from autodiff_cli.cli import group
from autodiff_cli.data.dataset import file_systems, partitions, web
from autodiff_cli.errors import AutodiffError

CSV = b"x,name\n1,a\n2,b\n"


def _parquet() -> bytes:
    parquet.write_table(pyarrow.table({"x": [1.0, 2.0], "name": ["a", "b"]}), stream := io.BytesIO())
    return stream.getvalue()


FILES = {"/a.csv": CSV, "/a.parquet": _parquet(), "/short.csv": CSV}
REDIRECTS = {
    "/moved.csv": "/a.csv",
    "/loop.csv": "/loop.csv",
    "/local.csv": "file:///etc/passwd",
    "/text.csv": "data:text/csv,x",
    "/old.csv": "FTP://127.0.0.1/a.csv",
}


class Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        path = self.path.partition("?")[0]
        if path in REDIRECTS:
            self.send_response(302)
            self.send_header("Location", REDIRECTS[path])
        elif path in FILES:
            self.send_response(200)
            self.send_header("Content-Length", str(len(FILES[path]) + 7 * (path == "/short.csv")))
        elif path != "/slow.csv":
            self.send_response(404)
        self.end_headers() if path != "/slow.csv" else self.server.silence.wait(5)
        self.wfile.write(FILES.get(path, b""))

    def do_PUT(self) -> None:
        content = self.rfile.read(int(self.headers["Content-Length"]))
        is_taken = self.path.startswith("/put/")
        if is_taken:
            FILES[self.path.partition("?")[0]] = content
        self.send_response(200 if is_taken else 403)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""


class Server(ThreadingHTTPServer):
    daemon_threads = True

    def __init__(self) -> None:
        from threading import Event

        self.silence = Event()
        super().__init__(("127.0.0.1", 0), Handler)


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a server."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    with Server() as server:
        Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.silence.set()
        server.shutdown()


@pytest.mark.parametrize("name", ["a.csv", "a.parquet", "moved.csv?token=secret"])
def test_a_file_of_the_web_is_read_as_one_of_this_machine(name: str, site: str) -> None:
    done = run("eval", "x^2", "--data", f"{site}/{name}", "--format", "csv", "--columns", "name")
    assert (done.stdout, done.stderr) == (b"name,value,grad_x\na,1,2\nb,4,4\n", b"")


@pytest.mark.parametrize("name", ["out.csv", "out.parquet"])
def test_a_file_of_the_web_is_written_as_one_of_this_machine(name: str, site: str) -> None:
    done = run("eval", "x^2", "--data", f"{site}/a.csv", "-o", f"{site}/put/{name}?key=secret", "--columns", "name")
    assert (done.stdout, done.stderr, done.returncode) == (b"", b"", 0)
    done = run(
        "eval", "grad_x/2", "--data", f"{site}/put/{name}", "--format", "csv", "--columns", "name", "--prefix", "d_"
    )
    assert done.stdout == b"name,d_value,d_grad_grad_x\na,1,0.5\nb,2,0.5\n"


def test_a_file_that_the_web_does_not_take_is_an_error(site: str) -> None:
    done = run("eval", "x^2", "--data", f"{site}/a.csv", "-o", f"{site}/elsewhere.csv?key=secret")
    assert done.stderr.startswith(f"error: cannot write `{site}/elsewhere.csv".encode())
    assert b"the server answers 403 Forbidden" in done.stderr
    assert b"secret" not in done.stderr
    assert done.returncode == 1


def _content(url: str) -> bytes:
    with closing(file_systems.open_object(url)) as file:
        return file.read()


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("none.csv?key=secret", "the server answers 404 Not Found"),
        ("loop.csv", "the server leads in a circle"),
        ("local.csv", "the server leads in a circle, or out of the web"),
        ("text.csv", "the server leads in a circle, or out of the web"),
        ("old.csv", "it leads to `ftp://127.0.0.1/a.csv`, which is not encrypted"),
        ("short.csv", "the connection ended after 15 of 22 bytes"),
        ("slow.csv", "no answer within 0.2 seconds"),
    ],
)
def test_what_cannot_be_read_is_an_error_without_keys(
    name: str, reason: str, site: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(web, "TIMEOUT", 0.2)
    shown = f"{site}/{name.partition('?')[0]}"
    with pytest.raises(AutodiffError, match=f"^error: cannot read `{shown}`: {reason}") as caught:
        _content(f"{site}/{name}")
    assert "secret" not in str(caught.value)


def test_an_address_of_nobody_and_one_with_a_password_are_errors() -> None:
    with pytest.raises(AutodiffError, match="connection refused"):
        file_systems.open_object("http://127.0.0.1:1/a.csv")
    with pytest.raises(AutodiffError, match=r"`https://host/a\.csv` has a password") as caught:
        file_systems.open_object("https://me:secret@host/a.csv")
    assert "secret" not in str(caught.value)
    with pytest.raises(AutodiffError, match=r"cannot open `ftp://host/a\.csv`") as caught:
        file_systems.open_object("ftp://me:secret@host/a.csv?key=secret")
    assert "secret" not in str(caught.value)
    with pytest.raises(AutodiffError, match="its answer is not whole, or not one of the web"):
        file_systems.open_object("https://[host/a.csv")


def test_an_encrypted_address_does_not_lead_to_one_that_is_not() -> None:
    asked = web.request.Request("https://host/a.csv")
    with pytest.raises(OSError, match="not encrypted"):
        web._Redirects().redirect_request(asked, io.BytesIO(), 302, "Found", {}, "http://host/a.csv")


@pytest.mark.parametrize("scheme", ["file", "ftp", "data"])
def test_only_an_address_of_the_web_is_opened_as_one(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(web.request.OpenerDirector, "open", lambda *_, **__: pytest.fail("opened"))
    with pytest.raises(AutodiffError):
        file_systems.open_object(f"{scheme}://host/a.csv")
    with pytest.raises(AutodiffError), file_systems.uploaded_to(f"{scheme}://host/a.csv"):
        pass


def test_an_object_of_a_store_is_one_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    fsspec = pytest.importorskip("fsspec", reason="needs fsspec for a store in memory")
    store = PyFileSystem(FSSpecHandler(fsspec.filesystem("memory")))
    monkeypatch.setattr(file_systems, "locate", lambda url: (store, url.removeprefix("s3://")))
    for name in ("/a.csv", "/a.parquet"):
        with store.open_output_stream(f"bucket{name}") as out:
            out.write(FILES[name])
        words = ["eval", "x^2", "--data", f"s3://bucket{name}", "--format", "csv", "--columns", "name"]
        assert group.main([*words, "-o", str(tmp_path / "out.csv")], standalone_mode=False) == 0
        assert (tmp_path / "out.csv").read_bytes() == b"name,value,grad_x\na,1,2\nb,4,4\n"
    with pytest.raises(AutodiffError, match=r"cannot read `bucket/none\.csv`"):
        group.main(["eval", "x", "--data", "s3://bucket/none.csv"], standalone_mode=False)
    words = ["eval", "x^2", "--data", "s3://bucket/a.csv", "-o", "s3://bucket/b.csv"]
    assert group.main(words, standalone_mode=False) == 0
    assert _content("s3://bucket/b.csv") == b"x,name,value,grad_x\n1,a,1,2\n2,b,4,4\n"
    with pytest.raises(AutodiffError, match="the result is not finite"):
        group.main(["eval", "1/(x-1)", *words[2:-1], "s3://bucket/c.csv", "--strict"], standalone_mode=False)
    assert store.get_file_info("bucket/c.csv").type.name == "NotFound"


def test_folders_and_patterns_of_a_store_are_one_table(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    store = SubTreeFileSystem(str(tmp_path), LocalFileSystem())

    def locate(url: str) -> tuple[FileSystem, str]:
        return store, url.removeprefix("s3://").partition("?")[0].rstrip("/")

    monkeypatch.setattr(file_systems, "locate", locate)
    monkeypatch.setattr(partitions, "locate", locate)
    for name, number in (("in/year=1/a.csv", 1), ("in/year=2/b.csv", 2), ("more/c.csv", 3)):
        path = tmp_path / "shelf" / name
        path.parent.mkdir(parents=True)
        path.write_text(f"x\n{number}\n")
    run, out = partial(group.main, standalone_mode=False), tmp_path / "all.csv"
    words = ["eval", "x", "--value-only", "-o", str(out), "--data"]
    assert run([*words, "s3://shelf/in?key=secret"]) == 0
    assert out.read_text() == "x,year,value\n1,1,1\n2,2,2\n"
    assert run([*words, "s3://shelf/more/*.csv", "s3://shelf/more/", "--file-column", "file"]) == 0
    assert out.read_text() == "x,value,file\n3,3,s3://shelf/more/c.csv\n3,3,s3://shelf/more/c.csv\n"
    assert run([*words, "s3://shelf/more"]) == 0
    assert out.read_text() == "x,value\n3,3\n"
