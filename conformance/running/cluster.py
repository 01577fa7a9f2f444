"""The connection to a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any


def dask() -> Any:
    """The package that talks to clusters. Raises `ValueError` if it is not installed."""
    try:
        return import_module("distributed")
    except ImportError as error:
        raise ValueError("--scheduler needs Dask: pip install 'gradspec[dask]'") from error


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the cluster whose scheduler is at this address.

    Raises `ValueError` if Dask is not installed, and `OSError` if the cluster cannot be reached.
    """
    with dask().Client(address, timeout="30s") as client:
        yield client
