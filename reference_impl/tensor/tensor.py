"""The tensor: an array, its version counter, and its place in the recorded graph.

This room holds the object and what can be said about it without any operation; the operations are
bound to the class by the last room, ``methods``.
"""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from .. import errors
from ..backend.base import (
    Array,
    device_of,
    offset_in_elements,
    pointer,
    strides_in_elements,
)
from ..backend.device import Device
from ..backend.dtypes import BY_NUMPY, DIFFERENTIABLE, DType
from ..backend.memory_format import Layout, strided
from ..graph.node import HookTable, Node, RemovableHandle
from ..mode import mode
from .leaf import MAKING, accumulator
from .state import INFERENCE, DetachedVersion, Size, TensorExtra, ViewInfo

__all__ = ["Size", "Tensor", "wrap"]

new = object.__new__


def refresh(x: Tensor, asked: bool = False) -> None:
    """Bring the history of a view up to date with writes to its base or its siblings.

    Raises:
        RuntimeError: the history has to be replayed, the view's origin does not allow it, and
            somebody needs it: it is ``asked`` for, or operations are recorded.
    """
    view: Any = x._view
    base: Tensor = view.base
    if x._node is None and not base._req:
        x._req = view.req
        return
    if x._vc is not INFERENCE and view.seen != x._vc[0]:
        now = x._vc[0]
        if type(now) is DetachedVersion and int(now) == view.seen:
            view.seen = now
        elif not view.origin:
            replay(x, view)
        elif asked or mode.grad:
            raise errors.stale_view(view.origin)
    x._req = x._node is not None or view.req or base._req


def replay(x: Tensor, view: ViewInfo) -> None:
    """Record the view anew from its base's present history, which is none if the base was detached in
    place and then changed."""
    base: Tensor = view.base
    with mode.changed(grad=True, inference=False, saved_hooks=(), level=None):
        t = base if base._req else flagged(base.detach())
        if view.strided:
            t = t.as_strided(x._data.shape, x.stride(), x.storage_offset())
        else:
            for step in view.steps:
                t = step(t)
    old = x._node
    x._node, x._nr = t._node, t._nr
    if x._extra is not None and x._extra.retains:
        move_retention(x, old)
    view.seen = x._vc[0]


def move_retention(x: Tensor, old: Node | None) -> None:
    """Let the node that now stands for ``x`` keep the gradient, instead of its old one."""
    if old is not None and old._extra is not None and old._extra.retains:
        for nr, ref in list(old._extra.retains.items()):
            if ref() is x:
                del old._extra.retains[nr]
    node: Any = x._node
    extra = node.ensure_extra()
    if extra.retains is None:
        extra.retains = {}
    extra.retains[x._nr] = weakref.ref(x)


class Tensor:
    """An n-dimensional array that operations on it can be differentiated through.

    ``Tensor(sequence)`` makes a float tensor of the default dtype, ``Tensor(2, 3)`` one of that
    shape.
    """

    __slots__ = (
        "__dict__",
        "__weakref__",
        "_data",
        "_extra",
        "_node",
        "_nr",
        "_req",
        "_vc",
        "_view",
    )

    _data: Array
    _vc: Any
    _node: Node | None
    _nr: int
    _req: bool
    _view: ViewInfo | None
    _extra: TensorExtra | None

    __array_priority__ = 1000

    def __new__(cls, *args: Any, **kwargs: Any) -> Tensor:
        from .construction import constructed

        return wrap(constructed(args, **kwargs), cls)

    if TYPE_CHECKING:
        # What the last room binds: most methods give tensors.
        T: Tensor
        mT: Tensor
        H: Tensor
        mH: Tensor
        real: Tensor
        imag: Tensor

        def __getattr__(self, name: str) -> Callable[..., Tensor]: ...
        def __getitem__(self, index: Any) -> Tensor: ...
        def __setitem__(self, index: Any, value: Any) -> None: ...
        def __iter__(self) -> Iterator[Tensor]: ...
        def __neg__(self) -> Tensor: ...
        def __invert__(self) -> Tensor: ...
        def __bool__(self) -> bool: ...
        def __float__(self) -> float: ...
        def __int__(self) -> int: ...
        def __add__(self, other: Any) -> Tensor: ...
        def __radd__(self, other: Any) -> Tensor: ...
        def __sub__(self, other: Any) -> Tensor: ...
        def __rsub__(self, other: Any) -> Tensor: ...
        def __mul__(self, other: Any) -> Tensor: ...
        def __rmul__(self, other: Any) -> Tensor: ...
        def __truediv__(self, other: Any) -> Tensor: ...
        def __rtruediv__(self, other: Any) -> Tensor: ...
        def __pow__(self, other: Any) -> Tensor: ...
        def __matmul__(self, other: Any) -> Tensor: ...
        def __and__(self, other: Any) -> Tensor: ...
        def __or__(self, other: Any) -> Tensor: ...
        def __lt__(self, other: Any) -> Tensor: ...
        def __gt__(self, other: Any) -> Tensor: ...
        def __le__(self, other: Any) -> Tensor: ...
        def __ge__(self, other: Any) -> Tensor: ...
        def item(self) -> Any: ...
        def tolist(self) -> Any: ...
        def numpy(self) -> Any: ...
        def numel(self) -> int: ...
        def dim(self) -> int: ...
        def size(self, dim: int | None = None) -> Any: ...
        def is_floating_point(self) -> bool: ...
        def is_complex(self) -> bool: ...
        def backward(self, *args: Any, **kwargs: Any) -> None: ...

    def ensure_extra(self) -> TensorExtra:
        """The rare state, made on first use."""
        if self._extra is None:
            with MAKING:
                if self._extra is None:
                    self._extra = TensorExtra()
        return self._extra

    # -- the array ---------------------------------------------------------------------------------

    @property
    def shape(self) -> Size:
        """Sizes of the dimensions."""
        return tuple.__new__(Size, self._data.shape)

    @property
    def dtype(self) -> DType:
        """Element type."""
        return BY_NUMPY[self._data.dtype]

    @property
    def device(self) -> Device:
        """Where the array lives."""
        return device_of(self._data)

    @property
    def ndim(self) -> int:
        """Number of dimensions."""
        return int(self._data.ndim)

    @property
    def is_cuda(self) -> bool:
        """Whether the array lives on a CUDA device."""
        return bool(self.device.type == "cuda")

    @property
    def itemsize(self) -> int:
        """Bytes per element."""
        return int(self._data.dtype.itemsize)

    layout: Layout = strided
    is_sparse = is_quantized = False

    @property
    def nbytes(self) -> int:
        """Bytes of all elements."""
        return int(self._data.nbytes)

    @property
    def is_cpu(self) -> bool:
        """Whether the array lives in ordinary memory."""
        return bool(self.device.type == "cpu")

    @property
    def is_meta(self) -> bool:
        """Whether the tensor has a shape and no values."""
        return bool(self.device.type == "meta")

    def stride(self, dim: int | None = None) -> Any:
        """Strides in elements, or that of one dimension."""
        strides = strides_in_elements(self._data)
        if dim is None:
            return strides
        if not -len(strides) <= dim < len(strides):
            raise errors.dim_out_of_range(dim, len(strides))
        return strides[dim]

    def storage_offset(self) -> int:
        """Position of the first element in the memory that holds it, in elements."""
        return offset_in_elements(self._data)

    def data_ptr(self) -> int:
        """Address of the first element, 0 where there is none."""
        return pointer(self._data) if self._data.size else 0

    # -- the graph ---------------------------------------------------------------------------------

    @property
    def requires_grad(self) -> bool:
        """Whether operations on this tensor are recorded."""
        view = self._view
        if view is None:
            return self._req
        return self._node is not None or view.req or view.base._req

    @requires_grad.setter
    def requires_grad(self, value: bool) -> None:
        if not isinstance(value, bool):
            raise errors.wrong_type(
                f"requires_grad must be a bool, got {type(value).__name__}; set it to True or False",
                RuntimeError,
            )
        if self._view is not None:
            refresh(self)
        if self._node is not None:
            raise errors.nonleaf_flag()
        set_requires_grad(self, value)

    @requires_grad.deleter
    def requires_grad(self) -> None:
        raise errors.wrong_type(
            "requires_grad must be a bool, it cannot be deleted; set it to False instead",
            RuntimeError,
        )

    def requires_grad_(self, requires_grad: bool = True) -> Tensor:
        """Set ``requires_grad`` and return this very tensor."""
        if not isinstance(requires_grad, bool):
            raise errors.wrong_type(
                "requires_grad_(): argument 'requires_grad' must be bool, not "
                f"{type(requires_grad).__name__}"
            )
        if mode.transforms or mode.mapped:
            raise errors.of_a_transform("requires_grad_")
        return flagged(self, requires_grad)

    @property
    def is_leaf(self) -> bool:
        """Whether no operation was recorded for this tensor."""
        if self._view is not None:
            refresh(self, True)
        return self._node is None

    @property
    def grad_fn(self) -> Node | None:
        """The node of the operation that made this tensor, None for a leaf."""
        if self._view is not None:
            refresh(self, True)
        return self._node

    @property
    def output_nr(self) -> int:
        """Which output of ``grad_fn`` this tensor is."""
        return self._nr

    @property
    def _version(self) -> int:
        if self._vc is INFERENCE:
            raise errors.inference_version()
        return int(self._vc[0])

    @property
    def _base(self) -> Tensor | None:
        return None if self._view is None else self._view.base

    def _is_view(self) -> bool:
        return self._view is not None

    def is_inference(self) -> bool:
        """Whether the tensor was made in inference mode."""
        return self._vc is INFERENCE

    # -- the gradient ------------------------------------------------------------------------------

    @property
    def grad(self) -> Tensor | None:
        """The accumulated gradient, None until there is one."""
        extra = self._extra
        if self._node is not None and (extra is None or not extra.retains):
            if extra is not None and extra.grad is not None:
                return extra.grad
            warnings.warn(
                "The .grad attribute of a Tensor that is not a leaf Tensor is being accessed. Its "
                ".grad attribute won't be populated during autograd.backward(), unless "
                "retain_grad() is called on it before.",
                UserWarning,
                stacklevel=2,
            )
        return None if extra is None else extra.grad

    @grad.setter
    def grad(self, value: Tensor | None) -> None:
        if value is not None:
            check_grad(self, value)
        elif self._extra is None:
            return
        self.ensure_extra().grad = value

    @grad.deleter
    def grad(self) -> None:
        self.grad = None

    @property
    def grad_dtype(self) -> DType | None:
        """The dtype that ``.grad`` is accumulated in: the tensor's own unless set; leaves only."""
        if self._node is not None:
            raise errors.not_a_leaf(
                "grad_dtype(): only leaf tensors have one; this one was computed"
            )
        if self._extra is None or self._extra.grad_dtype is False:
            return self.dtype
        return self._extra.grad_dtype  # type: ignore[no-any-return]

    @grad_dtype.setter
    def grad_dtype(self, value: DType | None) -> None:
        if self._node is not None:
            raise errors.not_a_leaf(
                "grad_dtype(): only leaf tensors take one; this one was computed"
            )
        if value is not None and not isinstance(value, DType):
            raise errors.wrong_type(
                f"grad_dtype must be a torch.dtype or None, but got {type(value).__name__}",
                RuntimeError,
            )
        if self._extra is not None and self._extra.grad is not None:
            raise errors.gradient_mismatch(
                "grad_dtype cannot be changed while .grad is set; clear it first"
            )
        self.ensure_extra().grad_dtype = value

    @property
    def volatile(self) -> bool:
        """An old flag, which is no more: always False."""
        errors.caution("volatile was removed; it is always False")
        return False

    @volatile.setter
    def volatile(self, value: Any) -> None:
        errors.caution(
            "volatile was removed and has no effect. Use `with torch.no_grad():` instead."
        )

    @property
    def retains_grad(self) -> bool:
        """Whether this non-leaf keeps its gradient."""
        return self._node is not None and self._extra is not None and self._extra.retains

    def retain_grad(self) -> None:
        """Keep the gradient of this non-leaf in ``.grad``; nothing to do on a leaf.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise errors.does_not_require_grad(
                "can't retain_grad on Tensor that has requires_grad=False"
            )
        if mode.transforms or mode.mapped:
            raise errors.of_a_transform("retain_grad")
        if self.grad_fn is None or self.retains_grad:
            return
        self.ensure_extra().retains = True
        move_retention(self, None)

    def register_hook(self, hook: Any) -> RemovableHandle:
        """Call ``hook(grad)`` whenever a gradient for this tensor is computed; its result replaces
        it.

        Raises:
            RuntimeError: the tensor does not require grad.
        """
        if not self.requires_grad:
            raise errors.does_not_require_grad(
                "cannot register a hook on a tensor that doesn't require gradient; call "
                "requires_grad_() on it first"
            )
        node = self.grad_fn
        if node is not None:
            return RemovableHandle(node.add_tensor_hooks(self._nr), hook)
        extra = self.ensure_extra()
        if extra.hooks is None:
            extra.hooks = HookTable()
        return RemovableHandle(extra.hooks, hook)

    def register_post_accumulate_grad_hook(self, hook: Any) -> RemovableHandle:
        """Call ``hook(tensor)`` after a gradient was accumulated into ``.grad`` of this leaf.

        Raises:
            RuntimeError: the tensor is not a leaf or does not require grad.
        """
        if not self.requires_grad:
            raise errors.does_not_require_grad(
                "cannot register a hook on a tensor that doesn't require gradient; call "
                "requires_grad_() on it first"
            )
        if self.grad_fn is not None:
            raise errors.not_a_leaf(
                "register_post_accumulate_grad_hook(): only leaf tensors accumulate a "
                "gradient; this one was computed. Use register_hook() for it."
            )
        extra = self.ensure_extra()
        if extra.post_hooks is None:
            extra.post_hooks = HookTable()
        return RemovableHandle(extra.post_hooks, hook)

    # -- aliases outside the graph -----------------------------------------------------------------

    @property
    def data(self) -> Tensor:
        """An alias that autograd knows nothing of: no history, and a version counter of its own."""
        t = wrap(self._data, type(self))
        if self._vc is INFERENCE or t._vc is INFERENCE:
            t._vc = INFERENCE if self._vc is INFERENCE else [0]
        return t

    @data.setter
    def data(self, value: Tensor) -> None:
        if not isinstance(value, Tensor):
            raise errors.wrong_type(
                f"Variable data has to be a tensor, but got {type(value).__name__}"
            )
        if value._data.dtype not in DIFFERENTIABLE and self.requires_grad:
            raise errors.not_differentiable_dtype(
                "data(): values for one that requires gradients must be floating "
                f"or complex; got dtype {value.dtype}"
            )
        self._data = value._data

    def detach(self) -> Tensor:
        """An alias outside the graph that shares memory and version counter."""
        t = wrap(self._data, Tensor)
        t._vc = self._vc
        return t

    def detach_(self) -> Tensor:
        """Cut this tensor from its graph, in place.

        Raises:
            RuntimeError: the tensor is a view.
        """
        if mode.inference:  # where nothing of the graph is touched
            return self
        if self._view is not None:
            raise errors.view_in_place(
                "Can't detach views in-place, since they share the history of "
                "their base. Use detach(), or call detach_() on the base before the view is "
                "taken."
            )
        if self._node is not None:
            version = DetachedVersion(self._vc[0])
            version.node = weakref.ref(self._node)
            self._vc[0] = version
        self._node, self._nr, self._req = None, 0, False
        if self._extra is not None:
            self._extra.tangent = None
        return self

    # -- Python ------------------------------------------------------------------------------------

    def __hash__(self) -> int:
        return id(self)

    def __len__(self) -> int:
        if not self._data.ndim:
            raise errors.wrong_type("len() of a 0-d tensor")
        return int(self._data.shape[0])


Tensor.__module__ = "torch"  # printed as users of the field know it
Tensor.__qualname__ = "Tensor"


def wrap(array: Array, cls: type[Tensor] = Tensor) -> Tensor:
    """A leaf tensor around an array, which is not copied."""
    return filled(array, INFERENCE if mode.inference else [0], None, 0, cls)


def filled(
    array: Array, vc: Any, node: Node | None = None, nr: int = 0, cls: type[Tensor] = Tensor
) -> Tensor:
    """A tensor around an array: output ``nr`` of ``node``, or a leaf, with a version counter."""
    t = new(cls)
    t._data = array
    t._vc = vc
    t._node = node
    t._nr = nr
    t._req = node is not None
    t._view = t._extra = None
    return t


def flagged(x: Tensor, value: bool = True) -> Tensor:
    """A tensor with ``requires_grad`` set, within function transforms too, where users cannot.

    Raises:
        RuntimeError: the flag of a result would be cleared.
    """
    if x._view is not None:
        refresh(x)
    if x._node is None:
        set_requires_grad(x, value)
    elif not value:
        raise errors.nonleaf_flag()
    return x


def set_requires_grad(x: Tensor, value: bool) -> None:
    """Set the flag of a leaf.

    Raises:
        RuntimeError: the dtype cannot require grad, or an inference tensor outside inference mode.
    """
    if value:
        if x._data.dtype not in DIFFERENTIABLE:
            raise errors.integer_requires_grad(x.dtype)
        if x._vc is INFERENCE and not mode.inference:
            raise errors.inference_requires_grad()
    if x._view is not None:
        x._view.req = value
    x._req = value


def check_grad(x: Tensor, grad: Any) -> None:
    """Check a tensor that the user assigns to ``.grad``.

    Raises:
        TypeError: not a tensor.
        RuntimeError: the tensor itself, or another shape, dtype or device.
    """
    if not isinstance(grad, Tensor):
        raise errors.wrong_type(
            f"grad(): an assigned grad must be a Tensor or None; got {type(grad).__name__}"
        )
    if grad is x:
        raise errors.gradient_itself("can't assign Variable as its own grad")
    wanted = x._extra.grad_dtype if x._extra is not None else False
    expected = BY_NUMPY[x._data.dtype] if wanted is False else wanted
    if expected is not None and grad.dtype is not expected:
        raise errors.gradient_mismatch(
            f"assigned grad has data of a different type: expected {expected}, got {grad.dtype}. "
            "Convert it with .to()."
        )
    if grad.device.type != x.device.type:
        raise errors.gradient_mismatch(
            f"assigned grad has data located on a different device: expected {x.device}, got "
            f"{grad.device}"
        )
    if grad._data.shape != x._data.shape:
        raise errors.gradient_mismatch(
            f"assigned grad has data of a different size: expected {list(x.shape)}, got "
            f"{list(grad.shape)}"
        )


def gradient_edge(x: Tensor) -> tuple[Node, int]:
    """The node and output number that the gradient of ``x`` goes to.

    Raises:
        RuntimeError: ``x`` does not require grad.
        AttributeError: ``x`` is no tensor.
    """
    if not isinstance(x, Tensor):
        raise errors.wrong_type(
            f"a gradient edge is that of a Tensor, not of {type(x).__name__}", AttributeError
        )
    if not x.requires_grad:
        raise errors.does_not_require_grad(
            "cannot get the gradient edge of a tensor that does not require grad; call "
            "requires_grad_()"
        )
    node = x.grad_fn or accumulator(x)
    if node is None:  # a view that requires grad only because its base came to
        raise errors.backward_without_graph(0)
    return node, x._nr
