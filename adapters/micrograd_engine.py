"""micrograd: a scalar engine to learn from, after which hundreds of others are written."""

from __future__ import annotations

from .framework.classify import pattern
from .framework.python_engine import Kinds, by_method
from .framework.scalar import ScalarEngine


class MicrogradEngine(ScalarEngine):
    """https://github.com/karpathy/micrograd"""

    name = "micrograd"
    module_name = "micrograd.engine"
    features = frozenset({
        "arrays", "assign-grad", "backward", "grad-attribute", "operations", "requires-grad", "vjp",
    })  # fmt: skip
    patterns = (pattern("unsupported", "only supporting int/float powers"),)

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        self.words = {**self.words, "relu": by_method("relu")}
