"""Products of vectors and matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import zeros
from ..backend.dtypes import BY_NUMPY, result_type
from ..backend.kernels import in_single
from ..graph.row import MULTILINEAR
from ..naming import renamed_parameters
from ..tensor.tensor import Tensor
from .core import cast_to, conj, in_wider, same_dtype, sum_to
from .dims import own_dim, wrap_dim
from .fused import fused
from .op import Op, op, variant
from .registry import function, method, public
from .shape import reshape_any, squeeze_dim_in_place, unsafe_view, view
from .shape import transpose as transpose_row

M = MULTILINEAR


def mT(x: Any) -> Any:
    """The transpose of the last two dimensions."""
    return transpose_row(x, x.ndim - 2, x.ndim - 1)


def mH(x: Any) -> Any:
    """The conjugate transpose of the last two dimensions."""
    return conj(mT(x))


def _same(what: str, a: Any, b: Any) -> None:
    if not same_dtype(a.dtype, b.dtype):
        raise errors.wrong_dtype(
            f"{what}(): expected both operands to have the same dtype, but got: {a.dtype} and "
            f"{b.dtype}. Convert one of them with .to()."
        )


def no_bools(what: str, x: Any) -> None:
    """Refuse bools, once everything else fits."""
    if x.dtype.kind == "b":
        raise errors.unsupported_dtype(what, BY_NUMPY[x.dtype])


def product(x: Any, y: Any) -> Any:
    """The matrix product. Of a column and a row it is no sum, and keeps the sign of zeros."""
    return x * y if x.ndim == y.ndim == 2 and x.shape[1] == 1 else np.matmul(x, y)


def _matmul(what: str) -> Any:
    def kernel(x: Any, y: Any) -> Any:
        _same(what, x, y)
        if x.shape[-1] != y.shape[-2 if y.ndim > 1 else 0]:
            raise errors.wrong_shape(
                f"mat1 and mat2 shapes cannot be multiplied: {what} got {list(x.shape)} and "
                f"{list(y.shape)}"
            )
        no_bools(what, x)
        return product(x, y)

    return kernel


mm: Op = op(
    "mm(x, y)",
    _matmul("mm"),
    M,
    shows={"y": "mat2"},
    x=lambda g, y: mm(g, mH(y)),
    y=lambda g, x: mm(mH(x), g),
)
bmm: Op = op(
    "bmm(x, y)",
    _matmul("bmm"),
    M,
    shows={"y": "mat2"},
    x=lambda g, x_shape, y: sum_to(bmm(g, mH(y)), x_shape),
    y=lambda g, x, y_shape: sum_to(bmm(mH(x), g), y_shape),
)
mv: Op = op(
    "mv(x, y)",
    _matmul("mv"),
    M,
    shows={"y": "vec"},
    x=lambda g, y: outer(g, conj(y)),
    y=lambda g, x: mv(mH(x), g),
)
dot = op(
    "dot(x, y)",
    _matmul("dot"),
    M,
    shows={"y": "tensor"},
    x=lambda g, y: g * conj(y),
    y=lambda g, x: g * conj(x),
)
outer: Op = op(
    "outer(x, y)",
    lambda x, y: np.multiply.outer(x, y),
    M,
    node="MulBackward0",
    x=lambda g, y: mv(g, conj(y)),
    y=lambda g, x: mv(mT(g), conj(x)),
)


def _addmm(b: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Any:
    _same("addmm", x, y)
    _same("addmm", b, x)
    if x.shape[-1] != y.shape[-2]:
        raise errors.wrong_shape(
            "mat1 and mat2 shapes cannot be multiplied "
            f"({x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]})"
        )
    no_bools("addmm", x)
    return product_and_sum(b, x, y, beta, alpha)


@in_single
def product_and_sum(b: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Any:
    """beta b + alpha x y, rounded once.

    Raises:
        RuntimeError: ``b`` has not the shape of the product, and cannot be stretched to it.
    """
    out = product(x, y)
    if alpha != 1:
        out = out * alpha
    total = out + share(b, beta)
    if total.shape != out.shape:
        raise errors.shapes_mismatch("addmm", b.shape, out.shape)
    return total


def share(b: Any, beta: Any) -> Any:
    """An array times a number; zeros for 0, whatever the array holds."""
    if beta == 1:
        return b
    return b * beta if beta else zeros(b.shape, b.dtype, b)


def scaled(g: Any, factor: Any) -> Any:
    """``g`` times the conjugate of a number, itself for 1."""
    return g if factor == 1 else g * factor.conjugate()


addmm = op(
    "addmm(b, x, y, /, beta, alpha)",
    _addmm,
    node="AddmmBackward0",
    b=lambda g, b_shape, beta: sum_to(scaled(g, beta), b_shape),
    x=lambda g, y, alpha: scaled(mm(g, mH(y)), alpha),
    y=lambda g, x, alpha: scaled(mm(mH(x), g), alpha),
)


def matmul(input: Tensor, other: Tensor) -> Any:
    """The product of vectors, matrices, or batches of matrices (batch dimensions broadcast)."""
    if not isinstance(other, Tensor):
        raise errors.not_a_tensor("matmul", "other", other)
    x, y = input, other
    a, b = x._data, y._data
    if not a.ndim or not b.ndim:
        raise errors.wrong_shape(
            "matmul(): both arguments need to be at least 1D, found a 0-dim tensor"
        )
    if a.ndim == 1 and b.ndim == 1:
        return dot.apply(x, y)
    if a.ndim == 2 and b.ndim == 1:
        return mv.apply(x, y)
    if a.ndim == 2 and b.ndim == 2:
        return mm.apply(x, y)
    if a.ndim == 1:
        if b.ndim == 2:
            return squeezed_last(mm.apply(x.unsqueeze(0), y), 0)
        if y.requires_grad:
            return matmul(mT(y), x)
        return squeezed_last(matmul(x.unsqueeze(0), y), b.ndim - 2)
    if b.ndim <= 2:  # one product of all rows at once
        rows = (
            reshape_any(x, (-1, a.shape[-1]))
            if a.size
            else reshape_any(x, (int(np.prod(a.shape[:-1])), a.shape[-1]))
        )
        out = mv.apply(rows, y) if b.ndim == 1 else mm.apply(rows, y)
        return unsafe_view.apply(out, (*a.shape[:-1], *b.shape[1:]))
    if a.ndim == 2 and y.requires_grad:
        return mT(matmul(mT(y), mT(x))).contiguous()
    out = bmm.apply(x, y)
    return unsafe_view.apply(out, out._data.shape)


def squeezed_last(x: Tensor, dim: int) -> Tensor:
    """Without a dimension that was put in for the product."""
    out = squeeze_dim_in_place.apply(x, (dim,))
    out._view = None  # as a squeeze in place, whose base nobody sees
    return out


public("matmul")(matmul)


@public("mm")
def mm_public(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    if input._data.ndim != 2 or mat2._data.ndim != 2:
        raise errors.wrong_shape(
            f"mm(): self must be a matrix and mat2 too, found {input.ndim}D and {mat2.ndim}D"
        )
    return mm.apply(input, mat2)


@public("bmm")
def bmm_public(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices."""
    if input._data.ndim != 3 or mat2._data.ndim != 3:
        raise errors.wrong_shape(
            f"bmm(): batch1 and batch2 must be 3D tensors, found {input.ndim}D and {mat2.ndim}D"
        )
    if input._data.shape[0] != mat2._data.shape[0]:
        raise errors.wrong_shape("bmm(): batch1 and batch2 must have the same number of batches")
    return bmm.apply(input, mat2)


@public("mv")
def mv_public(input: Tensor, vec: Tensor) -> Tensor:
    """A matrix times a vector."""
    if not input._data.ndim:
        raise errors.wrong_index("mv(): a 0-dim tensor has no rows")
    if input._data.ndim != 2 or vec._data.ndim != 1:
        raise errors.wrong_shape(
            f"mv(): a matrix and a vector expected; got {input.ndim}D and {vec.ndim}D"
        )
    return mv.apply(input, vec)


@public("dot")
def dot_public(input: Tensor, tensor: Tensor) -> Tensor:
    """The sum of products of two vectors."""
    if not isinstance(tensor, Tensor):
        raise errors.not_a_tensor("dot", "tensor", tensor)
    if input._data.ndim != 1 or tensor._data.ndim != 1:
        raise errors.wrong_shape(
            f"dot(): 1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors"
        )
    return dot.apply(input, tensor)


vdot_row = variant(dot, "VdotBackward0")


@public("vdot")
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """dot with the first vector conjugated."""
    of_dims("vdot", (input, 1), (other, 1))
    return vdot_row.apply(conj(input), other)


@public("outer", "ger")
def outer_public(input: Tensor, vec2: Tensor) -> Tensor:
    """All products of two vectors' elements."""
    if input._data.ndim != 1 or vec2._data.ndim != 1:
        raise errors.wrong_shape(
            f"outer(): 1D tensors expected; got {input.ndim}D and {vec2.ndim}D"
        )
    return view(input, (input._data.size, 1)) * vec2


@public("inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """Sums of products over the last dimensions."""
    if not input._data.ndim or not other._data.ndim:
        return input * other
    if input._data.shape[-1] != other._data.shape[-1]:
        raise errors.wrong_shape(
            "inner(): the last dimensions must be of one size; got shapes "
            f"{list(input.shape)} and {list(other.shape)}"
        )
    return tensordot(input, other, ([-1], [-1]))


@function("tensordot")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Sums of products over pairs of dimensions."""
    if isinstance(dims, int):
        da, db = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        da = [own_dim(d, a.ndim) for d in dims[0]]
        db = [own_dim(d, b.ndim) for d in dims[1]]
    if isinstance(dims, int) and dims > min(a.ndim, b.ndim):
        raise errors.wrong_shape(
            f"tensordot(): {dims} dimensions cannot be taken from tensors of {a.ndim} and {b.ndim}"
        )
    for i, j in zip(da, db, strict=True):  # a dimension of size 1 is stretched
        n, m = a._data.shape[i], b._data.shape[j]
        if n == 1 != m:
            b = b.sum(j, keepdim=True)
        elif m == 1 != n:
            a = a.sum(i, keepdim=True)
        elif n != m:
            raise errors.wrong_shape(
                f"tensordot(): the contracted dimensions {i} and {j} need to match; got sizes {n} "
                f"and {m}"
            )
    fa = [d for d in range(a.ndim) if d not in da]
    fb = [d for d in range(b.ndim) if d not in db]
    sa, sb = a._data.shape, b._data.shape
    n = int(np.prod([sa[d] for d in da]))
    left = reshape_any(a.permute(fa + da), (int(np.prod([sa[d] for d in fa])), n))
    right = reshape_any(b.permute(db + fb), (n, int(np.prod([sb[d] for d in fb]))))
    return reshape_any(mm.apply(left, right), tuple([sa[d] for d in fa] + [sb[d] for d in fb]))  # type: ignore[no-any-return]


@public("addmm")
def addmm_public(
    input: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """beta * input + alpha * mat1 @ mat2."""
    return addmm.apply(input, *of_dims("addmm", (mat1, 2), (mat2, 2)), beta, alpha)


@method("addmm_")
def addmm_in_place(
    self: Tensor, mat1: Tensor, mat2: Tensor, *, beta: Any = 1, alpha: Any = 1
) -> Tensor:
    """beta * input + alpha * mat1 @ mat2. In place."""
    return addmm.inplace(self, *of_dims("addmm_", (mat1, 2), (mat2, 2)), beta, alpha)


def of_dims(
    what: str, *expected: tuple[Tensor, int], refusal: type[Exception] = RuntimeError
) -> list[Tensor]:
    """Refuse operands of other numbers of dimensions."""
    for x, n in expected:
        if x._data.ndim != n:
            found = [list(y.shape) for y, _ in expected]
            raise errors.wrong_shape(
                f"{what}(): operands of {' and '.join(str(n) for _, n in expected)} dimensions "
                f"expected; got shapes {found}",
                refusal,
            )
    return [x for x, _ in expected]


def one_batch(what: str, x: Tensor, y: Tensor) -> None:
    """Refuse batches of two sizes."""
    if x._data.ndim == y._data.ndim == 3 and x._data.shape[0] != y._data.shape[0]:
        raise errors.wrong_shape(
            f"{what}(): batch1 and batch2 must have the same number of batches; got shapes "
            f"{list(x.shape)} and {list(y.shape)}"
        )


def times(x: Any, factor: Any) -> Any:
    """``x`` times a number, itself for 1."""
    return x if factor == 1 else x * factor


def _combine(
    name: str, product: Any, order: tuple[str, str], dims: tuple[int, int], of_x: Any, of_y: Any
) -> None:
    """The sum of ``input`` and a product, each with a factor; ``of_x`` and ``of_y`` are the
    rules of the product's operands."""

    def kernel(b: Any, x: Any, y: Any, beta: Any, alpha: Any) -> Any:
        _same(name, b, x)
        return share(b, beta) + times(product(x, y), alpha)

    row = op(
        f"{name}(b, x, y, /, beta, alpha)",
        kernel,
        shows={"x": order[0], "y": order[1]},
        b=lambda g, b_shape, beta: sum_to(scaled(g, beta), b_shape),
        x=lambda g, y, alpha: scaled(of_x(g, y), alpha),
        y=lambda g, x, alpha: scaled(of_y(g, x), alpha),
    )
    summary = f"beta * input + alpha * ({order[0]} times {order[1]})."
    batched = name == "baddbmm"
    refusal = IndexError if dims == (3, 3) else RuntimeError

    def checked(
        input: Tensor, first: Tensor, second: Tensor, *, beta: Any = 1, alpha: Any = 1
    ) -> Tensor:
        of_dims(name, (first, dims[0]), (second, dims[1]), refusal=refusal)
        one_batch(name, first, second)
        a, b = first._data.shape, second._data.shape
        wanted = {"addmv": a[:1], "addr": a + b}.get(name) or (
            *a[-3 if batched else -2 : -1],
            b[-1],
        )
        own = input._data.shape
        if len(own) > len(wanted) or any(
            n not in (1, m) for n, m in zip(reversed(own), reversed(wanted), strict=False)
        ):
            raise errors.shapes_mismatch(name, own, wanted)
        operands = [input, first, second]
        if name == "addr":  # which is computed elementwise, and so promotes
            dtype = result_type(*(x._data for x in operands))
            operands = [cast_to(x, dtype) for x in operands]
        return row.apply(*operands, beta, alpha)

    def inplace(
        self: Tensor, first: Tensor, second: Tensor, *, beta: Any = 1, alpha: Any = 1
    ) -> Tensor:
        of_dims(name + "_", (first, dims[0]), (second, dims[1]), refusal=refusal)
        one_batch(name + "_", first, second)
        kept = self if beta == 1 else self.mul_(beta) if beta else self.zero_()
        return kept.add_(times(product(first, second), alpha))

    checked.__doc__ = summary
    inplace.__doc__ = f"{summary} In place."
    known = {"first": order[0], "second": order[1]}
    public(name)(renamed_parameters(checked, known))
    method(name + "_")(renamed_parameters(inplace, known))


_combine(
    "addmv", mv, ("mat", "vec"), (2, 1), lambda g, y: outer(g, conj(y)), lambda g, x: mv(mH(x), g)
)
_combine(
    "addr",
    outer,
    ("vec1", "vec2"),
    (1, 1),
    lambda g, y: mv(g, conj(y)),
    lambda g, x: mv(mT(g), conj(x)),
)
for _name, _product in (("baddbmm", bmm), ("addbmm", lambda x, y: bmm(x, y).sum(0))):
    _combine(
        _name,
        _product,
        ("batch1", "batch2"),
        (3, 3),
        lambda g, y: bmm(g, mH(y)),
        lambda g, x: bmm(mH(x), g),
    )


def bmm2(x: Any, y: Any) -> Any:
    """The product of (batches of) matrices."""
    return mm(x, y) if x.ndim == 2 and y.ndim == 2 else bmm(x, y)


def cross_product(a: Tensor, b: Tensor, dim: int) -> Tensor:
    """The cross product over a dimension of size 3."""
    a1, a2 = a.roll(-1, dim), a.roll(1, dim)
    b1, b2 = b.roll(-1, dim), b.roll(1, dim)
    return a1 * b2 - a2 * b1


cross_row = fused("linalg_cross", cross_product)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross product over a dimension of size 3, the last one or the first of that size.

    Raises:
        RuntimeError: the dimension is not of size 3 in both, or there are more dimensions in one.
    """
    shapes = input._data.shape, other._data.shape
    if len(shapes[0]) != len(shapes[1]):
        raise errors.wrong_shape(
            f"cross(): the tensors must have as many dimensions as each other; got shapes "
            f"{list(shapes[0])} and {list(shapes[1])}"
        )
    if not shapes[0]:
        refusal = RuntimeError if dim is None else IndexError
        raise errors.wrong_shape("cross(): a 0-dim tensor has no dimension of size 3", refusal)
    no_bools("cross", input._data)
    if input.dtype is not other.dtype:
        raise errors.wrong_dtype(
            f"cross(): the dtypes must agree; got {input.dtype} and {other.dtype}"
        )
    if dim is None:
        errors.caution(
            "cross(): without dim, the first dimension of size 3 is taken, which is "
            "deprecated. Pass dim=."
        )
        dim = next((d for d, n in enumerate(shapes[0]) if n == 3), -1)
    if any(s[wrap_dim(dim, len(s))] != 3 for s in shapes):
        raise errors.wrong_shape(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {list(shapes[0])} and "
            f"{list(shapes[1])}"
        )
    return cross_row(input, other, dim)  # type: ignore[no-any-return]


def multi_dot(tensors: Any) -> Tensor:
    """The product of several matrices.

    Raises:
        RuntimeError: less than two.
    """
    if len(tensors) < 2:
        raise errors.wrong_value(
            f"linalg.multi_dot(): at least 2 tensors are needed; got {len(tensors)}", RuntimeError
        )
    out = tensors[0]
    for x in tensors[1:]:
        out = matmul(out, x)
    return view(out, out._data.shape)


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Sums of products over a dimension, the first operand conjugated."""
    if not (x.dtype.is_floating_point or x.dtype.is_complex):
        raise errors.wrong_dtype(
            f"linalg.vecdot(): the dtype must be floating or complex; got {x.dtype}"
        )
    if x._data.ndim == y._data.ndim == 1:
        return vdot(x, y)
    return sums_of_products(x, y, dim)


@in_wider
def sums_of_products(x: Tensor, y: Tensor, dim: int) -> Tensor:
    """Sums of products over a dimension, the first operand conjugated."""
    return (conj(x) * y).sum(dim)  # type: ignore[no-any-return]


def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product."""
    n = max(input.ndim, other.ndim)
    a = (1,) * (n - input.ndim) + tuple(input.shape)
    b = (1,) * (n - other.ndim) + tuple(other.shape)
    wide_a = input.reshape(tuple(k for s in a for k in (s, 1)))  # a view, whose changes are seen
    wide_b = other.reshape(tuple(k for s in b for k in (1, s)))
    sizes = tuple(p * q for p, q in zip(a, b, strict=True))
    return unsafe_view.apply(wide_a * wide_b, sizes)


public("kron")(kron)
public("cross")(cross)
