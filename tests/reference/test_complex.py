"""Gradients of complex operations, of first and second order, are those of PyTorch."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
import pytest
from gradspec import reference_impl

from .rounding import close_to_second_order, epsilon_of

torch = pytest.importorskip("torch")

UNARY = [
    "abs", "acosh", "angle", "asin", "asinh", "atan", "atanh", "acos", "conj",
    "cos", "cosh", "exp", "expm1", "log", "log10", "log1p", "log2", "neg",
    "reciprocal", "rsqrt", "sgn", "sigmoid", "sin", "sinc", "sinh", "sqrt", "square",
    "tan", "tanh", "real", "imag", "clone",
]  # fmt: skip

EXPRESSIONS = [
    *(f"t.{name}(x)" for name in UNARY),
    "x + y", "x - y", "x * y", "x / y", "x ** y", "x ** 2", "x ** -1.5", "2.0 ** x", "x ** (1 + 2j)",
    "x * (2 - 1j) + 3j", "(1 + 1j) / x", "1 - x", "t.exp(1j * x) * x.conj()",
    "x.sum()", "x.mean(0)", "x.prod()", "x.prod(1)", "x.cumsum(1)", "x.cumprod(1)", "x.norm()", "x.var()",
    "x.std(1)", "t.linalg.vector_norm(x, 3, dim=1)", "t.logsumexp(x, 1)", "t.logcumsumexp(x, 1)",
    "x @ y.t()", "x.mv(y[0])", "x[0].dot(y[1])", "t.vdot(x[0], y[1])", "t.outer(x[0], y[1])",
    "t.einsum('ij,kj->ik', x, y)", "t.bmm(x[None], y.t()[None])", "t.kron(x, y)",
    "t.addmm(x[:, :1], x, y.t(), beta=2, alpha=1j)", "t.tensordot(x, y, dims=2)",
    "t.addcmul(x, x, y, value=2)", "t.addcdiv(x, x, y, value=2)", "t.lerp(x, y, 0.3)",
    "t.where(t.tensor([[True, False, True]]), x, y)", "t.cat([x, y])", "t.stack([x, y])",
    "x.mH @ x", "x[t.tensor([0, 0, 1])]", "x.gather(1, t.tensor([[0, 2], [1, 1]]))",
    "x.masked_fill(t.tensor([[True, False, True]]), 2j)", "x.tril()", "x.diagonal()",
    "t.complex(x.imag, x.real)", "t.view_as_complex(t.view_as_real(x) * 2)", "t.polar(x.abs(), x.angle())",
    "x * x.real", "(x * x.conj()).real", "x.clone().mul_(y)", "x.clone().div_(y)", "x.clone().exp_()",
    "x.index_put((t.tensor([0, 0]),), y, accumulate=True)", "t.linalg.cross(x, y)", "t.dist(x, y)",
    "t.linalg.det(x @ x.t() + 3 * t.eye(2))", "t.linalg.inv(x @ x.t() + 3 * t.eye(2))",
    "t.linalg.solve(x @ x.t() + 3 * t.eye(2), y)", "t.linalg.cholesky(x @ x.mH + 2 * t.eye(2))",
    "t.linalg.qr(x.t())[1]", "t.linalg.svdvals(x)", "t.linalg.eigvalsh(x @ x.mH)",
    "t.trapezoid(x)", "t.diff(x)", "t.nn.functional.linear(x, y)",
]  # fmt: skip


def numbers(t: Any, seed: int, *shape: int, real: bool = False) -> Any:
    """A tensor of moderate random numbers, the same in both engines."""
    draw = np.random.default_rng(seed)
    values = draw.normal(size=shape) * 0.5 + (0 if real else 0.5j * draw.normal(size=shape))
    return t.tensor(values.tolist(), dtype=t.float64 if real else t.complex128).reshape(shape)


def weight(z: Any) -> Any:
    """The sum of squared absolute values."""
    return (z * z.conj()).real.sum() if z.dtype.is_complex else (z * z).sum()


def value_and_gradients(t: Any, expression: str) -> list[Any]:
    x, y = numbers(t, 5, 2, 3).requires_grad_(), numbers(t, 6, 2, 3).requires_grad_()
    out = eval(expression, {"t": t, "x": x, "y": y})
    cotangent = numbers(t, 9, *out.shape, real=not out.dtype.is_complex)
    product = (out * cotangent).sum()
    loss = (product.real if out.dtype.is_complex else product) + weight(out)
    first = t.autograd.grad(loss, (x, y), create_graph=True, allow_unused=True)
    found = [out, *(g for g in first if g is not None)]
    total = sum(weight(g) for g in first if g is not None)
    if total.requires_grad:
        second = t.autograd.grad(total, (x, y), allow_unused=True)
        found += [g for g in second if g is not None]
    return [np.array(f.detach().tolist()) for f in found]


@pytest.mark.parametrize("expression", EXPRESSIONS)
def test_as_pytorch(expression: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = value_and_gradients(torch, expression)
        found = value_and_gradients(reference_impl, expression)
    assert len(found) == len(expected)
    for one, other in zip(found, expected, strict=True):
        alike = close_to_second_order(other, one, epsilon_of("complex128"))
        assert alike, f"expected {other}, found {one}"
