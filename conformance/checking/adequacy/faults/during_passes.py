"""Faults of what happens while a pass runs: hooks that come and go, inner passes, errors half way."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    fault,
    inside,
    leaves_below,
    operations_below,
    replaces,
    torch,
)
from .hooks import changed_hook
from .leaves import assign, attribute
from .what_a_pass_frees import FREED


def running(patch: Patch) -> list[object]:
    """The passes that are running, the innermost last."""
    passes: list[object] = []

    def around(run: Any, options: Any) -> Any:
        passes.append(object())
        try:
            return run(options)
        finally:
            passes.pop()

    around_pass(patch, around)
    return passes


# --- hooks that come and go ---


@fault
def new_hooks_wait_for_the_next_pass(patch: Patch) -> None:
    """A tensor hook that is registered during a pass does not run in that pass."""
    passes = running(patch)

    def change(hook: Any, tensor: Any) -> Any:
        born = passes[-1] if passes else None

        def later(gradient: Any) -> Any:
            return None if born is not None and born in passes else hook(gradient)

        return later

    changed_hook(patch, change)


@fault
def new_post_accumulate_hooks_wait_for_the_next_pass(patch: Patch) -> None:
    """A post-accumulate-grad hook that is registered during a pass does not run in that pass."""
    passes = running(patch)

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            born = passes[-1] if passes else None

            def later(leaf: Any) -> None:
                if born is None or born not in passes:
                    hook(leaf)

            return original(self, later)

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@replaces("Tensor.register_post_accumulate_grad_hook")
def frozen_leaves_have_no_post_accumulate_hooks(original: Any, self: Any, hook: Any) -> Any:
    """A post-accumulate-grad hook is not called for a leaf whose requires_grad was set to False."""
    return original(self, lambda leaf: hook(leaf) if leaf.requires_grad else None)


@fault
def retaining_waits_for_the_next_pass(patch: Patch) -> None:
    """retain_grad() during a pass has no effect on that pass."""
    passes = running(patch)

    def make(original: Any) -> Any:
        def retain_grad(self: Any) -> None:
            if not passes:
                original(self)

        return retain_grad

    patch.wrap(torch.Tensor, "retain_grad", make)


@fault
def hooks_are_removed_after_the_pass(patch: Patch) -> None:
    """A hook that is removed during a pass still runs in it."""
    waiting: list[Any] = []
    passes: list[bool] = []

    def make(original: Any) -> Any:
        def remove(self: Any) -> None:
            if passes:
                waiting.append(lambda: original(self))
            else:
                original(self)

        return remove

    def around(run: Any, options: Any) -> Any:
        passes.append(True)
        try:
            return run(options)
        finally:
            passes.pop()
            while waiting and not passes:
                waiting.pop()()

    patch.wrap(torch.utils.hooks.RemovableHandle, "remove", make)
    around_pass(patch, around)


@fault
def hooks_added_by_a_hook_run_at_once(patch: Patch) -> None:
    """A hook that a hook of the same tensor adds runs right after it, in the same pass."""
    added: list[Any] = []
    busy = Marked()

    def change(hook: Any, tensor: Any) -> Any:
        place = tensor.grad_fn if tensor.grad_fn is not None else tensor
        if place in busy:
            added.append(hook)
        at = Notes()
        at[place] = True

        def noted(gradient: Any) -> Any:
            busy.add(place)
            try:
                found = hook(gradient)
            finally:
                busy.notes.pop(place)
            while added:
                added.pop()(gradient)
            return found

        return noted

    changed_hook(patch, change)


@fault
def hooks_removed_by_a_hook_are_skipped_at_once(patch: Patch) -> None:
    """A hook that an earlier hook of the same tensor removes does not run in the same pass."""
    removed: list[Any] = []

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            def unless_removed(gradient: Any) -> Any:
                return None if handles[0].id in removed else hook(gradient)

            handles = [original(self, unless_removed)]
            return handles[0]

        return register_hook

    def note(original: Any) -> Any:
        def remove(self: Any) -> None:
            removed.append(self.id)
            original(self)

        return remove

    patch.wrap(torch.Tensor, "register_hook", make)
    patch.wrap(torch.utils.hooks.RemovableHandle, "remove", note)


# --- gradients and leaves that change ---


@fault
def assignments_to_grad_are_lost_during_a_pass(patch: Patch) -> None:
    """What a hook assigns to the grad of a leaf is overwritten by the pass."""
    original: Any = torch.Tensor.grad
    passes = running(patch)

    def put(self: Any, value: Any) -> None:
        if not passes or not self.is_leaf:
            assign(original, self, value)

    attribute(patch, "grad", None, put)


@fault
def changes_by_hooks_are_not_counted(patch: Patch) -> None:
    """In-place changes that a hook makes to leaves of the running pass escape the check."""
    leaves: list[list[Any]] = [[]]

    def around(run: Any, options: Any) -> Any:
        leaves.append(leaves_below(options.roots))
        try:
            return run(options)
        finally:
            leaves.pop()

    def change(hook: Any, tensor: Any) -> Any:
        def uncounted(gradient: Any) -> Any:
            with inside.keeping_version(tuple(leaves[-1])):
                return hook(gradient)

        return uncounted

    around_pass(patch, around)
    changed_hook(patch, change)


# --- roots that are leaves or inputs ---


@fault
def hooks_of_a_leaf_do_not_run_where_it_is_the_root(patch: Patch) -> None:
    """The gradient of a root that is a leaf is accumulated without its hooks."""
    roots: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        before = list(roots)
        roots[:] = [r for r in options.roots if isinstance(r, torch.Tensor) and r.is_leaf]
        try:
            return run(options)
        finally:
            roots[:] = before

    def change(hook: Any, tensor: Any) -> Any:
        if not tensor.is_leaf:
            return hook
        at = Marked()
        at.add(tensor)

        def unless_root(gradient: Any) -> Any:
            return None if any(root in at for root in roots) else hook(gradient)

        return unless_root

    around_pass(patch, around)
    changed_hook(patch, change)


@fault
def the_gradient_of_a_root_is_what_was_given(patch: Patch) -> None:
    """A root that is also an input gets the given gradient, from before its hooks."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        seeds = dict(zip(map(id, options.roots), options.seeds, strict=False))
        if options.accumulates:
            for each in options.inputs:
                if seeds.get(id(each)) is not None and not each.is_leaf:
                    each.grad = seeds[id(each)].clone()
            return found
        return tuple(
            seeds[id(each)] if seeds.get(id(each)) is not None and g is not None else g
            for each, g in zip(options.inputs, found, strict=True)
        )

    around_pass(patch, around)


# --- a pass within a pass ---


@fault
def the_outer_pass_overwrites_what_inner_ones_added(patch: Patch) -> None:
    """What a pass within a pass adds to a leaf of the outer pass is lost."""
    outer: list[list[Any]] = []

    def around(run: Any, options: Any) -> Any:
        held = [(leaf, leaf.grad) for leaf in outer[-1]] if outer and options.accumulates else []
        before = [None if grad is None else grad.detach().clone() for _, grad in held]
        outer.append(leaves_below(options.roots))
        try:
            return run(options)
        finally:
            outer.pop()
            if len(outer) == 1:
                lost.extend(zip([leaf for leaf, _ in held], before, strict=True))
                for leaf, grad in lost:
                    leaf.grad = grad
                lost.clear()

    lost: list[tuple[Any, Any]] = []
    around_pass(patch, around)


@fault
def inner_passes_free_nothing(patch: Patch) -> None:
    """A pass within a pass retains its graph, since the outer one may still need it."""
    passes = running(patch)

    def around(run: Any, options: Any) -> Any:
        options.retain_graph = options.retain_graph or bool(passes)
        return run(options)

    around_pass(patch, around)


@fault
def an_error_of_an_inner_pass_ends_the_outer(patch: Patch) -> None:
    """A pass fails if one within it failed, even if the hook handled that error."""
    errors: list[Exception] = []
    passes: list[bool] = []

    def around(run: Any, options: Any) -> Any:
        passes.append(True)
        try:
            found = run(options)
        except Exception as error:
            if len(passes) > 1:
                errors.append(error)
            raise
        finally:
            passes.pop()
            failed = errors[:] if not passes else []
            if not passes:
                errors.clear()
        if failed:
            raise failed[0]
        return found

    around_pass(patch, around)


@fault
def a_failed_inner_pass_leaves_its_mode(patch: Patch) -> None:
    """After a recorded pass within a pass failed, recording stays on."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception:
            if options.create_graph and not torch.is_grad_enabled():
                inside.set_recording(True)
            raise

    around_pass(patch, around)


# --- errors half way ---


@fault
def a_failed_pass_takes_its_gradients_back(patch: Patch) -> None:
    """A pass that fails leaves every gradient as it was when the pass started."""

    def around(run: Any, options: Any) -> Any:
        held = [
            (leaf, None if leaf.grad is None else leaf.grad.detach().clone())
            for leaf in (leaves_below(options.roots) if options.accumulates else ())
        ]
        try:
            return run(options)
        except Exception:
            for leaf, grad in held:
                leaf.grad = grad
            raise

    around_pass(patch, around)


@fault
def a_failed_pass_frees_everything(patch: Patch) -> None:
    """A pass that fails frees the whole graph, with what it had not reached."""
    freed = Marked()

    def around(run: Any, options: Any) -> Any:
        nodes = operations_below(options.roots)
        if any(node in freed for node in nodes):
            raise RuntimeError(FREED)
        try:
            return run(options)
        except Exception:
            freed.update([] if options.retain_graph else nodes)
            raise

    around_pass(patch, around)


@fault
def a_failed_pass_uses_up_a_retained_graph(patch: Patch) -> None:
    """A pass that fails frees what it went through even if the graph is to be retained."""
    failed = Marked()

    def around(run: Any, options: Any) -> Any:
        nodes = [r.grad_fn for r in options.roots if isinstance(r, torch.Tensor) and r.grad_fn]
        if any(node in failed for node in nodes):
            raise RuntimeError(FREED)
        try:
            return run(options)
        except Exception:
            failed.update(nodes)
            raise

    around_pass(patch, around)


# --- hooks of several tensors ---


@replaces("autograd.graph.register_multi_grad_hook")
def multi_grad_hooks_keep_what_a_failed_pass_gave(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A hook of several tensors keeps the gradients that have come until it is called, over passes."""
    tensors = list(tensors)
    if mode != "all":
        return original(tensors, function, mode=mode)
    come: list[Any] = []

    def one(gradient: Any, at: int) -> None:
        come.append((at, gradient))
        if len(come) == len(tensors):
            gradients: list[Any] = [None] * len(tensors)
            for place, value in come:
                gradients[place] = value
            come.clear()
            function(gradients)

    handles = [
        tensor.register_hook(lambda gradient, at=at: one(gradient, at))
        for at, tensor in enumerate(tensors)
    ]
    return inside.multi_handle(tuple(handles))
