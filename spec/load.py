"""Loads a specification folder."""

from __future__ import annotations

import ast
import contextlib
import gc
import pickle
from collections.abc import Callable, Iterator, Mapping
from functools import lru_cache, partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from .model import Case, Chapter, Feature, Profile, Source, Spec
from .problems import Place, Problem, SpecError, nearest
from .program.lowering import lower_generated
from .program.vocabulary import Kind, Vocabulary
from .reading.cache import FOLDER, Cache, code_key, key_of
from .reading.chapters import Tables, read_chapter
from .reading.fields import Fields
from .reading.folder import (
    ROOT,
    TABLES,
    bytes_if_file,
    chapter_paths,
    digest_of,
    operation_paths,
    refuse_links_out,
)
from .reading.forms import ChapterForms, collector_paused
from .reading.guides import broken_references
from .reading.tables import read_features, read_kinds, read_retired, read_sources, read_vocabulary
from .reading.workers import can_share, workers
from .reading.yaml_reader import Located, read_bytes, read_yaml_text

if TYPE_CHECKING:
    from .catalogue.laws import Laws

MAX_HINTS = 20
FEW = 6
"""Fewer files than this are not worth another process."""
Read = TypeVar("Read")
Otherwise = TypeVar("Otherwise")


@lru_cache(maxsize=64)  # a process that loads many small ones should not load our own again
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
    """As `load_spec`, with this cache. Each chapter is a separate entry, so that after an edit only one
    is read again."""
    problems: list[Problem] = []
    if root != ROOT:
        refuse_links_out(root)
    with collector_paused():
        beside, tables_key = _read_tables(root, cache)
        tables = Tables(beside.vocabulary, beside.kinds, beside.sources)
        key = key_of([tables_key, str(root)])
        chapters: list[Chapter] = []
        sources = dict(beside.sources)
        files = _collect(problems, lambda: _files(root), [])
        _read_ahead(files, root, tables, key, cache)
        for path, read in files:
            load = partial(_load_chapter, path, read, tables, key, cache, problems)
            made = _collect(problems, load, None)
            if made is not None:
                chapters.append(made[0])
                sources.update(made[1])
        if not problems:
            laws = _collect(problems, lambda: _load_laws(root, tables, key, cache, problems), None)
            chapters += [laws] if laws else []
        if root == ROOT:
            gc.freeze()  # it lives as long as the process: the collector need not go through it
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


class Beside(NamedTuple):
    """The contents of the tables beside the chapters."""

    features: Mapping[str, Feature]
    profiles: Mapping[str, Profile]
    vocabulary: Vocabulary
    kinds: Mapping[str, Kind]
    sources: Mapping[str, Source]
    retired: Mapping[str, str]


def _read_tables(root: Path, cache: Cache) -> tuple[Beside, str]:
    """The tables, and a key of all that they were made from. Raises `SpecError`."""
    paths = [root / f"{name}.yaml" for name in TABLES]
    contents = [bytes_if_file(path) for path in paths]
    key = key_of([code_key(), *contents])
    kept = cache.read("tables", key)
    if kept is not None:
        return Beside(*pickle.loads(kept)), key
    problems: list[Problem] = []
    fields = Fields(problems)
    copied = _copied(root, contents)
    vocabulary: Vocabulary | None
    if {"vocabulary", "features"} <= copied:
        features, profiles, vocabulary = own_tables()[:3]
    else:
        features, profiles = _collect(problems, lambda: read_features(root, fields), ({}, {}))
        known = {} if problems else features  # broken features are not reported twice
        vocabulary = _collect(problems, lambda: read_vocabulary(root, known, fields), None)
    kinds: Mapping[str, Kind] = own_tables().kinds if "errors" in copied else {}
    kinds = kinds or _collect(problems, lambda: read_kinds(root, fields), {})
    sources = _collect(problems, lambda: read_sources(root, fields), {})
    retired = _collect(problems, lambda: read_retired(root, fields), {})
    if vocabulary is None or problems:
        raise SpecError(problems)
    if root != ROOT and "vocabulary" not in copied:
        vocabulary = vocabulary.beside(own_vocabulary())
    beside = Beside(features, profiles, vocabulary, kinds, sources, retired)
    cache.write("tables", key, pickle.dumps(tuple(beside)))
    return beside, key


def _copied(root: Path, contents: list[bytes]) -> set[str]:
    """The tables of another folder that are copies of ours. Of those ours are taken, from the cache:
    to read and check them takes longer than all the rest of a small folder."""
    if root == ROOT:
        return set()
    ours = [bytes_if_file(ROOT / f"{name}.yaml") for name in TABLES]
    return {name for name, raw, own in zip(TABLES, contents, ours, strict=True) if raw == own}


@lru_cache(maxsize=1)
def own_tables() -> Beside:
    """The tables that come with gradspec, without its chapters, which take much longer to load."""
    return _read_tables(ROOT, Cache(ROOT / FOLDER))[0]


def own_vocabulary() -> Vocabulary:
    """The words that come with gradspec; a program that uses only them does nothing but compute."""
    return own_tables().vocabulary


Made = tuple[Chapter, Mapping[str, Source]]
Reader = Callable[[Located, str, str, Tables, list[Problem]], Made]


def _files(root: Path) -> list[tuple[Path, Reader]]:
    """Every file of behaviors or operations, in reading order, with what reads it."""
    chapters: list[tuple[Path, Reader]] = [(path, _behaviors) for path in chapter_paths(root)]
    return chapters + [(path, _operations) for path in operation_paths(root)]


def _load_chapter(
    path: Path,
    read: Reader,
    tables: Tables,
    key: str,
    cache: Cache,
    problems: list[Problem],
    name: str = "",
) -> Made:
    """One chapter, from the cache if nothing changed, and the sources that it adds."""
    shown = str(path)
    raw = read_bytes(path, shown)

    def made_of_text(found: list[Problem]) -> Made:
        return read(_parsed(raw, shown), shown, path.stem, tables, found)

    name = name or f"{path.parent.name}.{path.stem}"
    lower = partial(_lowered, tables)
    forms = ChapterForms(name, key_of([key, raw]), cache, lambda: made_of_text([])[0], lower)
    kept = cache.read(name, forms.key)
    if kept is not None:
        made: Made = pickle.loads(kept)
    else:
        before = len(problems)
        made = made_of_text(problems)
        if len(problems) == before:
            cache.write(name, forms.key, pickle.dumps(made, protocol=5))
    forms.cases = [case for behavior in made[0].behaviors for case in behavior.cases]
    for case in forms.cases:
        object.__setattr__(case.program, "forms", forms)
    if kept is None and cache.folder is not None and len(problems) == before:
        forms.leave_in_cache()
    return made


def _lowered(tables: Tables, case: Case) -> ast.Module:
    """The tree of a generated case, made again from its text."""
    made = lower_generated(
        case.id, case.text, case.program.file, case.place, tables.vocabulary, tables.kinds, []
    )
    assert made is not None, "a case that is cached has a program"
    return made[0].tree


@lru_cache(maxsize=1)
def _parsed(raw: bytes, shown: str) -> Located:
    """The file's text; the laws of a file of operations are made after its own chapter."""
    return read_yaml_text(raw, shown)


def _read_ahead(
    files: list[tuple[Path, Reader]], root: Path, tables: Tables, key: str, cache: Cache
) -> None:
    """Read what is not cached in several processes, each of which leaves it in the cache.

    After the first time nearly everything is cached. What a process finds wrong is found again, and
    reported, where the file is read in this one.
    """
    if cache.folder is None or not can_share():
        return
    jobs: dict[Path, list[Callable[[], None]]] = {
        path: [partial(_leave_in_cache, path, read, tables, key, cache, "")]
        for path, read in files
        if not _is_cached(path, key, cache)
    }
    for path, job in _jobs_of_laws(root, tables, key, cache):
        jobs.setdefault(path, []).append(job)
    if len(jobs) < FEW:
        return
    largest_first = sorted(jobs, key=lambda path: -path.stat().st_size)
    with contextlib.suppress(OSError), workers() as pool:
        pool.map(_call, [jobs[path] for path in largest_first], chunksize=1)


def _jobs_of_laws(
    root: Path, tables: Tables, key: str, cache: Cache
) -> Iterator[tuple[Path, Callable[[], None]]]:
    path = root / "laws.yaml"
    if not path.is_file():
        return
    key = key_of([key, read_bytes(path, str(path))])
    missing = [file for file in operation_paths(root) if not _are_laws_cached(file, key, cache)]
    if not missing:
        return
    with contextlib.suppress(SpecError):
        laws = _read_laws(path, tables, key, cache, [])
        for file in missing if laws else ():
            read = partial(_laws, laws)
            yield (
                file,
                partial(_leave_in_cache, file, read, tables, key, cache, f"laws.{file.stem}"),
            )


def _call(jobs: list[Callable[[], None]]) -> None:
    for job in jobs:
        job()


def _is_cached(path: Path, key: str, cache: Cache, name: str = "") -> bool:
    raw = read_bytes(path, str(path))
    return cache.has(name or f"{path.parent.name}.{path.stem}", key_of([key, raw]))


def _are_laws_cached(path: Path, key: str, cache: Cache) -> bool:
    """Whether the laws on the operations of a file are cached."""
    return _is_cached(path, key, cache, f"laws.{path.stem}")


def _leave_in_cache(
    path: Path, read: Reader, tables: Tables, key: str, cache: Cache, name: str
) -> None:
    with contextlib.suppress(SpecError):
        _load_chapter(path, read, tables, key, cache, [], name)


def _load_laws(
    root: Path, tables: Tables, key: str, cache: Cache, problems: list[Problem]
) -> Chapter | None:
    """The laws on the operations of each file, each file a separate entry; None without laws."""
    path = root / "laws.yaml"
    if not path.is_file():
        return None
    key = key_of([key, read_bytes(path, str(path))])

    @lru_cache(maxsize=1)  # and none if all is cached: they need NumPy
    def laws() -> Laws | None:
        return _read_laws(path, tables, key, cache, problems)

    def read(
        located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
    ) -> Made:
        return _laws(laws(), located, file, name, tables, problems)

    files = operation_paths(root)
    cached = bool(files) and all(_are_laws_cached(file, key, cache) for file in files)
    if not cached and laws() is None:
        return None
    parts = [
        _load_chapter(file, read, tables, key, cache, problems, f"laws.{file.stem}")
        for file in files
    ]
    return _joined([part for part, _ in parts if part.behaviors]) if parts else None


def _joined(parts: list[Chapter]) -> Chapter:
    """One chapter of laws from those of several files: each law once, with the cases of all."""
    first = parts[0]
    behaviors = []
    for index, behavior in enumerate(first.behaviors):
        for part in parts[1:]:
            for case in part.behaviors[index].cases:
                object.__setattr__(case, "behavior", behavior)
                behavior.cases.append(case)
        if behavior.cases:
            behaviors.append(behavior)
    return Chapter(first.name, first.title, first.introduction, tuple(behaviors))


def _read_laws(
    path: Path, tables: Tables, key: str, cache: Cache, problems: list[Problem]
) -> Laws | None:
    """The laws themselves, once for all files of operations."""
    kept = cache.read("laws", key)
    if kept is not None:
        found: Laws = pickle.loads(kept)
        return found
    from .catalogue.laws import read_laws

    laws = read_laws(read_bytes(path, str(path)), path, tables.sources, problems)
    if laws is not None:
        cache.write("laws", key, pickle.dumps(laws))
    return laws


def _laws(
    laws: Laws | None,
    located: Located,
    file: str,
    name: str,
    tables: Tables,
    problems: list[Problem],
) -> Made:
    from .catalogue.law_cases import law_chapter

    assert laws is not None, "where a chapter of laws is made, the laws have been read"
    return law_chapter(located, file, name, laws, tables, problems), {}


def _behaviors(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> Made:
    return read_chapter(located, file, name, tables, problems), {}


def _operations(
    located: Located, file: str, name: str, tables: Tables, problems: list[Problem]
) -> Made:
    from .catalogue.operation_cases import (
        read_operations,  # with NumPy, which nothing else here needs
    )

    return read_operations(located, file, name, tables, problems)


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
                        behavior.place, f"the id {behavior.id!r} occurs twice; first at {first}"
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
    problems.extend(broken_references(chapters))
    return problems
