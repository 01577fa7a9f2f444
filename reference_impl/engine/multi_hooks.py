"""A hook over the gradients of several tensors at once."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .. import errors
from ..graph.node import RemovableHandle
from ..tensor.tensor import Tensor, gradient_edge
from . import backward_pass as engine

__all__ = ["register_multi_grad_hook"]


class MultiHandle:
    """Removes all the hooks behind one multi-grad hook."""

    def __init__(self, handles: list[RemovableHandle]) -> None:
        self.handles = handles

    def remove(self) -> None:
        """Stop the hook from running."""
        for handle in self.handles:
            handle.remove()

    def __enter__(self) -> MultiHandle:
        return self

    def __exit__(self, *exc: object) -> None:
        self.remove()


class Gathered:
    """What one backward pass has given one hook so far."""

    def __init__(self, wanted: int, size: int) -> None:
        self.wanted = wanted
        self.grads: list[Any] = [None] * size
        self.seen = 0


def register_multi_grad_hook(
    tensors: Sequence[Tensor], fn: Callable[..., Any], *, mode: str = "all"
) -> MultiHandle:
    """Call ``fn`` once per pass: with all the tensors' gradients once the last has come, or with
    the first.

    Raises:
        ValueError: ``mode`` is neither "all" nor "any".
        AssertionError: ``mode`` is "all", and a tensor does not require grad.
    """
    if mode not in ("all", "any"):
        raise errors.wrong_value(f"Expects mode to be one of ('all', 'any') but got {mode}")
    if mode == "any":
        tensors = [t for t in tensors if t.requires_grad]
    if not all(t.requires_grad for t in tensors):
        raise errors.does_not_require_grad(
            "register_multi_grad_hook(): every tensor must require grad", AssertionError
        )
    edges = [gradient_edge(t) for t in tensors]
    key = object()  # one function may be registered several times

    def deliver(index: int, grad: Any) -> None:
        # Kept with the pass, since another may run before this one goes on.
        running = engine.current_pass()
        state = running.gathered.get(key)
        if state is None:
            wanted = sum(node in running.states for node, _ in edges)
            state = running.gathered[key] = Gathered(wanted, len(edges))
        state.grads[index] = grad
        state.seen += 1
        if mode == "any":
            if state.seen == 1:
                fn(grad)
        elif state.seen == state.wanted:
            fn(state.grads)

    def hook_for(index: int) -> Callable[[Any], None]:
        return lambda grad: deliver(index, grad)

    return MultiHandle([t.register_hook(hook_for(i)) for i, t in enumerate(tensors)])
