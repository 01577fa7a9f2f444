"""Gradients against finite differences: ``gradcheck`` and ``gradgradcheck``.

A complex tensor counts as pairs of reals. For a cotangent v of an output, a gradient g of an input
is right when Re g and Im g are the slopes of Re(conj(v) f) along the real and the imaginary part.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Sequence
from itertools import chain
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import host
from ..backend.dtypes import DIFFERENTIABLE
from ..ops import FUNCTIONS
from ..tensor.tensor import Tensor, wrap
from .forward_ad import dual_level, make_dual, unpack_dual
from .function import Function
from .passes import grad

__all__ = ["GradcheckError", "gradcheck", "gradgradcheck"]


class GradcheckError(RuntimeError):
    """Gradients and finite differences disagree."""


def as_tuple(value: Any) -> tuple[Any, ...]:
    """One value or a sequence, as a tuple."""
    return tuple(value) if isinstance(value, (tuple, list)) else (value,)


def differentiable(xs: Sequence[Any]) -> list[tuple[int, Tensor]]:
    """The tensors that require grad, with their places."""
    return [(i, x) for i, x in enumerate(xs) if isinstance(x, Tensor) and x.requires_grad]


def check_inputs(inputs: tuple[Any, ...]) -> None:
    """Refuse inputs that finite differences cannot be taken of.

    Raises:
        ValueError: none requires grad.
        RuntimeError: elements of an input share memory.
    """
    checked = differentiable(inputs)
    if not checked:
        raise errors.wrong_value(
            "gradcheck(): there is nothing to check: none of the inputs has requires_grad=True"
        )
    for i, x in checked:
        if x._data.dtype not in (np.float64, np.complex128):
            warnings.warn(
                f"Input #{i} requires gradient and is not of double precision ({x.dtype}); finite "
                "differences are too coarse for it, so the check will likely fail",
                UserWarning,
                stacklevel=4,
            )
        if any(n > 1 and s == 0 for n, s in zip(x.shape, x.stride(), strict=True)):
            raise errors.wrong_shape(
                f"The {i}th input has a dimension with stride 0, so its elements share memory; "
                "pass a contiguous tensor"
            )


def directions(x: Tensor) -> list[complex]:
    """Along which numbers an element can move: one, for a complex element also i."""
    return [1.0, 1j] if x._data.dtype.kind == "c" else [1.0]


def slopes_of(
    func: Callable[..., Any], inputs: tuple[Any, ...], k: int, eps: float
) -> dict[tuple[int, complex], list[Any]]:
    """Central differences: by element of input ``k`` and direction, the slope of each output.

    Raises:
        AssertionError: an output has another shape or dtype where the input is moved.
    """
    x = inputs[k]
    data = x.detach()
    found = {}
    flat = np.ndindex(*x._data.shape)
    for i, place in enumerate(flat):
        for direction in directions(x):
            held = data._data[place].copy()
            values = []
            for step in (-eps, eps):
                data._data[place] = held + step * direction
                try:
                    outs = [o for o in as_tuple(func(*inputs)) if isinstance(o, Tensor)]
                    # Copied while the input is moved: an output may share its memory.
                    values.append([np.array(host(o._data)) for o in outs])
                finally:
                    data._data[place] = held
            if [(a.shape, a.dtype) for a in values[0]] != [(b.shape, b.dtype) for b in values[1]]:
                raise errors.gradcheck(
                    "the function must return outputs of the same shape and dtype where its inputs are "
                    f"perturbed by {eps:g}",
                    AssertionError,
                )
            found[i, direction] = [(b - a) / (2 * eps) for a, b in zip(*values, strict=True)]
    return found


def expected_rows(
    slopes: dict[tuple[int, complex], list[Any]], x: Tensor, o: int, out: Tensor, v: complex
) -> Any:
    """The gradients that the slopes imply: one row per element of output ``o``, cotangent ``v``."""
    rows = np.zeros((out.numel(), x.numel()), np.complex128)
    for (i, direction), values in slopes.items():
        slope = np.real(np.conj(v) * values[o]).reshape(-1)
        rows[:, i] += slope * direction
    return rows if x._data.dtype.kind == "c" else rows.real


def found_rows(out: Tensor, x: Tensor, v: complex) -> Any:
    """The gradients that backward gives: one row per element of an output, cotangent ``v``."""
    rows = np.zeros((out.numel(), x.numel()), x._data.dtype)
    for j, place in enumerate(np.ndindex(*out._data.shape)):
        seed = FUNCTIONS["zeros_like"](out.detach())
        seed._data[place] = v
        (g,) = grad(out, x, seed, retain_graph=True, allow_unused=True)
        if g is not None:
            rows[j] = host(g._data).reshape(-1)
    return rows


def mismatch(kind: str, o: int, k: int, expected: Any, found: Any) -> Exception:
    """The refusal of a Jacobian."""
    return errors.gradcheck(
        f"Jacobian mismatch for output {o} with respect to input {k} ({kind}),\n"
        f"numerical:{wrap(np.asarray(expected).T)}\nanalytical:{wrap(np.asarray(found).T)}\n",
        GradcheckError,
    )


def check_backward(
    func: Callable[..., Any], inputs: tuple[Any, ...], limits: dict[str, float], nondet: float
) -> None:
    """Hold every row of every Jacobian against finite differences.

    Raises:
        GradcheckError: they disagree, or two backward passes do.
    """
    outs = [o for o in as_tuple(func(*inputs)) if isinstance(o, Tensor)]
    nowhere = not any(out.requires_grad for out in outs)
    for k, x in differentiable(inputs):
        slopes = slopes_of(func, inputs, k, limits["eps"])
        for o, out in enumerate(outs):
            if out._data.dtype not in DIFFERENTIABLE:
                continue
            for v in directions(out):
                expected = expected_rows(slopes, x, o, out, v)
                if nowhere and np.any(expected):
                    raise errors.gradcheck(
                        f"Numerical gradient for function expected to be zero: output {o} does not "
                        f"require grad, but changes with input {k}",
                        GradcheckError,
                    )
                if not out.requires_grad:
                    continue
                if np.any(found_rows(out, x, 0.0)):
                    raise errors.gradcheck(
                        f"backward not multiplied by grad_output: output {o} gives input {k} a "
                        "gradient although its own is zero",
                        GradcheckError,
                    )
                found = found_rows(out, x, v)
                if not close(found, expected, limits):
                    raise mismatch("backward", o, k, expected, found)
                if not np.allclose(found, found_rows(out, x, v), atol=nondet, rtol=0):
                    raise errors.gradcheck(
                        "Backward is not reentrant: the second pass with the same gradients gave "
                        f"other values than the first (output {o}, input {k})",
                        GradcheckError,
                    )


def close(found: Any, expected: Any, limits: dict[str, float]) -> bool:
    """Whether gradients are within the tolerances of finite differences."""
    return bool(np.allclose(found, expected, rtol=limits["rtol"], atol=limits["atol"]))


def tangents_of(
    func: Callable[..., Any], inputs: tuple[Any, ...], k: int, along: Tensor
) -> tuple[list[Tensor], list[Tensor | None]]:
    """The outputs, and the tangent of each along a direction of input ``k``."""
    with dual_level():
        dual = make_dual(inputs[k], along)
        given = as_tuple(func(*(dual if j == k else y for j, y in enumerate(inputs))))
        outs = [o for o in given if isinstance(o, Tensor)]
        tangents = [
            unpack_dual(o).tangent if o._data.dtype in DIFFERENTIABLE else None for o in outs
        ]
    return outs, tangents


def check_forward(
    func: Callable[..., Any], inputs: tuple[Any, ...], limits: dict[str, float]
) -> None:
    """Hold every column of every Jacobian, from forward mode, against finite differences.

    Raises:
        GradcheckError: they disagree.
    """
    for k, x in differentiable(inputs):
        for (i, direction), values in slopes_of(func, inputs, k, limits["eps"]).items():
            along = FUNCTIONS["zeros_like"](x.detach())
            along._data[np.unravel_index(i, x._data.shape)] = direction
            outs, tangents = tangents_of(func, inputs, k, along)
            for o, (t, expected) in enumerate(zip(tangents, values, strict=True)):
                found = np.zeros_like(expected) if t is None else host(t._data)
                if outs[o]._data.dtype in DIFFERENTIABLE and not close(found, expected, limits):
                    raise mismatch("forward mode", o, k, expected, found)


def check_batched(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Hold gradients for a batch of cotangents against those for each alone.

    Raises:
        GradcheckError: they disagree.
    """
    xs = [x for _, x in differentiable(inputs)]
    for out in as_tuple(func(*inputs)):
        if not isinstance(out, Tensor) or not out.requires_grad:
            continue
        batch = FUNCTIONS["stack"]([FUNCTIONS["ones_like"](out.detach()) * s for s in (1, -2)])
        together = grad(out, xs, batch, retain_graph=True, allow_unused=True, is_grads_batched=True)
        for n in range(2):
            alone = grad(out, xs, batch[n], retain_graph=True, allow_unused=True)
            for a, b in zip(together, alone, strict=True):
                if a is not None and not np.allclose(host(a._data)[n], host(b._data)):
                    raise errors.gradcheck(
                        "Batched gradients differ from those computed one by one", GradcheckError
                    )


def check_batched_forward(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Compare the tangents for a batch of directions with those for each alone. As in ``vmap``, the
    entries of a batch are computed one after the other, so a jvp that changes from call to call is
    what can fail.

    Raises:
        GradcheckError: they disagree.
    """
    for k, x in differentiable(inputs):
        batch = [FUNCTIONS["ones_like"](x.detach()) * s for s in (1, -2)]
        alone = [tangents_of(func, inputs, k, along)[1] for along in batch]
        together = [tangents_of(func, inputs, k, along)[1] for along in batch]
        for a, b in zip(chain.from_iterable(together), chain.from_iterable(alone), strict=True):
            if a is not None and b is not None and not np.allclose(host(a._data), host(b._data)):
                raise errors.gradcheck(
                    "Batched tangents differ from those computed one by one, with respect to "
                    f"input {k}",
                    GradcheckError,
                )


class WithoutGradient(Function):
    """The same tensor, whose history receives an undefined gradient."""

    @staticmethod
    def forward(ctx: Any, x: Tensor) -> Any:
        return x

    @staticmethod
    def backward(ctx: Any, g: Tensor) -> None:
        return None


def check_undefined(func: Callable[..., Any], inputs: tuple[Any, ...]) -> None:
    """Check that undefined gradients count as zeros: of all outputs at once, and of each alone.

    Raises:
        GradcheckError: a gradient is not zero, or a backward cannot do without one.
    """
    xs = [x for _, x in differentiable(inputs)]
    outs = differentiable(as_tuple(func(*inputs)))
    undefined = [set(range(len(outs)))] + [{n} for n in range(len(outs)) if len(outs) > 1]
    for places in undefined:
        outs = differentiable(as_tuple(func(*inputs)))
        roots = [WithoutGradient.apply(o) if n in places else o for n, (_, o) in enumerate(outs)]
        if not roots:
            continue
        seeds = [FUNCTIONS["zeros_like"](root) for root in roots]
        try:
            found = grad(roots, xs, seeds, allow_unused=True)
        except RuntimeError as error:
            raise errors.gradcheck(
                f"Expected backward function to handle undefined output grads, but it raised: {error}",
                GradcheckError,
            ) from error
        if any(g is not None and np.any(host(g._data)) for g in found):
            raise errors.gradcheck(
                "Expected all input grads to be undefined or zero when all output grads are "
                "undefined or zero",
                GradcheckError,
            )


def gradcheck(
    func: Callable[..., Any],
    inputs: Any,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_batched_forward_grad: bool = False,
    check_forward_ad: bool = False,
    check_backward_ad: bool = True,
    fast_mode: bool = False,
    masked: bool | None = None,
) -> bool:
    """Whether the gradients of ``func`` at ``inputs`` agree with central differences.

    Every row is checked, also under ``fast_mode``.

    Args:
        func: takes the inputs, gives a tensor or a tuple of tensors.
        inputs: those that require grad are checked; double precision.
        eps: the step of the differences.
        atol, rtol: the tolerances of the comparison.
        raise_exception: refuse what fails, instead of returning False.
        nondet_tol: by how much two backward passes may differ.
        check_undefined_grad: also check that undefined gradients of outputs count as zeros.
        check_forward_ad, check_backward_ad: which modes to check.
        check_batched_grad, check_batched_forward_grad: also hold batched gradients, and batched
            tangents, against single ones.

    Raises:
        GradcheckError: they disagree, and ``raise_exception``.
        ValueError: no input requires grad, neither mode is to be checked, or batched tangents
            without forward mode.
    """
    if not (check_forward_ad or check_backward_ad):
        raise errors.wrong_value(
            "gradcheck() expects at least one of check_forward_ad and check_backward_ad to be True"
        )
    if check_batched_forward_grad and not check_forward_ad:
        raise errors.wrong_value(
            "gradcheck() expects check_forward_ad=True together with check_batched_forward_grad=True"
        )
    if check_batched_grad and not check_backward_ad:
        raise errors.wrong_value(
            "gradcheck() expects check_backward_ad=True together with check_batched_grad=True"
        )
    given = as_tuple(inputs)
    check_inputs(given)
    limits = {"eps": eps, "atol": atol, "rtol": rtol}
    try:
        if check_backward_ad:
            check_backward(func, given, limits, nondet_tol)
        if check_forward_ad:
            check_forward(func, given, limits)
        if check_batched_grad:
            check_batched(func, given)
        if check_batched_forward_grad:
            check_batched_forward(func, given)
        if check_undefined_grad and check_backward_ad:
            check_undefined(func, given)
    except GradcheckError:
        if raise_exception:
            raise
        return False
    return True


def random_seed(out: Tensor, apart: bool) -> Tensor:
    """A random gradient of an output; with ``apart``, its elements do not follow each other in
    memory."""
    shape = (*out.shape, 2) if apart else tuple(out.shape)
    seed = FUNCTIONS["randn"](shape, dtype=out.dtype)
    found: Tensor = (seed[..., 0] if apart else seed).requires_grad_()
    return found


def gradgradcheck(
    func: Callable[..., Any],
    inputs: Any,
    grad_outputs: Any = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    gen_non_contig_grad_outputs: bool = False,
    raise_exception: bool = True,
    nondet_tol: float = 0.0,
    check_undefined_grad: bool = True,
    check_grad_dtypes: bool = False,
    check_batched_grad: bool = False,
    check_fwd_over_rev: bool = False,
    check_rev_over_rev: bool = True,
    fast_mode: bool = False,
    masked: bool = False,
) -> bool:
    """Whether the gradients of the gradients of ``func`` agree with central differences, by the
    inputs and by the gradients of the outputs, which are random unless given.

    Args:
        func, inputs: as of gradcheck, with the other options.
        grad_outputs: the gradients of the outputs.
        gen_non_contig_grad_outputs: make random ones that are not contiguous.
        check_fwd_over_rev, check_rev_over_rev: which modes to differentiate the gradients by.

    Raises:
        GradcheckError: they disagree, and ``raise_exception``.
        ValueError: no input requires grad, or neither mode is to be checked.
    """
    given = as_tuple(inputs)
    outs = [o for o in as_tuple(func(*given)) if isinstance(o, Tensor) and o.requires_grad]
    if grad_outputs is None:
        seeds = tuple(random_seed(o, gen_non_contig_grad_outputs) for o in outs)
    else:
        seeds = as_tuple(grad_outputs)
    n = len(seeds)

    def slopes(*args: Any) -> tuple[Tensor, ...]:
        xs, gs = args[: len(args) - n], args[len(args) - n :]
        results = [o for o in as_tuple(func(*xs)) if isinstance(o, Tensor) and o.requires_grad]
        wanted = [x for _, x in differentiable(xs)]
        found = grad(results, wanted, gs, create_graph=True, allow_unused=True)
        return tuple(g for g in found if g is not None)

    return gradcheck(
        slopes, given + seeds, eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception,
        nondet_tol=nondet_tol, check_undefined_grad=check_undefined_grad,
        check_batched_grad=check_batched_grad, check_forward_ad=check_fwd_over_rev,
        check_backward_ad=check_rev_over_rev,
    )  # fmt: skip
