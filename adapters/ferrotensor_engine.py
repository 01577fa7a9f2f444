"""ferrotensor: a tape in Rust with PyTorch's names, whose tensors are all float32."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .framework.classify import pattern
from .framework.engine import Unsupported
from .framework.numpy_names import of_all, with_numbers
from .framework.python_engine import Kinds
from .framework.torch_like import TorchLikeEngine, flatten
from .framework.torch_wordings import SPECIFIC

AS_FUNCTIONS = (
    "abs", "add", "cos", "div", "exp", "expand", "flatten", "index_select", "log",
    "log_softmax", "masked_fill", "matmul", "maximum", "mean", "minimum", "mul", "narrow", "neg",
    "permute", "reciprocal", "relu", "reshape", "rsqrt", "sigmoid", "sign", "sin",
    "softmax", "split", "chunk", "sqrt", "square", "squeeze", "sub", "sum", "tanh", "transpose",
    "unsqueeze",
)  # fmt: skip
"""Methods that PyTorch also has as functions."""
EPSILON = 2.0**-23
"""What PyTorch adds in rms_norm where nothing else is said."""
ALSO_METHODS = ("max", "min", "amax", "amin", "var", "pow", "clamp")


class FerrotensorEngine(TorchLikeEngine):
    """https://github.com/puranikyashaswin/ferrotensor"""

    name = "ferrotensor"
    module_name = "ferrotensor"
    language = "Rust"
    mediated = True
    widest_float = "float32"
    patterns = (
        pattern("unsupported", "tensor indices must be ints, slices"),
        pattern("unsupported", "can't convert negative int", "OverflowError"),
        pattern("unsupported", r"'(tuple|list)' object cannot be interpreted as", "TypeError"),
        pattern("needs-gradient", "without a gradient needs a one-element tensor"),
        pattern("wrong-shape", r"expects? .*, got \[|shapes? \[", "ValueError"),
        pattern("wrong-shape", "of an empty tensor"),
        # never stretched
        pattern(
            "unsupported", r"_loss: input shape \[.* does not match target shape", "ValueError"
        ),
        # no elementwise comparison
        pattern("unsupported", "'bool' object has no attribute", "AttributeError"),
        *SPECIFIC,
    )
    features = frozenset({
        "arrays", "vjp", "operations", "requires-grad", "leaf", "grad-attribute", "assign-grad",
        "backward", "detach", "no-grad", "threads", "concurrency",
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
            "pow": with_numbers("pow", tensor.pow),
            "clamp": with_numbers("clamp", tensor.clamp),
            "tensor": self.tensor,
            "arange": self.arange,
            "nn.functional.cross_entropy": self.over_rows("cross_entropy"),
            "nn.functional.nll_loss": self.over_rows("nll_loss"),
            "nn.functional.layer_norm": self.layer_norm,
            "nn.functional.rms_norm": self.rms_norm,
            "nn.functional.cosine_similarity": self.cosine_similarity,
            "nn.functional.linear": self.other_layout,
        }
        self.methods = {
            **{name: self.words[name] for name in ALSO_METHODS},
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

    def tensor(self, values: Any, requires_grad: bool = False) -> Any:
        if any(isinstance(value, bool | int) for value in flatten(values)):
            raise Unsupported("tensors of booleans and integers")
        return self.module.tensor(values, requires_grad=requires_grad)

    def arange(self, *bounds: Any, **keywords: Any) -> Any:
        if all(isinstance(bound, int) for bound in bounds):
            raise Unsupported("tensors of booleans and integers")
        return self.module.arange(*bounds, **keywords)

    def over_rows(self, name: str) -> Callable[..., Any]:
        """A loss of classes, which ferrotensor documents to be along the last dimension."""
        loss = getattr(self.module.nn.functional, name)

        def call(value: Any, target: Any, **keywords: Any) -> Any:
            if value.ndim != 2:
                raise Unsupported(f"{name} with classes along the second of several dimensions")
            return loss(value, target, **keywords)

        return call

    def layer_norm(
        self, value: Any, shape: Any, weight: Any = None, bias: Any = None, eps: float = 1e-5
    ) -> Any:
        return self.over_the_last(value, shape).layer_norm(value, weight, bias, eps)

    def rms_norm(self, value: Any, shape: Any, weight: Any = None, eps: float = EPSILON) -> Any:
        return self.over_the_last(value, shape).rms_norm(value, weight, eps)

    def over_the_last(self, value: Any, shape: Any) -> Any:
        """The functions of nn, if the shape of a norm is that of the last dimension, which they take."""
        if list(shape) != list(value.shape[-1:]):
            raise Unsupported("a norm of another shape than the last dimension")
        return self.module.nn.functional

    def cosine_similarity(self, first: Any, second: Any, dim: int = 1) -> Any:
        return self.module.nn.functional.cosine_similarity(first, second, dim)

    def other_layout(self, *arguments: Any, **keywords: Any) -> Any:
        """A linear layer, whose weight ferrotensor documents to be transposed."""
        raise Unsupported("linear with a weight of PyTorch's layout")

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
