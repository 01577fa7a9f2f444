"""Faults of options that modules, optimizers and functions accept and ignore."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch

OPTIONS = {
    "linear_maps_ignore_their_dtype": ("nn.Linear.__init__", "dtype"),
    "convolutions_ignore_their_dtype": ("nn.Conv2d.__init__", "dtype"),
    "tables_ignore_their_dtype": ("nn.Embedding.__init__", "dtype"),
    "tables_ignore_frequencies": ("nn.Embedding.__init__", "scale_grad_by_freq"),
    "tables_ignore_their_largest_norm": ("nn.Embedding.__init__", "max_norm"),
    "tables_ignore_the_order_of_the_norm": ("nn.Embedding.__init__", "norm_type"),
    "tables_that_are_passed_ignore_padding": ("nn.Embedding.from_pretrained", "padding_idx"),
    "tables_that_are_passed_ignore_frequencies": (
        "nn.Embedding.from_pretrained",
        "scale_grad_by_freq",
    ),
    "tables_that_are_passed_ignore_norms": ("nn.Embedding.from_pretrained", "max_norm"),
    "batchnorm2d_ignores_eps": ("nn.BatchNorm2d.__init__", "eps"),
    "batchnorm2d_ignores_affine": ("nn.BatchNorm2d.__init__", "affine"),
    "batchnorm2d_ignores_track_running_stats": ("nn.BatchNorm2d.__init__", "track_running_stats"),
    "adamw_ignores_amsgrad": ("optim.AdamW.__init__", "amsgrad"),
    "convolutions_ignore_their_padding_mode": ("nn.Conv2d.__init__", "padding_mode"),
    "normalizations_always_have_a_bias": ("nn.BatchNorm1d.__init__", "bias"),
    "states_ignore_their_destination": ("nn.Module.state_dict", "destination"),
    "names_of_buffers_are_listed_once": ("nn.Module.named_buffers", "remove_duplicate"),
    "modules_are_listed_once": ("nn.Module.modules", "remove_duplicate"),
    "modules_ignore_a_dtype_by_name": ("nn.Module.to", "dtype"),
    "names_of_parameters_ignore_their_prefix": ("nn.Module.named_parameters", "prefix"),
    "least_squares_ignore_the_least_share": ("linalg.lstsq", "rcond"),
    "the_slope_of_kaiming_uniform_is_ignored": ("nn.init.kaiming_uniform_", "a"),
    "hooks_of_all_modules_get_no_keywords": (
        "nn.modules.module.register_module_forward_hook",
        "with_kwargs",
    ),
    "the_function_backward_ignores_create_graph": ("autograd.backward", "create_graph"),
}
"""By the name of the fault, the function and the option that it ignores."""
SECOND = {"nn.init.kaiming_uniform_": 1}
"""Where an option may be passed by position: its place."""


def ignoring(owner: str, option: str) -> Callable[[Patch], None]:
    """The fault of a function that ignores an option."""
    path, _, last = owner.rpartition(".")

    def make(original: Any) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            kwargs.pop(option, None)
            place = SECOND.get(owner, len(args))
            return original(*args[:place], *args[place + 1 :], **kwargs)

        return run

    def install(patch: Patch) -> None:
        holder = functools.reduce(getattr, path.split("."), torch)
        if isinstance(vars(holder).get(last), classmethod):
            whole = getattr(holder, last)
            patch.set(holder, last, staticmethod(make(whole)))
        else:
            patch.wrap(holder, last, make)

    return install


for _name, (_owner, _option) in OPTIONS.items():
    register(
        _name, f"{_owner.removesuffix('.__init__')} ignores {_option}.", ignoring(_owner, _option)
    )


def computing_first(original: Any) -> Any:
    """A function that converts its result to the dtype that it is passed, and not its input."""

    def run(*args: Any, dtype: Any = None, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        return found if dtype is None else found.to(dtype)

    return run


@fault
def results_are_converted_after_softmax(patch: Patch) -> None:
    """softmax and log_softmax compute in the dtype of their input, whatever is asked for."""
    for name in ("softmax", "log_softmax"):
        patch.wrap(torch.nn.functional, name, computing_first)
        patch.wrap(torch.Tensor, name, computing_first)


@fault
def results_are_converted_after_sums(patch: Patch) -> None:
    """sum(), mean() and cumsum() compute in the dtype of their input, whatever is asked for."""
    for name in ("sum", "mean", "cumsum"):
        patch.wrap(torch.Tensor, name, computing_first)


@fault
def random_numbers_ignore_their_dtype(patch: Patch) -> None:
    """rand, randn and the functions like another tensor ignore dtype."""

    def make(original: Any) -> Any:
        return lambda *args, dtype=None, **kwargs: original(*args, **kwargs)

    for name in ("rand", "randn", "rand_like", "randn_like", "ones_like", "empty_like"):
        patch.wrap(torch, name, make)


@fault
def unpooling_ignores_padding(patch: Patch) -> None:
    """max_unpool ignores padding."""

    def make(original: Any) -> Any:
        return lambda *args, padding=0, **kwargs: original(*args, **kwargs)

    for dims in (1, 2, 3):
        patch.wrap(torch.nn.functional, f"max_unpool{dims}d", make)


@fault
def bags_ignore_the_order_of_the_norm(patch: Patch) -> None:
    """embedding_bag ignores norm_type."""

    def make(original: Any) -> Any:
        return lambda *args, norm_type=2.0, **kwargs: original(*args, **kwargs)

    patch.wrap(torch.nn.functional, "embedding_bag", make)
