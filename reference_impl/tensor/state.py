"""What tensors keep besides their array: rare state, what makes a view, and special versions."""

from __future__ import annotations

import operator
import weakref
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from .. import errors
from ..mode import mode
from ..naming import known_as
from .leaf import AccumulateGrad

if TYPE_CHECKING:
    from ..graph.node import HookTable
    from .tensor import Tensor

__all__ = [
    "INFERENCE", "NO_COUNTER", "NUMBER_COUNTER", "DetachedVersion", "Size", "TensorExtra", "ViewInfo",
]  # fmt: skip


class _InferenceCounter(tuple[int, ...]):
    """Stands where a version counter would be; saving such a tensor reads it, which is refused
    unless a transform of ``func`` does."""

    __slots__ = ()

    def __getitem__(self, index: Any) -> Any:
        if not mode.transforms:
            raise errors.inference_saved()
        return 0


class DetachedVersion(int):
    """The version of a tensor that was detached in place: equal to none that was saved before.

    Attributes:
        node: a weak reference to the node that the tensor was the result of.
    """

    node: Any

    def __ne__(self, other: object) -> bool:
        return self is not other

    def __eq__(self, other: object) -> bool:
        return self is other

    __hash__ = int.__hash__

    def spares(self, node: Any, version: int) -> bool:
        """Whether a value that was saved at `version`, and that `node` computed, is not the detached
        tensor itself but, for example, a view of it, whose history is as before."""
        return int(self) == version and self.node() is not node


INFERENCE: Any = _InferenceCounter()
NO_COUNTER = (0,)
"""Guards copies, which nobody else holds."""
NUMBER_COUNTER = (0, "number")
"""Guards Python numbers."""


class Size(tuple[int, ...]):
    """A shape: a tuple of ints that knows its number of elements."""

    __slots__ = ()

    def __new__(cls, sizes: Any = ()) -> Size:
        if not isinstance(sizes, Iterable):
            found = type(sizes).__name__
            raise errors.wrong_type(f"torch.Size() takes a sequence of ints, not {found}")
        given = tuple(sizes)
        if set(map(type, given)) - {int}:
            try:
                given = tuple(map(operator.index, given))
            except TypeError:
                kinds = [type(n).__name__ for n in given]
                raise errors.wrong_type(f"torch.Size() takes whole numbers; got {kinds}") from None
        return tuple.__new__(cls, given)

    def numel(self) -> int:
        """Product of the sizes."""
        n = 1
        for size in self:
            n *= size
        return n

    def __repr__(self) -> str:
        return f"torch.Size({list(self)})"

    def __add__(self, other: Any) -> Any:
        if not isinstance(other, tuple):
            found = type(other).__name__
            raise errors.wrong_type(f'can only concatenate tuple (not "{found}") to a torch.Size')
        return Size(tuple.__add__(self, other))

    def __radd__(self, other: Any) -> Any:
        if not isinstance(other, tuple):  # a list can be extended by a size
            return NotImplemented
        return Size(tuple.__add__(other, self))

    def __mul__(self, times: Any) -> Any:
        return Size(tuple.__mul__(self, times))

    __rmul__ = __mul__

    def __getitem__(self, index: Any) -> Any:
        try:
            item = tuple.__getitem__(self, index)
        except IndexError:
            raise errors.wrong_index(
                f"tuple index out of range: got {index} for {len(self)} dimensions"
            ) from None
        return Size(item) if isinstance(index, slice) else item

    def __reduce__(self) -> Any:
        return of_sizes, (tuple(self),)


def of_sizes(sizes: tuple[int, ...]) -> Size:
    """The shape of these sizes."""
    return Size(sizes)


known_as(Size, "torch")


class TensorExtra:
    """State that few tensors have; most of it belongs to leaves."""

    __slots__ = (
        "accumulator",
        "grad",
        "grad_dtype",
        "hooks",
        "name",
        "post_hooks",
        "retains",
        "tangent",
        "transform",
    )

    def __init__(self) -> None:
        self.grad: Tensor | None = None
        self.accumulator: weakref.ref[AccumulateGrad] | None = None
        self.hooks: HookTable | None = None
        self.post_hooks: HookTable | None = None
        self.retains: bool = False
        self.grad_dtype: Any = False
        self.tangent: Any = None
        self.transform: int | None = None  # numbers the leaves that function transforms made
        self.name: str | None = None


class ViewInfo:
    """What makes a tensor a view.

    Attributes:
        base: the tensor that is no view itself, at the root of the chain.
        steps: functions that lead from the base to the view, on arrays or tensors alike.
        seen: version at which the view's history was last brought up to date.
        origin: "" or how the view was made, where its history cannot be rewritten.
        req: whether requires_grad was set on the view itself.
        strided: whether the view is a strided look at its base, of the same dtype.
    """

    __slots__ = ("base", "origin", "req", "seen", "steps", "strided")

    base: Tensor
    steps: tuple[Any, ...]
    seen: int
    origin: str
    req: bool
    strided: bool
