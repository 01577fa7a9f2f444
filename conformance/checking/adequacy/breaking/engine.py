"""The engine that is being broken, under PyTorch's names.

A fault is written once, in public names, and breaks PyTorch and the reference alike: in the files of
`faults`, `torch` stands for whichever of them `use` was given.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any, ClassVar

from .inside import Inside, InsidePyTorch, InsideReference

__all__ = ["engine_name", "for_each_engine", "inside", "torch", "untouched", "use", "whole_engine"]


class _Engine:
    """The engine's module, a copy of what its Tensor was when it was whole, and its inside."""

    module: ModuleType | None = None
    whole: ClassVar[dict[str, Any]] = {}
    inside: Inside | None = None


def use(module: ModuleType) -> None:
    """Break this engine from now on: PyTorch, or the reference. It must be whole."""
    if _Engine.module is module:
        return
    _Engine.module = module
    tensor: Any = module.Tensor
    _Engine.whole = {name: getattr(tensor, name) for name in dir(tensor)}
    _Engine.inside = (InsidePyTorch if engine_name() == "torch" else InsideReference)(module)


def whole_engine() -> Any:
    """The module of the engine that is being broken."""
    return _Engine.module


def engine_name() -> str:
    """`torch` or `reference`."""
    return "torch" if getattr(_Engine.module, "__name__", "") == "torch" else "reference"


def for_each_engine(make: Callable[[], Any]) -> Callable[[], Any]:
    """What `make` makes for the engine that is being broken, made once for each."""
    made: dict[str, Any] = {}

    def find() -> Any:
        name = engine_name()
        if name not in made:
            made[name] = make()
        return made[name]

    return find


class _Names:
    """The public names of the engine."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_Engine.module, name)


class _Untouched:
    """The members that `torch.Tensor` had before anything was broken: `untouched.detach(tensor)`."""

    def __getattr__(self, name: str) -> Any:
        try:
            return _Engine.whole[name]
        except KeyError:
            raise AttributeError(name) from None


class _Inside:
    """What the few faults need that public names do not reach."""

    def __getattr__(self, name: str) -> Any:
        return getattr(_Engine.inside, name)


torch: Any = _Names()
untouched: Any = _Untouched()
inside: Any = _Inside()
