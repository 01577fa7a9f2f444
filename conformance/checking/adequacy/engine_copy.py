"""Imports the reference engine once more under another name, with some modules changed as soon as they
are loaded, before others take names from them."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import CodeType, ModuleType
from typing import Any

from gradspec.adapters.reference_engine import ReferenceEngine

from .source import reference_folder

__all__ = ["ChangedEngine"]

PACKAGE = "gradspec_faulty_engine"
Rewrite = Callable[[str], CodeType]
"""From the path of a module to its code, changed."""


class _Loader(importlib.machinery.SourceFileLoader):
    """Loads a module, and changes it."""

    def __init__(
        self, name: str, path: str, change: Callable[[ModuleType], None], rewrite: Rewrite | None
    ) -> None:
        super().__init__(name, path)
        self.change = change
        self.rewrite = rewrite

    def get_code(self, fullname: str) -> CodeType | None:
        if self.rewrite is None:
            return super().get_code(fullname)
        return self.rewrite(self.path)

    def exec_module(self, module: ModuleType) -> None:
        super().exec_module(module)
        self.change(module)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the copy in the reference's folder."""

    def __init__(
        self, changes: Mapping[str, Callable[[ModuleType], None]], rewrite: Rewrite | None
    ) -> None:
        self.changes = {f"{PACKAGE}.{name}": change for name, change in changes.items()}
        self.rewrite = rewrite

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".")[0] != PACKAGE:
            return None
        place = reference_folder().joinpath(*fullname.split(".")[1:])
        file: Path = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if not file.is_file():
            return None
        change = self.changes.get(fullname, _leave)
        folders = [str(place)] if place.is_dir() else None
        return importlib.util.spec_from_file_location(
            fullname,
            file,
            loader=_Loader(fullname, str(file), change, self.rewrite),
            submodule_search_locations=folders,
        )  # fmt: skip


def _leave(module: ModuleType) -> None:
    """Leave a module as it is."""


class ChangedEngine(ReferenceEngine):
    """The reference with each module in `changes` changed by its function, and the source of all
    modules by `rewrite`. At most one in a process."""

    name = "faulty"
    module_name = PACKAGE

    def __init__(
        self,
        changes: Mapping[str, Callable[[ModuleType], None]],
        device: str = "cpu",
        kinds: Any = (),
        rewrite: Rewrite | None = None,
    ) -> None:
        sys.meta_path.insert(0, _Finder(changes, rewrite))
        super().__init__(device, kinds)

    def load_module(self) -> Any:
        return importlib.import_module(PACKAGE)
