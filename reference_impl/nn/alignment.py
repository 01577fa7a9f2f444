"""The loss of connectionist temporal classification: sequences whose alignment is unknown."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import beside, full, host
from ..ops import FUNCTIONS as F
from ..ops.fused import fused
from ..tensor.tensor import Tensor, wrap

__all__ = ["ctc_loss"]


def ctc_loss(
    log_probs: Tensor,
    targets: Tensor,
    input_lengths: Any,
    target_lengths: Any,
    blank: int = 0,
    reduction: str = "mean",
    zero_infinity: bool = False,
) -> Tensor:
    """Minus the log-probability of all paths that spell the target, once repetitions are merged and
    blanks removed. ``log_probs`` is frames x samples x labels, or frames x labels for one sample.

    Raises:
        ValueError: an unknown reduction.
        RuntimeError: lengths that do not fit, a blank that is no label, or numbers that are neither
            float32 nor float64.
    """
    if reduction not in ("none", "mean", "sum"):
        raise errors.wrong_value(f"{reduction} is not a valid value for reduction")
    alone = log_probs._data.ndim == 2
    logs = log_probs.unsqueeze(1) if alone else log_probs
    frames, counts = _lengths(input_lengths), _lengths(target_lengths)
    _check(logs, frames, counts, blank)
    losses = ctc_row(logs, targets, frames, counts, blank)
    if zero_infinity:
        zero = wrap(full((), 0, losses._data.dtype, losses._data))
        losses = F["where"](losses == float("inf"), zero, losses)
    if reduction == "mean":
        sizes = np.maximum(counts, 1).astype(losses._data.dtype)
        return (losses / wrap(beside(sizes, losses._data))).mean()  # type: ignore[no-any-return]
    if reduction == "sum":
        return losses.sum()  # type: ignore[no-any-return]
    return losses.squeeze(0) if alone else losses  # type: ignore[no-any-return]


def _lengths(given: Any) -> tuple[int, ...]:
    """Lengths as plain numbers."""
    values = given.tolist() if isinstance(given, Tensor) else given
    return tuple(values) if isinstance(values, (list, tuple)) else (int(values),)


def _check(logs: Tensor, frames: tuple[int, ...], counts: tuple[int, ...], blank: int) -> None:
    """Refuse lengths and a blank that do not fit."""
    if logs._data.dtype not in (np.float32, np.float64):
        raise errors.unsupported_dtype("ctc_loss", logs.dtype)
    t, n, c = logs._data.shape
    if not 0 <= blank < c:
        raise errors.wrong_value(
            f"ctc_loss(): blank must be in label range, 0 to {c - 1}; got {blank}", RuntimeError
        )
    if len(frames) != n or len(counts) != n:
        raise errors.wrong_shape(
            f"ctc_loss(): expected one input length and one target length for each of {n} samples; "
            f"their sizes are {len(frames)} and {len(counts)}"
        )
    if max(frames, default=0) > t:
        raise errors.wrong_shape(
            f"ctc_loss(): expected input lengths of at most {t}, the size of log_probs; "
            f"got {max(frames)}"
        )


def _padded(targets: Any, counts: tuple[int, ...], blank: int) -> Any:
    """Each target with a blank before, between and after its labels, padded with blanks. Targets
    are rows of a matrix, or follow one another in a vector."""
    labels = np.full((len(counts), 2 * max(counts, default=0) + 1), blank, np.int64)
    ends = np.cumsum(counts)
    for row, (count, end) in enumerate(zip(counts, ends, strict=True)):
        own = targets[row, :count] if targets.ndim == 2 else targets[end - count : end]
        labels[row, 1 : 2 * count : 2] = own
    return labels


def _ctc(
    logs: Tensor, targets: Tensor, frames: tuple[int, ...], counts: tuple[int, ...], blank: int
) -> Tensor:
    """The losses of all samples. A path that does not exist has a huge negative logarithm instead of
    an infinite one, so that gradients stay numbers."""
    kind = logs._data.dtype
    # whose neighbours are one apart, so that exp() stays finite
    never = -(2.0 ** np.finfo(kind).nmant)

    def there(values: Any) -> Tensor:
        return wrap(beside(np.ascontiguousarray(values), logs._data))

    labels = _padded(host(targets._data), counts, blank)
    n, width = labels.shape
    skips = np.zeros(labels.shape, bool)
    skips[:, 2:] = (labels[:, 2:] != blank) & (labels[:, 2:] != labels[:, :-2])
    steps = logs.gather(2, there(np.broadcast_to(labels, (logs._data.shape[0], n, width)))).unbind(
        0
    )
    nowhere = wrap(full((), never, kind, logs._data))
    border = wrap(full((n, 2), never, kind, logs._data))
    paths = F["where"](there(np.arange(width) < 2), steps[0], nowhere)
    for t in range(1, max(frames, default=0)):
        before = F["cat"]([border, paths], 1)
        skipped = F["where"](there(skips), before[:, :-2], nowhere)
        ways = F["stack"]([paths, before[:, 1:-1], skipped]).logsumexp(0) + steps[t]
        paths = F["where"](there(np.array(frames)[:, None] > t), ways, paths)
    last = 2 * np.array(counts)[:, None]
    ends = paths.gather(1, there(np.maximum(last - np.array([0, 1]), 0)))
    ends = F["where"](there(np.concatenate([last >= 0, last > 0], 1)), ends, nowhere)
    losses = -ends.logsumexp(1)
    if not all(frames):  # without a frame, there is one path, which spells nothing
        spelled = np.where(np.array(counts) == 0, 0.0, -never).astype(kind)
        losses = F["where"](there(np.array(frames) == 0), there(spelled), losses)
    never_spelled = wrap(full((), np.inf, kind, logs._data))
    return F["where"](losses > -never / 2, never_spelled, losses)  # type: ignore[no-any-return]


ctc_row = fused("_ctc_loss", _ctc, node="CtcLossBackward0", keeps_out=True)
