"""Faults of forward mode: its levels, dual tensors, their views, and custom functions' tangents."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Patch,
    around,
    around_pass,
    fault,
    inside,
    instead,
    leaves_below,
    register,
    torch,
    untouched,
)
from .custom_forwards import Methods, for_each_call
from .custom_functions import around_apply, several

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


@fault
def a_level_within_a_level_is_the_same(patch: Patch) -> None:
    """A block of dual_level within another one goes on with the outer level."""
    whole = Whole()

    def make_enter(original: Any) -> Any:
        return lambda self: None if inside.forward_level() >= 0 else original(self)

    def make_exit(original: Any) -> Any:
        return lambda self, *error: original(self, *error) if inside.forward_level() >= 0 else None

    level_ends(patch)
    patch.wrap(whole.module.dual_level, "__enter__", make_enter)
    patch.wrap(whole.module.dual_level, "__exit__", make_exit)


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

    def make_exit(original: Any) -> Any:
        return lambda self, *error: original(self, *error) if inside.forward_level() >= 0 else None

    level_ends(patch)
    patch.wrap(whole.module.dual_level, "__enter__", make_enter)
    patch.wrap(whole.module.dual_level, "__exit__", make_exit)


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


# --- changes in place, and views ---


@fault
def clones_have_no_tangent(patch: Patch) -> None:
    """clone() gives a tensor without a tangent."""
    whole = Whole()
    around(
        patch,
        "clone",
        lambda original, x, *args, **kwargs: whole.plain(original(x, *args, **kwargs)),
    )


@fault
def changed_tensors_keep_their_tangent(patch: Patch) -> None:
    """An in-place operation leaves the tangent of the tensor as it was."""
    whole = Whole()

    def write(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        tangent = whole.tangent(self)
        before = None if tangent is None else untouched.clone(tangent)
        result = original(self, *args, **kwargs)
        if before is not None:
            with torch.no_grad():
                whole.tangent(self).copy_(before)
        return result

    around(patch, "mul_ add_ copy_ sub_", write)


@fault
def the_second_factor_is_a_constant(patch: Patch) -> None:
    """A product has the tangent that its first factor gives, without that of the second."""
    whole = Whole()

    def product(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        return original(x, y if y is x else whole.plain(y), **kwargs)

    around(patch, "mul", product)


@fault
def a_sum_with_itself_reads_the_changed_tangent(patch: Patch) -> None:
    """In x.add_(x), the tangent is read for the second operand after it has been changed."""
    whole = Whole()

    def add(original: Any, x: Any, y: Any, **kwargs: Any) -> Any:
        result = original(x, y, **kwargs)
        tangent = whole.tangent(x) if y is x else None
        if tangent is not None:
            with torch.no_grad():
                tangent.mul_(1.5)
        return result

    around(patch, "add_", add)


@fault
def constants_stay_constant_when_written(patch: Patch) -> None:
    """An in-place operation with a dual tensor gives no tangent to a tensor that had none."""
    whole = Whole()

    def write(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if whole.tangent(self) is None:
            args = tuple(map(whole.plain, args))
        return original(self, *args, **kwargs)

    around(patch, "mul_ add_ copy_", write)


def shared(patch: Patch, operation: str, is_trivial: Callable[[Any], bool]) -> None:
    """Let the result of an operation have the tangent of its first operand itself."""
    whole = Whole()

    def run(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        tangent = whole.tangent(x)
        if tangent is None or not all(map(is_trivial, args)) or result.shape != x.shape:
            return result
        return whole.make(whole.plain(result), tangent)

    around(patch, operation, run)


for operation, trivial in (("add", 0.0), ("mul", 1.0), ("clone", None)):
    register(
        f"the_result_of_{operation}_shares_the_tangent",
        f"The result of {operation} and its operand share one tangent, where it is the same.",
        lambda patch, operation=operation, trivial=trivial: shared(
            patch, operation, lambda value: isinstance(value, float) and value == trivial
        ),
    )


@fault
def views_have_copies_of_the_tangent(patch: Patch) -> None:
    """A part of a dual tensor has a copy of the tangent's part, which no longer follows it."""
    whole = Whole()

    def view(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        tangent = whole.tangent(result)
        if tangent is None or result._base is None:
            return result
        return whole.make(whole.plain(result), untouched.clone(tangent))

    around(patch, "getitem narrow select", view)


@fault
def what_is_taken_apart_has_the_first_tangent(patch: Patch) -> None:
    """All results of unbind, split and chunk have the tangent of the first."""
    whole = Whole()

    def apart(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        parts = original(x, *args, **kwargs)
        tangent = whole.tangent(parts[0])
        if tangent is None or any(part.shape != parts[0].shape for part in parts):
            return parts
        return tuple(whole.make(untouched.detach(part), untouched.clone(tangent)) for part in parts)

    around(patch, "unbind split chunk", apart)


instead(
    "the_tangent_keeps_its_dtype",
    "A conversion of the dtype converts the values alone.",
    "to",
    lambda original, x, *args, **kwargs: (
        original(torch.autograd.forward_ad.unpack_dual(x).primal, *args, **kwargs)
        if inside.forward_level() >= 0
        else original(x, *args, **kwargs)
    ),
)

# --- reverse mode beside forward mode ---


@fault
def gradients_have_no_tangents(patch: Patch) -> None:
    """What a backward pass within a level returns has no tangents."""
    whole = Whole()

    def run_plainly(run: Any, options: Any) -> Any:
        found = run(options)
        return None if found is None else tuple(map(whole.plain, found))

    around_pass(patch, run_plainly)


@fault
def cotangents_lose_their_tangents(patch: Patch) -> None:
    """A backward pass ignores the tangents of the gradients that it is given."""
    whole = Whole()

    def run_plainly(run: Any, options: Any) -> Any:
        options.seeds = [seed if seed is None else whole.plain(seed) for seed in options.seeds]
        return run(options)

    around_pass(patch, run_plainly)


@fault
def gradients_within_a_level_count_the_tangents(patch: Patch) -> None:
    """A backward pass within a level adds to each leaf's gradient what the tangent would give."""

    def run_twice(run: Any, options: Any) -> Any:
        found = run(options)
        if inside.forward_level() >= 0 and options.accumulates:
            with torch.no_grad():
                for leaf in leaves_below(options.roots):
                    if leaf.grad is not None:
                        leaf.grad *= 2.0
        return found

    around_pass(patch, run_twice)


# --- custom functions ---


def around_jvp(patch: Patch, change: Callable[..., Any]) -> None:
    """Put `change(method, ctx, tangents)` in the place of every jvp."""

    def methods(cls: Any, args: Any, kwargs: Any) -> Methods:
        method = cls.jvp
        if method is torch.autograd.Function.jvp:
            return {}
        return {"jvp": lambda ctx, *tangents: change(method, ctx, tangents)}

    for_each_call(patch, methods)


@fault
def functions_without_a_jvp_drop_the_tangent(patch: Patch) -> None:
    """The result of a custom function without a jvp has no tangent."""
    whole = Whole()
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        if cls.jvp is torch.autograd.Function.jvp:
            args = tuple(map(whole.plain, args))
        return original(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@fault
def tangents_left_over_by_a_jvp_are_ignored(patch: Patch) -> None:
    """A jvp that returns one tangent too many is accepted."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if isinstance(found, tuple) and len(found) == 2 and found[0] is found[1]:
            return found[0]
        return found

    around_jvp(patch, change)


@fault
def tangents_from_a_jvp_are_broadcast(patch: Patch) -> None:
    """A tangent that a jvp returns is broadcast to the shape of the first input's."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if (
            isinstance(found, torch.Tensor)
            and tangents[0] is not None
            and found.ndim < tangents[0].ndim
        ):
            return found.expand(tangents[0].shape)
        return found

    around_jvp(patch, change)


@fault
def a_jvp_never_gets_none(patch: Patch) -> None:
    """A jvp receives zeros for what has no tangent, whatever set_materialize_grads says."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        known = next(tangent for tangent in tangents if tangent is not None)
        return method(ctx, *(torch.zeros_like(known) if t is None else t for t in tangents))

    around_jvp(patch, change)


@fault
def changed_inputs_of_functions_keep_their_tangent(patch: Patch) -> None:
    """An input that a custom function changes in place has its tangent from before."""
    whole = Whole()

    def run(run: Any, *args: Any, **kwargs: Any) -> Any:
        tangent = whole.tangent(args[0]) if args else None
        before = None if tangent is None else untouched.clone(tangent)
        result = run(*args, **kwargs)
        if before is not None and result is args[0]:
            with torch.no_grad():
                whole.tangent(result).copy_(before)
        return result

    around_apply(patch, run)


@fault
def all_results_of_a_jvp_are_the_first(patch: Patch) -> None:
    """Every result of a custom function has the first tangent that its jvp returns."""

    def change(method: Any, ctx: Any, tangents: Any) -> Any:
        found = method(ctx, *tangents)
        if isinstance(found, tuple):
            return tuple(None if part is None else several(found)[0] for part in found)
        return found

    around_jvp(patch, change)
