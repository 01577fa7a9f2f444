"""HIPS autograd: NumPy code differentiated by tracing functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any

from .framework.engine import Identity
from .framework.functional import FunctionalEngine
from .framework.numpy_names import NUMPY_PATTERNS


class AutogradEngine(FunctionalEngine):
    """https://github.com/HIPS/autograd"""

    name = "autograd"
    module_name = "autograd"
    patterns = NUMPY_PATTERNS

    def identify(self, device: str) -> Identity:
        return Identity(
            self.name, version("autograd"), self.language, device, self.features, self.exact_kinds
        )

    def arrays(self) -> Any:
        return importlib.import_module("autograd.numpy")

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """The gradients, by PyTorch's convention: for complex numbers autograd gives their conjugates."""
        conjugate = self.arrays().conj
        traced = self.module.differential_operators.make_vjp(
            lambda packed: self.packed(function(*packed))
        )
        pullback, outputs = traced(tuple(inputs))
        several = isinstance(outputs, tuple | list)
        seeds = tuple(map(conjugate, cotangents)) if several else conjugate(cotangents)
        return tuple(map(conjugate, pullback(seeds)))

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        traced = self.module.differential_operators.make_jvp(
            lambda packed: self.packed(function(*packed))
        )
        return traced(tuple(inputs))(tuple(tangents))[1]

    def packed(self, outputs: Any) -> Any:
        """Several results as the engine's own tuple, through which it can trace."""
        return self.module.builtins.tuple(outputs) if isinstance(outputs, tuple | list) else outputs
