"""Whatever is done to a chapter's text, loading it raises nothing but `SpecError`, and soon."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from folders import make_folder
from gradspec.spec.load import load_spec
from gradspec.spec.problems import Problem, SpecError
from gradspec.spec.reading.chapters import Tables, read_chapter
from gradspec.spec.reading.folder import ROOT
from gradspec.spec.reading.yaml_reader import read_yaml_text
from hypothesis import given, settings
from hypothesis import strategies as st

CHAPTERS = ["leaf", "grad_modes", "in_place", "detach"]
SECONDS = 2.0
HOSTILE = [
    b"\t",
    b"\0",
    b"\xff",
    b"*a",
    b"&a ",
    b"!!python/name:os.system ",
    b"<<: ",
    b"---\n",
    b"...\n",
    b"- " * 70,
    b"[" * 300,
    b"(" * 300,
    b"-" * 2000,
    b"9" * 4000,
    b"0x" + b"f" * 3900,
    b"1e999",
    b" ** 9 ** 9 ** 9",
    b".__class__",
    b"lambda: " * 80,
    b"not " * 500,
    b"assert ",
    b"either(",
    b"\xc2\x85",
    b"\xe2\x80\xa8",
    b"%TAG ! x\n",
    b"|2\n",
    b">\n",
    b"? ",
    b": ",
    b"{",
    b"}",
    b"'",
    b'"',
]


def excerpts() -> list[bytes]:
    """The beginnings of real chapters, cut where a behavior ends."""
    found = []
    for name in CHAPTERS:
        text = (ROOT / "behaviors" / f"{name}.yaml").read_text("utf-8")
        found.append("".join(text.partition("behaviors:\n")[:2]).encode())
        entries = re.split(r"(?m)^(?=  - id: )", text.partition("behaviors:\n")[2])
        found[-1] += "".join(entry for entry in entries[:6]).encode()
    return found


EXCERPTS = excerpts()
Mutation = Callable[[bytes], bytes]


@st.composite
def mutations(draw: st.DrawFn) -> Mutation:
    """One change to a text: of a byte, of a line, of two words, or something hostile put in."""
    kind = draw(st.sampled_from(["flip", "delete", "repeat", "swap", "insert", "cut"]))
    first, second = draw(st.floats(0, 0.999)), draw(st.floats(0, 0.999))
    bit, hostile = draw(st.integers(0, 7)), draw(st.sampled_from(HOSTILE))

    def mutate(text: bytes) -> bytes:
        if not text:
            return hostile
        place = int(first * len(text))
        if kind == "flip":
            return text[:place] + bytes([text[place] ^ (1 << bit)]) + text[place + 1 :]
        if kind == "insert":
            return text[:place] + hostile + text[place:]
        if kind == "cut":
            return text[:place]
        parts = re.split(rb"(\W+)", text) if kind == "swap" else text.splitlines(keepends=True)
        one, other = int(first * len(parts)), int(second * len(parts))
        if kind == "delete":
            del parts[one]
        elif kind == "repeat":
            parts.insert(other, parts[one])
        else:
            parts[one], parts[other] = parts[other], parts[one]
        return b"".join(parts)

    return mutate


@lru_cache(maxsize=1)
def own_tables() -> Tables:
    spec = load_spec()
    return Tables(spec.vocabulary, spec.kinds, spec.sources)


def read(raw: bytes) -> list[Problem]:
    """Read the bytes of a chapter; what is wrong with them."""
    problems: list[Problem] = []
    tables = own_tables()
    try:
        chapter = read_chapter(
            read_yaml_text(raw, "sample.yaml"), "sample.yaml", "leaf", tables, problems
        )
    except SpecError as error:
        return problems + error.problems
    for behavior in chapter.behaviors:
        for case in behavior.cases:
            assert case.program.code.co_argcount == 6
            assert case.program.mediated_code.co_argcount == 6
            assert case.program.json["id"] == case.id
    return problems


@given(text=st.sampled_from(EXCERPTS), changes=st.lists(mutations(), min_size=1, max_size=4))
@settings(max_examples=120, deadline=None)
def test_mutated_chapters(text: bytes, changes: list[Mutation]) -> None:
    own_tables()
    for change in changes:
        text = change(text)
    # Text that takes long takes long each time; a pause of the collector or of the machine does not.
    assert any(seconds_to_read(text) < SECONDS for _ in range(3))


def seconds_to_read(text: bytes) -> float:
    begun = time.process_time()
    problems = read(text)
    seconds = time.process_time() - begun
    for problem in problems:
        assert problem.place.line >= 1
        assert problem.place.column >= 1
        assert problem.message
    return seconds


@given(st.binary(max_size=300))
@settings(max_examples=100, deadline=None)
def test_arbitrary_bytes(raw: bytes) -> None:
    assert read(raw)


@given(
    name=st.sampled_from(["vocabulary", "features", "errors", "sources", "retired"]),
    changes=st.lists(mutations(), min_size=1, max_size=3),
)
@settings(max_examples=25, deadline=None)
def test_mutated_tables(name: str, changes: list[Mutation]) -> None:
    text = (ROOT / f"{name}.yaml").read_bytes()
    for change in changes:
        text = change(text)
    with TemporaryDirectory() as folder:
        root = make_folder(Path(folder) / "spec", {f"{name}.yaml": text})
        with pytest.raises(SpecError):  # there is no chapter, if nothing else
            load_spec(root)
