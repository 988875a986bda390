"""A connection to a Dask cluster whose workers compute what this machine would, to the last bit."""

import asyncio
import json
import logging
import os
import re
import warnings
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from importlib import import_module
from pkgutil import resolve_name
from socket import gethostname
from types import ModuleType
from typing import TYPE_CHECKING

from ...errors import USAGE, AutodiffError, not_installed

if TYPE_CHECKING:
    from distributed import Client

LOCAL = "local"
_TIMEOUT = 5  # seconds
_ADDRESS = re.compile(r"((tcp|tls|ws|wss|ucx)://)?(\[[\da-fA-F:.%]+\]|[^\s/:\[\]]+):\d{1,5}")
_SILENT_LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "handlers": {"none": {"class": "logging.NullHandler"}},
    "loggers": {name: {"handlers": ["none"], "propagate": False} for name in ("distributed", "tornado", "bokeh")},
}
_NO_PAGES = {f"distributed.{server}.http.routes": list[str]() for server in ("scheduler", "worker")}
_IGNORE_INTERRUPTS = "import signal; signal.signal(signal.SIGINT, signal.SIG_IGN)"  # of the terminal
_PACKAGES = {"autodiff": "autodiff_cli", "numpy": "numpy", "scipy": "scipy", "pyarrow": "pyarrow"}
"""package → its module"""


@contextmanager
def connected(address: str, jobs: int) -> "Iterator[Client]":
    """A client of the scheduler at an address or in a scheduler file; `local` starts `jobs` processes on this machine.

    Raises AutodiffError where Dask is missing, where no scheduler or no worker answers, and for workers with other
    versions of the packages.
    """
    distributed = _import_distributed()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of other versions of Dask, and of the size of what is sent
        with _local(distributed, jobs) if address == LOCAL else _remote(distributed, address) as client:
            _check_workers(client)
            yield client


def _import_distributed() -> ModuleType:
    """Import Dask without its log messages."""
    try:
        import dask

        dask.config.set({"distributed.logging": _SILENT_LOGGING} | _NO_PAGES)  # processes that start here inherit it
        return import_module("distributed")
    except ModuleNotFoundError:
        raise not_installed("a cluster needs Dask, which is not installed", "cluster") from None


@contextmanager
def _local(distributed: ModuleType, jobs: int) -> "Iterator[Client]":
    """A client of `jobs` processes on this machine."""
    with (
        distributed.LocalCluster(
            n_workers=jobs,
            threads_per_worker=1,
            processes=True,
            host="127.0.0.1",
            dashboard_address=None,
            scheduler_kwargs={"dashboard_address": "127.0.0.1:0"},  # a free port, not 8787, and no dashboard there
            memory_limit=0,
            silence_logs=logging.CRITICAL,
            preload=[_IGNORE_INTERRUPTS],
        ) as cluster,
        distributed.Client(cluster, set_as_default=False) as client,
    ):
        yield client


@contextmanager
def _remote(distributed: ModuleType, named: str) -> "Iterator[Client]":
    """A client of a scheduler that is running."""
    address = _address(named)
    try:
        asyncio.run(_try_to_connect(distributed, address))
    except Exception:  # whatever answers in place of a scheduler
        hint = "start one with `dask scheduler`, and workers with `dask worker ADDRESS`"
        raise AutodiffError(f"there is no Dask scheduler at `{named}`", hint=hint) from None
    with distributed.Client(address, timeout=_TIMEOUT, set_as_default=False) as client:
        try:
            client.wait_for_workers(1, timeout=_TIMEOUT)
        except TimeoutError:
            hint = f"start some with `dask worker {address}`"
            raise AutodiffError(f"the Dask scheduler at `{named}` has no workers", hint=hint) from None
        yield client


def _address(named: str) -> str:
    """The address that was given, or the one in the scheduler file of that name."""
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


async def _try_to_connect(distributed: ModuleType, address: str) -> None:
    """Raise an error where no server of Dask answers: a client that finds none cannot be closed."""
    security = distributed.Security().get_connection_args("client")
    comm = await distributed.comm.connect(address, timeout=_TIMEOUT, **security)
    await comm.close()


def versions() -> dict[str, str]:
    """The versions of the packages that the last bit of a result, and the format of a task, depend on."""
    return {package: resolve_name(f"{module}:__version__") for package, module in _PACKAGES.items()}


def _check_workers(client: "Client") -> None:
    """Raise AutodiffError for a worker with other versions than this machine."""
    here = versions()
    for package, module in _PACKAGES.items():
        # a function of Python's own, which works without the package
        answers = client.run(resolve_name, f"{module}:__version__", on_error="return")
        for worker, version in sorted(answers.items()):
            _refuse_other(f"the worker at `{worker}`", package, version, here[package])


def require_versions(expected: Mapping[str, str]) -> None:
    """Raise AutodiffError where this machine has other versions than that of the user."""
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
