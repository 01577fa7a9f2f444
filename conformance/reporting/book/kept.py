"""What takes long to make and seldom changes is kept beside our own specification for the next book."""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import pickle
import threading
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import TypeVar

from gradspec.spec.model import Case, Chapter
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT

from .. import drawing
from ..drawing import drawing_of

Made = TypeVar("Made")
Wanted = tuple[Chapter, Sequence[Case]]
"""A chapter, and those of its cases that are drawn."""
FEW = 4
"""Fewer chapters than this are not worth another process."""
DECIDING = (
    ROOT,
    ROOT.parent / "adapters",
    ROOT.parent / "reference_impl",
    Path(drawing.__file__).parent,
)
"""The code that decides what a drawing shows."""


class Kept:
    """Keeps what is made of our own specification; what is made of another folder is made each time,
    since a pickle in a stranger's folder would be code."""

    def __init__(self, root: Path) -> None:
        self.cache = Cache(ROOT / FOLDER if root == ROOT else None)
        self.code = code_key(*DECIDING) if root == ROOT else ""

    def value(self, name: str, parts: Iterable[str | bytes], make: Callable[[], Made]) -> Made:
        """What was made earlier of these parts, or what `make` makes now."""
        key = key_of([self.code, *parts])
        kept = self.cache.read(name, key)
        if kept is not None:
            found: Made = pickle.loads(kept)
            return found
        made = make()
        self.cache.write(name, key, pickle.dumps(made))
        return made

    def drawings(self, wanted: Wanted) -> dict[str, str]:
        """The drawings of some cases of a chapter, by their ids."""
        name, parts = _entry(wanted)
        return self.value(name, parts, lambda: {case.id: drawing_of(case) for case in wanted[1]})

    def draw_ahead(self, all_wanted: Iterable[Wanted]) -> None:
        """Draw what is not kept yet, in as many processes as there are cores; each leaves its drawings
        in the cache."""
        alone = threading.active_count() > 1 or not hasattr(os, "fork")  # threads do not survive a fork
        if self.cache.folder is None or alone or (os.cpu_count() or 1) < 2:
            return
        missing = [wanted for wanted in all_wanted if not self._has(wanted)]
        if len(missing) < FEW:
            return
        _JOBS[:] = [(self, wanted) for wanted in missing]
        with contextlib.suppress(OSError), multiprocessing.get_context("fork").Pool() as pool:
            pool.map(_draw, range(len(_JOBS)), chunksize=1)
        _JOBS.clear()

    def _has(self, wanted: Wanted) -> bool:
        name, parts = _entry(wanted)
        return self.cache.read(name, key_of([self.code, *parts])) is not None


_JOBS: list[tuple[Kept, Wanted]] = []
"""What the processes draw; they inherit it."""


def _draw(number: int) -> None:
    kept, wanted = _JOBS[number]
    kept.drawings(wanted)


def _entry(wanted: Wanted) -> tuple[str, list[str]]:
    """The name of an entry of the cache, and all that decides what is in it besides code."""
    chapter, cases = wanted
    return f"drawings.{chapter.name}", [
        part for case in cases for part in (case.id, case.text, repr(case.row))
    ]
