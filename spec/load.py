"""Loads a specification folder."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import lru_cache, partial
from pathlib import Path
from typing import TypeVar

from .chapters import Tables, read_chapter
from .fields import Fields
from .model import Chapter, Source, Spec
from .operation_cases import read_operations
from .problems import Place, Problem, SpecError, nearest
from .tables import read_features, read_kinds, read_retired, read_sources, read_vocabulary
from .yaml_reader import read_yaml

ROOT = Path(__file__).parent
Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


@lru_cache(maxsize=4)
def load_spec(root: Path = ROOT) -> Spec:
    """Load the specification in `root`, by default our own: from its cache where nothing changed.

    Raises `SpecError`, which lists every problem found with file, line, column and a hint.
    """
    from .cache import read_cache, write_cache

    cached = read_cache(root)
    if cached is not None:
        return cached
    spec = read_spec(root)
    write_cache(root, spec)
    return spec


@lru_cache(maxsize=1)
def read_spec(root: Path = ROOT) -> Spec:
    """As `load_spec`, always from the files."""
    problems: list[Problem] = []
    fields = Fields(problems)
    features, profiles = _collect(problems, lambda: read_features(root, fields), ({}, {}))
    known = {} if problems else features  # of broken features nothing is said twice
    vocabulary = _collect(problems, lambda: read_vocabulary(root, known, fields), None)
    kinds = _collect(problems, lambda: read_kinds(root, fields), {})
    sources = _collect(problems, lambda: read_sources(root, fields), {})
    retired = _collect(problems, lambda: read_retired(root, fields), {})
    if vocabulary is None or problems:
        raise SpecError(problems)
    tables = Tables(vocabulary, kinds, sources)
    chapters: list[Chapter] = []
    for path in _collect(problems, lambda: chapter_paths(root), []):
        chapter = _collect(problems, partial(_read_chapter, path, tables, problems), None)
        if chapter is not None:
            chapters.append(chapter)
    for path in operation_paths(root):
        made = _collect(problems, partial(_read_operations, path, tables, problems), None)
        if made is not None:
            chapters.append(made[0])
            sources = {**sources, **made[1]}
    if not chapters and not problems:
        problems.append(
            Problem(Place(str(root), 1, 1), "the specification has no chapter in behaviors/")
        )
    problems.extend(_cross_references(chapters, retired))
    if problems:
        raise SpecError(problems)
    return Spec(
        tuple(chapters), vocabulary, features, profiles, kinds, sources, retired, digest_of(root)
    )


def _read_chapter(path: Path, tables: Tables, problems: list[Problem]) -> Chapter:
    return read_chapter(read_yaml(path), str(path), path.stem, tables, problems)


def _read_operations(
    path: Path, tables: Tables, problems: list[Problem]
) -> tuple[Chapter, dict[str, Source]]:
    return read_operations(read_yaml(path), str(path), path.stem, tables, problems)


def operation_paths(root: Path = ROOT) -> list[Path]:
    """The files of the catalogue of operations, in reading order."""
    return _ordered(root / "ops")


def chapter_paths(root: Path = ROOT) -> list[Path]:
    """The chapter files in reading order: as `behaviors/order.txt` lists them, then by name."""
    return _ordered(root / "behaviors")


def _ordered(folder: Path) -> list[Path]:
    paths = {path.stem: path for path in folder.glob("*.yaml")}
    listed = [paths.pop(name) for name in _order(folder) if name in paths]
    return listed + [paths[name] for name in sorted(paths)]


def _order(folder: Path) -> list[str]:
    path = folder / "order.txt"
    try:
        return path.read_text("utf-8").split() if path.exists() else []
    except (OSError, UnicodeDecodeError) as error:
        message = "the file cannot be read: it lists the chapters' names as UTF-8 text"
        raise SpecError([Problem(Place(str(path), 1, 1), message)]) from error


def digest_of(root: Path = ROOT) -> str:
    """A digest of every file that gives the specification its meaning; the ledger gives it none."""
    digest = hashlib.sha256()
    for path in [
        *sorted(root.glob("*.yaml")),
        *sorted((root / "behaviors").glob("*.yaml")),
        *sorted((root / "ops").glob("*.yaml")),
    ]:
        if path.is_file() and path.name != "ledger.yaml":
            digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()[:16]


def _collect(
    problems: list[Problem], read: Callable[[], Read], otherwise: Otherwise
) -> Read | Otherwise:
    """Run one reader; a file that cannot be read at all adds its problems and leaves the rest."""
    try:
        return read()
    except SpecError as error:
        problems.extend(error.problems)
        return otherwise


def _cross_references(chapters: list[Chapter], retired: dict[str, str]) -> list[Problem]:
    problems: list[Problem] = []
    places: dict[str, Place] = {}
    for chapter in chapters:
        for behavior in chapter.behaviors:
            if behavior.id in places:
                first = places[behavior.id]
                problems.append(
                    Problem(
                        behavior.place, f"the id {behavior.id!r} stands twice; first at {first}"
                    )
                )
            if behavior.id in retired:
                reason = retired[behavior.id]
                problems.append(
                    Problem(behavior.place, f"the id {behavior.id!r} was retired: {reason}")
                )
            places[behavior.id] = behavior.place
    for chapter in chapters:
        for behavior in chapter.behaviors:
            for needed in behavior.needs:
                if needed == behavior.id:
                    problems.append(
                        Problem(behavior.place, f"needs names {needed!r}, the behavior itself")
                    )
                elif needed not in places:
                    hint = nearest(needed, places)
                    problems.append(
                        Problem(behavior.place, f"needs names {needed!r}, which is not known", hint)
                    )
    return problems
