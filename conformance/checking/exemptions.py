"""Finds exemptions from laws that nothing needs: the law holds there, on the reference too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from gradspec.adapters.reference_engine import ReferenceEngine
from gradspec.spec.catalogue.law_cases import law_chapter
from gradspec.spec.catalogue.laws import laws_of
from gradspec.spec.model import Case, Spec
from gradspec.spec.problems import Problem
from gradspec.spec.reading.chapters import Tables
from gradspec.spec.reading.folder import operation_paths
from gradspec.spec.reading.yaml_reader import read_yaml

from ..judging.judge import judge
from ..running.runner import kinds_as_data

CASE_SECONDS = 5.0


def needless_exemptions(spec: Spec, root: Path) -> list[Problem]:
    """Exemptions of a law and an operation of which every case passes on the reference, or that
    leave out no case; but not those of which it is said that the reference passes."""
    laws = laws_of(root, spec.sources)
    if laws is None:
        return []
    needed: set[tuple[str, str]] = set()
    engine = ReferenceEngine(kinds=kinds_as_data(spec))
    for case in exempted_cases(spec, root):
        operation = case.name.partition("[")[0]
        chapter = operation.partition(".")[0]
        named = [(case.behavior.id, name) for name in (case.name, operation, chapter)]
        pair = next(pair for pair in named if pair in laws.exempt)
        if pair not in needed and not _passes(engine, spec, case):
            needed.add(pair)
    return [
        Problem(place, f"{law} holds for {operation} on the reference", "remove the exemption")
        for (law, operation), place in laws.places.items()
        if (law, operation) not in needed | laws.reference_passes
    ]


def exempted_cases(spec: Spec, root: Path) -> Iterator[Case]:
    """The cases that exemptions leave out."""
    laws = laws_of(root, spec.sources)
    tables = Tables(spec.vocabulary, spec.kinds, spec.sources)
    for path in operation_paths(root) if laws else ():
        assert laws is not None
        made = law_chapter(read_yaml(path), str(path), path.stem, laws, tables, [], exempted=True)
        for behavior in made.behaviors:
            yield from behavior.cases


def _passes(engine: ReferenceEngine, spec: Spec, case: Case) -> bool:
    observations = engine.run(case.program, CASE_SECONDS)
    verdict = judge(case, observations, spec.kinds, engine.identity.exact_kinds)
    return verdict.verdict == "pass"
