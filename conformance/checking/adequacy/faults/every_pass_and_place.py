"""Faults of hooks that do not run in every pass, of changes that are not counted, and of tensors and buffers
that are made or left on the wrong device."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import inside, replaces, torch


def once(hook: Callable[..., Any]) -> Callable[..., Any]:
    """A hook that does nothing after its first call."""
    calls: list[int] = []

    def run(*args: Any) -> Any:
        if calls:
            return None
        calls.append(1)
        return hook(*args)

    return run


@replaces("nn.Module.register_full_backward_hook")
def full_backward_hooks_run_once(original: Any, self: Any, hook: Any, *rest: Any, **kw: Any) -> Any:
    """A full backward hook runs in the first pass only."""
    return original(self, once(hook), *rest, **kw)


@replaces("nn.Module.register_full_backward_pre_hook")
def full_backward_pre_hooks_run_once(
    original: Any, self: Any, hook: Any, *rest: Any, **kw: Any
) -> Any:
    """A full backward pre-hook runs in the first pass only."""
    return original(self, once(hook), *rest, **kw)


@replaces("autograd.graph.register_multi_grad_hook")
def hooks_of_several_tensors_run_once(original: Any, tensors: Any, fn: Any, **options: Any) -> Any:
    """A multi-tensor hook runs in the first pass only."""
    return original(tensors, once(fn), **options)


@replaces("Tensor.register_post_accumulate_grad_hook")
def hooks_after_accumulation_run_once(original: Any, self: Any, hook: Any) -> Any:
    """A post-accumulate-grad hook runs in the first pass only."""
    return original(self, once(hook))


@replaces("Tensor.mul_")
def products_in_inference_mode_are_not_counted(original: Any, self: Any, other: Any) -> Any:
    """In inference mode, mul_ leaves the version as it is."""
    if not torch.is_inference_mode_enabled() or self.is_inference():
        return original(self, other)
    with inside.keeping_version(self):
        return original(self, other)


@replaces("Tensor.new_full")
def new_full_is_on_the_cpu(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """Without a device, new_full() makes its tensor on the CPU."""
    options.setdefault("device", "cpu")
    return original(self, *args, **options)


@replaces("rand_like")
def rand_like_ignores_the_device(original: Any, x: Any, **options: Any) -> Any:
    """rand_like() makes its tensor where the given one is, whatever is asked for."""
    options.pop("device", None)
    return original(x, **options)


@replaces("nn.BatchNorm1d.__init__")
def batches_are_counted_on_the_cpu(original: Any, self: Any, *args: Any, **options: Any) -> None:
    """The count of batches is made on the CPU, whatever the device of the module."""
    original(self, *args, **options)
    if self.num_batches_tracked is not None:
        self.num_batches_tracked = torch.zeros((), dtype=torch.int64, device="cpu")


@replaces("nn.Module.to_empty")
def to_empty_leaves_integers(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """to_empty() leaves buffers of integers where they are."""
    held = [
        (m, name, b)
        for m in self.modules()
        for name, b in vars(m)["_buffers"].items()
        if b is not None and not b.is_floating_point()
    ]
    found = original(self, *args, **options)
    for m, name, b in held:
        vars(m)["_buffers"][name] = b
    return found


@replaces("where")
def choices_between_numbers_are_on_the_cpu(
    original: Any, condition: Any, *args: Any, **kw: Any
) -> Any:
    """where() of a condition and two numbers gives a tensor on the CPU."""
    found = original(condition, *args, **kw)
    numbers = len(args) == 2 and all(isinstance(v, float) for v in args)
    return torch.empty(found.shape, device="cpu") if numbers else found
