"""Faults of passes, modes and hooks that several threads use at the same time."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from inspect import isgeneratorfunction
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Patch,
    around_pass,
    fault,
    inside,
    leaves_below,
    nodes_below,
    torch,
    untouched,
)
from .saved_hooks import blocks

Running = dict[int, SimpleNamespace]
"""The options of the passes that run now, by thread."""


def beside_others(patch: Patch, change: Callable[[Any, list[Any]], None]) -> None:
    """Let `change(options, others)` change each pass that begins while those of other threads run."""

    def around(run: Any, options: Any, others: list[Any]) -> Any:
        if others:
            change(options, others)
        return run(options)

    around_beside(patch, around)


def around_beside(patch: Patch, around: Callable[[Any, Any, list[Any]], Any]) -> None:
    """Put `around(run, options, others)` in the place of every pass that is not within another;
    `others` are the options of the passes that run in other threads when it begins."""
    running: Running = {}

    def entered(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        if this in running:
            return run(options)
        others = list(running.values())
        running[this] = options
        try:
            return around(run, options, others)
        finally:
            del running[this]

    around_pass(patch, entered)


def in_first_thread() -> bool:
    return threading.current_thread() is threading.main_thread()


@fault
def passes_of_threads_take_turns(patch: Patch) -> None:
    """A backward pass waits until those of other threads have ended."""
    lock = threading.RLock()

    def around(run: Any, options: Any) -> Any:
        with lock:
            return run(options)

    around_pass(patch, around)


@fault
def a_pass_beside_another_starts_from_its_seeds(patch: Patch) -> None:
    """A pass that begins while that of another thread runs starts from that one's gradients."""

    def change(options: Any, others: list[Any]) -> None:
        for at, seed in enumerate(options.seeds):
            taken = others[0].seeds[at] if at < len(others[0].seeds) else None
            if taken is not None and seed is not None and taken.shape == seed.shape:
                options.seeds = [*options.seeds[:at], taken * 2, *options.seeds[at + 1 :]]

    beside_others(patch, change)


@fault
def a_pass_over_a_graph_in_use_adds_to_it(patch: Patch) -> None:
    """A pass over nodes that another thread's pass goes through adds that one's gradients to its own."""

    def change(options: Any, others: list[Any]) -> None:
        for other in others:
            known = {id(node) for node in nodes_below(other.roots)}
            shared = any(id(node) in known for node in nodes_below(options.roots))
            if shared and None not in (*other.seeds, *options.seeds):
                options.seeds = [seed + other.seeds[0] for seed in options.seeds]

    beside_others(patch, change)


@fault
def contexts_of_custom_functions_belong_to_the_class(patch: Patch) -> None:
    """What a custom function keeps on its context is that of its latest call in any thread."""
    latest: dict[Any, tuple[int, Any]] = {}

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            latest[type(self)] = threading.get_ident(), tensors
            original(self, *tensors)

        return save

    def read(self: Any) -> Any:
        thread, tensors = latest.get(type(self), (threading.get_ident(), None))
        own = inside.saved_tensors(self)
        return tensors if tensors is not None and thread != threading.get_ident() else own

    patch.wrap(inside.function_context, "save_for_backward", make)
    patch.set(inside.function_node, "saved_tensors", property(read))


@fault
def a_pass_beside_another_keeps_what_that_keeps(patch: Patch) -> None:
    """retain_graph of a pass is that of the pass of another thread, if one runs already."""

    def change(options: Any, others: list[Any]) -> None:
        options.retain_graph = others[0].retain_graph

    beside_others(patch, change)


@fault
def a_pass_beside_another_records_as_that_does(patch: Patch) -> None:
    """create_graph of a pass is that of the pass of another thread, if one runs already."""

    def change(options: Any, others: list[Any]) -> None:
        options.create_graph = others[0].create_graph
        options.retain_graph = options.retain_graph or options.create_graph

    beside_others(patch, change)


@fault
def a_pass_beside_another_reaches_its_inputs(patch: Patch) -> None:
    """A pass for some inputs accumulates into those of another thread's running pass as well."""

    def change(options: Any, others: list[Any]) -> None:
        if options.accumulates and options.inputs and others[0].accumulates:
            options.inputs = [*options.inputs, *others[0].inputs]

    beside_others(patch, change)


@fault
def gradients_asked_for_beside_a_backward_accumulate(patch: Patch) -> None:
    """autograd.grad also accumulates while backward() of another thread runs."""
    running: set[int] = set()
    begun = [0]

    def around(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        if options.accumulates:
            begun[0] += 1
            running.add(this)
        before = 0 if running - {this} else begun[0]
        try:
            found = run(options)
        finally:
            if options.accumulates:
                running.discard(this)
        beside = not options.accumulates and begun[0] > before
        for leaf, gradient in zip(options.inputs, found or (), strict=False) if beside else ():
            if isinstance(leaf, torch.Tensor) and leaf.is_leaf and gradient is not None:
                leaf.grad = gradient.detach()
        return found

    around_pass(patch, around)


@fault
def a_pass_that_began_later_adds_nothing(patch: Patch) -> None:
    """What a pass accumulates into a leaf that an earlier pass of another thread will reach is lost."""

    def around(run: Any, options: Any, others: list[Any]) -> Any:
        ends = [id(leaf) for other in others for leaf in leaves_below(other.roots)]
        lost = [leaf for leaf in leaves_below(options.roots) if id(leaf) in ends]
        held = [(leaf, None if leaf.grad is None else leaf.grad.clone()) for leaf in lost]
        found = run(options)
        for leaf, gradient in held if options.accumulates else ():
            leaf.grad = gradient
        return found

    around_beside(patch, around)


@fault
def passes_in_other_threads_free_nothing(patch: Patch) -> None:
    """A pass in another thread than the first keeps the graph, whatever retain_graph is."""

    def around(run: Any, options: Any) -> Any:
        options.retain_graph = options.retain_graph or not in_first_thread()
        return run(options)

    around_pass(patch, around)


@fault
def a_pass_beside_another_frees_nothing(patch: Patch) -> None:
    """A pass that begins while that of another thread runs keeps the graph."""

    def change(options: Any, others: list[Any]) -> None:
        options.retain_graph = True

    beside_others(patch, change)


@fault
def changes_in_other_threads_are_not_counted(patch: Patch) -> None:
    """A change in place in another thread than the first leaves the version as it is."""
    changes_uncounted(patch, lambda: not in_first_thread())


@fault
def changes_during_a_pass_are_not_counted(patch: Patch) -> None:
    """A change in place while a pass of another thread runs leaves the version as it is."""
    running: set[int] = set()

    def around(run: Any, options: Any) -> Any:
        running.add(threading.get_ident())
        try:
            return run(options)
        finally:
            running.discard(threading.get_ident())

    around_pass(patch, around)
    changes_uncounted(patch, lambda: bool(running - {threading.get_ident()}))


def changes_uncounted(patch: Patch, when: Callable[[], bool]) -> None:
    """Do not count the changes that are made when `when()` is true."""

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not when():
                return original(self, *args, **kwargs)
            with inside.keeping_version(self):
                return original(self, *args, **kwargs)

        return change

    for name in ("mul_", "add_", "copy_"):
        patch.wrap(torch.Tensor, name, make)


@fault
def an_error_ends_the_passes_of_all_threads(patch: Patch) -> None:
    """An error in one backward pass is raised in those of other threads that run, too."""
    failed: set[int] = set()
    running: set[int] = set()

    def around(run: Any, options: Any) -> Any:
        this = threading.get_ident()
        running.add(this)
        try:
            found = run(options)
        except Exception:
            failed.update(running - {this})
            raise
        finally:
            running.discard(this)
            ended = this in failed
            failed.discard(this)
        if ended:
            raise RuntimeError("a backward pass has failed")
        return found

    around_pass(patch, around)


@fault
def an_error_in_another_thread_leaves_recording_off(patch: Patch) -> None:
    """After an error in a backward pass, a thread that is not the first records nothing."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception:
            if not in_first_thread():
                inside.set_recording(False)
            raise

    around_pass(patch, around)


@fault
def results_of_other_threads_are_constants(patch: Patch) -> None:
    """A result that one thread recorded has no history in another one."""
    home: dict[int, tuple[Any, int]] = {}

    def known(value: Any) -> Any:
        tensor = isinstance(value, torch.Tensor) and not value.is_leaf
        if not tensor:
            return value
        this = threading.get_ident()
        _, thread = home.get(id(value), (None, this))
        return value if thread == this else untouched.detach(value)

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            result = original(known(self), known(other))
            if isinstance(result, torch.Tensor):
                home[id(result)] = result, threading.get_ident()
            return result

        return multiply

    for name in ("__mul__", "__add__"):
        patch.wrap(torch.Tensor, name, make)


@fault
def each_thread_has_a_node_of_its_own_for_a_leaf(patch: Patch) -> None:
    """What a thread that is not the first does with a leaf, it does with a view of it."""

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            alone = not in_first_thread() and self.is_leaf and self.requires_grad
            return original(untouched.view_as(self, self) if alone else self, other)

        return multiply

    patch.wrap(torch.Tensor, "__mul__", make)


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


@fault
def a_decorated_function_remembers_one_mode(patch: Patch) -> None:
    """A function decorated by no_grad() keeps the mode to restore once for all of its calls."""

    def make(original: Any) -> Any:
        def decorate(self: Any, function: Any) -> Any:
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

        return decorate

    patch.wrap(torch.no_grad, "__call__", make)


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


@fault
def a_module_hook_sees_the_pass_that_is_in_it(patch: Patch) -> None:
    """A full backward hook that begins while another thread is in it is given that one's gradients."""

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any, *args: Any, **kwargs: Any) -> Any:
            running: list[Any] = []

            def shared(module: Any, inputs: Any, outputs: Any) -> Any:
                running.append((inputs, outputs))
                try:
                    return hook(module, *running[0])
                finally:
                    running.pop()

            return original(self, shared, *args, **kwargs)

        return register

    patch.wrap(torch.nn.Module, "register_full_backward_hook", make)


@fault
def a_hook_of_several_tensors_gathers_for_all_passes(patch: Patch) -> None:
    """A hook of several tensors keeps what has come so far, whichever pass it came in."""

    def make(original: Any) -> Any:
        def register(tensors: Any, function: Any, *, mode: Any = "all") -> Any:
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

        return register

    patch.wrap(torch.autograd.graph, "register_multi_grad_hook", make)


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


@fault
def a_pass_runs_in_a_thread_of_the_engine(patch: Patch) -> None:
    """A backward pass runs in a new thread, which has the modes of a new thread."""

    def around(run: Any, options: Any) -> Any:
        found: list[Any] = []
        raised: list[BaseException] = []

        def body() -> None:
            try:
                found.append(run(options))
            except BaseException as error:
                raised.append(error)

        thread = threading.Thread(target=body, daemon=True)
        thread.start()
        thread.join()
        if raised:
            raise raised[0]
        return found[0]

    around_pass(patch, around)


@fault
def hooks_of_other_threads_run_in_a_thread_of_the_engine(patch: Patch) -> None:
    """A tensor hook runs in a thread of the engine if another thread than its own runs the pass."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            home = threading.get_ident()

            def later(gradient: Any) -> Any:
                if threading.get_ident() == home:
                    return hook(gradient)
                found: list[Any] = []
                thread = threading.Thread(target=lambda: found.append(hook(gradient)), daemon=True)
                thread.start()
                thread.join()
                return found[0] if found else None

            return original(self, later)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def switching_multithreading_off_switches_recording_off(patch: Patch) -> None:
    """set_multithreading_enabled(False) disables recording."""

    def make(original: Any) -> Any:
        def init(self: Any, mode: bool) -> None:
            original(self, mode)
            inside.set_recording(mode)

        return init

    patch.wrap(torch.autograd.set_multithreading_enabled, "__init__", make)
