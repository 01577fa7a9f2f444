"""Losses and distances."""

from __future__ import annotations

import functools
import math
import warnings
from collections.abc import Callable
from typing import Any, TypeVar, cast

import numpy as np

from .. import errors
from ..backend.base import as_array, astype, full, has_values, take_at
from ..backend.dtypes import BOOL, FLOATING, promote_types
from ..errors import caution, shapes_mismatch, unsupported_dtype
from ..graph.row import ELEMENTWISE
from ..naming import named
from ..ops import FUNCTIONS as F
from ..ops.core import div, sum_to
from ..ops.fused import fused
from ..ops.op import op, variant
from ..ops.registry import function
from ..tensor.tensor import Tensor, wrap
from .activation_functions import log_softmax, softplus


def reduced(loss: Tensor, reduction: str) -> Tensor:
    """The mean, the sum, or all of a loss."""
    if reduction == "mean":
        return loss.mean()
    if reduction == "sum":
        return loss.sum()
    if reduction != "none":
        raise errors.wrong_value(f"{reduction} is not a valid value for reduction")
    return loss


F_ = TypeVar("F_", bound=Callable[..., Any])


def old_flags(size_average: Any, reduce: Any, stacklevel: int = 4) -> str:
    """The reduction that the old flags stand for, with a warning."""
    average = size_average is None or bool(size_average)
    name = "none" if reduce is not None and not reduce else "mean" if average else "sum"
    warnings.warn(
        "size_average and reduce are deprecated; together they mean "
        f"reduction='{name}'. Pass that.",
        UserWarning,
        stacklevel=stacklevel,
    )
    return name


def loss(fn: F_) -> F_:
    """A loss that still takes the old flags ``size_average`` and ``reduce``."""

    @functools.wraps(fn)
    def run(*args: Any, size_average: Any = None, reduce: Any = None, **kwargs: Any) -> Any:
        if size_average is not None or reduce is not None:
            kwargs["reduction"] = old_flags(size_average, reduce)
        try:
            return fn(*args, **kwargs)
        except TypeError as error:
            errors.mark_call(error)
            raise

    return cast(F_, named(run, fn.__name__))


def of_squares(x: Any, y: Any, scale: float) -> Any:
    """The sum of squared differences, or their mean, which a sum in half precision may be too large for."""
    squares = (x - y) ** 2
    return squares.sum() * scale if scale == 1.0 or math.isnan(scale) else squares.mean()


mse_row = op(
    "mse_loss(x, y, /, scale)",
    of_squares,
    x=lambda g, x, y, x_shape, scale: sum_to(g * (2 * scale) * (x - y), x_shape),
    y=lambda g, x, y, y_shape, scale: sum_to(g * (-2 * scale) * (x - y), y_shape),
)


def told_of_sizes(input: Tensor, target: Tensor) -> None:
    """Warn where the target has another shape, so that broadcasting may mean something else."""
    if input._data.shape != target._data.shape:
        caution(
            f"the target's size {list(target.shape)} is not the input's size "
            f"{list(input.shape)}; they broadcast, and the result is likely not the loss "
            "that is meant. Reshape one of them.",
            5,
        )


def weighted(losses: Tensor, weight: Tensor, reduction: str, by_weight: bool = True) -> Tensor:
    """A loss whose elements are weighted; its mean is that of the weights, or that of elements.

    Raises:
        ValueError: weights of another shape.
    """
    if losses._data.shape != weight._data.shape:
        raise errors.wrong_value(
            f"expected weights of the input's shape {list(losses.shape)}; got {list(weight.shape)}"
        )
    if reduction == "mean" and by_weight:
        return (losses * weight).sum() / weight.sum()
    return reduced(losses * weight, reduction)


squares = fused("mse_loss", lambda x, y, reduction: reduced((x - y) ** 2, reduction))


@loss
def mse_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None
) -> Tensor:
    """The mean of squared differences."""
    told_of_sizes(input, target)
    if weight is not None:
        return weighted((input - target) ** 2, weight, reduction)
    kind = promote_types(input.dtype, target.dtype).category
    if kind not in (BOOL, FLOATING):  # bools, which have no difference, are refused by that
        raise unsupported_dtype("mse_loss", input.dtype)
    if reduction == "none" or input._data.dtype is not target._data.dtype:
        return squares(input, target, reduction)  # type: ignore[no-any-return]
    if reduction not in ("mean", "sum"):
        raise errors.wrong_value(f"{reduction} is not a valid value for reduction")
    try:
        n = int(np.prod(np.broadcast_shapes(input._data.shape, target._data.shape)))
    except ValueError:
        raise shapes_mismatch("mse_loss", input._data.shape, target._data.shape) from None
    return mse_row.apply(input, target, 1.0 if reduction == "sum" else (1.0 / n if n else math.nan))


@loss
def l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", weight: Tensor | None = None
) -> Tensor:
    """The mean of absolute differences."""
    told_of_sizes(input, target)
    if weight is not None:
        return weighted((input - target).abs(), weight, reduction)
    return reduced((input - target).abs(), reduction)


def _smooth_l1(x: Tensor, y: Tensor, beta: float, scale: float, reduction: str) -> Tensor:
    d = (x - y).abs()
    inner = d if not beta else F["where"](d < beta, d * d * (0.5 / beta), d - 0.5 * beta)
    return reduced(inner * scale if scale != 1 else inner, reduction)


smooth_l1_row = fused("smooth_l1_loss", _smooth_l1, node="SmoothL1LossBackward0")
huber_row = fused("huber_loss", _smooth_l1)


@loss
def smooth_l1_loss(
    input: Tensor, target: Tensor, reduction: str = "mean", beta: float = 1.0
) -> Tensor:
    """Squared near zero, absolute beyond.

    Raises:
        RuntimeError: ``beta`` is below zero.
    """
    told_of_sizes(input, target)
    if beta < 0:
        raise errors.wrong_value(
            f"smooth_l1_loss(): beta must not be below zero; got {beta}", RuntimeError
        )
    if not beta:
        return l1_loss(input, target, reduction)
    if promote_types(input.dtype, target.dtype).category != FLOATING:
        raise unsupported_dtype("smooth_l1_loss", input.dtype)
    return smooth_l1_row(input, target, beta, 1, reduction)  # type: ignore[no-any-return]


@loss
def huber_loss(
    input: Tensor,
    target: Tensor,
    reduction: str = "mean",
    delta: float = 1.0,
    weight: Tensor | None = None,
) -> Tensor:
    """smooth_l1_loss times delta.

    Raises:
        RuntimeError: ``delta`` is not above zero.
    """
    told_of_sizes(input, target)
    if delta <= 0:
        raise errors.wrong_value(
            f"huber_loss(): delta must be above zero; got {delta}", RuntimeError
        )
    if promote_types(input.dtype, target.dtype).category != FLOATING:
        raise unsupported_dtype("huber_loss", input.dtype)
    if weight is not None:
        losses = huber_row(input, target, delta, delta, "none")
        return weighted(losses, weight, reduction, by_weight=False)
    return huber_row(input, target, delta, delta, reduction)  # type: ignore[no-any-return]


@loss
def nll_loss(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-probability of the target class, weighted.

    Raises:
        IndexError: a target that is no class.
        ValueError: another number of targets than of inputs.
        RuntimeError: weights that are not one for each class.
    """
    classes = input._data.shape[1 if input._data.ndim > 1 else 0]
    if weight is not None and weight._data.shape != (classes,):
        raise errors.wrong_shape(
            f"nll_loss(): weight must have one element for each of the {classes} classes; got shape "
            f"{list(weight._data.shape)}"
        )
    if input._data.ndim > 1 and input._data.shape[0] != target._data.shape[0]:
        raise errors.wrong_value(
            f"Expected input batch_size ({input._data.shape[0]}) to match target batch_size "
            f"({target._data.shape[0]})."
        )
    if target._data.dtype not in (np.int64, np.uint8):
        raise errors.wrong_dtype(
            f"expected scalar type Long but found {target.dtype} for the target"
        )
    if reduction not in ("mean", "sum", "none"):
        raise errors.wrong_value(f"{reduction} is not a valid value for reduction")
    n = input._data.ndim
    if n < 3 or n == 4:
        row = nll_row if n < 3 else nll_2d_row
        return row(input, target, weight, ignore_index, reduction)  # type: ignore[no-any-return]
    images = input.reshape((*input._data.shape[:2], 1, -1))
    places = target.reshape((target._data.shape[0], 1, -1))
    out: Tensor = nll_2d_row(images, places, weight, ignore_index, reduction)
    return out.view(target._data.shape) if reduction == "none" else out


def _nll(
    input: Tensor, target: Tensor, weight: Tensor | None, ignore_index: int, reduction: str
) -> Tensor:
    x = input.unsqueeze(0) if input._data.ndim == 1 else input
    index = (
        target._data.reshape((1, *target._data.shape)) if input._data.ndim == 1 else target._data
    )
    valid = index != ignore_index
    safe = np.where(valid, index, 0)
    if has_values(safe) and (safe.min() < 0 or safe.max() >= x._data.shape[1]):
        worst = safe.max() if safe.max() >= x._data.shape[1] else safe.min()
        raise errors.wrong_index(f"Target {int(worst)} is out of bounds.")
    picked = x.gather(1, wrap(np.expand_dims(safe, 1))).squeeze(1)
    kind = x._data.dtype
    w = full((x._data.shape[1],), 1, kind, x._data) if weight is None else weight._data
    factors = astype(take_at(w, (safe,)) * valid, kind)
    losses = -picked * wrap(factors)
    if reduction == "mean":
        return averaged(losses, as_array(factors.sum()))
    if reduction == "none" and input._data.ndim == 1:
        return losses.squeeze(0)
    return reduced(losses, reduction)


def averaged(losses: Tensor, total: Any) -> Tensor:
    """The sum of losses over the total of their weights: NaN if that is zero because every target is
    ignored, though the gradient is then zero as for each ignored target."""
    kind = losses._data.dtype
    divisor = astype(np.where(total == 0, 1, total), kind)
    undefined = astype(np.where(total == 0, np.nan, 0), kind)
    return losses.sum() / wrap(divisor) + wrap(undefined)


nll_row = fused("nll_loss", _nll)
nll_2d_row = fused("nll_loss2d", _nll, node="NllLoss2DBackward0")


@loss
def cross_entropy(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    ignore_index: int = -100,
    reduction: str = "mean",
    label_smoothing: float = 0.0,
) -> Tensor:
    """Minus the log-probability of the target, given scores; the target is a class or a
    distribution.

    Raises:
        RuntimeError: ``label_smoothing`` is not between 0 and 1.
    """
    if not 0 <= label_smoothing <= 1:
        raise errors.wrong_value(
            f"label_smoothing must be between 0.0 and 1.0. Got: {label_smoothing}", RuntimeError
        )
    dim = 0 if input._data.ndim == 1 else 1
    logp = log_softmax(input, dim)
    if target._data.dtype.kind == "f":
        if ignore_index >= 0:
            raise errors.wrong_value(
                "cross_entropy(): ignore_index is not supported for floating point target; got "
                f"{ignore_index}",
                RuntimeError,
            )
        if target._data.shape != input._data.shape:
            raise errors.wrong_dtype(
                f"expected a class index, or probabilities of the input's shape "
                f"{list(input.shape)}; found {target.dtype} of shape {list(target.shape)}"
            )
        n = input._data.shape[dim]
        t = target * (1 - label_smoothing) + label_smoothing / n if label_smoothing else target
        w = (
            1.0
            if weight is None
            else weight.reshape([-1 if d == dim else 1 for d in range(input._data.ndim)])
        )
        parts = logp * t * w
        if reduction == "none":
            return -parts.sum(dim)
        n = parts._data.size // (parts._data.shape[dim] or 1)
        total = -parts.sum()
        if reduction not in ("mean", "sum"):
            raise errors.wrong_value(f"{reduction} is not a valid value for reduction")
        return divided_by_number(total, n or math.nan) if reduction == "mean" else total
    hard = nll_loss(logp, target, weight, ignore_index, reduction)
    if not label_smoothing:
        return hard
    smooth = _smoothed(logp, target, weight, ignore_index, reduction, dim)
    return hard * (1 - label_smoothing) + smooth * label_smoothing


def _smoothed(
    logp: Tensor, target: Tensor, weight: Tensor | None, ignored: int, reduction: str, dim: int
) -> Tensor:
    """Minus the mean of the weighted log-probabilities over the classes; in the mean over targets,
    each counts as much as the weight of its class."""
    kind = logp._data.dtype
    w = full((logp._data.shape[dim],), 1, kind, logp._data) if weight is None else weight._data
    valid = target._data != ignored
    shape = [-1 if d == dim else 1 for d in range(logp._data.ndim)]
    losses = -(logp * wrap(w.reshape(shape))).mean(dim) * wrap(astype(valid, kind))
    if reduction != "mean":
        return reduced(losses, reduction)
    counted = take_at(w, (np.where(valid, target._data, 0),)) * valid
    return averaged(losses, as_array(counted.sum()))


def same_size(input: Tensor, target: Tensor, what: str) -> None:
    """Refuse a target of another shape."""
    if input._data.shape != target._data.shape:
        raise errors.wrong_value(
            f"{what} Target size ({target.shape}) must be the same as input size ({input.shape})"
        )


bce_row = op(
    "binary_cross_entropy(x, y)",
    lambda x, y: -(y * np.maximum(np.log(x), -100) + (1 - y) * np.maximum(np.log(1 - x), -100)),
    ELEMENTWISE,
    x=lambda g, x, y: (
        g
        * (
            (x - y) / F["clamp"](x * (1 - x), 1e-12)
            if isinstance(x, Tensor)
            else (x - y) / np.maximum(x * (1 - x), 1e-12)
        )
    ),
    y=lambda g, x: g * (log_of(1 - x) - log_of(x)),
)


def log_of(x: Any) -> Any:
    """The logarithm, limited to -100."""
    if isinstance(x, Tensor):
        return x.log().clamp_min(-100.0)
    return np.maximum(np.log(x), -100)


@loss
def binary_cross_entropy(
    input: Tensor, target: Tensor, weight: Tensor | None = None, reduction: str = "mean"
) -> Tensor:
    """Minus the log-likelihood of probabilities, logs limited to -100.

    Raises:
        ValueError: a target of another shape.
        RuntimeError: an input outside [0, 1].
    """
    same_size(input, target, "Using a target size that is different is not allowed:")
    if has_values(input._data) and not ((input._data >= 0) & (input._data <= 1)).all():
        raise errors.wrong_value(
            "binary_cross_entropy(): each input must be a probability, in [0, 1]; got "
            f"values from {input._data.min()} to {input._data.max()}",
            RuntimeError,
        )
    return bce_fused(input, target, weight, reduction)  # type: ignore[no-any-return]


def _bce(input: Tensor, target: Tensor, weight: Tensor | None, reduction: str) -> Tensor:
    losses = bce_row.apply(input, target)
    return reduced(losses if weight is None else losses * weight, reduction)


bce_fused = fused("binary_cross_entropy", _bce)


@loss
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    reduction: str = "mean",
    pos_weight: Tensor | None = None,
) -> Tensor:
    """The same, given scores.

    Raises:
        ValueError: a target of another shape.
    """
    same_size(input, target, "")
    return logits_row(input, target, weight, pos_weight, reduction)  # type: ignore[no-any-return]


def _with_logits(
    input: Tensor, target: Tensor, weight: Tensor | None, pos_weight: Tensor | None, reduction: str
) -> Tensor:
    scale = 1.0 if pos_weight is None else (pos_weight - 1) * target + 1
    loss = (1 - target) * input + softplus(-input, threshold=1e9) * scale
    return reduced(loss if weight is None else loss * weight, reduction)


logits_row = fused(
    "binary_cross_entropy_with_logits",
    _with_logits,
    node="BinaryCrossEntropyWithLogitsBackward0",
)


@loss
def kl_div(
    input: Tensor, target: Tensor, reduction: str = "mean", log_target: bool = False
) -> Tensor:
    """target times (log target - input)."""
    if reduction == "mean":
        caution(
            "kl_div(): reduction='mean' divides by the number of elements; the divergence itself is "
            "the sum divided by the batch size, which is reduction='batchmean'",
            5,
        )
    loss = (
        target.exp() * (target - input)
        if log_target
        else F["xlogy"](target, target) - target * input
    )
    return (
        loss.sum() / input._data.shape[0] if reduction == "batchmean" else reduced(loss, reduction)
    )


divided_by_number = variant(div, "DivBackward1").apply


@function("cosine_similarity")
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Tensor:
    """The cosine of the angle between vectors."""
    a = x1 / x1.norm(2, dim, keepdim=True).clamp_min(eps)
    b = x2 / x2.norm(2, dim, keepdim=True).clamp_min(eps)
    return (a * b).sum(dim)


@function("pairwise_distance")
def pairwise_distance(
    x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False
) -> Tensor:
    """The norm of the difference of rows."""
    return distance_row(x1 - x2 + eps, p, -1, keepdim)  # type: ignore[no-any-return]


distance_row = fused(
    "norm", lambda x, p, dim, keepdim: x.norm(p, dim, keepdim), "NormBackward1", keeps_out=True
)


@loss
def poisson_nll_loss(
    input: Tensor,
    target: Tensor,
    log_input: bool = True,
    full: bool = False,
    eps: float = 1e-8,
    reduction: str = "mean",
) -> Tensor:
    """Minus the log-likelihood of counts."""
    loss = input.exp() - target * input if log_input else input - target * (input + eps).log()
    if full:
        t = target._data
        safe = np.maximum(t, 1)
        rest = t * np.log(safe) - t + 0.5 * np.log(2 * math.pi * safe)
        loss = loss + wrap(np.where(t > 1, rest, 0).astype(t.dtype))
    return reduced(loss, reduction)


@loss
def soft_margin_loss(input: Tensor, target: Tensor, reduction: str = "mean") -> Tensor:
    """log(1 + exp(-target x))."""
    return soft_margin_row(input, target, reduction)  # type: ignore[no-any-return]


soft_margin_row = fused(
    "soft_margin_loss",
    lambda x, y, reduction: reduced(softplus(-y * x, threshold=1e9), reduction),
)
