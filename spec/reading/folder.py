"""A specification folder: which files it has, in which order, and what may be read of it."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Mapping
from pathlib import Path

from ..problems import Place, Problem, SpecError, nearest
from .yaml_reader import MAX_BYTES, read_bytes

ROOT = Path(__file__).parents[1]
TABLES = ("vocabulary", "features", "errors", "sources", "retired")
LAWS = "laws"
CHAPTER = r"[a-z][a-z0-9_]{0,79}"
MAX_FILES = 200
MAX_TOTAL = 16 * 1024 * 1024
"""How many bytes the files of one folder may have together."""


def refuse_links_out(root: Path) -> None:
    """Reject links that lead out of a folder, whose targets are not part of it. Raises `SpecError`.
    Our own folder is exempt, since an installer may have linked it."""
    home = os.path.realpath(root)
    problems = [
        Problem(
            Place(str(path), 1, 1),
            "expected a file in the folder, found a link that leads out of it",
            "replace it with a copy",
        )
        for folder in (root, root / "behaviors", root / "ops")
        for path in sorted(folder.glob("*") if folder.is_dir() else ())
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(home)
    ]
    if problems:
        raise SpecError(problems)


def operation_paths(root: Path = ROOT) -> list[Path]:
    """The files of the catalogue of operations, in reading order."""
    return _ordered(root / "ops")


def chapter_paths(root: Path = ROOT) -> list[Path]:
    """The chapter files in reading order: as `behaviors/order.txt` lists them, then by name."""
    return _ordered(root / "behaviors")


def _start_of(path: Path) -> bytes:
    """As much of a file as may be read of one."""
    with path.open("rb") as file:
        return file.read(MAX_BYTES)


def bytes_if_file(path: Path) -> bytes:
    """The bytes of one file, empty if it does not exist."""
    return read_bytes(path, str(path)) if path.is_file() else b""


def _ordered(folder: Path) -> list[Path]:
    paths = {path.stem: path for path in folder.glob("*.yaml")}
    for name, path in sorted(paths.items()):
        if not re.fullmatch(CHAPTER, name):
            message = "the name of this file is not well formed; it begins every id in it"
            hint = "use small letters, digits and underscores, as in in_place.yaml"
            raise SpecError([Problem(Place(str(path), 1, 1), message, hint)])
    size = sum(path.stat().st_size for path in paths.values() if path.is_file())
    if len(paths) > MAX_FILES or (size > MAX_TOTAL and len(paths) > 1):
        found = f"the folder has {len(paths)} files of {size} bytes"
        message = f"{found}; {MAX_FILES} files of {MAX_TOTAL} bytes are allowed"
        raise SpecError([Problem(Place(str(folder), 1, 1), message)])
    _refuse_strays(folder, paths)
    listed = [paths.pop(name) for name in _order(folder)]
    return listed + [paths[name] for name in sorted(paths)]


def _refuse_strays(folder: Path, paths: Mapping[str, Path]) -> None:
    """Reject what would not be read: files with another ending, and unknown names in order.txt."""
    problems = [
        Problem(Place(str(path), 1, 1), "expected a file that ends in .yaml", "rename it")
        for path in sorted(folder.glob("*.yml"))
    ]
    order = folder / "order.txt"
    names = _order(folder)
    for line, name in enumerate(names, start=1):
        place = Place(str(order), line, 1)
        if name not in paths:
            message = f"there is no file {name + '.yaml'!r} in this folder"
            problems.append(Problem(place, message, nearest(name, paths)))
        elif name in names[: line - 1]:
            problems.append(Problem(place, f"{name!r} is listed twice", "remove one"))
    if problems:
        raise SpecError(problems)


def _order(folder: Path) -> list[str]:
    path = folder / "order.txt"
    if not path.exists():
        return []
    try:
        return read_bytes(path, str(path)).decode().split()
    except UnicodeDecodeError as error:
        message = "the file cannot be read: it lists the chapters' names as UTF-8 text"
        raise SpecError([Problem(Place(str(path), 1, 1), message)]) from error


def digest_of(root: Path = ROOT) -> str:
    """A digest of every file that gives the specification its meaning; the ledger gives it none."""
    digest = hashlib.sha256()
    for path in [
        *(root / f"{name}.yaml" for name in sorted((*TABLES, LAWS))),
        *sorted((root / "behaviors").glob("*.yaml")),
        *sorted((root / "ops").glob("*.yaml")),
    ]:
        if path.is_file():
            digest.update(os.fsencode(path.name) + b"\0" + _start_of(path) + b"\0")
    return digest.hexdigest()[:16]
