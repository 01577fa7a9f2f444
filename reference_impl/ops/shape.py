"""Operations that rearrange elements: views where memory allows, joins, and copies in another
order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import share_memory
from ..op import LINEAR, MULTI_VIEW, VIEW, op
from ..tensor import Tensor, wrap
from .core import clone, expand_public, zeros_of
from .registry import FUNCTIONS, expose, function, method, public

V = LINEAR | VIEW


def wrap_dim(dim: int, ndim: int) -> int:
    """A dimension counted from the front.

    Raises:
        IndexError: the tensor has no such dimension.
    """
    bound = ndim or 1
    if not -bound <= dim < bound:
        raise errors.dim_out_of_range(dim, ndim)
    return dim % bound


def sizes(args: tuple[Any, ...]) -> tuple[int, ...]:
    """Sizes given one by one or as one sequence."""
    if len(args) == 1 and not isinstance(args[0], (int, np.integer)):
        args = tuple(args[0])
    return tuple(int(a) for a in args)


# -- rows ------------------------------------------------------------------------------------------

reshape = op(
    "view(x, /, shape)",
    lambda x, shape: x.reshape(shape),
    V,
    x=lambda g, x_shape: reshape(g, x_shape),
)
reshape_copy = op(
    "reshape(x, /, shape)",
    lambda x, shape: x.reshape(shape).copy(),
    LINEAR,
    node="UnsafeViewBackward0",
    x=lambda g, x_shape: reshape(g, x_shape),
)
permute = op(
    "permute(x, /, dims)",
    lambda x, dims: x.transpose(dims),
    V,
    x=lambda g, dims: permute(g, tuple(np.argsort(dims))),
)
transpose = op(
    "transpose(x, /, a, b)",
    lambda x, a, b: x.swapaxes(a, b) if x.ndim else x.view(),
    V,
    x=lambda g, a, b: transpose(g, a, b),
)
t_row = op("t(x)", lambda x: x.T, V, x=lambda g: t_row(g))
squeeze = op(
    "squeeze(x, /, dims)",
    lambda x, dims: np.squeeze(x, dims),
    V,
    x=lambda g, x_shape: reshape(g, x_shape),
)
squeeze_dim = op(
    "squeeze(x, /, dims)",
    lambda x, dims: np.squeeze(x, dims),
    V,
    node="SqueezeBackward1",
    x=lambda g, x_shape: reshape(g, x_shape),
)
squeeze_dims = op(
    "squeeze(x, /, dims)",
    lambda x, dims: np.squeeze(x, dims),
    V,
    node="SqueezeBackward2",
    x=lambda g, x_shape: reshape(g, x_shape),
)
unsqueeze = op(
    "unsqueeze(x, /, dim)",
    lambda x, dim: np.expand_dims(x, dim),
    V,
    x=lambda g, x_shape: reshape(g, x_shape),
)


def _place(g: Any, shape: Any, row: Any, *statics: Any) -> Any:
    """Zeros of a shape with ``g`` where the view ``row`` looks."""
    if isinstance(g, Tensor):
        return placed.apply(g, shape, row, statics)
    out = np.zeros(shape, g.dtype)
    row.row.kernel(out, *statics)[...] = g
    return out


placed = op(
    "placed(x, /, shape, row, statics)",
    lambda x, s, row, st: _place(x, s, row, *st),
    LINEAR,
    x=lambda g, row, statics: row(g, *statics),
)

select = op(
    "select(x, /, dim, index)",
    lambda x, dim, i: x[(slice(None),) * dim + (i, ...)],
    V,
    x=lambda g, x_shape, dim, index: _place(g, x_shape, select, dim, index),
)
slice_ = op(
    "slice(x, /, dim, s)",
    lambda x, dim, s: x[(slice(None),) * dim + (s,)],
    V,
    x=lambda g, x_shape, dim, s: _place(g, x_shape, slice_, dim, s),
)
diagonal = op(
    "diagonal(x, /, offset, a, b)",
    lambda x, o, a, b: writable(np.diagonal(x, o, a, b), x),
    V,
    x=lambda g, x_shape, offset, a, b: _place(g, x_shape, diagonal, offset, a, b),
)


def writable(view: Any, x: Any) -> Any:
    """NumPy marks some views read-only; this gives the same view, writable where ``x`` is."""
    if isinstance(view, np.ndarray) and not view.flags.writeable and x.flags.writeable:
        return np.lib.stride_tricks.as_strided(
            x_from(view, x), view.shape, view.strides, writeable=True
        )
    return view


def x_from(view: Any, x: Any) -> Any:
    """An array that starts at the first element of ``view`` within the memory of ``x``."""
    if view.size == 0:
        return x.reshape(-1)[:0] if x.flags.c_contiguous else x[:0]
    offset = view.__array_interface__["data"][0] - x.__array_interface__["data"][0]
    index = []
    for stride in x.strides:
        step, offset = divmod(offset, stride) if stride else (0, offset)
        index.append(slice(step, None))
    return x[tuple(index)]


def _unfold(x: Any, dim: int, size: int, step: int) -> Any:
    count = (x.shape[dim] - size) // step + 1
    shape = (*x.shape[:dim], count, *x.shape[dim + 1 :], size)
    st = x.strides
    strides = (*st[:dim], st[dim] * step, *st[dim + 1 :], st[dim])
    return np.lib.stride_tricks.as_strided(x, shape, strides)


def _unfold_back(g: Any, shape: Any, dim: int, size: int, step: int) -> Any:
    if isinstance(g, Tensor):
        return unfold_back.apply(g, shape, dim, size, step)
    out = np.zeros(shape, g.dtype)
    np.add.at(_unfold(out, dim, size, step), ..., g)
    return out


unfold = op(
    "unfold(x, /, dim, size, step)",
    _unfold,
    V,
    x=lambda g, x_shape, dim, size, step: _unfold_back(g, x_shape, dim, size, step),
)
unfold_back = op(
    "unfold_backward(x, /, shape, dim, size, step)",
    _unfold_back,
    LINEAR,
    x=lambda g, dim, size, step: unfold(g, dim, size, step),
)


def _unbind(x: Any, dim: int) -> tuple[Any, ...]:
    return tuple(x[(slice(None),) * dim + (i, ...)] for i in range(x.shape[dim]))


def _unbind_rule(gs: Any, x_shape: Any, dim: int) -> Any:
    some = next(iter(gs.values()))
    parts = [gs.get(i) for i in range(x_shape[dim])]
    return stack([zeros_of(some) if p is None else p for p in parts], dim)


unbind = op("unbind(x, /, dim)", _unbind, V | MULTI_VIEW, n_out=0, x=_unbind_rule)


def _split(x: Any, lengths: Any, dim: int) -> tuple[Any, ...]:
    parts, at = [], 0
    for n in lengths:
        parts.append(x[(slice(None),) * dim + (slice(at, at + n),)])
        at += n
    return tuple(parts)


def _split_rule(gs: Any, x_shape: Any, lengths: Any, dim: int) -> Any:
    some = next(iter(gs.values()))
    shape = list(x_shape)
    parts = []
    for i, n in enumerate(lengths):
        shape[dim] = n
        parts.append(gs[i] if i in gs else zeros_of(some, tuple(shape)))
    return cat(parts, dim)


split = op("split(x, /, lengths, dim)", _split, V | MULTI_VIEW, n_out=0, x=_split_rule)


def _cat(xs: Any, dim: int) -> Any:
    from ..dtypes import result_type

    kept = [x for x in xs if x.shape != (0,)] or list(xs)
    dtype = result_type(*xs)
    return np.concatenate([x if x.dtype is dtype else x.astype(dtype) for x in kept], dim)


def _cat_rule(g: Any, xs_shape: Any, dim: int) -> Any:
    parts, at = [], 0
    for shape in xs_shape:
        if shape == (0,) and len(shape) != g.ndim:
            parts.append(zeros_of(g, (0,)))
            continue
        parts.append(slice_(g, dim, slice(at, at + shape[dim])))
        at += shape[dim]
    return parts


def _stack(xs: Any, dim: int) -> Any:
    from ..dtypes import result_type

    dtype = result_type(*xs)
    return np.stack([x if x.dtype is dtype else x.astype(dtype) for x in xs], dim)


cat = op("cat(*xs, /, dim)", _cat, LINEAR, xs=_cat_rule)
stack = op(
    "stack(*xs, /, dim)",
    _stack,
    LINEAR,
    xs=lambda g, xs_shape, dim: [select(g, dim, i) for i in range(len(xs_shape))],
)
flip = op(
    "flip(x, /, dims)",
    lambda x, dims: np.flip(x, dims).copy(),
    LINEAR,
    x=lambda g, dims: flip(g, dims),
)
roll = op(
    "roll(x, /, shifts, dims)",
    lambda x, s, d: np.roll(x, s, d),
    LINEAR,
    x=lambda g, shifts, dims: roll(g, negated(shifts), dims),
)
tril = op("tril(x, /, k)", lambda x, k: np.tril(x, k), LINEAR, x=lambda g, k: tril(g, k))
triu = op("triu(x, /, k)", lambda x, k: np.triu(x, k), LINEAR, x=lambda g, k: triu(g, k))


def _repeat_rule(g: Any, x_shape: Any, repeats: Any) -> Any:
    from .reduce import sum_dims

    shape = (1,) * (len(repeats) - len(x_shape)) + tuple(x_shape)
    pairs: list[int] = []
    for r, n in zip(repeats, shape, strict=True):
        pairs += [r, n]
    summed = sum_dims(reshape_any(g, tuple(pairs)), tuple(range(0, 2 * len(repeats), 2)), False)
    return reshape_any(summed, x_shape)


repeat = op("repeat(x, /, repeats)", lambda x, r: np.tile(x, r), LINEAR, x=_repeat_rule)
real = op("real(x)", lambda x: x.real, V, x=lambda g: complex_of(g, None))
imag = op("imag(x)", lambda x: x.imag, V, x=lambda g: complex_of(None, g))


def _view_as_real(x: Any) -> Any:
    return np.lib.stride_tricks.as_strided(
        x.real, (*x.shape, 2), (*x.strides, x.itemsize // 2), writeable=x.flags.writeable
    )


view_as_real = op("view_as_real(x)", _view_as_real, V, x=lambda g: view_as_complex(g))
view_as_complex = op(
    "view_as_complex(x)",
    lambda x: (
        np.ascontiguousarray(x).view(np.result_type(x.dtype, np.complex64))[..., 0]
        if not x.flags.c_contiguous
        else x.view(np.result_type(x.dtype, np.complex64))[..., 0]
    ),
    V,
    x=lambda g: view_as_real(g),
)


def complex_of(re: Any, im: Any) -> Any:
    """A complex array or tensor from its parts, of which one may be None."""
    some = im if re is None else re
    return complex_row(zeros_of(some) if re is None else re, zeros_of(some) if im is None else im)


def _complex(x: Any, y: Any) -> Any:
    if x.dtype != y.dtype:
        raise RuntimeError(
            f"[complex] expected parts of the same dtype, got {x.dtype} and {y.dtype}"
        )
    out = np.empty(np.broadcast_shapes(x.shape, y.shape), np.result_type(x.dtype, np.complex64))
    out.real, out.imag = x, y
    return out


complex_row = op(
    "complex(x, y)",
    _complex,
    x=lambda g, x_shape: sum_any(real(g), x_shape),
    y=lambda g, y_shape: sum_any(imag(g), y_shape),
)


def sum_any(x: Any, shape: Any) -> Any:
    """Sum down to a shape."""
    from .core import sum_to

    return sum_to(x, shape)


def negated(shifts: Any) -> Any:
    """Shifts in the other direction."""
    return tuple(-s for s in shifts) if isinstance(shifts, tuple) else -shifts


def as_strided_kernel(x: Any, size: Any, stride: Any, offset: Any) -> Any:
    """Any strided look at the memory that holds ``x``."""
    from ..backend.base import pointer, root

    memory = root(x)
    start = (pointer(x) - pointer(memory)) // x.itemsize if offset is None else offset
    flat = (
        np.lib.stride_tricks.as_strided(memory, (memory.nbytes // x.itemsize,), (x.itemsize,))
        if (memory.dtype == x.dtype)
        else memory.view(x.dtype).reshape(-1)
    )
    last = start + sum((n - 1) * s for n, s in zip(size, stride, strict=True))
    if size and min(size) > 0 and last >= flat.size:
        raise RuntimeError(
            f"[as_strided] sizes {list(size)}, strides {list(stride)} and offset {start} reach "
            f"element {last}, outside the storage of {flat.size} elements"
        )
    return np.lib.stride_tricks.as_strided(flat[start:], size, [s * x.itemsize for s in stride])


def as_strided_rule(g: Any, x_shape: Any, size: Any, stride: Any, offset: Any) -> Any:
    """The gradient added up in a row-major copy of ``x``'s memory."""
    if isinstance(g, Tensor):
        return as_strided_back.apply(g, x_shape, size, stride, offset)
    n = int(np.prod(x_shape))
    out = np.zeros(n, g.dtype)
    view = np.lib.stride_tricks.as_strided(
        out[offset or 0 :], size, [s * g.itemsize for s in stride]
    )
    np.add.at(view, ..., g)
    return out.reshape(x_shape)


as_strided = op("as_strided(x, /, size, stride, offset)", as_strided_kernel, V, x=as_strided_rule)
as_strided_back = op(
    "as_strided_backward(x, /, shape, size, stride, offset)",
    as_strided_rule,
    LINEAR,
    x=lambda g, size, stride, offset: as_strided(g, size, stride, offset),
)

# -- public ----------------------------------------------------------------------------------------


def infer(shape: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """A shape with its -1 worked out.

    Raises:
        RuntimeError: the number of elements does not fit.
    """
    known = 1
    for n in shape:
        known *= n if n != -1 else 1
    if shape.count(-1) == 1 and known and numel % known == 0:
        return tuple(numel // known if n == -1 else n for n in shape)
    if -1 in shape or known != numel:
        raise RuntimeError(f"shape '{list(shape)}' is invalid for input of size {numel}")
    return shape


def reshape_any(x: Any, shape: Any) -> Any:
    """``x`` in another shape: a view where strides allow, else a copy."""
    if not isinstance(x, Tensor):
        return x.reshape(shape)
    shape = infer(tuple(shape), x._data.size)
    return reshape.apply(x, shape) if viewable(x._data, shape) else reshape_copy.apply(x, shape)


def viewable(array: Any, shape: Any) -> bool:
    """Whether an array can be seen in another shape without copying."""
    if array.flags.c_contiguous:
        return True
    return array.size == 0 or share_memory(array, array.reshape(shape))


@public("reshape")
def reshape_public(input: Tensor, *shape: Any) -> Tensor:
    """In another shape: a view where strides allow, else a copy."""
    return reshape_any(input, sizes(shape))  # type: ignore[no-any-return]


@method("view")
def view(self: Tensor, *shape: Any) -> Tensor:
    """A view in another shape, or of the same bits in another dtype.

    Raises:
        RuntimeError: strides do not allow it without copying.
    """
    from ..dtypes import DType

    if len(shape) == 1 and isinstance(shape[0], DType):
        t = wrap(self._data.view(shape[0].np))
        t._vc = self._vc
        return t
    target = infer(sizes(shape), self._data.size)
    if not viewable(self._data, target):
        raise RuntimeError(
            f"view size {list(target)} is not compatible with input tensor's size "
            f"{list(self.shape)} and stride {list(self.stride())} (at least one dimension spans "
            "across two contiguous subspaces). Use .reshape(...) instead."
        )
    return reshape.apply(self, target)  # type: ignore[no-any-return]


@method("view_as")
def view_as(self: Tensor, other: Tensor) -> Tensor:
    """A view in the shape of another tensor."""
    return view(self, other._data.shape)


@method("reshape_as")
def reshape_as(self: Tensor, other: Tensor) -> Tensor:
    """In the shape of another tensor."""
    return reshape_public(self, other._data.shape)


@public("flatten")
def flatten(input: Tensor, start_dim: int = 0, end_dim: int = -1) -> Tensor:
    """Dimensions from start to end made one."""
    n = input._data.ndim
    if n == 0:
        return reshape_public(input, 1)
    a, b = wrap_dim(start_dim, n), wrap_dim(end_dim, n)
    shape = input._data.shape
    if a == b:
        return input
    return reshape_public(input, (*shape[:a], int(np.prod(shape[a : b + 1])), *shape[b + 1 :]))


@public("ravel")
def ravel(input: Tensor) -> Tensor:
    """All dimensions made one."""
    return reshape_public(input, -1)


@public("unflatten")
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """One dimension made several."""
    d = wrap_dim(dim, input._data.ndim)
    shape = input._data.shape
    return view(input, (*shape[:d], *infer(tuple(sizes), shape[d]), *shape[d + 1 :]))


@public("squeeze")
def squeeze_public(input: Tensor, dim: Any = None) -> Tensor:
    """Without (these) dimensions of size 1."""
    row = squeeze if dim is None else squeeze_dim if isinstance(dim, int) else squeeze_dims
    return row.apply(input, squeezable(input, dim))  # type: ignore[no-any-return]


def squeezable(x: Tensor, dim: Any) -> tuple[int, ...]:
    """The dimensions of size 1 among those given, or all."""
    n = x._data.ndim
    dims = range(n) if dim is None else (dim,) if isinstance(dim, int) else dim
    return tuple(d for d in (wrap_dim(i, n) for i in dims) if n and x._data.shape[d] == 1)


@public("unsqueeze")
def unsqueeze_public(input: Tensor, dim: int) -> Tensor:
    """With a dimension of size 1 put in."""
    return unsqueeze.apply(input, wrap_dim(dim, input._data.ndim + 1))  # type: ignore[no-any-return]


@public("transpose", "swapaxes", "swapdims")
def transpose_public(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two dimensions exchanged."""
    n = input._data.ndim
    return transpose.apply(input, wrap_dim(dim0, n), wrap_dim(dim1, n))  # type: ignore[no-any-return]


@public("t")
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix."""
    if input._data.ndim > 2:
        raise RuntimeError(f"t() expects a tensor with <= 2 dimensions, but self is {input.ndim}D")
    return t_row.apply(input)  # type: ignore[no-any-return]


@public("permute")
def permute_public(input: Tensor, *dims: Any) -> Tensor:
    """With dimensions in another order."""
    order = tuple(wrap_dim(d, input._data.ndim) for d in sizes(dims))
    if sorted(order) != list(range(input._data.ndim)):
        raise RuntimeError(
            f"permute(sparse_coo): dims {list(order)} do not name each dimension once"
        )
    return permute.apply(input, order)  # type: ignore[no-any-return]


@public("movedim", "moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """With some dimensions moved."""
    n = input._data.ndim
    src = [wrap_dim(d, n) for d in ((source,) if isinstance(source, int) else source)]
    dst = [
        wrap_dim(d, n) for d in ((destination,) if isinstance(destination, int) else destination)
    ]
    order = [d for d in range(n) if d not in src]
    for to, frm in sorted(zip(dst, src, strict=True)):
        order.insert(to, frm)
    return permute_public(input, order)


@method("expand_as")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """Stretched to the shape of another tensor."""
    return expand_public(self, other._data.shape)


@public("broadcast_to")
def broadcast_to(input: Tensor, shape: Sequence[int]) -> Tensor:
    """Stretched to a shape."""
    return expand_public(input, tuple(shape))


@function("broadcast_tensors")
def broadcast_tensors(*tensors: Tensor) -> list[Tensor]:
    """All stretched to their common shape."""
    shape = np.broadcast_shapes(*(x._data.shape for x in tensors))
    return [expand_public(x, shape) for x in tensors]


@public("select")
def select_public(input: Tensor, dim: int, index: int) -> Tensor:
    """One index of one dimension, which is dropped."""
    n = input._data.ndim
    if n == 0:
        raise IndexError("select() cannot be applied to a 0-dim tensor.")
    d = wrap_dim(dim, n)
    size = input._data.shape[d]
    if not -size <= index < size:
        raise IndexError(f"index {index} is out of bounds for dimension {d} with size {size}")
    return select.apply(input, d, index % size)  # type: ignore[no-any-return]


@public("narrow")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of one dimension."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if start < 0:
        start += size
    if length < 0 or start + length > size:
        raise RuntimeError(f"start ({start}) + length ({length}) exceeds dimension size ({size}).")
    return slice_.apply(input, d, slice(start, start + length))  # type: ignore[no-any-return]


@public("diagonal")
def diagonal_public(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal over two dimensions, as the last one."""
    n = input._data.ndim
    return diagonal.apply(input, offset, wrap_dim(dim1, n), wrap_dim(dim2, n))  # type: ignore[no-any-return]


@public("diag_embed")
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices that hold the last dimension on a diagonal."""
    n = input._data.ndim + 1
    size = input._data.shape[-1] + abs(offset)
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    lead = iter(input._data.shape[:-1])
    shape = tuple(size if d in (a, b) else next(lead) for d in range(n))
    return placed.apply(input, shape, diagonal, (offset, a, b))  # type: ignore[no-any-return]


placed.row.node_name = "DiagEmbedBackward0"


@public("diag")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if input._data.ndim == 1:
        return diag_embed(input, diagonal)
    return clone.apply(diagonal_public(input, diagonal))  # type: ignore[no-any-return]


@method("unfold")
def unfold_public(self: Tensor, dimension: int, size: int, step: int) -> Tensor:
    """Windows of a dimension, as the last one."""
    d = wrap_dim(dimension, self._data.ndim)
    if size > self._data.shape[d]:
        raise RuntimeError(
            f"maximum size for tensor at dimension {d} is {self._data.shape[d]} but size is {size}"
        )
    return unfold.apply(self, d, size, step)  # type: ignore[no-any-return]


@public("as_strided")
def as_strided_public(
    input: Tensor, size: Any, stride: Any, storage_offset: int | None = None
) -> Tensor:
    """A view with any sizes and strides (in elements) of the memory that holds the input."""
    return as_strided.apply(input, tuple(size), tuple(stride), storage_offset)  # type: ignore[no-any-return]


@public("unbind")
def unbind_public(input: Tensor, dim: int = 0) -> tuple[Tensor, ...]:
    """All indices of one dimension."""
    if not input._data.ndim:
        raise RuntimeError("Dimension specified as 0 but tensor has no dimensions")
    return unbind.apply(input, wrap_dim(dim, input._data.ndim))  # type: ignore[no-any-return]


@public("split")
def split_public(input: Tensor, split_size: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces of a size, or of these sizes."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if isinstance(split_size, int):
        whole, rest = divmod(size, split_size) if split_size else (1, 0)
        lengths = [split_size] * whole + ([rest] if rest else []) or [0]
    else:
        lengths = list(split_size)
        if sum(lengths) != size:
            raise RuntimeError(
                f"split_with_sizes expects split_sizes to sum exactly to {size} (input tensor's "
                f"size at dimension {d}), but got split_sizes={lengths}"
            )
    return split.apply(input, tuple(lengths), d)  # type: ignore[no-any-return]


@public("chunk")
def chunk(input: Tensor, chunks: int, dim: int = 0) -> tuple[Tensor, ...]:
    """At most that many pieces of equal size."""
    size = input._data.shape[wrap_dim(dim, input._data.ndim)]
    return split_public(input, max(1, -(-size // chunks)), dim)


@public("tensor_split")
def tensor_split(input: Tensor, indices_or_sections: Any, dim: int = 0) -> tuple[Tensor, ...]:
    """Pieces between these indices, or that many pieces."""
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if isinstance(indices_or_sections, int):
        each, extra = divmod(size, indices_or_sections)
        cuts, at = [], 0
        for i in range(indices_or_sections - 1):
            at += each + (i < extra)
            cuts.append(at)
    else:
        cuts = [max(0, min(size, c + size if c < 0 else c)) for c in indices_or_sections]
    edges = [0, *cuts, size]
    return tuple(slice_.apply(input, d, slice(a, max(a, b))) for a, b in pairwise(edges))


@public("hsplit")
def hsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split over columns."""
    return tensor_split(input, indices_or_sections, 0 if input._data.ndim == 1 else 1)


@public("vsplit")
def vsplit(input: Tensor, indices_or_sections: Any) -> tuple[Tensor, ...]:
    """tensor_split over rows."""
    return tensor_split(input, indices_or_sections, 0)


def listed(what: str, tensors: Any) -> list[Tensor]:
    """A non-empty list of tensors.

    Raises:
        TypeError: something else was given.
    """
    if isinstance(tensors, Tensor):
        raise TypeError(f"{what}(): argument 'tensors' must be tuple of Tensors, not Tensor")
    items = list(tensors)
    if not items:
        raise RuntimeError(f"{what}(): expected a non-empty list of Tensors")
    for i, x in enumerate(items):
        if not isinstance(x, Tensor):
            raise TypeError(f"{what}(): expected Tensor as element {i}, but got {type(x).__name__}")
    return items


@function("cat", "concat", "concatenate")
def cat_public(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along a dimension they have."""
    items = listed("cat", tensors)
    n = max(x._data.ndim for x in items)
    try:
        return cat.apply(items, wrap_dim(dim, n))  # type: ignore[no-any-return]
    except ValueError as error:
        shapes = [list(x.shape) for x in items]
        raise RuntimeError(
            f"[cat] sizes of tensors must match except in dimension {dim}, found {shapes}"
        ) from error


@function("stack")
def stack_public(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Tensors joined along a new dimension."""
    items = listed("stack", tensors)
    if len({x._data.shape for x in items}) > 1:
        raise RuntimeError(
            f"stack expects each tensor to be equal size, but got {[list(x.shape) for x in items]}"
        )
    return stack.apply(items, wrap_dim(dim, items[0]._data.ndim + 1))  # type: ignore[no-any-return]


def at_least(x: Tensor, n: int) -> Tensor:
    """With leading (for 3: also trailing) dimensions of size 1 until there are n."""
    while x._data.ndim < n:
        x = unsqueeze_public(x, 0 if x._data.ndim < 2 else 2)
    return x


@function("atleast_1d")
def atleast_1d(x: Tensor) -> Tensor:
    """With at least one dimension."""
    return at_least(x, 1)


@function("atleast_2d")
def atleast_2d(x: Tensor) -> Tensor:
    """With at least two dimensions."""
    return at_least(x, 2)


@function("hstack")
def hstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along columns."""
    items = [at_least(x, 1) for x in tensors]
    return cat_public(items, 0 if items[0]._data.ndim == 1 else 1)


@function("vstack", "row_stack")
def vstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along rows."""
    return cat_public([at_least(x, 2) for x in tensors], 0)


@function("dstack")
def dstack(tensors: Sequence[Tensor]) -> Tensor:
    """Joined along the third dimension."""
    return cat_public([at_least(x, 3) for x in tensors], 2)


@function("column_stack")
def column_stack(tensors: Sequence[Tensor]) -> Tensor:
    """Vectors as columns, matrices side by side."""
    items = [reshape_public(x, (x._data.size, 1)) if x._data.ndim <= 1 else x for x in tensors]
    return hstack(items)


@public("flip")
def flip_public(input: Tensor, *dims: Any) -> Tensor:
    """In reverse order along these dimensions."""
    return flip.apply(input, tuple(wrap_dim(d, input._data.ndim) for d in sizes(dims)))  # type: ignore[no-any-return]


@public("roll")
def roll_public(input: Tensor, shifts: Any, dims: Any = None) -> Tensor:
    """Elements moved round along these dimensions."""
    s = tuple(shifts) if not isinstance(shifts, int) else shifts
    d = tuple(dims) if dims is not None and not isinstance(dims, int) else dims
    return roll.apply(input, s, d)  # type: ignore[no-any-return]


@public("tril")
def tril_public(input: Tensor, diagonal: int = 0) -> Tensor:
    """The lower triangle."""
    return tril.apply(input, diagonal)  # type: ignore[no-any-return]


@public("triu")
def triu_public(input: Tensor, diagonal: int = 0) -> Tensor:
    """The upper triangle."""
    return triu.apply(input, diagonal)  # type: ignore[no-any-return]


@method("repeat")
def repeat_public(self: Tensor, *repeats: Any) -> Tensor:
    """Copies of the tensor side by side."""
    return repeat.apply(self, sizes(repeats))  # type: ignore[no-any-return]


@public("tile")
def tile(input: Tensor, *dims: Any) -> Tensor:
    """As repeat, filling missing counts with 1."""
    counts = sizes(dims)
    return repeat.apply(input, (1,) * (input._data.ndim - len(counts)) + counts)  # type: ignore[no-any-return]


@method("contiguous")
def contiguous(self: Tensor, memory_format: Any = None) -> Tensor:
    """The tensor itself where it is row-major, else a copy that is."""
    return self if self._data.flags.c_contiguous else contiguous_row.apply(self)  # type: ignore[no-any-return]


contiguous_row = op(
    "contiguous(x)", lambda x: np.ascontiguousarray(x), LINEAR, node="CloneBackward0", x=lambda g: g
)


@public("real")
def real_public(input: Tensor) -> Tensor:
    """The real part, as a view; the tensor itself where real."""
    return real.apply(input) if input._data.dtype.kind == "c" else input  # type: ignore[no-any-return]


@function("imag")
def imag_public(input: Tensor) -> Tensor:
    """The imaginary part, as a view.

    Raises:
        RuntimeError: the tensor is real.
    """
    if input._data.dtype.kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return imag.apply(input)  # type: ignore[no-any-return]


expose(view_as_real, view_as_complex, inplace=False)
FUNCTIONS["complex"] = complex_row.apply


@public("positive")
def positive(input: Tensor) -> Tensor:
    """The tensor itself."""
    return input


@public("resolve_conj", "resolve_neg")
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugates are always written out here."""
    return input


FUNCTIONS["polar"] = lambda abs, angle: complex_row.apply(abs * angle.cos(), abs * angle.sin())
