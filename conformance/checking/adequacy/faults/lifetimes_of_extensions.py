"""Faults of custom functions, hooks, modules and transforms that keep alive what should be let go."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, inside, register, replaces, torch
from .custom_functions import around_apply
from .hooks import changed_hook
from .lifetimes import results_of
from .saved_hooks import pairs

# --- custom functions ---


@fault
def custom_functions_keep_their_arguments(patch: Patch) -> None:
    """The context of a custom function refers to all arguments and results of the call."""

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        for result in results_of(found):
            others = [r for r in results_of(found) if r is not result]
            result.grad_fn.metadata["call"] = (args, others)
        return found

    around_apply(patch, around)


@fault
def saved_results_are_kept_as_they_are(patch: Patch) -> None:
    """save_for_backward keeps the tensors that it is given, the function's own results among them."""

    def make(original: Any) -> Any:
        def save_for_backward(self: Any, *tensors: Any) -> None:
            self.kept = tensors
            original(self, *tensors)

        return save_for_backward

    patch.wrap(inside.function_node, "save_for_backward", make)


@fault
def marked_results_stay_alive(patch: Patch) -> None:
    """mark_non_differentiable keeps the results that it is given."""

    def make(original: Any) -> Any:
        def mark_non_differentiable(self: Any, *tensors: Any) -> None:
            self.kept = tensors
            original(self, *tensors)

        return mark_non_differentiable

    patch.wrap(inside.function_node, "mark_non_differentiable", make)


@fault
def failed_calls_of_functions_stay_alive(patch: Patch) -> None:
    """The engine holds on to the arguments and to the error of a custom function that failed."""
    held: list[Any] = []

    def around(run: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return run(*args, **kwargs)
        except Exception:
            held.append(args)
            raise

    around_apply(patch, around)


# --- hooks ---


@fault
def hooks_refer_to_their_tensor(patch: Patch) -> None:
    """A hook of a result, and retain_grad(), refer to the tensor."""

    def change(hook: Any, tensor: Any) -> Any:
        if tensor.grad_fn is None:
            return hook
        return lambda gradient, of=tensor: hook(gradient)

    changed_hook(patch, change)


@replaces("Tensor.retain_grad")
def retained_results_stay_alive(original: Any, self: Any) -> None:
    """A tensor that retains its gradient lives as long as its graph."""
    original(self)
    if self.grad_fn is not None:
        self.grad_fn.metadata["retains"] = self


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hooks_refer_to_their_tensors(
    original: Any, tensors: Any, function: Any, **kwargs: Any
) -> Any:
    """A hook of several tensors keeps the tensors alive."""
    tensors = list(tensors)
    return original(tensors, lambda gradients, of=tuple(tensors): function(gradients), **kwargs)


def kept_for_ever(name: str, sentence: str, owner: Callable[[], Any], method: str, at: int) -> None:
    """A fault: the function that a hook is registered with is kept for ever."""

    def install(patch: Patch) -> None:
        held: list[Any] = []

        def make(original: Any) -> Any:
            def register_one(*args: Any, **kwargs: Any) -> Any:
                held.append(args[at])
                return original(*args, **kwargs)

            return register_one

        patch.wrap(owner(), method, make)

    register(name, sentence, install)


kept_for_ever(
    "post_accumulate_hooks_are_kept_alive",
    "What a post-accumulate-grad hook refers to lives on after the hook was removed.",
    lambda: torch.Tensor,
    "register_post_accumulate_grad_hook",
    1,
)
kept_for_ever(
    "multi_grad_hooks_are_kept_alive",
    "What a hook of several tensors refers to lives on after the hook was removed.",
    lambda: torch.autograd.graph,
    "register_multi_grad_hook",
    1,
)
kept_for_ever(
    "module_hooks_are_kept_alive",
    "What a forward hook of a module refers to lives on after the hook was removed.",
    lambda: torch.nn.Module,
    "register_forward_hook",
    1,
)
kept_for_ever(
    "module_backward_hooks_are_kept_alive",
    "What a backward hook of a module refers to lives on after the hook was removed.",
    lambda: torch.nn.Module,
    "register_full_backward_hook",
    1,
)


@fault
def handles_keep_their_hooks(patch: Patch) -> None:
    """A handle refers to its hook, which lives as long as the program keeps the handle."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            handle = original(self, hook)
            handle.hook = hook
            return handle

        return register_hook

    def let_go(original: Any) -> Any:
        def remove(self: Any) -> None:
            original(self)
            self.hook = None

        return remove

    patch.wrap(torch.Tensor, "register_hook", make)
    patch.wrap(torch.utils.hooks.RemovableHandle, "remove", let_go)


@replaces("nn.Module.register_full_backward_hook")
def module_hooks_keep_their_gradients(original: Any, self: Any, hook: Any, **kwargs: Any) -> Any:
    """A module keeps the gradients that its full backward hooks were last given."""
    last: list[Any] = []

    def noted(module: Any, inputs: Any, outputs: Any) -> Any:
        last[:] = [inputs, outputs]
        return hook(module, inputs, outputs)

    return original(self, noted, **kwargs)


# --- hooks for saved tensors, transforms ---


@fault
def packed_tensors_stay_beside_what_was_packed(patch: Patch) -> None:
    """The tensor that was saved is kept beside what the pack hook returned."""

    def change(pack: Any, unpack: Any) -> Any:
        return lambda tensor: (pack(tensor), tensor), lambda packed: unpack(packed[0])

    pairs(patch, change)


@fault
def packed_values_are_kept_alive(patch: Patch) -> None:
    """What a pack hook returned is never freed."""
    held: list[Any] = []

    def change(pack: Any, unpack: Any) -> Any:
        def packed(tensor: Any) -> Any:
            found = pack(tensor)
            held.append(found)
            return found

        return packed, unpack

    pairs(patch, change)


@fault
def unpacked_values_stay_in_the_graph(patch: Patch) -> None:
    """What an unpack hook returned is kept with what was packed."""

    def change(pack: Any, unpack: Any) -> Any:
        def unpacked(packed: Any) -> Any:
            packed[1] = unpack(packed[0])
            return packed[1]

        return lambda tensor: [pack(tensor), None], unpacked

    pairs(patch, change)


@fault
def pairs_of_saved_hooks_stay_alive(patch: Patch) -> None:
    """The engine keeps every pair of hooks for saved tensors."""
    held: list[Any] = []

    def change(pack: Any, unpack: Any) -> Any:
        held.append((pack, unpack))
        return pack, unpack

    pairs(patch, change)


@fault
def transforms_keep_what_they_ran(patch: Patch) -> None:
    """A transform keeps the arguments that it gave to the function, and so its level."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def transform(function: Any, *args: Any, **kwargs: Any) -> Any:
            def noted(*given: Any, **named: Any) -> Any:
                held.append(given)
                return function(*given, **named)

            return original(noted, *args, **kwargs)

        return transform

    for name in ("grad", "vjp", "jvp"):
        patch.wrap(torch.func, name, make)


@fault
def functional_derivatives_keep_what_they_ran(patch: Patch) -> None:
    """autograd.functional keeps the arguments that it gave to the function."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def derivative(function: Any, *args: Any, **kwargs: Any) -> Any:
            def noted(*given: Any) -> Any:
                held.append(given)
                return function(*given)

            return original(noted, *args, **kwargs)

        return derivative

    for name in ("jacobian", "hessian", "vjp"):
        patch.wrap(torch.autograd.functional, name, make)


@fault
def modules_live_for_ever(patch: Patch) -> None:
    """Every module that was called is kept for ever."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def call(self: Any, *args: Any, **kwargs: Any) -> Any:
            held.append(self)
            return original(self, *args, **kwargs)

        return call

    patch.wrap(torch.nn.Module, "__call__", make)
