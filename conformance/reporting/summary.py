"""The last lines of a run: what to fix first, the score, and which features are not declared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from gradspec.adapters.framework.engine import MISSING_GRADIENT
from gradspec.adapters.framework.narrow import WIDEST
from gradspec.spec.model import Spec

from ..judging.known import outdated
from ..judging.score import Score, score_of
from ..judging.verdict import FAILED, Verdict
from ..running.runner import Session
from ..text import Heading, one_line
from .causes import causes_of
from .messages import explain

NOTHING: Mapping[str, int] = {}
BRIEFLY = 10
"""How many more causes are shown in three lines each."""
SPOILERS = 3
"""How many cases that left state behind are named."""


def words_of_its_own(session: Session) -> list[str]:
    """A line on the words that a folder adds to gradspec's vocabulary, if any, and one on unknown
    features that the engine declares."""
    lines = []
    if unknown := sorted((session.identity.features or frozenset()) - session.spec.features.keys()):
        shown = ", ".join(map(repr, unknown[:5])) + (", ..." if len(unknown) > 5 else "")
        lines = [f"the engine declares unknown features: {shown}; see `gradspec list features`"]
    names = session.spec.vocabulary.strangers
    if not names:
        return lines
    shown = ", ".join(names[:5]) + (", ..." if len(names) > 5 else "")
    told = "they reach a Python engine (--trust-words)"
    if not session.options.trust_words:
        told = "they are unsupported; if you trust the folder, add --trust-words"
    words = f"{len(names)} word{'s' * (len(names) != 1)}"
    return [*lines, f"the folder's vocabulary adds {words} ({shown}): {told}"]


def fix_first(
    verdicts: Sequence[Verdict], spec: Spec, engine: str, at_length: int, journal: str
) -> list[str]:
    """The failures by their causes, largest first: `at_length` of them with an example, `BRIEFLY` more
    in three lines each. Cases that are scored separately come last. `engine` is what follows `--impl=`
    in a command."""
    known = {case.id: case for case in spec.cases}
    lines: list[str] = []
    for verdict in verdicts:
        if verdict.verdict == "unexpected-pass" and verdict.case in known:
            told = explain(known[verdict.case], verdict, engine)
            lines += [f"--- {verdict.case}: unexpected pass", told, ""]
    lines += left_behind(verdicts)
    causes = causes_of(verdicts, spec)
    if not causes:
        return lines
    total = sum(len(cause.cases) + len(cause.follow) for cause in causes)
    many = f"{total} failure{'s' * (total > 1)}, {len(causes)} cause{'s' * (len(causes) > 1)}"
    lines += [f"{many}; largest first" if len(causes) > 1 else many, ""]
    for number, cause in enumerate(causes[:at_length], start=1):
        example = cause.example
        lines += [Heading(f"{number}. {cause.title}"), f"   {cause.count()}"]
        lines += [
            f"--- {example.case}: {example.verdict}",
            explain(known[example.case], example, engine),
        ]
        if others := [name for name in cause.behaviors if name != example.case.split("/")[0]]:
            more = f", and {len(others) - 6} more" if len(others) > 6 else ""
            lines.append(f"also failing: {', '.join(others[:6])}{more}")
        lines.append("")
    for number, cause in enumerate(causes[at_length:][:BRIEFLY], start=at_length + 1):
        name = cause.example.case
        lines.append(Heading(f"{number}. {cause.title}"))
        lines.append(f"   {known[name].behavior.statement}")
        lines.append(f"   {cause.count()}: gradspec repro '{name}' --impl={engine}")
    if left := len(causes) - at_length - BRIEFLY:
        if left > 0:
            lines.append(f"{left} more causes; `gradspec report {journal}` shows all")
    return [*lines, ""]


BAR = 30
MOST_BARS = 12
_SHOWN = (("pass", "#"), ("known", "k"), ("fail", "x"), ("unsupported", "."))


def chapter_bars(verdicts: Sequence[Verdict], spec: Spec) -> list[str]:
    """A bar for each chapter with failures, most failures first."""
    counts: dict[str, Counter[str]] = {}
    chapter_of = {behavior.id: behavior.chapter for behavior in spec.behaviors}
    for verdict in verdicts:
        name = "fail" if verdict.verdict in FAILED else verdict.verdict
        chapter = chapter_of.get(verdict.case.split("/")[0], "")
        counts.setdefault(chapter, Counter())["pass" if name == "unexpected-pass" else name] += 1
    failing = sorted(
        (item for item in counts.items() if item[1]["fail"]), key=lambda item: -item[1]["fail"]
    )
    shown = failing[:MOST_BARS]
    widest = max((len(chapter) for chapter, _ in shown), default=0)
    lines = [_bar_line(f"{chapter:<{widest}}", found) for chapter, found in shown]
    if failing:
        rest, well = len(failing) - len(lines), len(counts) - len(failing)
        more = f"{rest} more chapters with failures, {well}" if rest else f"{well} chapters"
        lines = ["by chapter (# passes, k known, x fails, . unsupported):", *lines]
        lines += [f"  {more} without{'' if rest else ' failures'}", ""]
    return lines


def _bar_line(chapter: str, found: Counter[str]) -> str:
    """A chapter's bar, after its name. A kind of verdict that is there takes at least one character."""
    whole = sum(found.values())
    parts = [
        mark * max(round(BAR * found[name] / whole), 1 if found[name] else 0)
        for name, mark in reversed(_SHOWN)
    ]
    bar = "".join(reversed(parts))
    while len(bar) > BAR:
        widest = max((mark for _, mark in _SHOWN), key=bar.count)
        bar = bar.replace(widest, "", 1)
    return f"  {chapter}  {bar:<{BAR}} {found['fail']} of {whole - found['unsupported']} fail"


def left_behind(verdicts: Sequence[Verdict]) -> list[str]:
    """The cases that left state behind in the engine, and what that means for the others."""
    spoilers = [verdict for verdict in verdicts if verdict.spoils]
    if not spoilers:
        return []
    lines = [
        f"after {verdict.case} the engine failed {verdict.spoils}, which had passed before"
        for verdict in spoilers[:SPOILERS]
    ]
    if len(spoilers) > SPOILERS:
        lines.append(f"the same after {len(spoilers) - SPOILERS} more cases")
    return [
        *lines,
        "  These cases left state behind in the engine, such as a grad mode that stays disabled. After each, the",
        "  run continued in a new process, so that other cases do not fail for it. Fix the engine, or restore its",
        "  state in the adapter's reset().",
        "",
    ]


def lost_processes(verdicts: Sequence[Verdict]) -> list[str]:
    """How often the engine's process was lost on a case that a new process then answered."""
    lost = [
        verdict
        for verdict in verdicts
        if verdict.retried and verdict.kind not in ("died", "memory")
    ]
    if not lost:
        return []
    times = f"{len(lost)} time{'s' if len(lost) > 1 else ''}"
    return [
        f"{times} the engine's process was lost, and a new one answered the same case, "
        f"first on {lost[0].case} ({lost[0].retried})"
    ]


def summary_lines(
    session: Session,
    verdicts: Sequence[Verdict],
    too_much: Sequence[str],
    too_little: Mapping[str, int] = NOTHING,
) -> list[str]:
    """The summary of a run, in a few lines of plain text."""
    scores = score_of(verdicts)
    lines = [
        f"MUST, documented or implied:         {_told(scores.must)}",
        f"SHOULD, MAY, observed, conventions:  {_told(scores.rest)}",
        "(passed / attempted / all)",
    ]
    if not scores.total.attempted:
        lines.append(
            "no case was attempted, so the run fails: each of them needs something that the engine lacks"
        )
        if module := session.options.impl.partition("module:")[2]:
            lines.append(f"if it has other names than PyTorch, try: gradspec new-adapter {module}")
    lines += missing_gradients(verdicts)
    if session.identity.widest_float != WIDEST:
        lines.append(
            "there is no float64 here: programs that name it ran in float32, and those that mean nothing "
            "in float32 are unsupported"
        )
    kinds = Counter(
        verdict.kind for verdict in verdicts if verdict.verdict == "fail" and verdict.kind
    )
    if kinds:
        lines.append(
            "failures by kind: "
            + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        )
    lines += lost_processes(verdicts)
    missing = Counter(
        feature
        for verdict in verdicts
        if verdict.verdict == "unsupported" and verdict.message.startswith("needs ")
        for feature in verdict.message.removeprefix("needs ").split(", ")
    )
    if missing:
        lines.append(f"undeclared features: {_most(missing)}")
    words = Counter(
        verdict.message
        for verdict in verdicts
        if verdict.verdict == "unsupported"
        and verdict.kind != MISSING_GRADIENT
        and not verdict.message.startswith("needs ")
    )
    if words:
        lines.append(f"missing: {_most(words)}")
    lines += [
        f"{entry.place}: every case of this entry passes; remove it unless they fail now and then"
        for entry in outdated(session.known, verdicts)
    ]
    for feature in too_much:
        lines.append(
            f"{feature!r} is declared, but no case that needs it passes: remove it from the features"
        )
    return [one_line(line) for line in (*lines, *seems_to_work(too_little))]


def missing_gradients(verdicts: Sequence[Verdict]) -> list[str]:
    """A line on the gradients that the engine lacks for operations that it has, if there are any."""
    names = Counter(
        verdict.message
        for verdict in verdicts
        if verdict.verdict == "unsupported" and verdict.kind == MISSING_GRADIENT
    )
    if not names:
        return []
    cases = names.total()
    return [f"missing gradients ({cases} case{'s' * (cases != 1)}): {_most(names)}"]


def _most(names: Counter[str], shown: int = 12) -> str:
    """The most frequent names, with their counts."""
    listed = ", ".join(f"{name} ({count})" for name, count in names.most_common(shown))
    return listed + (", ..." if len(names) > shown else "")


def seems_to_work(too_little: Mapping[str, int]) -> list[str]:
    """The result of `undeclared_but_working` in one line, or no line if it is empty."""
    names = ", ".join(
        f"{name} ({count} simple case{'s' if count != 1 else ''} pass{'es' if count == 1 else ''})"
        for name, count in sorted(too_little.items())
    )
    return [f"undeclared but passing: {names}"] if names else []


def _told(score: Score) -> str:
    rest = []
    for name in ("fail", "crash", "timeout", "flaky", "known", "unexpected-pass", "unsupported"):
        if score.counts[name]:
            setup = (
                f", {score.setup} of them during setup" if name == "fail" and score.setup else ""
            )
            rest.append(f"{score.counts[name]} {name}{setup}")
    return f"{score}" + (f"   ({', '.join(rest)})" if rest else "")
