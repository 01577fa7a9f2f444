"""How PyTorch is broken in one place, and put back together.

A fault is a function that is given a `Patch` and replaces what is to be broken:

    @fault
    def backward_overwrites(patch: Patch) -> None:
        \"\"\"A second pass overwrites the gradient.\"\"\"
        patch.set(torch.Tensor, "backward", ...)

Which behaviors are expected to notice stands in `noticed_by.yaml`. `broken(fault)` is the time during
which PyTorch is broken; afterwards everything is as it was.
"""

from __future__ import annotations

import functools
import threading
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import torch
from torch.utils.weak import WeakIdKeyDictionary

ABSENT = object()


class Patch:
    """Attributes that were replaced, with what stood there before."""

    def __init__(self) -> None:
        self.undo: list[tuple[Any, str, Any]] = []

    def set(self, owner: Any, name: str, value: Any) -> None:
        """Replace `owner.name`, which may be inherited."""
        before = vars(owner).get(name, ABSENT)
        self.undo.append((owner, name, before))
        setattr(owner, name, value)

    def wrap(self, owner: Any, name: str, make: Callable[[Any], Any]) -> None:
        """Replace the function `owner.name` by `make(it)`."""
        original = getattr(owner, name)
        self.set(owner, name, functools.update_wrapper(make(original), original, updated=()))

    def restore(self) -> None:
        for owner, name, before in reversed(self.undo):
            if before is ABSENT:
                delattr(owner, name)
            else:
                setattr(owner, name, before)
        self.undo.clear()


@dataclass(frozen=True)
class Fault:
    """One realistic mistake: its name, one sentence, how to make it, and which words of a program
    it is about, if it is about single operations."""

    name: str
    sentence: str
    install: Callable[[Patch], None]
    words: frozenset[str] = frozenset()


BANK: dict[str, Fault] = {}


def register(
    name: str, sentence: str, install: Callable[[Patch], None], operations: str = ""
) -> None:
    """Put a fault into the bank."""
    assert name not in BANK, f"the fault {name!r} occurs twice"
    assert sentence, f"the fault {name!r} does not say what is broken"
    BANK[name] = Fault(name, " ".join(sentence.split()), install, frozenset(operations.split()))


def fault(install: Callable[[Patch], None]) -> Callable[[Patch], None]:
    """Put the decorated function into the bank; its docstring says what is broken."""
    register(install.__name__, install.__doc__ or "", install)
    return install


class Plan(Patch):
    """What would be replaced; nothing is."""

    def set(self, owner: Any, name: str, value: Any) -> None:
        self.undo.append((owner, name, value))


def can_be_mended(fault: Fault) -> bool:
    """Whether PyTorch is whole again after the fault. Once `__getitem__` was replaced on a class and
    removed again, Python takes the class for a sequence for ever, as `torch.tensor([x, y])` can tell.
    """
    plan = Plan()
    fault.install(plan)
    return all(name != "__getitem__" for _, name, _ in plan.undo)


@contextmanager
def broken(fault: Fault) -> Iterator[None]:
    """The time during which PyTorch has the fault. Its modes are put back too."""
    patch = Patch()
    set_grad_enabled = torch._C._set_grad_enabled
    try:
        fault.install(patch)
        yield
    finally:
        patch.restore()
        set_grad_enabled(True)


# --- notes on tensors ---


class Notes:
    """Notes on tensors or nodes, which end with them.

    Tensors compare by element, so an ordinary dictionary would not ask whether they are the same;
    nodes cannot be referred to weakly, but carry a dictionary of their own.
    """

    def __init__(self) -> None:
        self.of_tensors: Any = WeakIdKeyDictionary()

    def at(self, key: Any) -> tuple[Any, Any]:
        """The dictionary that holds the note on `key`, and where in it."""
        return (self.of_tensors, key) if isinstance(key, torch.Tensor) else (key.metadata, self)

    def __contains__(self, key: Any) -> bool:
        notes, place = self.at(key)
        return place in notes

    def __getitem__(self, key: Any) -> Any:
        notes, place = self.at(key)
        return notes[place]

    def __setitem__(self, key: Any, value: Any) -> None:
        notes, place = self.at(key)
        notes[place] = value

    def get(self, key: Any, default: Any = None) -> Any:
        return self[key] if key is not None and key in self else default

    def setdefault(self, key: Any, default: Any) -> Any:
        if key not in self:
            self[key] = default
        return self[key]

    def pop(self, key: Any, default: Any = None) -> Any:
        notes, place = self.at(key)
        return notes.pop(place, default)


class Marked:
    """Tensors or nodes that are marked, as long as they live."""

    def __init__(self) -> None:
        self.notes = Notes()

    def add(self, value: Any) -> None:
        self.notes[value] = True

    def update(self, values: Any) -> None:
        for value in values:
            self.add(value)

    def __contains__(self, value: Any) -> bool:
        return value is not None and value in self.notes


# --- where an operation is reached from ---

OPERATORS = {
    "add": ("__add__", "__radd__"), "sub": ("__sub__",), "rsub": ("__rsub__",),
    "mul": ("__mul__", "__rmul__"), "div": ("__truediv__",), "rdiv": ("__rtruediv__",),
    "pow": ("__pow__",), "rpow": ("__rpow__",), "matmul": ("__matmul__",), "neg": ("__neg__",),
    "abs": ("__abs__",), "getitem": ("__getitem__",), "setitem": ("__setitem__",),
    "fmod": (), "remainder": ("__mod__",), "floor_divide": ("__floordiv__",),
    "add_": ("__iadd__",), "sub_": ("__isub__",), "mul_": ("__imul__",), "div_": ("__itruediv__",),
    "pow_": ("__ipow__",),
}  # fmt: skip


def places(operation: str) -> list[tuple[Any, str]]:
    """Everything by which a program can reach an operation: function, method and operator."""
    owner: Any = torch
    *parts, name = operation.split(".")
    for part in parts:
        owner = getattr(owner, part)
    found = [(owner, name)]
    if not parts:
        found += [(torch.Tensor, each) for each in (name, *OPERATORS.get(name, ()))]
    return [place for place in found if hasattr(*place)]


def around(patch: Patch, operations: str, function: Callable[..., Any]) -> None:
    """Replace operations, from wherever they are reached, by `function(original, *args, **kwargs)`."""

    def make(original: Any) -> Any:
        return lambda *args, **kwargs: function(original, *args, **kwargs)

    for operation in operations.split():
        for owner, name in places(operation):
            patch.wrap(owner, name, make)


def instead(name: str, sentence: str, operations: str, function: Callable[..., Any]) -> None:
    """Put into the bank a fault that computes operations by `function(original, *args, **kwargs)`."""
    register(name, sentence, lambda patch: around(patch, operations, function))


# --- gradients that are wrong ---


@dataclass
class Call:
    """One call of an operation: its arguments, and its result cut from the graph."""

    args: tuple[Any, ...]
    kwargs: dict[str, Any]
    result: Any


Change = Callable[[tuple[Any, ...], tuple[Any, ...], Call], Sequence[Any]]


def miscompute(patch: Patch, operations: str, change: Change) -> None:
    """Make the backward of operations return what `change` makes of it.

    `change(gradients, cotangents, call)` is given what the right backward returns for the inputs
    of the node (None where nothing is needed) and what the backward was given.
    """
    busy = threading.local()

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            if getattr(busy, "is_set", False):
                return original(*args, **kwargs)
            before = [node_of(value) if isinstance(value, torch.Tensor) else None for value in args]
            busy.is_set = True
            try:
                result = original(*args, **kwargs)
            finally:
                busy.is_set = False
            node = node_of(args[0] if result is None and args else result)
            if node is not None and not any(node is each for each in before):
                call = Call(args, kwargs, cut(result))

                def hook(gradients: tuple[Any, ...], cotangents: tuple[Any, ...]) -> Any:
                    busy.is_set = True
                    try:
                        return tuple(change(gradients, cotangents, call))
                    finally:
                        busy.is_set = False

                node.register_hook(hook)
            return result

        return operation

    for operation in operations.split():
        for owner, name in places(operation):
            patch.wrap(owner, name, make)


def node_of(result: Any) -> Any:
    """The node of a result, or of the first of several that has one; None of a view whose history
    was cut off."""
    if isinstance(result, torch.Tensor):
        try:
            return result.grad_fn
        except RuntimeError:
            return None
    if isinstance(result, tuple | list):
        return next((node for node in map(node_of, result) if node is not None), None)
    return None


def cut(result: Any) -> Any:
    """A result without its history."""
    if isinstance(result, torch.Tensor):
        return torch._C.TensorBase.detach(result)
    if isinstance(result, tuple | list):
        return tuple(map(cut, result))
    return result


def each(function: Callable[..., Any]) -> Change:
    """A change of every gradient by itself: `function(gradient, call)`."""
    return lambda gradients, cotangents, call: [
        None if gradient is None else function(gradient, call) for gradient in gradients
    ]


def nth(index: int, function: Callable[..., Any]) -> Change:
    """A change of one gradient: `function(gradient, cotangent, call)`."""

    def change(gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call) -> list[Any]:
        changed = list(gradients)
        if len(changed) > index and changed[index] is not None:
            changed[index] = function(changed[index], cotangents[0], call)
        return changed

    return change


def mistaken(name: str, sentence: str, operations: str, change: Change) -> None:
    """Put into the bank a fault that makes the backward of operations wrong."""
    register(name, sentence, lambda patch: miscompute(patch, operations, change), operations)


# --- the pass itself ---


def retaining(patch: Patch) -> list[torch.Tensor]:
    """The non-leaves that retain their gradient: filled while PyTorch is broken."""
    retained: list[torch.Tensor] = []

    def make(original: Any) -> Any:
        def retain_grad(self: torch.Tensor) -> None:
            original(self)
            if not self.is_leaf:
                retained.append(self)

        return retain_grad

    patch.wrap(torch.Tensor, "retain_grad", make)
    return retained


def around_pass(patch: Patch, around: Callable[[Callable[..., Any], SimpleNamespace], Any]) -> None:
    """Put `around(run, options)` in the place of every backward pass, of backward() and grad().

    `options` has `roots`, `seeds`, `retain_graph`, `create_graph`, `inputs` and `accumulates`;
    `run(options)` is the right pass.
    """

    def make(original: Any) -> Any:
        def run(options: SimpleNamespace) -> Any:
            return original(
                tuple(options.roots), tuple(options.seeds), options.retain_graph,
                options.create_graph, tuple(options.inputs), **options.others,
            )  # fmt: skip

        def passes(
            roots: Any, seeds: Any, retain_graph: Any, create_graph: Any, inputs: Any,
            allow_unreachable: bool = False, accumulate_grad: bool = False,
        ) -> Any:  # fmt: skip
            others = {"allow_unreachable": allow_unreachable, "accumulate_grad": accumulate_grad}
            options = SimpleNamespace(
                roots=roots, seeds=seeds, retain_graph=retain_graph, create_graph=create_graph,
                inputs=inputs, accumulates=accumulate_grad, others=others,
            )  # fmt: skip
            return around(run, options)

        return passes

    patch.wrap(torch.autograd, "_engine_run_backward", make)


def nodes_below(roots: Sequence[Any]) -> list[Any]:
    """Every node of the graph of some tensors, the roots' first; a leaf stands for itself."""
    waiting = [edge_of(root) for root in roots]
    found: dict[int, Any] = {}
    kept: list[Any] = []
    while waiting:
        node = waiting.pop()
        if node is None or id(node) in found:
            continue
        found[id(node)] = node
        kept.append(node)
        waiting += [following for following, _ in node.next_functions]
    return kept


def edge_of(tensor: Any) -> Any:
    """The node at which a tensor's gradient is computed, or None."""
    node = getattr(tensor, "node", None)  # a gradient edge
    if node is not None:
        return node
    if tensor.grad_fn is None and not tensor.requires_grad:
        return None
    return torch.autograd.graph.get_gradient_edge(tensor).node


def leaves_below(roots: Sequence[Any]) -> list[Any]:
    """The leaves of the graph of some tensors."""
    return [node.variable for node in nodes_below(roots) if hasattr(node, "variable")]
