"""Formulas of neural networks: normalization, distances and losses, as their definitions read.

All of them accept complex operands where they are analytic, so that the complex step can
differentiate them: a magnitude is a number with its sign taken off, never `abs`.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

Array = Any


def magnitude(x: Array) -> Array:
    """The elements without their signs."""
    return np.where(np.real(x) < 0, -x, x)


def softplus(x: Array) -> Array:
    """log(1 + exp(x)), without overflow."""
    return np.where(np.real(x) > 0, x, 0) + np.log1p(np.exp(-magnitude(x)))


def sigmoid(x: Array) -> Array:
    """1 / (1 + exp(-x))."""
    return 1 / (1 + np.exp(-np.asarray(x)))


def log_shares(x: Array, axis: int) -> Array:
    """The logarithm of exp(x), divided by its sum along a dimension."""
    shifted = x - np.max(np.real(x), axis=axis, keepdims=True)
    return shifted - np.log(np.sum(np.exp(shifted), axis=axis, keepdims=True))


def standardized(x: Array, axis: int | tuple[int, ...], eps: float) -> Array:
    """The elements less their mean along dimensions, over the root of their variance plus `eps`."""
    rest = x - np.mean(x, axis=axis, keepdims=True)
    return rest / np.sqrt(np.mean(rest * rest, axis=axis, keepdims=True) + eps)


def per_channel(w: Array, x: Array) -> Array:
    """One number for each channel, which are in dimension 1 of `x`, ready to broadcast with it."""
    return np.reshape(w, (1, -1) + (1,) * (np.ndim(x) - 2))


def sum_around(x: Array, size: int) -> Array:
    """For each channel the sum over an odd number of channels around it, as far as they exist."""
    channels, reach = np.shape(x)[1], size // 2
    near = [
        np.sum(x[:, max(0, c - reach) : c + reach + 1], axis=1, keepdims=True)
        for c in range(channels)
    ]
    return np.concatenate(near, axis=1)


def length(x: Array, p: float, axis: int, keepdims: bool = False) -> Array:
    """The p-norm along a dimension; of order 0, the number of elements that are not zero."""
    m = magnitude(x)
    if p == 0:
        return np.sum(m != 0, axis=axis, keepdims=keepdims) + 0.0
    if np.isinf(p):
        return np.max(m, axis=axis, keepdims=keepdims)
    return np.sum(m**p, axis=axis, keepdims=keepdims) ** (1 / p)


def distances(x: Array, y: Array, p: float) -> Array:
    """The p-norm of the difference of each row of `x` and each row of `y`."""
    return length(np.expand_dims(x, -2) - np.expand_dims(y, -3), p, -1)


def row_distances(x: Array, p: float) -> Array:
    """The p-norm of the difference of each row and each later row."""
    first, second = np.triu_indices(np.shape(x)[0], 1)
    return length(x[first] - x[second], p, -1)


def class_weights(target: Array, w: Array, ignored: int) -> Array:
    """The weight of each target's class, 0 for a target that is ignored."""
    valid = target != ignored
    return np.where(valid, w[np.where(valid, target, 0)], 0)


def class_loss(logs: Array, target: Array, w: Array, ignored: int, smoothing: float = 0) -> Array:
    """Minus the weighted logarithm at each target's class; with smoothing, a part of that is
    replaced by the mean over all classes. Classes are in dimension 1, or in the only one."""
    axis = 0 if np.ndim(logs) == 1 else 1
    shape = tuple(-1 if i == axis else 1 for i in range(np.ndim(logs)))
    weighted = logs * np.reshape(w, shape)
    valid = target != ignored
    at = np.expand_dims(np.where(valid, target, 0), axis)
    own = np.squeeze(np.take_along_axis(weighted, at, axis), axis)
    mixed = (1 - smoothing) * own + smoothing * np.mean(weighted, axis=axis)
    return np.where(valid, -mixed, 0)


def ctc(
    logs: Array, targets: Array, frames: Sequence[int], counts: Sequence[int], blank: int
) -> Array:
    """For each sample, minus the logarithm of the probability of all paths whose labels, with
    repetitions merged and blanks taken out, are the target. `logs` is frames x samples x labels."""
    losses = []
    for n, count in enumerate(counts):
        labels = [blank]
        for label in targets[n][:count]:
            labels += [int(label), blank]
        p = np.exp(logs[:, n, labels])
        paths = np.where(np.arange(len(labels)) < 2, p[0], 0)
        skips = np.array(
            [i > 1 and labels[i] not in (blank, labels[i - 2]) for i in range(len(labels))]
        )
        for now in p[1 : frames[n]]:
            before = np.concatenate([np.zeros(2), paths])
            paths = (paths + before[1:-1] + skips * before[:-2]) * now
        losses.append(-np.log(np.sum(paths[-2:])))
    return np.stack(losses)


def margins(x: Array, target: Array, p: int, margin: float, w: Array) -> Array:
    """For each row the mean of max(0, margin - own + other) ** p over the classes, the target's
    own left out, times the weight of the target's class."""
    rows = np.arange(np.shape(x)[0])
    gaps = margin - x[rows, target][:, None] + x
    parts = np.where(np.real(gaps) > 0, gaps, 0) ** p
    others = np.arange(np.shape(x)[1]) != target[:, None]
    return np.mean(parts * others, axis=1) * w[target]


def label_margins(x: Array, targets: Array) -> Array:
    """For each row the sum of max(0, 1 - own + other) over the labels listed before the first -1
    and those not listed, over the number of classes."""
    losses = []
    for row, listed in zip(x, targets, strict=True):
        count = list(listed).index(-1) if -1 in listed else len(listed)
        own = listed[:count]
        others = [i for i in range(len(row)) if i not in own]
        gaps = 1 - row[own][:, None] + row[others][None, :]
        losses.append(np.sum(gaps * (np.real(gaps) > 0)) / len(row))
    return np.stack(losses)


FUNCTIONS = {
    function.__name__: function
    for function in (
        magnitude, softplus, sigmoid, log_shares, standardized, per_channel, sum_around, length, distances,
        row_distances, class_weights, class_loss, ctc, margins, label_margins,
    )
}  # fmt: skip
