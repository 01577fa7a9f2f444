"""``torch.autograd.graph``: the recorded graph, and hooks on it."""

from __future__ import annotations

from collections.abc import Sequence

from ..engine.edges import GradientEdge, get_gradient_edge
from ..engine.multi_hooks import register_multi_grad_hook
from ..engine.saved_hooks import (
    allow_mutation_on_saved_tensors,
    disable_saved_tensors_hooks,
    save_on_cpu,
    saved_tensors_hooks,
)
from ..graph.node import Node
from ..tensor.state import INFERENCE
from ..tensor.tensor import Tensor

__all__ = [
    "GradientEdge", "Node", "allow_mutation_on_saved_tensors", "disable_saved_tensors_hooks",
    "get_gradient_edge", "increment_version", "register_multi_grad_hook", "save_on_cpu",
    "saved_tensors_hooks",
]  # fmt: skip


def increment_version(tensor: Tensor | Sequence[Tensor]) -> None:
    """Tell the saved-tensor check that memory was changed behind the engine's back."""
    for x in [tensor] if isinstance(tensor, Tensor) else tensor:
        if x._vc is not INFERENCE:  # which has no version
            x._vc[0] += 1
