"""The last lines of a run: the score, and what the declared features leave out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .runner import Session
from .score import Score, score_of
from .verdict import Verdict


def summary_lines(
    session: Session,
    verdicts: Sequence[Verdict],
    too_much: Sequence[str],
    too_little: Mapping[str, int],
) -> list[str]:
    """What a run comes to, in a few lines of plain text."""
    scores = score_of(verdicts)
    lines = [
        f"MUST, documented or implied:         {_told(scores.must)}",
        f"SHOULD, MAY, observed, conventions:  {_told(scores.rest)}",
        "(passed / attempted / all)",
    ]
    kinds = Counter(
        verdict.kind for verdict in verdicts if verdict.verdict == "fail" and verdict.kind
    )
    if kinds:
        lines.append(
            "departs by: " + ", ".join(f"{count} {kind}" for kind, count in kinds.most_common())
        )
    setup = sum(verdict.setup for verdict in verdicts)
    if setup:
        lines.append(f"{setup} of these broke while setting up, before their own point was reached")
    missing = Counter(
        feature
        for verdict in verdicts
        if verdict.verdict == "unsupported" and verdict.message.startswith("needs ")
        for feature in verdict.message.removeprefix("needs ").split(", ")
    )
    if missing:
        lines.append(
            "not declared: "
            + ", ".join(f"{name} ({count})" for name, count in missing.most_common())
        )
    words = Counter(
        verdict.message
        for verdict in verdicts
        if verdict.verdict == "unsupported" and not verdict.message.startswith("needs ")
    )
    if words:
        shown = ", ".join(f"{word} ({count})" for word, count in words.most_common(12))
        lines.append(f"not there: {shown}{', ...' if len(words) > 12 else ''}")
    for feature in too_much:
        lines.append(f"declares {feature!r}, but no case that needs it passes: do not declare it")
    if too_little:
        names = ", ".join(
            f"{name} ({count} simple cases pass)" for name, count in sorted(too_little.items())
        )
        lines.append(f"not declared, yet it seems to work: {names}")
    return lines


def _told(score: Score) -> str:
    rest = []
    for name in ("fail", "crash", "timeout", "known", "fixed", "unsupported"):
        if score.counts[name]:
            rest.append(f"{score.counts[name]} {name}")
    return f"{score}" + (f"   ({', '.join(rest)})" if rest else "")
