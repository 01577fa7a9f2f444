"""Hooks of modules: how they are registered, and where a call runs them."""

from __future__ import annotations

import functools
import warnings
from collections.abc import Callable
from typing import Any, ClassVar

from .. import errors
from ..graph.node import HookTable, RemovableHandle
from ..tensor.tensor import Tensor
from .backward_hooks import Boundary

__all__ = [
    "HookedModule", "register_module_forward_hook", "register_module_forward_pre_hook",
    "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
]  # fmt: skip

Hook = Callable[..., Any]


class OfAll:
    """The hooks of all modules, which run before those of the module that is called."""

    forward_pre = HookTable()
    forward = HookTable()
    backward_pre = HookTable()
    backward = HookTable()
    with_kwargs: ClassVar[set[int]] = set()
    always_called: ClassVar[set[int]] = set()


def registered(table: HookTable, hook: Hook, prepend: bool) -> RemovableHandle:
    """Add a hook at the end of a table, or at its front."""
    handle = RemovableHandle(table, hook)
    if prepend:
        former = [(k, v) for k, v in table.items() if k != handle.id]
        for k, _ in former:
            del table[k]
        table.update(former)
    return handle


def as_tuple(value: Any) -> tuple[Any, ...]:
    """Arguments that a hook gave back."""
    return value if isinstance(value, tuple) else (value,)


class HookedModule:
    """What a module call does around ``forward``."""

    training: bool
    forward: Callable[..., Any]

    def prepare_hooks(self) -> None:
        """Make the tables; ``__init__`` calls it."""
        d = self.__dict__
        for table in ("_forward_hooks", "_forward_pre_hooks", "_backward_hooks",
                      "_backward_pre_hooks"):  # fmt: skip
            d[table] = HookTable()
        d["_hooks_with_kwargs"] = set()
        d["_hooks_always_called"] = set()
        d["_is_full_backward_hook"] = None

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        d = self.__dict__
        full = d["_is_full_backward_hook"] is not False
        after = {**OfAll.backward, **(d["_backward_hooks"] if full else {})}
        before = {**OfAll.backward_pre, **d["_backward_pre_hooks"]}
        boundary = Boundary(self, after, before) if before or after else None
        called: set[int] = set()
        out = None
        try:
            for k, hook in {**OfAll.forward_pre, **d["_forward_pre_hooks"]}.items():
                args, kwargs = self.prepared(k, hook, args, kwargs)
            if boundary is not None:
                args = boundary.entered(args)
            out = self.forward(*args, **kwargs)
            for k, hook in {**OfAll.forward, **d["_forward_hooks"]}.items():
                called.add(k)
                changed = self.told(k, hook, args, kwargs, out)
                out = out if changed is None else changed
        except Exception:
            always = (OfAll.always_called | d["_hooks_always_called"]) - called
            for k, hook in {**OfAll.forward, **d["_forward_hooks"]}.items():
                if k in always:
                    self.told(k, hook, args, kwargs, out)
            raise
        if boundary is not None:
            out = boundary.left(out)
        if not full and d["_backward_hooks"]:
            hook_last_node(self, args, out)
        return out

    def prepared(self, k: int, hook: Hook, args: Any, kwargs: Any) -> tuple[Any, Any]:
        """The arguments after one pre-hook.

        Raises:
            RuntimeError: a hook with kwargs returned something else than a pair.
        """
        if k not in self.__dict__["_hooks_with_kwargs"]:
            changed = hook(self, args)
            return (args if changed is None else as_tuple(changed)), kwargs
        changed = hook(self, args, kwargs)
        if changed is None:
            return args, kwargs
        if not isinstance(changed, tuple) or len(changed) != 2:
            raise errors.hook(
                "a forward pre-hook with kwargs must return None or the pair (args, kwargs); "
                f"got {changed}"
            )
        return changed

    def told(self, k: int, hook: Hook, args: Any, kwargs: Any, out: Any) -> Any:
        """What one forward hook returns."""
        if k in OfAll.with_kwargs or k in self.__dict__["_hooks_with_kwargs"]:
            return hook(self, args, kwargs, out)
        return hook(self, args, out)

    # -- registering -------------------------------------------------------------------------------

    def register_forward_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False,
        always_call: bool = False,
    ) -> RemovableHandle:  # fmt: skip
        """Call ``hook(module, args, output)`` after forward; what it returns takes the place of the
        output.

        Args:
            hook: the function.
            prepend: run it before those that are there.
            with_kwargs: call ``hook(module, args, kwargs, output)``.
            always_call: call it with the output None even where forward raises.
        """
        handle = registered(self.__dict__["_forward_hooks"], hook, prepend)
        if with_kwargs:
            self.__dict__["_hooks_with_kwargs"].add(handle.id)
        if always_call:
            self.__dict__["_hooks_always_called"].add(handle.id)
        return handle

    def register_forward_pre_hook(
        self, hook: Hook, *, prepend: bool = False, with_kwargs: bool = False
    ) -> RemovableHandle:
        """Call ``hook(module, args)`` before forward; what it returns takes the place of the
        arguments. With kwargs: ``hook(module, args, kwargs)``, which returns a pair."""
        handle = registered(self.__dict__["_forward_pre_hooks"], hook, prepend)
        if with_kwargs:
            self.__dict__["_hooks_with_kwargs"].add(handle.id)
        return handle

    def register_full_backward_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_input, grad_output)`` once the gradients of the inputs are
        known; a tuple that it returns goes on to the inputs in their place.

        Raises:
            RuntimeError: the module has hooks of the older kind.
        """
        self.choose_backward_hooks(True)
        return registered(self.__dict__["_backward_hooks"], hook, prepend)

    def register_full_backward_pre_hook(self, hook: Hook, prepend: bool = False) -> RemovableHandle:
        """Call ``hook(module, grad_output)`` before the module's backward; a tuple that it returns
        takes the place of ``grad_output``."""
        return registered(self.__dict__["_backward_pre_hooks"], hook, prepend)

    def register_backward_hook(self, hook: Hook) -> RemovableHandle:
        """The older kind: a hook of the last node that the call recorded, whatever the module's
        inputs were.

        Raises:
            RuntimeError: the module has full backward hooks.
        """
        self.choose_backward_hooks(False)
        return registered(self.__dict__["_backward_hooks"], hook, False)

    def choose_backward_hooks(self, full: bool) -> None:
        """Settle which kind of backward hooks this module has.

        Raises:
            RuntimeError: it has the other kind already.
        """
        known = self.__dict__["_is_full_backward_hook"]
        if known is not None and known is not full:
            raise errors.hook(
                "a module's backward hooks must be of one kind; got a "
                f"{'full' if full else 'non-full'} backward hook beside the other kind. Use "
                "register_full_backward_hook for all."
            )
        self.__dict__["_is_full_backward_hook"] = full


def register_module_forward_pre_hook(hook: Hook) -> RemovableHandle:
    """As ``register_forward_pre_hook``, for all modules."""
    return RemovableHandle(OfAll.forward_pre, hook)


def register_module_forward_hook(
    hook: Hook, *, with_kwargs: bool = False, always_call: bool = False
) -> RemovableHandle:
    """As ``register_forward_hook``, for all modules."""
    handle = RemovableHandle(OfAll.forward, hook)
    if with_kwargs:
        OfAll.with_kwargs.add(handle.id)
    if always_call:
        OfAll.always_called.add(handle.id)
    return handle


def register_module_full_backward_pre_hook(hook: Hook) -> RemovableHandle:
    """As ``register_full_backward_pre_hook``, for all modules."""
    return RemovableHandle(OfAll.backward_pre, hook)


def register_module_full_backward_hook(hook: Hook) -> RemovableHandle:
    """As ``register_full_backward_hook``, for all modules."""
    return RemovableHandle(OfAll.backward, hook)


def hook_last_node(module: HookedModule, args: Any, out: Any) -> None:
    """Register the module's hooks of the older kind on the node of its (first) output."""
    first = out
    while not isinstance(first, Tensor):
        first = next(iter(first.values())) if isinstance(first, dict) else first[0]
    node = first.grad_fn
    if node is None:
        return
    for hook in module.__dict__["_backward_hooks"].values():
        node.register_hook(functools.partial(hook, module))
    recorded = {n for n, _ in node.next_functions}
    given = {x.grad_fn for x in args if isinstance(x, Tensor)}
    if out is not first or recorded != given:
        warnings.warn(
            "a non-full backward hook is deprecated: of the nodes that this forward "
            "recorded it sees only the last, so its grad_input is not that of the "
            "module. Use register_full_backward_hook.",
            FutureWarning,
            stacklevel=3,
        )
