"""The bank of faults: engines that are each wrong in one place, as a careless author would make them.

A fault is a function in `faults` that replaces public names of an engine. `noticed_by.yaml` says
which behaviors it breaks. A new fault needs both.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import lru_cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules

from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, Problem, SpecError, nearest
from gradspec.spec.reading.fields import Fields
from gradspec.spec.reading.yaml_reader import Located, read_yaml

from . import breaking, faults
from .breaking import BANK
from .breaking.patch import Fault

__all__ = ["ENGINES", "Entry", "bank_digest", "read_bank"]

ENGINES = ("reference", "torch")
NOTICED_BY = Path(__file__).with_name("noticed_by.yaml")
ONLY = tuple(f"{engine} only" for engine in ENGINES)
SECTIONS = ("must", "apart", *ONLY, *(f"{section}, apart" for section in ONLY))


@dataclass(frozen=True)
class Entry:
    """A fault with what the bank says of it: the behaviors that it breaks, the engines that can have
    it, and whether it is `apart`: noticed by what is scored apart from MUST only."""

    fault: Fault
    breaks: tuple[str, ...]
    engines: tuple[str, ...]
    apart: bool
    place: Place

    @property
    def id(self) -> str:
        return self.fault.name

    @property
    def sentence(self) -> str:
        """What is wrong."""
        return self.fault.sentence


def read_bank(
    spec: Spec, path: Path = NOTICED_BY, select: str = "", engine: str = ""
) -> list[Entry]:
    """Every fault whose name or behaviors contain `select`, and that `engine` can have.

    Raises:
        SpecError: a fault without behaviors, behaviors without a fault, or an unknown behavior.
    """
    problems: list[Problem] = []
    entries = _read_entries(path, spec, problems)
    if problems:
        raise SpecError(problems)
    return [
        entry for entry in entries.values()
        if any(select in text for text in (entry.id, *entry.breaks))
        and (not engine or engine in entry.engines)
    ]  # fmt: skip


def _read_entries(path: Path, spec: Spec, problems: list[Problem]) -> dict[str, Entry]:
    fields = Fields(problems)
    known = {behavior.id for behavior in spec.behaviors}
    bank = _all_faults()
    entries: dict[str, Entry] = {}
    document = read_yaml(path)
    for section, rows in fields.mapping(document, "the bank", [], SECTIONS).items():
        engines = ENGINES if section in ("must", "apart") else (section.split()[0],)
        for name, row in fields.any_mapping(rows, "faults by name").items():
            if name not in bank:
                fields.refuse(row.place, f"no fault is named {name!r}", nearest(name, bank))
            elif name in entries:
                fields.refuse(
                    row.place, f"{name!r} is listed twice; first at {entries[name].place}"
                )
            else:
                breaks = _read_breaks(row, known, fields)
                apart = section.endswith("apart")
                entries[name] = Entry(bank[name], breaks, engines, apart, row.place)
    missing = sorted(bank.keys() - entries.keys())
    if missing:
        shown = ", ".join(map(repr, missing[:3])) + (", ..." if len(missing) > 3 else "")
        fields.refuse(
            document.place,
            f"{len(missing)} faults are missing: {shown}",
            "list the behaviors that each breaks",
        )
    return entries


def _read_breaks(row: Located, known: set[str], fields: Fields) -> tuple[str, ...]:
    breaks = fields.texts(row, "behaviors")
    for name, place in breaks:
        if name not in known:
            fields.refuse(place, f"the behavior {name!r} is not known", nearest(name, known))
    if not breaks:
        fields.refuse(row.place, "expected at least one behavior that the fault breaks")
    return tuple(name for name, _ in breaks)


@lru_cache(maxsize=1)
def _all_faults() -> dict[str, Fault]:
    """Importing the files of `faults` fills the bank."""
    for module in iter_modules(faults.__path__):
        import_module(f"{faults.__name__}.{module.name}")
    return BANK


@lru_cache(maxsize=1)
def bank_digest() -> str:
    """A digest of the source of all faults and of what makes them."""
    digest = hashlib.sha256()
    for package in (faults, breaking):
        for path in sorted(Path(package.__path__[0]).glob("*.py")):
            digest.update(path.read_bytes())
    return digest.hexdigest()[:16]
