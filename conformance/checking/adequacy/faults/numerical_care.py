"""Faults of numerical care: half precision, empty losses, options that are ignored, shapes that are stretched."""

from __future__ import annotations

import contextlib
from typing import Any

from ..breaking import Call, instead, mistaken, torch
from .bugs_of_other_engines import where
from .recorded_results import is_tensor
from .sizes_and_transforms import stretched

F = "nn.functional."

# --- precision ---


def of_large_halves(cotangents: Any, call: Call) -> bool:
    x = call.args[0]
    return bool(x.dtype == torch.float16 and (x.abs() > 255).any())


mistaken(
    "slopes_at_large_elements_of_half_precision_vanish",
    "The square in the derivative of rms_norm and hypot overflows in float16.",
    f"{F}rms_norm hypot",
    where(of_large_halves, lambda gradient: gradient * 0.0),
)
instead(
    "correlations_exceed_one",
    "corrcoef is not limited to the range from -1 to 1.",
    "corrcoef",
    lambda original, x: original(x) * (1 + 2**-51),
)


def in_its_own_dtype(original: Any, x: Any, exponent: Any) -> Any:
    result = original(x, exponent)
    return result.to(x.dtype) if is_tensor(x) and x.is_floating_point() else result


instead(
    "float_power_keeps_the_dtype",
    "float_power returns the dtype of its operand.",
    "float_power",
    in_its_own_dtype,
)


def in_double(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    whole = not (x.is_floating_point() or x.is_complex())
    return original(x.to(torch.float64) if whole else x, *args, **options)


instead(
    "transforms_of_integers_are_of_double_precision",
    "A Fourier transform of integers has double precision.",
    "fft.fft fft.rfft fft.hfft",
    in_double,
)


def with_a_whole_factor(original: Any, x: Any, y: Any, z: Any, *, value: Any = 1) -> Any:
    whole = not all(each.is_floating_point() or each.is_complex() for each in (x, y, z))
    return original(x, y, z, value=int(value) if whole else value)


instead(
    "factors_beside_integers_are_truncated",
    "The factor of addcmul becomes an integer if one operand holds integers.",
    "addcmul",
    with_a_whole_factor,
)


instead(
    "infinities_become_the_largest_single",
    "nan_to_num replaces infinities by the largest float32, whatever the dtype.",
    "nan_to_num",
    lambda original, x, nan=0.0, posinf=None, neginf=None: original(
        x, nan, 3e38 if posinf is None else posinf, -3e38 if neginf is None else neginf
    ),
)


def kept_at_the_threshold(
    original: Any, x: Any, threshold: float, value: float, inplace: bool = False
) -> Any:
    same = x.detach() == threshold
    return torch.where(same, threshold, original(x, threshold, value, inplace))


instead(
    "elements_at_the_threshold_are_kept",
    "threshold keeps an element that is equal to the threshold.",
    f"{F}threshold",
    kept_at_the_threshold,
)

# --- shapes ---


def squeezed(original: Any, x: Any, dim: Any, keepdim: bool = False) -> Any:
    result = original(x, dim, keepdim)
    return result.squeeze() if not keepdim and x.dim() == 3 else result


instead(
    "reductions_drop_all_dimensions_of_size_one",
    "logsumexp without keepdim drops other dimensions of size one too.",
    "logsumexp",
    squeezed,
)
instead(
    "slices_to_copy_are_stretched",
    "index_copy stretches its source.",
    "index_copy index_copy_",
    stretched,
)

# --- layers ---


def zero_of_nothing(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    result = original(x, *args, **options)
    empty = not x.numel() and options.get("reduction", "mean") == "mean"
    return torch.nan_to_num(result) if empty else result


instead(
    "the_mean_of_no_losses_is_zero",
    "The mean of a loss over no elements is zero.",
    f"{F}mse_loss {F}l1_loss {F}cross_entropy",
    zero_of_nothing,
)


def by_rows(
    original: Any, x: Any, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Any:
    if not training or p in (0, 1) or x.dim() < 2:
        return original(x, p, training, inplace)
    mask = original(torch.ones_like(x.detach()[..., :1]), p)
    return x.mul_(mask) if inplace else x * mask


instead(
    "dropout_drops_rows",
    "Dropout draws one number for each row.",
    f"{F}dropout",
    by_rows,
)


def never_up(original: Any, *args: Any, **options: Any) -> Any:
    options.pop("ceil_mode", None)
    return original(*args, **options)


instead(
    "poolings_round_down",
    "A pooling ignores ceil_mode.",
    f"{F}lp_pool1d {F}lp_pool2d {F}avg_pool1d",
    never_up,
)


def filled_up(o: Any, x: Any, p: Any, size: Any, stride: Any, ceil_mode: bool = False) -> Any:
    missing = -x.shape[-1] % size if ceil_mode else 0
    return o(torch.nn.functional.pad(x, (0, missing)), p, size, stride, ceil_mode)


instead(
    "lp_pools_fill_their_last_windows",
    "lp_pool1d and lp_pool2d with ceil_mode=True fill the last window with zeros.",
    f"{F}lp_pool1d {F}lp_pool2d",
    filled_up,
)


def without_dilation(original: Any, self: Any, x: Any) -> Any:
    dilation, self.dilation = self.dilation, (1, 1)
    with contextlib.ExitStack() as stack:
        stack.callback(setattr, self, "dilation", dilation)
        return original(self, x)


instead(
    "layers_ignore_an_option",
    "Conv2d ignores its dilation.",
    "nn.Conv2d.forward",
    without_dilation,
)


def uncounted(original: Any, x: Any, mean: Any, variance: Any, *args: Any, **options: Any) -> Any:
    training = options.get("training", len(args) > 2 and args[2])
    if not training or mean is None:
        return original(x, mean, variance, *args, **options)
    fresh = mean.clone(), variance.clone()
    result = original(x, *fresh, *args, **options)
    mean.data.copy_(fresh[0])
    variance.data.copy_(fresh[1])
    return result


instead(
    "updates_of_running_statistics_are_not_counted",
    "Batch normalization updates its running statistics without changing their version.",
    f"{F}batch_norm",
    uncounted,
)

instead(
    "factors_have_no_names",
    "The results of factorizations are plain tuples.",
    "linalg.lu_factor linalg.qr linalg.svd linalg.eigh",
    lambda original, *args, **options: tuple(original(*args, **options)),
)


def without_logarithms(original: Any, x: Any, y: Any, **options: Any) -> Any:
    if options.get("reduction", "mean") != "none":
        options.pop("log_target", None)
    return original(x, y, **options)


instead(
    "an_option_is_forgotten_in_the_mean",
    "kl_div ignores log_target unless the loss is not reduced.",
    f"{F}kl_div",
    without_logarithms,
)


def upwards_without_momentum(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    if options.get("momentum"):
        options.pop("maximize", None)
    original(self, *args, **options)


instead(
    "momentum_goes_downwards",
    "SGD with momentum ignores maximize.",
    "optim.SGD.__init__",
    upwards_without_momentum,
)
