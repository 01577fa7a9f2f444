"""Faults of checkpoints: when the function runs again, under what, and what it keeps."""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, leaves_below, register, torch

Options = dict[str, Any]
OWN = (
    "use_reentrant",
    "preserve_rng_state",
    "context_fn",
    "determinism_check",
    "debug",
    "early_stop",
)
"""Keyword arguments of checkpoint; the others are the function's."""


def around_checkpoint(patch: Patch, change: Callable[..., Any]) -> None:
    """Compute each checkpoint by `change(original, function, args, options)`."""

    def make(original: Any) -> Any:
        def checkpoint(function: Any, *args: Any, **options: Any) -> Any:
            return change(original, function, args, options)

        return checkpoint

    patch.wrap(torch.utils.checkpoint, "checkpoint", make)


def with_function(patch: Patch, change: Callable[..., Any], wanted: Any = None) -> None:
    """Let a checkpoint's function be `change(function, run, *args, **kwargs)`, where `run` counts its runs
    from 0; only that of the given variant, if one is."""

    def changed(original: Any, function: Any, args: Any, options: Options) -> Any:
        if wanted is not None and bool(options.get("use_reentrant", True)) is not wanted:
            return original(function, *args, **options)
        runs = itertools.count()

        def call(*args: Any, **kwargs: Any) -> Any:
            return change(function, next(runs), *args, **kwargs)

        return original(call, *args, **options)

    around_checkpoint(patch, changed)


def with_options(name: str, sentence: str, change: Callable[[Options], Options]) -> None:
    """Put into the bank a fault that gives checkpoints the options `change(options)`."""

    def install(patch: Patch) -> None:
        around_checkpoint(
            patch,
            lambda original, function, args, options: original(function, *args, **change(options)),
        )

    register(name, sentence, install)


def is_reentrant(options: Options) -> bool:
    return bool(options.get("use_reentrant", True))


def plain(function: Any, args: Any, options: Options) -> Any:
    """The function's result without a checkpoint."""
    return function(*args, **{key: value for key, value in options.items() if key not in OWN})


def each_tensor(value: Any, change: Callable[[Any], Any]) -> Any:
    """A result, or several, with each tensor changed."""
    if isinstance(value, tuple):
        return tuple(each_tensor(part, change) for part in value)
    return change(value) if isinstance(value, torch.Tensor) else value


def without(options: Options, *names: str) -> Options:
    return {key: value for key, value in options.items() if key not in names}


# --- the two runs ---


@fault
def a_checkpoint_is_a_plain_call(patch: Patch) -> None:
    """A checkpoint calls its function, and keeps what that saves."""
    around_checkpoint(
        patch, lambda original, function, args, options: plain(function, args, options)
    )


@fault
def a_checkpoint_captures_its_arguments(patch: Patch) -> None:
    """The function of a checkpoint captures its arguments, whose changes are not noticed."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if is_reentrant(options):
            return original(function, *args, **options)
        return original(lambda **kwargs: function(*args, **kwargs), **options)

    around_checkpoint(patch, change)


@fault
def a_checkpoint_never_lets_its_inputs_go(patch: Patch) -> None:
    """The arguments of each checkpoint are kept for ever."""
    kept: list[Any] = []

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        kept.append(args)
        return original(function, *args, **options)

    patch.at_end(kept.clear)
    around_checkpoint(patch, change)


@fault
def a_checkpoint_keeps_the_results_of_its_runs(patch: Patch) -> None:
    """Each operation within a checkpoint keeps its result alive."""
    kept: list[Any] = []

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        with torch.autograd.graph.saved_tensors_hooks(keep, lambda packed: packed):
            return function(*args, **kwargs)

    def keep(tensor: Any) -> Any:
        kept.append(tensor)
        return tensor

    patch.at_end(kept.clear)
    with_function(patch, change)


@fault
def the_second_run_of_a_checkpoint_runs_twice(patch: Patch) -> None:
    """In backward, the function of a checkpoint runs once without effect, and then again."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run:
            with torch.no_grad():
                function(*args, **kwargs)
        return function(*args, **kwargs)

    with_function(patch, change)


@fault
def the_second_run_of_a_checkpoint_records_nothing(patch: Patch) -> None:
    """The second run of a reentrant checkpoint is under no_grad, as its first one is."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        with torch.set_grad_enabled(torch.is_grad_enabled() and not run):
            return function(*args, **kwargs)

    with_function(patch, change, wanted=True)


@fault
def a_checkpoint_records_within_no_grad(patch: Patch) -> None:
    """A checkpoint records, whatever the mode."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        with torch.enable_grad():
            return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_checkpoint_runs_again_for_nobody(patch: Patch) -> None:
    """Every pass runs the functions of all checkpoints again."""
    pending: list[Callable[[], Any]] = []

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        pending.append(lambda: plain(function, args, options))
        return original(function, *args, **options)

    def around(run: Any, options: Any) -> Any:
        with torch.no_grad():
            while pending:
                pending.pop()()
        return run(options)

    patch.at_end(pending.clear)
    around_checkpoint(patch, change)
    around_pass(patch, around)


@fault
def errors_in_a_checkpoint_become_its_own(patch: Patch) -> None:
    """What the function of a checkpoint raises becomes an error of the checkpoint."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        try:
            return function(*args, **kwargs)
        except Exception as error:
            if type(error).__name__ != "ProgramError":
                raise
            raise RuntimeError("checkpoint: the function failed") from error

    with_function(patch, change)


@fault
def a_failed_checkpoint_leaves_recording_off(patch: Patch) -> None:
    """If the function of a checkpoint raises an error, grad mode stays disabled."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        try:
            return original(function, *args, **options)
        except Exception:
            torch.set_grad_enabled(False)
            raise

    around_checkpoint(patch, change)


def runs_of_functions(patch: Patch, wanted: Any = None) -> list[int]:
    """The runs of checkpoints' functions that are going on, the innermost last."""
    runs: list[int] = []

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        runs.append(run)
        try:
            return function(*args, **kwargs)
        finally:
            runs.pop()

    with_function(patch, change, wanted=wanted)
    return runs


def change_hooks_within(patch: Patch, changed: Any, wanted: Any = None) -> None:
    """Let each hook that a checkpoint's function registers be `changed(tensor, hook, run)`."""
    runs = runs_of_functions(patch, wanted)

    def make(original: Any) -> Any:
        return lambda self, hook: original(self, changed(self, hook, runs[-1]) if runs else hook)

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def hooks_within_a_checkpoint_run_never(patch: Patch) -> None:
    """Hooks that the function of a checkpoint registers are lost."""
    change_hooks_within(patch, lambda tensor, hook, run: lambda grad: None)


@fault
def hooks_within_a_checkpoint_run_again_in_the_second_run(patch: Patch) -> None:
    """A hook that the function of a checkpoint registers runs when the function runs again."""

    def changed(tensor: Any, hook: Any, run: int) -> Any:
        if run:
            hook(tensor.detach())
        return hook

    change_hooks_within(patch, changed, wanted=False)


# --- the two variants ---

with_options(
    "a_reentrant_checkpoint_is_not_reentrant",
    "use_reentrant=True is ignored.",
    lambda options: {**options, "use_reentrant": False},
)
with_options(
    "every_checkpoint_is_reentrant",
    "use_reentrant=False is ignored, and what goes with it.",
    lambda options: {
        **without(options, "context_fn", "debug"), "use_reentrant": True,
    },
)  # fmt: skip
with_options(
    "the_variant_of_a_checkpoint_is_chosen_silently",
    "Without use_reentrant, a checkpoint is not reentrant, and says nothing.",
    lambda options: {"use_reentrant": False, **options},
)


@fault
def a_reentrant_checkpoint_records_what_it_captures(patch: Patch) -> None:
    """The result of a reentrant checkpoint requires grad although no argument does."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        result = original(function, *args, **options)
        if is_reentrant(options) and torch.is_grad_enabled():
            each_tensor(result, lambda tensor: tensor.requires_grad_())
        return result

    around_checkpoint(patch, change)


@fault
def a_reentrant_checkpoint_without_gradient_is_silent(patch: Patch) -> None:
    """A checkpoint gives no warnings."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_reentrant_checkpoint_always_warns(patch: Patch) -> None:
    """A reentrant checkpoint warns of inputs that do not require grad, whether they do or not."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if is_reentrant(options):
            warnings.warn("None of the inputs have requires_grad=True", stacklevel=2)
        return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_reentrant_checkpoint_lets_any_pass_through(patch: Patch) -> None:
    """autograd.grad through a reentrant checkpoint runs as if it were not reentrant."""
    torn: list[Any] = []

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        result = original(function, *args, **options)
        if not is_reentrant(options) or not torch.is_grad_enabled():
            return result
        torn.append((result, function, args))
        return result

    def around(run: Any, options: Any) -> Any:
        for result, function, args in torn:
            if options.inputs and any(root is result for root in options.roots):
                options.roots = [function(*args)]
        torn.clear()
        return run(options)

    patch.at_end(torn.clear)
    around_checkpoint(patch, change)
    around_pass(patch, around)


@fault
def a_reentrant_checkpoint_gives_zeros_for_what_is_detached(patch: Patch) -> None:
    """A reentrant checkpoint whose results are detached inside gives a gradient of zeros."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        found = function(*args, **kwargs)
        return each_tensor(
            found, lambda out: out if out.requires_grad or not run else out + args[0] * 0
        )

    with_function(patch, change, wanted=True)


@fault
def every_result_of_a_checkpoint_requires_grad(patch: Patch) -> None:
    """Results that the function of a checkpoint detaches require grad."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        result = original(function, *args, **options)
        if torch.is_grad_enabled() and not is_reentrant(options):
            each_tensor(result, lambda tensor: tensor.requires_grad_())
        return result

    around_checkpoint(patch, change)


@fault
def a_checkpoint_knows_only_the_gradients_of_its_arguments(patch: Patch) -> None:
    """A leaf that the function of a checkpoint captures gets no gradient."""
    given: list[Any] = []

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        given.extend(leaves_below([arg for arg in args if isinstance(arg, torch.Tensor)]))
        given.append(None)
        return original(function, *args, **options)

    def around(run: Any, options: Any) -> Any:
        below = leaves_below(options.roots) if given else []
        captured = [leaf for leaf in below if not any(leaf is other for other in given)]
        given.clear()
        found = run(options)
        for leaf in captured:
            leaf.grad = None
        return found

    patch.at_end(given.clear)
    around_checkpoint(patch, change)
    around_pass(patch, around)


@fault
def tensors_within_arguments_of_a_checkpoint_are_detached(patch: Patch) -> None:
    """Tensors in lists and dicts given to a checkpoint are detached."""

    def cut(value: Any) -> Any:
        if isinstance(value, list):
            return [
                part.detach() if isinstance(part, torch.Tensor) else cut(part) for part in value
            ]
        if isinstance(value, dict):
            return {
                key: part.detach() if isinstance(part, torch.Tensor) else cut(part)
                for key, part in value.items()
            }
        return value

    around_checkpoint(
        patch,
        lambda original, function, args, options: original(function, *map(cut, args), **options),
    )


@fault
def a_pass_within_a_checkpoint_is_refused(patch: Patch) -> None:
    """A backward pass inside the function of a checkpoint raises an error."""
    within: list[Any] = []

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        within.append(function)
        try:
            return function(*args, **kwargs)
        finally:
            within.pop()

    def around(run: Any, options: Any) -> Any:
        if within:
            raise RuntimeError("checkpoint: no pass may run inside of the function")
        return run(options)

    with_function(patch, change, wanted=False)
    around_pass(patch, around)


@fault
def second_derivatives_through_a_checkpoint_are_cut(patch: Patch) -> None:
    """Gradients through a checkpoint have no history."""

    class Cut(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return x.clone()

        @staticmethod
        def backward(ctx: Any, grad: Any) -> Any:
            return grad.detach()

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if not is_reentrant(options):
            args = tuple(each_tensor(arg, Cut.apply) for arg in args)
        return original(function, *args, **options)

    around_checkpoint(patch, change)
