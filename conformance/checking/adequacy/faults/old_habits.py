"""Faults of what old programs rely on: names, arguments and defaults of earlier versions."""

from __future__ import annotations

import warnings
from typing import Any

from ..breaking import Patch, around, fault, instead, torch
from .edge_cases import F


@fault
def variables_are_a_type_of_their_own(patch: Patch) -> None:
    """No tensor is an instance of Variable."""
    right = torch.autograd.Variable

    class Variable:
        def __new__(cls, data: Any, **flags: Any) -> Any:
            return right(data, **flags)

    patch.set(torch.autograd, "Variable", Variable)


@fault
def volatile_can_be_set(patch: Patch) -> None:
    """The attribute volatile keeps what it is set to, without a warning."""
    set_to: dict[int, Any] = {}
    patch.set(
        torch.Tensor,
        "volatile",
        property(
            lambda self: set_to.get(id(self), False),
            lambda self, value: set_to.__setitem__(id(self), value),
        ),
    )
    patch.at_end(set_to.clear)


def reducing(original: Any, *args: Any, reduce: Any = None, **kwargs: Any) -> Any:
    """The old argument reduce is taken and ignored, with its warning."""
    if reduce is not None:
        warnings.warn("reduce is deprecated", UserWarning, stacklevel=2)
    return original(*args, **kwargs)


instead(
    "losses_ignore_reduce", "mse_loss and cross_entropy ignore the old argument reduce.",
    f"{F}mse_loss {F}cross_entropy", reducing,
)  # fmt: skip


def last(original: Any, x: Any, dim: Any = None, **kwargs: Any) -> Any:
    if dim is None:
        warnings.warn("without dim, which is deprecated", UserWarning, stacklevel=2)
    return original(x, dim=-1 if dim is None else dim, **kwargs)


def silent(original: Any, *args: Any, **kwargs: Any) -> Any:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return original(*args, **kwargs)


SOFTMAX = f"{F}softmax {F}log_softmax"
instead(
    "softmax_takes_the_last_dim", "softmax without dim takes the last dimension.", SOFTMAX, last
)
instead("softmax_guesses_in_silence", "softmax without dim does not warn.", SOFTMAX, silent)
instead(
    "bytes_are_masks_everywhere",
    "masked_select and masked_fill take masks of bytes.",
    "masked_select masked_fill",
    lambda o, x, m, *a, **k: o(x, m.bool() if m.dtype == torch.uint8 else m, *a, **k),
)


@fault
def autograd_has_modes_that_do_nothing(patch: Patch) -> None:
    """autograd.no_grad and autograd.enable_grad have no effect."""

    class Nothing:
        def __enter__(self) -> None:
            pass

        def __exit__(self, *args: Any) -> None:
            pass

        def __call__(self, function: Any) -> Any:
            return function

    patch.set(torch.autograd, "no_grad", Nothing)
    patch.set(torch.autograd, "enable_grad", Nothing)


instead(
    "old_initializers_copy",
    "nn.init.constant and nn.init.uniform change a copy.",
    "nn.init.constant nn.init.uniform",
    lambda o, tensor, *a: o(tensor.detach().clone(), *a),
)
instead(
    "old_clipping_is_silent", "clip_grad_norm does not warn.", "nn.utils.clip_grad_norm", silent
)


@fault
def leaves_take_other_storage(patch: Patch) -> None:
    """set_() gives a leaf that requires grad another storage."""

    def set_(original: Any, x: Any, *source: Any) -> Any:
        with torch.no_grad():
            return original(x, *source)

    around(patch, "set_", set_)


@fault
def both_kinds_of_hooks_go_together(patch: Patch) -> None:
    """A module takes old and full backward hooks side by side."""

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any, **options: Any) -> Any:
            self._is_full_backward_hook = None
            return original(self, hook, **options)

        return register

    for name in ("register_backward_hook", "register_full_backward_hook"):
        patch.wrap(torch.nn.Module, name, make)
