"""The files of a folder on a Dask cluster: a real scheduler and real workers, of which one is killed at work."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import pytest

pyarrow = pytest.importorskip("pyarrow", reason="data files need PyArrow")
numpy = pytest.importorskip("numpy", reason="data files need NumPy")
pytest.importorskip("scipy", reason="data files need SciPy")
import pyarrow.parquet as parquet
from places import ROOT
from processes import ended_by

ENVIRONMENT = os.environ | {
    "PYTHONPATH": str(ROOT),
    "PYTHONWARNINGS": "error,ignore::ResourceWarning",
    "PYTHONUTF8": "1",
}
FORMULA = "exp(-x^2)*sin(y) + ln(1 + x^2)"
PATIENCE = 300  # seconds, after which a test has failed


@dataclass
class Ran:
    """A command that has ended."""

    code: int
    out: str
    err: str


def autodiff(*words: object, folder: Path) -> Ran:
    """Run the command line in a folder."""
    command = [sys.executable, "-m", "autodiff_cli", *map(str, words)]
    done = subprocess.run(command, cwd=folder, env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    return Ran(done.returncode, done.stdout, done.stderr)


PRELOAD = """
import os
import time
from pathlib import Path

from autodiff_cli.data.dataset.output_folder import OutputFolder

FOLDER = Path({folder!r})


def require_wanted(folder, unpatched=OutputFolder.require_wanted):
    while (FOLDER / "hold").exists():
        (FOLDER / f"held-{{os.getpid()}}").touch()
        time.sleep(0.01)
    unpatched(folder)


OutputFolder.require_wanted = require_wanted
"""
"""run first by workers: after each block they wait as long as there is a file `hold`"""


class Cluster:
    """A scheduler and workers, each a process of its own with one thread."""

    def __init__(self, folder: Path, workers: int = 2, environment: dict[str, str] = ENVIRONMENT) -> None:
        self.file = folder / "scheduler.json"
        self._folder, self._environment = folder, environment
        (folder / "preload.py").write_text(PRELOAD.format(folder=str(folder)) if environment == ENVIRONMENT else "")
        self._scheduler = self._started("scheduler", "--port", "0", "--host", "127.0.0.1")
        self.workers = [self.add_worker() for _ in range(workers)]
        give_up = time.monotonic() + PATIENCE
        while self._log("worker").count("Registered to:") < workers and time.monotonic() < give_up:
            time.sleep(0.05)
        if not self.file.exists():
            self.stop()
            raise AssertionError(self._log("scheduler"))

    def add_worker(self) -> "subprocess.Popen[bytes]":
        """Start one more; without a nanny, so that what is killed stays away."""
        preload = str(self._folder / "preload.py")
        return self._started("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0", "--preload", preload)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Let the workers wait after their first block until the end, however fast they are."""
        (self._folder / "hold").touch()
        try:
            yield
        finally:
            (self._folder / "hold").unlink()
            for file in self._folder.glob("held-*"):
                file.unlink()

    def worker_at_work(self, client: "subprocess.Popen[str]") -> "subprocess.Popen[bytes]":
        """A worker that is held while it writes a part."""
        give_up = time.monotonic() + PATIENCE
        while time.monotonic() < give_up and client.poll() is None:
            for worker in self.workers:
                if (self._folder / f"held-{worker.pid}").exists():
                    return worker
            time.sleep(0.02)
        client.kill()
        raise AssertionError(f"no worker was seen at work: {client.communicate()[1]}")

    def _started(self, *words: str) -> "subprocess.Popen[bytes]":
        options = ["--scheduler-file", str(self.file), "--no-dashboard", "--dashboard-address", "127.0.0.1:0"]
        command = [sys.executable, "-m", "dask", *words, *options]
        with (self._folder / f"{words[0]}.log").open("ab") as log:
            return subprocess.Popen(command, cwd=self._folder, env=self._environment, stdout=log, stderr=log)

    def _log(self, name: str) -> str:
        return (self._folder / f"{name}.log").read_text()

    def stop(self) -> None:
        """End all processes."""
        for process in [*self.workers, self._scheduler]:
            process.kill()
            process.wait()


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    pytest.importorskip("distributed", reason="clusters need Dask")
    made = Cluster(tmp_path_factory.mktemp("cluster"))
    yield made
    made.stop()


def table(rows: int, seed: int) -> pyarrow.Table:
    """Numbers to compute with, and columns that are only carried along."""
    random = numpy.random.default_rng(seed)
    return pyarrow.table(
        {
            "name": [f"row {row} «ö»" for row in range(rows)],
            "x": random.normal(size=rows),
            "count": pyarrow.array(range(rows), pyarrow.int32()),
            "y": random.normal(size=rows),
        }
    )


def same(a: pyarrow.Table, b: pyarrow.Table) -> None:
    """Equal to the last bit, types and order of the columns too."""
    assert a.schema.equals(b.schema)
    for name in a.column_names:
        one, other = a[name].combine_chunks(), b[name].combine_chunks()
        if pyarrow.types.is_floating(one.type):
            assert one.is_null().equals(other.is_null())
            one, other = (column.fill_null(0.0).to_numpy().view("int64") for column in (one, other))
            assert (one == other).all(), name
        else:
            assert one.equals(other), name


def equals_single_machine(folder: Path, out: str, formula: str, files: list[str]) -> None:
    """Compare each file of results with what one machine computes of the one file of data."""
    for file in files:
        single = folder / "single.parquet"
        ran = autodiff("eval", formula, "--data", folder / "data" / file, "-o", single, folder=folder)
        assert ran.code == 0, ran.err
        same(parquet.read_table(folder / out / file, partitioning=None), parquet.read_table(single))


def hidden(folder: Path) -> list[str]:
    """The contents of a folder that was begun."""
    return [name for name in os.listdir(folder) if name.startswith(".")]


@pytest.fixture
def data(tmp_path: Path) -> Path:
    """Six files in folders by year."""
    for number in range(6):
        path = tmp_path / "data" / f"year={2020 + number % 2}" / f"{number}.parquet"
        path.parent.mkdir(parents=True, exist_ok=True)
        parquet.write_table(table(3000 + number, number), path, row_group_size=1000)
    return tmp_path


FILES = [f"year={2020 + number % 2}/{number}.parquet" for number in range(6)]


@pytest.mark.slow
def test_a_cluster_gives_what_one_machine_gives_to_the_last_bit(cluster: Cluster, data: Path) -> None:
    ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", "--cluster", cluster.file, folder=data)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    assert sorted(str(path.relative_to(data / "out")) for path in (data / "out").rglob("*.*")) == sorted(FILES)
    equals_single_machine(data, "out", FORMULA, FILES[1:3])
    assert not hidden(data)


def start(cluster: Cluster, folder: Path) -> "subprocess.Popen[str]":
    """Begin the results of the folder `data`."""
    command = [sys.executable, "-m", "autodiff_cli", "eval", FORMULA, "--data", "data", "-o", "out"]
    options = ["--cluster", str(cluster.file)]
    return subprocess.Popen([*command, *options], cwd=folder, env=ENVIRONMENT, stderr=subprocess.PIPE, text=True)


@pytest.mark.slow
def test_a_worker_that_is_killed_at_work_changes_nothing(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    files = [f"{number}.parquet" for number in range(3)]
    for number, file in enumerate(files):
        parquet.write_table(table(3000, number), tmp_path / "data" / file, row_group_size=1000)
    with cluster.held():
        client = start(cluster, tmp_path)
        victim = cluster.worker_at_work(client)
        unfinished = list(tmp_path.glob(".out-*/attempts/*"))
        assert unfinished
        assert not list(tmp_path.glob(".out-*/parts/*"))
        victim.send_signal(signal.SIGKILL)
        assert victim.wait(PATIENCE) == -signal.SIGKILL
        assert all(attempt.exists() for attempt in unfinished)
        assert not (tmp_path / "out").exists()
        cluster.workers.remove(victim)
        cluster.workers.append(cluster.add_worker())
    errors = client.communicate(timeout=PATIENCE)[1]
    assert (client.returncode, errors) == (0, "")
    assert sorted(os.listdir(tmp_path / "out")) == files
    assert not hidden(tmp_path)
    assert autodiff("eval", FORMULA, "--data", "data", "-o", "single", folder=tmp_path).code == 0
    for file in files:
        same(parquet.read_table(tmp_path / "out" / file), parquet.read_table(tmp_path / "single" / file))


@pytest.mark.slow
def test_rows_without_a_result_keep_their_place_and_are_named_in_the_order_of_the_files(
    cluster: Cluster, tmp_path: Path
) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "a.csv").write_text("name,x,y\nfirst,1,2\nsecond,none,3\n")
    (tmp_path / "data" / "b.csv").write_text('name,x,y\n"zero, the",1,0\nfour,1,4\n')
    ran = autodiff("eval", "x/y", "--data", "data/*.csv", "-o", "out", "--cluster", cluster.file, folder=tmp_path)
    assert ran.code == 1
    a, b = ran.err.splitlines()[:2]
    assert a == "warning: data/a.csv: line 3: column `x` holds 'none', which is not a number"
    assert b.startswith("warning: data/b.csv: line 2: the result is not finite: `x/y` is inf with x = 1, y = 0")
    assert "error: 1 of 4 rows cannot be read, the result of 1 is not finite" in ran.err
    a, b = (parquet.read_table(tmp_path / "out" / f"{name}.parquet").to_pydict() for name in "ab")
    assert a["name"] == ["first", "second"]
    assert a["value"] == [0.5, None]
    assert b["name"] == ["zero, the", "four"]
    assert b["value"] == [float("inf"), 0.25]
    assert b["grad_x"] == [float("inf"), 0.25]


@pytest.mark.slow
def test_a_sum_over_many_files_is_that_over_their_rows_in_one(cluster: Cluster, data: Path) -> None:
    one = pyarrow.concat_tables([parquet.read_table(data / "data" / file, partitioning=None) for file in FILES])
    parquet.write_table(one, data / "one.parquet")
    words = ["eval", FORMULA, "--reduce", "mean", "--hessian", "--format", "json", "--data"]
    alone, here, there = (
        autodiff(*words, *options, folder=data)
        for options in (["one.parquet"], ["data"], ["data", "--cluster", cluster.file])
    )
    assert (alone.code, alone.err) == (0, "")
    assert alone.out == here.out == there.out
    assert not hidden(data)


@pytest.mark.slow
@pytest.mark.parametrize("where", ["cluster", "here"])
def test_a_broken_file_is_named_and_leaves_no_folder(cluster: Cluster, data: Path, where: str) -> None:
    broken = data / "data" / FILES[3]
    broken.write_bytes(broken.read_bytes()[:-100])
    options = ["--cluster", cluster.file] if where == "cluster" else []
    ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", *options, folder=data)
    assert ran.code == 1
    assert ran.err.startswith(f"error: data/{FILES[3]}: ")
    assert "Traceback" not in ran.err
    assert not (data / "out").exists()
    assert not hidden(data)


def test_the_columns_of_all_files_must_be_those_of_the_first(data: Path) -> None:
    parquet.write_table(table(5, 1).drop_columns(["y"]), data / "data" / FILES[1])
    ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", folder=data)
    assert ran.code == 1
    assert ran.err.startswith(f"error: data/{FILES[1]}: this lacks `y`")
    assert not (data / "out").exists()


@pytest.mark.slow
def test_a_large_parquet_file_is_computed_by_its_row_groups(cluster: Cluster, data: Path) -> None:
    file = data / "data" / FILES[4]
    ran = autodiff("eval", FORMULA, "--data", file, "-o", "out", "--cluster", cluster.file, folder=data)
    assert (ran.code, ran.err) == (0, "")
    parts = sorted((data / "out").iterdir())
    assert [part.name for part in parts] == [f"part-{number}.parquet" for number in range(4)]
    assert [parquet.read_metadata(part).num_rows for part in parts] == [1000, 1000, 1000, 4]
    assert autodiff("eval", FORMULA, "--data", file, "-o", "single.parquet", folder=data).code == 0
    same(pyarrow.concat_tables(map(parquet.read_table, parts)), parquet.read_table(data / "single.parquet"))


@pytest.mark.slow
def test_a_folder_is_computed_without_a_cluster_too(data: Path) -> None:
    ran = autodiff("eval", FORMULA, "--data", "data/**/*.parquet", "-o", "out", "--jobs", 2, folder=data)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    equals_single_machine(data, "out", FORMULA, FILES[:2])
    assert len(list((data / "out").rglob("*.parquet"))) == 6


PATTERNS = {
    "data/**/*.parquet": "012345",
    "data/*.parquet": "",
    "data/*/[1-3].parquet": "123",
    "data/*/[!1-3].parquet": "045",
    "data/year=2020/?.parquet": "024",
    "data/**": "012345",
    "data/*=2021/*": "135",
}


def test_patterns_name_the_files_that_a_shell_would(data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from autodiff_cli.data.dataset.partitions import data_set
    from autodiff_cli.errors import AutodiffError

    monkeypatch.chdir(data)
    for pattern, numbers in PATTERNS.items():
        if not numbers:
            with pytest.raises(AutodiffError, match="no file matches"):
                data_set(pattern)
            continue
        assert "".join(sorted(Path(found.path).stem for found in data_set(pattern).partitions)) == numbers, pattern


@pytest.mark.slow
def test_a_local_cluster_starts_and_ends_quietly(data: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask")
    ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", "--cluster", "local", "--jobs", 2, folder=data)
    assert (ran.code, ran.out, ran.err) == (0, "", "")
    equals_single_machine(data, "out", FORMULA, FILES[-1:])


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_leaves_nothing_and_the_workers_take_the_next_job(
    cluster: Cluster, data: Path, number: int
) -> None:
    with cluster.held():
        client = start(cluster, data)
        cluster.worker_at_work(client)
        client.send_signal(number)
        errors = client.communicate(timeout=PATIENCE)[1]
    assert (client.returncode, errors.strip()) == (ended_by(number), "")
    assert not (data / "out").exists()
    assert not hidden(data)
    ran = autodiff("eval", "x", "--data", "data/*/*", "-o", "out", "--cluster", cluster.file, folder=data)
    assert (ran.code, ran.err) == (0, "")


@pytest.mark.slow
def test_workers_of_another_version_are_refused(tmp_path: Path, data: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask")
    (tmp_path / "other" / "autodiff_cli").mkdir(parents=True)
    (tmp_path / "other" / "autodiff_cli" / "__init__.py").write_text('__version__ = "0.0.1"\n')
    other = Cluster(tmp_path, 1, ENVIRONMENT | {"PYTHONPATH": str(tmp_path / "other")})
    try:
        ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", "--cluster", other.file, folder=data)
    finally:
        other.stop()
    assert ran.code == 1
    assert "has autodiff 0.0.1, this machine has " in ran.err
    assert 'pip install "autodiff-cli[cluster]"' in ran.err
    assert not hidden(data)


@pytest.mark.slow
def test_workers_without_the_package_are_refused(tmp_path: Path, data: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask")
    (tmp_path / "other" / "autodiff_cli").mkdir(parents=True)
    (tmp_path / "other" / "autodiff_cli" / "__init__.py").write_text("raise ModuleNotFoundError")
    other = Cluster(tmp_path, 1, ENVIRONMENT | {"PYTHONPATH": str(tmp_path / "other")})
    try:
        ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", "--cluster", other.file, folder=data)
    finally:
        other.stop()
    assert ran.code == 1
    assert "does not have autodiff" in ran.err.splitlines()[0]
    assert "Traceback" not in ran.err
    assert not hidden(data)


@pytest.mark.slow
def test_a_scheduler_that_is_killed_is_an_error_and_leaves_nothing(tmp_path: Path, data: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask")
    mortal = Cluster(tmp_path, 1)
    try:
        with mortal.held():
            client = start(mortal, data)
            mortal.worker_at_work(client)
            mortal.stop()
            errors = client.communicate(timeout=PATIENCE)[1]
    finally:
        mortal.stop()
    assert client.returncode == 1
    assert errors.startswith("error: the connection to the Dask scheduler is lost")
    assert "Traceback" not in errors
    assert not (data / "out").exists()
    assert not hidden(data)


@pytest.mark.slow
def test_one_broken_file_among_fifty_is_named_and_leaves_nothing(cluster: Cluster, tmp_path: Path) -> None:
    (tmp_path / "data").mkdir()
    for number in range(50):
        (tmp_path / "data" / f"{number:02}.csv").write_text("x,y\n1,2\n" if number != 33 else "x\n1\n")
    ran = autodiff("eval", FORMULA, "--data", "data", "-o", "out", "--cluster", cluster.file, folder=tmp_path)
    assert ran.code == 1
    assert ran.err.startswith("error: data/33.csv: this lacks `y`")
    assert os.listdir(tmp_path) == ["data"]


@pytest.mark.slow
def test_what_a_killed_job_left_is_removed_by_the_next_one(cluster: Cluster, data: Path) -> None:
    with cluster.held():
        client = start(cluster, data)
        cluster.worker_at_work(client)
        client.kill()
        client.communicate()
        (left,) = hidden(data)
    ran = autodiff("eval", "x", "--data", "data/*/*", "-o", "other", folder=data)
    assert (ran.code, hidden(data)) == (0, [left]), "another folder is none of its business"
    ran = autodiff("eval", "x", "--data", "data/*/*", "-o", "out", folder=data)
    assert (ran.code, hidden(data)) == (0, [])


LISTENING = """
import os
from pathlib import Path

from autodiff_cli.data.dataset.connection import connected


def sockets():
    return {os.readlink(file) for file in Path(f"/proc/{os.getpid()}/fd").iterdir() if file.is_symlink()}


if __name__ == "__main__":
    with connected("local", 2) as client:
        held = sockets().union(*client.run(sockets).values())
        for table in ("tcp", "tcp6"):
            for line in Path(f"/proc/net/{table}").read_text().splitlines()[1:]:
                _, local, _, state, *_, inode = line.split()[:10]
                if state == "0A" and f"socket:[{inode}]" in held:
                    print(local)
"""


@pytest.mark.slow
@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="asks Linux for open sockets")
def test_a_local_cluster_listens_on_the_loopback_alone_and_shows_no_dashboard(tmp_path: Path) -> None:
    pytest.importorskip("distributed", reason="clusters need Dask")
    script = tmp_path / "listening.py"
    script.write_text(LISTENING)
    done = subprocess.run([sys.executable, script], env=ENVIRONMENT, capture_output=True, text=True, timeout=PATIENCE)
    addresses = [line.split(":") for line in done.stdout.split()]
    assert addresses, done.stderr
    assert {host for host, _ in addresses} == {"0100007F"}
    assert 8787 not in {int(port, 16) for _, port in addresses}


MISTAKES = [
    (["--data", "data", "-o", "full"], 1, "`full` holds something already"),
    (["--data", "data", "--cluster", "local"], 2, "the results of many files are a folder"),
    (["--data", "data", "-o", "out", "--limit", "3"], 2, "`--limit` is for one table"),
    (["--data", "data", "--reduce", "sum", "--errors", "errors.csv"], 2, "has no list of errors"),
    (["--data", "data", "-o", "out.svg"], 2, "this result cannot be a .svg file"),
    (["--data", "data", "-o", "out.parquet.gz"], 2, "this result cannot be a .parquet.gz file"),
    (["--data", "none", "-o", "out", "--cluster", "local"], 1, "cannot find `none`"),
    (["--data", "data/*/[z-a].parquet", "-o", "out"], 1, "is not a pattern"),
    (["--data", "empty", "-o", "out"], 1, "there is no data in `empty`"),
    (["--data", "zero", "-o", "out"], 1, "zero/0.csv: the data has no header"),
    (["--data", "full", "-o", "out"], 2, "has an extension that names no format"),
    (["--data", "data", "-o", "out", "--cluster", "nonsense"], 2, "`nonsense` is not the address of a Dask scheduler"),
    (["--data", "data", "-o", "out", "--cluster", "127.0.0.1:1"], 1, "there is no Dask scheduler at `127.0.0.1:1`"),
    (["--data", "data", "-o", "out", "--retries", "2"], 2, "`--retries` is for --cluster"),
    (["--data", "data", "-o", "out", "--cluster", "127.0.0.1:1", "--jobs", "2"], 2, "`--jobs` is for this machine"),
    (["--over", "x=0:1:0.5", "--cluster", "local"], 2, "`--cluster` is for --data"),
    (["--data", "twice", "-o", "out"], 1, "would both be called `a.parquet`"),
    (["--data", "what://key:secret@is/this?more", "-o", "out"], 1, "cannot open `what://is/this`"),
    (["--data", "data", "-o", "missing/out"], 1, "cannot write `missing/out`"),
]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "code", "message"), MISTAKES, ids=[message for _, _, message in MISTAKES])
def test_a_mistake_is_told_before_anything_is_computed(data: Path, words: list[str], code: int, message: str) -> None:
    if "--cluster" in words:
        pytest.importorskip("distributed", reason="clusters need Dask")
    for folder, file in (("full", "notes.txt"), ("twice", "a.csv"), ("twice", "a.tsv"), ("empty", "_SUCCESS")):
        (data / folder).mkdir(exist_ok=True)
        (data / folder / file).write_text("x\n1\n")
    (data / "zero").mkdir()
    (data / "zero" / "0.csv").touch()
    ran = autodiff("eval", FORMULA, *words, folder=data)
    assert ran.code == code, ran.err
    assert ran.err.startswith("error: ")
    assert message in ran.err.splitlines()[0]
    assert not hidden(data)
