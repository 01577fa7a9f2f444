"""Faults of modules: their parameters and buffers, modes, states, conversions and hooks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around, fault, inside, register, replaces, torch

# --- parameters ---


def requiring(name: str, sentence: str, requires: Callable[[Any], bool]) -> None:
    """Put into the bank a fault that makes a Parameter require grad only where `requires(data)`."""

    def install(patch: Patch) -> None:
        original: Any = torch.nn.Parameter.__new__

        def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
            return original(cls, data, requires_grad and (data is None or requires(data)))

        patch.set(torch.nn.Parameter, "__new__", staticmethod(new))

    register(name, sentence, install)


requiring(
    "parameters_of_integers_are_taken",
    "A Parameter of integers silently does not require grad.",
    lambda data: data.is_floating_point() or data.is_complex(),
)
requiring(
    "vectors_are_not_trained",
    "Vectors among the parameters of layers, such as biases, do not require grad.",
    lambda data: data.dim() != 1,
)


@replaces("nn.Module.parameters")
def plain_tensors_are_parameters(original: Any, self: Any, recurse: bool = True) -> Any:
    """parameters() lists every tensor that requires grad and was assigned to the module."""
    yield from original(self, recurse)
    for module in self.modules() if recurse else (self,):
        for value in vars(module).values():
            if isinstance(value, torch.Tensor) and value.requires_grad:
                yield value


@fault
def frozen_modules_stay_frozen(patch: Patch) -> None:
    """Module.requires_grad_(True) leaves parameters frozen that were frozen before."""

    def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
        for parameter in self.parameters():
            parameter.requires_grad_(requires_grad and parameter.requires_grad)
        return self

    patch.set(torch.nn.Module, "requires_grad_", requires_grad_)


# --- training and evaluation ---


@fault
def eval_misses_submodules(patch: Patch) -> None:
    """Switching a module to evaluation leaves its submodules in training."""

    def train(self: Any, mode: bool = True) -> Any:
        self.training = mode
        return self

    patch.set(torch.nn.Module, "train", train)


@replaces("nn.Module.eval")
def eval_switches_recording_off(original: Any, self: Any) -> Any:
    """Module.eval() switches recording off, for everything and from then on."""
    inside.set_recording(False)
    return original(self)


# --- the state ---


def state(patch: Patch, change: Callable[[Any, dict[str, Any], str], None]) -> None:
    """Let `change(module, state, prefix)` change each state that is taken."""

    def make(original: Any) -> Any:
        def state_dict(self: Any, *args: Any, **kwargs: Any) -> Any:
            found = original(self, *args, **kwargs)
            change(self, found, kwargs.get("prefix", ""))
            return found

        return state_dict

    patch.wrap(torch.nn.Module, "state_dict", make)


@fault
def buffers_are_left_out_of_the_state(patch: Patch) -> None:
    """state_dict() leaves buffers out."""

    def change(module: Any, found: dict[str, Any], prefix: str) -> None:
        for name, _ in module.named_buffers():
            found.pop(prefix + name, None)

    state(patch, change)


@fault
def every_buffer_is_saved(patch: Patch) -> None:
    """register_buffer() ignores persistent=False: every buffer is part of the state."""
    patch.wrap(
        torch.nn.Module, "register_buffer",
        lambda original: lambda self, name, tensor, persistent=True: original(self, name, tensor),
    )  # fmt: skip


@fault
def states_name_each_parameter_once(patch: Patch) -> None:
    """A shared parameter stands in the state under its first name alone."""

    def change(module: Any, found: dict[str, Any], prefix: str) -> None:
        first = {name for name, _ in module.named_parameters()}
        for name, _ in module.named_parameters(remove_duplicate=False):
            if name not in first:
                found.pop(prefix + name, None)

    state(patch, change)


@fault
def states_hold_copies(patch: Patch) -> None:
    """state_dict() holds copies of the parameters' values."""

    def change(module: Any, found: dict[str, Any], prefix: str) -> None:
        for name, value in list(found.items()):
            if isinstance(value, torch.Tensor):
                found[name] = value.clone()

    state(patch, change)


@replaces("nn.Module.load_state_dict")
def loading_shares_memory(
    original: Any, self: Any, state_dict: Any, *args: Any, **kwargs: Any
) -> Any:
    """load_state_dict() lets parameters share the memory of the state instead of copying it."""
    found = original(self, state_dict, *args, **kwargs)
    for name, parameter in self.named_parameters():
        if name in state_dict:
            parameter.data = state_dict[name]
    return found


def loading(patch: Patch, strict: bool) -> None:
    """Let load_state_dict() always be strict, or never."""
    patch.wrap(
        torch.nn.Module,
        "load_state_dict",
        lambda original: (
            lambda self, state_dict, *args, **kwargs: original(self, state_dict, strict=strict)
        ),
    )


@fault
def loading_ignores_names(patch: Patch) -> None:
    """load_state_dict() accepts missing and unexpected names."""
    loading(patch, strict=False)


@fault
def loading_is_always_strict(patch: Patch) -> None:
    """load_state_dict() ignores strict=False."""
    loading(patch, strict=True)


def assigning(patch: Patch, make: Any) -> None:
    """Let `make(original)` be load_state_dict() where it is called with assign=True."""

    def wrapped(original: Any) -> Any:
        assigned = make(original)

        def load_state_dict(
            self: Any, state: Any, strict: bool = True, assign: bool = False
        ) -> Any:
            return (assigned if assign else original)(self, state, strict)

        return load_state_dict

    patch.wrap(torch.nn.Module, "load_state_dict", wrapped)


@fault
def loading_never_assigns(patch: Patch) -> None:
    """load_state_dict() ignores assign=True."""
    assigning(patch, lambda original: original)


@fault
def assigned_state_is_frozen(patch: Patch) -> None:
    """load_state_dict(assign=True) takes over the requires_grad of the state's tensors."""

    def make(original: Any) -> Any:
        def load(self: Any, state: Any, strict: bool) -> Any:
            found = original(self, state, strict, assign=True)
            for name, parameter in self.named_parameters():
                parameter.requires_grad_(state[name].requires_grad)
            return found

        return load

    assigning(patch, make)


@fault
def converting_drops_gradients(patch: Patch) -> None:
    """Converting a module to another dtype drops the gradients of its parameters."""

    def make(original: Any) -> Any:
        def convert(self: Any, *args: Any) -> Any:
            for parameter in self.parameters():
                parameter.grad = None
            return original(self, *args)

        return convert

    for name in ("double", "float", "half"):
        patch.wrap(torch.nn.Module, name, make)


# --- hooks ---


def module_hook(patch: Patch, name: str, change: Callable[[Any], Any]) -> None:
    """Register `change(hook)` in the place of every hook of a kind."""
    patch.wrap(
        torch.nn.Module, name,
        lambda original: lambda self, hook, **kwargs: original(self, change(hook), **kwargs),
    )  # fmt: skip


@fault
def forward_hook_results_are_detached(patch: Patch) -> None:
    """What a forward hook of a module returns is cut from its history."""

    def change(hook: Any) -> Any:
        def detached(*args: Any) -> Any:
            found = hook(*args)
            return found.detach().requires_grad_() if isinstance(found, torch.Tensor) else found

        return detached

    module_hook(patch, "register_forward_hook", change)


@fault
def full_backward_hooks_may_return_too_many(patch: Patch) -> None:
    """The number of gradients that a full backward hook returns is not checked."""

    def change(hook: Any) -> Any:
        def fitted(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, inputs, outputs)
            return found[: len(inputs)] if isinstance(found, tuple) else found

        return fitted

    module_hook(patch, "register_full_backward_hook", change)


@fault
def full_backward_hook_results_are_checked_and_ignored(patch: Patch) -> None:
    """What a full backward hook of a module returns is ignored, unless its length is wrong."""

    def change(hook: Any) -> Any:
        def ignored(module: Any, inputs: Any, outputs: Any) -> Any:
            found = hook(module, inputs, outputs)
            return found if found is not None and len(found) != len(inputs) else None

        return ignored

    module_hook(patch, "register_full_backward_hook", change)


@fault
def full_backward_hooks_see_used_outputs_only(patch: Patch) -> None:
    """A full backward hook is given the gradients of the first outputs, up to the last one used."""

    def change(hook: Any) -> Any:
        def shortened(module: Any, inputs: Any, outputs: Any) -> Any:
            used = [place for place, each in enumerate(outputs) if each is not None]
            return hook(module, inputs, outputs[: max(used, default=0) + 1])

        return shortened

    module_hook(patch, "register_full_backward_hook", change)


@fault
def full_backward_hooks_see_gradients_of_tensors_only(patch: Patch) -> None:
    """A full backward hook is given the gradients of the outputs that have one, moved up."""

    def change(hook: Any) -> Any:
        return lambda module, inputs, outputs: hook(
            module, inputs, tuple(each for each in outputs if each is not None)
        )

    module_hook(patch, "register_full_backward_hook", change)


# --- what passes between modules ---


@fault
def detaching_has_no_effect(patch: Patch) -> None:
    """detach() returns the tensor itself."""
    around(patch, "detach", lambda original, self: self)


# --- every module, and every name ---


@replaces("nn.Module.apply")
def apply_reaches_children_alone(original: Any, self: Any, function: Any) -> Any:
    """Module.apply calls the function with the children and the module, and with nothing below them."""
    for part in (*self.children(), self):
        function(part)
    return self


@replaces("nn.Module.apply")
def apply_starts_with_the_module(original: Any, self: Any, function: Any) -> Any:
    """Module.apply calls the function with a module before its submodules."""
    for part in self.modules():
        function(part)
    return self


@replaces("nn.Module.state_dict")
def kept_buffers_are_detached(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """state_dict(keep_vars=True) holds the parameters themselves, and detached buffers."""
    held = original(self, *args, **options)
    if options.get("keep_vars"):
        parameters = {id(each) for each in self.parameters()}
        for name, value in held.items():
            held[name] = value if id(value) in parameters else value.detach()
    return held


@replaces("nn.Module.register_buffer")
def buffers_of_a_former_name_are_not_saved(
    original: Any, self: Any, name: Any, tensor: Any, persistent: bool = True
) -> None:
    """A buffer under the name of an earlier one that was not saved is not saved either."""
    former = self.__dict__.setdefault("former_names", set())
    original(self, name, tensor, persistent and name not in former)
    if not persistent:
        former.add(name)


@replaces("nn.Module.load_state_dict")
def names_that_do_not_match_are_not_returned(
    original: Any, self: Any, state: Any, *args: Any, **options: Any
) -> Any:
    """load_state_dict(strict=False) returns no unexpected names."""
    found = original(self, state, *args, **options)
    return found._replace(unexpected_keys=[])


@replaces("nn.Module.load_state_dict")
def assigned_states_are_copied_into_buffers(
    original: Any, self: Any, state: Any, *args: Any, **options: Any
) -> Any:
    """load_state_dict(assign=True) copies values into the buffers that are there."""
    before = {
        (part, name): buffer for part in self.modules() for name, buffer in part._buffers.items()
    }
    found = original(self, state, *args, **options)
    for (part, name), buffer in before.items():
        if buffer is not None and part._buffers.get(name) is not buffer:
            part._buffers[name] = buffer.copy_(part._buffers[name])
    return found
