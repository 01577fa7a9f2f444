"""tinygrad: a lazy graph with PyTorch's names for most operations, and no flag that asks for gradients.

Every floating-point tensor that a backward pass reaches gets a gradient. So the adapter takes `requires_grad=True`
as said by nobody, and does not answer what the gradient of any other leaf is.
"""

from __future__ import annotations

import importlib
import inspect
from collections.abc import Callable, Sequence
from importlib.metadata import version
from typing import Any, NamedTuple
from weakref import WeakValueDictionary

from .framework.classify import pattern
from .framework.engine import EngineUnavailable, Identity, Plain, Unsupported
from .framework.python_engine import Kinds, PythonEngine

DTYPES = (
    "float16", "bfloat16", "float32", "float64", "uint8", "int8", "int16", "int32", "int64", "bool",
)  # fmt: skip
RENAMED = {
    "dim": "axis", "min": "min_", "max": "max_", "sorted": "sorted_", "negative_slope": "neg_slope",
    "other": "x", "end": "stop", "target": "Y", "dims": "axis", "pad": "padding",
}  # fmt: skip
"""Keywords of PyTorch that some functions call otherwise."""
SAME = (
    "abs", "neg", "sign", "square", "sqrt", "rsqrt", "reciprocal", "exp", "exp2", "log", "log2", "log10", "sin",
    "cos", "tan", "asin", "acos", "atan", "sinh", "cosh", "tanh", "asinh", "acosh", "atanh", "sigmoid", "erf",
    "floor", "ceil", "round", "trunc", "relu", "isnan", "isinf", "isfinite", "logical_not", "selu", "celu", "add",
    "sub", "mul", "div", "fmod", "pow", "maximum", "minimum", "copysign", "logaddexp", "eq", "ne", "lerp", "where",
    "clamp", "clip", "sum", "mean", "prod", "std", "var", "logsumexp", "cumsum", "cumprod", "logcumsumexp",
    "argmax", "argmin", "all", "any", "softmax", "log_softmax", "var_mean", "std_mean", "reshape", "flatten",
    "unflatten", "squeeze", "unsqueeze", "transpose", "permute", "flip", "roll", "diagonal", "tril", "triu", "split",
    "chunk", "repeat_interleave", "gather", "scatter", "scatter_reduce", "masked_fill", "masked_select", "nonzero",
    "argsort", "matmul", "einsum", "clone", "numel", "zeros_like", "ones_like", "full_like",
    "empty_like", "allclose", "arange", "linspace", "eye", "is_floating_point", "full", "zeros", "ones", "empty",
)  # fmt: skip
FUNCTIONAL = (
    "one_hot", "scaled_dot_product_attention", "celu", "elu", "hardsigmoid",
    "hardswish", "hardtanh", "leaky_relu", "log_softmax", "logsigmoid", "mish", "normalize", "relu",
    "relu6", "selu", "silu", "softmax", "softmin", "softplus", "softsign", "pad",
)  # fmt: skip
ORDERED = {
    "conv2d": "weight bias stride padding dilation groups",
    "conv_transpose2d": "weight bias stride padding output_padding groups dilation",
    "avg_pool2d": "kernel_size stride padding ceil_mode count_include_pad divisor_override",
    "max_pool2d": "kernel_size stride padding dilation ceil_mode return_indices",
    "max_unpool2d": "indices kernel_size stride padding output_size",
    "cross_entropy": "Y weight size_average ignore_index reduce reduction label_smoothing",
    "nll_loss": "Y weight size_average ignore_index reduce reduction",
}
"""Functions whose arguments PyTorch has in this order."""
BATCHED = ("max_unpool2d",)
"""Functions that take no image without a batch."""
OTHER_MEANING = ("Tensor", "nn.BatchNorm1d", "nn.BatchNorm2d", "nn.Dropout")
"""A constructor that takes no lengths, and modules that heed a setting of the whole process."""
PAIRS = ("sort", "topk", "cummax", "cummin")
SLOW = (
    *PAIRS,
    "cumsum",
    "cumprod",
    "logcumsumexp",
    "argsort",
    "prod",
    "logsumexp",
    "softmax",
    "log_softmax",
    "nn.functional.log_softmax",
)
"""Functions along a dimension that take minutes for many elements on the device PYTHON, which computes them one
by one."""
MANY = 10_000


class Pair(NamedTuple):
    """Two results, as PyTorch names them."""

    values: Any
    indices: Any


class TinygradEngine(PythonEngine):
    """https://github.com/tinygrad/tinygrad"""

    name = "tinygrad"
    module_name = "tinygrad"
    mediated = True
    patterns = (
        pattern("unsupported", "double.* not supported|no usable devices|CompileError"),
        pattern("unsupported", "can't create Tensor from <Tensor|infer dtype of <Tensor"),
        pattern("unsupported", "only supports linear|is not supported with reduce arg"),
        pattern("unsupported", "__bool__ on Tensor|index dtype .* is not supported"),
        pattern(
            "unsupported",
            r"missing 1 required positional argument: '(size|num_classes|repeats)'|invalid size=\d|"
            r"where\(\) missing 2 required positional arguments|expect input to be 1-D",
        ),
        pattern(
            "unsupported",
            r"takes (from \d to )?\d positional arguments? but \d (was|were) given",
            "TypeError",
        ),
        pattern("wrong-type", "Could not infer dtype of", "RuntimeError"),
        pattern("wrong-value", "(rounding_mode|approximate)=.* is not supported|must be one of"),
        pattern("missing-gradient", "failed to compute gradient for"),
        pattern("needs-gradient", "backward must be called on a scalar"),
        # how a gradient of another shape is rejected
        pattern("gradient-mismatch", "^cannot broadcast .* into", "RuntimeError"),
        pattern("wrong-index", "out of (range|bounds)", "IndexError"),
        pattern("wrong-shape", "shape|broadcast|size", "IndexError"),
        pattern("wrong-shape", "shape|broadcast|size|dim", "ValueError"),
        pattern("refused", "", "AssertionError"),  # how tinygrad rejects arguments
    )

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        kind, dtypes = self.module.Tensor, self.module.dtypes
        check_device(kind)
        importlib.import_module("tinygrad.helpers").DEFAULT_INT.value = "int64"  # as in PyTorch
        self.constants: WeakValueDictionary[int, Any] = WeakValueDictionary()
        self.dtypes = {getattr(dtypes, name): name for name in DTYPES}
        weak = {dtypes.weakfloat: "float32", dtypes.weakint: "int64"}  # until they are computed
        self.names = {**self.dtypes, **weak}
        shared = {name: self.function(getattr(kind, name)) for name in SAME}
        shared |= {name: pair(self.function(getattr(kind, name))) for name in PAIRS}
        shared |= {"max": of_all(kind.max), "min": of_all(kind.min)}
        self.words = {
            **shared,
            **{f"nn.functional.{name}": self.function(getattr(kind, name)) for name in FUNCTIONAL},
            **{
                f"nn.functional.{name}": ordered(getattr(kind, name), names.split())
                for name, names in ORDERED.items()
            },
            **{name: getattr(dtypes, name) for name in DTYPES},
            "nn.functional.interpolate": resized(kind.interpolate),
            "einsum": subscripted(kind.einsum),
            **{name: along(shared[name], tuple) for name in ("logsumexp", "squeeze")},
            **{name: along(shared[name], bool) for name in ("var", "std")},
            "nn.functional.gelu": lambda x, approximate="none": x.gelu(approximate),
            **{name: joined(kind.cat) for name in ("cat", "concat")},
            "stack": joined(kind.stack),
            "mm": kind.matmul,
            "pow": power,
            **dict.fromkeys(
                OTHER_MEANING, lambda *given, **named: missing("PyTorch's meaning of this name")
            ),
            "tensor": self.tensor,
            **{name: self.factory(shared[name]) for name in FACTORIES},
            "is_tensor": self.is_tensor,
            "vjp": self.vjp,
            "to_numpy": lambda tensor: self.placed(tensor).numpy(),
        }
        self.methods = {
            **{name: translated(getattr(kind, name)) for name in dir(kind) if name in SAME},
            **{name: pair(translated(getattr(kind, name))) for name in PAIRS},
            **{
                name: along(translated(getattr(kind, name)), wrong)
                for name, wrong in (
                    ("logsumexp", tuple),
                    ("squeeze", tuple),
                    ("var", bool),
                    ("std", bool),
                )
            },
            "max": of_all(kind.max),
            "min": of_all(kind.min),
            "dim": lambda x: x.ndim,
            "item": lambda x: self.placed(x).item(),
            "tolist": lambda x: self.placed(x).tolist(),
            "detach": lambda x: self.constant(x.detach()),
            "where": lambda x, condition, other: condition.where(x, other),
            "view": self.view,
            "requires_grad_": self.wanting,
            "backward": backward,
            "to": self.converted,
        }
        if self.module.Device.DEFAULT == "PYTHON":
            for table in (self.words, self.methods):
                table.update({name: of_few(table[name]) for name in SLOW if name in table})
        self.attributes = {"grad": self.gradient_of, "data": lambda x: missing("data")}
        self.setters = {"grad": lambda x, value: setattr(x, "grad", value)}

    def tensor(self, values: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        """A tensor of the given values, float32 where they are floats and no dtype is named."""
        dtype = self.dtype_of(dtype)
        made = self.module.Tensor(values, dtype=dtype)
        if not made.ndim:  # a constant without memory, of a dtype that yields to others
            made = made.cast(dtype or made.dtype).clone()
        return made if requires_grad else self.constant(made)

    def function(self, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method as a function, which has nothing to say of a first argument that is no tensor."""
        call = translated(method)
        if inspect.ismethod(method):  # of the class, such as zeros
            return call

        def of_a_tensor(*given: Any, **named: Any) -> Any:
            if given and not self.is_tensor(given[0]):
                missing("functions of anything but a tensor")
            return call(*given, **named)

        return of_a_tensor

    def view(self, tensor: Any, *shape: Any) -> Any:
        if any(size in self.dtypes for size in shape if not isinstance(size, list)):
            missing("a view of another dtype")
        return known_shape(tensor.view(*shape))

    def dtype_of(self, dtype: Any) -> Any:
        """tinygrad's dtype, also for Python's own types."""
        dtypes = self.module.dtypes
        own = {bool: dtypes.bool, int: dtypes.int64, float: dtypes.float32}
        return own.get(dtype, dtype) if isinstance(dtype, type) else dtype

    def converted(self, tensor: Any, dtype: Any) -> Any:
        wanted = self.dtype_of(dtype)
        return tensor.cast(wanted) if wanted in self.dtypes else missing("devices")

    def factory(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def build(*given: Any, requires_grad: bool = False, **named: Any) -> Any:
            if "dtype" in named:
                named["dtype"] = self.dtype_of(named["dtype"])
            made = function(*given, **named)
            return made if requires_grad else self.constant(made)

        return build

    def constant(self, tensor: Any) -> Any:
        """The tensor, noted as one of which PyTorch would compute no gradient."""
        self.constants[id(tensor)] = tensor  # a set would compare tensors, which gives a tensor
        return tensor

    def wanting(self, tensor: Any, requires_grad: bool = True) -> Any:
        """The tensor itself, noted as one of which a gradient is wanted or not."""
        if not requires_grad:
            return self.constant(tensor)
        self.constants.pop(id(tensor), None)
        return tensor

    def gradient_of(self, tensor: Any) -> Any:
        if self.constants.get(id(tensor)) is tensor:
            missing("tensors that get no gradient")
        return tensor.grad

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """Gradients of `function` at `inputs`, by `Tensor.gradient`, which can be nested."""
        traced = [
            x.clone() for x in inputs
        ]  # else one tensor that is given twice would be one input
        outputs = self.within(function, traced)
        if not isinstance(outputs, tuple | list):
            return tuple(outputs.gradient(*traced, gradient=cotangents))
        roots = zip(outputs, cotangents, strict=True)
        parts = [root.gradient(*traced, gradient=seed) for root, seed in roots]
        return tuple(sum(gradients[1:], gradients[0]) for gradients in zip(*parts, strict=True))

    def identify(self, device: str) -> Identity:
        return Identity(self.name, version("tinygrad"), self.language, device, self.features)

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        return "complex numbers" if "complex" in features else super().lacks(words, features)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Tensor)

    def dtype_name(self, value: Any) -> str:
        return self.names.get(value, "") if isinstance(value, self.module.dtype.DType) else ""

    def placed(self, tensor: Any) -> Any:
        """The tensor on the device of this run. A constant is on none, and would be computed on the device CPU."""
        device = self.module.Device.DEFAULT
        return tensor.clone(device) if tensor.uop.device is None else tensor

    def describe_tensor(self, value: Any) -> Plain:
        value = self.placed(value)
        flat = value.reshape(-1).tolist() if value.ndim else [value.tolist()]
        return self.tensor_plain(self.names.get(value.dtype, str(value.dtype)), value.shape, flat)


FACTORIES = (
    "zeros", "ones", "full", "empty", "arange", "linspace", "eye", "zeros_like", "ones_like", "full_like",
    "empty_like",
)  # fmt: skip


def missing(what: str) -> Any:
    """Raises `Unsupported`."""
    raise Unsupported(what)


def check_device(kind: Any) -> None:
    """Compute once. Raises `EngineUnavailable` with what to install, or to set."""
    try:
        (kind([1.0]) + 1).tolist()
    except Exception as error:
        raise EngineUnavailable(
            f"tinygrad cannot compute here ({type(error).__name__}: {str(error)[:200]}); "
            "install clang, or set the environment variable DEV=PYTHON, which needs no compiler"
        ) from error


def translated(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that takes PyTorch's names of arguments."""
    own = inspect.signature(function).parameters

    def call(*given: Any, **named: Any) -> Any:
        if not given and "input" in named:
            given = (named.pop("input"),)
        named = {
            RENAMED[name] if name not in own and RENAMED.get(name) in own else name: value
            for name, value in named.items()
        }
        return known_shape(function(*given, **named))

    return call


def known_shape(result: Any) -> Any:
    """The result, whose shape tinygrad works out, and checks, only when it is asked for."""
    getattr(result, "shape", None)
    return result


def power(base: Any, exponent: Any) -> Any:
    return known_shape(base**exponent)


LINEAR = {"linear": 1, "bilinear": 2, "trilinear": 3}
"""PyTorch's names of one mode, by the number of dimensions that are resized."""


def resized(function: Callable[..., Any]) -> Callable[..., Any]:
    """`interpolate` to a size: tinygrad's mode linear is as many-dimensional as the size."""

    def call(
        x: Any, size: Any = None, scale_factor: Any = None, mode: str = "nearest",
        align_corners: bool | None = None,
    ) -> Any:  # fmt: skip
        if size is None or scale_factor is not None:
            missing("a scale factor")
        sizes = (size,) * (x.ndim - 2) if isinstance(size, int) else tuple(size)
        if LINEAR.get(mode, x.ndim - 2) != x.ndim - 2:
            missing("the modes' numbers of dimensions")
        mode = "linear" if mode in LINEAR else mode
        return translated(function)(x, sizes, mode=mode, align_corners=bool(align_corners))

    return call


def ordered(function: Callable[..., Any], names: Sequence[str]) -> Callable[..., Any]:
    """A function whose arguments after the first are passed by name, in PyTorch's order."""

    def call(tensor: Any, *given: Any, **named: Any) -> Any:
        if "target" in named:
            named["Y"] = named.pop("target")
        named |= zip(names, given, strict=False)
        if function.__name__ in BATCHED and tensor.ndim < 4:
            missing(f"{function.__name__} without a batch")
        if isinstance(named.get("padding"), str):
            missing("padding by name")
        if "weight" in named and tensor.ndim != named["weight"].ndim:
            missing("a convolution without a batch")
        return function(tensor, **named)

    return call


def along(function: Callable[..., Any], form: type) -> Callable[..., Any]:
    """A function of one dimension, or of all, which takes no list of them, or flags by position."""
    wrong = (tuple, list) if form is tuple else form

    def call(tensor: Any, *given: Any, **named: Any) -> Any:
        if any(isinstance(argument, wrong) for argument in (*given, named.get("dim"))):
            missing("arguments of another form")
        return function(tensor, *given, **named)

    return call


def of_few(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function of tensors that do not have very many elements."""

    def call(tensor: Any, *given: Any, **named: Any) -> Any:
        if getattr(tensor, "ndim", 0) and tensor.numel() > MANY:
            missing("so many elements on the device PYTHON")
        return function(tensor, *given, **named)

    return call


def subscripted(function: Callable[..., Any]) -> Callable[..., Any]:
    """`einsum` with its subscripts in a text."""
    return lambda equation, *operands: (
        known_shape(function(equation, *operands))
        if isinstance(equation, str)
        else missing("subscripts as numbers")
    )


def joined(function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose tensors are arguments of their own, and a sequence in PyTorch."""

    def call(tensors: Any, dim: int = 0) -> Any:
        if not isinstance(tensors, list | tuple) or not tensors:
            missing("a sequence of tensors as one argument")
        return function(*tensors, dim=dim)

    return call


def pair(function: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *given, **named: Pair(*function(*given, **named))


def of_all(function: Callable[..., Any]) -> Callable[..., Any]:
    """`max` or `min` of all elements; over a dimension PyTorch's gives indices too."""
    return lambda x, *dim, **named: (
        missing("max and min with indices") if dim or named else function(x)
    )


def backward(root: Any, gradient: Any = None) -> None:
    """A backward pass. From a single element within dimensions tinygrad wants a gradient, which is then one."""
    if gradient is None and root.ndim and root.numel() == 1:
        gradient = root.ones_like()
    root.backward(gradient)
