"""Factorisations of matrices."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import eye, full, zeros
from ..errors import caution
from ..tensor.tensor import Tensor, wrap
from .choose import data_of
from .core import cast_to, conj, zeros_of
from .fused import fused
from .joins import cat
from .linalg import factorable, inv, solving
from .op import op
from .products import bmm2, mH, of_dims
from .rearrange import tril
from .registry import FUNCTIONS, LINALG, METHODS, as_function, as_method, function
from .return_types import named_result
from .shape import diagonal, reshape_any, slice_
from .shape import placed as _placed

__all__ = ["eigh", "qr", "svd"]


def spread(v: Any) -> Any:
    """Diagonal matrices from the last dimension."""
    n = v.shape[-1]
    shape = (*v.shape[:-1], n, n)
    k = len(v.shape) - 1
    if isinstance(v, Tensor):
        return _placed.apply(v, shape, diagonal, (0, k, k + 1))
    out = zeros(shape, v.dtype, v)
    out[..., range(n), range(n)] = v
    return out


def column(v: Any) -> Any:
    """A vector as a column."""
    return reshape_any(v, (*v.shape, 1))


def row(v: Any) -> Any:
    """A vector as a row."""
    return reshape_any(v, (*v.shape[:-1], 1, v.shape[-1]))


def off_diagonal_inverse(d: Any) -> Any:
    """1 / d off the diagonal, 0 on it."""
    unit: Any = eye(data_of(d).shape[-1], data_of(d).dtype, data_of(d))
    if isinstance(d, Tensor):
        unit = wrap(unit)
    return 1 / (d + unit) - unit


def check_phase(name: str, turned: Any) -> None:
    """Reject a gradient that depends on the phases of complex vectors.

    Args:
        name: the operation.
        turned: matrices whose diagonals have the derivatives by the phases as imaginary parts.

    Raises:
        RuntimeError: a derivative is not zero.
    """
    d = np.diagonal(data_of(turned), 0, -2, -1)
    if d.dtype.kind == "c" and not np.all(abs(d.imag) <= 1e-2):
        raise errors.not_differentiable(
            f"{name}_backward: complex vectors are specified up to multiplication by e^{{i phi}}, and the "
            "function depends on phi. Use only what does not, such as the absolute values."
        )


def _eigh(x: Any, triangle: Any) -> Any:
    values, vectors = np.linalg.eigh(x, triangle)
    return values, vectors


def eigh_rule(gs: Any, out0: Any, out1: Any) -> Any:
    """V (diag(gL) + (V^H gV) / (l_j - l_i)) V^H."""
    inner = None
    if gs.get(0) is not None:
        inner = cast_to(spread(gs[0]), data_of(out1).dtype)
    if gs.get(1) is not None:
        gaps = off_diagonal_inverse(row(out0) - column(out0))
        turned = bmm2(mH(out1), gs[1])
        check_phase("linalg_eigh", turned)
        part = turned * gaps
        inner = part if inner is None else inner + part
    return bmm2(bmm2(out1, inner), mH(out1))


eigh = op(
    "linalg_eigh(x, /, triangle)", solving(_eigh), n_out=2, check=factorable("eigh"), x=eigh_rule
)


def _svd(x: Any) -> Any:
    u, s, vh = np.linalg.svd(x, full_matrices=False)
    return u, s, vh


def svd_rule(gs: Any, x_shape: Any, out0: Any, out1: Any, out2: Any) -> Any:
    """The textbook derivative of the thin factorisation, for distinct non-zero singular values."""
    u, s, vh = out0, out1, out2
    v = mH(vh)
    m, n, k = x_shape[-2], x_shape[-1], s.shape[-1]
    gu, gs_, gvh = gs.get(0), gs.get(1), gs.get(2)
    total = None if gs_ is None else bmm2(u * row(gs_), vh)
    if gu is None and gvh is None:
        return total
    skew_u = None if gu is None else bmm2(mH(u), gu)
    skew_v = None if gvh is None else bmm2(vh, mH(gvh))
    given = [part for part in (skew_u, skew_v) if part is not None]
    check_phase("linalg_svd", given[0] if len(given) == 1 else given[0] + given[1])
    turning = data_of(u).dtype.kind == "c"  # a phase turns a column of both U and V
    gaps = off_diagonal_inverse(row(s * s) - column(s * s))
    if gu is not None:
        inner = (gaps * (skew_u - mH(skew_u))) * row(s)
        if turning:
            inner = inner + spread(skew_diagonal(skew_u) / (4 * s))
        part = bmm2(bmm2(u, inner), vh)
        if m > k:
            scaled = gu / row(s)
            part = part + bmm2(scaled - bmm2(u, bmm2(mH(u), scaled)), vh)
        total = part if total is None else total + part
    if gvh is not None:
        inner = column(s) * (gaps * (skew_v - mH(skew_v)))
        if turning:
            inner = inner - spread(skew_diagonal(skew_v) / (4 * s))
        part = bmm2(u, bmm2(inner, vh))
        if n > k:
            scaled = gvh / column(s)
            part = part + bmm2(u, scaled - bmm2(bmm2(scaled, v), vh))
        total = part if total is None else total + part
    return total


def skew_diagonal(x: Any) -> Any:
    """The diagonal of x - x^H: twice the imaginary parts of that of x."""
    of: Any = FUNCTIONS["diagonal"] if isinstance(x, Tensor) else np.diagonal
    d = of(x, 0, -2, -1)
    return d - conj(d)


svd = op("linalg_svd(x)", solving(_svd), n_out=3, check=factorable("svd"), x=svd_rule)


def _qr(x: Any) -> Any:
    q, r = np.linalg.qr(x)
    return q, r


def qr_rule(gs: Any, out0: Any, out1: Any) -> Any:
    """The derivative of the reduced factorisation of a tall or square matrix."""
    q, r = out0, out1
    gq, gr = gs.get(0), gs.get(1)
    m = None if gr is None else bmm2(r, mH(gr))
    if gq is not None:
        part = bmm2(mH(gq), q)
        m = -part if m is None else m - part
    sym = tril(m, -1)
    diagonal = tril(m, 0) - tril(m, -1)
    sym = sym + mH(sym) + (diagonal + mH(diagonal)) * 0.5
    b = bmm2(q, sym)
    return bmm2(b if gq is None else gq + b, mH(inv(r)))


qr = op("linalg_qr(x)", solving(_qr), n_out=2, check=factorable("qr"), x=qr_rule)


def _no_qr_derivative(gs: Any) -> Any:
    raise errors.not_differentiable(
        "linalg_qr: a derivative needs the reduced Q and R. Call linalg.qr() with mode='reduced'."
    )


qr_alone = op(
    "linalg_qr_r(x)",
    lambda x: np.linalg.qr(x, "r"),
    node="LinalgQrBackward0",
    check=factorable("qr"),
    x=lambda g: _no_qr_derivative(g),
)
qr_complete = op(
    "linalg_qr_complete(x)",
    lambda x: tuple(np.linalg.qr(x, "complete")),
    n_out=2,
    node="LinalgQrBackward0",
    check=factorable("qr"),
    x=_no_qr_derivative,
)


EIGH = named_result("linalg_eigh", "eigenvalues", "eigenvectors")
SVD = named_result("linalg_svd", "U", "S", "Vh")
QR = named_result("linalg_qr", "Q", "R")


def linalg_eigh(A: Tensor, UPLO: str = "L") -> Any:
    """(eigenvalues, eigenvectors) of a symmetric or Hermitian matrix."""
    return EIGH(eigh.apply(square("eigh", A), UPLO))


def square(what: str, A: Tensor) -> Tensor:
    """Refuse what is no batch of square matrices."""
    if A._data.ndim < 2 or A._data.shape[-1] != A._data.shape[-2]:
        raise errors.wrong_shape(
            f"linalg.{what}(): the last two dimensions must be of one size, to form square "
            f"matrices; got shape {list(A.shape)}"
        )
    return A


def linalg_svd(A: Tensor, full_matrices: bool = True) -> Any:
    """(U, S, Vh); the columns that a matrix which is not square lacks carry no gradient."""
    factorable("svd")([A._data])
    u, s, vh = svd.apply(A)
    m, n = A._data.shape[-2:]
    if full_matrices and m != n:
        whole = np.linalg.svd(A._data)
        if m > n:
            u = cat([u, wrap(whole[0][..., n:])], u._data.ndim - 1)
        else:
            vh = cat([vh, wrap(whole[2][..., m:, :])], vh._data.ndim - 2)
    return SVD((u, s, vh))


def linalg_qr(A: Tensor, mode: str = "reduced") -> Any:
    """(Q, R); "complete" makes Q square, "r" leaves it away, and neither has a derivative then.

    Raises:
        RuntimeError: another mode.
    """
    if mode not in ("reduced", "complete", "r"):
        raise errors.wrong_value(f"qr received unrecognized mode '{mode}'", RuntimeError)
    factorable("qr")([A._data])
    m, n = A._data.shape[-2:]
    if mode == "r":
        return QR((wrap(np.zeros(0, A._data.dtype)), qr_alone.apply(A)))
    if mode == "complete" and m > n:
        return QR(qr_complete.apply(A))
    if m >= n:
        return QR(qr.apply(A))
    dim = A._data.ndim - 1
    q, r = qr.apply(A.narrow(dim, 0, m))
    return QR((q, cat([r, bmm2(mH(q), A.narrow(dim, m, n - m))], dim)))


def pinv_rule(g: Any, x: Any, out: Any) -> Any:
    """The derivative of the pseudo-inverse, as long as the rank stays what it is."""
    p, ph, gh = out, mH(out), mH(g)
    total = -bmm2(bmm2(ph, g), ph)
    outer = bmm2(bmm2(gh, p), ph)
    inner = bmm2(bmm2(ph, p), gh)
    total = total + outer - bmm2(x, bmm2(p, outer))
    return total + inner - bmm2(bmm2(inner, p), x)


def _pinv(x: Any, atol: Any, rtol: Any, hermitian: bool) -> Any:
    """Singular values up to max(atol, rtol * the largest one) count as zero."""
    if rtol is None:
        rtol = 0.0 if atol else max(x.shape[-2:]) * np.finfo(x.dtype).eps
    if hermitian:
        values, vectors = np.linalg.eigh(x)
        sizes = np.abs(values)
        kept = sizes > np.maximum(atol or 0.0, rtol * sizes.max(axis=-1, keepdims=True))
        inverted = np.where(kept, 1 / np.where(kept, values, 1), 0)
        return (vectors * inverted[..., None, :]) @ vectors.swapaxes(-1, -2).conj()
    if atol and x.size:
        largest = np.linalg.svd(x, compute_uv=False)[..., 0]
        rtol = np.maximum(atol / np.where(largest == 0, 1, largest), rtol)
    return np.linalg.pinv(x, rtol)


pinv = op("linalg_pinv(x, /, atol, rtol, hermitian)", _pinv, check=factorable("pinv"), x=pinv_rule)


def _expm(x: Any) -> Any:
    """By squaring, in double precision."""
    wide = np.result_type(x.dtype, np.float64)
    return expm(x.astype(wide)).astype(x.dtype)


def expm(x: Any) -> Any:
    """Taylor's series of a part of the matrix, squared up again."""
    n = x.shape[-1]
    norm = float(np.abs(x).sum(axis=-1).max()) if x.size else 0.0
    squarings = max(0, int(np.ceil(np.log2(norm))) + 4) if norm > 0 else 0
    a = x / 2.0**squarings
    out = term = np.broadcast_to(eye(n, x.dtype, x), x.shape)
    for k in range(1, 16):
        term = term @ a / k
        out = out + term
    for _ in range(squarings):
        out = out @ out
    return out


def expm_rule(g: Any, x: Any) -> Any:
    """A corner of the exponential of a block matrix."""
    n = x.shape[-1]
    h = mH(x)
    k = x.ndim
    top = cat([h, g], k - 1)
    bottom = cat([zeros_of(h), h], k - 1)
    whole = matrix_exp(cat([top, bottom], k - 2))
    return slice_(slice_(whole, k - 2, slice(0, n)), k - 1, slice(n, 2 * n))


matrix_exp = op("linalg_matrix_exp(x)", _expm, x=expm_rule)


def exponential(input: Tensor) -> Tensor:
    """The exponential of square matrices."""
    factorable("matrix_exp")([input._data])
    return matrix_exp.apply(square("matrix_exp", input))


def matrix_norm(
    A: Tensor, ord: Any = "fro", dim: Any = (-2, -1), keepdim: bool = False, *, dtype: Any = None
) -> Tensor:
    """Frobenius, nuclear, spectral norm, or the largest or smallest sum of rows or columns."""
    if dtype is not None:
        A = A.to(dtype)
    if A._data.ndim < 2:
        raise errors.wrong_shape(
            "linalg.matrix_norm: The input tensor A must have at least 2 dimensions; got shape "
            f"{list(A.shape)}"
        )
    if not (A.dtype.is_floating_point or A.dtype.is_complex):
        raise errors.wrong_dtype(
            f"linalg.matrix_norm: the dtype must be floating or complex; got {A.dtype}"
        )
    if ord == "fro":
        return FUNCTIONS["norm"](A, 2, dim, keepdim)  # type: ignore[no-any-return]
    if ord in (1, -1, np.inf, -np.inf):
        rows, columns = (d % A._data.ndim for d in dim)
        first, second = (rows, columns) if abs(ord) == 1 else (columns, rows)
        sums = A.abs().sum(first, keepdim=True)
        both = (first, second)
        return sums.amax(both, keepdim) if ord > 0 else sums.amin(both, keepdim)
    else:
        s = svd.apply(A.movedim(tuple(dim), (-2, -1)))[1]
        if ord not in ("nuc", 2, -2):
            raise errors.wrong_value(
                f"linalg.matrix_norm: Order {ord} not supported.", RuntimeError
            )
        out = s.sum(-1) if ord == "nuc" else s.amax(-1) if ord == 2 else s.amin(-1)
    if keepdim:
        for d in sorted(d % A._data.ndim for d in dim):
            out = out.unsqueeze(d)
    return out


@function("nuclear_norm")
def nuclear_norm(input: Tensor, dim: Any = (-2, -1), keepdim: bool = False) -> Tensor:
    """The sum of a matrix's singular values."""
    return matrix_norm(input, "nuc", dim, keepdim)


@function("chain_matmul")
def chain_matmul(*matrices: Tensor) -> Tensor:
    """The product of several matrices."""
    caution("chain_matmul(): is deprecated. Use linalg.multi_dot, which takes a list.")
    of_dims("chain_matmul", *((x, 2) for x in matrices))
    return matrices[0] if len(matrices) == 1 else LINALG["multi_dot"](list(matrices))


def distances(x1: Tensor, x2: Tensor, p: float) -> Tensor:
    """Distances between all rows of two matrices."""
    return lengths(x1.unsqueeze(-2) - x2.unsqueeze(-3), p)


def lengths(x: Tensor, p: float) -> Tensor:
    """Norms along the last dimension; the count of order 0 has a gradient of zeros."""
    if p == 0:
        one = wrap(full((), 1, x._data.dtype, x._data))
        return FUNCTIONS["where"](x.ne(0), one, x * 0).sum(-1)  # type: ignore[no-any-return]
    return FUNCTIONS["norm"](x, p, -1)  # type: ignore[no-any-return]


cdist_row = fused("cdist", distances, keeps_out=True)


def check_order(what: str, p: float) -> None:
    """Refuse a norm of negative order."""
    if p < 0:
        raise errors.wrong_value(
            f"{what}(): the order p must not be negative; got {p}", RuntimeError
        )


@function("cdist")
def cdist(x1: Tensor, x2: Tensor, p: float = 2.0, compute_mode: Any = None) -> Tensor:
    """Distances between all rows of two matrices.

    Raises:
        RuntimeError: less than two dimensions, dtypes that are not floating, rows of different
            sizes, or a negative order.
    """
    for x in (x1, x2):
        if x._data.ndim < 2:
            raise errors.wrong_shape(
                f"cdist(): expected at least two dimensions; got shape {list(x.shape)}"
            )
        if not x.dtype.is_floating_point:
            raise errors.wrong_dtype(f"cdist(): expected a floating dtype; got {x.dtype}")
    if x1._data.shape[-1] != x2._data.shape[-1]:
        raise errors.wrong_shape(
            "cdist(): expected rows of the same size; got shapes "
            f"{list(x1.shape)} and {list(x2.shape)}"
        )
    check_order("cdist", p)
    return cdist_row(x1, x2, p)  # type: ignore[no-any-return]


@function("pdist")
def pdist(input: Tensor, p: float = 2.0) -> Tensor:
    """Distances between all pairs of rows.

    Raises:
        RuntimeError: not two dimensions, or a negative order.
    """
    if input._data.ndim != 2:
        raise errors.wrong_shape(f"pdist(): expected two dimensions; got shape {list(input.shape)}")
    check_order("pdist", p)
    return pdist_row(input, p)  # type: ignore[no-any-return]


def _pdist(x: Tensor, p: float) -> Tensor:
    i, j = np.triu_indices(x._data.shape[0], 1)
    return lengths(x[wrap(i)] - x[wrap(j)], p)


pdist_row = fused("pdist", _pdist, keeps_out=True)


def eigvalsh(A: Any, UPLO: str = "L") -> Tensor:
    """The eigenvalues of a Hermitian matrix, real, in ascending order."""
    return eigh.apply(square("eigvalsh", A), UPLO)[0]


def svdvals(A: Any) -> Tensor:
    """The singular values of a matrix, in descending order."""
    return svd.apply(A)[1]


def linalg_pinv(A: Any, *, atol: Any = None, rtol: Any = None, hermitian: bool = False) -> Tensor:
    """The Moore-Penrose pseudoinverse of a matrix, or of each in a batch.

    Args:
        atol, rtol: singular values up to max(atol, rtol * the largest one) count as zero; by default
            rtol is the larger size times the dtype's epsilon, or 0 with an atol.
        hermitian: the matrix is Hermitian; only its lower triangle is read.
    """
    atol, rtol = (None if each is None else float(each) for each in (atol, rtol))
    return pinv.apply(A, atol, rtol, hermitian)


def pinverse(input: Any, rcond: float = 1e-15) -> Tensor:
    """The Moore-Penrose pseudoinverse of a matrix, or of each in a batch; singular values up to
    ``rcond`` times the largest one count as zero."""
    return pinv.apply(input, None, rcond, False)


def linalg_diagonal(A: Any, *, offset: int = 0, dim1: int = -2, dim2: int = -1) -> Tensor:
    """A view of the diagonals over two dimensions, which become the last one."""
    return FUNCTIONS["diagonal"](A, offset, dim1, dim2)  # type: ignore[no-any-return]


LINALG.update(
    eigh=linalg_eigh,
    eigvalsh=eigvalsh,
    svd=linalg_svd,
    svdvals=svdvals,
    qr=linalg_qr,
    pinv=linalg_pinv,
    diagonal=linalg_diagonal,
    matrix_exp=exponential,
    matrix_norm=matrix_norm,
)
FUNCTIONS["matrix_exp"] = as_function("matrix_exp", exponential)
METHODS["matrix_exp"] = as_method("matrix_exp", exponential)
OLD_SVD, OLD_QR = named_result("svd", "U", "S", "V"), named_result("qr", "Q", "R")


def old_svd(input: Tensor, some: bool = True, compute_uv: bool = True) -> Any:
    """(U, S, V), where linalg.svd gives the conjugate transpose of V; without ``compute_uv``, U and V
    are zeros."""
    if not compute_uv:
        m, n = input._data.shape[-2:]
        u, v = (
            wrap(zeros((*input._data.shape[:-2], k, k), input._data.dtype, input._data))
            for k in (m, n)
        )
        return OLD_SVD((u, LINALG["svdvals"](input), v))
    u, s, vh = linalg_svd(input, full_matrices=not some)
    return OLD_SVD((u, s, mH(vh)))


def old_qr(input: Tensor, some: bool = True) -> Any:
    """(Q, R), reduced unless told otherwise."""
    return OLD_QR(linalg_qr(input, "reduced" if some else "complete"))


for _name, _fn in (("pinverse", pinverse), ("svd", old_svd), ("qr", old_qr)):
    FUNCTIONS[_name] = as_function(_name, _fn)
    METHODS[_name] = as_method(_name, _fn)
