"""Formulas of linear algebra, written from their definitions.

Where a function is analytic, it accepts complex matrices and conjugates nothing, so that the
complex step finds its derivative. All of them work on batches of matrices.
"""

from __future__ import annotations

from typing import Any

import numpy as np

Array = Any


def mT(x: Array) -> Array:
    """The last two dimensions swapped."""
    return np.swapaxes(x, -1, -2)


def mH(x: Array) -> Array:
    """The last two dimensions swapped, and conjugated."""
    return np.conj(np.swapaxes(x, -1, -2))


def magnitude(x: Array) -> Array:
    """The absolute value of what is real, continued along the complex step."""
    return x * np.sign(np.real(x))


def eye_like(x: Array) -> Array:
    """Unit matrices of the shape of square ones."""
    return np.broadcast_to(np.eye(np.shape(x)[-1]), np.shape(x))


def diagonals(x: Array) -> Array:
    """Diagonal matrices, from the last dimension."""
    return x[..., None] * np.eye(np.shape(x)[-1])


def cholesky_factor(x: Array) -> Array:
    """The lower triangular L with L L^T = x, of a symmetric positive definite matrix."""
    lower = np.zeros_like(x)
    for j in range(np.shape(x)[-1]):
        rest = x[..., j:, j] - np.sum(lower[..., j:, :j] * lower[..., j, None, :j], axis=-1)
        lower[..., j:, j] = rest / np.sqrt(rest[..., :1])
    return lower


def upper_factor(x: Array) -> Array:
    """R of the factorization x = Q R, with a positive diagonal."""
    k = min(np.shape(x)[-2:])
    first = x[..., :k]
    root = cholesky_factor(mT(first) @ first)
    return np.triu(np.linalg.solve(root, mT(first) @ x))


def orthogonal_factor(x: Array) -> Array:
    """Q of the factorization x = Q R, with a positive diagonal of R."""
    k = min(np.shape(x)[-2:])
    return x[..., :k] @ np.linalg.inv(upper_factor(x)[..., :k])


def singular_values(x: Array) -> Array:
    """In descending order."""
    return np.linalg.svd(x, compute_uv=False)


def left_vectors(x: Array) -> Array:
    """U of the reduced factorization x = U diag(S) V^H."""
    return np.linalg.svd(x, full_matrices=False)[0]


def right_vectors(x: Array) -> Array:
    """V^H of the reduced factorization x = U diag(S) V^H."""
    return np.linalg.svd(x, full_matrices=False)[2]


def expm(x: Array) -> Array:
    """The exponential of square matrices, by its series at x / 4, squared twice."""
    out = term = eye_like(x) + 0 * x
    for k in range(1, 32):
        term = term @ x / (4 * k)
        out = out + term
    return np.linalg.matrix_power(out, 4)


def row_order(x: Array) -> Array:
    """The permutation matrix P of x = P L U, with the largest element of each column as pivot."""
    n = np.shape(x)[-2]
    if np.ndim(x) > 2:
        return np.stack([row_order(each) for each in x]) if len(x) else np.zeros((0, n, n))
    rest, order = np.array(np.real(x)), np.arange(n)
    for k in range(min(np.shape(x))):
        at = k + int(np.argmax(np.abs(rest[k:, k])))
        rest[[k, at]], order[[k, at]] = rest[[at, k]], order[[at, k]]
        rest[k + 1 :] -= np.outer(rest[k + 1 :, k] / rest[k, k], rest[k])
    return np.eye(n)[order].T


def eliminated(x: Array) -> Array:
    """L below the diagonal and U on and above it, of the rows in pivoted order."""
    rest = np.swapaxes(row_order(x), -1, -2) @ x
    for k in range(min(np.shape(x)[-2:])):
        factors = rest[..., k + 1 :, k] / rest[..., k, k, None]
        rest[..., k + 1 :, k + 1 :] -= factors[..., None] * rest[..., k, None, k + 1 :]
        rest[..., k + 1 :, k] = factors
    return rest


def unit_lower(x: Array) -> Array:
    """The reduced triangular matrix with ones on its diagonal, of what `eliminated` gives."""
    m, n = np.shape(x)[-2:]
    return np.tril(x, -1)[..., : min(m, n)] + np.eye(m, min(m, n))


def householder(x: Array, scales: Array) -> Array:
    """The first columns of the product of the reflections I - scale v v^H, one for each column of
    `x`: v is zero above the diagonal, one on it, and the column below it."""
    m, n = np.shape(x)[-2:]
    out = np.eye(m, n) + np.zeros_like(x)
    for k in reversed(range(np.shape(scales)[-1])):
        v = np.tril(x, -1)[..., k] + np.eye(m)[k]
        along = np.sum(np.conj(v[..., None]) * out, axis=-2, keepdims=True)
        out = out - scales[..., k, None, None] * v[..., None] * along
    return out


FUNCTIONS = (
    mT, mH, magnitude, eye_like, diagonals, cholesky_factor, upper_factor, orthogonal_factor,
    singular_values, left_vectors, right_vectors, expm, row_order, eliminated, unit_lower,
    householder,
)  # fmt: skip
POWERS = {
    "eye_like": 1, "diagonals": 2, "cholesky_factor": 2, "upper_factor": 2, "orthogonal_factor": 2,
    "singular_values": 2, "left_vectors": 2, "right_vectors": 2, "expm": 2, "row_order": 2,
    "eliminated": 2, "householder": 2,
}  # fmt: skip
"""Functions whose cost grows with a power of their operand's size."""
