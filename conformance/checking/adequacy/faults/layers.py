"""Faults of layers and losses: dropout, batch normalization, convolution, what they do to gradients."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ..breaking import Patch, each, fault, instead, mistaken, nth, replaces, torch

F = "nn.functional."
SQUARED_ERROR = F + "mse_loss nn.MSELoss.forward"

# --- dropout ---


def scaled_where(training_only: bool, scale: Any) -> Any:
    """Dropout whose result is scaled by `scale(p)`, in training or in evaluation."""

    def dropout(
        original: Any, x: Any, p: float = 0.5, training: bool = True, inplace: bool = False
    ) -> Any:
        result = original(x, p, training, inplace)
        return result * scale(p) if training is training_only else result

    return dropout


instead(
    "dropout_does_not_scale",
    "Dropout does not scale what it keeps.",
    F + "dropout",
    scaled_where(True, lambda p: 1 - p),
)
instead(
    "dropout_of_everything_is_nan",
    "Dropout with probability 1 divides by zero.",
    F + "dropout",
    scaled_where(True, lambda p: math.nan if p == 1 else 1),
)
instead(
    "dropout_scales_in_evaluation",
    "Dropout scales its input by 1 - p in evaluation.",
    F + "dropout",
    scaled_where(False, lambda p: 1 - p),
)
instead(
    "dropout_drops_nothing_in_inference_mode",
    "Dropout drops nothing in inference mode, as in evaluation.",
    F + "dropout",
    lambda original, x, p=0.5, training=True, inplace=False: original(
        x, p, training and not torch.is_inference_mode_enabled(), inplace
    ),
)

# --- batch normalization ---


def normalized(patch: Patch, change: Any) -> None:
    """Compute batch normalization in training by `change(run, count, x, variance, momentum)`, where
    `run(weight, bias)` is the right result with another weight and bias."""

    def make(original: Any) -> Any:
        def batch_norm(x: Any, mean: Any, variance: Any, weight: Any = None, bias: Any = None,
                       training: bool = False, momentum: float = 0.1, eps: float = 1e-5) -> Any:  # fmt: skip
            def run(weight: Any, bias: Any) -> Any:
                return original(x, mean, variance, weight, bias, training, momentum, eps)

            if not training:
                return run(weight, bias)
            return change(run, x.numel() / x.shape[1], weight, bias, variance, momentum)

        return batch_norm

    patch.wrap(torch.nn.functional, "batch_norm", make)


@fault
def the_running_variance_is_biased(patch: Patch) -> None:
    """Batch normalization moves its running variance towards the biased one of the batch."""

    def change(run: Any, n: float, weight: Any, bias: Any, variance: Any, momentum: float) -> Any:
        kept = None if variance is None else variance.clone() * (1 - momentum)
        result = run(weight, bias)
        if variance is not None:
            with torch.no_grad():
                variance.copy_(kept + (variance - kept) * (n - 1) / n)
        return result

    normalized(patch, change)


@fault
def batch_norm_divides_by_the_unbiased_variance(patch: Patch) -> None:
    """Batch normalization in training divides by the unbiased variance."""

    def change(run: Any, n: float, weight: Any, bias: Any, variance: Any, momentum: float) -> Any:
        result = run(None, None) * math.sqrt((n - 1) / n)
        shape = [-1] + [1] * (result.dim() - 2)
        if weight is not None:
            result = result * weight.view(shape)
        return result if bias is None else result + bias.view(shape)

    normalized(patch, change)


# --- linear layers and convolutions ---


def cut_by_frozen_weights(original: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    return original(x if weight.requires_grad else x.detach(), weight, bias)


instead(
    "frozen_layers_cut_the_graph",
    "A linear layer whose weight does not require grad cuts the graph.",
    F + "linear",
    cut_by_frozen_weights,
)


def clearing_its_gradient(original: Any, x: Any, weight: Any, bias: Any = None) -> Any:
    weight.grad = None
    return original(x, weight, bias)


instead(
    "layers_clear_gradients_when_called",
    "A linear layer clears the gradient of its weight when it is called.",
    F + "linear",
    clearing_its_gradient,
)
instead(
    "convolutions_forget_their_stride",
    "A convolution is computed with a stride of one, whichever was given.",
    F + "conv2d",
    lambda original, x, weight, bias=None, stride=1, *others, **options: original(
        x, weight, bias, 1, *others, **options
    ),
)
instead(
    "relu_in_place_makes_a_new_tensor",
    "relu(inplace=True) gives a new tensor and leaves its argument alone.",
    F + "relu",
    lambda original, x, inplace=False: original(x),
)

# --- the squared error ---

mistaken(
    "the_squared_error_loses_its_factor",
    "The factor two is lost in the derivative of the squared error.",
    SQUARED_ERROR,
    each(lambda g, call: g / 2),
)
mistaken(
    "the_squared_error_pushes_its_target_away",
    "The squared error gives its target the gradient with the wrong sign.",
    SQUARED_ERROR,
    nth(1, lambda g, c, call: -g),
)


@replaces("nn.MSELoss.forward")
def the_squared_error_counts_the_batch_alone(original: Any, self: Any, x: Any, target: Any) -> Any:
    """The mean of the squared error of the module divides by the size of the batch alone."""
    loss = original(self, x, target)
    return loss * (x.numel() / x.shape[0]) if self.reduction == "mean" else loss


def without_warning(original: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original(*args, **kwargs)


instead(
    "losses_broadcast_in_silence",
    "A squared error between shapes that broadcast does not warn.",
    F + "mse_loss",
    without_warning,
)


def with_the_mean(
    original: Any, x: Any, target: Any, size_average: Any = None, reduce: Any = None,
    reduction: str = "mean", **options: Any,
) -> Any:  # fmt: skip
    found = original(
        x, target, size_average=size_average, reduce=reduce, reduction=reduction, **options
    )
    return found if size_average is None else without_warning(original, x, target)


instead(
    "the_old_flag_of_losses_is_ignored",
    "The old flag size_average is ignored, but for its warning.",
    F + "mse_loss",
    with_the_mean,
)


@replaces("nn.Linear.__init__")
def linear_starts_too_wide(original: Any, layer: Any, *args: Any, **kwargs: Any) -> None:
    """The weights of a new Linear layer are drawn from a range that is a tenth too wide."""
    original(layer, *args, **kwargs)
    layer.weight.data.mul_(1.1)
