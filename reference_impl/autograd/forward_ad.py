"""``torch.autograd.forward_ad``: levels, and tensors that carry tangents."""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import errors
from ..backend.dtypes import DIFFERENTIABLE
from ..mode import mode
from ..ops import FUNCTIONS
from ..ops.core import alias as _alias
from ..ops.op import variant
from ..tensor.tangents import Level, set_tangent, tangent_of
from ..tensor.tensor import Tensor

__all__ = [
    "UnpackedDualTensor", "dual_level", "enter_dual_level", "exit_dual_level", "make_dual",
    "unpack_dual",
]  # fmt: skip


_value_of = variant(_alias, "Identity")
"""The value of a dual tensor, which stays connected to its graph."""


class UnpackedDualTensor(NamedTuple):
    """A value and its tangent (None where it has none)."""

    primal: Tensor
    tangent: Tensor | None


def enter_dual_level() -> Level:
    """Start a level.

    Raises:
        RuntimeError: one is active already.
    """
    if mode.level is not None:
        raise errors.invalid_state(
            "enter_dual_level(): a dual level is already active, and levels cannot be nested. Leave it "
            "first."
        )
    level = Level()
    mode.set(level=level)
    return level


def exit_dual_level(*, level: Any = None) -> None:
    """Leave the level; its tangents are gone.

    Raises:
        RuntimeError: no level, or another one, is active.
    """
    if mode.level is None or (level is not None and level != mode.level):
        raise errors.invalid_state(
            "exit_dual_level(): no dual level is active"
            if mode.level is None
            else f"exit_dual_level(): cannot leave level {level}: level {int(mode.level)} is active"
        )
    mode.level.end()
    mode.set(level=None)


class dual_level:
    """Context manager of one forward-mode level."""

    def __enter__(self) -> Level:
        return enter_dual_level()

    def __exit__(self, *exc: object) -> None:
        exit_dual_level()


def make_dual(tensor: Tensor, tangent: Tensor, *, level: Any = None) -> Tensor:
    """An alias of ``tensor`` that carries a tangent.

    Raises:
        RuntimeError: no level is active, or the tangent has another shape.
        ValueError: either is not of floating or complex dtype.
    """
    if mode.level is None:
        raise errors.invalid_state(
            "make_dual(): no dual level is active. Call it within `with dual_level():`."
        )
    for what, x in (("primal", tensor), ("tangent", tangent)):
        if not isinstance(x, Tensor):
            raise errors.wrong_type(
                f"make_dual(): {what} must be a Tensor, not {type(x).__name__}", AttributeError
            )
        if x._data.dtype not in DIFFERENTIABLE:
            raise errors.wrong_value(
                f"make_dual(): {what} must be floating or complex; got dtype {x.dtype}"
            )
    for what, x in (("tensor", tensor), ("tangent", tangent)):
        if tangent_of(x) is not None:
            raise errors.invalid_state(
                f"make_dual(): the {what} already has a tangent in this level. Detach it first."
            )
    if tensor._data.shape != tangent._data.shape:
        raise errors.wrong_shape(
            f"Trying to set a forward gradient of size {list(tangent.shape)} on a tensor of size "
            f"{list(tensor.shape)}"
        )
    dual: Tensor = tensor.view(tensor._data.shape)
    set_tangent(dual, in_layout_of(tensor, tangent))
    return dual


def in_layout_of(tensor: Tensor, tangent: Tensor) -> Tensor:
    """The tangent itself, or a copy that lies in memory as its tensor does."""
    strides = zip(tensor.shape, tensor.stride(), tangent.stride(), strict=True)
    if all(size < 2 or one == other for size, one, other in strides):
        return tangent
    copy: Tensor = FUNCTIONS["zeros_like"](tensor, dtype=tangent.dtype).copy_(tangent)
    return copy


def unpack_dual(tensor: Tensor, *, level: Any = None) -> UnpackedDualTensor:
    """The value and the tangent of a dual tensor."""
    tangent = None if mode.level is None else tangent_of(tensor)
    if tangent is None:
        return UnpackedDualTensor(tensor, None)
    with mode.changed(level=None):
        primal = _value_of.apply(tensor)
    set_tangent(primal, None)
    return UnpackedDualTensor(primal, tangent)
