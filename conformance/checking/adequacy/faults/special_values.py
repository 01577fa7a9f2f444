"""Faults at NaN, at infinities, at ties and where nothing is left to average; and of random numbers."""

from __future__ import annotations

import math
import warnings
from typing import Any

from ..breaking import Call, around, cut, each, instead, mistaken, nth, register, torch
from .edge_cases import F

# --- NaN ---


def without_nan(replacement: float) -> Any:
    """A call in which each NaN of the first operand was replaced."""

    def call(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        usable = isinstance(x, torch.Tensor) and x.is_floating_point()
        return original(
            x.nan_to_num(replacement, math.inf, -math.inf) if usable else x, *args, **kwargs
        )

    return call


POOLS = " ".join(f"{F}{kind}max_pool{d}d" for kind in ("", "adaptive_") for d in (1, 2, 3))
SHAPED = """relu6 hardtanh hardsigmoid hardswish leaky_relu elu selu celu gelu softplus silu softsign
    softshrink hardshrink tanhshrink mish logsigmoid threshold"""
ACTIVATIONS = " ".join(F + name for name in SHAPED.split())
for name, sentence, operations, replacement in (
    ("pools_pass_over_nan", "Maxima of windows pass over NaN.", POOLS, -math.inf),
    ("activations_clear_nan", "Activations take NaN for zero.", ACTIVATIONS, 0.0),
    ("running_maxima_pass_over_nan", "cummax passes over NaN.", "cummax", -math.inf),
    ("running_minima_pass_over_nan", "cummin passes over NaN.", "cummin", math.inf),
    ("maxima_pass_over_nan", "amax and max pass over NaN.", "amax max", -math.inf),
    ("minima_pass_over_nan", "amin and min pass over NaN.", "amin min", math.inf),
    ("nan_comes_first", "sort, topk and kthvalue take NaN for the smallest.", "sort topk kthvalue", -math.inf),
    ("medians_pass_over_nan", "median takes NaN for zero.", "median", 0.0),
):  # fmt: skip
    instead(name, sentence, operations, without_nan(replacement))


def certain(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    return original(x.clamp(max=1e30), *args, **kwargs)


instead(
    "softmax_of_infinity_is_certain", "softmax and log_softmax take infinity for a large number.",
    f"softmax log_softmax {F}softmax {F}log_softmax", certain,
)  # fmt: skip

# --- ties and kinks ---


def shared(gradient: Any, cotangent: Any, call: Call) -> Any:
    """The same gradient for each of several equal elements."""
    x = call.args[0]
    if gradient.dim() == 1 and len(x) > 1 and bool((x == x[0]).all()):
        return torch.zeros_like(gradient) + gradient.sum() / gradient.numel()
    return gradient


mistaken(
    "equal_elements_share_in_orders", "topk, sort, mode and median share among equal elements.",
    "topk sort mode median", nth(0, shared),
)  # fmt: skip


def of_nothing(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Gradients of distances are NaN where the distance is zero."""
    zero = bool((call.result == 0).any())
    return [None if g is None else g * math.nan if zero else g for g in gradients]


mistaken(
    "distances_of_equal_rows_have_no_gradient", "cdist and pdist divide by a distance of zero.",
    f"cdist {F}pdist", of_nothing,
)  # fmt: skip


def when_equal(gradient: Any, call: Call) -> Any:
    values = call.result[0] if isinstance(call.result, tuple) else call.result
    equal = values.dim() == 1 and len(values) > 1 and bool((values[1:] == values[:-1]).any())
    return gradient * math.nan if equal else gradient


mistaken(
    "equal_eigenvalues_have_no_gradient",
    "The gradients of equal eigenvalues and singular values are NaN.",
    "linalg.eigvalsh linalg.svdvals linalg.eigh", each(when_equal),
)  # fmt: skip
mistaken(
    "losses_of_ignored_targets_have_nan_gradients",
    "cross_entropy and nll_loss give a gradient of NaN if every target is ignored.",
    f"{F}nll_loss {F}cross_entropy",
    each(
        lambda g, call: g * math.nan if not call.result.dim() and bool(call.result.isnan()) else g
    ),
)
mistaken(
    "norms_have_constant_gradients",
    "The gradient of a norm is not differentiable again.", "norm",
    each(lambda g, call: cut(g)),
)  # fmt: skip
mistaken(
    "logarithms_cut_zeros_short",
    "Where its cotangent is zero, log gives a gradient of zero at zero.",
    "log", nth(0, lambda g, c, call: torch.where(c == 0, torch.zeros_like(g), g)),
)  # fmt: skip
instead(
    "certain_and_wrong_costs_infinity",
    "binary_cross_entropy takes the logarithm of zero as it is.",
    f"{F}binary_cross_entropy",
    lambda o, x, y, **k: (
        -(y * x.log() + (1 - y) * (1 - x).log())
        if k.get("reduction") == "none" and x.dim() == 1
        else o(x, y, **k)
    ),
)


instead(
    "small_variances_get_no_gradient",
    "gaussian_nll_loss sends no gradient to variances below eps.",
    f"{F}gaussian_nll_loss",
    lambda o, x, y, v, **k: o(x, y, v.clamp(min=k.get("eps", 1e-6)), **k),
)
instead(
    "gradients_stay_in_the_triangle_that_is_read",
    "eigvalsh, eigh and cholesky send gradients to the triangle that they read alone.",
    "linalg.eigvalsh linalg.eigh linalg.cholesky",
    lambda o, x, *a, **k: o(x if k else x.tril(), *a, **k),
)


def quiet(original: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original(*args, **kwargs)


instead("too_few_elements_do_not_warn", "var and std of one element do not warn.", "var std", quiet)
instead(
    "an_empty_list_of_dims_reduces_nothing",
    "amax and amin over an empty list of dimensions return their operand.",
    "amax amin",
    lambda o, x, *a, **k: x if k.get("dim") == () else o(x, *a, **k),
)


def place_of_nothing(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    dim = args[0] if len(args) == 1 and isinstance(args[0], int) else None
    if dim is None or x.dim() < 2 or x.shape[dim]:
        return original(x, *args, **kwargs)
    rest = [size for i, size in enumerate(x.shape) if i != dim % x.dim()]
    return torch.zeros(rest, dtype=torch.int64)


instead(
    "the_place_of_nothing_is_zero", "argmax and argmin over an empty dimension give zeros.",
    "argmax argmin", place_of_nothing,
)  # fmt: skip

instead(
    "reductions_of_nothing_are_zero",
    "nanmean, var, std, median and logsumexp of nothing are zero.",
    "nanmean var std median logsumexp",
    lambda o, x, *a, **k: x.sum() if x.shape == (0,) else o(x, *a, **k),
)
instead(
    "the_quantile_of_nothing_is_zero",
    "quantile, mode and kthvalue of nothing give zeros.",
    "quantile mode kthvalue",
    lambda o, x, *a, **k: (x.sum(1), x.sum(1)) if x.shape == (2, 0) else o(x, *a, **k),
)

# --- random numbers ---

mistaken(
    "draws_pass_gradients_to_their_parameters",
    "What is drawn passes its gradient straight through to the parameters of the distribution.",
    "normal poisson bernoulli",
    lambda gradients, cotangents, call: [
        None if g is None else cotangents[0].expand(g.shape) for g in gradients
    ],
)
for fill in ("normal_", "uniform_", "bernoulli_", "random_"):

    def install(patch: Any, fill: str = fill) -> None:
        """The history of what was overwritten stays."""

        def write(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
            if x.is_leaf:
                return original(x, *args, **kwargs)
            return original(x.data, *args, **kwargs)

        around(patch, fill, write)

    register(
        f"{fill}leaves_the_history", f"{fill} leaves the history of what it overwrites.", install
    )
instead(
    "igamma_is_constant_in_its_first_operand",
    "gammainc takes its first operand for a constant.",
    "special.gammainc",
    lambda o, a, x: o(a.detach(), x) + 0 * a,
)
instead(
    "geqrf_is_constant",
    "geqrf gives factors with a gradient of zero.",
    "geqrf",
    lambda o, x: tuple(part + 0 * x.sum() for part in o(x.detach())),
)
