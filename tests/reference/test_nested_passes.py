"""Passes within passes, more of them than one thread's stack has room for."""

from __future__ import annotations

import threading

import gradspec.reference_impl as torch
import pytest
from gradspec.reference_impl.engine.backward_pass import MOST_NESTED
from gradspec.reference_impl.mode import in_another_thread

autograd = torch.autograd


class Deeper(autograd.Function):
    """Its backward runs a backward pass over another of its kind; at the bottom it calls `reached`."""

    @staticmethod
    def forward(ctx, x, depth, reached):
        ctx.depth, ctx.reached = depth, reached
        return x * 1.0

    @staticmethod
    def backward(ctx, g):
        if ctx.depth == 0:
            ctx.reached()
            return g, None, None
        with torch.enable_grad():
            own = torch.tensor([1.0], requires_grad=True)
            y = Deeper.apply(own, ctx.depth - 1, ctx.reached)
        (found,) = autograd.grad(y, own)
        return g + found, None, None


@pytest.mark.parametrize("depth", [1, MOST_NESTED, 5 * MOST_NESTED])
def test_modes_are_the_same_at_every_depth(depth: int) -> None:
    seen = []

    def look() -> None:
        with torch.enable_grad():
            (torch.tensor([1.0], requires_grad=True) ** 2).sum()
        seen.append((torch.is_grad_enabled(), torch.is_inference_mode_enabled()))

    packed: list[torch.Tensor] = []
    x = torch.tensor([3.0], requires_grad=True)
    y = Deeper.apply(x, depth, look)
    with autograd.graph.saved_tensors_hooks(lambda v: packed.append(v) or v, lambda v: v):
        y.backward()
    assert seen == [(False, False)]
    assert len(packed) == 1
    assert x.grad.tolist() == [depth + 1.0]
    assert torch.is_grad_enabled()


def test_an_error_at_the_bottom_comes_up() -> None:
    def fail() -> None:
        raise KeyError("at the bottom")

    x = torch.tensor([3.0], requires_grad=True)
    with pytest.raises(KeyError, match="at the bottom"):
        Deeper.apply(x, 2 * MOST_NESTED, fail).backward()
    assert x.grad is None
    assert torch.is_grad_enabled()
    (x * 2.0).backward()
    assert x.grad.tolist() == [2.0]


def test_few_passes_share_their_thread() -> None:
    threads = []
    for depth in (1, MOST_NESTED - 1, MOST_NESTED):
        y = Deeper.apply(
            torch.tensor([3.0], requires_grad=True),
            depth,
            lambda: threads.append(threading.current_thread() is threading.main_thread()),
        )
        y.backward()
    assert threads == [True, True, False]


def test_a_thread_with_the_modes_of_another() -> None:
    seen = []
    with torch.no_grad():
        in_another_thread(lambda: seen.append(torch.is_grad_enabled()))
    in_another_thread(lambda: torch.set_grad_enabled(False))
    assert seen == [False]
    assert torch.is_grad_enabled()
