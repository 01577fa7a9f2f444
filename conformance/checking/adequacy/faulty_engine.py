"""Imports the reference engine under another name, with one file's source changed."""

from __future__ import annotations

import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from gradspec.adapters.reference_engine import ReferenceEngine

from .source_fault import Fault, reference_folder

PACKAGE = "gradspec_faulty_engine"


class _ChangedLoader(importlib.machinery.SourceFileLoader):
    """Loads one file with a piece of its text replaced; nothing is cached on disk."""

    def __init__(self, name: str, path: str, fault: Fault) -> None:
        super().__init__(name, path)
        self.fault = fault

    def get_code(self, fullname: str) -> Any:
        text = Path(self.path).read_text("utf-8").replace(self.fault.replace, self.fault.by)
        return compile(text, self.path, "exec", dont_inherit=True)


class _Finder(importlib.abc.MetaPathFinder):
    """Finds the modules of the faulty package in the reference's folder."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> importlib.machinery.ModuleSpec | None:
        if fullname.split(".")[0] != PACKAGE:
            return None
        place = reference_folder().joinpath(*fullname.split(".")[1:])
        file = place / "__init__.py" if place.is_dir() else place.with_suffix(".py")
        if not file.is_file():
            return None
        changed = file == reference_folder() / self.fault.file
        loader = (
            _ChangedLoader(fullname, str(file), self.fault)
            if changed
            else importlib.machinery.SourceFileLoader(fullname, str(file))
        )
        folders = [str(place)] if place.is_dir() else None
        return importlib.util.spec_from_file_location(
            fullname, file, loader=loader, submodule_search_locations=folders
        )


class FaultyEngine(ReferenceEngine):
    """The reference with one fault. At most one in a process."""

    name = "faulty"
    module_name = PACKAGE

    def __init__(self, fault: Fault, device: str = "cpu", kinds: Any = ()) -> None:
        sys.meta_path.insert(0, _Finder(fault))
        super().__init__(device, kinds)

    def load_module(self) -> Any:
        return importlib.import_module(PACKAGE)
