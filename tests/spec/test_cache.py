"""The cache of loaded chapters: it saves reading, and it never shows what is not so."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from folders import behavior, chapter, make_folder
from gradspec.spec import load
from gradspec.spec.load import load_spec, load_through, read_spec
from gradspec.spec.model import Spec
from gradspec.spec.problems import SpecError
from gradspec.spec.program.program import Program
from gradspec.spec.reading.cache import Cache, key_of

CASES = (
    "assert tensor([1.0]) == [1.0]",
    'x = tensor([2.0])\nwith raises("does-not-require-grad"):\n    x.backward()\nassert x.grad is None',
    "each: {value: [1.0, nan]}\nprogram: |\n  assert tensor([value]) == [value]",
)


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A folder of two chapters."""
    one = chapter(behavior(*CASES))
    two = chapter(behavior(CASES[0], id="other.one"), name="other")
    return make_folder(tmp_path / "spec", {**one, **two})


@pytest.fixture
def cache(tmp_path: Path) -> Cache:
    return Cache(tmp_path / "cache")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the chapters that are read from their text, as that happens."""
    names: list[str] = []
    original = load.read_yaml_text

    def noting(raw: bytes, shown: str) -> Any:
        names.append(Path(shown).stem)
        return original(raw, shown)

    monkeypatch.setattr(load, "read_yaml_text", noting)
    return names


def entries(cache: Cache) -> list[Path]:
    assert cache.folder is not None
    return sorted(cache.folder.glob("*.spec"))


def change(root: Path, name: str, old: str, new: str) -> None:
    path = root / "behaviors" / f"{name}.yaml"
    text = path.read_text("utf-8")
    assert old in text
    path.write_text(text.replace(old, new), "utf-8")


def use(program: Program) -> tuple[object, ...]:
    """Every form of a program."""
    return program.code, program.mediated_code, program.json


def assert_same(one: Spec, other: Spec) -> None:
    """Two loaded specifications say the same, in every form."""
    assert one.cases == other.cases
    assert [item.id for item in one.behaviors] == [item.id for item in other.behaviors]
    assert (one.vocabulary, one.kinds, one.sources) == (
        other.vocabulary,
        other.kinds,
        other.sources,
    )
    assert (one.features, one.profiles, one.retired) == (
        other.features, other.profiles, other.retired)  # fmt: skip
    for case, same in zip(one.cases, other.cases, strict=True):
        assert repr(case.expectations) == repr(same.expectations)
        assert case.behavior is not same.behavior
        assert case.program.code == same.program.code
        assert case.program.mediated_code == same.program.mediated_code
        assert case.program.json == same.program.json
        assert case.program.python(mediated=False) == same.program.python(mediated=False)


def test_what_is_kept_is_what_was_read(root: Path, cache: Cache, read: list[str]) -> None:
    fresh = load_through(Cache(None), root)
    assert_same(load_through(cache, root), fresh)
    read.clear()
    assert_same(load_through(cache, root), fresh)
    assert read == []


def test_nothing_is_read_where_nothing_changed(root: Path, cache: Cache, read: list[str]) -> None:
    spec = load_through(cache, root)
    for case in spec.cases:
        use(case.program)
    read.clear()
    for case in load_through(cache, root).cases:
        use(case.program)
    assert read == []


def test_edit_of_one_chapter_reads_that_one_only(root: Path, cache: Cache, read: list[str]) -> None:
    load_through(cache, root)
    read.clear()
    change(root, "other", "A chapter", "The chapter")
    changed = load_through(cache, root)
    assert read == ["other"]
    introductions = [chapter.introduction for chapter in changed.chapters]
    assert introductions == ["The chapter for a test.", "A chapter for a test."]


def test_edit_of_a_table_reads_everything(root: Path, cache: Cache, read: list[str]) -> None:
    load_through(cache, root)
    read.clear()
    path = root / "vocabulary.yaml"
    path.write_text(path.read_text("utf-8").replace("tensor:", "tensr:", 1), "utf-8")
    with pytest.raises(SpecError, match="'tensor' is not in the vocabulary"):
        load_through(cache, root)
    assert read == ["other", "sample"]


def test_a_chapter_with_a_fault_is_not_kept(root: Path, cache: Cache) -> None:
    change(root, "other", "tensor", "tensr")
    for _ in range(2):
        with pytest.raises(SpecError) as caught:
            load_through(cache, root)
        assert [Path(each.place.file).stem for each in caught.value.problems] == ["other"]
    change(root, "other", "tensr", "tensor")
    assert_same(load_through(cache, root), load_through(Cache(None), root))


def test_a_chapter_that_moved_is_read_again(root: Path, cache: Cache, tmp_path: Path) -> None:
    load_through(cache, root)
    root.rename(tmp_path / "moved")
    (case, *_) = load_through(cache, tmp_path / "moved").cases
    assert case.place.file == case.program.file == case.program.code.co_filename
    assert case.place.file.startswith(str(tmp_path / "moved"))


def test_forms_are_those_of_the_text_that_was_loaded(root: Path, cache: Cache) -> None:
    """Whatever is done to the file meanwhile."""
    before = load_through(Cache(None), root)
    load_through(cache, root)
    kept = load_through(cache, root)
    change(root, "sample", "[1.0]", "[5.0]")
    (root / "behaviors" / "other.yaml").unlink()
    assert_same(kept, before)


SPOILED = {
    "empty": lambda raw: b"",
    "no first line": lambda raw: raw.replace(b"\n", b""),
    "cut short": lambda raw: raw[:-1],
    "cut in half": lambda raw: raw[: len(raw) // 2],
    "longer": lambda raw: raw + b"\0",
    "one bit turned": lambda raw: raw[:-40] + bytes([raw[-40] ^ 1]) + raw[-39:],
    "another key": lambda raw: b"0" + raw[1:],
    "zeros": lambda raw: bytes(len(raw)),
    "text": lambda raw: b"what is this?\n" * 50,
}


@pytest.mark.parametrize("how", SPOILED)
def test_a_spoiled_entry_is_made_anew(how: str, root: Path, cache: Cache) -> None:
    def used() -> list[object]:
        return [use(case.program) for case in load_through(cache, root).cases]

    used()
    before = used()
    sound = {path: path.read_bytes() for path in entries(cache)}
    assert len(sound) == 13, "the tables, and for each chapter itself, its trees and its four forms"
    for path, raw in sound.items():
        path.write_bytes(SPOILED[how](raw))
    assert used() == before
    assert_same(load_through(cache, root), load_through(Cache(None), root))
    assert {path.name for path in entries(cache)} == {path.name for path in sound}
    for path, raw in sound.items():
        assert path.read_bytes().split(b" ")[0] == raw.split(b" ")[0]


def test_another_interpreter_has_entries_of_its_own(
    root: Path, cache: Cache, read: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    load_through(cache, root)
    read.clear()
    monkeypatch.setattr(sys, "version", "9.9.9 another build of the same version")
    load_through(cache, root)
    assert read == ["other", "sample"]
    count = len(entries(cache))
    monkeypatch.setattr(sys.implementation, "cache_tag", "cpython-999")
    load_through(cache, root)
    assert len(entries(cache)) == 2 * count


def test_a_folder_that_cannot_be_written_or_made(root: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    for folder in (tmp_path / "file", tmp_path / "file" / "below", tmp_path / "no" / "parent"):
        assert len(load_through(Cache(folder), root).cases) == 5


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root may write anywhere")
def test_a_folder_that_may_only_be_read(root: Path, tmp_path: Path, read: list[str]) -> None:
    folder = tmp_path / "cache"
    load_through(Cache(folder), root)
    folder.chmod(0o500)
    try:
        change(root, "other", "A chapter", "The chapter")
        read.clear()
        for _ in range(2):
            load_through(Cache(folder), root)
        assert read == ["other", "other"]
    finally:
        folder.chmod(0o700)


def test_a_folder_of_others_is_not_unpickled(root: Path, read: list[str]) -> None:
    (root / "__pycache__").mkdir()
    for _ in range(2):
        load_spec.cache_clear()
        read_spec.cache_clear()
        load_spec(root)
    assert read == ["other", "sample"] * 2
    assert list((root / "__pycache__").iterdir()) == []


def test_copies_of_our_tables_are_not_read_again(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A folder mostly has our vocabulary; one word more, and the whole of its own counts."""
    read: list[str] = []
    for name in ("read_features", "read_vocabulary", "read_kinds"):
        original = getattr(load, name)

        def noting(*arguments: Any, name: str = name, original: Any = original) -> Any:
            read.append(name)
            return original(*arguments)

        monkeypatch.setattr(load, name, noting)
    load_through(Cache(None), root)
    load.own_tables()
    read.clear()
    copied = load_through(Cache(None), root)
    assert read == []
    path = root / "vocabulary.yaml"
    path.write_text(
        path.read_text("utf-8") + "\n- feature: arrays\n  functions: {mine: Mine.}\n", "utf-8"
    )
    changed = load_through(Cache(None), root)
    assert read == ["read_features", "read_vocabulary"]
    assert not changed.vocabulary.names["mine"].own
    assert changed.vocabulary.names["tensor"] == copied.vocabulary.names["tensor"]
    assert changed.features == copied.features
    path = root / "errors.yaml"
    path.write_text(path.read_text("utf-8") + "\n# so\n", "utf-8")
    assert load_through(Cache(None), root).kinds == copied.kinds
    assert read[2:] == ["read_features", "read_vocabulary", "read_kinds"]


def test_what_there_is_most_of_is_unpickled_without_running_python(own_spec: Spec) -> None:
    """A frozen dataclass with slots sets each field in Python, which took a third of the loading."""
    case = own_spec.cases[0]
    word = own_spec.vocabulary.names["tensor"]
    for each in (case, case.place, case.program, case.expectations[0], word):
        assert not hasattr(each, "__setstate__"), type(each)


def test_names_and_keys_do_not_run_together() -> None:
    assert key_of(["a", "bc"]) != key_of(["ab", "c"]) != key_of(["abc"])
    assert key_of([b"a"]) == key_of(["a"])


WRITING = """
import sys
from pathlib import Path
from gradspec.spec.reading.cache import Cache
cache, number = Cache(Path(sys.argv[1])), sys.argv[2]
print("ready", flush=True)
while True:
    for key in ("one", "two"):
        cache.write("entry", key, (key + number).encode() * 50_000)
"""


def writer(folder: Path, number: int) -> subprocess.Popen[bytes]:
    command = [sys.executable, "-c", WRITING, str(folder), str(number)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE)
    assert process.stdout is not None
    assert process.stdout.readline() == b"ready\n"
    return process


def test_several_write_at_once_and_are_killed(tmp_path: Path) -> None:
    """Who reads finds one whole entry or none, and what a killed writer leaves is in nobody's way."""
    cache = Cache(tmp_path)
    writers = [writer(tmp_path, number) for number in (1, 2)]
    whole = {
        key: {f"{key}{number}".encode() * 50_000 for number in (1, 2)} for key in ("one", "two")
    }
    found = 0
    try:
        until = time.monotonic() + 60
        while found < 50 and time.monotonic() < until:
            for key in ("one", "two"):
                content = cache.read("entry", key)
                assert content is None or content in whole[key]
                found += content is not None
    finally:
        for process in writers:
            process.send_signal(signal.SIGKILL)
            process.communicate()
    assert found >= 50
    kept = [cache.read("entry", key) for key in ("one", "two")]
    assert sum(content is not None for content in kept) == 1
    cache.write("entry", "three", b"after all")
    assert cache.read("entry", "three") == b"after all"
