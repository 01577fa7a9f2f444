"""Faults of a backward pass that runs within another."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, leaves_below, nodes_below, torch


def within(patch: Patch, around: Callable[[Any, Any, list[Any]], Any]) -> None:
    """Put `around(run, options, outer)` in the place of every pass; `outer` are the options of those
    that it runs within, outermost first."""
    own = threading.local()

    def entered(run: Any, options: Any) -> Any:
        outer = list(getattr(own, "passes", ()))
        own.passes = [*outer, options]
        try:
            return around(run, options, outer)
        finally:
            own.passes = outer

    around_pass(patch, entered)


def changed_within(patch: Patch, change: Callable[[Any, Any], None]) -> None:
    """Let `change(options, outer)` change each pass that runs within another."""

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        if outer:
            change(options, outer[-1])
        return run(options)

    within(patch, around)


@fault
def an_inner_pass_accumulates_only_if_the_outer_does(patch: Patch) -> None:
    """backward() within autograd.grad leaves .grad as it is."""

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        lost = bool(outer) and options.accumulates and not outer[-1].accumulates
        held = [(leaf, leaf.grad) for leaf in leaves_below(options.roots)] if lost else []
        found = run(options)
        for leaf, gradient in held:
            leaf.grad = gradient
        return found

    within(patch, around)


@fault
def recording_stays_off_within_a_pass(patch: Patch) -> None:
    """enable_grad does nothing while a backward pass runs."""
    own = threading.local()

    def around(run: Any, options: Any) -> Any:
        held = getattr(own, "depth", 0)
        own.depth = held + (not options.create_graph)
        try:
            return run(options)
        finally:
            own.depth = held

    def make(original: Any) -> Any:
        def enter(self: Any) -> Any:
            entered = original(self)
            if getattr(own, "depth", 0):
                inside.set_recording(False)
            return entered

        return enter

    around_pass(patch, around)
    patch.wrap(torch.enable_grad, "__enter__", make)


@fault
def one_pass_within_a_custom_backward_at_a_time(patch: Patch) -> None:
    """A pass within another is refused while a thread is in one."""
    inner: list[int] = []

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        if not outer:
            return run(options)
        this = threading.get_ident()
        if any(thread != this for thread in inner):
            raise RuntimeError("the backward pass is already running")
        inner.append(this)
        try:
            return run(options)
        finally:
            inner.pop()

    within(patch, around)


@fault
def an_inner_pass_finds_the_gradients_of_the_outer(patch: Patch) -> None:
    """A pass over the graph of the pass that it runs within adds that one's gradients to its own."""

    def change(options: Any, outer: Any) -> None:
        known = {id(node) for node in nodes_below(outer.roots)}
        shared = any(id(node) in known for node in nodes_below(options.roots))
        if shared and None not in (*options.seeds, *outer.seeds):
            options.seeds = [seed + outer.seeds[0] for seed in options.seeds]

    changed_within(patch, change)


@fault
def an_inner_pass_frees_nothing(patch: Patch) -> None:
    """A pass within another keeps its graph."""

    def change(options: Any, outer: Any) -> None:
        options.retain_graph = True

    changed_within(patch, change)


@fault
def an_inner_pass_keeps_what_the_outer_keeps(patch: Patch) -> None:
    """retain_graph of a pass within another is that of the outer one."""

    def change(options: Any, outer: Any) -> None:
        options.retain_graph = outer.retain_graph or options.create_graph

    changed_within(patch, change)


@fault
def an_inner_pass_records_as_the_outer_does(patch: Patch) -> None:
    """create_graph of a pass within another is that of the outer one."""

    def change(options: Any, outer: Any) -> None:
        options.create_graph = outer.create_graph
        options.retain_graph = options.retain_graph or options.create_graph

    changed_within(patch, change)


@fault
def an_inner_pass_ends_at_the_inputs_of_the_outer(patch: Patch) -> None:
    """backward() within backward(inputs=...) accumulates into those inputs only."""

    def change(options: Any, outer: Any) -> None:
        if options.accumulates and outer.accumulates and not options.inputs:
            options.inputs = outer.inputs

    changed_within(patch, change)


@fault
def an_inner_pass_leaves_recording_off(patch: Patch) -> None:
    """After a pass within another, the rest of the outer one is not recorded."""

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        try:
            return run(options)
        finally:
            if outer:
                inside.set_recording(False)

    within(patch, around)


@fault
def an_inner_pass_leaves_recording_on(patch: Patch) -> None:
    """After a pass within another, the rest of the outer one is recorded if the inner one was."""

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        try:
            return run(options)
        finally:
            if outer and options.create_graph:
                inside.set_recording(True)

    within(patch, around)


@fault
def hooks_record_what_they_do(patch: Patch) -> None:
    """A tensor hook runs with recording on, whatever create_graph is."""
    hooks_run_with(patch, True)


@fault
def hooks_record_nothing(patch: Patch) -> None:
    """A tensor hook runs with recording off, whatever create_graph is."""
    hooks_run_with(patch, False)


def hooks_run_with(patch: Patch, recording: bool) -> None:
    """Let tensor hooks run in this mode."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            def run(gradient: Any) -> Any:
                before = torch.is_grad_enabled()
                inside.set_recording(recording)
                try:
                    return hook(gradient)
                finally:
                    inside.set_recording(before)

            return original(self, run)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def an_error_in_an_inner_pass_ends_the_outer(patch: Patch) -> None:
    """An error in a pass within another is raised by the outer one too, although a hook caught it."""
    failed: set[int] = set()

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        try:
            found = run(options)
        except Exception:
            failed.update(map(id, outer))
            raise
        finally:
            ended = id(options) in failed
            failed.discard(id(options))
        if ended:
            raise RuntimeError("a backward pass within this one has failed")
        return found

    within(patch, around)


@fault
def an_error_in_an_inner_pass_is_lost(patch: Patch) -> None:
    """An error in a pass within another ends that pass, and is raised nowhere."""

    def around(run: Any, options: Any, outer: list[Any]) -> Any:
        try:
            return run(options)
        except Exception:
            if not outer or not options.accumulates:
                raise
            return None

    within(patch, around)


@fault
def passes_nest_a_hundred_deep(patch: Patch) -> None:
    """A pass within a hundred others is refused."""

    running: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        if len(running) > 100:
            raise RecursionError("backward passes are nested too deeply")
        running.append(options)
        try:
            return run(options)
        finally:
            running.pop()

    around_pass(patch, around)
