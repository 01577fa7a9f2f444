"""Products of vectors and matrices, and the solvers built on them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, beside, eye, host, is_host, raising
from ..op import HOLOMORPHIC, MULTILINEAR, Op, op, variant
from ..tensor import Tensor
from .choose import where
from .core import conj, sum_to
from .fused import fused
from .rearrange import tril
from .registry import FUNCTIONS, LINALG, METHODS, function, public
from .return_types import named_result
from .shape import (
    reshape_any,
    squeeze_dim_in_place,
    unsafe_view,
    wrap_dim,
)
from .shape import transpose as transpose_row

M = MULTILINEAR


def mT(x: Any) -> Any:
    """The transpose of the last two dimensions."""
    return transpose_row(x, x.ndim - 2, x.ndim - 1)


def mH(x: Any) -> Any:
    """The conjugate transpose of the last two dimensions."""
    return conj(mT(x))


def _same(what: str, a: Any, b: Any) -> None:
    if a.dtype != b.dtype:
        raise RuntimeError(
            f"[{what}] expected both operands to have the same dtype, but got: {a.dtype} and "
            f"{b.dtype}. Convert one of them with .to()."
        )


def product(x: Any, y: Any) -> Any:
    """The matrix product. Of a column and a row it is no sum, and keeps the sign of zeros."""
    return x * y if x.ndim == y.ndim == 2 and x.shape[1] == 1 else np.matmul(x, y)


def _matmul(what: str) -> Any:
    def kernel(x: Any, y: Any) -> Any:
        _same(what, x, y)
        if x.shape[-1] != y.shape[-2 if y.ndim > 1 else 0]:
            raise RuntimeError(
                f"[{what}] mat1 and mat2 shapes cannot be multiplied: {list(x.shape)} and "
                f"{list(y.shape)} differ in their inner sizes"
            )
        return product(x, y)

    return kernel


mm: Op = op("mm(x, y)", _matmul("mm"), M, x=lambda g, y: mm(g, mH(y)), y=lambda g, x: mm(mH(x), g))
bmm: Op = op(
    "bmm(x, y)",
    _matmul("bmm"),
    M,
    x=lambda g, x_shape, y: sum_to(bmm(g, mH(y)), x_shape),
    y=lambda g, x, y_shape: sum_to(bmm(mH(x), g), y_shape),
)
mv: Op = op(
    "mv(x, y)", _matmul("mv"), M, x=lambda g, y: outer(g, conj(y)), y=lambda g, x: mv(mH(x), g)
)
dot = op("dot(x, y)", _matmul("dot"), M, x=lambda g, y: g * conj(y), y=lambda g, x: g * conj(x))
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
    if x.shape[-1] != y.shape[-2]:
        raise RuntimeError(
            "[addmm] mat1 and mat2 shapes cannot be multiplied: "
            f"{x.shape[0]}x{x.shape[1]} and {y.shape[0]}x{y.shape[1]} differ in their "
            "inner sizes"
        )
    out = product(x, y)
    if alpha != 1:
        out = out * alpha
    return out + (b if beta == 1 else b * beta)


def scaled(g: Any, factor: Any) -> Any:
    """``g`` times a number, itself for 1."""
    return g if factor == 1 else g * factor


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
    x, y = input, other
    a, b = x._data, y._data
    if not a.ndim or not b.ndim:
        raise RuntimeError("[matmul] both arguments need to be at least 1D, found a 0-dim tensor")
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
    try:
        out = bmm.apply(x, y)
        return unsafe_view.apply(out, out._data.shape)
    except ValueError as error:
        raise RuntimeError(
            f"[matmul] batch dimensions of {list(x.shape)} and {list(y.shape)} do not broadcast"
        ) from error


def squeezed_last(x: Tensor, dim: int) -> Tensor:
    """Without a dimension that was put in for the product."""
    return squeeze_dim_in_place.apply(x, (dim,))


public("matmul")(matmul)


@public("mm")
def mm_public(input: Tensor, mat2: Tensor) -> Tensor:
    """The product of two matrices."""
    if input._data.ndim != 2 or mat2._data.ndim != 2:
        raise RuntimeError(
            f"[mm] self must be a matrix and mat2 too, found {input.ndim}D and {mat2.ndim}D"
        )
    return mm.apply(input, mat2)


@public("bmm")
def bmm_public(input: Tensor, mat2: Tensor) -> Tensor:
    """The products of two batches of matrices."""
    if input._data.ndim != 3 or mat2._data.ndim != 3:
        raise RuntimeError(
            f"[bmm] batch1 and batch2 must be 3D tensors, found {input.ndim}D and {mat2.ndim}D"
        )
    if input._data.shape[0] != mat2._data.shape[0]:
        raise RuntimeError("[bmm] batch1 and batch2 must have the same number of batches")
    return bmm.apply(input, mat2)


@public("mv")
def mv_public(input: Tensor, vec: Tensor) -> Tensor:
    """A matrix times a vector."""
    return mv.apply(input, vec)


@public("dot")
def dot_public(input: Tensor, tensor: Tensor) -> Tensor:
    """The sum of products of two vectors."""
    if input._data.ndim != 1 or tensor._data.ndim != 1:
        raise RuntimeError(
            f"[dot] 1D tensors expected, but got {input.ndim}D and {tensor.ndim}D tensors"
        )
    return dot.apply(input, tensor)


vdot_row = variant(dot, "VdotBackward0")


@public("vdot")
def vdot(input: Tensor, other: Tensor) -> Tensor:
    """dot with the first vector conjugated."""
    return vdot_row.apply(conj(input), other)


@public("outer", "ger")
def outer_public(input: Tensor, vec2: Tensor) -> Tensor:
    """All products of two vectors' elements."""
    return outer.apply(input, vec2)


@public("inner")
def inner(input: Tensor, other: Tensor) -> Tensor:
    """Sums of products over the last dimensions."""
    if not input._data.ndim or not other._data.ndim:
        return input * other
    return tensordot(input, other, ([-1], [-1]))


@function("tensordot")
def tensordot(a: Tensor, b: Tensor, dims: Any = 2) -> Tensor:
    """Sums of products over pairs of dimensions."""
    if isinstance(dims, int):
        da, db = list(range(a.ndim - dims, a.ndim)), list(range(dims))
    else:
        da = [wrap_dim(d, a.ndim) for d in dims[0]]
        db = [wrap_dim(d, b.ndim) for d in dims[1]]
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
    return addmm.apply(input, mat1, mat2, beta, alpha)


METHODS["addmm_"] = lambda self, mat1, mat2, *, beta=1, alpha=1: addmm.inplace(
    self, mat1, mat2, beta, alpha
)


def _combine(name: str, product: Any, order: tuple[str, str]) -> None:
    def fn(
        input: Tensor, first: Tensor, second: Tensor, *, beta: Any = 1, alpha: Any = 1
    ) -> Tensor:
        out = product(first, second)
        return scaled(input, beta) + scaled(out, alpha)  # type: ignore[no-any-return]

    fn.__name__ = name
    fn.__doc__ = f"beta * input + alpha * ({order[0]} times {order[1]})."
    public(name)(fused(name, fn))
    METHODS[name + "_"] = lambda self, *a, beta=1, alpha=1: (
        self.mul_(beta).add_(scaled(product(*a), alpha))
        if beta != 1
        else self.add_(scaled(product(*a), alpha))
    )


_combine("addmv", mv.apply, ("mat", "vec"))
_combine("addr", outer.apply, ("vec1", "vec2"))
_combine("baddbmm", bmm.apply, ("batch1", "batch2"))
_combine("addbmm", lambda a, b: bmm.apply(a, b).sum(0), ("batch1", "batch2"))


# -- solvers ---------------------------------------------------------------------------------------


class LinAlgError(RuntimeError):
    """A matrix that has no inverse, or no such factorisation."""


LinAlgError.__module__ = "torch._C"
LinAlgError.__name__ = LinAlgError.__qualname__ = "_LinAlgError"  # as it prints


def solving(kernel: Any) -> Any:
    """A kernel whose failures become LinAlgError."""

    def run(*args: Any) -> Any:
        try:
            with raising(args[0]):
                return kernel(*args)
        except np.linalg.LinAlgError as error:
            raise LinAlgError(
                f"linalg: the input matrix is singular or not positive definite ({error})"
            ) from None

    return run


inv = op(
    "linalg_inv_ex(x)",
    solving(np.linalg.inv),
    HOLOMORPHIC & 0,
    x=lambda g, out: -bmm2(bmm2(mH(out), g), mH(out)),
)


def bmm2(x: Any, y: Any) -> Any:
    """The product of (batches of) matrices."""
    return mm(x, y) if x.ndim == 2 and y.ndim == 2 else bmm(x, y)


def _scaled_matrices(factors: Any, matrices: Any) -> Any:
    """Each matrix of a batch times its factor."""
    factors = reshape_any(factors, (*factors.shape, 1, 1)) if matrices.ndim > 2 else factors
    return factors * matrices


def eliminated(x: Any) -> tuple[Any, Any]:
    """Rows put in order and eliminated, largest element first: L below and U on and above the
    diagonal, and by row of the result the row of the matrix it was. On the CPU, wherever the matrix
    lives, since each step waits for the one before."""
    lu, order = eliminated_by_rows(host(x))
    return beside(lu, x), beside(order, x)


def eliminated_by_rows(x: Any) -> tuple[Any, Any]:
    """As ``eliminated``, of a NumPy array."""
    lu = x.copy()
    m, n = lu.shape[-2:]
    flat = lu.reshape(-1, m, n)
    order = np.broadcast_to(np.arange(m), (len(flat), m)).copy()
    every = np.arange(len(flat))
    for k in range(min(m, n)):
        at = k + np.abs(flat[:, k:, k]).argmax(1)
        for table in (flat, order):
            table[every, k], table[every, at] = table[every, at], table[every, k].copy()
        pivot = flat[:, k, k]
        flat[:, k + 1 :, k] /= np.where(pivot == 0, 1, pivot)[:, None]
        flat[:, k + 1 :, k + 1 :] -= flat[:, k + 1 :, k, None] * flat[:, None, k, k + 1 :]
    return flat.reshape(lu.shape), order.reshape(*lu.shape[:-2], m)


def parity(order: Any) -> Any:
    """1 or -1 for each order of rows, by whether it takes an even number of exchanges."""
    n = order.shape[-1]
    later = order[..., :, None] > order[..., None, :]
    return 1 - 2 * (np.triu(later, 1).sum((-2, -1)) % 2) if n else np.ones(order.shape[:-1])


def _det(x: Any) -> Any:
    if not is_host(x):
        return np.linalg.det(x)
    lu, order = eliminated(x)
    pivots = np.diagonal(lu, 0, -2, -1)
    return (parity(order) * pivots.prod(-1)).astype(x.dtype)


def _cofactors(x: Any) -> Any:
    """The matrix of cofactors, conjugated: by elimination, or of a singular matrix by its singular
    values."""
    d = _det(x)
    if (np.abs(d) > 0).all():
        scaled_unit = eye(x.shape[-1], x.dtype, x) * d.conj()[..., None, None]
        return np.linalg.solve(x.swapaxes(-1, -2).conj(), scaled_unit)
    u, s, vh = np.linalg.svd(x)
    n = s.shape[-1]
    others = np.stack([np.delete(s, i, -1).prod(-1) for i in range(n)], -1) if n else s
    sign = (np.linalg.det(u) * np.linalg.det(vh)).conj()
    return (u * (sign[..., None] * others)[..., None, :]) @ vh


def _cofactors_rule(g: Any, x: Any) -> Any:
    """From det(x) inv(x), so of invertible matrices alone."""
    a = mH(inv(x))
    c = _scaled_matrices(conj(det(x)), a)
    return _scaled_matrices((conj(c) * g).sum((-2, -1)), a) - bmm2(bmm2(a, mH(g)), c)


cofactors = op("cofactors(x)", _cofactors, x=_cofactors_rule)


def _det_rule(g: Any, x: Any) -> Any:
    return _scaled_matrices(g, cofactors(x))


det = op("linalg_det(x)", _det, x=_det_rule)


def _slogdet(x: Any) -> Any:
    sign, logabs = np.linalg.slogdet(x)
    return as_array(logabs), as_array(sign)


slogdet_row = op(
    "linalg_slogdet(x)",
    _slogdet,
    n_out=2,
    x=lambda g, x: (reshape_any(g, (*g.shape, 1, 1)) if g.ndim else g) * mH(inv(x)),
)


def _solve_b_rule(g: Any, x: Any) -> Any:
    return solve(mH(x), g)


def _solve(a: Any, b: Any) -> Any:
    return np.linalg.solve(a, b)


solve: Op = op(
    "linalg_solve_ex(x, y)",
    solving(_solve),
    x=lambda g, x, out: -bmm2(solve(mH(x), g), mH(out)),
    y=lambda g, x: solve(mH(x), g),
)


def _chol_rule(g: Any, out: Any) -> Any:
    """Symmetric gradient of the lower factor."""
    p = bmm2(mH(out), g)
    p = tril(p, 0) - _diag_half(p)
    s = bmm2(bmm2(mH(inv(out)), p), inv(out))
    return (s + mH(s)) / 2


def _diag_half(p: Any) -> Any:
    return (tril(p, 0) - tril(p, -1)) / 2


cholesky = op("linalg_cholesky_ex(x)", solving(np.linalg.cholesky), x=_chol_rule)


def _mark(what: str, x: Tensor) -> Tensor:
    if x._data.ndim < 2 or x._data.shape[-1] != x._data.shape[-2]:
        raise RuntimeError(
            f"[linalg.{what}] the last two dimensions must be of one size, to form square "
            f"matrices; got shape {list(x.shape)}"
        )
    return x


LINALG.update(
    {
        "inv": lambda A: inv.apply(_mark("inv", A)),
        "det": lambda A: det.apply(_mark("det", A)),
        "cholesky": lambda A, *, upper=False: (
            cholesky.apply(_mark("cholesky", A)) if not upper else mH(cholesky.apply(A))
        ),
        "LinAlgError": LinAlgError,
    }
)


def linalg_solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B, or X A = B."""
    _mark("solve", A)
    if not left:
        return mT(linalg_solve(mT(A), mT(B)))  # type: ignore[no-any-return]
    if B._data.ndim == A._data.ndim - 1:
        return solve_vector(A, B)  # type: ignore[no-any-return]
    if A._data.shape[-1] != B._data.shape[-2 if B._data.ndim > 1 else 0]:
        raise RuntimeError(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B: "
            f"{list(A.shape)} and {list(B.shape)}"
        )
    return solve.apply(A, B)


solve_vector = fused("linalg_solve_ex", lambda A, b: solve.apply(A, b.unsqueeze(-1)).squeeze(-1))


def linalg_slogdet(A: Tensor) -> Any:
    """(sign, log of the absolute determinant)."""
    logabs, sign = slogdet_row.apply(_mark("slogdet", A))
    return SLOGDET((sign.detach(), logabs))


SLOGDET = named_result("linalg_slogdet", "sign", "logabsdet")


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant, NaN where that is negative."""
    sign, logabs = linalg_slogdet(input)
    return where(sign._data == -1, math.nan, logabs)  # type: ignore[no-any-return]


def vector_norm(
    x: Tensor, ord: float = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A vector norm."""
    if dtype is not None:
        x = x.to(dtype)
    return FUNCTIONS["norm"](x, ord, dim, keepdim)  # type: ignore[no-any-return]


def linalg_norm(
    A: Tensor, ord: Any = None, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """A matrix norm of a matrix (or of two dimensions) where ``ord`` is given, else a vector
    norm."""
    two = A._data.ndim == 2 if dim is None else not isinstance(dim, int) and len(dim) == 2
    if ord is not None and (two or isinstance(ord, str)):
        pair = (-2, -1) if dim is None else dim
        return LINALG["matrix_norm"](A, ord, pair, keepdim)  # type: ignore[no-any-return]
    return vector_norm(A, 2 if ord is None else ord, dim, keepdim, dtype=dtype)


def matrix_power(A: Tensor, n: int) -> Tensor:
    """A product of n equal matrices."""
    if n < 0:
        A, n = LINALG["inv"](A), -n
    out = None
    for _ in range(n):
        out = A if out is None else matmul(out, A)
    if out is None:
        from ..tensor import wrap

        unit = np.broadcast_to(eye(A._data.shape[-1], A._data.dtype, A._data), A._data.shape).copy()
        return wrap(unit)
    return out


def cross_product(a: Tensor, b: Tensor, dim: int) -> Tensor:
    """The cross product over a dimension of size 3."""
    a1, a2 = a.roll(-1, dim), a.roll(1, dim)
    b1, b2 = b.roll(-1, dim), b.roll(1, dim)
    return a1 * b2 - a2 * b1


cross_row = fused("linalg_cross", cross_product)


def cross(input: Tensor, other: Tensor, dim: int | None = None) -> Tensor:
    """The cross product over a dimension of size 3, the last one or the first of that size.

    Raises:
        RuntimeError: the dimension is not of size 3 in both.
    """
    shapes = input._data.shape, other._data.shape
    if dim is None:
        errors.caution(
            "[cross] without dim, the first dimension of size 3 is taken, which is "
            "deprecated. Pass dim=."
        )
        dim = next((d for d, n in enumerate(shapes[0]) if n == 3), -1)
    if any(s[wrap_dim(dim, len(s))] != 3 for s in shapes):
        raise RuntimeError(
            f"linalg.cross: inputs dimension {dim} must have length 3. Got {list(shapes[0])} and "
            f"{list(shapes[1])}"
        )
    return cross_row(input, other, dim)  # type: ignore[no-any-return]


def multi_dot(tensors: Any) -> Tensor:
    """The product of several matrices."""
    out = tensors[0]
    for x in tensors[1:]:
        out = matmul(out, x)
    return out  # type: ignore[no-any-return]


def vecdot(x: Tensor, y: Tensor, *, dim: int = -1) -> Tensor:
    """Sums of products over a dimension, the first operand conjugated."""
    if x._data.ndim == y._data.ndim == 1:
        return vdot(x, y)
    return (conj(x) * y).sum(dim)  # type: ignore[no-any-return]


def kron(input: Tensor, other: Tensor) -> Tensor:
    """The Kronecker product."""
    n = max(input.ndim, other.ndim)
    a = input.reshape((1,) * (n - input.ndim) + tuple(input.shape))
    b = other.reshape((1,) * (n - other.ndim) + tuple(other.shape))
    wide_a = a.reshape([k for s in a.shape for k in (s, 1)])
    wide_b = b.reshape([k for s in b.shape for k in (1, s)])
    sizes = tuple(p * q for p, q in zip(a.shape, b.shape, strict=True))
    return unsafe_view.apply(wide_a * wide_b, sizes)


public("kron")(kron)
LINALG.update(
    solve=linalg_solve,
    slogdet=linalg_slogdet,
    vector_norm=vector_norm,
    norm=linalg_norm,
    cross=lambda input, other, *, dim=-1: cross(input, other, dim),
    matrix_power=matrix_power,
    multi_dot=multi_dot,
    vecdot=vecdot,
    matmul=matmul,
)
for _name in ("inv", "det", "slogdet"):
    public(_name)(LINALG[_name])
public("inverse")(LINALG["inv"])
public("matrix_power")(matrix_power)
public("cross")(cross)
public("logdet")(logdet)
