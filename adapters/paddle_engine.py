"""PaddlePaddle: an eager tape with most of PyTorch's names, and some that differ in form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .framework.classify import pattern
from .framework.engine import Plain, Unsupported
from .framework.python_engine import Kinds
from .framework.torch_like import TorchLikeEngine

IN_COMPAT = ("max", "min", "median", "nanmedian", "sort", "split", "unique", "slogdet")
"""Functions of `paddle` with another meaning, for which `paddle.compat` has PyTorch's."""
TENSORS_ONLY = (
    "add", "sub", "mul", "div", "true_divide", "pow", "ne", "lt", "le", "gt", "ge",
    "add_", "sub_", "mul_", "div_", "remainder_",
)  # fmt: skip
"""What takes a tensor of no dimensions where PyTorch also takes a number."""

SHAPES = "(shape|dim|rank|numel|broadcast|size).*(match|Expected|must|should)"
"""How Paddle's messages speak of shapes that do not fit."""
AXIS, BEYOND = (
    r"\b(axis|axes|dim|dimension)\b",
    r"\b(range|less th[ae]n|larger than|greater than|only be|inside)\b|must be \[",
)
"""How they speak of a dimension that is not there."""
OTHER_MEANING = (
    "nn.functional.linear", "nn.Linear", "nn.functional.scaled_dot_product_attention", "nn.functional.ctc_loss",
    "nn.functional.batch_norm", "nn.functional.instance_norm", "linalg.lu", "linalg.lu_solve", "slice_scatter",
)  # fmt: skip
"""Names of PyTorch for which Paddle takes or gives something else: transposed weights, heads before the sequence,
logits for probabilities, the complement of a momentum, packed factors."""


BATCHED = {
    **{
        f"{name}{n}d": n + 2
        for n in (1, 2, 3)
        for name in (
            "conv", "conv_transpose", "max_pool", "max_unpool", "avg_pool", "lp_pool",
            "adaptive_avg_pool", "adaptive_max_pool", "fractional_max_pool",
        )
    },
    **dict.fromkeys(("pixel_shuffle", "pixel_unshuffle", "channel_shuffle", "unfold"), 4),
    "fold": 3, "nll_loss": 2, "bilinear": 2,
}  # fmt: skip
"""Functions of images, and of how many dimensions a batch of them is."""


class PaddleEngine(TorchLikeEngine):
    """https://github.com/PaddlePaddle/Paddle"""

    name = "paddle"
    module_name = "paddle"
    language = "C++ and Python"
    mediated = True
    patterns = (
        pattern(
            "unsupported",
            r"\(External\) Unsupported: |fill value should not be NaN|size can not be None in",
        ),
        pattern(
            "unsupported", "only supports?|'resample' of|dimension must be in|should be in \\['"
        ),
        pattern("unsupported", "kernel with key .* is not registered|not implemented"),
        pattern("missing-gradient", "doesn't have any grad op"),
        pattern("leaf-in-place", "Leaf Var .* can't use inplace strategy"),
        pattern("saved-modified", "wrapper_version_snapshot|modified by an inplace operation"),
        pattern("graph-freed", "retain_graph|second time"),
        pattern("no-graph", "no grad op for inputs"),
        pattern("does-not-require-grad", "hook on a tensor that stop"),
        pattern(
            "gradient-mismatch",
            "Tensor shape not match, Tensor of grad_tensor|different data type with Tensor",
        ),
        pattern("singular-matrix", "not invertible|positive definite"),
        pattern("invalid-state", r"__init__\(\) should be called first"),
        pattern("wrong-type", r"argument ('\w+' )?\(position \d+\) must be", "ValueError"),
        pattern(
            "wrong-type",
            "either both or neither|type error|only allows|support construct",
            "ValueError",
        ),
        pattern("wrong-type", "Could not parse args", "RuntimeError"),
        pattern("wrong-dtype", "InvalidType|Type promotion|(data ?type|dtype) of|wrong DataType"),
        pattern("wrong-dtype", "(data ?type|dtype).*(must|should|expected)", "ValueError"),
        pattern("wrong-dtype", "data_type of|holds the wrong type", "ValueError"),
        pattern("wrong-dtype", "on a bool tensor is not supported", "TypeError"),
        pattern("wrong-index", rf"{AXIS}.*({BEYOND})|range of `axis`", "ValueError"),
        pattern(
            "wrong-index",
            r"out of (range|bound)|expected >= -?\d+ and < \d+|too many indices",
            "ValueError",
        ),
        pattern("wrong-index", "indices is out of bounds", "RuntimeError"),
        pattern("wrong-shape", SHAPES, "ValueError"),
        pattern(
            "wrong-shape",
            r"divisible|should divide|\d-?D tensor|\bndim\b|only one element",
            "ValueError",
        ),
        pattern("wrong-shape", r"expect a \d-D vector", "TypeError"),
        pattern("wrong-shape", "length of|width must|multiplication requirements", "ValueError"),
        pattern(
            "unsupported", "number of operands is 1, but found", "AssertionError"
        ),  # einsum of a list
        pattern("wrong-shape", r"\dD target tensor expected", "ValueError"),
        # where no error is expected
        pattern(
            "unsupported",
            "data type of input (Variable )?must be|only_inputs=False is not|list of Tensor$",
        ),
        # of a transform, for a size of -1
        pattern("wrong-value", "FFT sizes .* contains invalid value", "ValueError"),
        pattern("unsupported", r"FFT sizes .* contains invalid value \(-1\)", "ValueError"),
        pattern("refused", "", "AssertionError"),  # how Paddle rejects arguments
    )

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        paddle = self.module
        tensor = paddle.Tensor
        relu = paddle.nn.functional.relu
        compat = {name: getattr(paddle.compat, name) for name in IN_COMPAT}
        self.words = {
            **self.words,
            **self.with_numbers(paddle),
            **compat,
            "polygamma": lambda n, x: paddle.polygamma(x, n),
            "relu": relu,
            "log_softmax": paddle.nn.functional.log_softmax,
            "autograd.grad": lambda *given, **named: tuple(paddle.grad(*given, **named)),
            **batches_only(paddle.nn.functional, reordered(paddle)),
            **dict.fromkeys(OTHER_MEANING, other_meaning),
            "einsum": self.einsum,
            "allclose": lambda *given, **named: bool(paddle.allclose(*given, **named)),
        }
        self.methods = {
            **self.with_numbers(tensor),
            **{name: compat[name] for name in compat if hasattr(tensor, name)},
            "relu": relu,
            "where": lambda x, condition, other: paddle.where(condition, x, other),
            "index_fill": lambda x, dim, index, value: paddle.index_fill(x, index, dim, value),
            "index_fill_": lambda x, dim, index, value: paddle.index_fill_(x, index, dim, value),
            "copy_": self.copied,
            "var": of_dimensions(paddle.Tensor.var),
            "std": of_dimensions(paddle.Tensor.std),
            "round": of_reals(paddle.Tensor.round),
            "retain_grad": lambda x: x.retain_grads(),
            "backward": backward,
            "to": self.to,
            "type": other_meaning,  # an attribute of Paddle's tensors
        }
        self.attributes = {
            "_version": lambda x: x.inplace_version,
            "grad": gradient_of,
            "real": lambda x: x.real(),
            "imag": lambda x: x.imag(),
        }
        self.setters = {"grad": lambda x, value: setattr(x, "grad", value)}

    def to(self, x: Any, *given: Any, **named: Any) -> Any:
        """A converted tensor; Paddle does not take Python's `bool` for its dtype."""
        own = self.module.bool
        given = tuple(own if item is bool else item for item in given)
        return x.to(*given, **{name: own if item is bool else item for name, item in named.items()})

    def copied(self, x: Any, source: Any) -> Any:
        """`assign`, which is recorded, and gives a tensor the shape of what is copied into it."""
        try:
            fits = self.module.broadcast_shape(list(x.shape), list(source.shape)) == list(x.shape)
        except ValueError:
            fits = False
        if not fits:
            raise Unsupported("a copy of another shape, which the tensor takes on")
        return self.module.assign(source, x)

    def einsum(self, equation: Any, *parts: Any) -> Any:
        if not isinstance(equation, str):
            raise Unsupported("einsum with numbers as subscripts")
        return self.module.einsum(equation, *parts)

    def with_numbers(self, owner: Any) -> dict[str, Callable[..., Any]]:
        """Functions or methods of two tensors that also take a number in place of one of them."""
        return {
            name: self.widened(getattr(owner, name))
            for name in TENSORS_ONLY
            if hasattr(owner, name)
        }

    def widened(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def call(*given: Any, **named: Any) -> Any:
            if len(given) > 1 and not all(map(self.is_tensor, given[:2])):
                given = (*map(self.as_operand, given[:2], given[1::-1]), *given[2:])
            return function(*given, **named)

        return call

    def as_operand(self, value: Any, other: Any) -> Any:
        """A number as a tensor without dimensions, of the dtype that it has beside the other operand."""
        if not isinstance(value, int | float | complex) or not self.is_tensor(other):
            return value
        paddle = self.module
        integral = not (other.is_floating_point() or other.is_complex())
        wider = isinstance(value, complex) or (isinstance(value, float) and integral)
        return paddle.to_tensor(
            value, dtype=None if wider or isinstance(value, bool) else other.dtype
        )

    def get_attribute(self, owner: Any, name: str) -> Any:
        if name == "saved_tensors" and hasattr(owner, "saved_tensor"):
            return owner.saved_tensor()
        if name == "next_functions" and self.node_name(owner):
            raise Unsupported("next_functions as pairs of a node and an index")
        return super().get_attribute(owner, name)

    def describe_tensor(self, value: Any) -> Plain:
        """A tensor's elements; those of bfloat16 through float32, since Paddle shows their bits."""
        if value.dtype != self.module.bfloat16:
            return super().describe_tensor(value)
        values = value.detach().astype("float32").reshape([-1]).tolist()
        return self.tensor_plain("bfloat16", tuple(value.shape), values)


def gradient_of(tensor: Any) -> Any:
    """The gradient. Paddle makes a new Python object at each reading: the one read before is given if it is
    the same tensor, so that a program can tell whether it was replaced."""
    found, before = tensor.grad, getattr(tensor, "gradient_read", None)
    if found is not None and before is not None and before.data_ptr() == found.data_ptr():
        if (before.shape, before.dtype) == (found.shape, found.dtype):
            return before
    tensor.gradient_read = found
    return found


def backward(root: Any, gradient: Any = None, retain_graph: Any = False) -> None:
    """A backward pass; Paddle calls the gradient `grad_tensor`."""
    root.backward(gradient, bool(retain_graph))


def other_meaning(*arguments: Any, **keywords: Any) -> Any:
    """Raises `Unsupported`."""
    raise Unsupported("a function of this name that computes the same")


def reordered(paddle: Any) -> dict[str, Callable[..., Any]]:
    """Functions whose arguments PyTorch gives in another form or order."""
    functional = paddle.nn.functional
    return {
        "index_fill": lambda x, dim, index, value: paddle.index_fill(x, index, dim, value),
        "broadcast_tensors": lambda *tensors: paddle.broadcast_tensors(list(tensors)),
        "cartesian_prod": lambda *tensors: paddle.cartesian_prod(list(tensors)),
        "block_diag": lambda *tensors: paddle.block_diag(list(tensors)),
        "linalg.svd": lambda x, full_matrices=True: paddle.linalg.svd(x, full_matrices),
        **{
            f"nn.functional.avg_pool{n}d": averaging(getattr(functional, f"avg_pool{n}d"))
            for n in (1, 2, 3)
        },
        **{
            f"nn.functional.max_{kind}pool{n}d": build(getattr(functional, f"max_{kind}pool{n}d"))
            for kind, build in (("", picking), ("un", placing))
            for n in (1, 2, 3)
        },
        "nn.functional.unfold": lambda x, kernel_size, *more, **named: functional.unfold(
            x, kernel_size, **of_windows(*more, **named)
        ),
        "nn.functional.fold": lambda x, output_size, kernel_size, *more, **named: functional.fold(
            x, output_size, kernel_size, **of_windows(*more, **named)
        ),
        "nn.functional.cross_entropy": crossing(functional.cross_entropy),
        "linalg.lstsq": of_matrices(paddle.linalg.lstsq),
        "linalg.norm": of_vectors(paddle.linalg.norm),
        "linalg.qr": in_pairs(paddle.linalg.qr),
        "round": of_reals(paddle.round),
        **{name: of_dimensions(getattr(paddle, name)) for name in ("var", "std")},
        "nn.functional.pad": padding(functional.pad),
        "nn.functional.interpolate": resizing(functional.interpolate),
    }


def picking(pool: Callable[..., Any]) -> Callable[..., Any]:
    """Max pooling, which has no dilation, and whose last arguments Paddle takes in another order."""

    def call(
        input: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, dilation: Any = 1,
        ceil_mode: bool = False, return_indices: bool = False,
    ) -> Any:  # fmt: skip
        if dilation != 1:
            raise Unsupported("dilated pooling")
        return pool(
            input, kernel_size, stride, padding, return_mask=return_indices, ceil_mode=ceil_mode
        )

    return call


def placing(unpool: Callable[..., Any]) -> Callable[..., Any]:
    """Its reverse, to which Paddle's size of the output is the last argument."""

    def call(
        input: Any,
        indices: Any,
        kernel_size: Any,
        stride: Any = None,
        padding: Any = 0,
        output_size: Any = None,
    ) -> Any:
        return unpool(input, indices, kernel_size, stride, padding, output_size=output_size)

    return call


def of_windows(dilation: Any = 1, padding: Any = 0, stride: Any = 1) -> dict[str, Any]:
    """The further arguments of fold and unfold, which Paddle takes in another order."""
    return {"dilations": dilation, "paddings": padding, "strides": stride}


def averaging(function: Callable[..., Any]) -> Callable[..., Any]:
    """Average pooling. Paddle's `exclusive` is the opposite of `count_include_pad`."""

    def call(
        x: Any, kernel_size: Any, stride: Any = None, padding: Any = 0, ceil_mode: bool = False,
        count_include_pad: bool = True, divisor_override: Any = None,
    ) -> Any:  # fmt: skip
        more = {} if divisor_override is None else {"divisor_override": divisor_override}
        exclusive = not count_include_pad
        return function(
            x, kernel_size, stride, padding, exclusive=exclusive, ceil_mode=ceil_mode, **more
        )

    return call


def batches_only(
    functional: Any, words: dict[str, Callable[..., Any]]
) -> dict[str, Callable[..., Any]]:
    """The words, and those for images, which are in batches in Paddle."""

    def batched(function: Callable[..., Any], dims: int) -> Callable[..., Any]:
        def call(input: Any, *more: Any, **named: Any) -> Any:
            if input.ndim == dims - 1 or (
                input.ndim > dims and function.__name__.startswith(("pixel", "bilinear"))
            ):
                raise Unsupported("an image without a batch, or in several")
            return function(input, *more, **named)

        return call

    found = dict(words)
    for name, dims in BATCHED.items():
        function = words.get(f"nn.functional.{name}") or getattr(functional, name, None)
        if function is not None:
            found[f"nn.functional.{name}"] = batched(function, dims)
    return found


def of_matrices(function: Callable[..., Any]) -> Callable[..., Any]:
    """`lstsq`, whose second operand is a matrix, or a batch of them."""

    def call(A: Any, B: Any, *more: Any, **named: Any) -> Any:
        if B.ndim < A.ndim:
            raise Unsupported("lstsq of a vector")
        return function(A, B, *more, **named)

    return call


def of_vectors(function: Callable[..., Any]) -> Callable[..., Any]:
    """`linalg.norm`, which flattens where no dimensions are named."""

    def call(A: Any, ord: Any = None, dim: Any = None, *more: Any, **named: Any) -> Any:
        if ord is not None and dim is None and A.ndim > 1:
            raise Unsupported("the norm of a matrix whose dimensions are not named")
        return function(A, ord, dim, *more, **named)

    return call


def in_pairs(function: Callable[..., Any]) -> Callable[..., Any]:
    """`linalg.qr`, which returns R alone in one mode."""

    def call(A: Any, mode: str = "reduced") -> Any:
        if mode == "r":
            raise Unsupported("R alone in a pair")
        return function(A, mode)

    return call


def of_dimensions(function: Callable[..., Any]) -> Callable[..., Any]:
    """A deviation, whose second argument is no flag."""

    def call(input: Any, *more: Any, **named: Any) -> Any:
        if more and isinstance(more[0], bool):
            raise Unsupported("a deviation with a flag in the place of dimensions")
        return function(input, *more, **named)

    return call


def padding(function: Callable[..., Any]) -> Callable[..., Any]:
    """Padding by what is there, which is of images in batches."""

    def call(input: Any, pad: Any, mode: str = "constant", *more: Any, **named: Any) -> Any:
        if mode != "constant" and len(pad) == 2 * (input.ndim - 1) > 2:
            raise Unsupported("an image without a batch")
        return function(input, pad, mode, *more, **named)

    return call


def of_reals(function: Callable[..., Any]) -> Callable[..., Any]:
    """`round`, which also takes complex numbers."""

    def call(input: Any, *more: Any, **named: Any) -> Any:
        if input.is_complex():
            raise Unsupported("rounding of real numbers alone")
        return function(input, *more, **named)

    return call


def crossing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Cross entropy. Paddle is told where the classes are, and that targets are probabilities, of which the
    losses keep a dimension, and are divided by all weights."""

    def call(x: Any, target: Any, *more: Any, **named: Any) -> Any:
        soft = target.is_floating_point()
        if soft and (more or named.get("weight") is not None or named.get("reduction") == "none"):
            raise Unsupported("losses of probabilities, weighted or each")
        return function(x, target, *more, soft_label=soft, axis=min(1, x.ndim - 1), **named)

    return call


def resizing(function: Callable[..., Any]) -> Callable[..., Any]:
    """Interpolation. Paddle takes a size for each dimension."""

    def call(x: Any, size: Any = None, scale_factor: Any = None, *more: Any, **named: Any) -> Any:
        sizes = [size] * (x.ndim - 2) if isinstance(size, int) else size
        form = {3: "NCW", 4: "NCHW", 5: "NCDHW"}.get(x.ndim, "NCHW")
        return function(x, sizes, scale_factor, *more, data_format=form, **named)

    return call
