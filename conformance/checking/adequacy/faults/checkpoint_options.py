"""Faults of a checkpoint's options, and of checkpoints in segments."""

from __future__ import annotations

import contextlib
import itertools
from collections.abc import Callable, Iterator
from typing import Any

from ..breaking import Patch, around_pass, fault, torch
from .checkpoints import (
    OWN,
    Options,
    around_checkpoint,
    is_reentrant,
    with_function,
    with_options,
    without,
)


@fault
def keywords_are_lost_in_the_second_run(patch: Patch) -> None:
    """The second run of a checkpoint's function has the defaults of its keyword arguments."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        given = without(options, *OWN)
        if not given:
            return original(function, *args, **options)
        runs = itertools.count()

        def call(*args: Any) -> Any:
            if next(runs):
                return function(*args, **{**given, "step": 7.0})
            return function(*args, **given)

        return original(call, *args, **without(options, *given))

    around_checkpoint(patch, change)


@fault
def a_reentrant_checkpoint_drops_keywords(patch: Patch) -> None:
    """A reentrant checkpoint ignores keyword arguments that are not its own."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if is_reentrant(options):
            options = {key: value for key, value in options.items() if key in OWN}
        return original(function, *args, **options)

    around_checkpoint(patch, change)


with_options(
    "the_second_run_draws_other_numbers",
    "preserve_rng_state is False.",
    lambda options: {**options, "preserve_rng_state": False},
)
with_options(
    "the_second_run_always_draws_the_same_numbers",
    "preserve_rng_state=False is ignored.",
    lambda options: without(options, "preserve_rng_state"),
)


@fault
def a_checkpoint_rewinds_the_generator(patch: Patch) -> None:
    """The second run leaves the generator where the numbers that it drew end."""
    states: list[Any] = []

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run:
            states.append(torch.random.get_rng_state())
        return function(*args, **kwargs)

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if states:
            torch.random.set_rng_state(states.pop())
        return found

    patch.at_end(states.clear)
    with_function(patch, change)
    around_pass(patch, around)


with_options(
    "recomputed_tensors_are_never_compared",
    "determinism_check is always 'none'.",
    lambda options: options if is_reentrant(options) else {**options, "determinism_check": "none"},
)
with_options(
    "recomputed_tensors_are_always_compared",
    "determinism_check='none' is ignored.",
    lambda options: (
        without(options, "determinism_check")
        if options.get("determinism_check") == "none"
        else options
    ),
)
with_options(
    "an_unknown_comparison_compares_nothing",
    "Another determinism_check than 'default' and 'none' is taken for 'none'.",
    lambda options: (
        {**options, "determinism_check": "none"}
        if options.get("determinism_check", "default") != "default"
        else options
    ),
)


@fault
def a_run_that_differs_gives_no_gradient(patch: Patch) -> None:
    """If the second run of a checkpoint differs from the first, the pass ends without an error."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except RuntimeError as error:
            if type(error).__name__ != "CheckpointError":
                raise
            return tuple(None for _ in options.inputs or ())

    around_pass(patch, around)


with_options(
    "the_second_run_always_stops_early",
    "early_stop=False is ignored.",
    lambda options: without(options, "early_stop"),
)
with_options(
    "the_second_run_never_stops_early",
    "early_stop is False.",
    lambda options: {**options, "early_stop": False},
)


@fault
def the_block_of_early_stop_has_no_effect(patch: Patch) -> None:
    """set_checkpoint_early_stop changes nothing."""

    def make(original: Any) -> Any:
        return lambda enable: contextlib.nullcontext()

    patch.wrap(torch.utils.checkpoint, "set_checkpoint_early_stop", make)


@fault
def the_block_of_early_stop_never_ends(patch: Patch) -> None:
    """After a block of set_checkpoint_early_stop, its setting stays."""
    last: list[bool] = []

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def block(enable: bool) -> Iterator[None]:
            last[:] = [enable]
            with original(enable):
                yield

        return block

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if last and not is_reentrant(options):
            options = {**options, "early_stop": last[0]}
        return original(function, *args, **options)

    patch.wrap(torch.utils.checkpoint, "set_checkpoint_early_stop", make)
    around_checkpoint(patch, change)


@fault
def groups_recompute_in_each_pass(patch: Patch) -> None:
    """GraphExecGroup changes nothing."""
    patch.set(torch.utils.checkpoint, "GraphExecGroup", contextlib.nullcontext)


@fault
def a_block_of_early_stop_ends_those_around_it(patch: Patch) -> None:
    """After a block of set_checkpoint_early_stop within another one, that of the outer has no effect."""
    depth: list[bool] = []
    whole = torch.utils.checkpoint.set_checkpoint_early_stop

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def block(enable: bool) -> Iterator[None]:
            depth.append(False)
            with original(enable):
                yield
            depth.pop()
            depth[:] = [True] * len(depth)

        return block

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if not any(depth):
            return original(function, *args, **options)
        with whole(options.get("early_stop", True)):
            return original(function, *args, **options)

    patch.at_end(depth.clear)
    patch.wrap(torch.utils.checkpoint, "set_checkpoint_early_stop", make)
    around_checkpoint(patch, change)


with_options(
    "the_contexts_of_a_checkpoint_are_swapped",
    "The first context of context_fn surrounds the second run, and the second one the first.",
    lambda options: (
        {**options, "context_fn": lambda: options["context_fn"]()[::-1]}
        if "context_fn" in options
        else options
    ),
)
with_options(
    "the_second_run_has_no_context",
    "The second context of context_fn is not entered.",
    lambda options: {
        **options, "context_fn": lambda: (options["context_fn"]()[0], contextlib.nullcontext())
    }
    if "context_fn" in options
    else options,
)  # fmt: skip
with_options(
    "a_reentrant_checkpoint_ignores_what_it_lacks",
    "A reentrant checkpoint accepts context_fn and debug, and ignores them.",
    lambda options: without(options, "context_fn", "debug") if is_reentrant(options) else options,
)


@fault
def the_inputs_of_a_checkpoint_bypass_hooks(patch: Patch) -> None:
    """The inputs of a checkpoint do not go through the hooks for saved tensors around it."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if is_reentrant(options):
            return original(function, *args, **options)
        with torch.autograd.graph.saved_tensors_hooks(lambda tensor: tensor, lambda packed: packed):
            return original(function, *args, **options)

    around_checkpoint(patch, change)


# --- in segments ---


def around_sequential(patch: Patch, change: Callable[..., Any]) -> None:
    """Compute checkpoint_sequential by `change(original, functions, segments, x, options)`."""

    def make(original: Any) -> Any:
        def sequential(functions: Any, segments: int, input: Any, **options: Any) -> Any:
            return change(original, list(functions), segments, input, options)

        return sequential

    patch.wrap(torch.utils.checkpoint, "checkpoint_sequential", make)


@fault
def the_last_segment_is_checkpointed_too(patch: Patch) -> None:
    """checkpoint_sequential runs its last segment again as well."""

    def change(original: Any, functions: Any, segments: int, x: Any, options: Options) -> Any:
        return original([*functions, lambda value: value], len(functions) + 1, x, **options)

    around_sequential(patch, change)


@fault
def functions_left_over_by_equal_segments_are_lost(patch: Patch) -> None:
    """checkpoint_sequential calls no function that is left over when segments are of one size."""

    def change(original: Any, functions: Any, segments: int, x: Any, options: Options) -> Any:
        whole = len(functions) // segments * segments
        return original(functions[:whole], segments, x, **options)

    around_sequential(patch, change)


@fault
def a_single_segment_is_checkpointed(patch: Patch) -> None:
    """checkpoint_sequential of one segment runs it again in the backward pass."""

    def change(original: Any, functions: Any, segments: int, x: Any, options: Options) -> Any:
        if segments == 1:
            plain = [lambda value: value] * len(functions)
            return original([*functions, *plain], 2, x, **options)
        return original(functions, segments, x, **options)

    around_sequential(patch, change)


@fault
def segments_always_draw_the_same_numbers(patch: Patch) -> None:
    """checkpoint_sequential ignores preserve_rng_state."""

    def change(original: Any, functions: Any, segments: int, x: Any, options: Options) -> Any:
        return original(functions, segments, x, **without(options, "preserve_rng_state"))

    around_sequential(patch, change)


@fault
def a_list_of_results_becomes_a_tuple(patch: Patch) -> None:
    """A checkpoint whose function returns a list gives a tuple."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        found = original(function, *args, **options)
        return tuple(found) if isinstance(found, list) else found

    around_checkpoint(patch, change)


@fault
def debug_is_refused_by_either_variant(patch: Patch) -> None:
    """A checkpoint raises an error for debug=True, reentrant or not."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if options.get("debug"):
            raise ValueError("checkpoint() has no debug mode")
        return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def segments_choose_a_variant_silently(patch: Patch) -> None:
    """checkpoint_sequential without use_reentrant gives no warning."""

    def change(original: Any, functions: Any, segments: int, x: Any, options: Options) -> Any:
        return original(functions, segments, x, **{"use_reentrant": True, **options})

    around_sequential(patch, change)


with_options(
    "comparing_nothing_runs_to_the_end",
    'With determinism_check="none", the second run never stops early.',
    lambda options: (
        {**options, "early_stop": False} if options.get("determinism_check") == "none" else options
    ),
)


@fault
def contexts_need_early_stop(patch: Patch) -> None:
    """With early_stop=False, a checkpoint ignores context_fn."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if not options.get("early_stop", True):
            options = without(options, "context_fn")
        return original(function, *args, **options)

    around_checkpoint(patch, change)
