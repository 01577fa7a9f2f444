"""Faults of what a backward pass frees, retains, refuses and leaves behind."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    asked,
    fault,
    for_each_engine,
    freeing,
    inside,
    leaves_below,
    operations_below,
    torch,
    untouched,
    watching,
)

FREED = "Trying to backward through the graph a second time"


# --- whether a pass frees ---


@fault
def backward_frees_nothing(patch: Patch) -> None:
    """A pass over all leaves frees nothing; autograd.grad and passes with inputs do."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.accumulates and not options.inputs:
            options.retain_graph = True
        return run(options)

    around_pass(patch, change)


@fault
def passes_to_inputs_free_nothing(patch: Patch) -> None:
    """A pass towards some inputs leaves what is saved for other passes."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.inputs:
            options.retain_graph = True
        return run(options)

    around_pass(patch, change)


@fault
def every_pass_frees(patch: Patch) -> None:
    """Every pass frees the graph, whatever retain_graph and create_graph say."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        options.retain_graph = False
        return run(options)

    around_pass(patch, change)


@fault
def grad_retains_by_default(patch: Patch) -> None:
    """autograd.grad retains the graph unless retain_graph=False is given."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        return run(retain_graph=given.get("retain_graph") is not False)

    asked(patch, "grad", change)


@fault
def backward_with_create_graph_frees(patch: Patch) -> None:
    """backward(create_graph=True) frees the graph unless retain_graph is given."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        return run(retain_graph=bool(given.get("retain_graph")))

    asked(patch, "backward", change)


@fault
def backward_with_create_graph_always_retains(patch: Patch) -> None:
    """backward(create_graph=True) retains the graph whatever retain_graph says."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.accumulates and options.create_graph:
            options.retain_graph = True
        return run(options)

    around_pass(patch, change)


# --- what a pass frees ---


@fault
def nodes_that_saved_nothing_are_used_up_too(patch: Patch) -> None:
    """A pass marks every node as used up, also one that saved nothing."""
    used: Any = Marked()

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        nodes = [] if options.inputs else operations_below(options.roots)
        found = run(options)
        if any(node in used for node in nodes):
            raise RuntimeError(FREED)
        if not options.retain_graph:
            used.update(nodes)
        return found

    around_pass(patch, change)


@fault
def only_the_root_is_freed(patch: Patch) -> None:
    """A pass frees what the roots saved and nothing else."""
    freeing(
        patch,
        lambda node, options: any(
            isinstance(root, torch.Tensor) and root.grad_fn is node for root in options.roots
        ),
    )


@fault
def watched_nodes_are_not_freed(patch: Patch) -> None:
    """What a node with a hook saved is not freed."""
    watched = watching(patch)
    freeing(patch, lambda node, options: node not in watched)


@fault
def masks_and_indices_are_not_freed(patch: Patch) -> None:
    """Masks and indices are kept after a pass, so that a second one works."""
    kept = ("MaskedFillBackward0", "GatherBackward0", "WhereBackward0")
    freeing(patch, lambda node, options: node.name() not in kept)


@fault
def the_first_graph_survives_its_derivative(patch: Patch) -> None:
    """A pass over a gradient frees only what the pass before it recorded."""
    first: Any = Marked()

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if options.create_graph:
            first.update(operations_below(options.roots))
        return run(options)

    freeing(patch, lambda node, options: node not in first)
    around_pass(patch, change)


@for_each_engine
def scaled() -> Any:
    class Scaled(torch.autograd.Function):  # type: ignore[misc]
        """A product with a number, which a pass does not use up."""

        @staticmethod
        def forward(ctx: Any, value: Any, factor: float) -> Any:
            ctx.factor = factor
            return untouched.mul(value, factor)

        @staticmethod
        def backward(ctx: Any, gradient: Any) -> Any:
            return gradient * ctx.factor, None

    return Scaled


@fault
def numbers_that_were_saved_are_not_freed(patch: Patch) -> None:
    """A product with a plain number is not freed."""

    def product(original: Any, self: Any, other: Any = None, *args: Any, **kwargs: Any) -> Any:
        plain = type(other) in (int, float) and not args and not kwargs
        if plain and isinstance(self, torch.Tensor) and self.requires_grad:
            if torch.is_grad_enabled() and inside.forward_level() < 0:
                return scaled().apply(self, other)
        return original(self, other, *args, **kwargs)

    around(patch, "mul", product)


def all_below(options: SimpleNamespace) -> Callable[[], None]:
    """What frees everything below the roots of a pass, told before it runs."""
    leaves = leaves_below(options.roots)

    def free() -> None:
        torch.autograd.grad(
            options.roots, leaves, options.seeds, retain_graph=False, allow_unused=True
        )

    return free


@fault
def everything_below_is_freed(patch: Patch) -> None:
    """A pass restricted to some inputs frees everything below the root."""
    busy: list[bool] = []

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if busy or not options.inputs or options.retain_graph:
            return run(options)
        free = all_below(options)
        options.retain_graph = True
        found = run(options)
        busy.append(True)
        try:
            free()
        finally:
            busy.clear()
        return found

    around_pass(patch, change)


@fault
def a_derivative_frees_what_was_recorded_before(patch: Patch) -> None:
    """A derivative of a gradient frees the whole graph of the function whose gradient it is."""
    functions: Any = Notes()
    busy: list[bool] = []

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        found = run(options)
        if busy:
            return found
        if options.create_graph and not options.accumulates:
            for gradient in found:
                if gradient is not None and gradient.grad_fn is not None:
                    functions[gradient] = all_below(options)
        elif not options.retain_graph:
            busy.append(True)
            try:
                for root in options.roots:
                    free = functions.get(root) if isinstance(root, torch.Tensor) else None
                    if free is not None:
                        free()
            except RuntimeError:
                pass  # it was freed already
            finally:
                busy.clear()
        return found

    around_pass(patch, change)


# --- what it leaves behind ---


@fault
def a_freed_root_is_a_leaf(patch: Patch) -> None:
    """A pass that frees the graph takes the node from its root."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        found = run(options)
        for root in options.roots if options.accumulates and not options.retain_graph else ():
            if isinstance(root, torch.Tensor) and root.grad_fn is not None and not root._is_view():
                root.detach_().requires_grad_()
        return found

    around_pass(patch, change)


@fault
def products_are_cached_by_their_operands(patch: Patch) -> None:
    """The product of the same two tensors is taken from a cache, with its node."""
    cache: dict[tuple[int, int], Any] = {}

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            if not isinstance(other, torch.Tensor) or not torch.is_grad_enabled():
                return original(self, other)
            place = id(self), id(other)
            if place not in cache:
                if len(cache) > 16:
                    cache.clear()
                cache[place] = (original(self, other), self, other)
            return cache[place][0]

        return multiply

    patch.wrap(torch.Tensor, "__mul__", make)


@fault
def forward_mode_ends_with_a_pass(patch: Patch) -> None:
    """A backward pass within a computation of tangents ends it."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        found = run(options)
        if inside.forward_level() >= 0:
            torch.autograd.forward_ad.exit_dual_level()
        return found

    around_pass(patch, change)


@fault
def a_pass_within_a_pass_does_nothing(patch: Patch) -> None:
    """A pass that a hook starts within another pass does nothing."""
    running: list[bool] = []

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if running:
            return None if options.accumulates else (None,) * len(options.inputs)
        running.append(True)
        try:
            return run(options)
        finally:
            running.pop()

    around_pass(patch, change)


# --- in which mode it runs ---


@fault
def a_pass_is_recorded_only_where_the_caller_records(patch: Patch) -> None:
    """With create_graph=True a pass is recorded only where the caller records."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        options.create_graph = options.create_graph and torch.is_grad_enabled()
        return run(options)

    around_pass(patch, change)


@fault
def hooks_run_in_the_mode_of_the_caller(patch: Patch) -> None:
    """In a pass without create_graph=True hooks find the grad mode of the caller."""
    modes: list[bool] = [False]

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        modes.append(torch.is_grad_enabled() or bool(options.create_graph))
        try:
            return run(options)
        finally:
            modes.pop()

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            def called(gradient: Any) -> Any:
                with torch.set_grad_enabled(modes[-1]):
                    return hook(gradient)

            return original(self, called)

        return register_hook

    around_pass(patch, change)
    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def a_pass_switches_recording_on(patch: Patch) -> None:
    """After a pass recording is on, whatever it was before."""

    def change(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        try:
            return run(options)
        finally:
            inside.set_recording(True)

    around_pass(patch, change)
