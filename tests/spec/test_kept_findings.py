"""Findings are kept until the file they were found in changes."""

from __future__ import annotations

from pathlib import Path

import pytest
from gradspec.spec.checking import kept as module
from gradspec.spec.checking.kept import Kept
from gradspec.spec.problems import Place, Problem

FOUND = [Problem(Place("a.yaml", 3, 1), "wrong", "right it")]


class Check:
    def __init__(self) -> None:
        self.calls = 0

    def __call__(self) -> list[Problem]:
        self.calls += 1
        return FOUND


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(module, "ROOT", tmp_path)
    return tmp_path


def test_a_file_is_checked_again_only_after_it_changed(root: Path) -> None:
    check = Check()
    for text in ("a", "a", "b", "b", "a"):
        assert Kept(root).problems("leaf", [text], check) == FOUND
    assert check.calls == 3


def test_a_file_is_checked_again_after_the_checking_code_changed(root: Path) -> None:
    check = Check()
    code = root / "judging"
    code.mkdir()
    (code / "judge.py").write_text("1")
    Kept(root, code).problems("leaf", ["a"], check)
    (code / "judge.py").write_text("12")
    Kept(root, code).problems("leaf", ["a"], check)
    assert check.calls == 2


def test_nothing_is_kept_of_a_folder_that_is_not_ours(root: Path, tmp_path: Path) -> None:
    check = Check()
    for _ in range(2):
        Kept(tmp_path / "theirs").problems("leaf", ["a"], check)
    assert check.calls == 2
