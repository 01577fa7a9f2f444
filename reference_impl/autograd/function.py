"""Operations that users define: ``class Mul(Function)`` with ``forward`` and ``backward``."""

from __future__ import annotations

import functools
import inspect
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np

from .. import errors
from ..backend.base import zeros_on
from ..backend.dtypes import DIFFERENTIABLE
from ..engine.backward_pass import as_tensor
from ..graph.node import Node, new, next_seq, note_call
from ..mode import mode
from ..ops.core import cast_to, sum_to
from ..tensor.leaf import accumulator, arriving_dtype
from ..tensor.tangents import tangent_of
from ..tensor.tensor import Tensor, wrap
from .batch_rules import call_rule, has_rule
from .function_outputs import call_jvp, connect, push_forward

__all__ = ["BackwardCFunction", "Function", "FunctionCtx", "FunctionNode", "once_differentiable"]


class FunctionNode(Node):
    """The node of one call; it is also the ``ctx`` that the user's methods get."""

    __slots__ = ("__dict__",)

    __module__ = "torch.autograd.function"
    _function: Any = None
    needs_input_grad: tuple[bool, ...] = ()

    def start(self, args: tuple[Any, ...]) -> None:
        """Prepare for a forward call with these arguments.

        Raises:
            RuntimeError: a function transform is running, and forward takes a ctx.
        """
        if (
            mode.transforms or mode.mapped
        ) and self._function.setup_context is Function.setup_context:
            raise errors.custom_function(
                f"{self._function.__name__}(): function transforms need a custom Function whose forward "
                "takes no ctx; move what uses it into setup_context(ctx, inputs, output)"
            )
        self._nexts, self._nrs, self._kept, self._extra, self._seq = (), None, (), None, next_seq()
        self._call = State()
        if mode.anomaly is not None:
            note_call(self)
        self.needs_input_grad = tuple(isinstance(a, Tensor) and a.requires_grad for a in args)

    # -- for the user's forward -------------------------------------------------------------------

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for backward, checked for in-place changes."""
        self._call.to_save = tensors

    def save_for_forward(self, *tensors: Any) -> None:
        """Keep tensors (or None) for jvp.

        Raises:
            TypeError: something else is among them.
        """
        for k, x in enumerate(tensors):
            if not (x is None or isinstance(x, Tensor)):
                raise errors.wrong_type(
                    f"save_for_forward(): only Tensors and None can be saved; got {type(x).__name__} at "
                    f"position {k}. Keep other values as attributes of ctx."
                )
        self._call.for_forward = tensors

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Declare inputs that forward changed in place; they must be returned."""
        self._call.dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Declare outputs that have no gradient."""
        self._call.constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether missing output gradients reach backward as zeros (the default) or as None."""
        self._call.materialize = value

    def __repr__(self) -> str:
        return f"<torch.autograd.function.{type(self).__name__} object at {id(self):#x}>"

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What ``save_for_backward`` kept, or within jvp what ``save_for_forward`` kept.

        Raises:
            RuntimeError: freed by an earlier pass, read before if the function clears them on access,
                or modified in place since.
        """
        state = self._call
        if state.in_jvp:
            return state.for_forward
        if self._kept is None:
            raise errors.freed(self.name())
        if state.cleared:
            raise errors.custom_function(
                f"{self._function.__name__}: saved_tensors can only be accessed once, since "
                "clear_saved_tensors_on_access is True. Keep what the first access gave."
            )
        found = tuple(entry.load(self) for entry in self._kept)
        if self._function.clear_saved_tensors_on_access:
            self._kept, state.cleared = (), True
        return found

    @property
    def saved_variables(self) -> tuple[Any, ...]:
        """The former name of ``saved_tensors``."""
        warnings.warn(
            "'saved_variables' is deprecated; use 'saved_tensors'", DeprecationWarning, stacklevel=2
        )
        return self.saved_tensors

    _frees = True
    """Also where nothing was saved: reading that needs retain_graph too, as in PyTorch."""

    @property
    def _multi(self) -> bool:  # type: ignore[override]
        """Whether the call had several outputs."""
        return len(self._call.metas) != 1

    @property
    def _width(self) -> int:  # type: ignore[override]
        """The number of outputs."""
        return len(self._call.metas)

    def out_meta(self, nr: int) -> Any:
        return self._call.metas[nr]

    # -- for the engine ---------------------------------------------------------------------------

    def vjp(self, g: Any) -> tuple[Any, ...]:
        given = {nr: as_leaf(g.pop(nr)) for nr in list(g)} if self._multi else {0: as_leaf(g)}
        return tuple(None if r is None else r._data for r in self.call_backward(given))

    def vjp_graph(self, g: Any) -> tuple[Any, ...]:
        if mode.transposing:
            return transposed(self, g if self._multi else {0: g})
        return self.call_backward(g if self._multi else {0: g})

    def vjp_of_none(self, create: bool) -> tuple[Any, ...]:
        """The user's backward runs even if none of the outputs has a gradient."""
        grads = self.call_backward({})
        return grads if create else tuple(None if g is None else g._data for g in grads)

    def call_backward(self, given: dict[int, Any]) -> tuple[Any, ...]:
        """Run the user's backward and check what it returns. Its gradients are in ``grads`` alone, so
        that a backward that takes them as a list can free them."""
        state = self._call
        grads = [given.pop(nr, None) for nr in range(len(state.metas))]
        for nr, meta in enumerate(state.metas):
            if grads[nr] is None and state.materialize and meta is not None:
                grads[nr] = wrap(zeros_on(meta[2], *meta[:2]))
        with mode.changed(grad=mode.grad):  # a change that the backward makes ends with it
            result = (
                self.apply_boxed(grads) if self._function.boxed_grads_call else self.apply(*grads)
            )
        return self.checked(result if isinstance(result, tuple) else (result,))

    def apply(self, *grads: Any) -> Any:
        """Call the user's ``backward``."""
        return self.user_backward()(self, *grads)

    apply_boxed = apply
    """The same with one list of them."""

    def user_backward(self) -> Any:
        """The user's ``backward``, or ``vjp``, which is another name for it.

        Raises:
            RuntimeError: both are defined.
        """
        owner = self._function
        has_vjp = owner.vjp is not Function.vjp
        if has_vjp and owner.backward is not Function.backward:
            raise errors.custom_function(
                f"{owner.__name__}(): both 'backward' and 'vjp' are defined, and they are two "
                "names for one method. Keep one."
            )
        return owner.vjp if has_vjp else owner.backward

    def checked(self, result: tuple[Any, ...]) -> tuple[Any, ...]:
        """One gradient per tensor argument, reduced to its shape and dtype.

        Raises:
            RuntimeError: too few or too many, one for a non-tensor, or one of a shape that cannot
                be reduced.
        """
        inputs = self._call.inputs
        name = self.name()
        if len(result) > len(inputs) and all(r is None for r in result[len(inputs) :]):
            result = result[: len(inputs)]
        if len(result) != len(inputs):
            raise errors.custom_function(
                f"function {name} returned {len(result)} gradients; expected {len(inputs)}, "
                "one (or None) for each input"
            )
        out: list[Any] = []
        for k, (g, meta) in enumerate(zip(result, inputs, strict=True)):
            if meta is None:
                if g is not None:
                    raise errors.custom_function(
                        f"function {name} returned a gradient at position {k + 1}, where the input "
                        "was not a Tensor. Return None there."
                    )
                continue
            if g is None:
                out.append(None)
                continue
            if not isinstance(g, Tensor):
                raise errors.custom_function(
                    f"function {name} expected a Variable or None at position {k + 1}, got "
                    f"{type(g).__name__}"
                )
            shape, dtype, device = meta
            if g._data.shape != shape:
                try:
                    fits = np.broadcast_shapes(shape, g._data.shape) == g._data.shape
                except ValueError:
                    fits = False
                if not fits:
                    raise errors.gradient_mismatch(
                        f"Function {name} returned an invalid gradient at index {k} - got "
                        f"{list(g.shape)} but expected shape compatible with {list(shape)}"
                    )
                g = sum_to(g, shape)
            if g._data.dtype is not dtype:
                dtype = arriving_dtype(self._nexts[len(out)], dtype, g._data.dtype)
            if g._data.dtype is not dtype and dtype in DIFFERENTIABLE:
                if g._data.dtype.kind == "c" and dtype.kind != "c":
                    raise errors.gradient_mismatch(
                        f"Function {name} returned a complex gradient at index {k} for a real "
                        "input; take its real part"
                    )
                g = cast_to(g, dtype)
            out.append(placed(name, k, g, device))
        return tuple(out)


def placed(name: str, k: int, g: Tensor, device: Any) -> Tensor:
    """A gradient on the device of its input. One without dimensions is moved there.

    Raises:
        RuntimeError: it lives on another device.
    """
    if g.device == device:
        return g
    if not g._data.ndim:
        return g.to(device)
    raise errors.gradient_mismatch(
        f"Function {name} returned an invalid gradient at index {k} - expected device {device} but "
        f"got {g.device}. Move it with .to()."
    )


class State:
    """What a call keeps besides the node."""

    def __init__(self) -> None:
        self.to_save: tuple[Any, ...] = ()
        self.for_forward: tuple[Any, ...] = ()
        self.in_jvp = False
        self.cleared = False
        self.dirty: tuple[Tensor, ...] = ()
        self.wrote = False
        self.constant: tuple[Tensor, ...] = ()
        self.materialize = True
        self.inputs: list[Any]
        self.metas: list[Any] = []


def as_leaf(g: Any) -> Any:
    """An array as a tensor."""
    return as_tensor(g)


class Function:
    """Subclass with static methods ``forward`` and ``backward``, then call ``apply``."""

    generate_vmap_rule = False
    clear_saved_tensors_on_access = False
    """Whether reading ``ctx.saved_tensors``, which is then possible once, gives them up."""
    boxed_grads_call = False
    """Whether ``backward`` takes the gradients as one list, from which it may remove them."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        warnings.warn(
            f"{type(self).__name__} is used by its static methods, and an instance of it "
            f"is of no use. Call {type(self).__name__}.apply(...).",
            DeprecationWarning,
            stacklevel=2,
        )

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        raise errors.custom_function(
            f"[{type(self).__name__}] a legacy autograd function, called by its instance, "
            "is not supported. Make forward and backward static methods, and call "
            f"{type(self).__name__}.apply(...)."
        )

    @staticmethod
    def forward(*args: Any, **kwargs: Any) -> Any:
        """Compute the outputs: ``forward(ctx, *args)``, or ``forward(*args)`` with
        ``setup_context``."""
        raise errors.custom_function(
            "a custom Function needs a static method forward", NotImplementedError
        )

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> Any:
        """Save what backward needs, where ``forward`` takes no ctx."""
        raise errors.custom_function("setup_context is not implemented.", NotImplementedError)

    @staticmethod
    def backward(ctx: Any, *grad_outputs: Any) -> Any:
        """From the outputs' gradients to one gradient per input."""
        raise errors.custom_function(
            "a custom Function needs a static method backward (or vjp) before gradients can pass it",
            NotImplementedError,
        )

    @staticmethod
    def vjp(ctx: Any, *grad_outputs: Any) -> Any:
        """Another name for ``backward``."""
        raise errors.custom_function("vjp is not implemented.", NotImplementedError)

    @staticmethod
    def jvp(ctx: Any, *grad_inputs: Any) -> Any:
        """From the inputs' tangents to one tangent per output."""
        raise errors.custom_function(
            "a custom Function needs a static method jvp before tangents can pass it",
            NotImplementedError,
        )

    @staticmethod
    def vmap(info: Any, in_dims: tuple[int | None, ...], *args: Any) -> Any:
        """From a batch of inputs, at ``in_dims``, to a batch of outputs and their dimensions."""
        raise errors.custom_function("vmap is not implemented.", NotImplementedError)

    @classmethod
    def apply(cls, *args: Any, **kwargs: Any) -> Any:
        """Run ``forward`` unrecorded and record the call as one node."""
        ctx: Any = new(node_class(cls))
        separate = cls.setup_context is not Function.setup_context
        if separate:
            args = in_places(cls.forward, args, kwargs, True)
        elif kwargs:
            args = in_places(functools.partial(cls.forward, ctx), args, kwargs, False)
        ctx.start(args)
        by_rule = bool(mode.mapped) and has_rule(cls, Function.vmap)
        if by_rule and mode.transforms == mode.entry.entries.transforms:
            return call_rule(cls, args)
        track = mode.grad and not mode.inference and any(ctx.needs_input_grad)
        pushed = track and pushed_through(args)
        if pushed and cls.jvp is Function.jvp:
            cls.jvp(ctx)  # which raises
        tangents = [tangent_of(a) for a in args]
        with mode.changed(grad=False, aside=False, level=None):
            if separate:
                result = call_rule(cls, args) if by_rule else cls.forward(*args)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        single = not isinstance(result, tuple)
        outs = [result] if single else list(result)
        constant = [any(o is c for c in ctx._call.constant) for o in outs]
        outs = connect(ctx, args, outs, track)
        if any(t is not None for t in tangents):
            push_forward(ctx, args, tangents, outs, constant)
        if not pushed:
            ctx._call.for_forward = ()
        return outs[0] if single else tuple(outs)


def pushed_through(args: tuple[Any, ...]) -> bool:
    """Whether an argument of a call has a tangent in a forward-mode transform that is running."""
    if not mode.pushing:
        return False
    stack = [a.grad_fn or accumulator(a) for a in args if isinstance(a, Tensor) and a.requires_grad]
    seen = set(stack)
    while stack:
        node = stack.pop()
        if node in mode.pushing:
            return True
        for n in () if node is None else node._nexts:
            if n not in seen:
                seen.add(n)
                stack.append(n)
    return False


class Transposed(Function):
    """The transpose of the jvp of one call of a custom function. Its results only stand for those that a
    backward would give: what counts is that their derivative is the jvp."""

    generate_vmap_rule = True

    @staticmethod
    def forward(node: FunctionNode, *grads: Any) -> tuple[Tensor, ...]:
        metas = [meta for meta in node._call.inputs if meta is not None]
        return tuple(wrap(zeros_on(meta[2], *meta[:2])) for meta in metas)

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        ctx.node = inputs[0]
        ctx.wanted = [g is not None for g in inputs[1:]]
        ctx.set_materialize_grads(False)

    @staticmethod
    def backward(ctx: Any, *along: Any) -> tuple[Any, ...]:
        state = ctx.node._call
        tangents = iter(along)
        given = []
        for meta in state.inputs:
            t = None if meta is None else next(tangents)
            if t is None and meta is not None and state.materialize and meta[1] in DIFFERENTIABLE:
                t = wrap(zeros_on(meta[2], *meta[:2]))
            given.append(t.clone() if state.wrote and t is not None else t)
        found = zip(call_jvp(ctx.node, given), ctx.wanted, strict=True)
        return (None, *(v if wanted else None for v, wanted in found))


def transposed(node: FunctionNode, grads: dict[int, Any]) -> tuple[Any, ...]:
    """What a custom function gives its inputs where tangents count."""
    metas = node._call.metas
    given = [grads.get(nr) for nr in range(len(metas))]
    found = Transposed.apply(node, *given)
    return found if isinstance(found, tuple) else (found,)


def in_places(
    forward: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], defaults: bool
) -> tuple[Any, ...]:
    """The arguments of a call by their places, under ``defaults`` those left out as well.

    Raises:
        TypeError: they do not fit the signature of ``forward``, or one has no place.
    """
    try:
        bound = inspect.signature(forward).bind(*args, **kwargs)
    except TypeError as error:
        raise errors.wrong_type(f"forward() {error}") from None
    if defaults:
        bound.apply_defaults()
    if bound.kwargs:
        raise errors.wrong_type(
            f"forward() got arguments by name alone, {sorted(bound.kwargs)}, for which backward "
            "could give no gradient; let all have a place"
        )
    return bound.args


_classes: dict[Any, Any] = {}


def node_class(cls: Any) -> Any:
    """The node class of a Function, named after it."""
    known = cls.__dict__.get("_node_class")
    if known is None:
        known = type(
            cls.__name__ + "Backward",
            (FunctionNode,),
            {"_function": cls, "__module__": getattr(cls, "__module__", __name__)},
        )
        cls._node_class = known
    return known


class DelayedError(Node):
    """A node that refuses to be differentiated."""

    __slots__ = ("message",)

    message: str

    def vjp(self, g: Any) -> tuple[Any, ...]:
        raise errors.not_differentiable(self.message)

    vjp_graph = vjp


def once_differentiable(fn: Callable[..., Any]) -> Callable[..., Any]:
    """A backward whose result cannot be differentiated: doing so is refused."""

    @functools.wraps(fn)
    def run(ctx: Any, *args: Any) -> Any:
        with mode.changed(grad=False):
            out = fn(ctx, *args)
        if not mode.grad or not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            return out
        outs = out if isinstance(out, tuple) else (out,)
        marked = []
        for o in outs:
            if isinstance(o, Tensor):
                n: DelayedError = new(DelayedError)
                n.message = (
                    "trying to differentiate twice through a backward that is marked "
                    "@once_differentiable, and so was not recorded. Write it with differentiable "
                    "operations, and take the mark away."
                )
                n._nexts = tuple(
                    a._node or accumulator(a) for a in args if isinstance(a, Tensor) and a._req
                )
                n._nrs, n._kept, n._extra, n._seq = None, (), None, next_seq()
                o = o.detach()
                o._node, o._req = n, True
            marked.append(o)
        return tuple(marked) if isinstance(out, tuple) else marked[0]

    return run


FunctionCtx = BackwardCFunction = FunctionNode
"""The names that ``ctx`` has in type annotations."""
