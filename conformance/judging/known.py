"""Known divergences: one YAML file per engine, each entry with a reason or a cause, and a link.

    - case: in_place.version-check/saved-operand    # or `behavior: in_place.version-check`
      reason: The engine saves a copy, so the change does no harm.
      link: https://...

A listed case that fails is `known`; one that passes is `unexpected-pass` and fails the run, as does an entry
that names an unknown id, so the list cannot rot. With `partial: true` a listed case may pass: the entry
is about a behavior of which some cases pass, or a case that does not fail every time. `cause` is what
`gradspec known` writes and renews; `reason` is a person's.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, Problem, SpecError, nearest
from gradspec.spec.reading.fields import Fields
from gradspec.spec.reading.yaml_reader import Located, read_yaml

from ..files import file_name
from .verdict import FAILED, Verdict

FOLDER = "known"
LIST = "the list of known failures"


@dataclass(frozen=True)
class Divergence:
    """Why a case is known to fail. With `partial` it may also pass."""

    reason: str
    link: str
    place: Place
    partial: bool = False

    def __str__(self) -> str:
        return self.reason + (f" ({self.link})" if self.link else "")


@dataclass(frozen=True)
class Entry:
    """One entry of a list: a behavior or a case, and the cases that it stands for."""

    names: str
    """`behavior` or `case`."""
    identifier: str
    cases: tuple[str, ...]
    divergence: Divergence
    by_hand: bool
    """Whether a person wrote a reason or a link."""


def known_file(engine: str) -> Path:
    """The path of an engine's list; it need not exist."""
    import gradspec.adapters

    return Path(gradspec.adapters.__path__[0]) / FOLDER / f"{file_name(engine)}.yaml"


def read_known(path: Path, spec: Spec, whole: bool = True) -> dict[str, Divergence]:
    """Case ids to why they fail. Raises `SpecError` for a file that is not well formed, or that
    names an id which the specification does not have, where that is to have the `whole` list."""
    return {
        case: entry.divergence for entry in read_entries(path, spec, whole) for case in entry.cases
    }


def read_entries(path: Path, spec: Spec, whole: bool = True) -> list[Entry]:
    """The entries of a list, none for a file that does not exist. Raises as `read_known`; without
    `whole`, entries with unknown ids are left out."""
    if not path.exists():
        return []
    problems: list[Problem] = []
    fields = Fields(problems)
    tables = spec.ids
    try:
        content = read_yaml(path)
    except SpecError as error:
        raise SpecError(error.problems, LIST) from error
    entries = []
    first: dict[str, Place] = {}
    for item in fields.sequence(content, "a list of known failures"):
        entry = _read_entry(item, fields, tables, whole)
        if entry is None:
            continue
        entries.append(entry)
        for case in entry.cases:
            if case in first:
                why = f"the case {case!r} is listed twice; first at {first[case]}"
                fields.refuse(item.place, why)
            first[case] = item.place
    if problems:
        raise SpecError(problems, LIST)
    return entries


def _read_entry(
    item: Located, fields: Fields, tables: Mapping[str, Mapping[str, tuple[str, ...]]], whole: bool
) -> Entry | None:
    """An entry of a list; None for one that is reported as a problem, or that is left out."""
    optional = ["case", "behavior", "reason", "cause", "link", "partial"]
    entry = fields.mapping(item, "a divergence", [], optional)
    named = [key for key in ("case", "behavior") if key in entry]
    if len(named) != 1:
        fields.refuse(item.place, "expected either a case or a behavior")
        return None
    if not entry.keys() & {"reason", "cause"}:
        fields.refuse(item.place, "a divergence is missing the key 'reason' (or 'cause')")
    names, table = named[0], tables[named[0]]
    identifier = fields.text(entry[names], names)
    if identifier not in table:
        if whole:
            told = f"the {names} {identifier!r} is not in the specification"
            fields.refuse(entry[names].place, told, nearest(identifier, table))
        return None
    reason = fields.text(entry.get("reason"), "reason") or fields.text(entry.get("cause"), "cause")
    partial = entry.get("partial")
    if partial is not None and not isinstance(partial.value, bool):
        fields.refuse(
            partial.place, f"expected partial to be true or false, found {partial.value!r}"
        )
    divergence = Divergence(
        reason,
        fields.text(entry.get("link"), "link"),
        item.place,
        bool(partial and partial.value is True),
    )
    by_hand = bool(entry.keys() & {"reason", "link"})
    return Entry(names, identifier, table[identifier], divergence, by_hand)


def apply_known(verdict: Verdict, known: Mapping[str, Divergence], strict: bool = True) -> Verdict:
    """Turn a listed failure into `known`, and a listed pass into `unexpected-pass`; unless `strict`, or
    where the entry is partial, a listed pass stays one."""
    divergence = known.get(verdict.case)
    if divergence is None:
        return verdict
    if verdict.verdict == "pass" and (divergence.partial or not strict):
        return verdict
    verdict.reason = str(divergence)
    if verdict.verdict in FAILED:
        verdict.verdict = "known"
    elif verdict.verdict == "pass":
        verdict.verdict = "unexpected-pass"
        verdict.message = f"listed as a known failure at {divergence.place}, but it passes; remove it from the list"
    return verdict


def outdated(known: Mapping[str, Divergence], verdicts: Iterable[Verdict]) -> list[Divergence]:
    """The partial entries all of whose cases passed: nothing that they are about fails any more."""
    found = {verdict.case: verdict.verdict for verdict in verdicts}
    cases: dict[Divergence, list[str]] = {}
    for case, divergence in known.items():
        if divergence.partial:
            cases.setdefault(divergence, []).append(found.get(case, ""))
    return [entry for entry, names in cases.items() if set(names) == {"pass"}]
