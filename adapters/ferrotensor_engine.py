"""ferrotensor: a tape in Rust with PyTorch's names, whose tensors are all float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .framework.engine import Unsupported
from .framework.numpy_names import of_all
from .framework.python_engine import Kinds
from .framework.torch_like import TorchLikeEngine
from .framework.torch_wordings import SPECIFIC

AS_FUNCTIONS = (
    "abs", "add", "clamp", "cos", "div", "exp", "expand", "flatten", "index_select", "log",
    "log_softmax", "masked_fill", "matmul", "maximum", "mean", "minimum", "mul", "narrow", "neg",
    "permute", "pow", "reciprocal", "relu", "reshape", "rsqrt", "sigmoid", "sign", "sin",
    "softmax", "split", "chunk", "sqrt", "square", "squeeze", "sub", "sum", "tanh", "transpose",
    "unsqueeze",
)  # fmt: skip
"""Methods that PyTorch also has as functions."""


class FerrotensorEngine(TorchLikeEngine):
    """https://github.com/puranikyashaswin/ferrotensor"""

    name = "ferrotensor"
    module_name = "ferrotensor"
    language = "Rust"
    mediated = True
    widest_float = "float32"
    patterns = SPECIFIC
    features = frozenset({
        "arrays", "vjp", "operations", "requires-grad", "leaf", "grad-attribute", "assign-grad",
        "backward", "detach", "no-grad", "printing", "threads", "concurrency",
    })  # fmt: skip

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        tensor = self.module.Tensor
        self.words = {
            **self.words,
            **{name: getattr(tensor, name) for name in AS_FUNCTIONS},
            "max": of_all("max", tensor.max),
            "min": of_all("min", tensor.min),
            "amax": tensor.max,
            "amin": tensor.min,
            "var": population_variance(tensor.var),
        }
        self.methods = {
            **{name: self.words[name] for name in ("max", "min", "amax", "amin", "var")},
            "argmax": self.returns_floats,
            "argmin": self.returns_floats,
            "eq": self.returns_floats,
            "gt": self.returns_floats,
            "lt": self.returns_floats,
            "ge": self.returns_floats,
            "le": self.returns_floats,
        }

    def find_widest_float(self, device: str) -> str:
        return self.widest_float

    def returns_floats(self, *arguments: Any, **keywords: Any) -> Any:
        """Comparisons and places of extrema, which ferrotensor documents to be float32."""
        raise Unsupported("tensors of booleans and integers")


def population_variance(function: Callable[..., Any]) -> Callable[..., Any]:
    """`var` as ferrotensor documents it, which divides by n."""

    def reduce(
        value: Any,
        dim: Any = None,
        unbiased: bool = True,
        keepdim: bool = False,
        correction: int | None = None,
    ) -> Any:
        if correction != 0 and (unbiased or correction is not None):
            raise Unsupported("the variance that divides by n - 1")
        return function(value, dim, keepdim)

    return reduce
