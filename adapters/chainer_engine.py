"""Chainer: the first define-by-run tape, whose tensors are variables around NumPy arrays."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from .framework.classify import pattern
from .framework.engine import Plain, Unsupported
from .framework.numpy_calls import contracting, for_each
from .framework.numpy_names import DTYPES, NUMPY_PATTERNS, numpy_methods, numpy_words, sized
from .framework.python_engine import Kinds, PythonEngine

OPERATORS: dict[str, Callable[..., Any]] = {
    "neg": lambda input: -input,
    "sub": lambda input, other: input - other,
    "mul": lambda input, other: input * other,
    "div": lambda input, other: input / other,
    "true_divide": lambda input, other: input / other,
    "pow": lambda input, other: input**other,
    "floor_divide": lambda input, other: input // other,
}
"""Operations that Chainer has as operators only."""
SAME = (
    "erf", "erfc", "erfinv", "lgamma", "digamma", "rsqrt", "relu", "sigmoid", "fliplr", "flipud",
    "scatter_add", "fmod",
)  # fmt: skip
ACTIVATIONS = ("relu", "relu6", "elu", "selu", "softplus", "sigmoid")
FLOATS = {"half": "float16", "float": "float32", "double": "float64"}


class ChainerEngine(PythonEngine):
    """https://github.com/chainer/chainer"""

    name = "chainer"
    module_name = "chainer"
    mediated = True
    patterns = (
        pattern("unsupported", "Variables do not support|Variables cannot be evaluated"),
        pattern("unsupported", "incompatible array types are mixed|only integers, slices"),
        pattern("unsupported", "_BackpropModeContext' object is not|backprop_mode.. takes"),
        pattern("unsupported", "has been called as if it were a callable"),  # a node
        # never a variable
        pattern("unsupported", "repeats must be int or tuple of ints", "TypeError"),
        pattern("needs-gradient", "Value must be a scalar.*NoneType"),
        pattern("gradient-count", "must be of the same length as outputs"),
        pattern("wrong-shape", "groups must be a divisor"),
        pattern("gradient-mismatch", "(dtype|shape) of (data|array) and grad"),
        pattern("wrong-dtype", r"dtype", "InvalidType"),
        # where no error is expected: no promotion
        pattern("unsupported", r"Expect: .*dtype", "InvalidType"),
        pattern("refused", "", "InvalidType"),  # also for a dimension that is not there
        # never stretched
        pattern("unsupported", r"Mean(Squared|Absolute)Error.*Expect: x0.shape", "InvalidType"),
        *NUMPY_PATTERNS,
        pattern("wrong-shape", "shape|broadcast|dimension", "ValueError"),
        pattern("refused", "", "AssertionError"),  # how Chainer rejects some arguments
    )

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        chainer, numpy = self.module, importlib.import_module("numpy")
        functions = chainer.functions
        named = {
            **numpy_words(functions),
            **{name: getattr(functions, name) for name in SAME},
            **OPERATORS,
            **reordered(functions),
        }
        self.words = {
            **named,
            **{name: getattr(numpy, name) for name in DTYPES if not name.startswith("complex")},
            "bool": numpy.bool_,
            **{name: self.made(sized(getattr(numpy, name))) for name in ("zeros", "ones")},
            **{name: self.made(getattr(numpy, name)) for name in ("full", "eye", "arange")},
            "zeros_like": lambda x: chainer.Variable(
                numpy.zeros_like(x.array), requires_grad=False
            ),
            "ones_like": lambda x: chainer.Variable(numpy.ones_like(x.array), requires_grad=False),
            **{f"nn.functional.{name}": getattr(functions, name) for name in ACTIVATIONS},
            **layers(functions),
            "tensor": self.tensor,
            "is_tensor": self.is_tensor,
            "is_node": lambda value: bool(self.node_name(value)),
            "vjp": self.vjp,
            "autograd.grad": self.grad,
            "no_grad": chainer.no_backprop_mode,
            "enable_grad": chainer.force_backprop_mode,
            "is_grad_enabled": lambda: chainer.config.enable_backprop,
            "shares_storage": lambda x, y: bool(numpy.shares_memory(x.array, y.array)),
            "to_numpy": lambda x: x.array,
        }
        self.methods = {
            **numpy_methods(named),
            **{name: lambda x, to=to: functions.cast(x, to) for name, to in FLOATS.items()},
            "to": self.cast,
            "tolist": lambda x: x.array.tolist(),
            "numpy": lambda x: x.array,
            "numel": lambda x: x.size,
            "size": lambda x, dim=None: x.shape if dim is None else x.shape[dim],
            "backward": self.backward,
            "detach": lambda x: missing("detach"),
        }
        self.attributes = {
            "grad": lambda x: x.grad_var,
            "is_leaf": lambda x: x.creator is None,
            "grad_fn": lambda x: x.creator,
            "data": lambda x: missing("data as a tensor"),
        }
        self.setters = {
            "grad": self.set_gradient,
            "requires_grad": lambda x, value: missing("assigning requires_grad"),
        }

    def cast(self, value: Any, dtype: Any) -> Any:
        if not isinstance(dtype, type | str) and not hasattr(dtype, "itemsize"):
            missing("to(), but for a dtype")
        return self.module.functions.cast(value, dtype)

    def tensor(self, values: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        """A variable; float32 where the values are floats and no dtype is named."""
        array = importlib.import_module("numpy").array(values, dtype=dtype)
        if array.dtype.kind not in "biufc":
            missing("an array of what are no numbers")
        if array.dtype.kind in "iu" and (array != values).any():
            missing("numbers that NumPy wraps")
        if dtype is None and array.dtype.name in ("float64", "complex128"):
            array = array.astype(
                {"float64": "float32", "complex128": "complex64"}[array.dtype.name]
            )
        return self.module.Variable(array, requires_grad=requires_grad)

    def made(self, factory: Callable[..., Any]) -> Callable[..., Any]:
        """A variable of an array that NumPy makes, as Chainer's users write it."""

        def build(*given: Any, dtype: Any = None, requires_grad: bool = False, **named: Any) -> Any:
            array = factory(*given, **({} if dtype is None else {"dtype": dtype}), **named)
            if not array.size and len(given) > 1 and given[0] != given[1]:
                missing("no elements, for steps away from the end")
            if dtype is None and array.dtype == "float64":
                array = array.astype("float32")
            return self.module.Variable(array, requires_grad=requires_grad)

        return build

    def set_gradient(self, tensor: Any, value: Any) -> None:
        """Assign a gradient: `grad_var` is for variables, `grad` checks what it is given."""
        setattr(tensor, "grad_var" if value is None or self.is_tensor(value) else "grad", value)

    def backward(
        self, root: Any, gradient: Any = None, retain_graph: Any = None, create_graph: bool = False
    ) -> None:
        """A backward pass. Chainer reads the root's gradient from its `grad`."""
        freeing(retain_graph)
        if gradient is not None:
            if root.creator is None:
                missing("a backward pass from a leaf")
            self.set_gradient(root, gradient)
        root.backward(enable_double_backprop=create_graph)

    def grad(
        self, outputs: Any, inputs: Any, grad_outputs: Any = None, retain_graph: Any = None,
        create_graph: bool = False, allow_unused: bool | None = None,
    ) -> tuple[Any, ...]:  # fmt: skip
        """`chainer.grad`, which keeps the graph, and gives None for an input that was not used."""
        freeing(retain_graph)
        if isinstance(inputs, dict):
            missing("inputs in a dict")
        if allow_unused is False:
            missing("allow_unused=False")
        given = [None] * len(listed(outputs)) if grad_outputs is None else listed(grad_outputs)
        if any(v is None and y.size != 1 for y, v in zip(listed(outputs), given, strict=False)):
            missing("a gradient of several elements that is not given, which is all ones")
        found = self.module.grad(
            listed(outputs), listed(inputs), None if grad_outputs is None else listed(grad_outputs),
            enable_double_backprop=create_graph,
        )  # fmt: skip
        return tuple(found)

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        chainer = self.module
        follow = chainer.functions.identity
        traced = [follow(x) if x.requires_grad else self.fresh_leaf(x) for x in inputs]
        nested = self.depth > 0 or any(x.requires_grad for x in inputs)
        outputs = self.within(function, traced)
        found = self.grad(outputs, traced, cotangents, create_graph=nested)
        pairs = zip(found, inputs, strict=True)
        return tuple(self.zeros_of(x) if gradient is None else gradient for gradient, x in pairs)

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        return "complex numbers" if "complex" in features else super().lacks(words, features)

    def fresh_leaf(self, tensor: Any) -> Any:
        return self.module.Variable(tensor.array)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Variable)

    def describe_tensor(self, value: Any) -> Plain:
        array = value.array
        return self.tensor_plain(str(array.dtype), array.shape, array.reshape(-1).tolist())

    def node_name(self, value: Any) -> str:
        return type(value).__name__ if isinstance(value, self.module.FunctionNode) else ""

    def reset(self) -> None:
        self.module.config.enable_backprop = True


def missing(what: str) -> Any:
    """Raises `Unsupported`."""
    raise Unsupported(what)


def freeing(retain_graph: Any) -> None:
    """Chainer keeps each graph as long as it is referred to. Raises `Unsupported`."""
    if retain_graph is False:
        missing("a backward pass that frees the graph")


def listed(values: Any) -> list[Any]:
    return list(values) if isinstance(values, tuple | list) else [values]


def reordered(functions: Any) -> dict[str, Callable[..., Any]]:
    """Functions whose arguments Chainer orders or names otherwise."""
    return {
        "abs": functions.absolute,
        "trunc": functions.fix,
        "softmax": lambda x, dim: functions.softmax(x, axis=dim),
        "log_softmax": lambda x, dim: functions.log_softmax(x, axis=dim),
        "logsumexp": lambda x, dim: functions.logsumexp(x, axis=dim),
        "cat": lambda parts, dim=0: functions.concat(tuple(parts), axis=dim),
        "clamp": lambda x, min=None, max=None: (
            missing("clamp with one bound")
            if min is None or max is None
            else functions.clip(x, min, max)
        ),
        "flip": lambda x, dims: (
            functions.flip(x, dims[0]) if len(dims) == 1 else missing("flip of several dimensions")
        ),
        "tensordot": contracting(functions.tensordot),
        "is_floating_point": lambda x: x.dtype.kind == "f",
    }


def beyond(sizes: Sequence[int], window: Any, stride: Any, padding: Any) -> bool:
    """Whether the last of the windows that cover everything begins within the padding."""
    rank = len(sizes)
    windows = for_each(window, rank)
    steps = windows if stride is None else for_each(stride, rank)
    return any(
        -(-(n + 2 * p - w) // s) * s >= n + p
        for n, w, s, p in zip(sizes, windows, steps, for_each(padding, rank), strict=True)
    )


def layers(functions: Any) -> dict[str, Callable[..., Any]]:
    """Functions of networks, with their arguments in PyTorch's order."""

    def conv(x: Any, w: Any, b: Any = None, stride: Any = 1, padding: Any = 0, dilation: Any = 1,
             groups: int = 1) -> Any:  # fmt: skip
        if isinstance(padding, str) or x.ndim != w.ndim:
            missing("padding by name, and input without a batch")
        return functions.convolution_nd(x, w, b, stride, padding, dilate=dilation, groups=groups)

    def pooling(dims: int) -> Callable[..., Any]:
        def pooled(x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
                   ceil_mode: bool = False) -> Any:  # fmt: skip
            if dilation != 1 or x.ndim != dims + 2:
                missing("dilated pooling, and input without a batch")
            if ceil_mode and beyond(x.shape[2:], kernel_size, stride, padding):
                missing("windows that begin in the padding, which cover_all has too")
            return functions.max_pooling_nd(x, kernel_size, stride, padding, cover_all=ceil_mode)

        return pooled

    return {
        **{f"nn.functional.conv{n}d": conv for n in (1, 2, 3)},
        **{f"nn.functional.max_pool{n}d": pooling(n) for n in (1, 2, 3)},
        "nn.functional.linear": lambda x, w, b=None: (
            functions.linear(x, w, b, x.ndim - 1)
            if x.ndim > 1 and w.ndim == 2
            else missing("linear without a batch, or by a vector")
        ),
        "nn.functional.leaky_relu": lambda x, slope=0.01: functions.leaky_relu(x, slope),
        "nn.functional.softmax": lambda x, dim: functions.softmax(x, axis=dim),
        "nn.functional.log_softmax": lambda x, dim: functions.log_softmax(x, axis=dim),
        "nn.functional.mse_loss": functions.mean_squared_error,
        "nn.functional.l1_loss": functions.mean_absolute_error,
    }
