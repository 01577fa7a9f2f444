"""A slow leak costs no innocent case its verdict."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from gradspec.adapters.framework import growth
from gradspec.adapters.framework.growth import SETTLED, Growth
from suite_kit import LIARS, spec_of_programs, verdicts_on

MEBIBYTE = 1 << 20


def sizes(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], None]:
    size = [0]
    monkeypatch.setattr(growth, "data_size", lambda pid="self": size[0])

    def become(value: int) -> None:
        size[0] = value

    return become


def test_a_leak_is_noticed_at_half_of_the_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    become = sizes(monkeypatch)
    found = Growth(100 * MEBIBYTE)
    noticed = []
    for number in range(1, 20):
        become(5 * number * MEBIBYTE)
        noticed.append(found.too_much())
    assert noticed.index(True) == 10  # at 55 MiB


def test_what_an_engine_sets_up_at_first_is_no_leak(monkeypatch: pytest.MonkeyPatch) -> None:
    become = sizes(monkeypatch)
    found = Growth(100 * MEBIBYTE)
    for number in range(1, 50):
        become(min(number, SETTLED) * 15 * MEBIBYTE)
        assert not found.too_much()


PROGRAM = "x = tensor([1.0], requires_grad=True)\n(x * 2.0).backward()\nassert x.grad == [2.0]"


def test_a_slow_leak_kills_no_case(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(LIARS))
    spec = spec_of_programs(tmp_path / "spec", {f"number {n}": PROGRAM for n in range(40)})
    found = verdicts_on("module:leaky", spec, isolate=True, case_memory=100)
    assert {verdict.verdict for verdict in found.values()} == {"pass"}
    assert not any(verdict.retried for verdict in found.values())


def test_a_case_at_the_limit_is_tried_in_a_new_process(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PYTHONPATH", str(LIARS))
    spec = spec_of_programs(tmp_path / "spec", {f"number {n}": PROGRAM for n in range(4)})
    found = verdicts_on("module:leaky", spec, isolate=True, case_memory=28)
    assert {verdict.verdict for verdict in found.values()} == {"pass"}
    assert any("out of memory" in verdict.retried for verdict in found.values())
