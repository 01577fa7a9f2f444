"""Views: the same elements in another shape, order or selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_strided, share_memory, writable, zeros
from ..backend.dtypes import DType, bfloat16
from ..graph.row import LINEAR, VIEW
from ..tensor.tensor import Size, Tensor
from .core import alias, conj_public, expand_public
from .dims import sizes, whole, wrap_dim
from .layout import contiguous_row
from .op import Op, op, variant
from .registry import function, method, public

V = LINEAR | VIEW


# -- rows ------------------------------------------------------------------------------------------

reshape: Op = op(
    "view(x, /, shape)",
    lambda x, shape: x.reshape(shape),
    V,
    x=lambda g, x_shape: reshape(g, x_shape),
)
reshape_alias = variant(reshape, "ReshapeAliasBackward0")
permute: Op = op(
    "permute(x, /, dims)",
    lambda x, dims: x.transpose(dims),
    V,
    shows={"dims": "dims"},
    x=lambda g, dims: permute(g, tuple(np.argsort(dims))),
)
transpose: Op = op(
    "transpose(x, /, a, b)",
    lambda x, a, b: x.swapaxes(a, b) if x.ndim else x.view(),
    V,
    shows={"a": "dim0", "b": "dim1"},
    x=lambda g, a, b: transpose(g, a, b),
)
t_row: Op = op("t(x)", lambda x: x.T, V, x=lambda g: t_row(g))
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


def _unsqueezed(x: Any, dim: int) -> Any:
    """A dimension of size 1 more; its stride is that of the dimensions after it together."""
    shape = (*x.shape[:dim], 1, *x.shape[dim:])
    if dim < x.ndim or x.flags.c_contiguous:
        return x.reshape(shape)
    return as_strided(x, shape, (*x.strides, x.itemsize))


unsqueeze = op(
    "unsqueeze(x, /, dim)",
    _unsqueezed,
    V,
    x=lambda g, dim: squeeze_dim(g, dim),
)


def _place(g: Any, shape: Any, row: Any, *statics: Any) -> Any:
    """Zeros of a shape with ``g`` where the view ``row`` looks."""
    if isinstance(g, Tensor):
        return placed.apply(g, shape, row, statics)
    out = zeros(shape, g.dtype, g)
    row.row.kernel(out, *statics)[...] = g
    return out


t_in_place = variant(t_row, "TBackward1")
transpose_in_place = variant(transpose, "TransposeBackward1")
unsqueeze_in_place = variant(unsqueeze, "UnsqueezeBackward1")
squeeze_in_place = variant(squeeze, "SqueezeBackward3")
squeeze_dim_in_place = variant(squeeze, "SqueezeBackward4")
squeeze_dims_in_place = variant(squeeze, "SqueezeBackward5")
unsafe_view = op(
    "_unsafe_view(x, /, shape)",
    lambda x, shape: x.reshape(shape),
    LINEAR,
    node="UnsafeViewBackward0",
    x=lambda g, x_shape: reshape(g, x_shape),
)


bits = op("view(x, /, dtype)", lambda x, dtype: x.view(dtype), VIEW)
placed = op(
    "placed(x, /, shape, row, statics)",
    lambda x, s, row, st: _place(x, s, row, *st),
    LINEAR,
    x=lambda g, row, statics: row(g, *statics),
)

select: Op = op(
    "select(x, /, dim, index)",
    lambda x, dim, i: x[(slice(None),) * dim + (i, ...)],
    V,
    x=lambda g, x_shape, dim, index: _place(g, x_shape, select, dim, index),
)
slice_: Op = op(
    "slice(x, /, dim, s)",
    lambda x, dim, s: x[(slice(None),) * dim + (s,)],
    V,
    x=lambda g, x_shape, dim, s: _place(g, x_shape, slice_, dim, s),
)
diagonal: Op = op(
    "diagonal(x, /, offset, a, b)",
    lambda x, o, a, b: writable(np.diagonal(x, o, a, b), x),
    V,
    shows={"a": "dim1", "b": "dim2"},
    x=lambda g, x_shape, offset, a, b: _place(g, x_shape, diagonal, offset, a, b),
)


diagonal_copy: Op = op(
    "diagonal_copy(x, /, offset, a, b)",
    lambda x, o, a, b: np.diagonal(x, o, a, b).copy(),
    LINEAR,
    node="DiagonalBackward0_copy",
    x=lambda g, x_shape, offset, a, b: _place(g, x_shape, diagonal, offset, a, b),
)


# -- public ----------------------------------------------------------------------------------------


def infer(shape: tuple[int, ...], numel: int) -> tuple[int, ...]:
    """A shape with its -1 worked out.

    Raises:
        RuntimeError: the number of elements does not fit.
    """
    unknown = shape.count(-1)
    if unknown > 1:
        raise errors.wrong_shape(f"only one dimension can be inferred, found {list(shape)}")
    known = 1
    for n in shape:
        known *= n if n != -1 else 1
    if unknown == 1 and known and numel % known == 0:
        return tuple([numel // known if n == -1 else n for n in shape])
    if unknown or known != numel:
        raise errors.wrong_shape(f"shape '{list(shape)}' is invalid for input of size {numel}")
    return shape


def reshape_any(x: Any, shape: Any) -> Any:
    """``x`` in another shape: a view where strides allow, else a copy."""
    if not isinstance(x, Tensor):
        return x.reshape(shape)
    shape = infer(tuple(shape), x._data.size)
    if x._data.flags.c_contiguous:
        return reshape.apply(x, shape)
    if viewable(x._data, shape):
        return reshape_alias.apply(x, shape)
    return unsafe_view.apply(contiguous_row.apply(x), shape)


def viewable(array: Any, shape: Any) -> bool:
    """Whether an array can be seen in another shape without copying."""
    if array.flags.c_contiguous:
        return True
    return array.size == 0 or share_memory(array, array.reshape(shape))


@public("reshape")
def reshape_public(input: Tensor, *sizes_: Any, shape: Any = None) -> Tensor:
    """In another shape: a view where strides allow, else a copy."""
    if not sizes_ and shape is None:
        raise errors.wrong_type("reshape() takes the sizes of the new shape; got nothing")
    return reshape_any(input, sizes(sizes_, shape))  # type: ignore[no-any-return]


@method("view")
def view(self: Tensor, *shape: Any, size: Any = None, dtype: Any = None) -> Tensor:
    """A view in another shape, or of the same bits in another dtype.

    Raises:
        RuntimeError: strides or sizes do not allow it without copying.
    """
    if dtype is not None or (len(shape) == 1 and isinstance(shape[0], DType)):
        return view_bits(self, dtype or shape[0])
    if not shape and size is None:
        raise errors.wrong_type("view() takes the sizes of the new shape, or a dtype; got nothing")
    target = infer(sizes(shape, size), self._data.size)
    if not viewable(self._data, target):
        raise errors.wrong_shape(
            "view size is not compatible with input tensor's size and stride: no view of size "
            f"{list(self.shape)} and stride {list(self.stride())} has size {list(target)}. Use "
            ".reshape(...) instead, which copies where it must."
        )
    return reshape.apply(self, target)


def view_bits(x: Tensor, dtype: DType) -> Tensor:
    """The same memory read as another dtype; the last dimension is scaled by the size of elements.

    Raises:
        RuntimeError: sizes, strides or the offset do not allow it, or only one of the two is bfloat16,
            whose elements are kept in float32 arrays.
    """
    if dtype is not x.dtype and bfloat16 in (dtype, x.dtype):
        raise errors.unsupported_dtype("view to or from another dtype", bfloat16)
    before, after = x.dtype.itemsize, dtype.itemsize
    if before != after:
        ratio = max(after // before, 1)
        divided = {"storage_offset()": x.storage_offset()}
        divided |= {f"stride({n})": stride for n, stride in enumerate(x.stride()[:-1])}
        if not x.shape:
            wrong = ["dim() cannot be 0"]
        elif x.stride(-1) != 1:
            wrong = [f"stride(-1) must be 1, but got {x.stride(-1)}"]
        else:
            divided = {"size(-1)": x.shape[-1]} | divided
            wrong = [
                f"{what} must be divisible by {ratio}, but got {n}"
                for what, n in divided.items()
                if n % ratio
            ]
        if wrong:
            raise errors.wrong_shape(
                f"self.{wrong[0]}, to view {x.dtype} as {dtype} (different element sizes)"
            )
    out = bits.apply(x, dtype.np)
    out._view = None  # shares memory and version, and is outside the graph
    return out


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
        wrap_dim(start_dim, n), wrap_dim(end_dim, n)
        return reshape_public(input, 1)
    a, b = wrap_dim(start_dim, n), wrap_dim(end_dim, n)
    shape = input._data.shape
    if a == b:
        return input
    if a > b:
        raise errors.wrong_shape(
            f"flatten(): start_dim must not come after end_dim; got {start_dim} and {end_dim}"
        )
    return reshape_public(input, (*shape[:a], int(np.prod(shape[a : b + 1])), *shape[b + 1 :]))


@public("ravel")
def ravel(input: Tensor) -> Tensor:
    """All dimensions made one: a view, of a copy in rows where strides ask for that."""
    return view(input.contiguous(), -1)


@public("unflatten")
def unflatten(input: Tensor, dim: int, sizes: Sequence[int]) -> Tensor:
    """One dimension made several."""
    d = wrap_dim(dim, input._data.ndim)
    if not input._data.ndim:
        raise errors.wrong_shape("unflatten(): a 0-dim tensor has no dimension to unflatten")
    shape = input._data.shape
    return view(input, (*shape[:d], *infer(tuple(sizes), shape[d]), *shape[d + 1 :]))


@public("squeeze")
def squeeze_public(input: Tensor, dim: Any = None) -> Tensor:
    """Without (these) dimensions of size 1."""
    return squeezed(input, dim, squeeze, squeeze_dim, squeeze_dims)


def squeezed(x: Tensor, dim: Any, every: Op, one: Op, several: Op) -> Tensor:
    """Without dimensions of size 1, by the row for this form of ``dim``."""
    row = every if dim is None else one if isinstance(dim, int) else several
    return row.apply(x, squeezable(x, dim))


def once(what: str, dims: Sequence[int]) -> None:
    """Refuse dimensions that are named twice."""
    if len(set(dims)) != len(dims):
        raise errors.wrong_shape(f"{what}(): each dim can be named once; got dims {list(dims)}")


def squeezable(x: Tensor, dim: Any) -> tuple[int, ...]:
    """The dimensions of size 1 among those given, or all."""
    n = x._data.ndim
    if dim is None:
        dims = list(range(n))
    else:
        dims = [wrap_dim(d, n) for d in ((dim,) if isinstance(dim, int) else dim)]
        once("squeeze", dims if n else [])
    return tuple([d for d in dims if n and x._data.shape[d] == 1])


@public("unsqueeze")
def unsqueeze_public(input: Tensor, dim: int) -> Tensor:
    """With a dimension of size 1 put in."""
    return unsqueeze.apply(input, wrap_dim(dim, input._data.ndim + 1))


@public("transpose", "swapdims")
def transpose_public(input: Tensor, dim0: int, dim1: int) -> Tensor:
    """With two dimensions exchanged."""
    n = input._data.ndim
    return transpose.apply(input, wrap_dim(dim0, n), wrap_dim(dim1, n))


@public("swapaxes")
def swapaxes(input: Tensor, axis0: int, axis1: int) -> Tensor:
    """With two dimensions exchanged, as ``transpose``."""
    return transpose_public(input, axis0, axis1)


@public("t")
def t(input: Tensor) -> Tensor:
    """The transpose of a matrix."""
    return t_checked(input, t_row)


def t_checked(x: Tensor, row: Op) -> Tensor:
    """The transpose of a matrix, by this row."""
    if x._data.ndim > 2:
        raise errors.wrong_shape(
            f"t() expects a tensor with <= 2 dimensions; got shape {list(x.shape)}"
        )
    return row.apply(x)


@public("permute")
def permute_public(input: Tensor, *order_: Any, dims: Any = None) -> Tensor:
    """With dimensions in another order."""
    if not order_ and dims is None:
        raise errors.wrong_type("permute() needs the dimensions in their new order")
    given = sizes(order_, dims)
    fits = len(given) == input._data.ndim
    order = tuple(wrap_dim(d, input._data.ndim) for d in given) if fits else given
    if sorted(order) != list(range(input._data.ndim)):
        raise errors.wrong_shape(
            f"permute(): dims {list(order)} do not name each of the {input.ndim} dimensions once"
        )
    return permute.apply(input, order)


@public("movedim", "moveaxis")
def movedim(input: Tensor, source: Any, destination: Any) -> Tensor:
    """With some dimensions moved."""
    n = input._data.ndim
    src = [wrap_dim(d, n) for d in ((source,) if isinstance(source, int) else source)]
    dst = [
        wrap_dim(d, n) for d in ((destination,) if isinstance(destination, int) else destination)
    ]
    if len(src) != len(dst):
        raise errors.wrong_shape(
            f"movedim(): each dimension needs one place; got {len(src)} dimensions and {len(dst)} "
            "places"
        )
    once("movedim", src)
    once("movedim", dst)
    if not n:
        return alias.apply(input)
    order = [d for d in range(n) if d not in src]
    for to, frm in sorted(zip(dst, src, strict=True)):
        order.insert(to, frm)
    return permute_public(input, order)


@method("expand_as")
def expand_as(self: Tensor, other: Tensor) -> Tensor:
    """Stretched to the shape of another tensor."""
    return expand_public(self, other._data.shape)


@public("broadcast_to")
def broadcast_to(input: Tensor, *sizes_: Any, size: Any = None) -> Tensor:
    """Stretched to a shape."""
    return expand_public(input, sizes(sizes_, size))


@function("broadcast_tensors")
def broadcast_tensors(*tensors: Tensor) -> tuple[Tensor, ...]:
    """All stretched to their common shape."""
    for i, x in enumerate(tensors):
        if not isinstance(x, Tensor):
            raise errors.wrong_type(
                f"broadcast_tensors(): expected Tensor {i}, not {type(x).__name__}"
            )
    shape = broadcast_shapes(*(x._data.shape for x in tensors))
    return tuple(x if x._data.shape == shape else expand_public(x, shape) for x in tensors)


@public("select")
def select_public(input: Tensor, dim: int, index: int) -> Tensor:
    """One index of one dimension, which is dropped."""
    n = input._data.ndim
    if n == 0:
        raise errors.wrong_index("select(): a 0-dim tensor has no dimension to select from")
    d = wrap_dim(dim, n)
    size = input._data.shape[d]
    if not -size <= index < size:
        raise errors.wrong_index(
            f"index {index} is out of bounds for dimension {d} with size {size}"
        )
    return select.apply(input, d, index % size)


@public("narrow")
def narrow(input: Tensor, dim: int, start: int, length: int) -> Tensor:
    """A range of one dimension."""
    if not input._data.ndim:
        raise errors.wrong_shape("narrow(): a 0-dim tensor has no dimension to narrow")
    d = wrap_dim(dim, input._data.ndim)
    size = input._data.shape[d]
    if not -size <= start <= size:
        raise errors.wrong_index(
            f"narrow(): start must lie in [{-size}, {size}], for dimension {d} has size {size}; got "
            f"{start}"
        )
    if start < 0:
        start += size
    if whole("narrow", "length", length) < 0 or start + length > size:
        raise errors.wrong_shape(
            f"start ({start}) + length ({length}) exceeds dimension size ({size})."
        )
    return slice_.apply(input, d, slice(start, start + length))


@public("diagonal")
def diagonal_public(input: Tensor, offset: int = 0, dim1: int = 0, dim2: int = 1) -> Tensor:
    """The diagonal over two dimensions, as the last one."""
    n = input._data.ndim
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    if a == b:
        raise errors.wrong_shape(
            f"diagonal(): two different dims make a diagonal; got {dim1} and {dim2}"
        )
    return diagonal.apply(input, offset, a, b)


@public("diag_embed")
def diag_embed(input: Tensor, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """Matrices that hold the last dimension on a diagonal."""
    n = input._data.ndim + 1
    a, b = wrap_dim(dim1, n), wrap_dim(dim2, n)
    if a == b:
        raise errors.wrong_value(f"diag_embed(): dims must differ; got {a} twice", RuntimeError)
    size = input._data.shape[-1] + abs(offset)
    lead = iter(input._data.shape[:-1])
    shape = tuple(size if d in (a, b) else next(lead) for d in range(n))
    return placed.apply(input, shape, diagonal, (offset, a, b))


placed.row.node_name = "DiagEmbedBackward0"


@public("diag")
def diag(input: Tensor, diagonal: int = 0) -> Tensor:
    """The diagonal of a matrix, or a matrix with this diagonal."""
    if input._data.ndim == 1:
        return diag_embed(input, diagonal)
    if input._data.ndim != 2:
        raise errors.wrong_shape(
            f"diag(): the input must be a vector or a matrix; got shape {list(input.shape)}"
        )
    return diagonal_copy.apply(input, diagonal, 0, 1)


@public("adjoint")
def adjoint(input: Tensor) -> Tensor:
    """The conjugate transpose of the last two dimensions.

    Raises:
        RuntimeError: a single dimension.
    """
    if input._data.ndim == 1:
        raise errors.wrong_shape(
            "tensor.adjoint() is only supported on (batches of) matrices; got 1-D"
        )
    flipped = transpose_public(input, -2, -1) if input._data.ndim else input
    return conj_public(flipped)


@function("broadcast_shapes")
def broadcast_shapes(*shapes: Any) -> Size:
    """The shape to which all these shapes broadcast.

    Raises:
        RuntimeError: there is none.
    """
    try:
        return Size(np.broadcast_shapes(*shapes))
    except ValueError:
        listed = [list(s) if not isinstance(s, int) else s for s in shapes]
        raise errors.wrong_shape(
            f"Shape mismatch: objects cannot be broadcast to a single shape, found {listed}"
        ) from None


def at_least(x: Tensor, n: int) -> Tensor:
    """With leading (for 3: also trailing) dimensions of size 1 until there are n."""
    if not x._data.ndim:
        return reshape_public(x, (1,) * n)
    while x._data.ndim < n:
        x = unsqueeze_public(x, 0 if x._data.ndim < 2 else 2)
    return x


@function("atleast_1d")
def atleast_1d(*tensors: Any) -> Any:
    """With at least one dimension; a tuple of several."""
    return each_at_least(tensors, 1)


@function("atleast_2d")
def atleast_2d(*tensors: Any) -> Any:
    """With at least two dimensions; a tuple of several."""
    return each_at_least(tensors, 2)


@function("atleast_3d")
def atleast_3d(*tensors: Any) -> Any:
    """With at least three dimensions; a tuple of several."""
    return each_at_least(tensors, 3)


def each_at_least(tensors: tuple[Any, ...], ndim: int) -> Any:
    """One tensor, or a tuple of several (given one by one or as one sequence), each with at least
    so many dimensions."""
    if len(tensors) == 1 and isinstance(tensors[0], Tensor):
        return at_least(tensors[0], ndim)
    given = tensors[0] if len(tensors) == 1 else tensors
    return tuple(at_least(x, ndim) for x in given)
