"""Loads a specification folder."""

from __future__ import annotations

import hashlib
import os
import pickle
import re
from collections.abc import Callable, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import NamedTuple, TypeVar

from ..model import Chapter, Feature, Kind, Profile, Source, Spec, Vocabulary
from ..problems import Place, Problem, SpecError, nearest
from .cache import FOLDER, Cache, key_of, readers_key
from .chapters import Tables, read_chapter
from .fields import Fields
from .forms import ChapterForms, collector_paused
from .tables import read_features, read_kinds, read_retired, read_sources, read_vocabulary
from .yaml_reader import MAX_BYTES, Located, read_bytes, read_yaml_text

ROOT = Path(__file__).parents[1]
TABLES = ("vocabulary", "features", "errors", "sources", "retired")
CHAPTER = r"[a-z][a-z0-9_]{0,79}"
MAX_FILES = 200
MAX_TOTAL = 16 * 1024 * 1024
"""How many bytes the files of one folder may have together."""
MAX_HINTS = 20
Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


@lru_cache(maxsize=4)
def load_spec(root: Path = ROOT) -> Spec:
    """Load the specification in `root`, by default our own: from its cache where nothing changed.

    Raises `SpecError`, which lists every problem found with file, line, column and a hint.
    """
    return load_through(Cache(ROOT / FOLDER if root == ROOT else None), root)


@lru_cache(maxsize=1)
def read_spec(root: Path = ROOT) -> Spec:
    """As `load_spec`, always from the files."""
    return load_through(Cache(None), root)


def load_through(cache: Cache, root: Path) -> Spec:
    """As `load_spec`, with this cache. Each chapter is an entry of its own, so that an edit of one
    lets one be read."""
    problems: list[Problem] = []
    if root != ROOT:
        refuse_links_out(root)
    with collector_paused():
        beside, tables_key = _read_tables(root, cache)
        tables = Tables(beside.vocabulary, beside.kinds, beside.sources)
        key = key_of([tables_key, str(root)])
        chapters: list[Chapter] = []
        sources = dict(beside.sources)
        for path, read in _collect(problems, lambda: _files(root), []):
            load = partial(_load_chapter, path, read, tables, key, cache, problems)
            made = _collect(problems, load, None)
            if made is not None:
                chapters.append(made[0])
                sources.update(made[1])
    if not chapters and not problems:
        problems.append(
            Problem(Place(str(root), 1, 1), "the specification has no chapter in behaviors/")
        )
    problems.extend(_cross_references(chapters, beside.retired))
    if problems:
        raise SpecError(problems)
    return Spec(
        tuple(chapters),
        beside.vocabulary,
        beside.features,
        beside.profiles,
        beside.kinds,
        sources,
        beside.retired,
        digest_of(root),
    )


def refuse_links_out(root: Path) -> None:
    """Refuse links that lead out of a folder: what they lead to is not part of what its reader got.
    Raises `SpecError`. Our own folder is let be, since an installer may have made links of it."""
    home = os.path.realpath(root)
    problems = [
        Problem(
            Place(str(path), 1, 1),
            "expected a file of the folder, found a link that leads out of it",
            "put a copy in its place",
        )
        for folder in (root, root / "behaviors", root / "ops")
        for path in sorted(folder.glob("*") if folder.is_dir() else ())
        if path.is_symlink() and not Path(os.path.realpath(path)).is_relative_to(home)
    ]
    if problems:
        raise SpecError(problems)


class Beside(NamedTuple):
    """What the tables beside the chapters say."""

    features: Mapping[str, Feature]
    profiles: Mapping[str, Profile]
    vocabulary: Vocabulary
    kinds: Mapping[str, Kind]
    sources: Mapping[str, Source]
    retired: Mapping[str, str]


def _read_tables(root: Path, cache: Cache) -> tuple[Beside, str]:
    """The tables, and a key of all that they were made from. Raises `SpecError`."""
    paths = [root / f"{name}.yaml" for name in TABLES]
    contents = [_bytes_if_file(path) for path in paths]
    key = key_of([readers_key(), *contents])
    kept = cache.read("tables", key)
    if kept is not None:
        return Beside(*pickle.loads(kept)), key
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
    if contents[0] != (ROOT / "vocabulary.yaml").read_bytes():
        vocabulary = vocabulary.beside(own_vocabulary())
    beside = Beside(features, profiles, vocabulary, kinds, sources, retired)
    cache.write("tables", key, pickle.dumps(tuple(beside)))
    return beside, key


@lru_cache(maxsize=1)
def own_vocabulary() -> Vocabulary:
    """The words that come with gradspec, whose names were chosen so that a program of them does
    nothing but compute."""
    return _read_tables(ROOT, Cache(ROOT / FOLDER))[0].vocabulary


Made = tuple[Chapter, Mapping[str, Source]]
Reader = Callable[[Located, str, str, Tables, list[Problem]], Made]


def _files(root: Path) -> list[tuple[Path, Reader]]:
    """Every file of behaviors or operations, in reading order, with what reads it."""
    chapters: list[tuple[Path, Reader]] = [(path, _behaviors) for path in chapter_paths(root)]
    return chapters + [(path, _operations) for path in operation_paths(root)]


def _load_chapter(
    path: Path, read: Reader, tables: Tables, key: str, cache: Cache, problems: list[Problem]
) -> Made:
    """One chapter, from the cache if nothing changed, and the sources that it adds."""
    shown = str(path)
    raw = read_bytes(path, shown)

    def made_of_text(found: list[Problem]) -> Made:
        return read(read_yaml_text(raw, shown), shown, path.stem, tables, found)

    name = f"{path.parent.name}.{path.stem}"
    forms = ChapterForms(name, key_of([key, raw]), cache, lambda: made_of_text([])[0])
    kept = cache.read(name, forms.key)
    if kept is not None:
        made: Made = pickle.loads(kept)
    else:
        before = len(problems)
        made = made_of_text(problems)
        forms.programs = [case.program for behavior in made[0].behaviors for case in behavior.cases]
        if len(problems) == before:
            cache.write(name, forms.key, pickle.dumps(made, protocol=5))
    for behavior in made[0].behaviors:
        for case in behavior.cases:
            object.__setattr__(case.program, "forms", forms)
    return made


def _behaviors(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> Made:
    return read_chapter(located, file, name, tables, problems), {}


def _operations(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> Made:
    from ..catalogue.operation_cases import (
        read_operations,  # with NumPy, which nothing else here needs
    )

    return read_operations(located, file, name, tables, problems)


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


def _bytes_if_file(path: Path) -> bytes:
    """The bytes of one file, or none where there is no such file."""
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
    listed = [paths.pop(name) for name in _order(folder) if name in paths]
    return listed + [paths[name] for name in sorted(paths)]


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
        *(root / f"{name}.yaml" for name in sorted(TABLES)),
        *sorted((root / "behaviors").glob("*.yaml")),
        *sorted((root / "ops").glob("*.yaml")),
    ]:
        if path.is_file():
            digest.update(os.fsencode(path.name) + b"\0" + _start_of(path) + b"\0")
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


def _cross_references(chapters: list[Chapter], retired: Mapping[str, str]) -> list[Problem]:
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
                    hint = nearest(needed, places) if len(problems) < MAX_HINTS else ""
                    problems.append(
                        Problem(behavior.place, f"needs names {needed!r}, which is not known", hint)
                    )
    return problems
