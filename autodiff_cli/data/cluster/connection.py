"""A connection to a Dask cluster whose workers compute what this machine would, to the last bit."""

import asyncio
import json
import logging
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pkgutil import resolve_name
from socket import gethostname
from typing import Any

from ...errors import USAGE, AutodiffError, not_installed

LOCAL = "local"
_PATIENCE = 5  # seconds
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?(\[[\da-fA-F:.%]+\]|[^\s/:\[\]]+):\d{1,5}")
_SILENCE = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"none": {"class": "logging.NullHandler"}},
    "loggers": {name: {"handlers": ["none"], "propagate": False} for name in ("distributed", "tornado", "bokeh")},
}
_DEAF = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # a terminal interrupts all its processes
_VERSIONS = ("autodiff_cli:__version__", "numpy:__version__", "scipy:__version__", "pyarrow:__version__")


@contextmanager
def connected(address: str, jobs: int) -> Iterator[Any]:
    """A client of the scheduler at this address or in this scheduler file; `local` starts so many processes here.

    Raises AutodiffError where Dask is missing, where no scheduler or no worker answers, and for workers that have
    other versions.
    """
    distributed = _dask()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other versions of Dask, and of the size of what is sent
        with _local(distributed, jobs) if address == LOCAL else _remote(distributed, address) as client:
            _compare(client)
            yield client


def _dask() -> Any:
    """The package, made to keep its log to itself."""
    try:
        import dask

        dask.config.set({"distributed.logging": _SILENCE})  # the processes that are started here inherit it
        import distributed
    except ModuleNotFoundError:
        raise not_installed("a cluster needs Dask, which is not installed", "cluster") from None
    return distributed


@contextmanager
def _local(distributed: Any, jobs: int) -> Iterator[Any]:
    """So many processes on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            dashboard_address=None,
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[_DEAF],
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _remote(distributed: Any, named: str) -> Iterator[Any]:
    """A scheduler that runs already."""
    address = _address(named)
    try:
        asyncio.run(_greet(distributed, address))
    except Exception:  # whatever may stand there in place of a scheduler
        hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
        raise AutodiffError(f"there is no Dask scheduler at `{named}`", hint=hint) from None
    with distributed.Client(address, timeout=_PATIENCE, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=_PATIENCE)
        except TimeoutError:
            hint = f"start some with `dask worker {address}`"
            raise AutodiffError(f"the Dask scheduler at `{named}` has no workers", hint=hint) from None
        yield client


def _address(named: str) -> str:
    """The address itself, or the one in a scheduler file."""
    if os.path.isfile(named):
        with suppress(OSError, ValueError, KeyError, TypeError), open(named, encoding="utf-8") as file:
            return str(json.load(file)["address"])
    elif _ADDRESS.fullmatch(named):
        return named
    raise AutodiffError(
        f"`{named}` is not the address of a Dask scheduler",
        hint="write HOST:PORT, the name of a scheduler file, or `local`",
        code=USAGE,
    )


async def _greet(distributed: Any, address: str) -> None:
    """See whether a server of Dask answers: a client that finds none cannot be closed."""
    security = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_PATIENCE, **security)
    await comm.close()


def versions() -> dict[str, str]:
    """What decides on the last bit of a result, and on whether a task is understood at all."""
    return {_package(name): resolve_name(name) for name in _VERSIONS}


def _package(name: str) -> str:
    return name.split(":")[0].replace("autodiff_cli", "autodiff")


def _compare(client: Any) -> None:
    """Raise AutodiffError for a worker that has not what this machine has."""
    here = versions()
    for name in _VERSIONS:
        found = client.run(resolve_name, name, on_error="return")  # Python's own function works without the package
        for worker, version in sorted(found.items()):
            _refuse_other(f"the worker at `{worker}`", _package(name), version, here[_package(name)])


def require(expected: Mapping[str, str]) -> None:
    """Raise AutodiffError where this machine has not the versions that the user's has."""
    for package, version in versions().items():
        _refuse_other(f"a worker on `{gethostname()}`", package, version, expected[package])


def _refuse_other(worker: str, package: str, version: object, expected: str) -> None:
    if version == expected:
        return
    message = f"{worker} has {package} {version}, this machine has {expected}"
    if isinstance(version, BaseException):
        message = f"{worker} does not have {package}"
    hint = 'give all machines the same environment: pip install "autodiff-cli[cluster]"'
    raise AutodiffError(message, hint=hint)
