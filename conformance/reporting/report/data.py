"""The report as plain data; every other form is made from it (report.json by `lean`)."""

from __future__ import annotations

import math
import pickle
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from gradspec.adapters.baseline_engines import AgreeableEngine, NothingEngine
from gradspec.adapters.framework.engine import MISSING_GRADIENT
from gradspec.spec.model import Behavior, Case, Chapter, Spec
from gradspec.spec.reading.cache import FOLDER, Cache, code_key, key_of
from gradspec.spec.reading.folder import ROOT

from ... import judging
from ...judging.judge import judge
from ...judging.score import Score, Scores, score_of
from ...judging.verdict import ATTEMPTED, FAILED, NOT_HELD, Verdict
from ...running.journal import Journal
from ...running.runner import blame
from ...text import engine_argument
from ..causes import Cause, causes_of
from ..drawing import Graphs, plan_of
from ..messages import both_values
from .cards import cards_of
from .changes import compare_with

FORMAT = 2
LONGEST_KEY = 60
IMPORTED = "module:"
"""What the names of engines begin with that have no adapter."""
MANY = 1000
"""A specification with so many cases takes long to be tried on the baselines."""

DECIDING = (Path(judging.__file__).parent, ROOT.parent / "adapters")
"""The code that decides what a baseline gets."""
Data = dict[str, Any]


def build_report(journals: Sequence[Journal], spec: Spec, earlier: Journal | None = None) -> Data:
    """The report of some runs."""
    report, add_causes = begin_report(journals, spec, earlier)
    add_causes()
    return report


def begin_report(
    journals: Sequence[Journal], spec: Spec, earlier: Journal | None = None
) -> tuple[Data, Callable[[], None]]:
    """The report of some runs without the causes of failures, and what adds them. Verdicts on cases that this
    specification does not have are counted as `strange` and otherwise left out; cases without a verdict are
    `missing`."""
    keys = engine_keys(journals)
    compared = compare_with(earlier, journals, keys) if earlier else []
    for journal in journals:
        journal.score_by(spec)
        blame(journal.verdicts, spec)
    verdicts = [{verdict.case: verdict for verdict in journal.verdicts} for journal in journals]
    lacking: dict[str, Data] = {}
    results = zip(*[_results_of(table, spec.cases, lacking) for table in verdicts], strict=True)
    labels = engine_labels(journals)
    graphs = Graphs(spec)
    cases = {case.id: case for case in spec.cases}
    report: Data = {
        "gradspec": FORMAT,
        "spec": {"digest": spec.digest, "behaviors": len(spec.behaviors), "cases": len(spec.cases)},
        "engines": [
            {"label": label, **engine_data(key, journal, table, spec, cases)}
            for key, label, journal, table in zip(keys, labels, journals, verdicts, strict=True)
        ],
        "baselines": baseline_data(spec),
        "drawings": drawings_of(spec, verdicts, graphs),
        "against": [about for about, _ in compared],
        "changes": [change for _, changes in compared for change in changes],
        "chapters": [chapter_data(chapter, keys, results, spec) for chapter in spec.chapters],
    }

    def add_causes() -> None:
        for engine, table in zip(report["engines"], verdicts, strict=True):
            causes = causes_of(table.values(), spec, cases)
            engine["causes"] = [cause_data(cause, cases) for cause in causes]
            engine["cards"] = cards_of(causes, cases, engine["impl"], graphs)
        graphs.keep()

    return report, add_causes


def drawings_of(
    spec: Spec, verdicts: Sequence[Mapping[str, Verdict]], graphs: Graphs
) -> dict[str, list[Any]]:
    """For each behavior that an engine fails the graph of the first case that fails, among those that
    are written by hand. The book has the graphs of all behaviors."""
    failing = {
        name for table in verdicts for name, found in table.items() if found.verdict in NOT_HELD
    }
    drawn = {}
    for behavior in spec.behaviors:
        cases = (case for case in behavior.cases if case.id in failing and not case.generated)
        case = next(cases, None)
        if case and (graph := graphs.of(case)):
            drawn[case.id] = plan_of(graph)
    return drawn


def engine_keys(journals: Sequence[Journal]) -> list[str]:
    """A short name for each run, made distinct by version, device or number where needed."""
    names = [_key(journal.name) for journal in journals]
    keys: list[str] = []
    for name, journal in zip(names, journals, strict=True):
        key = name
        if names.count(name) > 1:
            engine = journal.header.get("engine", {})
            key = _key(f"{name}-{engine.get('version', '')}-{engine.get('device', '')}")
        base, number = key, 2
        while key in keys:
            key, number = f"{base}-{number}", number + 1
        keys.append(key)
    return keys


def engine_labels(journals: Sequence[Journal]) -> list[str]:
    """What each column is called: the engine's name, with as much more as tells runs apart."""

    def named(journal: Journal, parts: int) -> str:
        engine = journal.header.get("engine", {})
        stem = f"({journal.path.stem})" if journal.path else ""
        found = [
            journal.name.removeprefix(IMPORTED),
            engine.get("version", ""),
            engine.get("device", ""),
            stem,
        ]
        return " ".join(part for part in found[:parts] if part)

    labels = []
    for journal in journals:
        for parts in (1, 2, 3, 4):
            label = named(journal, parts)
            if [named(other, parts) for other in journals].count(label) == 1:
                break
        labels.append(label)
    return labels


def share(part: int, whole: int) -> str:
    """A share in percent. It is 100% only of everything, and 0% only of nothing."""
    if not whole:
        return "0%"
    exact = 100 * part / whole
    if 0 < exact < 1 or 99 <= exact < 100:
        return f"{min(max(math.floor(exact * 10) / 10, 0.1), 99.9)}%"
    return f"{math.floor(exact)}%"


def _key(text: str) -> str:
    """A text as part of a file's name."""
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text)[:LONGEST_KEY]


def score_data(score: Score) -> Data:
    return {
        "passed": score.passed,
        "attempted": score.attempted,
        "all": score.all,
        "setup": score.setup,
    }


def scores_data(scores: Scores) -> Data:
    return {"must": score_data(scores.must), "rest": score_data(scores.rest)}


def engine_data(
    key: str,
    journal: Journal,
    table: Mapping[str, Verdict],
    spec: Spec,
    cases: Mapping[str, Case],
) -> Data:
    """An engine and the results of its run, without the causes of its failures."""
    strange = [table[name] for name in table.keys() - cases.keys()]
    known = (
        [verdict for name, verdict in table.items() if name in cases]
        if strange
        else list(table.values())
    )
    others = [verdict for verdict in known if verdict.verdict != "pass"]
    scores = score_of(known)
    must = scores.must
    engine = journal.header.get("engine", {})
    lacks = Counter(lack_of(verdict) for verdict in others if verdict.verdict == "unsupported")
    features: Counter[str] = Counter()
    for message, count in lacks.items():
        for feature in (
            message.removeprefix("needs ").split(", ") if message.startswith("needs ") else ()
        ):
            features[feature] += count
    words = Counter(
        {message: count for message, count in lacks.items() if not message.startswith("needs ")}
    )
    return {
        "key": key,
        "name": engine.get("name", "unnamed"),
        "title": journal.name.removeprefix(IMPORTED),
        "version": engine.get("version", ""),
        "language": engine.get("language", ""),
        "device": engine.get("device", ""),
        "impl": command_of(journal.header.get("options", {}), engine),
        "complete": journal.complete,
        "same_spec": journal.same_spec(spec),
        "strange": len(strange),
        "strange_failures": sum(verdict.verdict in FAILED for verdict in strange),
        "missing": len(cases) - len(known),
        "counts": dict(Counter(verdict.verdict for verdict in known)),
        "kinds": dict(
            Counter(v.kind for v in others if v.verdict in FAILED and v.kind).most_common()
        ),
        "scores": scores_data(scores),
        "passes": share(must.passed, must.attempted),
        "supports": share(must.attempted, must.all),
        "seconds": round(sum(verdict.seconds for verdict in known), 3),
        "undeclared": dict(features.most_common()),
        "lacking": dict(words.most_common()),
        "spoilers": [verdict.case for verdict in others if verdict.spoils],
        "badge": badge(scores, journal.complete, bool(strange)),
    }


def lack_of(verdict: Verdict) -> str:
    """What an unsupported case lacks; a gradient is said to be one."""
    of_gradient = verdict.kind == MISSING_GRADIENT
    return f"missing gradient: {verdict.message}" if of_gradient else verdict.message


def command_of(options: Mapping[str, Any], engine: Mapping[str, Any]) -> str:
    """What follows `--impl=` in a command that is about the engine of a run."""
    impl = str(options.get("impl", engine.get("name")))
    imported, python = (
        str(options[name]) if options.get(name) else None for name in ("imported", "python")
    )
    return engine_argument(impl, str(options.get("device", "cpu")), imported, python)


def strange_told(engine: Data) -> str:
    """How many verdicts of a run the report leaves out, in words, or the empty string."""
    count, fails = engine["strange"], engine["strange_failures"]
    if not count:
        return ""
    told = f"{count} verdict{'s' if count != 1 else ''} left out ({fails} failed)"
    if engine["same_spec"]:
        return (
            f"{told}: the specification does not have their cases, although its digest is the same"
        )
    return f"{told}: this version of the specification does not have their cases"


def cause_data(cause: Cause, cases: Mapping[str, Case]) -> Data:
    """A cause of failures: how many cases it affects, and the first of them."""
    example = cause.example.case
    return {
        "title": cause.title,
        "cases": len(cause.cases) + len(cause.follow),
        "must": cause.must,
        "example": example,
        "statement": cases[example].behavior.statement,
        "behaviors": cause.behaviors,
    }


def badge(scores: Scores, complete: bool, strange: bool = False) -> Data:
    """A badge in the JSON form that badge services read. A run is not green while some of its
    verdicts are on cases that the specification does not have."""
    must = scores.must
    share = must.passed / must.attempted if must.attempted else 0.0
    green = scores.conforms and complete and not strange
    colour = "brightgreen" if green else "yellow" if share >= 0.9 else "orange"
    message = f"{must.passed} / {must.attempted} / {must.all}" if complete else "incomplete run"
    return {"schemaVersion": 1, "label": "gradspec", "message": message, "color": colour}


def baseline_data(spec: Spec) -> list[Data]:
    """What engines get that compute nothing; of a large specification each chapter's part is kept until
    the chapter changes."""
    engines = NothingEngine(), AgreeableEngine()
    cache = Cache(ROOT / FOLDER if len(spec.cases) >= MANY else None)
    code = key_of(
        [code_key(ROOT, *DECIDING) if cache.folder else "", repr(sorted(spec.kinds.items()))]
    )
    kept = cache.read("baselines", code)
    known: dict[str, list[Scores]] = pickle.loads(kept) if kept is not None else {}
    found = {}
    for chapter in spec.chapters:
        cases = [case for behavior in chapter.behaviors for case in behavior.cases]
        parts = (
            f"{case.id} {case.behavior.scored_as_must} {case.row}\n{case.text}" for case in cases
        )
        key = key_of([chapter.name, *parts])
        found[key] = (
            known[key] if key in known else [_score(engine, cases, spec) for engine in engines]
        )
    if found.keys() != known.keys():
        cache.write("baselines", code, pickle.dumps(found))
    totals = (sum(scores, Scores()) for scores in zip(*found.values(), strict=True))
    return [
        {"name": engine.name, "scores": scores_data(total)}
        for engine, total in zip(engines, totals, strict=True)
    ]


def _score(engine: NothingEngine | AgreeableEngine, cases: Iterable[Case], spec: Spec) -> Scores:
    return score_of(
        judge(case, engine.run(case.program), spec.kinds, exact_kinds=False) for case in cases
    )


def chapter_data(
    chapter: Chapter, keys: Sequence[str], results: Iterator[tuple[Data, ...]], spec: Spec
) -> Data:
    """A chapter with its behaviors, and how many of its cases have which verdict on each engine."""
    behaviors = [behavior_data(behavior, keys, results, spec) for behavior in chapter.behaviors]
    cases = [case for behavior in behaviors for case in behavior["cases"]]
    return {
        "name": chapter.name,
        "title": chapter.title,
        "introduction": chapter.introduction,
        "operations": all(case["case"].generated for case in cases),
        "counts": {
            key: Counter([case["results"][key]["verdict"] for case in cases]) for key in keys
        },
        "behaviors": behaviors,
    }


def behavior_data(
    behavior: Behavior,
    keys: Sequence[str],
    results: Iterator[tuple[Data, ...]],
    spec: Spec,
) -> Data:
    """A behavior with its cases and the results of each engine, of which `results` has the next cases'."""
    cases = [
        case_data(case, dict(zip(keys, next(results), strict=True))) for case in behavior.cases
    ]
    return {
        "id": behavior.id,
        "statement": behavior.statement,
        "strength": behavior.strength,
        "level": behavior.level,
        "must": behavior.scored_as_must,
        "refuses": behavior.refuses,
        "pitfall": behavior.pitfall,
        "differs": behavior.differs,
        "folklore": behavior.folklore,
        "since": behavior.since,
        "sources": [
            source_data(name, spec) for name in behavior.sources if not name.startswith("seed/")
        ],
        "results": {
            key: told_of(tuple([case["results"][key]["verdict"] for case in cases])) for key in keys
        },
        "cases": cases,
    }


def status_of(found: Counter[str], wanted: int) -> str:
    """One word for a behavior, of whose cases `found` counts the verdicts: fails, known, unexpected-pass,
    holds, partly, unsupported or missing."""
    names = set(found)
    if names & FAILED:
        return "fails"
    for name in ("unexpected-pass", "known"):
        if name in names:
            return name
    if not names:
        return "missing"
    if not names & ATTEMPTED:
        return "unsupported"
    return "holds" if found.total() == wanted and names <= ATTEMPTED else "partly"


@lru_cache(maxsize=1 << 14)  # of most behaviors an engine passes or supports all or nothing
def told_of(verdicts: tuple[str, ...]) -> Data:
    """The status and the score of a behavior whose cases have these verdicts."""
    found = Counter(verdicts)
    del found["missing"]
    return {"status": status_of(found, len(verdicts)), **score_data(Score(found))}


def source_data(name: str, spec: Spec) -> Data:
    source = spec.sources[name]
    return {"name": name, "title": source.title, "where": source.where, "note": source.note}


PASSED: Data = {"verdict": "pass"}
MISSING: Data = {"verdict": "missing"}


def _results_of(
    verdicts: Mapping[str, Verdict], cases: Sequence[Case], lacking: dict[str, Data]
) -> list[Data]:
    """An engine's results, case by case. Those that pass are one object, and so are those that lack the same."""

    def other(verdict: Verdict | None) -> Data:
        if verdict is None:
            return MISSING
        if verdict.verdict != "unsupported" or verdict.reason or verdict.kind:
            return _result_of(verdict)
        return lacking.setdefault(
            verdict.message, {"verdict": "unsupported", "message": verdict.message}
        )

    found = map(verdicts.get, [case.id for case in cases])
    return [
        PASSED if verdict and verdict.verdict == "pass" else other(verdict) for verdict in found
    ]


def _result_of(verdict: Verdict) -> Data:
    """A result with what is known of it; expected and observed values as a reader writes them."""
    shown: Data = {"verdict": verdict.verdict}
    for name in ("kind", "message", "line", "where", "setup", "blamed_on", "reason"):
        if getattr(verdict, name):
            shown[name] = getattr(verdict, name)
    if verdict.verdict in ("fail", "flaky", "known"):
        shown["expected"], shown["observed"] = both_values(verdict)
    return shown


def case_data(case: Case, results: Data) -> Data:
    """A case with the results of each engine."""
    return {
        "id": case.id,
        "name": case.name,
        "row": case.id.partition("[")[2].rstrip("]"),
        "values": case.row,
        "program": case.text.rstrip("\n"),
        "place": case.where,
        "features": case.program.features,
        "case": case,
        "results": results,
    }
