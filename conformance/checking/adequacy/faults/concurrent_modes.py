"""Faults of modes, hooks for saved tensors, modules, transforms and checkpoints that several threads
use at the same time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from inspect import isgeneratorfunction
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, leaves_below, replaces, torch
from .concurrency import in_first_thread
from .saved_hooks import blocks


@fault
def only_the_first_of_several_threads_enters_no_grad(patch: Patch) -> None:
    """no_grad counts how many blocks are open in all threads, and acts on the first and the last."""
    opened: list[int] = []

    def enter(original: Any) -> Any:
        def run(self: Any) -> Any:
            entered = original(self)
            this = threading.get_ident()
            if any(thread != this for thread in opened):
                inside.set_recording(True)
            opened.append(this)
            return entered

        return run

    def leave(original: Any) -> Any:
        def run(self: Any, *error: Any) -> Any:
            opened.remove(threading.get_ident())
            return original(self, *error)

        return run

    patch.wrap(torch.no_grad, "__enter__", enter)
    patch.wrap(torch.no_grad, "__exit__", leave)


@replaces("no_grad.__call__")
def a_decorated_function_remembers_one_mode(original: Any, self: Any, function: Any) -> Any:
    """A function decorated by no_grad() keeps the mode to restore once for all of its calls."""
    if isgeneratorfunction(function) or not callable(function):
        return original(self, function)
    before = [True]

    def call(*args: Any, **kwargs: Any) -> Any:
        before[0] = torch.is_grad_enabled()
        inside.set_recording(False)
        try:
            return function(*args, **kwargs)
        finally:
            inside.set_recording(before[0])

    return call


@fault
def a_mode_set_in_one_thread_is_told_in_others(patch: Patch) -> None:
    """is_grad_enabled() is false while another thread than the first has called set_grad_enabled(False)."""
    switched: dict[int, bool] = {}

    def make(original: Any) -> Any:
        def init(self: Any, mode: bool) -> None:
            original(self, mode)
            if not in_first_thread():
                switched[threading.get_ident()] = bool(mode)

        return init

    def tell(original: Any) -> Any:
        def is_grad_enabled() -> bool:
            known = [mode for thread, mode in switched.items() if thread != threading.get_ident()]
            return bool(original()) and all(known)

        return is_grad_enabled

    patch.wrap(torch.set_grad_enabled, "__init__", make)
    patch.wrap(torch, "is_grad_enabled", tell)


@fault
def the_block_entered_last_packs_for_all_threads(patch: Patch) -> None:
    """What is saved within hooks is packed by those that any thread has entered last."""
    known: dict[int, tuple[Any, Any]] = {}
    entered = blocks(patch)

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            known[id(self)] = pack_hook, unpack_hook

            def latest() -> tuple[Any, Any]:
                return known[id(entered[-1])] if entered else (pack_hook, unpack_hook)

            def pack(tensor: Any) -> Any:
                chosen, unpack = latest()
                return chosen(tensor), unpack

            original(self, pack, lambda packed: packed[1](packed[0]))

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


@fault
def a_recorded_pass_packs_nothing(patch: Patch) -> None:
    """What a backward pass with create_graph=True saves is not packed."""

    def around(run: Any, options: Any) -> Any:
        if not options.create_graph:
            return run(options)
        with torch.autograd.graph.saved_tensors_hooks(lambda v: v, lambda v: v):
            return run(options)

    around_pass(patch, around)


@fault
def nothing_is_packed_during_a_pass(patch: Patch) -> None:
    """What hooks record during a backward pass is not packed."""

    def around(run: Any, options: Any) -> Any:
        with torch.autograd.graph.saved_tensors_hooks(lambda v: v, lambda v: v):
            return run(options)

    around_pass(patch, around)


@fault
def forbidden_hooks_are_forbidden_in_all_threads(patch: Patch) -> None:
    """disable_saved_tensors_hooks forbids hooks for saved tensors in every thread."""
    forbidding: list[int] = []

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def disable(message: str) -> Iterator[None]:
            with original(message):
                forbidding.append(threading.get_ident())
                try:
                    yield
                finally:
                    forbidding.remove(threading.get_ident())

        return disable

    def enter(original: Any) -> Any:
        def run(self: Any) -> Any:
            if set(forbidding) - {threading.get_ident()}:
                raise RuntimeError("hooks are forbidden")
            return original(self)

        return run

    patch.wrap(torch.autograd.graph, "disable_saved_tensors_hooks", make)
    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__enter__", enter)


@replaces("nn.Module.register_full_backward_hook")
def a_module_hook_sees_the_pass_that_is_in_it(
    original: Any, self: Any, hook: Any, *args: Any, **kwargs: Any
) -> Any:
    """A full backward hook that begins while another thread is in it is given that one's gradients."""
    running: list[Any] = []

    def shared(module: Any, inputs: Any, outputs: Any) -> Any:
        running.append((inputs, outputs))
        try:
            return hook(module, *running[0])
        finally:
            running.pop()

    return original(self, shared, *args, **kwargs)


@replaces("autograd.graph.register_multi_grad_hook")
def a_hook_of_several_tensors_gathers_for_all_passes(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A hook of several tensors keeps what has come so far, whichever pass it came in."""
    tensors = list(tensors)
    if mode != "all":
        return original(tensors, function, mode=mode)
    come: dict[int, Any] = {}

    def deliver(at: int, gradient: Any) -> None:
        come[at] = gradient
        if len(come) == len(tensors):
            function([come[index] for index in range(len(tensors))])
            come.clear()

    def hook(at: int) -> Callable[[Any], None]:
        return lambda gradient: deliver(at, gradient)

    handles = [tensor.register_hook(hook(at)) for at, tensor in enumerate(tensors)]
    return inside.multi_handle(tuple(handles))


def threads_within(patch: Patch, name: str) -> list[int]:
    """The threads that are in a function that the transform of this name gave, filled in as they call."""
    running: list[int] = []

    def make(original: Any) -> Any:
        def transform(function: Any, *args: Any, **kwargs: Any) -> Any:
            made = original(function, *args, **kwargs)

            def call(*inputs: Any, **keywords: Any) -> Any:
                running.append(threading.get_ident())
                try:
                    return made(*inputs, **keywords)
                finally:
                    running.remove(threading.get_ident())

            return call

        return transform

    patch.wrap(torch.func, name, make)
    return running


@fault
def transforms_run_in_one_thread_at_a_time(patch: Patch) -> None:
    """A product in a function that func.grad differentiates is refused while another thread is in one."""
    running = threads_within(patch, "grad")

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            if len(set(running)) > 1:
                raise RuntimeError("a transform is running in another thread")
            return original(self, other)

        return multiply

    patch.wrap(torch.Tensor, "__mul__", make)


@fault
def a_transform_keeps_other_threads_from_accumulating(patch: Patch) -> None:
    """backward() accumulates nothing while another thread calls what func.grad gave."""
    running = threads_within(patch, "grad")

    def around(run: Any, options: Any) -> Any:
        beside = options.accumulates and set(running) - {threading.get_ident()}
        held = [(leaf, leaf.grad) for leaf in leaves_below(options.roots)] if beside else []
        found = run(options)
        for leaf, gradient in held:
            leaf.grad = gradient
        return found

    around_pass(patch, around)


@fault
def other_threads_are_mapped_too(patch: Patch) -> None:
    """While one thread is in a function that vmap maps, products of other threads are doubled."""
    running = threads_within(patch, "vmap")

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            found = original(self, other)
            return found + found if set(running) - {threading.get_ident()} else found

        return multiply

    patch.wrap(torch.Tensor, "__mul__", make)


@fault
def a_checkpoint_runs_the_function_of_the_latest(patch: Patch) -> None:
    """A checkpoint's second run is of the function that any thread has checkpointed last."""
    latest: list[Any] = []

    def make(original: Any) -> Any:
        def checkpoint(function: Any, *args: Any, **kwargs: Any) -> Any:
            runs: list[int] = []
            latest[:] = [function]

            def again(*inputs: Any, **keywords: Any) -> Any:
                runs.append(0)
                chosen = function if len(runs) == 1 else latest[0]
                return chosen(*inputs, **keywords)

            return original(again, *args, **kwargs)

        return checkpoint

    patch.wrap(torch.utils.checkpoint, "checkpoint", make)


@replaces("autograd.set_multithreading_enabled.__init__")
def switching_multithreading_off_switches_recording_off(
    original: Any, self: Any, mode: bool
) -> None:
    """set_multithreading_enabled(False) disables recording."""
    original(self, mode)
    inside.set_recording(mode)
