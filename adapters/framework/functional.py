"""The base for functional engines: derivatives are values of functions, and there is no tape.

Such an engine declares no feature of a tape, and its adapter emulates none: `vjp` and `jvp` are
the engine's own, so the chapters about the values of derivatives run on it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .engine import Unsupported
from .numpy_names import DTYPES, numpy_methods, numpy_words, sized
from .python_engine import Kinds, PythonEngine

SAME = (*DTYPES, "full", "arange", "eye", "zeros_like", "ones_like")
SIZED = ("zeros", "ones")


class FunctionalEngine(PythonEngine):
    """Arrays with NumPy's names, and the engine's own vjp and jvp."""

    mediated = True
    features = frozenset({"arrays", "operations", "dtypes", "vjp", "jvp", "complex"})

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        arrays = self.arrays()
        named = numpy_words(arrays)
        self.words = {
            **named,
            **{name: getattr(arrays, name) for name in SAME if hasattr(arrays, name)},
            **{name: sized(getattr(arrays, name)) for name in SIZED if hasattr(arrays, name)},
            "tensor": self.tensor,
            "is_tensor": self.is_tensor,
            "vjp": self.vjp,
            "jvp": self.jvp,
            **self.words,
        }
        if hasattr(arrays, "bool_"):
            self.words["bool"] = arrays.bool_
        self.methods = {**numpy_methods(named), **self.methods}
        self.attributes = {"shape": lambda value: tuple(value.shape), **self.attributes}

    def arrays(self) -> Any:
        """The engine's namespace of array functions."""
        raise NotImplementedError

    def tensor(self, values: Any, dtype: Any = None) -> Any:
        """An array of the given values, float32 where they are floats and no dtype is named."""
        arrays = self.arrays()
        if not hasattr(arrays, "array"):
            raise Unsupported("tensor")
        made = arrays.array(values, dtype=dtype)
        return (
            made.astype(arrays.float32) if dtype is None and made.dtype == arrays.float64 else made
        )

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """The gradients of `function` at `inputs`, one for each."""
        raise NotImplementedError

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        """The tangent of `function` at `inputs` along `tangents`."""
        raise NotImplementedError
