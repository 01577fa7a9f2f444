"""Faults: the reference engine with one piece of its source replaced.

    - id: accumulation-overwrites
      fault: A second pass overwrites the gradient instead of adding to it.
      breaks: [accumulation.second-pass-adds]
      replace: "held + gradient"
      by: "gradient"

They stand in `faults/*.yaml`. The text to replace must stand in the reference's source exactly once,
in whichever file, so a fault that no longer fits is found at once.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, Problem, SpecError, nearest
from gradspec.spec.reading.fields import Fields
from gradspec.spec.reading.yaml_reader import Located, read_yaml

FOLDER = Path(__file__).with_name("source_faults")


@dataclass(frozen=True)
class Fault:
    """One realistic mistake in an engine, and the behaviors that it breaks. `file` is where the text
    to replace stands, below the reference's folder."""

    id: str
    fault: str
    breaks: tuple[str, ...]
    file: str
    replace: str
    by: str
    place: Place

    @property
    def sentence(self) -> str:
        return self.fault

    def digest(self, engine: str, spec: str) -> str:
        """What a verdict on this fault depends on."""
        parts = [self.file, self.replace, self.by, list(self.breaks), engine, spec]
        return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:16]


@lru_cache(maxsize=1)
def reference_folder() -> Path:
    """Where the reference engine's source stands. It is read, not imported."""
    from importlib.util import find_spec

    found = find_spec("gradspec.reference_impl")
    assert found is not None
    assert found.origin is not None
    return Path(found.origin).parent


@lru_cache(maxsize=1)
def reference_source() -> dict[str, str]:
    """The text of each file of the reference, by its path below the reference's folder."""
    folder = reference_folder()
    return {
        path.relative_to(folder).as_posix(): path.read_text("utf-8")
        for path in sorted(folder.rglob("*.py"))
    }


def reference_digest() -> str:
    """A digest of the reference engine's source."""
    digest = hashlib.sha256()
    for name, text in reference_source().items():
        digest.update(f"{name}\0{text}\0".encode())
    return digest.hexdigest()[:16]


def read_faults(spec: Spec, folder: Path = FOLDER, select: str = "") -> list[Fault]:
    """Every fault whose id or behaviors contain `select`. Raises `SpecError` for a file that is not
    well formed, an unknown behavior, and a text that does not stand exactly once in its file."""
    problems: list[Problem] = []
    fields = Fields(problems)
    behaviors = {behavior.id for behavior in spec.behaviors}
    faults: dict[str, Fault] = {}
    for path in sorted(folder.glob("*.yaml")):
        for item in fields.sequence(read_yaml(path), "a list of faults"):
            fault = _read_fault(item, behaviors, fields, select)
            if fault is None:
                continue
            if fault.id in faults:
                fields.refuse(
                    fault.place,
                    f"the fault {fault.id!r} stands twice; first at {faults[fault.id].place}",
                )
            faults[fault.id] = fault
    if problems:
        raise SpecError(problems)
    return list(faults.values())


def lines_of(file: str, text: str) -> str:
    """The lines of a file of the reference at which a text begins, in words."""
    parts = reference_source()[file].split(text)[:-1]
    numbers, line = [], 1
    for part in parts:
        line += part.count("\n")
        numbers.append(str(line))
        line += text.count("\n")
    return ", ".join(numbers)


def _read_fault(located: Located, behaviors: set[str], fields: Fields, select: str) -> Fault | None:
    entry = fields.mapping(located, "a fault", ["id", "fault", "breaks", "replace", "by"])
    if not all(name in entry for name in ("id", "fault", "breaks", "replace", "by")):
        return None
    identifier = fields.text(entry["id"], "id")
    breaks = fields.texts(entry["breaks"], "breaks")
    if not any(select in name for name in (identifier, *(name for name, _ in breaks))):
        return None
    for name, place in breaks:
        if name not in behaviors:
            fields.refuse(place, f"the behavior {name!r} is not known", nearest(name, behaviors))
    replace, by = entry["replace"].value, entry["by"].value
    if not isinstance(replace, str) or not isinstance(by, str):
        fields.refuse(located.place, "expected replace and by to be text")
        return None
    found = [
        (name, text.count(replace)) for name, text in reference_source().items() if replace in text
    ]
    if sum(count for _, count in found) != 1:
        where = ", ".join(f"{count} times in {name} (line{'s' * (count > 1)} {lines_of(name, replace)})"
                          for name, count in found) or "nowhere"  # fmt: skip
        fields.refuse(
            entry["replace"].place,
            f"the text to replace stands {where} in the reference",
            "it must stand there exactly once; take in a line before or after it",
        )
        return None
    file = found[0][0]
    what = fields.text(entry["fault"], "fault")
    return Fault(
        identifier, what, tuple(name for name, _ in breaks), file, replace, by, located.place
    )
