"""Text of any kind: what is shown drives no terminal, and what is stored can be stored."""

from __future__ import annotations

import json
from typing import Any

import pytest
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.text import encodable, json_text, one_line, printable, storable
from hypothesis import given
from hypothesis import strategies as st

ANY = st.text(st.characters(codec=None, categories=["L", "N", "P", "Z", "C"]))
"""Texts with lone surrogates, control characters and format characters among the rest."""


@given(ANY)
def test_what_is_printable_is_shown_and_nothing_else(text: str) -> None:
    shown = printable(text)
    assert all(c.isprintable() or c in "\n\t" for c in shown)
    assert printable(shown) == shown
    assert one_line(text).isprintable()
    if text.isprintable():
        assert shown == one_line(text) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[31m", r"\x1b[31m"),
        ("\x9b1m", r"\x9b1m"),
        ("a\u202eb", r"a\u202eb"),
        ("\ud800", r"\ud800"),
        ("a\r\nb\0", "a\\r\nb\\x00"),
        ("√ × é 漢 😀", "√ × é 漢 😀"),
    ],
)
def test_escapes(text: str, shown: str) -> None:
    assert printable(text) == shown


@given(ANY)
def test_what_is_encodable_is_utf_8(text: str) -> None:
    kept = encodable(text)
    assert kept.encode().decode() == kept
    if not any("\ud800" <= c <= "\udfff" for c in text):
        assert kept == text


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.integers() | ANY,
                    lambda inner: st.lists(inner) | st.dictionaries(ANY, inner)))  # fmt: skip
def test_json_needs_no_care_and_says_the_same(value: Any) -> None:
    text = json_text(value)
    assert text.isprintable()
    assert json.dumps(json.loads(text)) == json.dumps(value)


class Text(str):
    """An engine's own text, which says something else when it is asked."""

    def __str__(self) -> str:
        raise RuntimeError


def nested(depth: int) -> Any:
    value: Any = 1
    for _ in range(depth):
        value = {"list": [value]}
    return value


@pytest.mark.parametrize(
    "observed",
    ["\ud800", Text("\udfff"), {"\ud800": "\ud800"}, 10**5000, -(10**400), nested(5000), object(), {1: 2},
     {"list": ("a", b"b")}, {1, 2}, True, 2, 0.5],
    ids=lambda value: type(value).__name__,
)  # fmt: skip
def test_every_verdict_can_be_carried_and_stored(observed: Any) -> None:
    """As pytest-xdist carries it, and as the journal stores it."""
    execnet = pytest.importorskip("execnet")
    bad = "\ud800"
    verdict = Verdict(
        "a.b/c", "fail", bad, bad, bad, observed, where=bad, reason=bad, seconds=float("nan")
    )
    line = verdict.to_json()
    execnet.dumps(line)
    json.dumps(line, ensure_ascii=False, allow_nan=False).encode()
    assert {name: storable(value) for name, value in line.items()} == line
    assert Verdict.from_json(json.loads(json.dumps(line))).to_json() == line
    assert line["message"] == "\\ud800"


def test_what_is_ordinary_stays_as_it_is() -> None:
    observed = {"tensor": {"dtype": "float32", "shape": [2], "values": [1.0, {"number": "nan"}]}}
    line = Verdict("a.b/c", "fail", "wrong-value", "é", [1, "a"], observed, line=3).to_json()
    assert (line["observed"], line["expected"], line["message"]) == (observed, [1, "a"], "é")
