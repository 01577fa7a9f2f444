"""Checkpoints: parts of a computation that save nothing and run again in backward.

The plain kind packs each saved tensor as a number; the first one that backward asks for runs the
function again, under hooks that note what it saves, in the same order. The reentrant kind is a
custom function whose backward runs a backward pass of its own.
"""

from __future__ import annotations

import contextlib
import functools
import warnings
from collections.abc import Callable
from typing import Any

from .. import errors
from ..autograd.function import Function
from ..autograd.grad_mode import enable_grad
from ..autograd.passes import backward
from ..engine.saved_hooks import saved_tensors_hooks
from ..mode import mode
from ..ops.create import tensor
from ..random import fork_rng, get_rng_state, set_rng_state
from ..tensor.tensor import Tensor, flagged

__all__ = [
    "CheckpointError", "CheckpointFunction", "GraphExecGroup", "checkpoint", "checkpoint_sequential",
    "noop_context_fn", "set_checkpoint_early_stop",
]  # fmt: skip


class CheckpointError(RuntimeError):
    """The second run of a function differs from the first."""


class _Enough(Exception):
    """All saved tensors have been computed again."""


class _EarlyStop:
    """Whether second runs stop once the last saved tensor is there: None leaves it to the call."""

    forced: bool | None = None


@contextlib.contextmanager
def set_checkpoint_early_stop(enable: bool) -> Any:
    """Within the block, checkpoints stop their second run early, or never."""
    held, _EarlyStop.forced = _EarlyStop.forced, enable
    try:
        yield
    finally:
        _EarlyStop.forced = held


class GraphExecGroup:
    """Within the block, backward passes together run the function of each checkpoint at most once more.
    They must need different saved tensors. The reentrant kind is not affected.

    Raises:
        RuntimeError: this thread is in such a block already.
    """

    def __enter__(self) -> GraphExecGroup:
        if mode.recomputed_once is not None:
            raise errors.checkpoint("GraphExecGroup contexts cannot be nested")
        mode.set(recomputed_once=self)
        return self

    def __exit__(self, *exc: object) -> None:
        mode.set(recomputed_once=None)


def noop_context_fn() -> tuple[Any, Any]:
    """Two contexts that do nothing."""
    return contextlib.nullcontext(), contextlib.nullcontext()


@contextlib.contextmanager
def drawing_as_at(state: Tensor | None) -> Any:
    """Within the block, random numbers are drawn as from this state on; None changes nothing."""
    if state is None:
        yield
        return
    with fork_rng():
        set_rng_state(state)
        yield


class _SaveInputs(Function):
    """Saves its inputs; no gradient passes through it."""

    generate_vmap_rule = True

    @staticmethod
    def forward(kept_by: Any, always: Tensor, *tensors: Tensor) -> Tensor:
        return tensor([0.0])

    @staticmethod
    def setup_context(ctx: Any, inputs: tuple[Any, ...], output: Any) -> None:
        kept_by, _, *tensors = inputs
        ctx.save_for_backward(*tensors)
        kept_by.node = ctx

    @staticmethod
    def jvp(ctx: Any, *tangents: Any) -> Tensor:
        """The result is a constant."""
        return tensor([0.0])


class Inputs:
    """The arguments of a checkpointed call. Its tensors are saved as those of an operation are: changes
    in place are noticed, and a checkpoint around this one need not keep them."""

    node: Any = None

    def __init__(self, args: tuple[Any, ...]) -> None:
        self.args = [None if isinstance(a, Tensor) else a for a in args]
        self.places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        always = tensor([0.0], requires_grad=True)  # so that the node is there in any case
        _SaveInputs.apply(self, always, *(args[i] for i in self.places))

    def load(self) -> list[Any]:
        """The arguments.

        Raises:
            RuntimeError: a tensor among them was changed in place.
        """
        args = list(self.args)
        for i, x in zip(self.places, self.node.saved_tensors, strict=True):
            args[i] = x
        return args


class Region:
    """One checkpointed call: how to run it again, and what that gave in the present pass."""

    def __init__(
        self, run: Callable[..., Any], args: tuple[Any, ...], context: Any, early_stop: bool,
        compare: bool, keep_random: bool,
    ) -> None:  # fmt: skip
        self.run = run
        self.inputs = Inputs(args)
        self.context = context
        self.early_stop = early_stop
        self.compare = compare
        self.random_state = get_rng_state() if keep_random else None
        self.described: list[Any] = []
        self.finished = False  # until then, a pass inside the function needs only what is there
        self.found: dict[int, Tensor] = {}
        self.found_in: Any = None

    def pack(self, x: Tensor) -> int:
        """In the first run: a number in place of a saved tensor."""
        self.described.append(described(x))
        return len(self.described) - 1

    def unpack(self, k: int) -> Tensor:
        """In backward: the tensor, computed again once a pass, or once in a ``GraphExecGroup``.

        Raises:
            CheckpointError: another pass of the group took it.
        """
        now = group = mode.recomputed_once
        if now is None and mode.backward_pass is not None:
            now = mode.backward_pass.number
        if now is None or now != self.found_in or (k not in self.found and group is None):
            self.found = self.run_again()
            self.found_in = now
        if k not in self.found:
            raise errors.checkpoint(
                f"checkpoint(): saved tensor {k} is unpacked a second time within one GraphExecGroup, "
                "whose backward passes must need different saved tensors",
                CheckpointError,
            )
        return self.found.pop(k)

    def run_again(self) -> dict[int, Tensor]:
        """What the second run saves.

        Raises:
            CheckpointError: it saves another number of tensors than the first, or other ones.
        """
        found: dict[int, Tensor] = {}
        args = self.inputs.load()

        def note(x: Tensor) -> Tensor:
            k = len(found)
            found[k] = x.detach() if x.requires_grad else x
            if (self.early_stop or not self.finished) and k + 1 == len(self.described):
                raise _Enough
            return found[k]

        with (
            contextlib.suppress(_Enough),
            enable_grad(),
            drawing_as_at(self.random_state),
            self.context,
            saved_tensors_hooks(note, lambda x: x),  # for passes inside the function
        ):
            self.run(*args)
        if len(found) != len(self.described):
            raise errors.checkpoint(
                f"checkpoint(): recomputing saved {len(found)} tensors, the first time "
                f"{len(self.described)}. The function must do the same each time.",
                CheckpointError,
            )
        for k, before in enumerate(self.described if self.compare else ()):
            if described(found[k]) != before:
                raise errors.checkpoint(
                    f"checkpoint(): tensor {k} was saved as {before}, and recomputed as "
                    f"{described(found[k])}. The function must do the same each time.",
                    CheckpointError,
                )
        return found


def described(x: Tensor) -> str:
    """What must be the same in both runs."""
    return f"a tensor of shape {list(x.shape)}, {x.dtype} on {x.device}"


class CheckpointFunction(Function):
    """The reentrant kind."""

    @staticmethod
    def forward(ctx: Any, run_function: Callable[..., Any], keep_random: bool, *args: Any) -> Any:
        ctx.run_function = run_function
        ctx.random_state = get_rng_state() if keep_random else None
        ctx.tensor_places = [i for i, a in enumerate(args) if isinstance(a, Tensor)]
        ctx.inputs = [None if isinstance(a, Tensor) else a for a in args]
        ctx.save_for_backward(*[args[i] for i in ctx.tensor_places])
        return run_function(*args)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> tuple[Any, ...]:
        if mode.backward_pass.captures is not None:
            raise errors.checkpoint(
                "checkpoint(): with use_reentrant=True only a plain .backward() can pass; got "
                "a pass for chosen inputs. Use use_reentrant=False, or call .backward() "
                "without `inputs`."
            )
        inputs = list(ctx.inputs)
        for i, x in zip(ctx.tensor_places, ctx.saved_tensors, strict=True):
            inputs[i] = flagged(x.detach(), x.requires_grad)
        with enable_grad(), drawing_as_at(ctx.random_state):
            out = ctx.run_function(*inputs)
        outs = out if isinstance(out, tuple) else (out,)
        pairs = [
            (o, g)
            for o, g in zip(outs, grads, strict=True)
            if isinstance(o, Tensor) and o.requires_grad
        ]
        if not pairs:
            raise errors.checkpoint(
                "checkpoint(): no output of the function requires grad, so there is nothing "
                "to recompute. Call the function itself."
            )
        backward([o for o, _ in pairs], [g for _, g in pairs])
        return (None, None, *(x.grad if isinstance(x, Tensor) else None for x in inputs))


def checkpoint(
    function: Callable[..., Any],
    *args: Any,
    use_reentrant: bool | None = None,
    context_fn: Callable[[], tuple[Any, Any]] = noop_context_fn,
    determinism_check: str = "default",
    debug: bool = False,
    early_stop: bool = True,
    **kwargs: Any,
) -> Any:
    """``function(*args, **kwargs)``, of which nothing is kept for backward: it runs again there.

    Args:
        function: must do the same each time.
        args, kwargs: its arguments; keyword arguments need ``use_reentrant=False``.
        use_reentrant: which kind; the reentrant one needs an input that requires grad and works
            with ``backward()`` alone.
        context_fn: gives two contexts, for the first and for the second run.
        determinism_check: "none" to accept other shapes, dtypes and devices in the second run.
        debug: accepted.
        preserve_rng_state: draw the same random numbers in both runs; by default True.
        early_stop: leave the second run once the last saved tensor is there.

    Raises:
        ValueError: keyword arguments or ``context_fn`` for the reentrant kind, or another word for
            ``determinism_check``.
        CheckpointError: in backward, where the second run differs.
    """
    if use_reentrant is None:
        warnings.warn(
            "torch.utils.checkpoint: the use_reentrant parameter should be passed explicitly; "
            "use_reentrant=False is recommended.",
            UserWarning,
            stacklevel=2,
        )
        use_reentrant = True
    keep_random = kwargs.pop("preserve_rng_state", True)
    if use_reentrant:
        if kwargs:
            raise errors.wrong_value("Unexpected keyword arguments: " + ",".join(kwargs))
        if context_fn is not noop_context_fn or debug:
            raise errors.wrong_value("checkpoint(): context_fn and debug need use_reentrant=False")
        if not any(isinstance(a, Tensor) and a.requires_grad for a in args):
            warnings.warn(
                "checkpoint(): none of the inputs requires grad, so with use_reentrant=True "
                "no gradient passes. Use use_reentrant=False.",
                UserWarning,
                stacklevel=2,
            )
        return CheckpointFunction.apply(function, keep_random, *args)
    if determinism_check not in ("default", "none"):
        raise errors.wrong_value(
            f"determinism_check must be 'default' or 'none', got {determinism_check!r}"
        )
    first, second = context_fn()
    if not mode.grad:
        return function(*args, **kwargs)
    stop = early_stop if _EarlyStop.forced is None else _EarlyStop.forced
    region = Region(
        functools.partial(function, **kwargs),
        args,
        second,
        stop,
        determinism_check != "none",
        keep_random,
    )
    with saved_tensors_hooks(region.pack, region.unpack), first:
        result = function(*args, **kwargs)
    region.finished = True
    return result


def checkpoint_sequential(
    functions: Any,
    segments: int,
    input: Any,
    use_reentrant: bool | None = None,
    preserve_rng_state: bool = True,
) -> Any:
    """The functions called one after the other in checkpointed segments, the last as it is.

    Args:
        functions: an ``nn.Sequential``, or a list of modules or functions.
        segments: how many segments there are, of equal size but for the last.
        input: the argument of the first function.
        use_reentrant: which kind of checkpoint.
        preserve_rng_state: draw the same random numbers in both runs.
    """
    steps = list(functions)
    size = len(steps) // segments
    ends = [size * (k + 1) for k in range(segments - 1)]
    start = 0
    for end in ends:
        input = checkpoint(
            functools.partial(one_after_the_other, steps[start:end]),
            input,
            use_reentrant=use_reentrant,
            preserve_rng_state=preserve_rng_state,
        )
        start = end
    return one_after_the_other(steps[start:], input)


def one_after_the_other(functions: list[Any], x: Any) -> Any:
    """The result of calling each function on the result of the one before."""
    for function in functions:
        x = function(x)
    return x
