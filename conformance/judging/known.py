"""Known divergences: one YAML file per engine, each entry with a reason and a link.

    - case: in_place.version-check/saved-operand    # or `behavior: in_place.version-check`
      reason: The engine saves a copy, so the change does no harm.
      link: https://...

A listed case that fails is `known`; one that passes is `unexpected-pass` and fails the run, as does an entry
that names an unknown id, so the list cannot rot.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from gradspec.spec.model import Spec
from gradspec.spec.problems import Place, Problem, SpecError, nearest
from gradspec.spec.reading.fields import Fields
from gradspec.spec.reading.yaml_reader import read_yaml

from ..files import file_name
from .verdict import FAILED, Verdict

FOLDER = "known"
LIST = "the list of known failures"


@dataclass(frozen=True)
class Divergence:
    """Why a case is known to fail."""

    reason: str
    link: str
    place: Place


def known_file(engine: str) -> Path:
    """The path of an engine's list; it need not exist."""
    import gradspec.adapters

    return Path(gradspec.adapters.__path__[0]) / FOLDER / f"{file_name(engine)}.yaml"


def read_known(path: Path, spec: Spec, whole: bool = True) -> dict[str, Divergence]:
    """Case ids to why they fail. Raises `SpecError` for a file that is not well formed, or that
    names an id which the specification does not have, where that is to have the `whole` list."""
    if not path.exists():
        return {}
    problems: list[Problem] = []
    fields = Fields(problems)
    cases = {case.id: [case.id] for case in spec.cases}
    behaviors = {behavior.id: [case.id for case in behavior.cases] for behavior in spec.behaviors}
    known: dict[str, Divergence] = {}
    try:
        content = read_yaml(path)
    except SpecError as error:
        raise SpecError(error.problems, LIST) from error
    for item in fields.sequence(content, "a list of known failures"):
        entry = fields.mapping(item, "a divergence", ["reason"], ["case", "behavior", "link"])
        named = [key for key in ("case", "behavior") if key in entry]
        if len(named) != 1:
            fields.refuse(item.place, "expected either a case or a behavior")
            continue
        identifier = fields.text(entry[named[0]], named[0])
        table = cases if named[0] == "case" else behaviors
        if identifier not in table and not whole:
            continue
        if identifier not in table:
            hint = nearest(identifier, table)
            fields.refuse(
                entry[named[0]].place,
                f"the {named[0]} {identifier!r} is not in the specification",
                hint,
            )
            continue
        divergence = Divergence(
            fields.text(entry.get("reason"), "reason"),
            fields.text(entry.get("link"), "link"),
            item.place,
        )
        for case in table[identifier]:
            if case in known:
                fields.refuse(
                    item.place, f"the case {case!r} is listed twice; first at {known[case].place}"
                )
            known[case] = divergence
    if problems:
        raise SpecError(problems, LIST)
    return known


def apply_known(verdict: Verdict, known: dict[str, Divergence], strict: bool = True) -> Verdict:
    """Turn a listed failure into `known`, and a listed pass into `unexpected-pass`; unless `strict`, a
    listed pass stays one."""
    divergence = known.get(verdict.case)
    if divergence is None or (not strict and verdict.verdict == "pass"):
        return verdict
    verdict.reason = divergence.reason + (f" ({divergence.link})" if divergence.link else "")
    if verdict.verdict in FAILED:
        verdict.verdict = "known"
    elif verdict.verdict == "pass":
        verdict.verdict = "unexpected-pass"
        verdict.message = f"listed as a known failure at {divergence.place}, but it passes; remove it from the list"
    return verdict
