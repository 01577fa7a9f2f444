"""Coeus: a tape in Rust, whose tensors are made from a flat list and a shape."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import partial
from importlib.metadata import version
from typing import Any

from .framework.classify import pattern
from .framework.engine import Identity, Plain, Unsupported
from .framework.host_words import HOST_WORDS
from .framework.numpy_names import sized, with_numbers
from .framework.python_engine import Kinds, PythonEngine
from .framework.torch_like import flatten, shape_of

SAME_NAME = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "bmm", "broadcast_to", "ceil",
    "chunk", "cos", "cosh", "cumprod", "cumsum", "dot", "erf", "erfc", "exp", "exp2",
    "expm1", "eye", "floor", "gather", "index_select", "lgamma", "linspace", "log", "log10",
    "log1p", "log2", "masked_fill", "matmul", "maximum", "minimum", "movedim", "neg",
    "outer", "permute", "prod", "relu", "remainder", "repeat_interleave", "reshape", "round",
    "sigmoid", "sign", "sin", "sinh", "sqrt", "swapaxes", "t", "tan", "tanh", "tile", "tril",
    "triu", "trunc", "zeros_like", "ones_like",
)  # fmt: skip
OTHER_NAME = {"reciprocal": "recip", "mm": "matmul", "where": "where_cond"}
OF_ONE_DIMENSION = {"softmax": "softmax", "log_softmax": "log_softmax",
                    "squeeze": "squeeze", "flip": "flip", "cumsum": "cumsum", "cumprod": "cumprod"}  # fmt: skip
LOSSES = {"mse_loss": "mse_loss", "l1_loss": "l1_loss", "huber_loss": "huber_loss",
          "smooth_l1_loss": "smooth_l1_loss", "binary_cross_entropy": "binary_cross_entropy",
          "binary_cross_entropy_with_logits": "bce_with_logits"}  # fmt: skip
ACTIVATIONS = (
    "celu", "elu", "gelu", "hardshrink", "hardsigmoid", "hardswish", "hardtanh", "leaky_relu",
    "linear", "mish", "relu", "selu", "sigmoid", "silu", "softplus", "softshrink", "softsign", "tanh",
    "tanhshrink",
)  # fmt: skip


class CoeusEngine(PythonEngine):
    """https://github.com/ryancinsight/Coeus"""

    name = "coeus"
    module_name = "pycoeus"
    language = "Rust"
    mediated = True
    features = frozenset({
        "arrays", "vjp", "operations", "requires-grad", "grad-attribute", "backward", "detach",
        "no-grad", "in-place",
    })  # fmt: skip
    patterns = (
        pattern("unsupported", "index must be an int|does not support layout rank|is unsupported"),
        pattern("unsupported", "can't convert negative int", "OverflowError"),
        pattern("unsupported", r"'(float|int|tuple|list)' object cannot be ", "TypeError"),
        pattern("wrong-index", "out of range", "ValueError"),
        pattern("wrong-shape", r"shape|broadcast|same length|dimension|rank|\d-D", "ValueError"),
    )

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        coeus = self.module
        named = {name: getattr(coeus, name) for name in SAME_NAME}
        named.update({word: getattr(coeus, name) for word, name in OTHER_NAME.items()})
        named.update(
            {word: over_one(getattr(coeus, name)) for word, name in OF_ONE_DIMENSION.items()}
        )
        named["unsqueeze"] = over_one(coeus.unsqueeze, more=1)
        named["clamp"] = with_numbers("clamp", coeus.clamp)
        named["pow"] = with_numbers("pow", coeus.pow)
        named["sum"] = reduction(coeus.sum, coeus.sum_axis)
        named["mean"] = reduction(coeus.mean, coeus.mean_axis)
        named["var"] = partial(deviation, coeus.var)
        named["std"] = partial(deviation, coeus.std)
        functional = {name: getattr(coeus, name) for name in ACTIVATIONS}
        functional.update({word: of_two(getattr(coeus, name)) for word, name in LOSSES.items()})
        self.words = {
            **named,
            **{f"nn.functional.{word}": function for word, function in functional.items()},
            "tensor": self.tensor,
            "no_grad": coeus.no_grad,
            "zeros": sized(coeus.zeros),
            "ones": sized(coeus.ones),
            "cat": lambda parts, dim=0: coeus.cat(list(parts), dim),
            "stack": lambda parts, dim=0: coeus.stack(list(parts), dim),
            "transpose": lambda x, first, second: x.transpose(first, second),
            "is_tensor": self.is_tensor,
            "vjp": self.vjp_by_backward,
        }
        self.methods = {
            **named,
            "backward": self.backward,
            "clone": lambda x: x.clone_tensor(),
            "reshape": loose(lambda x, shape: x.reshape(shape)),
            "view": loose(lambda x, shape: x.view(shape)),
            "permute": loose(lambda x, dims: x.permute(dims)),
            "expand": loose(lambda x, shape: x.expand(shape)),
            "requires_grad_": lambda x, requires_grad=True: x.requires_grad_(requires_grad),
            "dim": lambda x: x.ndim,
            "where": lambda x, condition, other: coeus.where_cond(condition, x, other),
        }
        self.attributes = {"grad": self.gradient, "shape": lambda x: tuple(x.shape)}

    def identify(self, device: str) -> Identity:
        found = version("coeus-python")
        return Identity(self.name, found, self.language, device, self.features, self.exact_kinds)

    def tensor(self, values: Any, requires_grad: bool = False) -> Any:
        """A tensor of nested lists."""
        if self.is_tensor(values):
            raise Unsupported("a tensor from a tensor")
        flat, shape = flatten(values), shape_of(values)
        if len(flat) != math.prod(shape):
            raise Unsupported("a tensor of lists of different lengths")
        return self.module.Tensor(flat, list(shape), requires_grad)

    def gradient(self, tensor: Any) -> Any:
        """The gradient as a tensor; Coeus gives its elements as a list."""
        found = tensor.grad
        return None if found is None else self.module.Tensor(found, tensor.shape)

    def backward(self, tensor: Any, gradient: Any = None) -> None:
        if gradient is not None and not self.differentiating:
            raise Unsupported("backward with a gradient")
        # A pass starts with ones, so the product is what a user of Coeus would write.
        (tensor if gradient is None else tensor * gradient).backward()

    differentiating = False
    """Whether a pass is part of the word `vjp`."""

    def vjp_by_backward(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        self.differentiating = True
        try:
            return super().vjp_by_backward(function, inputs, cotangents)
        finally:
            self.differentiating = False

    def resolve(self, word: str) -> Any:
        """A word of the table; functions of Coeus that share a name often take other arguments."""
        if word not in self.words and word not in HOST_WORDS:
            raise Unsupported(word)
        return super().resolve(word)

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if self.is_tensor(owner) and name in ("grad", "requires_grad"):
            raise Unsupported(f"assigning {name}")
        super().set_attribute(owner, name, value)

    def fresh_leaf(self, tensor: Any) -> Any:
        return self.module.Tensor(tensor.tolist(), tensor.shape, True)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Tensor)

    def describe_tensor(self, value: Any) -> Plain:
        return self.tensor_plain("float64", value.shape, value.tolist())


def over_one(function: Callable[..., Any], more: int = 0) -> Callable[..., Any]:
    """A function over one dimension, which Coeus counts from the first only. The result has `more`."""

    def call(value: Any, dim: Any = None) -> Any:
        if not isinstance(dim, int):
            raise Unsupported("no dimension, or several")
        return function(value, dim + value.ndim + more if dim < 0 else dim)

    return call


def reduction(of_all: Callable[..., Any], over: Callable[..., Any]) -> Callable[..., Any]:
    """A reduction of all elements, or over one dimension."""

    def reduce(value: Any, dim: Any = None, keepdim: bool = False) -> Any:
        if dim is None and not keepdim:
            return of_all(value)
        if not isinstance(dim, int):
            raise Unsupported("a reduction over several dimensions")
        return over(value, dim + value.ndim if dim < 0 else dim, keepdim)

    return reduce


def of_two(loss: Callable[..., Any]) -> Callable[..., Any]:
    """A loss, which Coeus averages without weights."""

    def call(value: Any, target: Any, *options: Any, **keywords: Any) -> Any:
        if options or keywords:
            raise Unsupported("options of a loss")
        return loss(value, target)

    return call


def deviation(
    function: Callable[..., Any],
    value: Any,
    dim: Any = None,
    unbiased: bool = True,
    keepdim: bool = False,
) -> Any:
    """`var` or `std`, with PyTorch's order of arguments."""
    if isinstance(dim, bool):  # the second argument of another form
        dim, unbiased = None, dim
    if dim is not None and not isinstance(dim, int):
        raise Unsupported("a reduction over several dimensions")
    return function(value, unbiased, dim, keepdim)


def loose(function: Callable[..., Any]) -> Callable[..., Any]:
    """A method that takes one list, or several integers."""

    def call(value: Any, *numbers: Any) -> Any:
        given = len(numbers) == 1 and isinstance(numbers[0], tuple | list)
        return function(value, list(numbers[0] if given else numbers))

    return call
