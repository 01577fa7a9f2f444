"""Checks the exemptions from laws: each names an operation or a form that exists."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from ..catalogue.law_cases import about, chapter_of
from ..catalogue.laws import laws_of
from ..catalogue.operations import catalogue
from ..model import Spec
from ..problems import Problem, nearest


def exemptions_of_nothing(spec: Spec, root: Path) -> Iterator[Problem]:
    """Exemptions that name no chapter of the catalogue, no operation and no form of one."""
    laws = laws_of(root, spec.sources)
    if laws is None or not laws.exempt:
        return
    known: set[str] = set()
    for operation in catalogue(root):
        known |= {
            chapter_of(operation),
            operation.id,
            *(about(operation, form) for form in operation.forms),
        }
    told = set()
    for (_, name), place in laws.places.items():
        if name not in known and place not in told:
            told.add(place)
            message = f"no operation, and no form of one, is called {name!r}"
            yield Problem(place, message, nearest(name, known))
