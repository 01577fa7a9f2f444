"""Faults of forward mode: its levels, and dual tensors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Patch,
    fault,
    inside,
    register,
    torch,
    untouched,
)

Pair = tuple[Any, Any]


class Whole:
    """The functions of forward mode as they are before anything is replaced."""

    def __init__(self) -> None:
        self.module: Any = torch.autograd.forward_ad
        self.make = self.module.make_dual
        self.unpack = self.module.unpack_dual
        self.enter = self.module.enter_dual_level
        self.exit = self.module.exit_dual_level

    def tangent(self, x: Any) -> Any:
        """The tangent of a tensor, if a level is open and it has one."""
        if inside.forward_level() < 0 or not isinstance(x, torch.Tensor) or x.is_inference():
            return None
        return self.unpack(x).tangent

    def plain(self, x: Any) -> Any:
        """A tensor without its tangent."""
        return x if self.tangent(x) is None else self.unpack(x).primal


def around_make(patch: Patch, change: Callable[..., Any]) -> None:
    """Compute make_dual(tensor, tangent) by `change(whole, tensor, tangent)`."""
    whole = Whole()

    def make(original: Any) -> Any:
        return lambda tensor, tangent, *, level=None: change(whole, tensor, tangent)

    patch.wrap(whole.module, "make_dual", make)


def around_unpack(patch: Patch, change: Callable[..., Pair]) -> None:
    """Let unpack_dual(tensor) give `change(whole, tensor, primal, tangent)`."""
    whole = Whole()

    def make(original: Any) -> Any:
        def unpack(tensor: Any, *, level: Any = None) -> Any:
            primal, tangent = original(tensor)
            return whole.module.UnpackedDualTensor(*change(whole, tensor, primal, tangent))

        return unpack

    patch.wrap(whole.module, "unpack_dual", make)


def level_ends(patch: Patch) -> None:
    """Whatever level is left open ends when the engine is mended."""
    whole = Whole()
    patch.at_end(lambda: whole.exit() if inside.forward_level() >= 0 else None)


def when_made(name: str, sentence: str, change: Callable[..., Any]) -> None:
    """Put into the bank a fault of make_dual."""
    register(name, sentence, lambda patch: around_make(patch, change))


def when_unpacked(name: str, sentence: str, change: Callable[..., Pair]) -> None:
    """Put into the bank a fault of unpack_dual."""
    register(name, sentence, lambda patch: around_unpack(patch, change))


# --- dual tensors ---

when_unpacked(
    "unpacked_values_are_still_dual",
    "unpack_dual gives the dual tensor itself as its values.",
    lambda whole, tensor, primal, tangent: (tensor, tangent),
)
when_unpacked(
    "tensors_without_a_tangent_have_one_of_zeros",
    "unpack_dual gives zeros for a tensor that has no tangent.",
    lambda whole, tensor, primal, tangent: (
        primal,
        torch.zeros_like(tensor) if tangent is None else tangent,
    ),
)
when_unpacked(
    "unpacked_tangents_are_copies",
    "unpack_dual copies the tangent.",
    lambda whole, tensor, primal, tangent: (primal, None if tangent is None else tangent.clone()),
)
when_unpacked(
    "unpacked_tangents_are_detached",
    "unpack_dual is not differentiable in the tangent.",
    lambda whole, tensor, primal, tangent: (
        primal,
        None if tangent is None else untouched.detach(tangent),
    ),
)
when_unpacked(
    "unpacked_values_are_detached",
    "unpack_dual is not differentiable in the values.",
    lambda whole, tensor, primal, tangent: (
        primal if tangent is None else untouched.detach(primal),
        tangent,
    ),
)
when_made(
    "dual_tensors_are_copies",
    "make_dual copies the tensor.",
    lambda whole, tensor, tangent: whole.make(tensor.clone(), tangent),
)
when_made(
    "given_tangents_are_copied",
    "make_dual copies the tangent.",
    lambda whole, tensor, tangent: whole.make(tensor, tangent.clone()),
)
when_made(
    "the_given_tensor_becomes_dual",
    "make_dual gives the tensor itself a tangent.",
    lambda whole, tensor, tangent: (
        tensor.copy_(whole.make(untouched.clone(tensor), tangent)),
        tensor,
    )[1],
)
when_made(
    "dual_tensors_are_detached",
    "make_dual is not differentiable in the values.",
    lambda whole, tensor, tangent: whole.make(untouched.detach(tensor), tangent),
)
when_made(
    "given_tangents_are_detached",
    "make_dual is not differentiable in the tangent.",
    lambda whole, tensor, tangent: whole.make(tensor, untouched.detach(tangent)),
)
when_made(
    "dual_tensors_require_grad",
    "make_dual gives a tensor that requires grad.",
    lambda whole, tensor, tangent: (
        lambda dual: dual if dual.requires_grad else dual.requires_grad_()
    )(whole.make(tensor, tangent)),
)
when_made(
    "tangents_are_broadcast",
    "make_dual broadcasts the tangent to the shape of the tensor.",
    lambda whole, tensor, tangent: whole.make(
        tensor,
        tangent.flatten()[:1].expand(tensor.shape) if tensor.shape != tangent.shape else tangent,
    ),
)
when_made(
    "integers_become_dual",
    "make_dual converts integers to floating-point numbers.",
    lambda whole, tensor, tangent: whole.make(
        *(
            x if x.is_floating_point() or x.is_complex() else x.to(torch.float32)
            for x in (tensor, tangent)
        )
    ),
)
when_made(
    "a_second_tangent_replaces_the_first",
    "make_dual of a dual tensor gives it the new tangent.",
    lambda whole, tensor, tangent: whole.make(whole.plain(tensor), tangent),
)
when_made(
    "a_dual_tangent_loses_its_tangent",
    "make_dual takes a dual tensor as the tangent, whose own tangent is lost.",
    lambda whole, tensor, tangent: whole.make(tensor, whole.plain(tangent)),
)
when_made(
    "nothing_is_dual_within_no_grad",
    "Within no_grad, make_dual makes nothing dual.",
    lambda whole, tensor, tangent: (
        whole.make(tensor, tangent)
        if torch.is_grad_enabled()
        else whole.make(tensor, torch.zeros_like(tangent))
    ),
)


@fault
def tangents_of_another_layout_are_kept_as_they_are(patch: Patch) -> None:
    """make_dual uses the given tangent itself, however it lies in memory."""
    given: list[Pair] = []

    def make(whole: Whole, tensor: Any, tangent: Any) -> Any:
        given.append((whole.make(tensor, tangent), tangent))
        return given[-1][0]

    def unpack(whole: Whole, tensor: Any, primal: Any, tangent: Any) -> Pair:
        kept = [direction for dual, direction in given if dual is tensor]
        return primal, kept[-1] if kept and tangent is not None else tangent

    patch.at_end(given.clear)
    around_make(patch, make)
    around_unpack(patch, unpack)


@fault
def a_dual_view_gives_its_base_the_tangent(patch: Patch) -> None:
    """make_dual of a view writes the tangent into that of its base."""

    def make(whole: Whole, tensor: Any, tangent: Any) -> Any:
        dual = whole.make(tensor, tangent)
        if tensor._base is not None and not tensor.requires_grad:
            tensor.copy_(whole.make(untouched.clone(tensor), untouched.clone(tangent)))
        return dual

    around_make(patch, make)


# --- levels ---


@fault
def a_level_begins_by_itself(patch: Patch) -> None:
    """make_dual outside of a level begins one."""

    def make(whole: Whole, tensor: Any, tangent: Any) -> Any:
        if inside.forward_level() < 0:
            whole.enter()
        return whole.make(tensor, tangent)

    level_ends(patch)
    around_make(patch, make)


@fault
def tangents_outlive_their_level(patch: Patch) -> None:
    """A tensor has its tangent again in the next level."""
    known: list[Pair] = []

    def unpack(whole: Whole, tensor: Any, primal: Any, tangent: Any) -> Pair:
        if tangent is not None:
            known.append((tensor, tangent))
        elif inside.forward_level() >= 0:
            tangent = next((direction for x, direction in known if x is tensor), None)
        return primal, tangent

    patch.at_end(known.clear)
    around_unpack(patch, unpack)


@fault
def tangents_can_be_read_after_their_level(patch: Patch) -> None:
    """unpack_dual gives the tangent of a tensor after the end of the level."""
    known: list[Pair] = []

    def make(whole: Whole, tensor: Any, tangent: Any) -> Any:
        known.append((whole.make(tensor, tangent), tangent))
        return known[-1][0]

    def unpack(whole: Whole, tensor: Any, primal: Any, tangent: Any) -> Pair:
        if inside.forward_level() < 0:
            tangent = next((direction for x, direction in known if x is tensor), None)
        return primal, tangent

    patch.at_end(known.clear)
    around_make(patch, make)
    around_unpack(patch, unpack)


@fault
def tangents_are_never_freed(patch: Patch) -> None:
    """Every tangent stays in memory."""
    kept: list[Any] = []

    def unpack(whole: Whole, tensor: Any, primal: Any, tangent: Any) -> Pair:
        kept.append(tangent)
        return primal, tangent

    patch.at_end(kept.clear)
    around_unpack(patch, unpack)


def exit_from_a_level(original: Any) -> Any:
    """Leaving a block whose level has been ended does nothing."""
    return lambda self, *error: original(self, *error) if inside.forward_level() >= 0 else None


@fault
def a_level_within_a_level_is_the_same(patch: Patch) -> None:
    """A block of dual_level within another one goes on with the outer level."""
    whole = Whole()

    def make_enter(original: Any) -> Any:
        return lambda self: None if inside.forward_level() >= 0 else original(self)

    level_ends(patch)
    patch.wrap(whole.module.dual_level, "__enter__", make_enter)
    patch.wrap(whole.module.dual_level, "__exit__", exit_from_a_level)


@fault
def a_refused_level_ends_the_outer_one(patch: Patch) -> None:
    """A level within a level is refused, and ends the outer one."""
    whole = Whole()

    def make_enter(original: Any) -> Any:
        def enter(self: Any) -> Any:
            if inside.forward_level() < 0:
                return original(self)
            try:
                return original(self)
            except RuntimeError:
                whole.exit()
                raise

        return enter

    level_ends(patch)
    patch.wrap(whole.module.dual_level, "__enter__", make_enter)
    patch.wrap(whole.module.dual_level, "__exit__", exit_from_a_level)


@fault
def a_level_that_fails_stays_open(patch: Patch) -> None:
    """A block of dual_level that an error leaves does not end its level."""
    whole = Whole()

    def make_exit(original: Any) -> Any:
        return lambda self, *error: (
            original(self, *error) if not error or error[0] is None else None
        )

    level_ends(patch)
    patch.wrap(whole.module.dual_level, "__exit__", make_exit)


@fault
def any_level_can_be_ended(patch: Patch) -> None:
    """exit_dual_level ends the level, whichever it was given."""

    def make(original: Any) -> Any:
        return lambda *, level=None: original()

    patch.wrap(torch.autograd.forward_ad, "exit_dual_level", make)


@fault
def no_level_can_be_ended(patch: Patch) -> None:
    """exit_dual_level without a level does nothing."""

    def make(original: Any) -> Any:
        return lambda *, level=None: original(level=level) if inside.forward_level() >= 0 else None

    patch.wrap(torch.autograd.forward_ad, "exit_dual_level", make)
