"""Checks which operations laws and the exemptions from them name: each exists."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from pathlib import Path

from ..model import Spec
from ..problems import Problem, nearest
from ..reading.folder import operation_paths
from .kept import Kept


def exemptions_of_nothing(spec: Spec, root: Path, kept: Kept) -> list[Problem]:
    """Laws and exemptions that name no chapter of the catalogue, no operation and no form of one."""
    paths = [path for path in (root / "laws.yaml", *operation_paths(root)) if path.is_file()]
    of: list[str | bytes] = [repr(sorted(spec.sources)), *(path.read_bytes() for path in paths)]
    return kept.problems("exemptions", of, lambda: _exemptions_of_nothing(spec, root, kept))


def _exemptions_of_nothing(spec: Spec, root: Path, kept: Kept) -> Iterator[Problem]:
    from ..catalogue.laws import laws_of

    laws = laws_of(root, spec.sources)
    if laws is None:
        return
    named = {name: law.place for law in laws.laws for name in law.operations}
    named |= {name: place for (_, name), place in laws.places.items()}
    known: set[str] = set()
    for path in operation_paths(root):
        names = partial(_names_of_a_file, path)
        known |= kept.found(f"ops.{path.stem}.names", [path.read_bytes()], names)
    told = set()
    for name, place in named.items():
        if name not in known and place not in told:
            told.add(place)
            message = f"no operation, and no form of one, is called {name!r}"
            yield Problem(place, message, nearest(name, known))


def _names_of_a_file(path: Path) -> set[str]:
    """What an exemption may name: the file's chapters, operations and forms."""
    from ..catalogue.law_cases import about
    from ..catalogue.operations import operations_of

    names: set[str] = set()
    for operation in operations_of(path):
        names |= {operation.chapter, operation.id}
        names |= {about(operation, form) for form in operation.forms}
    return names
