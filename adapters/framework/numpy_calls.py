"""The calls that engines with NumPy's names have beyond `numpy_names`, as a table (see `named_calls`).

An adapter takes them with `calls(namespace, NUMPY_CALLS)`; those that the namespace lacks are left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from .engine import Unsupported

_REDUCED = "axis=dim?, keepdims=keepdim?"
_FFT = "n=n?, axis=dim:-1, norm=norm?"
_FFT2 = "s=s?, axes=dim:(-2, -1), norm=norm?"
_FFTN = "s=s?, axes=dim?, norm=norm?"

NUMPY_CALLS = {
    **{
        name: f"{name}(input)"
        for name in (
            "positive", "signbit", "logical_not", "conj", "real", "imag", "msort", "corrcoef", "i0",
            "sigmoid", "rsqrt", "erf", "erfinv", "isnan", "isinf", "isfinite", "argwhere",
        )
    },
    **{
        name: f"{name}(input, other)"
        for name in (
            "hypot", "copysign", "nextafter", "heaviside", "logical_and",
            "logical_or", "logical_xor", "inner", "vdot",
        )
    },
    **{name: f"{name}(input, {_REDUCED})" for name in ("mean", "count_nonzero", "nanmean", "logsumexp", "all", "any")},
    **{name: f"{name}(input, {_REDUCED}, dtype=dtype?)" for name in ("sum", "nansum")},
    "eq": "equal(input, other)", "ne": "not_equal(input, other)", "lt": "less(input, other)",
    "le": "less_equal(input, other)", "gt": "greater(input, other)", "ge": "greater_equal(input, other)",
    "prod": f"prod(input, {_REDUCED}, dtype=dtype?)",
    "amax": f"max(input, {_REDUCED})",
    "amin": f"min(input, {_REDUCED})",
    "quantile": f"quantile(input, q, {_REDUCED}, method=interpolation?)",
    "nanquantile": f"nanquantile(input, q, {_REDUCED}, method=interpolation?)",
    "cumsum": "cumsum(input, axis=dim)",
    "cumprod": "cumprod(input, axis=dim)",
    "logcumsumexp": "logcumsumexp(input, axis=dim)",
    "softmax": "softmax(input, axis=dim)",
    "nn.functional.softmax": "softmax(input, axis=dim)",
    "argsort": "argsort(input, axis=dim:-1)",
    "trapezoid": "trapezoid(y, x?, dx=dx?, axis=dim:-1)",
    "diff": "diff(input, n=n?, axis=dim:-1, prepend=prepend?, append=append?)",
    "cov": "cov(input, ddof=correction:1, fweights=fweights?, aweights=aweights?)",
    "nan_to_num": "nan_to_num(input, nan=nan?, posinf=posinf?, neginf=neginf?)",
    "round": "round(input, decimals=decimals?)",
    "cat": "concatenate(tensors, axis=dim:0)",
    "concat": "concatenate(tensors, axis=dim:0)",
    "stack": "stack(tensors, axis=dim:0)",
    "unbind": "unstack(input, axis=dim:0)",
    "unsqueeze": "expand_dims(input, dim)",
    "moveaxis": "moveaxis(input, source, destination)",
    "movedim": "moveaxis(input, source, destination)",
    "transpose": "swapaxes(input, dim0, dim1)",
    "permute": "transpose(input, *dims)",
    "broadcast_to": "broadcast_to(input, *size)",
    "reshape": "reshape(input, *shape)",
    "tile": "tile(input, *dims)",
    "flip": "flip(input, *dims)",
    "roll": "roll(input, shifts, dims?)",
    "rot90": "rot90(input, k:1, dims:(0, 1))",
    "tensor_split": "array_split(input, indices_or_sections, axis=dim:0)",
    "repeat_interleave": "repeat(input, repeats, axis=dim?)",
    "take": "take(input, index)",
    "take_along_dim": "take_along_axis(input, indices, axis=dim:None)",
    "diagonal": "diagonal(input, offset:0, dim1:0, dim2:1)",
    "linalg.matmul": "matmul(input, other)",
    "tensordot": "tensordot(a, b, axes=dims:2)",
    "linalg.inv": "linalg.inv(input)", "inverse": "linalg.inv(input)",
    "linalg.det": "linalg.det(input)", "det": "linalg.det(input)",
    "linalg.slogdet": "linalg.slogdet(input)", "slogdet": "linalg.slogdet(input)",
    "linalg.pinv": "linalg.pinv(input)", "pinverse": "linalg.pinv(input)",
    "linalg.cholesky": "linalg.cholesky(input, upper=upper?)",
    "cholesky": "linalg.cholesky(input, upper=upper?)",
    "linalg.svdvals": "linalg.svdvals(input)",
    "linalg.eigh": "linalg.eigh(input, UPLO=UPLO?)",
    "linalg.eigvalsh": "linalg.eigvalsh(input, UPLO=UPLO?)",
    "linalg.eig": "linalg.eig(input)",
    "linalg.eigvals": "linalg.eigvals(input)",
    "linalg.matrix_power": "linalg.matrix_power(input, n)",
    "matrix_power": "linalg.matrix_power(input, n)",
    "linalg.vector_norm": "linalg.vector_norm(input, ord=ord:2, axis=dim?, keepdims=keepdim?)",
    "linalg.matrix_norm": "linalg.norm(input, ord=ord:'fro', axis=dim:(-2, -1), keepdims=keepdim?)",
    "linalg.norm": "linalg.norm(input, ord=ord?, axis=dim?, keepdims=keepdim?)",
    "linalg.multi_dot": "linalg.multi_dot(tensors)",
    "linalg.tensorsolve": "linalg.tensorsolve(A, B, axes=dims?)",
    "linalg.tensorinv": "linalg.tensorinv(input, ind=ind:2)",
    "linalg.cross": "linalg.cross(input, other, axis=dim:-1)",
    "linalg.vecdot": "linalg.vecdot(x, y, axis=dim:-1)",
    "linalg.cond": "linalg.cond(input, p:None)",
    **{f"fft.{name}": f"fft.{name}(input, {_FFT})" for name in ("fft", "ifft", "rfft", "irfft", "hfft", "ihfft")},
    **{f"fft.{name}": f"fft.{name}(input, {_FFT2})" for name in ("fft2", "ifft2", "rfft2", "irfft2")},
    **{f"fft.{name}": f"fft.{name}(input, {_FFTN})" for name in ("fftn", "ifftn", "rfftn", "irfftn")},
    "fft.fftshift": "fft.fftshift(input, axes=dim?)",
    "fft.ifftshift": "fft.ifftshift(input, axes=dim?)",
}  # fmt: skip

PADDED_AS = {"constant": "constant", "reflect": "reflect", "replicate": "edge", "circular": "wrap"}
"""NumPy's names of PyTorch's modes of padding."""


def split_at(size: int, sections: Any) -> list[int]:
    """Where NumPy's `split` cuts for PyTorch's: a size of the parts, or the size of each."""
    sizes = part_sizes(size, sections)
    return [sum(sizes[:count]) for count in range(1, len(sizes))]


def part_sizes(size: int, sections: Any) -> list[int]:
    """The size of each part, for PyTorch's `split`: one for all but the last, or a list of them."""
    if isinstance(sections, int):
        if sections <= 0:
            raise Unsupported(f"parts of size {sections}")
        return [min(sections, size - at) for at in range(0, size, sections)] or [0]
    if sum(sections) != size or min(sections) < 0:
        raise Unsupported("parts whose sizes do not add up")
    return list(sections)


def chunk_sizes(size: int, chunks: int) -> list[int]:
    """The size of each part that PyTorch's `chunk` makes."""
    if chunks <= 0:
        raise Unsupported(f"{chunks} parts")
    return part_sizes(size, -(-size // chunks) or 1)


def pad_widths(
    dimensions: int, pad: Sequence[int], mode: str = "constant"
) -> list[tuple[int, int]]:
    """NumPy's widths, one pair for each dimension, for PyTorch's, which begin with the last dimension."""
    if len(pad) % 2 or len(pad) > 2 * dimensions or min([0, *pad]) < 0:
        raise Unsupported(f"padding by {tuple(pad)}")
    if mode not in PADDED_AS or (mode != "constant" and dimensions < 2):
        raise Unsupported(f"padding {dimensions} dimensions in the mode {mode!r}")
    pairs = [(pad[at], pad[at + 1]) for at in range(0, len(pad) - 1, 2)]
    return [(0, 0)] * (dimensions - len(pairs)) + pairs[::-1]


def of_size_one(value: Any, dim: Any) -> tuple[int, ...]:
    """The dimensions that PyTorch's `squeeze` removes; NumPy's raises if one is larger. Those that are not
    there are left for the engine to reject."""
    rank = len(value.shape)
    dims = range(rank) if dim is None else dim if isinstance(dim, tuple | list) else (dim,)
    there = range(-rank, rank)
    nothing = rank == 0 and set(dims) <= {0, -1}  # which PyTorch allows
    return tuple(
        each for each in dims if not nothing and (each not in there or value.shape[each] == 1)
    )


def expanded_size(value: Any, size: Sequence[int]) -> tuple[int, ...]:
    """The shape that PyTorch's `expand` means, in which -1 stands for the size that is there."""
    lead = len(size) - len(value.shape)
    return tuple(
        value.shape[at - lead] if each == -1 and at >= lead else each
        for at, each in enumerate(size)
    )


def whole_but(value: Any, dim: int, index: Any) -> tuple[Any, ...]:
    """The index that takes everything in each dimension but one."""
    rank = len(value.shape)
    if not -rank <= dim < rank:
        raise Unsupported(f"indexing dimension {dim} of {rank}")
    return (slice(None),) * (dim % rank) + (index,)


def part_at(value: Any, dim: int, index: Any, source: Any) -> Any:
    """Where `source` is written along a dimension, in an array that is written to by `x.at[index].set(y)`,
    which would stretch it."""
    part = whole_but(value, dim, index)
    first = len(part) - 1
    shape = (*value.shape[:first], *getattr(index, "shape", ()), *value.shape[first + 1 :])
    given = tuple(source.shape)
    stretched = all(n in (1, m) for n, m in zip(given[::-1], shape[::-1], strict=False))
    number = not isinstance(index, int) and not index.shape  # as an index that is a tensor
    if given != shape and stretched and len(given) <= len(shape) and not number:
        raise Unsupported(f"writing {given} into a part of shape {shape}")
    return value.at[part]


def part_of(value: Any, dim: int, start: int, length: int) -> tuple[Any, ...]:
    """The index for PyTorch's `narrow`. Indices beyond the end are left out, since slicing ends there."""
    size = value.shape[dim] if -len(value.shape) <= dim < len(value.shape) else 0
    first = start + size if isinstance(start, int) and start < 0 else start
    if not (isinstance(first, int) and 0 <= first <= first + length <= size):
        raise Unsupported(f"slicing from {start} to {start + length} of {size}")
    return whole_but(value, dim, slice(first, first + length))


def places_along(namespace: Any, value: Any, dim: int, index: Any) -> tuple[Any, ...]:
    """The index, an array for each dimension, of the elements that PyTorch's `gather` takes."""
    rank = len(index.shape)
    if rank != len(value.shape) or not -rank <= dim < rank:
        raise Unsupported("gather with an index of another rank")
    if any(at != dim % rank and index.shape[at] > value.shape[at] for at in range(rank)):
        raise Unsupported("gather with an index that is larger elsewhere")
    places = namespace.meshgrid(*(namespace.arange(size) for size in index.shape), indexing="ij")
    return tuple(index if at == dim % rank else each for at, each in enumerate(places))


def with_ranks(
    word: str, function: Callable[..., Any], *ranks: int, broadcasts: bool = True
) -> Callable[..., Any]:
    """A function that takes operands of other ranks too, as a word that takes these alone."""

    def call(*operands: Any) -> Any:
        if tuple(len(operand.shape) for operand in operands) != ranks:
            raise Unsupported(f"{word} of operands of other ranks")
        if not broadcasts and len({operand.shape[0] for operand in operands}) > 1:
            raise Unsupported(f"{word} of batches of different sizes")
        return function(*operands)

    return call


def products(
    matmul: Callable[..., Any], outer: Callable[..., Any] | None = None
) -> dict[str, Callable[..., Any]]:
    """The words for what NumPy's `matmul` and `outer` do for operands of certain ranks."""
    words = {
        "mm": with_ranks("mm", matmul, 2, 2),
        "mv": with_ranks("mv", matmul, 2, 1),
        "bmm": with_ranks("bmm", matmul, 3, 3, broadcasts=False),
    }
    return words if outer is None else {**words, "outer": with_ranks("outer", outer, 1, 1)}


def solving(solve: Callable[..., Any]) -> Callable[..., Any]:
    """`linalg.solve`, but for a batch of vectors, which NumPy's takes for a matrix."""

    def call(A: Any, B: Any) -> Any:
        if len(B.shape) == len(A.shape) - 1 and len(B.shape) > 1:
            raise Unsupported("linalg.solve for a batch of vectors")
        return solve(A, B)

    return call


def contracting(tensordot: Callable[..., Any]) -> Callable[..., Any]:
    """The word `tensordot`, but for a size of one that PyTorch stretches, which NumPy documents for none."""

    def call(a: Any, b: Any, dims: Any = 2) -> Any:
        if isinstance(dims, int):
            pairs = [(at - dims, at) for at in range(dims)]
        else:
            pairs = [] if hasattr(dims, "shape") else list(zip(*map(loose, dims), strict=False))
        for of, by in pairs:
            there = -len(a.shape) <= of < len(a.shape) and -len(b.shape) <= by < len(b.shape)
            if there and a.shape[of] != b.shape[by] and 1 in (a.shape[of], b.shape[by]):
                raise Unsupported("tensordot that stretches a size")
        return tensordot(a, b, dims)

    return call


def clamping(clip: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """The words for what NumPy's `clip` does where there is a bound."""

    def call(value: Any, min: Any = None, max: Any = None) -> Any:
        if min is None and max is None:
            raise Unsupported("clamp without bounds")
        return clip(value, min, max)

    return {"clip": call, "clamp": call}


def selecting(take: Callable[..., Any]) -> Callable[..., Any]:
    """The word `index_select` for an engine's `take`, whose index may have any shape."""

    def call(input: Any, dim: int, index: Any) -> Any:
        if len(index.shape) > 1:
            raise Unsupported("index_select with an index of several dimensions")
        return take(input, index, axis=dim)

    return call


def filling(where: Callable[..., Any], boolean: Any) -> Callable[..., Any]:
    """The word `masked_fill` for an engine's `where`, which takes masks of any dtype, and values of any shape."""

    def call(filled: Any, mask: Any, value: Any) -> Any:
        if mask.dtype != boolean:
            raise Unsupported(f"masked_fill with a mask of {mask.dtype}")
        if getattr(value, "shape", ()):
            raise Unsupported("masked_fill with a value that has dimensions")
        if isinstance(value, complex) and "complex" not in str(filled.dtype):
            raise Unsupported("masked_fill with a value that makes another dtype")
        return where(mask, value, filled)

    return call


def encoding(one_hot: Callable[..., Any], int64: Any) -> Callable[..., Any]:
    """The word `one_hot` for an engine's function, which needs the number of classes."""

    def call(input: Any, num_classes: int = -1) -> Any:
        if num_classes < 0:
            raise Unsupported("one_hot without the number of classes")
        return one_hot(input, num_classes, dtype=int64)

    return call


def approximation(name: str) -> bool:
    """Whether `gelu` is asked for its approximation."""
    if name not in ("none", "tanh"):
        raise Unsupported(f"gelu by {name!r}")
    return name == "tanh"


def vectors_only(*parts: Any) -> tuple[Any, ...]:
    """The operands of PyTorch's `meshgrid`. NumPy's flattens those with several dimensions."""
    operands = loose(parts)
    if any(len(operand.shape) > 1 for operand in operands):
        raise Unsupported("meshgrid of matrices")
    return operands


def counts_for(value: Any, *counts: Any) -> tuple[Any, ...]:
    """The counts of PyTorch's `repeat`, one for each dimension at least."""
    numbers = loose(counts)
    if len(numbers) < len(value.shape):
        raise Unsupported("repeat with fewer counts than dimensions")
    return numbers


def loose(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """One list, or several values, as a tuple."""
    return tuple(values[0]) if len(values) == 1 and isinstance(values[0], tuple | list) else values


def for_each(number: Any, rank: int) -> tuple[int, ...]:
    """A number for each of the dimensions, from a list of them or one for all."""
    return tuple(number) if isinstance(number, tuple | list) else (number,) * rank


def other_forms(numpy: Any) -> dict[str, Callable[..., Any]]:
    """Words whose arguments NumPy's functions take in another form, for a namespace whose arrays are indexed as
    NumPy's and written to by `x.at[index].add(y)`."""
    return {
        **products(numpy.matmul, numpy.outer),
        **clamping(numpy.clip),
        "einsum": lambda equation, *parts: numpy.einsum(equation, *loose(parts)),
        "linalg.solve": solving(numpy.linalg.solve),
        "tensordot": contracting(numpy.tensordot),
        "index_select": selecting(numpy.take),
        "squeeze": lambda x, dim=None: numpy.squeeze(x, of_size_one(x, dim)),
        "split": lambda x, sections, dim=0: numpy.split(x, split_at(x.shape[dim], sections), dim),
        "chunk": lambda x, chunks, dim=0: numpy.split(
            x, split_at(x.shape[dim], chunk_sizes(x.shape[dim], chunks)), dim
        ),
        "masked_fill": filling(numpy.where, numpy.bool_),
        "gather": lambda x, dim, index: x[places_along(numpy, x, dim, index)],
        "index_add": lambda x, dim, index, source: part_at(x, dim, index, source).add(source),
        "msort": lambda x: numpy.sort(x, axis=0),
        "meshgrid": lambda *parts, indexing="ij": numpy.meshgrid(
            *vectors_only(*parts), indexing=indexing
        ),
        "broadcast_tensors": lambda *parts: numpy.broadcast_arrays(*loose(parts)),
        "nn.functional.embedding": lambda x, weight: numpy.take(weight, x, axis=0),
    }


def shaping_methods(numpy: Any) -> dict[str, Callable[..., Any]]:
    """PyTorch's methods for other shapes, which NumPy has as functions."""
    return {
        "expand": lambda x, *size: numpy.broadcast_to(x, expanded_size(x, loose(size))),
        "repeat": lambda x, *counts: numpy.tile(x, counts_for(x, *counts)),
        "view": lambda x, *shape: numpy.reshape(x, loose(shape)),
    }
