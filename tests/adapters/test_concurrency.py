"""Threads of a program: they run at the same time, meet, and have numbers."""

from __future__ import annotations

import threading
import time
from pathlib import Path

import pytest
from gradspec.adapters.framework import concurrency
from gradspec.adapters.framework.concurrency import begin, concurrently, meet, this_thread
from suite_kit import spec_of_programs, verdicts_on


def test_functions_wait_for_each_other() -> None:
    """Each step of one comes after the step of the other before it, however slow that is."""
    steps: list[str] = []

    def slow() -> str:
        time.sleep(0.05)
        steps.append("slow 1")
        meet()
        meet()
        steps.append("slow 2")
        return "slow"

    def fast() -> str:
        meet()
        steps.append("fast")
        meet()
        return "fast"

    assert concurrently(slow, fast) == ["slow", "fast"]
    assert steps == ["slow 1", "fast", "slow 2"]


def test_nobody_waits_for_a_function_that_has_ended() -> None:
    def fail() -> None:
        raise KeyError("ended")

    waited: list[int] = []

    def wait() -> None:
        meet()
        meet()
        waited.append(0)

    with pytest.raises(KeyError, match="ended"):
        concurrently(wait, fail, wait, lambda: None)
    assert len(waited) == 2


def test_the_error_of_the_first_function_is_raised() -> None:
    def fail(text: str, late: bool) -> None:
        if late:
            meet()
        raise ValueError(text)

    with pytest.raises(ValueError, match="first"):
        concurrently(lambda: fail("first", True), lambda: fail("second", False))


def test_who_waits_in_vain_is_told_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "LONGEST_WAIT", 0.05)
    lock = threading.Lock()

    def work() -> None:
        with lock:
            meet()

    with pytest.raises(TimeoutError, match="one backward pass at a time"):
        concurrently(work, work)
    with pytest.raises(RuntimeError, match="found none"):
        meet()
    with pytest.raises(ValueError, match="at most 64"):
        concurrently(*[meet] * 65)


def test_threads_have_numbers_in_the_order_of_the_program() -> None:
    begin()
    strangers: list[int | None] = []

    def engine() -> int | None:
        thread = threading.Thread(target=lambda: strangers.append(this_thread()))
        thread.start()
        thread.join()
        return this_thread()

    assert this_thread() == 0
    assert concurrently(this_thread, engine) == [1, 2]
    assert concurrently(lambda: (concurrently(this_thread), this_thread())) == [([4], 3)]
    assert strangers == [None]
    begin()
    assert concurrently(this_thread) == [1]


PROGRAMS = {
    "a thread that waits for an ended one": (
        "x = tensor([3.0], requires_grad=True)\n"
        "def late():\n    meet()\n    meet()\n    return x * 2.0\n"
        "y, z = concurrently(late, lambda: x * 5.0)\n(y + z).backward()\nassert x.grad == [7.0]"
    ),
    "an error of the engine": (
        "x = tensor([3.0])\ndef work():\n    x.backward()\n"
        'with raises("no-graph"):\n    concurrently(work, lambda: meet())\nassert x.grad is None'
    ),
    "asserts in both": (
        "def work(value):\n    x = tensor([value], requires_grad=True)\n    meet()\n"
        "    (x * x).backward()\n    assert x.grad == [value * 2.0]\n"
        "concurrently(lambda: work(3.0), lambda: work(5.0))\nassert this_thread() == 0"
    ),
    "numbers of blocks": (
        "with thread():\n    a = this_thread()\nb, c = concurrently(this_thread, this_thread)\n"
        "x = tensor([a, b, c])\nassert x == [1, 2, 3]"
    ),
}


@pytest.mark.parametrize("impl", ["reference", "torch"])
@pytest.mark.parametrize("isolate", [False, True])
def test_programs_use_them(impl: str, isolate: bool, tmp_path: Path) -> None:
    if impl == "torch":
        pytest.importorskip("torch")
    root = spec_of_programs(tmp_path / "spec", PROGRAMS)
    found = verdicts_on(impl, root, isolate=isolate)
    assert {name: verdict.verdict for name, verdict in found.items()} == dict.fromkeys(
        PROGRAMS, "pass"
    )
