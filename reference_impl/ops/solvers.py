"""Triangular systems, least squares, elimination, and eigenvalues of any matrix."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, eye, host, host_or_zeros, zeros
from ..tensor.tensor import Tensor, wrap
from .choose import data_of
from .core import cast_to, conj, zeros_of
from .decompose import column, off_diagonal_inverse, pinv, row, spread, square
from .fused import fused
from .gather import padded_to
from .joins import cat
from .linalg import cholesky, eliminated, factorable, solve, solving
from .op import op, variant
from .products import bmm2, mH, mT
from .rearrange import tril, triu
from .registry import FUNCTIONS, LINALG, METHODS, function, public
from .return_types import named_result

__all__ = ["cholesky_solve", "eig", "lu", "solve_triangular"]

LU = named_result("linalg_lu", "P", "L", "U")
LU_FACTOR = named_result("linalg_lu_factor", "LU", "pivots")
GEQRF = named_result("geqrf", "a", "tau")
EIG = named_result("linalg_eig", "eigenvalues", "eigenvectors")
LSTSQ = named_result("linalg_lstsq", "solution", "residuals", "rank", "singular_values")


def _triangular(A: Tensor, B: Tensor, upper: bool, left: bool, unit: bool) -> Tensor:
    part = triu(A, 0) if upper else tril(A, 0)
    if unit:
        diagonal = wrap(eye(A._data.shape[-1], A._data.dtype, A._data))
        part = (triu(A, 1) if upper else tril(A, -1)) + diagonal
    if not left:
        return mT(solve.apply(mT(part), mT(B)))  # type: ignore[no-any-return]
    return solve.apply(part, B)


triangular_row = fused("linalg_solve_triangular", _triangular)


def solve_triangular(
    A: Tensor, B: Tensor, *, upper: bool, left: bool = True, unitriangular: bool = False
) -> Tensor:
    """X with A X = B (or X A = B) of a triangular matrix, whose other triangle is not looked at."""
    return triangular_row(square("solve_triangular", A), B, upper, left, unitriangular)  # type: ignore[no-any-return]


def _cholesky_solve(B: Tensor, L: Tensor, upper: bool) -> Tensor:
    lower = mH(L) if upper else L
    first = _triangular(lower, B, False, True, False)
    return _triangular(mH(lower), first, True, True, False)


cholesky_solve_row = fused("cholesky_solve", _cholesky_solve)


@function("cholesky_solve")
def cholesky_solve(B: Tensor, L: Tensor, upper: bool = False) -> Tensor:
    """X with L L^H X = B, or U^H U X = B where the factor is the upper one."""
    return cholesky_solve_row(B, L, upper)  # type: ignore[no-any-return]


def _cholesky_inverse(L: Tensor, upper: bool) -> Tensor:
    unit = eye(L._data.shape[-1], L._data.dtype, L._data)
    return _cholesky_solve(wrap(np.broadcast_to(unit, L._data.shape).copy()), L, upper)


cholesky_inverse_row = fused("cholesky_inverse", _cholesky_inverse)


@public("cholesky_inverse")
def cholesky_inverse(L: Tensor, upper: bool = False) -> Tensor:
    """The inverse of L L^H, or of U^H U where the factor is the upper one."""
    return cholesky_inverse_row(square("cholesky_inverse", L), upper)  # type: ignore[no-any-return]


METHODS["cholesky_solve"] = cholesky_solve


def _factors(x: Any) -> Any:
    m, n = x.shape[-2:]
    k = min(m, n)
    whole, order = eliminated(x)
    unit = eye(m, x.dtype, x)
    lower = np.tril(whole[..., :, :k], -1) + unit[:, :k]
    upper = np.triu(whole[..., :k, :])
    p = np.swapaxes(unit[order], -1, -2)
    return lower, upper, p


def lu_rule(gs: Any, out0: Any, out1: Any, out2: Any) -> Any:
    """P L^-H (tril(L^H gL, -1) + triu(gU U^H)) U^-H, of square matrices."""
    inner = None
    if gs.get(0) is not None:
        inner = tril(bmm2(mH(out0), gs[0]), -1)
    if gs.get(1) is not None:
        part = triu(bmm2(gs[1], mH(out1)), 0)
        inner = part if inner is None else inner + part
    if inner is None:  # the permutation alone, which is constant
        return zeros_of(out1)
    left = solve(mH(out0), inner)
    return bmm2(out2, mH(solve(out1, mH(left))))


lu_row = op("linalg_lu(x)", _factors, n_out=3, x=lu_rule)


def factors(A: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """P, L and U with A = P L U: of the square part, and of what is left beside or below it."""
    m, n = A._data.shape[-2:]
    dim = A._data.ndim - 1
    if m == n:
        lower, upper, p = lu_row.apply(A)
        return p.detach(), lower, upper
    if m < n:
        lower, upper, p = lu_row.apply(A.narrow(dim, 0, m))
        rest = bmm2(mT(p.detach()), A.narrow(dim, m, n - m))
        beside = _triangular(lower, rest, False, True, True)
        return p.detach(), lower, cat([upper, beside], dim)
    p = wrap(_factors(A._data)[2])
    rows = bmm2(mT(p), A)
    lower, upper, _ = lu_row.apply(rows.narrow(dim - 1, 0, n))
    below = _triangular(upper, rows.narrow(dim - 1, n, m - n), True, False, False)
    return p, cat([lower, below], dim - 1), upper


def lu(A: Tensor, *, pivot: bool = True) -> Any:
    """(P, L, U) with A = P L U."""
    factorable("lu")([A._data])
    return LU(factors(A))


def lu_factor(A: Tensor, *, pivot: bool = True) -> Any:
    """L and U in one matrix, and for each row the one (from 1 on) it was exchanged with."""
    factorable("lu_factor")([A._data])
    _, lower, upper = factors(A)
    n = min(A._data.shape[-2:])
    shape = A._data.shape
    parts = padded_to(tril(lower, -1), shape) + padded_to(upper, shape)
    order = host_or_zeros(eliminated(A._data)[1])
    flat = order.reshape(math.prod(order.shape[:-1]), order.shape[-1])
    pivots = np.zeros((len(flat), n), np.int32)
    for rows, out in zip(flat, pivots, strict=True):
        now = list(range(len(rows)))
        for k in range(n):
            at = now.index(rows[k])
            now[k], now[at] = now[at], now[k]
            out[k] = at + 1
    return LU_FACTOR((parts, wrap(beside(pivots.reshape(*order.shape[:-1], n), A._data))))


def _eig(x: Any) -> Any:
    values, vectors = np.linalg.eig(x)
    kind = np.result_type(x.dtype, np.complex64)
    return values.astype(kind), vectors.astype(kind)


def eig_rule(gs: Any, x_dtype: Any, out0: Any, out1: Any) -> Any:
    """V^-H (diag(gL) + (V^H gV - V^H V diag(Re(V^H gV))) / conj(l_j - l_i)) V^H."""
    vh = mH(out1)
    inner = None if gs.get(0) is None else spread(gs[0])
    if gs.get(1) is not None:
        across = bmm2(vh, gs[1])
        along = (
            FUNCTIONS["diagonal"](across, 0, -2, -1).real
            if isinstance(across, Tensor)
            else (np.diagonal(across, 0, -2, -1).real)
        )
        own = bmm2(vh, out1) * row(cast_to(along, data_of(out1).dtype))
        gaps = conj(off_diagonal_inverse(row(out0) - column(out0)))
        part = (across - own) * gaps
        inner = part if inner is None else inner + part
    return cast_to(solve(vh, bmm2(inner, vh)), x_dtype)


eig_row = op("linalg_eig(x)", solving(_eig), n_out=2, check=factorable("eig"), x=eig_rule)


def eig(A: Tensor) -> Any:
    """(eigenvalues, eigenvectors) of any square matrix, complex."""
    return EIG(eig_row.apply(square("eig", A)))


def _lu_solve(LU: Tensor, B: Tensor, pivots: Any, left: bool, adjoint: bool) -> Tensor:
    n = LU._data.shape[-1]
    if not left:
        solved = _lu_solve(LU, mH(B), pivots, True, not adjoint)
        return mH(solved)  # type: ignore[no-any-return]
    # followed on the CPU, since each exchange waits for the one before
    pivots = host_or_zeros(pivots)
    places = np.broadcast_to(np.arange(n), (*pivots.shape[:-1], n)).copy()
    for k in range(n):
        at = pivots[..., k : k + 1] - 1
        other = np.take_along_axis(places, at, -1)
        np.put_along_axis(places, at, places[..., k : k + 1].copy(), -1)
        places[..., k : k + 1] = other
    order = wrap(beside((np.argsort(places, -1) if adjoint else places)[..., None], LU._data))
    if adjoint:
        y = _triangular(mH(LU), B, False, True, False)
        z = _triangular(mH(LU), y, True, True, True)
    shape = np.broadcast_shapes(LU._data.shape[:-2], B._data.shape[:-2])
    picked = order.expand((*shape, n, B._data.shape[-1]))
    if adjoint:
        return z.expand((*shape, *z._data.shape[-2:])).gather(-2, picked)
    rows = B.expand((*shape, *B._data.shape[-2:])).gather(-2, picked)
    return _triangular(LU, _triangular(LU, rows, False, True, True), True, True, False)


lu_solve_row = fused("linalg_lu_solve", _lu_solve)


def lu_solve(
    LU: Tensor, pivots: Tensor, B: Tensor, *, left: bool = True, adjoint: bool = False
) -> Tensor:
    """X with A X = B (or X A = B), from what ``lu_factor`` gives of A."""
    return lu_solve_row(LU, B, pivots._data, left, adjoint)  # type: ignore[no-any-return]


solution_row = fused(
    "linalg_lstsq",
    lambda A, B, rcond: pinv.apply(A, None, rcond, False) @ B,
)
solution_of_vectors = fused(
    "linalg_lstsq",
    lambda A, b, rcond: (pinv.apply(A, None, rcond, False) @ b.unsqueeze(-1)).squeeze(-1),
)


def lstsq(A: Tensor, B: Tensor, rcond: float | None = None, *, driver: str | None = None) -> Any:
    """The X that makes A X - B smallest, and what the driver tells beside it: "gelsy" the rank,
    "gels" the sums of squares that are left, "gelsd" and "gelss" all with the singular values. Singular
    values up to ``rcond`` times the largest one count as zero, except for "gels".

    Raises:
        RuntimeError: another driver.
    """
    name = "gelsy" if driver is None else driver
    if name not in ("gels", "gelsy", "gelsd", "gelss"):
        raise errors.wrong_value(
            f"linalg.lstsq(): the driver must be 'gels', 'gelsy', 'gelsd' or 'gelss'; got {driver!r}",
            RuntimeError,
        )
    vectors = B._data.shape == A._data.shape[:-1]
    share = None if name == "gels" else rcond
    solution = solution_of_vectors(A, B, share) if vectors else solution_row(A, B, share)
    m, n = A._data.shape[-2:]
    left = values = wrap(zeros(0, A._data.dtype, A._data))
    rank = wrap(zeros(0, np.int64, A._data))
    if name != "gels":
        rank = matrix_rank(A.detach(), tol=share_of_largest(A, share))
    if name != "gelsy" and m > n:
        X, Y = (solution.unsqueeze(-1), B.unsqueeze(-1)) if vectors else (solution, B)
        left = ((A @ X - Y) ** 2).sum(-2)
    if name in ("gelsd", "gelss"):
        values = LINALG["svdvals"](A.detach())
    return LSTSQ((solution, left, rank, values))


def share_of_largest(A: Tensor, share: float | None) -> Any:
    """A share of the largest singular value of each matrix; None for None."""
    if share is None:
        return None
    return share * np.linalg.svd(host(A._data), compute_uv=False).max(-1, initial=0.0)


def matrix_rank(A: Tensor, *, tol: Any = None, hermitian: bool = False) -> Tensor:
    """The number of singular values that are not nearly zero."""
    factorable("matrix_rank")([A._data])
    limit = host(tol._data) if isinstance(tol, Tensor) else tol
    rank = np.asarray(np.linalg.matrix_rank(host(A._data), limit))  # which CuPy has for one matrix
    return wrap(beside(rank.astype(np.int64), A._data))


def cond(A: Tensor, p: Any = None) -> Tensor:
    """How much a matrix can magnify errors: its norm times that of its inverse."""
    if p is None or p in (2, -2):
        s = LINALG["svdvals"](A)
        first, last = s.narrow(-1, 0, 1), s.narrow(-1, s._data.shape[-1] - 1, 1)
        ratio: Tensor = (last / first if p == -2 else first / last).squeeze(-1)
        return ratio
    norm = LINALG["matrix_norm"]
    return norm(A, p) * norm(LINALG["inv"](A), p)  # type: ignore[no-any-return]


def eigvals(A: Any) -> Tensor:
    """The eigenvalues of a square matrix, complex, in no set order."""
    return eig_row.apply(square("eigvals", A))[0]


def tensorinv(A: Any, ind: int = 2) -> Tensor:
    """The inverse under ``tensordot`` over the first ``ind`` dimensions, as a tensor whose last
    dimensions are those."""
    shape = A._data.shape
    if ind <= 0:
        raise errors.wrong_value(
            f"linalg.tensorinv(): expected ind to be positive, got {ind}", RuntimeError
        )
    first, last = math.prod(shape[:ind]), math.prod(shape[ind:])
    if first != last:
        raise errors.wrong_shape(
            f"linalg.tensorinv(): the first {ind} dimensions must have as many elements as the rest; "
            f"got shape {list(shape)}"
        )
    inverse = LINALG["inv"](A.reshape(first, last))
    return inverse.reshape((*shape[ind:], *shape[:ind]))  # type: ignore[no-any-return]


def _reflections(A: Tensor, tau: Tensor) -> Tensor:
    m, n = A._data.shape[-2:]
    unit = wrap(eye(m, A._data.dtype, A._data)[:, :n])
    columns = tril(A, -1) + unit
    out = unit
    for k in reversed(range(tau._data.shape[-1])):
        v = columns.narrow(-1, k, 1)
        scale = tau.narrow(-1, k, 1).unsqueeze(-1)
        out = out - scale * (v @ (mH(v) @ out))
    return out


def _geqrf(x: Any) -> Any:
    factors, scales = np.linalg.qr(x, "raw")
    return np.swapaxes(factors, -1, -2), scales


def _no_geqrf_derivative(gs: Any) -> Any:
    raise errors.no_derivative("geqrf")


geqrf_row = op(
    "geqrf(x)",
    _geqrf,
    n_out=2,
    node="NotImplemented",
    check=factorable("geqrf"),
    x=_no_geqrf_derivative,
)


@public("geqrf")
def geqrf(input: Tensor) -> Any:
    """The factors of a QR factorisation as LAPACK packs them, and the scales of its reflections."""
    return GEQRF(geqrf_row(input))


reflections_row = fused("linalg_householder_product", _reflections)


def householder_product(A: Tensor, tau: Tensor) -> Tensor:
    """The first columns of the product of the reflections I - tau v v^H, one for each column of A,
    of which v has what is below the diagonal, and one on it."""
    factorable("householder_product")([A._data])
    m, n = A._data.shape[-2:]
    if not tau._data.shape[-1] <= n <= m:
        raise errors.wrong_shape(
            "linalg.householder_product(): expected a matrix with at least as many rows as columns, "
            f"and as columns as factors; got shapes {list(A.shape)} and {list(tau.shape)}"
        )
    return reflections_row(A, tau)  # type: ignore[no-any-return]


def vander(x: Tensor, N: int | None = None) -> Tensor:
    """The powers of each element from the zeroth on, as rows of a matrix."""
    count = x._data.shape[-1] if N is None else N
    ones = x.detach().unsqueeze(-1) ** 0
    wide = x.unsqueeze(-1).expand((*x._data.shape, count - 1))
    return cat([ones, wide.cumprod(-1)], x._data.ndim)  # type: ignore[no-any-return]


def tensorsolve(A: Any, B: Any) -> Tensor:
    """The tensor X for which tensordot(A, X, X.ndim) is B; B has the leading dimensions of A."""
    flat = LINALG["solve"](A.reshape(B.numel(), -1), B.reshape(-1))
    return flat.reshape(A.shape[B.ndim :])  # type: ignore[no-any-return]


LINALG.update(
    solve_triangular=solve_triangular,
    lu=lu,
    lu_factor=lu_factor,
    lu_solve=lu_solve,
    eig=eig,
    eigvals=eigvals,
    lstsq=lstsq,
    matrix_rank=matrix_rank,
    cond=cond,
    tensorsolve=tensorsolve,
    tensorinv=tensorinv,
    householder_product=householder_product,
    vander=vander,
)
cholesky_row = variant(cholesky, "CholeskyBackward0")


@public("cholesky")
def cholesky_public(input: Tensor, upper: bool = False) -> Tensor:
    """The lower triangular factor of a positive definite matrix, or the upper one."""
    if not input._data.size:
        return zeros_of(input)  # type: ignore[no-any-return]
    lower = cholesky_row.apply(square("cholesky", input))
    return mH(lower) if upper else lower
