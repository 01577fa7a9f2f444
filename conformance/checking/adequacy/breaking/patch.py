"""How an engine is broken in one place, and put back together."""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

from .engine import inside, torch, whole_engine

__all__ = ["BANK", "Fault", "Patch", "broken", "can_be_mended", "fault", "register", "replaces"]

ABSENT = object()


class Patch:
    """Attributes that were replaced, with what stood there before."""

    def __init__(self) -> None:
        self.undo: list[tuple[Any, str, Any]] = []
        self.ends: list[Callable[[], object]] = []

    def at_end(self, action: Callable[[], object]) -> None:
        """Call `action` when the engine is put back together."""
        self.ends.append(action)

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Replace `owner.name`, which may be inherited."""
        owner = whole_engine() if owner is torch else owner
        before = vars(owner).get(name, ABSENT)
        self.undo.append((owner, name, before))
        setattr(owner, name, value)

    def wrap(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replace the function `owner.name` by `make(it)`. A function of `torch.autograd` is replaced
        wherever the engine itself looks it up."""
        original = getattr(owner, name)
        made = functools.update_wrapper(make(original), original, updated=())
        places = inside.holders(owner, name) if owner is torch.autograd else [(owner, name)]
        for owner, name in places:
            self.set(owner, name, made)

    def restore(self) -> None:
        while self.ends:
            self.ends.pop()()
        for owner, name, before in reversed(self.undo):
            if before is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        self.undo.clear()


@dataclass(frozen=True)
class Fault:
    """One realistic mistake: its name, one sentence, and how to make it."""

    name: str
    sentence: str
    install: Callable[[Patch], None]


BANK: dict[str, Fault] = {}


def register(name: str, sentence: str, install: Callable[[Patch], None]) -> None:
    """Put a fault into the bank."""
    assert name not in BANK, f"the fault {name!r} stands twice"
    assert sentence, f"the fault {name!r} does not say what is broken"
    BANK[name] = Fault(name, " ".join(sentence.split()), install)


def fault(install: Callable[[Patch], None]) -> Callable[[Patch], None]:
    """Put the decorated function into the bank; its docstring says what is broken."""
    register(install.__name__, install.__doc__ or "", install)
    return install


def replaces(name: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Put a fault into the bank that replaces the public function of this name, such as
    `"autograd.grad"` or `"Tensor.backward"`, by the decorated one, which gets it as its first argument.
    """
    owners, _, last = name.rpartition(".")

    def put(function: Callable[..., Any]) -> Callable[..., Any]:
        def install(patch: Patch) -> None:
            owner = functools.reduce(getattr, owners.split("."), torch) if owners else torch
            patch.wrap(owner, last, lambda original: _before(function, original))

        register(function.__name__, function.__doc__ or "", install)
        return function

    return put


def _before(function: Callable[..., Any], original: Callable[..., Any]) -> Callable[..., Any]:
    """The function with `original` before its arguments; unlike a partial, it can be a method."""

    def replacement(*args: Any, **kwargs: Any) -> Any:
        return function(original, *args, **kwargs)

    return replacement


class Plan(Patch):
    """What would be replaced; nothing is."""

    def set(self, owner: Any, name: str, value: Any) -> None:
        self.undo.append((owner, name, value))


def can_be_mended(fault: Fault) -> bool:
    """Whether the engine is whole again after the fault. Once `__getitem__` was replaced on a class and
    removed again, Python takes the class for a sequence for ever, as `torch.tensor([x, y])` can tell. And
    inference mode, once it was not left, cannot be left any more.
    """
    plan = Plan()
    fault.install(plan)
    inference_mode = torch.autograd.grad_mode.inference_mode
    return all(
        name != "__getitem__" and (owner, name) != (inference_mode, "__exit__")
        for owner, name, _ in plan.undo
    )


@contextmanager
def broken(fault: Fault) -> Iterator[None]:
    """The time during which the engine has the fault. Its modes are put back too."""
    patch = Patch()
    set_recording = inside.set_recording
    try:
        fault.install(patch)
        yield
    finally:
        patch.restore()
        set_recording(True)
