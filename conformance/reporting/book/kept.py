"""What takes long to make and seldom changes is kept beside our own specification for the next book."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from gradspec.spec.model import Case, Chapter
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT

from .. import drawing
from ..drawing import drawing_of

Made = TypeVar("Made")
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

    def drawings(self, chapter: Chapter, cases: Iterable[Case]) -> dict[str, str]:
        """The drawings of some cases of a chapter, by their ids."""
        wanted = list(cases)
        parts = [part for case in wanted for part in (case.id, case.text, repr(case.row))]
        return self.value(
            f"drawings.{chapter.name}", parts, lambda: {case.id: drawing_of(case) for case in wanted}
        )
