"""Faults of devices: where tensors are made, what a transfer is, and which operands may meet."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    fault,
    instead,
    places,
    register,
    replaces,
    tensors_in,
    torch,
    untouched,
)

MAKERS = "zeros ones full empty arange linspace eye zeros_like ones_like full_like"
MAKING_METHODS = ("new_zeros", "new_full", "new_ones")
MIXING = "add mul div pow lt maximum atan2 where lerp addcmul clamp dot cat stack masked_fill"


def where_to(args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """The device that `to()` is asked for, or None."""
    first = args[0] if args else kwargs.get("device", kwargs.get("other"))
    if isinstance(first, torch.Tensor):
        return untouched.device.__get__(first)
    return first if isinstance(first, str) or type(first).__name__.lower() == "device" else None


def place_of(tensor: Any) -> Any:
    """The device of a tensor as the engine has it."""
    return untouched.device.__get__(tensor)


def transfers(name: str, sentence: str, move: Callable[..., Any]) -> None:
    """Put into the bank a fault that makes a transfer to another device by `move(original, tensor,
    *args, **kwargs)`."""

    def install(patch: Patch) -> None:
        def make(original: Any) -> Any:
            def to(self: Any, *args: Any, **kwargs: Any) -> Any:
                there = where_to(args, kwargs)
                if there is None or str(there) == str(place_of(self)):
                    return original(self, *args, **kwargs)
                return move(original, self, *args, **kwargs)

            return to

        patch.wrap(torch.Tensor, "to", make)
        patch.wrap(torch.Tensor, "cpu", lambda cpu: lambda self: self.to("cpu"))

    register(name, sentence, install)


def moved(tensor: Any, there: Any) -> Any:
    """A tensor on another device; zeros where it has no values."""
    if untouched.is_meta.__get__(tensor):
        return torch.zeros(tensor.shape, dtype=tensor.dtype, device=there)
    return untouched.to(tensor, there)


# --- devices and where tensors are made ---


@replaces("device")
def devices_of_unknown_names_are_the_cpu(original: Any, *args: Any) -> Any:
    """A device of an unknown name is the CPU."""
    try:
        return original(*args)
    except RuntimeError:
        return original("cpu")


@replaces("Tensor.to")
def tensors_move_to_unknown_devices(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Moving to a device of an unknown name returns the tensor."""
    try:
        return original(self, *args, **kwargs)
    except RuntimeError as error:
        if isinstance(error, NotImplementedError):
            raise
        return self


@fault
def devices_are_equal_by_kind(patch: Patch) -> None:
    """Devices of one kind are equal, whatever their index."""
    patch.set(
        torch.device, "__eq__",
        lambda self, other: isinstance(other, type(self)) and self.type == other.type,
    )  # fmt: skip


@fault
def devices_are_hashed_as_objects(patch: Patch) -> None:
    """Devices are hashed by their identity."""
    patch.set(torch.device, "__hash__", object.__hash__)


@fault
def without_a_gpu_cuda_returns_the_tensor(patch: Patch) -> None:
    """cuda() returns the tensor itself where there is no CUDA device."""
    if not torch.cuda.is_available():
        patch.set(torch.Tensor, "cuda", lambda self, *args: self)


@fault
def without_a_gpu_modules_stay(patch: Patch) -> None:
    """cuda() leaves a module where it is if there is no CUDA device."""
    if not torch.cuda.is_available():
        patch.set(torch.nn.Module, "cuda", lambda self, *args: self)


@fault
def the_device_can_be_assigned(patch: Patch) -> None:
    """Assigning the device of a tensor changes nothing, without an error."""
    patch.set(torch.Tensor, "device", property(untouched.device.__get__, lambda self, device: None))


@replaces("Tensor.to")
def the_dtype_beside_a_device_is_ignored(
    original: Any, self: Any, *args: Any, **kwargs: Any
) -> Any:
    """to(device, dtype) moves and keeps the dtype."""
    there = where_to(args, kwargs)
    return original(self, *args, **kwargs) if there is None else original(self, there)


def of_makers(name: str, sentence: str, make_tensor: Callable[..., Any]) -> None:
    """Put into the bank a fault that makes tensors by `make_tensor(original, *args, **kwargs)`."""

    def install(patch: Patch) -> None:
        found = [(torch, each) for each in (*MAKERS.split(), "tensor")]
        for owner, each in found + [(torch.Tensor, each) for each in MAKING_METHODS]:
            patch.wrap(
                owner, each,
                lambda original: lambda *args, **kwargs: make_tensor(original, *args, **kwargs),
            )  # fmt: skip

    register(name, sentence, install)


def ignoring_the_device(original: Any, *args: Any, device: Any = None, **kwargs: Any) -> Any:
    """A tensor on the default device."""
    return original(*args, **kwargs)


def made_and_moved(original: Any, *args: Any, device: Any = None, **kwargs: Any) -> Any:
    """A tensor that was made on the default device."""
    found = original(*args, **kwargs)
    return found if device is None else untouched.to(found, device)


def on_the_default(original: Any, *args: Any, device: Any = None, **kwargs: Any) -> Any:
    """A tensor on the default device, unless another one was named."""
    return original(*args, device=torch.zeros(1).device if device is None else device, **kwargs)


of_makers(
    "the_device_asked_for_is_ignored",
    "Tensors are made on the default device, whatever device is asked for.",
    ignoring_the_device,
)
of_makers(
    "tensors_are_made_on_the_cpu_and_moved",
    "A tensor for another device is made on the default one and moved, so that it is no leaf.",
    made_and_moved,
)
for each in ("zeros_like", "full_like", "empty_like"):
    instead(
        f"{each}_is_made_on_the_default_device",
        f"{each} is made on the default device, not on that of its argument.",
        each,
        on_the_default,
    )


@fault
def new_tensors_are_made_on_the_default_device(patch: Patch) -> None:
    """x.new_ones() is made on the default device, not on that of x."""
    patch.wrap(
        torch.Tensor, "new_ones",
        lambda original: lambda *args, **kwargs: on_the_default(original, *args, **kwargs),
    )  # fmt: skip


@fault
def the_device_stays_chosen_after_an_error(patch: Patch) -> None:
    """After an error within `with device(...)`, tensors are still made on that device."""
    left: list[Any] = []

    def make(original: Any) -> Any:
        def leave(self: Any, kind: Any, *rest: Any) -> None:
            if kind is None:
                original(self, kind, *rest)
            else:
                left.append(self)

        patch.at_end(lambda: [original(one, None, None, None) for one in left])
        return leave

    patch.wrap(torch.device, "__exit__", make)


@fault
def an_outer_block_chooses_the_device(patch: Patch) -> None:
    """Of nested blocks that choose a device, the outermost counts."""
    within: list[Any] = []

    def enter(original: Any) -> Any:
        def run(self: Any) -> Any:
            within.append(self)
            return original(within[0])

        return run

    def leave(original: Any) -> Any:
        def run(self: Any, *error: Any) -> Any:
            within.pop()
            return original(self, *error)

        return run

    patch.wrap(torch.device, "__enter__", enter)
    patch.wrap(torch.device, "__exit__", leave)


# --- transfers ---

transfers(
    "a_transfer_makes_a_leaf",
    "A tensor that is moved becomes a new leaf that requires grad.",
    lambda original, x, *args, **kwargs: untouched.requires_grad_(
        original(untouched.detach(x), *args, **kwargs), x.requires_grad
    ),
)
transfers(
    "a_transfer_cuts_the_graph",
    "A tensor that is moved has no history.",
    lambda original, x, *args, **kwargs: original(untouched.detach(x), *args, **kwargs),
)


def recorded(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer that is recorded in any mode."""
    with torch.enable_grad():
        return original(x, *args, **kwargs)


def without_tangent(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer of the value alone."""
    forward = torch.autograd.forward_ad
    primal = forward.unpack_dual(x).primal if getattr(forward, "_current_level", 0) >= 0 else x
    return original(primal, *args, **kwargs)


transfers("a_transfer_is_recorded_under_no_grad", "A transfer is recorded under no_grad.", recorded)
transfers("a_transfer_loses_the_tangent", "A transfer leaves the tangent behind.", without_tangent)


def once(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer whose gradient has no history."""
    here = place_of(x)

    class Moved(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return original(x, *args, **kwargs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return original(untouched.detach(g), here)

    return Moved.apply(x)


transfers("a_transfer_is_differentiated_once", "The gradient of a transfer is not recorded.", once)


def doubled(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer back to the CPU whose gradient is doubled."""
    found = original(x, *args, **kwargs)
    if found.requires_grad and not found.is_meta and str(place_of(found)) == "cpu":
        found.grad_fn.register_prehook(lambda grads: (grads[0] * 2.0,))
    return found


transfers(
    "a_transfer_to_the_cpu_doubles_the_gradient",
    "The gradient of a transfer to the CPU is twice what it should be.",
    doubled,
)


@replaces("Tensor.to")
def moving_to_the_same_device_copies(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Moving a tensor to the device where it lives copies it."""
    found = original(self, *args, **kwargs)
    return self.clone() if found is self and where_to(args, kwargs) is not None else found


@fault
def cpu_always_copies(patch: Patch) -> None:
    """cpu() copies a tensor of the CPU."""
    patch.set(torch.Tensor, "cpu", lambda self: untouched.to(self, "cpu", copy=True))


@fault
def a_copy_on_the_same_device_is_not_made(patch: Patch) -> None:
    """to(device, copy=True) returns the tensor itself if it lives there."""

    def make(original: Any) -> Any:
        return lambda self, *args, copy=False, **kwargs: original(self, *args, **kwargs)

    patch.wrap(torch.Tensor, "to", make)


@fault
def changes_reach_back_through_a_transfer(patch: Patch) -> None:
    """An in-place change of a tensor that was moved also changes the original."""
    sources = Notes()

    def make(original: Any) -> Any:
        def to(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(self, *args, **kwargs)
            if place_of(found) != place_of(self) and not untouched.is_meta.__get__(found):
                sources[found] = self
            return found

        return to

    def change(original: Any) -> Any:
        def run(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(self, *args, **kwargs)
            if self in sources:
                source = sources[self]
                source.data.copy_(untouched.to(untouched.detach(self), place_of(source)))
            return found

        return run

    patch.wrap(torch.Tensor, "to", make)
    for owner, name in places("mul_"):
        patch.wrap(owner, name, change)


def unrecorded_copy(original: Any, self: Any, source: Any, *args: Any) -> Any:
    """copy_ from another device, without the history of the source."""
    apart = place_of(self) != place_of(source)
    return original(self, untouched.detach(source) if apart else source, *args)


def copy_that_moves(original: Any, self: Any, source: Any, *args: Any) -> Any:
    """copy_ after which the target lives where the source does."""
    if place_of(self) != place_of(source) and not self.requires_grad:
        self.data = untouched.to(untouched.detach(self), place_of(source))
    return original(self, source, *args)


@fault
def a_copy_from_another_device_is_not_recorded(patch: Patch) -> None:
    """copy_() from another device leaves the history of the source behind."""
    patch.wrap(
        torch.Tensor, "copy_",
        lambda original: lambda self, source, *rest: unrecorded_copy(original, self, source, *rest),
    )  # fmt: skip


@fault
def a_copy_takes_the_device_of_its_source(patch: Patch) -> None:
    """copy_() from another device moves the tensor that is written to."""
    patch.wrap(
        torch.Tensor, "copy_",
        lambda original: lambda self, source, *rest: copy_that_moves(original, self, source, *rest),
    )  # fmt: skip


# --- operands ---


def changed_operands(operands: Any, change: Callable[[Any], Any]) -> Any:
    """Operands with each tensor changed, those in lists too."""
    return [
        change(x) if isinstance(x, torch.Tensor)
        else type(x)(changed_operands(x, change)) if isinstance(x, list | tuple) else x
        for x in operands
    ]  # fmt: skip


def on_one_device(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation whose operands are moved to one device: the one without values, if it is among them."""
    found = [place_of(x) for x in tensors_in([args, kwargs])]
    if len(set(map(str, found))) < 2:
        return original(*args, **kwargs)
    chosen = next((place for place in found if str(place) == "meta"), found[0])
    named = {key: changed_operands([x], lambda y: moved(y, chosen))[0] for key, x in kwargs.items()}
    return original(*changed_operands(args, lambda y: moved(y, chosen)), **named)


for each in ("add mul", "where", "cat stack", "lt maximum", "masked_fill", "dot", "clamp lerp"):
    instead(
        f"{each.replace(' ', '_and_')}_move_their_operands_silently",
        f"Operands of {each.replace(' ', ' and ')} on several devices are moved to one of them.",
        each,
        on_one_device,
    )
for each in ("matmul mv", "gather index_select take", "index_add scatter", "add_ mul_"):
    instead(
        f"{each.replace(' ', '_and_')}_move_their_operands_silently",
        f"Operands of {each.replace(' ', ' and ')} on several devices are moved to one of them.",
        each,
        on_one_device,
    )


def single_elements(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation for which a tensor with one element is a number."""
    found = {str(place_of(x)) for x in tensors_in(args)}
    if len(found) < 2:
        return original(*args, **kwargs)
    small = changed_operands(args, lambda x: x.reshape(()) if x.numel() == 1 else x)
    return original(*small, **kwargs)


def numbers_of_anywhere(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation that moves numbers of any device to the other operand."""
    whole = [place_of(x) for x in tensors_in(args) if x.dim()]
    if not whole:
        return original(*args, **kwargs)
    near = changed_operands(args, lambda x: x if x.dim() else moved(x, whole[0]))
    return original(*near, **kwargs)


def numbers_of_nowhere(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation for which all tensors must live on one device."""
    found = {str(place_of(x)) for x in tensors_in(args)}
    if len(found) > 1:
        raise RuntimeError(f"found at least two devices, {' and '.join(sorted(found))}")
    return original(*args, **kwargs)


def where_the_first_is(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation whose result lives with the first operand, if all are numbers."""
    tensors = list(tensors_in(args))
    result = original(*args, **kwargs)
    apart = len({str(place_of(x)) for x in tensors}) > 1
    return moved(result, place_of(tensors[0])) if apart and not result.dim() else result


def detached_numbers(original: Any, *args: Any, **kwargs: Any) -> Any:
    """An operation that takes numbers of another device for constants."""
    if len({str(place_of(x)) for x in tensors_in(args)}) < 2:
        return original(*args, **kwargs)
    bare = changed_operands(args, lambda x: x if x.dim() else untouched.detach(x))
    return original(*bare, **kwargs)


instead(
    "one_element_is_a_number",
    "A tensor with one element may live on another device, whatever its dimensions.",
    "add mul",
    single_elements,
)
instead(
    "numbers_come_along_from_any_device",
    "A tensor without dimensions of any device may stand beside any other tensor.",
    "add mul",
    numbers_of_anywhere,
)
instead(
    "numbers_of_the_cpu_are_refused_elsewhere",
    "A tensor without dimensions of the CPU is refused beside tensors of another device.",
    "add mul",
    numbers_of_nowhere,
)
instead(
    "two_numbers_meet_where_the_first_is",
    "Two tensors without dimensions give a result on the device of the first.",
    "add mul",
    where_the_first_is,
)
instead(
    "numbers_from_the_cpu_are_constants",
    "A tensor without dimensions of the CPU gets no gradient beside tensors of another device.",
    "mul div",
    detached_numbers,
)


@replaces("Tensor.add_")
def a_number_moves_when_it_is_changed(original: Any, self: Any, other: Any, **kwargs: Any) -> Any:
    """A number of the CPU that is changed in place by one of another device moves there."""
    if (
        isinstance(other, torch.Tensor) and not self.dim() and not other.dim()
        and place_of(self) != place_of(other) and str(place_of(self)) == "cpu"
    ):  # fmt: skip
        self.data = untouched.detach(self) + untouched.detach(other)
        return self
    return original(self, other, **kwargs)


# --- indices ---


def indexed(name: str, sentence: str, look: Callable[..., Any]) -> None:
    """Put into the bank a fault that reads by `look(original, tensor, index)`."""
    register(
        name,
        sentence,
        lambda patch: patch.wrap(
            torch.Tensor, "__getitem__",
            lambda original: lambda self, index: look(original, self, index),
        ),
    )  # fmt: skip


def moved_index(original: Any, self: Any, index: Any) -> Any:
    """Indexing with an index of any device."""
    near = isinstance(index, torch.Tensor) and place_of(index) != place_of(self)
    return original(self, untouched.to(index, place_of(self)) if near else index)


def own_index(original: Any, self: Any, index: Any) -> Any:
    """Indexing with an index of the same device."""
    if isinstance(index, torch.Tensor) and place_of(index) != place_of(self):
        raise RuntimeError("found at least two devices")
    return original(self, index)


def result_with_the_index(original: Any, self: Any, index: Any) -> Any:
    """Indexing whose result lives with the index."""
    found = original(self, index)
    apart = isinstance(index, torch.Tensor) and place_of(index) != place_of(self)
    return moved(found, place_of(index)) if apart else found


indexed("indices_of_any_device_are_moved", "Indices of any device are moved.", moved_index)
indexed("indices_must_live_with_the_tensor", "Indices of the CPU are refused.", own_index)
indexed(
    "what_is_read_lives_with_the_index",
    "What an index of the CPU reads lives on the CPU.",
    result_with_the_index,
)


@replaces("Tensor.numpy")
def arrays_of_other_devices_are_copies(original: Any, self: Any, **options: Any) -> Any:
    """numpy() of a tensor on another device gives an array of zeros in host memory."""
    elsewhere = place_of(self).type != "cpu"
    return original(torch.zeros(self.shape, device="cpu") if elsewhere else self, **options)
