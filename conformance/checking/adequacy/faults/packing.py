"""Faults of hooks for saved tensors: which pair is used, for what, and for how long."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, register, torch
from .in_place import CHANGES
from .saved_hooks import Pair, blocks, pairs


class Raw:
    """A saved tensor that did not go through the hooks, or is not to go through the second."""

    def __init__(self, value: Any) -> None:
        self.value = value


def passing_by(patch: Patch, pack: Callable[[Any, Any], Any]) -> None:
    """Pack by `pack(right, tensor)`; what is Raw is not unpacked."""

    def change(right: Any, unpack: Any) -> Pair:
        return (
            lambda tensor: pack(right, tensor),
            lambda packed: packed.value if isinstance(packed, Raw) else unpack(packed),
        )

    pairs(patch, change)


@fault
def unpacking_is_ignored_for_tensors(patch: Patch) -> None:
    """What an unpacking hook gives is ignored where the packed value is a tensor."""

    def change(pack: Any, unpack: Any) -> Pair:
        def unpacked(packed: Any) -> Any:
            found = unpack(packed)
            return packed if isinstance(packed, torch.Tensor) else found

        return pack, unpacked

    pairs(patch, change)


@fault
def masks_and_indices_are_not_packed(patch: Patch) -> None:
    """Masks and indices do not pass through the hooks for saved tensors."""

    def pack(right: Any, tensor: Any) -> Any:
        if tensor.is_floating_point() or tensor.is_complex():
            return right(tensor)
        return Raw(tensor)

    passing_by(patch, pack)


def changes_under_way(patch: Patch, counts: Callable[[Any], Any]) -> list[Any]:
    """The tensors that are being changed in place, of those that count when their change begins."""
    changing: list[Any] = []

    def make(original: Any) -> Any:
        def operation(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not counts(self):
                return original(self, *args, **kwargs)
            changing.append(self)
            try:
                return original(self, *args, **kwargs)
            finally:
                changing.pop()

        return operation

    for name in CHANGES:
        patch.wrap(torch.Tensor, name, make)
    return changing


@fault
def writes_into_views_are_not_unpacked(patch: Patch) -> None:
    """What a change of a view in place saved is packed, but not unpacked."""
    changing = changes_under_way(patch, lambda tensor: tensor._is_view())

    def pack(right: Any, tensor: Any) -> Any:
        packed = right(tensor)
        return Raw(packed) if changing and isinstance(packed, torch.Tensor) else packed

    passing_by(patch, pack)


@fault
def packed_values_of_a_second_change_are_refused(patch: Patch) -> None:
    """What an operation in place packs is refused by backward if its tensor was changed before."""
    changing = changes_under_way(patch, lambda tensor: tensor._version)

    def change(pack: Any, unpack: Any) -> Pair:
        def unpacked(packed: Any) -> Any:
            if isinstance(packed, Raw):
                raise RuntimeError("a variable needed for gradient computation has been modified")
            return unpack(packed)

        return lambda tensor: Raw(pack(tensor)) if changing else pack(tensor), unpacked

    pairs(patch, change)


@fault
def the_outermost_pair_packs(patch: Patch) -> None:
    """Of nested blocks of hooks for saved tensors the outermost pair is used."""
    entered = blocks(patch)
    own: dict[int, Pair] = {}

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            own[id(self)] = pack_hook, unpack_hook

            def pack(tensor: Any) -> Any:
                first, unpack = own[id(entered[0])]
                return unpack, first(tensor)

            original(self, pack, lambda packed: packed[0](packed[1]))

        return init

    patch.wrap(torch.autograd.graph.saved_tensors_hooks, "__init__", make)


@fault
def custom_functions_pass_by_the_saved_hooks(patch: Patch) -> None:
    """What a custom function saves does not go through the hooks for saved tensors."""
    original: Any = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        with torch.autograd.graph.saved_tensors_hooks(lambda v: v, lambda v: v):
            return original(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@fault
def packing_hooks_may_change_their_argument(patch: Patch) -> None:
    """A packing hook may change the tensor that it is given in place."""

    def change(pack: Any, unpack: Any) -> Pair:
        def packed(tensor: Any) -> Any:
            with torch.no_grad(), inside.keeping_version(tensor):
                return pack(tensor)

        return packed, unpack

    pairs(patch, change)


@fault
def save_on_cpu_gives_zeros(patch: Patch) -> None:
    """save_on_cpu gives zeros back instead of what was saved."""
    graph = torch.autograd.graph

    def make(original: Any) -> Any:
        def init(self: Any, pack_hook: Any, unpack_hook: Any) -> None:
            forgets = isinstance(self, graph.save_on_cpu)
            original(self, pack_hook, (lambda v: unpack_hook(v) * 0) if forgets else unpack_hook)

        return init

    patch.wrap(graph.saved_tensors_hooks, "__init__", make)


@fault
def saved_hooks_cannot_be_forbidden(patch: Patch) -> None:
    """A block of saved_tensors_hooks is accepted where disable_saved_tensors_hooks forbids it."""
    patch.set(
        torch.autograd.graph, "disable_saved_tensors_hooks",
        lambda message: contextlib.nullcontext(),
    )  # fmt: skip


@fault
def saved_hooks_outlive_their_block(patch: Patch) -> None:
    """The hooks of a block of saved_tensors_hooks stay in force after it, until the next pass."""
    left: list[Any] = []

    def make_exit(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            left.append(lambda: original(self, *error))

        return leave

    def end() -> None:
        while left:
            left.pop()()

    def make_enter(original: Any) -> Any:
        def enter(self: Any) -> Any:
            end()
            return original(self)

        return enter

    def around(run: Any, options: Any) -> Any:
        end()
        return run(options)

    hooks = torch.autograd.graph.saved_tensors_hooks
    patch.wrap(hooks, "__exit__", make_exit)
    patch.wrap(hooks, "__enter__", make_enter)
    patch.at_end(end)
    around_pass(patch, around)


# --- where hooks are forbidden ---


def forbidding(name: str, sentence: str, text: Callable[[list[str]], str]) -> None:
    """Put into the bank a block that forbids hooks with the text `text(texts)`, of the texts that the
    blocks around it were given and its own."""
    given: list[str] = []

    def make(original: Any) -> Any:
        @contextlib.contextmanager
        def disabled(message: str) -> Any:
            given.append(message)
            try:
                with original(text(given)):
                    yield
            finally:
                given.pop()

        return disabled

    def install(patch: Patch) -> None:
        patch.wrap(torch.autograd.graph, "disable_saved_tensors_hooks", make)

    register(name, sentence, install)


forbidding(
    "hooks_are_forbidden_with_a_text_of_its_own",
    "Where hooks for saved tensors are forbidden, the error says what it always says.",
    lambda given: "saved tensor hooks are disabled",
)
forbidding(
    "hooks_are_forbidden_with_the_first_text",
    "Where hooks for saved tensors are forbidden twice, the error says what the outer block was given.",
    lambda given: given[0],
)
