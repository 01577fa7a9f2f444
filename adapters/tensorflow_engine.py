"""TensorFlow: eager operations, recorded by a `GradientTape` for as long as it is open."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from typing import Any

from .framework.classify import pattern
from .framework.engine import Plain, Unsupported
from .framework.functional import FunctionalEngine, paired, usual_dtype_name
from .framework.named_calls import calls
from .framework.numpy_calls import (
    NUMPY_CALLS,
    approximation,
    chunk_sizes,
    encoding,
    expanded_size,
    filling,
    loose,
    of_size_one,
    pad_widths,
    part_of,
    part_sizes,
    places_along,
    products,
    selecting,
    vectors_only,
    whole_but,
    with_ranks,
)
from .framework.numpy_names import of_all
from .framework.python_engine import Kinds

UNARY = {
    **{
        name: name
        for name in (
            "abs", "acos", "acosh", "angle", "asin", "asinh", "atan", "atanh", "ceil", "conj", "cos", "cosh",
            "digamma", "erf", "erfc", "erfinv", "exp", "expm1", "floor", "imag", "lgamma", "log", "log1p",
            "logical_not", "real", "reciprocal", "round", "rsqrt", "sigmoid", "sign", "sin", "sinh", "sqrt",
            "square", "tan", "tanh",
        )
    },
    "neg": "negative", "sgn": "sign", "isfinite": "is_finite", "isinf": "is_inf",
    "isnan": "is_nan", "i0": "bessel_i0", "special.i0e": "bessel_i0e", "special.i1": "bessel_i1",
    "special.i1e": "bessel_i1e", "special.ndtri": "ndtri", "conj_physical": "conj",
    "nn.functional.logsigmoid": "log_sigmoid", "nn.functional.softplus": "softplus",
    "nn.functional.softsign": "softsign",
}  # fmt: skip
BINARY = {
    **{
        name: name
        for name in (
            "add", "atan2", "logical_and", "logical_or", "logical_xor", "maximum", "minimum", "nextafter", "pow",
            "xlogy",
        )
    },
    "sub": "subtract", "mul": "multiply", "div": "divide", "true_divide": "truediv",
    "floor_divide": "floordiv", "remainder": "floormod", "special.xlog1py": "xlog1py",
    "special.gammainc": "igamma", "eq": "equal", "ne": "not_equal", "lt": "less", "le": "less_equal",
    "gt": "greater", "ge": "greater_equal",
}  # fmt: skip
_REDUCED = "axis=dim?, keepdims=keepdim?"
CALLS = {
    **{word: f"math.{name}(input)" for word, name in UNARY.items()},
    **{word: f"math.{name}(input, other)" for word, name in BINARY.items()},
    **{
        word: f"math.reduce_{name}(input, {_REDUCED})"
        for word, name in {
            "sum": "sum", "mean": "mean", "prod": "prod", "amax": "max", "amin": "min", "all": "all",
            "any": "any",
        }.items()
    },
    **{
        word: NUMPY_CALLS[word]
        for word in (
            "cumsum", "stack", "unbind", "unsqueeze", "reshape", "permute", "broadcast_to", "repeat_interleave",
            "argsort", "inverse", "linalg.inv", "det", "linalg.det", "slogdet", "linalg.slogdet", "linalg.eig",
            "linalg.eigvals", "linalg.pinv", "pinverse",
        )
    },
    "fmod": "truncatemod(input, other)",
    "logsumexp": "math.reduce_logsumexp(input, axis=dim, keepdims=keepdim?)",
    "count_nonzero": "math.count_nonzero(input, axis=dim?)",
    "argmax": "argmax(input, dim)",
    "argmin": "argmin(input, dim)",
    "cumprod": "math.cumprod(input, axis=dim)",
    "logcumsumexp": "math.cumulative_logsumexp(input, axis=dim)",
    "softmax": "nn.softmax(input, axis=dim)",
    "nn.functional.softmax": "nn.softmax(input, axis=dim)",
    "log_softmax": "nn.log_softmax(input, axis=dim)",
    "nn.functional.log_softmax": "nn.log_softmax(input, axis=dim)",
    "relu": "nn.relu(input)",
    "selu": "nn.selu(input)",
    **{f"nn.functional.{name}": f"nn.{name}(input)" for name in ("relu", "relu6", "selu", "silu", "elu")},
    "nn.functional.leaky_relu": "nn.leaky_relu(input, alpha=negative_slope:0.01)",
    "complex": "complex(real, imag)",
    "clamp": "clip_by_value(input, min, max)",
    "clip": "clip_by_value(input, min, max)",
    "cat": "concat(tensors, axis=dim:0)",
    "concat": "concat(tensors, axis=dim:0)",
    "flip": "reverse(input, *dims)",
    "roll": "roll(input, shifts, dims)",
    "tensordot": "tensordot(a, b, dims:2)",
    "diag_embed": "linalg.diag(input, k=offset?)",
    "adjoint": "linalg.adjoint(input)",
    "linalg.cholesky": "linalg.cholesky(input)", "cholesky": "linalg.cholesky(input)",
    "linalg.eigh": "linalg.eigh(input)",
    "linalg.eigvalsh": "linalg.eigvalsh(input)",
    "linalg.matrix_exp": "linalg.expm(input)", "matrix_exp": "linalg.expm(input)",
    "linalg.matrix_norm": "norm(input, ord=ord:'fro', axis=dim:(-2, -1), keepdims=keepdim?)",
    "fft.rfft": "signal.rfft(input)",
    "fft.irfft": "signal.irfft(input)",
    "fft.rfft2": "signal.rfft2d(input)",
    "fft.irfft2": "signal.irfft2d(input)",
    "fft.fftshift": "signal.fftshift(input, axes=dim?)",
    "fft.ifftshift": "signal.ifftshift(input, axes=dim?)",
}  # fmt: skip
"""Where TensorFlow has PyTorch's operations. The parameters are PyTorch's."""
DTYPES = ("float16", "bfloat16", "float32", "float64", "int8", "int16", "int32", "int64", "uint8", "bool",
          "complex64", "complex128")  # fmt: skip


class TensorFlowEngine(FunctionalEngine):
    """https://www.tensorflow.org"""

    name = "tensorflow"
    module_name = "tensorflow"
    language = "C++ and Python"
    only_named = True
    funnels = frozenset({
        "tensorflow.python.framework.ops", "tensorflow.python.eager.execute",
        "tensorflow.python.util.traceback_utils", "tensorflow.python.util.dispatch",
    })  # fmt: skip
    patterns = (
        pattern("missing-gradient", "registry has no entry|No gradient defined|gradient.*not (been )?implemented"),
        pattern("unsupported", "Could not find device for node|supported (vector|matrix) norm"),
        pattern("unsupported", "not implemented|not supported yet", "UnimplementedError"),
        pattern("unsupported", "Only integers, slices|ndims must be >= 2"),
        pattern("unsupported", "StridedSlice.*(begin, end, and strides to be 1D|using input dim|shape of dy)"),
        pattern("unsupported", "has different ndims.*MatMul|must have `float`-like|wrapped__Pack_N"),
        pattern("gradient-mismatch", "output_gradients"),
        pattern("wrong-value", "at least k columns|contains duplicate"),
        pattern("wrong-index", "Invalid reduction dimension|not in range|in the range|does not index into|dim index"),
        pattern("wrong-index", "slice index .* out of bounds"),
        pattern("wrong-shape", "square|multiples.*>= 0|(must|to) have rank|at least rank"),
        pattern("singular-matrix", "not invertible|decomposition was not successful"),
        pattern("wrong-dtype", "incompatible types|components have incorrect"),
        pattern("wrong-type", "attr 'T(shape|idx)'|of string is not in the list|is a string tensor"),
        pattern("wrong-shape", "must be 1-D or higher"),
        pattern("wrong-dtype", "not in the list of allowed values|Cannot convert .* to EagerTensor of dtype"),
        pattern("unsupported", r"requires tf\.\w+ or tf\.\w+ inputs"),
        pattern("wrong-dtype", "was expected to be an? .* tensor but is an? .* tensor|must have the same dtype"),
    )  # fmt: skip

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        tensorflow = self.module
        self.words = {**self.words, **{name: getattr(tensorflow, name) for name in DTYPES}}
        self.offer({**calls(tensorflow, CALLS), **self.own_words()}, methods={
            "dim": lambda x: len(x.shape),
            "item": lambda x: x.numpy().item(),
            "expand": lambda x, *size: tensorflow.broadcast_to(x, expanded_size(x, loose(size))),
            "view": lambda x, *shape: tensorflow.reshape(x, loose(shape)),
            "clone": tensorflow.identity,
        })  # fmt: skip
        self.attributes = {
            "shape": lambda x: tuple(x.shape),
            "ndim": lambda x: len(x.shape),
            "dtype": lambda x: x.dtype,
        }

    def load_module(self) -> Any:
        tensorflow = super().load_module()
        self.numpy = importlib.import_module("numpy")
        # else every error of a kernel is raised at one line
        tensorflow.debugging.disable_traceback_filtering()
        tensorflow.config.threading.set_intra_op_parallelism_threads(1)
        tensorflow.config.threading.set_inter_op_parallelism_threads(1)
        return tensorflow

    def arrays(self) -> Any:
        """No namespace: TensorFlow's names are NumPy's less often than they seem to be."""
        return _Factories(self.module)

    def own_words(self) -> dict[str, Callable[..., Any]]:
        """Words whose arguments TensorFlow takes in another form."""
        tf = self.module
        return {
            **products(tf.matmul),
            "mv": with_ranks("mv", tf.linalg.matvec, 2, 1),
            "dot": with_ranks("dot", lambda x, other: tf.tensordot(x, other, 1), 1, 1),
            "matmul": self.matmul,
            "einsum": self.einsum,
            "max": of_all("max", tf.reduce_max),
            "min": of_all("min", tf.reduce_min),
            "var": self.deviation(tf.math.reduce_variance),
            "std": self.deviation(tf.math.reduce_std),
            "index_select": selecting(tf.gather),
            "squeeze": self.squeeze,
            "transpose": lambda x, dim0, dim1: tf.transpose(x, swapped(len(x.shape), dim0, dim1)),
            "tile": lambda x, *counts: tf.tile(x, for_each_dimension(x, loose(counts))),
            "split": lambda x, sections, dim=0: tf.split(x, part_sizes(x.shape[dim], sections), dim),
            "chunk": lambda x, chunks, dim=0: tf.split(x, chunk_sizes(x.shape[dim], chunks), dim),
            "narrow": lambda x, dim, start, length: x[part_of(x, dim, start, length)],
            "select": lambda x, dim, index: x[whole_but(x, dim, index)],
            "where": self.where,
            "masked_fill": filling(tf.where, tf.bool),
            "nonzero": lambda x: tf.where(x),
            "argwhere": lambda x: tf.where(x),
            "gather": lambda x, dim, index: tf.gather_nd(x, self.places(x, dim, index)),
            "scatter": lambda x, dim, index, src: self.scatter(
                tf.tensor_scatter_nd_update, x, dim, index, src
            ),
            "scatter_add": lambda x, dim, index, src: self.scatter(
                tf.tensor_scatter_nd_add, x, dim, index, src
            ),
            "topk": self.topk,
            "msort": lambda x: tf.sort(x, axis=0),
            "meshgrid": lambda *parts, indexing="ij": tf.meshgrid(*vectors_only(*parts), indexing=indexing),
            "tril": lambda x, diagonal=0: self.band(x, -1, diagonal),
            "triu": lambda x, diagonal=0: self.band(x, -diagonal, -1),
            "masked_select": self.masked_select,
            "linalg.cross": same_shape("linalg.cross", tf.linalg.cross),
            "linalg.svdvals": lambda A: tf.linalg.svd(A, compute_uv=False),
            "linalg.svd": self.svd,
            "linalg.qr": self.qr,
            "linalg.solve": with_equal_ranks("linalg.solve", tf.linalg.solve),
            "linalg.solve_triangular": lambda A, B, upper: tf.linalg.triangular_solve(A, B, lower=not upper),
            "cholesky_solve": lambda B, L: tf.linalg.cholesky_solve(L, B),
            "linalg.vector_norm": self.vector_norm,
            "fft.fft": self.of_complex(tf.signal.fft),
            "fft.ifft": self.of_complex(tf.signal.ifft),
            "fft.fft2": self.of_complex(tf.signal.fft2d),
            "fft.ifft2": self.of_complex(tf.signal.ifft2d),
            "nn.functional.gelu": lambda x, approximate="none": tf.nn.gelu(x, approximation(approximate)),
            "nn.functional.embedding": lambda x, weight: tf.gather(weight, x),
            "nn.functional.one_hot": encoding(tf.one_hot, tf.int64),
            "nn.functional.pad": self.pad,
        }  # fmt: skip

    def places(self, value: Any, dim: int, index: Any) -> Any:
        """Where the elements are that PyTorch's `gather` takes, as `gather_nd` wants it."""
        tf = self.module
        return tf.stack(
            [tf.cast(each, tf.int64) for each in places_along(_Indices(tf), value, dim, index)],
            axis=-1,
        )

    def squeeze(self, value: Any, dim: Any = None) -> Any:
        removed = of_size_one(value, dim)
        return self.module.squeeze(value, removed) if removed else self.module.identity(value)

    def where(self, condition: Any, *operands: Any) -> Any:
        if len(operands) != 2 or all(isinstance(operand, int) for operand in operands):
            raise Unsupported(
                "where without operands, or of integers alone, whose dtype is TensorFlow's choice"
            )
        return self.module.where(condition, *operands)

    def topk(self, value: Any, k: int, dim: int = -1) -> Any:
        if dim not in (-1, len(value.shape) - 1):
            raise Unsupported("topk, but along the last dimension")
        return paired(self.module.math.top_k(value, k))

    def band(self, value: Any, below: int, above: int) -> Any:
        if below < -1 or above < -1 or (below == -1) == (above == -1):
            raise Unsupported("tril and triu of a diagonal on the other side")
        return self.module.linalg.band_part(value, below, above)

    def svd(self, A: Any, full_matrices: bool = True) -> Any:
        """TensorFlow has the singular values first, and V where PyTorch has its adjoint."""
        values, left, right = self.module.linalg.svd(A, full_matrices=full_matrices)
        return left, values, self.module.linalg.adjoint(right)

    def qr(self, A: Any, mode: str = "reduced") -> Any:
        if mode not in ("reduced", "complete"):
            raise Unsupported(f"qr in mode {mode!r}")
        return self.module.linalg.qr(A, full_matrices=mode == "complete")

    def vector_norm(self, value: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
        if isinstance(dim, tuple | list) and len(dim) > 1:
            raise Unsupported("a vector norm along several dimensions")
        axis = dim[0] if isinstance(dim, tuple | list) else dim
        return self.module.norm(value, ord=ord, axis=axis, keepdims=keepdim)

    def deviation(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def reduce(value: Any, dim: Any = None, keepdim: bool = False, correction: int = 1) -> Any:
            if correction:
                raise Unsupported("a correction of the variance")
            return function(value, axis=dim, keepdims=keepdim)

        return reduce

    def masked_select(self, value: Any, mask: Any) -> Any:
        if mask.shape != value.shape or mask.dtype != self.module.bool:
            raise Unsupported("masked_select with a mask of another shape, or of numbers")
        return self.module.boolean_mask(value, mask)

    def of_complex(self, function: Callable[..., Any]) -> Callable[..., Any]:
        def transform(value: Any) -> Any:
            if not value.dtype.is_complex:
                raise Unsupported("a Fourier transform of real numbers, but by rfft")
            return function(value)

        return transform

    def einsum(self, equation: Any, *parts: Any) -> Any:
        if not isinstance(equation, str):
            raise Unsupported("einsum with numbers as subscripts")
        return self.module.einsum(equation, *loose(parts))

    def scatter(
        self, write: Callable[..., Any], value: Any, dim: int, index: Any, source: Any
    ) -> Any:
        if not self.is_tensor(source) or source.shape != index.shape:
            raise Unsupported("scatter of a number, or of a source of another shape than the index")
        return write(value, self.places(value, dim, index), source)

    def matmul(self, first: Any, second: Any) -> Any:
        if len(first.shape) < 2 or len(second.shape) < 2:
            raise Unsupported("matmul of vectors")
        return self.module.matmul(first, second)

    def pad(
        self, padded: Any, pad: Sequence[int], mode: str = "constant", value: Any = None
    ) -> Any:
        if mode not in ("constant", "reflect"):
            raise Unsupported(f"{mode} padding")
        widths = pad_widths(len(padded.shape), pad, mode)
        return self.module.pad(padded, widths, mode.upper(), constant_values=value or 0)

    # --- arrays ---

    def tensor(self, values: Any, dtype: Any = None) -> Any:
        tf = self.module
        kind = self.usual_dtype(values) if dtype is None else dtype
        if not usual_dtype_name(values):  # tensors are among them
            return tf.stack(values) if kind is None else tf.cast(tf.stack(values), kind)
        numbers = self.numpy.array(values)  # since `constant` takes no numbers of several types
        return tf.cast(tf.constant(numbers), kind)

    def cast(self, value: Any, dtype: Any) -> Any:
        return self.module.cast(value, dtype)

    # --- derivatives ---

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        tf = self.module
        traced = [tf.identity(value) for value in inputs]
        with tf.GradientTape() as tape:
            tape.watch(traced)
            outputs = function(*traced)
        several = isinstance(outputs, tuple | list)
        found = tape.gradient(
            list(outputs) if several else outputs, traced,
            output_gradients=list(cotangents) if several else cotangents,
            unconnected_gradients=tf.UnconnectedGradients.ZERO,
        )  # fmt: skip
        return tuple(map(tf.convert_to_tensor, found))  # gather's is an IndexedSlices

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        tf = self.module
        traced = [tf.identity(value) for value in inputs]
        with tf.autodiff.ForwardAccumulator(traced, list(tangents)) as forward:
            outputs = function(*traced)
            outputs = tuple(outputs) if isinstance(outputs, tuple | list) else outputs
            return forward.jvp(outputs, unconnected_gradients=tf.UnconnectedGradients.ZERO)

    # --- describing values ---

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Tensor)

    def describe_tensor(self, value: Any) -> Plain:
        return self.tensor_plain(
            value.dtype.name, tuple(value.shape), value.numpy().reshape(-1).tolist()
        )

    def dtype_name(self, value: Any) -> str:
        return value.name if isinstance(value, self.module.DType) else ""


class _Factories:
    """The functions that make tensors, under NumPy's names."""

    def __init__(self, tf: Any) -> None:
        self.zeros, self.ones, self.eye = tf.zeros, tf.ones, tf.eye
        self.arange = tf.range
        self.linspace = lambda start, end, steps, dtype=None: tf.linspace(
            tf.cast(start, dtype), tf.cast(end, dtype), steps
        )
        self.full = lambda size, fill_value, dtype=None: tf.fill(size, tf.cast(fill_value, dtype))
        self.zeros_like, self.ones_like = tf.zeros_like, tf.ones_like


class _Indices:
    """What finds the places of elements, under NumPy's names."""

    def __init__(self, tf: Any) -> None:
        self.arange, self.meshgrid = tf.range, tf.meshgrid


def same_shape(word: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function that does not broadcast, unlike the word."""

    def call(first: Any, second: Any) -> Any:
        if first.shape != second.shape:
            raise Unsupported(f"{word} of operands of different shapes")
        return function(first, second)

    return call


def with_equal_ranks(word: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """A function whose operands have one rank, unlike the word's."""

    def call(first: Any, second: Any) -> Any:
        if len(first.shape) != len(second.shape):
            raise Unsupported(f"{word} of operands of different ranks")
        return function(first, second)

    return call


def swapped(rank: int, dim0: int, dim1: int) -> list[int]:
    """The permutation that exchanges two dimensions."""
    order = list(range(rank))
    order[dim0], order[dim1] = order[dim1], order[dim0]
    return order


def for_each_dimension(value: Any, counts: Sequence[int]) -> list[int]:
    """Counts for all dimensions. Those that PyTorch leaves out are the first."""
    missing = len(value.shape) - len(counts)
    if missing < 0:
        raise Unsupported("tile with more counts than dimensions")
    return [1] * missing + list(counts)
