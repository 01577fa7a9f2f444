"""What takes long to read and seldom changes is kept beside our own specification for the next book."""

from __future__ import annotations

import pickle
from pathlib import Path

from gradspec.spec.catalogue.operations import Operation, operations_of
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT, operation_paths


def entries_of(root: Path) -> dict[str, list[Operation]]:
    """The entries of the catalogue by the files that they stand in. Those of another folder are read
    each time, since a pickle of a stranger's would be code."""
    cache = Cache(ROOT / FOLDER if root == ROOT else None)
    code = code_key() if cache.folder else ""
    return {path.stem: _entries(path, cache, code) for path in operation_paths(root)}


def _entries(path: Path, cache: Cache, code: str) -> list[Operation]:
    name, key = f"entries.{path.stem}", key_of([code, path.read_bytes()])
    kept = cache.read(name, key)
    if kept is not None:
        found: list[Operation] = pickle.loads(kept)
        return found
    made = list(operations_of(path))
    cache.write(name, key, pickle.dumps(made))
    return made
