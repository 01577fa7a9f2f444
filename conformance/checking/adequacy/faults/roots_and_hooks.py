"""Faults of leaves that are roots, and of hooks after accumulation and of several tensors."""

from __future__ import annotations

import threading
from typing import Any

from ..breaking import Patch, around_pass, fault, replaces, retaining, torch


@fault
def a_leaf_is_a_root_once(patch: Patch) -> None:
    """A leaf that stands among the roots twice gets the gradient of its last place only."""

    def around(run: Any, options: Any) -> Any:
        kept = [
            k for k, root in enumerate(options.roots)
            if not (getattr(root, "is_leaf", False) and any(root is r for r in options.roots[k + 1 :]))
        ]  # fmt: skip
        if len(kept) < len(options.roots):
            options.roots = [options.roots[k] for k in kept]
            options.seeds = options.seeds and [options.seeds[k] for k in kept]
        return run(options)

    around_pass(patch, around)


@fault
def each_hook_after_accumulation_sees_the_same(patch: Patch) -> None:
    """What a post-accumulate hook assigns to .grad is gone when the next one of the leaf runs."""
    before: dict[int, Any] = {}

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            is_first = id(self) not in before
            before.setdefault(id(self), None)

            def called(leaf: Any) -> None:
                if is_first:
                    before[id(leaf)] = leaf.grad
                else:
                    leaf.grad = before[id(leaf)]
                hook(leaf)

            return original(self, called)

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
    patch.at_end(before.clear)


@replaces("autograd.graph.register_multi_grad_hook")
def errors_of_several_tensors_hooks_are_lost(
    original: Any, tensors: Any, hook: Any, **options: Any
) -> Any:
    """An error in a hook of several tensors is lost."""

    def called(gradients: Any) -> None:
        try:
            hook(gradients)
        except Exception:
            return

    return original(tensors, called, **options)


@fault
def cleared_gradients_live_until_the_pass_ends(patch: Patch) -> None:
    """A gradient that a post-accumulate hook takes away from its leaf lives until the pass ends."""
    kept: list[Any] = []

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            def called(leaf: Any) -> None:
                kept.append(leaf.grad)
                hook(leaf)

            return original(self, called)

        return register

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        finally:
            kept.clear()

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)
    around_pass(patch, around)


@fault
def passes_of_other_threads_retain_nothing(patch: Patch) -> None:
    """retain_grad() has no effect on passes of other threads than the first."""
    retained = retaining(patch)

    def around(run: Any, options: Any) -> Any:
        first = threading.current_thread() is threading.main_thread()
        before = [] if first else [(tensor, tensor.grad) for tensor in retained]
        result = run(options)
        for tensor, gradient in before:
            tensor.grad = gradient
        return result

    around_pass(patch, around)
    patch.at_end(retained.clear)


@fault
def a_failed_inner_pass_ends_what_grad_returns(patch: Patch) -> None:
    """After a hook has caught the error of an inner pass, the outer autograd.grad finds no gradients."""
    depth: list[bool] = []

    def around(run: Any, options: Any) -> Any:
        depth.append(False)
        try:
            result = run(options)
            if depth[-1] and not options.accumulates:
                raise RuntimeError(
                    "One of the differentiated Tensors appears to not have been used"
                )
            return result
        except Exception:
            for level in range(len(depth) - 1):
                depth[level] = True
            raise
        finally:
            depth.pop()

    around_pass(patch, around)
