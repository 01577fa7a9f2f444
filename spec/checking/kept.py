"""Keeps what a check found in one file until that file, or the code that checks it, changes."""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import TypeVar

from ..problems import Problem
from ..reading.cache import FOLDER, Cache, code_key, key_of
from ..reading.folder import ROOT

Found = TypeVar("Found")


class Kept:
    """Findings by name, in the cache beside our own specification; of another folder none is kept.

    `code` are folders whose Python files decide what is found, apart from those of `spec/`.
    """

    def __init__(self, root: Path, *code: Path) -> None:
        self.cache = Cache(ROOT / FOLDER if root == ROOT else None)
        self.code = code_key(ROOT, *code)

    def problems(
        self, name: str, of: Iterable[str | bytes], find: Callable[[], Iterable[Problem]]
    ) -> list[Problem]:
        """What `find` finds, or what it found when `of` (the texts that it reads) was the same."""
        return self.found(name, of, lambda: list(find()))

    def found(self, name: str, of: Iterable[str | bytes], find: Callable[[], Found]) -> Found:
        """As `problems`, of anything that can be pickled."""
        key = key_of([self.code, *of])
        kept = self.cache.read(name, key)
        if kept is not None:
            before: Found = pickle.loads(kept)
            return before
        found = find()
        self.cache.write(name, key, pickle.dumps(found))
        return found
