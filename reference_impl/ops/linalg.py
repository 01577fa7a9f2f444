"""Determinants, inverses and linear systems."""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_array, beside, eye, has_values, host, host_or_zeros, is_host, raising
from ..backend.dtypes import BFLOAT16
from ..naming import copy_of, renamed_parameters, with_keyword
from ..tensor.tensor import Tensor, wrap
from .choose import data_of, where
from .core import conj, sum_to, zeros_of
from .fused import fused
from .op import Op, op
from .products import bmm2, cross, matmul, mH, mT, multi_dot, vecdot
from .rearrange import tril
from .registry import FUNCTIONS, LINALG, public
from .return_types import named_result
from .shape import reshape_any


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
            raise errors.singular_matrix(
                f"linalg: the input matrix is singular or not positive definite ({error})",
                LinAlgError,
            ) from None

    return run


def factorable(what: str) -> Any:
    """Refuse dtypes of which no library factorises matrices.

    Raises:
        RuntimeError: whole numbers.
        NotImplementedError: half precision.
    """

    def check(arrays: Any) -> None:
        dtype = arrays[0].dtype
        if arrays[0].ndim < 2:
            raise errors.wrong_shape(
                f"linalg.{what}(): the input must have at least 2 dimensions; got shape "
                f"{list(arrays[0].shape)}"
            )
        if dtype.kind in "biu":
            raise errors.wrong_dtype(
                f"linalg.{what}(): the dtype must be floating or complex; got {dtype}. Convert with "
                ".to() first."
            )
        if dtype in (BFLOAT16, np.float16):
            raise errors.unsupported_dtype(f"linalg.{what}", dtype)

    return check


inv = op(
    "linalg_inv_ex(x)",
    solving(np.linalg.inv),
    check=factorable("inv"),
    x=lambda g, out: -bmm2(bmm2(mH(out), g), mH(out)),
)


def _scaled_matrices(factors: Any, matrices: Any) -> Any:
    """Each matrix of a batch times its factor."""
    return reshape_any(factors, (*factors.shape, 1, 1)) * matrices


def eliminated(x: Any) -> tuple[Any, Any]:
    """Rows put in order and eliminated, largest element first: L below and U on and above the
    diagonal, and by row of the result the row of the matrix it was. On the CPU, wherever the matrix
    lives, since each step waits for the one before."""
    lu, order = eliminated_by_rows(host_or_zeros(x))
    return beside(lu, x), beside(order, x)


def eliminated_by_rows(x: Any) -> tuple[Any, Any]:
    """As ``eliminated``, of a NumPy array."""
    lu = x.copy()
    m, n = lu.shape[-2:]
    flat = lu.reshape(math.prod(lu.shape[:-2]), m, n)
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
    """The matrix of cofactors, conjugated: by elimination, or of a matrix that is singular, but for
    rounding, by its singular values."""
    d = _det(x)
    most = np.sqrt((np.abs(x) ** 2).sum(-1)).prod(-1)
    if not has_values(x) or (np.abs(d) > np.finfo(x.dtype).eps ** 0.5 * most).all():
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
    return _scaled_matrices((c * conj(g)).sum((-2, -1)), a) - bmm2(bmm2(a, mH(g)), c)


cofactors = op("cofactors(x)", _cofactors, x=_cofactors_rule)


def _det_rule(g: Any, x: Any) -> Any:
    return _scaled_matrices(g, cofactors(x))


det = op("linalg_det(x)", _det, check=factorable("det"), x=_det_rule)


def _slogdet(x: Any) -> Any:
    sign, logabs = np.linalg.slogdet(x)
    return as_array(sign), as_array(logabs)


def slogdet_rule(gs: Any, x: Any, out0: Any) -> Any:
    """The gradient of the logarithm; that of the sign is zero, and of a complex one its turn."""
    g = gs.get(1)
    if gs.get(0) is not None and data_of(x).dtype.kind == "c":
        turn = conj(gs[0]) * out0
        turn = (turn - conj(turn)) / 2
        g = -turn if g is None else g - turn
    if g is None:
        return zeros_of(x)
    return (reshape_any(g, (*g.shape, 1, 1)) if g.ndim else g) * mH(inv(x))


slogdet_row = op(
    "linalg_slogdet(x)",
    _slogdet,
    n_out=2,
    check=factorable("slogdet"),
    x=slogdet_rule,
)


def _solve(a: Any, b: Any) -> Any:
    if a.shape[-1] != b.shape[-2 if b.ndim > 1 else 0]:
        raise errors.wrong_shape(
            f"linalg.solve: Incompatible shapes of A and B for the equation AX = B: "
            f"{list(a.shape)} and {list(b.shape)}"
        )
    if b.ndim > 1 and a.shape[:-1] != b.shape[:-1]:  # CuPy does not broadcast
        batch = np.broadcast_shapes(a.shape[:-2], b.shape[:-2])
        a = np.broadcast_to(a, batch + a.shape[-2:])
        b = np.broadcast_to(b, batch + b.shape[-2:])
    return np.linalg.solve(a, b)


solve: Op = op(
    "linalg_solve_ex(x, y)",
    solving(_solve),
    check=factorable("solve"),
    x=lambda g, x, x_shape, out: sum_to(-bmm2(solve(mH(x), g), mH(out)), x_shape),
    y=lambda g, x, y_shape: sum_to(solve(mH(x), g), y_shape),
)


def _chol_rule(g: Any, out: Any) -> Any:
    """Symmetric gradient of the lower factor."""
    p = bmm2(mH(out), g)
    p = tril(p, 0) - _diag_half(p)
    s = bmm2(bmm2(mH(inv(out)), p), inv(out))
    return (s + mH(s)) / 2


def _diag_half(p: Any) -> Any:
    return (tril(p, 0) - tril(p, -1)) / 2


cholesky = op(
    "linalg_cholesky_ex(x)",
    solving(np.linalg.cholesky),
    check=factorable("cholesky"),
    x=_chol_rule,
)


def _mark(what: str, x: Tensor) -> Tensor:
    if x._data.ndim < 2 or x._data.shape[-1] != x._data.shape[-2]:
        raise errors.wrong_shape(
            f"linalg.{what}(): the last two dimensions must be of one size, to form square "
            f"matrices; got shape {list(x.shape)}"
        )
    return x


def linalg_inv(A: Any) -> Tensor:
    """The inverse of a square matrix, or of each in a batch.

    Raises:
        LinAlgError: a matrix is singular.
    """
    return inv.apply(_mark("inv", A))


def linalg_det(A: Any) -> Tensor:
    """The determinant of a square matrix, or of each in a batch."""
    return det.apply(_mark("det", A))


def linalg_cholesky(A: Any, *, upper: bool = False) -> Tensor:
    """The lower triangular factor L of a positive definite matrix, A = L @ L.mH; or the upper one.

    Raises:
        LinAlgError: a matrix is not positive definite.
    """
    if upper:
        return mH(cholesky.apply(A))  # type: ignore[no-any-return]
    return cholesky.apply(_mark("cholesky", A))


LINALG.update(inv=linalg_inv, det=linalg_det, cholesky=linalg_cholesky, LinAlgError=LinAlgError)


def zero_pivot(a: Any) -> int:
    """The first diagonal element of the LU decomposition of a matrix that is zero, counted from one;
    0 if none is."""
    zero = np.diagonal(eliminated_by_rows(a)[0]) == 0
    return int(zero.argmax()) + 1 if zero.any() else 0


def minor_not_positive(a: Any) -> int:
    """The order of the first leading minor of a matrix that is not positive definite; 0 if all are."""
    for order in range(1, len(a) + 1):
        try:
            np.linalg.cholesky(a[:order, :order])
        except np.linalg.LinAlgError:
            return order
    return 0


def told(name: str, part: str, fn: Any, failure: Callable[[Any], int]) -> None:
    """A function that tells in a second result, for each matrix, whether it failed, instead of
    raising; unless it is asked to check for errors."""
    kind = named_result(f"linalg_{name}", part, "info")

    def run(A: Any, *args: Any, check_errors: bool = False, **kwargs: Any) -> Any:
        info = np.zeros(A.shape[:-2], np.int32)
        try:
            result = fn(A, *args, **kwargs)
        except LinAlgError:
            if check_errors:
                raise
            for place in np.ndindex(info.shape):
                info[place] = failure(host(A._data)[place])
            failed = wrap(beside(info[..., None, None] != 0, A._data))
            unit = wrap(eye(A._data.shape[-1], A._data.dtype, A._data))
            result = fn(where(failed, unit, A), *args, **kwargs)  # the other matrices are right
        return kind((result, wrap(beside(info, A._data))))

    summary = (fn.__doc__ or "").partition("\n")[0]
    run.__doc__ = f"{summary} Beside it 0 for each matrix where that succeeded."
    run.__signature__ = with_keyword(  # type: ignore[attr-defined]
        inspect.signature(fn), "check_errors", False
    )
    LINALG[name] = run


told("inv_ex", "inverse", LINALG["inv"], zero_pivot)
told("cholesky_ex", "L", LINALG["cholesky"], minor_not_positive)


def linalg_solve(A: Tensor, B: Tensor, *, left: bool = True) -> Tensor:
    """X with A X = B, or X A = B."""
    _mark("solve", A)
    if not left:
        return mT(linalg_solve(mT(A), mT(B)))  # type: ignore[no-any-return]
    if B._data.ndim == A._data.ndim - 1:
        return solve_vector(A, B)  # type: ignore[no-any-return]
    return solve.apply(A, B)


solve_vector = fused("linalg_solve_ex", lambda A, b: solve.apply(A, b.unsqueeze(-1)).squeeze(-1))


def linalg_slogdet(A: Tensor) -> Any:
    """(sign, log of the absolute determinant)."""
    return SLOGDET(slogdet_row.apply(_mark("slogdet", A)))


told("solve_ex", "result", linalg_solve, zero_pivot)
SLOGDET = named_result("linalg_slogdet", "sign", "logabsdet")


def logdet(input: Tensor) -> Tensor:
    """The logarithm of the determinant, NaN where that is negative."""
    sign, logabs = linalg_slogdet(input)
    if input.dtype.is_complex:
        return logabs + sign.log()  # type: ignore[no-any-return]
    return where(sign._data == -1, math.nan, logabs)  # type: ignore[no-any-return]


def vector_norm(
    x: Tensor, ord: Any = 2, dim: Any = None, keepdim: bool = False, *, dtype: Any = None
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
    if ord is not None and dim is None and A._data.ndim not in (1, 2):
        raise errors.wrong_shape(
            f"linalg.norm(): with an order and no dim the input must be a vector or a matrix; got "
            f"shape {list(A.shape)}"
        )
    two = A._data.ndim == 2 if dim is None else not isinstance(dim, int) and len(dim) == 2
    if ord is not None and (two or isinstance(ord, str)):
        pair = (-2, -1) if dim is None else dim
        return LINALG["matrix_norm"](A, ord, pair, keepdim, dtype=dtype)  # type: ignore[no-any-return]
    return vector_norm(A, ord, dim, keepdim, dtype=dtype)


def matrix_power(A: Tensor, n: int) -> Tensor:
    """A product of n equal matrices."""
    _mark("matrix_power", A)
    if n < 0:
        A, n = LINALG["inv"](A), -n
    out = None
    for _ in range(n):
        out = A if out is None else matmul(out, A)
    if out is None:
        unit = np.broadcast_to(eye(A._data.shape[-1], A._data.dtype, A._data), A._data.shape).copy()
        return wrap(unit)
    return out


def linalg_cross(input: Any, other: Any, *, dim: int = -1) -> Tensor:
    """The cross product over a dimension of size 3; the others are broadcast."""
    return cross(input, other, dim)


LINALG.update(
    solve=linalg_solve,
    slogdet=linalg_slogdet,
    vector_norm=vector_norm,
    norm=linalg_norm,
    cross=linalg_cross,
    matrix_power=matrix_power,
    multi_dot=multi_dot,
    vecdot=vecdot,
    matmul=matmul,
)
NAMED_SLOGDET = named_result("slogdet", "sign", "logabsdet")


@public("slogdet")
def slogdet(input: Tensor) -> Any:
    """(sign, log of the absolute determinant)."""
    return NAMED_SLOGDET(linalg_slogdet(input))


OF_MATRICES: dict[str, Callable[..., Any]] = {
    "inv": linalg_inv, "det": linalg_det, "inverse": linalg_inv, "matrix_power": matrix_power,
}  # fmt: skip
"""Functions that are not in ``torch.linalg`` alone."""
for _name, _fn in OF_MATRICES.items():
    public(_name)(renamed_parameters(copy_of(_fn, _name), {"A": "input"}))
public("logdet")(logdet)
