"""Passes of several threads that end at one leaf: none of them loses what another adds."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator

import gradspec.reference_impl as torch
import pytest


@pytest.fixture(autouse=True)
def threads_switch_often() -> Iterator[None]:
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    yield
    sys.setswitchinterval(before)


def at_once(count: int, work: Callable[[], None]) -> None:
    """Call `work` in this many threads, which begin at the same time."""
    barrier = threading.Barrier(count)

    def body() -> None:
        barrier.wait()
        work()

    threads = [threading.Thread(target=body) for _ in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()


def test_no_gradient_is_lost() -> None:
    for _ in range(200):
        x = torch.tensor([3.0], requires_grad=True)
        roots = [x * 2.0 for _ in range(40)]

        def work(x: torch.Tensor = x, roots: list[torch.Tensor] = roots) -> None:
            for _ in range(10):
                roots.pop().backward()

        at_once(4, work)
        assert x.grad.tolist() == [80.0]


def test_a_leaf_has_one_node() -> None:
    for _ in range(200):
        x = torch.tensor([3.0], requires_grad=True)
        made: list[torch.Tensor] = []
        at_once(4, lambda x=x, made=made: made.append(x * 2.0))
        assert len({y.grad_fn.next_functions[0][0] for y in made}) == 1
