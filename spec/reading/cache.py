"""Caches parsed specification files next to them, as Python caches compiled modules, until one of
the files changes.

Only our own folder is cached. A stranger's folder is data, and a pickle in it would be code.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

FOLDER = "__pycache__"
CODE = Path(__file__).parents[1]


class Cache:
    """Entries in one folder, each with the key of what it was made from.

    Without a folder nothing is cached. A folder that cannot be read or written is not an error:
    everything is then made again.
    """

    def __init__(self, folder: Path | None) -> None:
        self.folder = folder

    def read(self, name: str, key: str) -> bytes | None:
        """What was kept under a name, or None if there is none of this key, or not all of it."""
        if self.folder is None:
            return None
        try:
            head, _, content = self._file(name).read_bytes().partition(b"\n")
        except OSError:
            return None
        return content if head == _head(key, content) else None

    def has(self, name: str, key: str) -> bool:
        """Whether something of this key is kept under a name; `read` says whether it is whole."""
        if self.folder is None:
            return False
        try:
            with self._file(name).open("rb") as file:
                return file.read(len(key) + 1) == f"{key} ".encode()
        except OSError:
            return False

    def write(self, name: str, key: str, content: bytes) -> None:
        """Replace the entry of this name atomically: a concurrent reader finds the old or the new one."""
        if self.folder is None:
            return
        with contextlib.suppress(OSError):
            self.folder.mkdir(exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix="writing-", dir=self.folder)
            try:
                with os.fdopen(handle, "wb") as file:
                    file.write(_head(key, content) + b"\n" + content)
                os.replace(temporary, self._file(name))
            except BaseException:
                os.unlink(temporary)
                raise

    def _file(self, name: str) -> Path:
        assert self.folder is not None
        return self.folder / f"{name}.{sys.implementation.cache_tag}.spec"


def _head(key: str, content: bytes) -> bytes:
    return f"{key} {hashlib.sha256(content).hexdigest()}".encode()


def key_of(parts: Iterable[str | bytes]) -> str:
    """One digest of several texts; none runs into the next."""
    digest = hashlib.sha256()
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(b"%d:" % len(raw) + raw)
    return digest.hexdigest()


def code_key(*folders: Path) -> str:
    """A digest of the code in these folders, and of the interpreter. Without folders, of what reads a
    specification: the code of this package, without its checks."""
    paths = [path for folder in folders or (CODE,) for path in sorted(folder.rglob("*.py"))]
    if not folders:
        paths = [path for path in paths if path.parent != CODE / "checking"]
    code = [(path.name, path.stat().st_size, path.stat().st_mtime_ns) for path in paths]
    return key_of([sys.version, repr(code)])
