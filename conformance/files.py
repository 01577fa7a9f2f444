"""Writing results: a file is either written whole or left as it was."""

from __future__ import annotations

import contextlib
import errno
import os
import re
from collections.abc import Mapping
from pathlib import Path

from .text import encodable, one_line

LONGEST_NAME = 60


class CannotWrite(OSError):
    """A result cannot be written; the message says which, why, and that nothing was changed."""


def write_together(texts: Mapping[Path, str | bytes]) -> None:
    """Write several files, all or none: each is written under a temporary name beside its target, and
    renamed when all are complete. Raises `CannotWrite` and then leaves existing files unchanged.

    Anything but a regular file, such as a terminal or a pipe, is written to directly.
    """
    beside: dict[Path, Path] = {}
    path = Path()
    try:
        for path, text in texts.items():
            path.parent.mkdir(parents=True, exist_ok=True)
            data = text if isinstance(text, bytes) else encodable(text).encode()
            if path.exists() and not path.is_file() and not path.is_dir():
                _write_as_it_is(path, data)
            else:
                _check_place(path)
                target = Path(os.path.realpath(path))  # a link stays a link to what is new
                beside[target] = target.with_name(f".{target.name[:80]}.{os.getpid()}.new")
                _write_new(beside[target], data)
        for path, temporary in beside.items():
            temporary.replace(path)
    except (OSError, ValueError) as error:  # ValueError: a path with a NUL character
        why = error.strerror if isinstance(error, OSError) else error
        raise CannotWrite(
            f"{one_line(path)} cannot be written: {why}; choose another path, or free some space"
        ) from error
    finally:
        for temporary in beside.values():
            with contextlib.suppress(OSError):
                temporary.unlink(missing_ok=True)


def _write_as_it_is(path: Path, data: bytes) -> None:
    """Write to a device or a pipe. Opening a pipe that nobody reads would wait without end."""
    try:
        file = os.open(path, os.O_WRONLY | os.O_NONBLOCK)
    except OSError as error:
        if error.errno == errno.ENXIO:
            raise OSError(errno.ENXIO, "it is a pipe without a reader") from error
        raise
    os.set_blocking(file, True)
    with os.fdopen(file, "wb") as opened:
        opened.write(data)


def _check_place(path: Path) -> None:
    """Reject what a rename would silently replace: a folder, or a read-only file."""
    if path.is_dir():
        raise IsADirectoryError(None, "it is a folder")
    if path.exists() and not os.access(path, os.W_OK):
        raise PermissionError(None, "it is read-only")


def _write_new(path: Path, data: bytes) -> None:
    """Write a file that must not be there yet, with the rights that new files have."""
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666), "wb") as file:
        file.write(data)


def file_name(name: str) -> str:
    """A name as part of a file's name, whatever an engine calls itself."""
    return re.sub(r"[^\w.-]+", "_", name)[:LONGEST_NAME].lstrip(".") or "unnamed"
