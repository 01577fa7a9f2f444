"""Keeps a loaded specification on disk, as Python keeps compiled modules: beside it, and only for
as long as nothing it was made from has changed."""

from __future__ import annotations

import hashlib
import marshal
import os
import pickle
import sys
import tempfile
from functools import cached_property
from pathlib import Path
from typing import Any

from .model import Program, Spec

FOLDER = "__pycache__"


class CachedProgram(Program):
    """A program whose code was compiled before."""

    @cached_property
    def code(self) -> Any:
        return marshal.loads(self.__dict__["marshalled"][0])

    @cached_property
    def mediated_code(self) -> Any:
        return marshal.loads(self.__dict__["marshalled"][1])


def read_cache(root: Path) -> Spec | None:
    """The specification as it was kept, or None if there is none that fits."""
    path = cache_file(root)
    try:
        with open(path, "rb") as file:
            if file.readline().strip() != key_of(root).encode():
                return None
            spec = pickle.load(file)
    except (
        OSError,
        EOFError,
        pickle.PickleError,
        AttributeError,
        ImportError,
        IndexError,
        ValueError,
        TypeError,
    ):
        return None
    return spec if isinstance(spec, Spec) else None


def write_cache(root: Path, spec: Spec) -> None:
    """Keep the specification; a folder that cannot be written to is left alone."""
    path = cache_file(root)
    try:
        path.parent.mkdir(exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent)
        with os.fdopen(handle, "wb") as file:
            file.write(key_of(root).encode() + b"\n")
            _Pickler(file, protocol=5).dump(spec)
        os.replace(temporary, path)
    except OSError:
        return


def cache_file(root: Path) -> Path:
    return root / FOLDER / f"specification.{sys.implementation.cache_tag}.pickle"


def key_of(root: Path) -> str:
    """A digest of all that a loaded specification depends on: its files, where they stand, the code
    that reads them, and the interpreter."""
    from .load import ROOT, digest_of

    orders = [root / folder / "order.txt" for folder in ("behaviors", "ops")]
    code = [
        (path.name, path.stat().st_size, path.stat().st_mtime_ns)
        for path in sorted(ROOT.glob("*.py"))
    ]
    parts = [
        digest_of(root),
        str(root),
        sys.version,
        repr(code),
        *(order.read_text("utf-8") if order.exists() else "" for order in orders),
    ]
    return hashlib.sha256("\0".join(parts).encode()).hexdigest()


class _Pickler(pickle.Pickler):
    """Writes each program with its code and without its tree."""

    def reducer_override(self, value: Any) -> Any:
        if isinstance(value, Program):
            state = {
                "id": value.id,
                "file": value.file,
                "words": value.words,
                "members": value.members,
                "features": value.features,
                "marshalled": (marshal.dumps(value.code), marshal.dumps(value.mediated_code)),
            }
            return _rebuilt, (state,)
        return NotImplemented


def _rebuilt(state: dict[str, Any]) -> CachedProgram:
    program = CachedProgram.__new__(CachedProgram)
    program.__dict__.update(state)
    return program
