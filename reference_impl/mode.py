"""What is recorded: one thread-local object, read once by every operation.

``fast`` is the single bit that the hot path tests. It is True exactly when recording is on and none
of the rare modes (grad mode off, inference mode, saved-tensor hooks, a forward-mode level, anomaly
detection) is active. Where a mode of the thread itself is rare, the thread has a ``fast`` of its own,
False; otherwise it reads that of the class, so that what one thread changes for all reaches all.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextvars import copy_context
from types import MappingProxyType
from typing import Any

__all__ = ["in_another_thread", "mode"]


class Mode(threading.local):
    """The modes of one thread.

    Attributes:
        fast: recording is on and no rare mode is active.
        grad: operations on tensors that require grad are recorded.
        inference: results are inference tensors, which carry no version counter.
        saved_hooks: stack of (pack, unpack) pairs for tensors saved from now on.
        saved_hooks_off: message of an active ``disable_saved_tensors_hooks``.
        recomputed_once: the ``GraphExecGroup`` whose block this thread is in, or None.
        anomaly: notes where each operation was called, and backward stops at NaN: None, or whether
            it checks for NaN. It is one for all threads, and lives in the class.
        several: tensors were put on a device other than the first of its kind. It is one for all
            threads too.
        backward_pass: the innermost backward pass that is running, an ``engine.Pass``.
        backward_node: under anomaly detection the node that is running, or None.
        level: the active forward-mode level, or None.
        transforms: how many function transforms (``torch.func``) are running their functions.
        pushing: the nodes at which tangents start, of the forward-mode transforms that are running
            their functions.
        transposing: a backward pass is running that takes the transpose of the tangents' way: a custom
            function counts by its jvp.
        aside: grad mode is off in the function of a forward-mode transform: what is computed is a constant
            for all passes but those of ``transposing``, since no_grad does not apply to tangents.
        mapped: how many ``vmap`` are running their functions, one within the other.
        entry: the entry of the innermost ``vmap`` that is computed.
        entries_follow: a ``vmap`` is running that has entries left, which may need the same graph.
        captured: version counters, by their ids, of the tensors that running transforms' functions
            refer to.
        shared: the same of tensors that all entries of a running ``vmap`` share.
        randomness: what drawing random numbers does: "error", "different" or "same", as told to
            the innermost ``vmap`` that is running.
        randomness_around: what those around it were told, the outermost first.
    """

    fast: bool = True
    grad: bool = True
    inference: bool = False
    saved_hooks: tuple[tuple[Any, Any], ...] = ()
    saved_hooks_off: str | None = None
    level: Any = None
    recomputed_once: Any = None
    anomaly: bool | None = None
    backward_pass: Any = None
    several: bool = False
    backward_node: Any = None
    transforms: int = 0
    pushing: frozenset[Any] = frozenset()
    transposing: bool = False
    aside: bool = False
    mapped: int = 0
    entry: Any = None
    entries_follow: bool = False
    captured: Mapping[int, Any] = MappingProxyType({})
    shared: Mapping[int, Any] = MappingProxyType({})
    randomness: str = "different"
    randomness_around: tuple[str, ...] = ()

    def set(self, **modes: Any) -> None:
        """Change modes of this thread, until they are changed again."""
        vars(self).update(modes)
        self.update()

    def changed(self, **modes: Any) -> Changed:
        """A block in which modes of this thread have other values."""
        return Changed(modes)

    def update(self) -> None:
        """Recompute ``fast`` after a change of this thread's own modes."""
        if self.grad and not self.inference and not self.saved_hooks and self.level is None:
            self.__dict__.pop("fast", None)  # that of the class holds
        else:
            self.fast = False

    @classmethod
    def update_all(cls) -> None:
        """Recompute ``fast`` after a change of what is one for all threads."""
        cls.fast = cls.anomaly is None and not cls.several


class Changed:
    """Gives modes of a thread other values, and on leaving those that they had."""

    __slots__ = ("held", "modes")

    def __init__(self, modes: dict[str, Any]) -> None:
        self.modes = modes

    def __enter__(self) -> None:
        self.held = {name: getattr(mode, name) for name in self.modes}
        mode.set(**self.modes)

    def __exit__(self, *exc: object) -> None:
        mode.set(**self.held)


mode = Mode()


def in_another_thread(action: Callable[[], None]) -> None:
    """Call ``action`` in a new thread that has the modes of this one, and wait for it."""
    modes = {name: value for name, value in vars(mode).items() if name != "fast"}
    raised: list[BaseException] = []

    def body() -> None:
        mode.set(**modes)
        try:
            action()
        except BaseException as error:
            raised.append(error)

    thread = threading.Thread(target=copy_context().run, args=(body,), daemon=True)
    thread.start()
    thread.join()
    try:
        if raised:
            raise raised[0]
    finally:
        raised.clear()  # an exception refers to this call, which must not refer to it
