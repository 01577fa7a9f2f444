"""The connection to a Dask cluster."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any


@contextmanager
def connected(address: str) -> Iterator[Any]:
    """A client of the cluster whose scheduler is at this address.

    Raises `ValueError` if Dask is not installed, and `OSError` if the cluster cannot be reached.
    """
    try:
        from distributed import Client
    except ImportError as error:
        raise ValueError("--scheduler needs Dask: pip install 'gradspec[dask]'") from error
    with Client(address, timeout="30s") as client:
        yield client
