"""Faults of hooks for saved tensors, and of anomaly detection."""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, nodes_below, torch, untouched

Pair = tuple[Callable[..., Any], Callable[..., Any]]


def pairs(patch: Patch, change: Callable[[Any, Any], Pair]) -> None:
    """Put `change(pack, unpack)` in the place of every pair of hooks."""

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            original(self, *change(pack_hook, unpack_hook))

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


def blocks(patch: Patch) -> list[Any]:
    """The blocks of hooks that are entered now."""
    entered: list[Any] = []

    def enter(original: Any) -> Any:
        def run(self: Any) -> Any:
            entered.append(self)
            return original(self)

        return run

    def leave(original: Any) -> Any:
        def run(self: Any, *error: Any) -> Any:
            entered.remove(self)
            return original(self, *error)

        return run

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__enter__", enter)
    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__exit__", leave)
    return entered


@fault
def what_is_unpacked_is_another_tensor(patch: Patch) -> None:
    """A custom function gets an alias of the tensor that an unpacking hook returns."""
    pairs(patch, lambda pack, unpack: (pack, lambda packed: untouched.detach(unpack(packed))))


@fault
def pack_hooks_see_detached_tensors(patch: Patch) -> None:
    """A packing hook is given the tensor without its history."""
    pairs(patch, lambda pack, unpack: (lambda tensor: pack(untouched.detach(tensor)), unpack))


@fault
def packing_must_give_a_tensor(patch: Patch) -> None:
    """What a packing hook returns must be a tensor."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            found = pack(tensor)
            if not isinstance(found, torch.Tensor):
                raise TypeError("a packing hook must return a tensor")
            return found

        return packed, unpack

    pairs(patch, change)


@fault
def unpacking_uses_the_hooks_of_the_moment(patch: Patch) -> None:
    """A value is unpacked by the pair that is in force during the pass, if there is one."""
    entered = blocks(patch)
    own: dict[int, Any] = {}

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            own[id(self)] = unpack_hook

            def unpacked(value: Any) -> Any:
                return own[id(entered[-1] if entered else self)](value)

            original(self, pack_hook, unpacked)

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


@fault
def unpack_hooks_run_while_recording(patch: Patch) -> None:
    """An unpacking hook runs with recording on."""
    pairs(patch, lambda pack, unpack: (pack, torch.enable_grad()(unpack)))


@fault
def saved_hooks_hold_for_other_threads(patch: Patch) -> None:
    """A thread that starts within a block of hooks for saved tensors packs as well."""
    entered = blocks(patch)

    def make(original: Any) -> Any:
        def run(self: Any) -> None:
            with contextlib.ExitStack() as stack:
                for block in list(entered):
                    stack.enter_context(block)
                original(self)

        return run

    patch.wrap(threading.Thread, "run", make)


@fault
def forbidding_saved_hooks_does_not_nest(patch: Patch) -> None:
    """The end of an inner block that forbids hooks for saved tensors allows them in the outer one."""

    entered: list[Any] = []

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def disabled(message: str) -> Iterator[None]:
            entered.append(original(message))
            entered[-1].__enter__()
            try:
                yield
            finally:
                while entered:
                    entered.pop().__exit__(None, None, None)

        return disabled

    patch.wrap(torch.autograd.graph, "disable_saved_tensors_hooks", make)


# --- anomaly detection ---


def checked(patch: Patch, is_anomaly: Callable[[tuple[Any, ...]], bool]) -> None:
    """Let `is_anomaly(gradients)` say of what an operation gives whether it is one."""

    def around(run: Any, options: Any) -> Any:
        if not (torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled()):
            return run(options)

        def check(name: str, gradients: Any, _: Any) -> None:
            if is_anomaly(gradients):
                found: Any = RuntimeError(
                    f"Function '{name}' returned nan values in its 0th output."
                )
                found.kind = "anomaly"  # as errors of the reference have
                raise found

        handles = [
            node.register_hook(partial(check, node.name()))
            for node in nodes_below(options.roots)
            if not hasattr(node, "variable")
        ]
        inside.set_anomaly(True, False)
        try:
            return run(options)
        finally:
            inside.set_anomaly(True, True)
            for handle in handles:
                handle.remove()

    around_pass(patch, around)


@fault
def anomaly_mode_refuses_infinities(patch: Patch) -> None:
    """Anomaly detection refuses infinite gradients too."""
    checked(
        patch, lambda gradients: any(g is not None and not g.isfinite().all() for g in gradients)
    )


@fault
def anomaly_mode_looks_at_the_first_gradient_only(patch: Patch) -> None:
    """Anomaly detection looks for NaN in the first gradient that an operation gives only."""
    checked(patch, lambda gradients: gradients[0] is not None and bool(gradients[0].isnan().any()))


@fault
def leaving_anomaly_mode_checks_nan_again(patch: Patch) -> None:
    """The end of a block of anomaly detection switches the search for NaN of the outer one on."""

    def make_init(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            self.was_on = torch.is_anomaly_enabled()
            original(self, *args, **kwargs)

        return init

    def leave(self: Any, *error: Any) -> None:
        inside.set_anomaly(self.was_on, True)

    modes = torch.autograd.anomaly_mode
    for kind in (modes.detect_anomaly, modes.set_detect_anomaly):
        patch.wrap(kind, "__init__", make_init)
        patch.set(kind, "__exit__", leave)


@fault
def set_detect_anomaly_is_a_context_only(patch: Patch) -> None:
    """set_detect_anomaly(True) as a plain call has no effect."""
    kind = torch.autograd.anomaly_mode.set_detect_anomaly

    def init(self: Any, mode: bool, check_nan: bool = True) -> None:
        self.before = torch.is_anomaly_enabled(), torch.is_anomaly_check_nan_enabled()
        self.wanted = mode, check_nan

    patch.set(kind, "__init__", init)
    patch.set(kind, "__enter__", lambda self: inside.set_anomaly(*self.wanted))
    patch.set(kind, "__exit__", lambda self, *error: inside.set_anomaly(*self.before))


@fault
def saved_tensors_may_never_change(patch: Patch) -> None:
    """allow_mutation_on_saved_tensors has no effect."""
    patch.set(torch.autograd.graph, "allow_mutation_on_saved_tensors", contextlib.nullcontext)


def keep_saved_tensors(patch: Patch, keep: Callable[[Any], Any]) -> None:
    """Let allow_mutation_on_saved_tensors keep this of what is saved, and use it anywhere."""
    hooks = torch.autograd.graph.saved_tensors_hooks
    patch.set(
        torch.autograd.graph,
        "allow_mutation_on_saved_tensors",
        lambda: hooks(keep, lambda t: t),
    )


@fault
def changed_saved_tensors_are_used_as_they_are(patch: Patch) -> None:
    """Under allow_mutation_on_saved_tensors the pass uses the new values of what changed."""
    keep_saved_tensors(patch, lambda t: t.detach())


@fault
def copies_of_changed_tensors_are_used_anywhere(patch: Patch) -> None:
    """What allow_mutation_on_saved_tensors kept can be used outside of its block."""
    keep_saved_tensors(patch, lambda t: t.detach().clone())
