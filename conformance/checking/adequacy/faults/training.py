"""Faults of what is trained: which parameters a module has, how optimizers step them, what is kept,
clipped, loaded, converted and initialized."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around, fault, inside, instead, register, replaces, torch
from .edge_cases import F

# --- what a module has ---


@replaces("nn.Module.parameters")
def lists_register_their_modules(original: Any, self: Any, recurse: bool = True) -> Any:
    """parameters() also lists those of modules in plain lists."""
    yield from original(self, recurse)
    for value in vars(self).values():
        for item in value if isinstance(value, list) else ():
            if isinstance(item, torch.nn.Module):
                yield from original(item)


@fault
def module_lists_register_nothing(patch: Patch) -> None:
    """The modules in a ModuleList are not part of it."""

    class Unregistered(torch.nn.Module):  # type: ignore[name-defined, misc]
        def __init__(self, modules: Any) -> None:
            super().__init__()
            self.__dict__["held"] = list(modules)

        def __getitem__(self, index: int) -> Any:
            return vars(self)["held"][index]

    patch.set(torch.nn, "ModuleList", Unregistered)


@fault
def the_first_parameters_are_listed_for_ever(patch: Patch) -> None:
    """parameters() lists what was there when it was called first."""
    known: dict[int, tuple[Any, list[Any]]] = {}

    def make(original: Any) -> Any:
        def parameters(self: Any, recurse: bool = True) -> Any:
            return iter(known.setdefault(id(self), (self, list(original(self, recurse))))[1])

        return parameters

    patch.wrap(torch.nn.Module, "parameters", make)
    patch.at_end(known.clear)


# --- clearing ---


@replaces("nn.Module.zero_grad")
def frozen_parameters_keep_their_gradients(
    original: Any, self: Any, set_to_none: bool = True
) -> None:
    """zero_grad() of a module passes over parameters that do not require grad."""
    kept = [(each, each.grad) for each in self.parameters() if not each.requires_grad]
    original(self, set_to_none)
    for each, gradient in kept:
        each.grad = gradient


def clearing_with_history(name: str, sentence: str, owner: Callable[[], Any], listed: Any) -> None:
    """Put into the bank a fault of zero_grad(set_to_none=False), which leaves histories."""

    def make(original: Any) -> Any:
        def zero_grad(self: Any, set_to_none: bool = True) -> None:
            if set_to_none:
                original(self)
                return
            for each in listed(self):
                if each.grad is not None:
                    with torch.no_grad():
                        each.grad.mul_(0.0)

        return zero_grad

    register(name, sentence, lambda patch: patch.wrap(owner(), "zero_grad", make))


clearing_with_history(
    "modules_zero_gradients_with_their_history",
    "zero_grad(set_to_none=False) of a module leaves the history of gradients.",
    lambda: torch.nn.Module, lambda self: self.parameters(),
)  # fmt: skip
clearing_with_history(
    "optimizers_zero_gradients_with_their_history",
    "zero_grad(set_to_none=False) of an optimizer leaves the history of gradients.",
    lambda: torch.optim.Optimizer,
    lambda self: [each for group in self.param_groups for each in group["params"]],
)  # fmt: skip

# --- layers ---


def dropout_of_a_copy(
    original: Any, x: Any, p: float = 0.5, training: bool = True, inplace: bool = False
) -> Any:
    return original(x, p, training)


def dropout_unseen(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    with inside.keeping_version((x,)):
        return original(x, *args, **kwargs)


instead(
    "dropout_in_place_copies", "In-place dropout returns a copy.", f"{F}dropout", dropout_of_a_copy
)
instead(
    "dropout_in_place_is_not_counted", "In-place dropout does not count as a change.",
    f"{F}dropout", dropout_unseen,
)  # fmt: skip


@replaces("nn.BatchNorm1d.forward")
def frozen_batch_norms_stand_still(original: Any, self: Any, x: Any) -> Any:
    """A BatchNorm whose weight is frozen leaves its running statistics alone."""
    kept = (self.running_mean.clone(), self.running_var.clone())
    y = original(self, x)
    if not self.weight.requires_grad:
        self.running_mean.copy_(kept[0])
        self.running_var.copy_(kept[1])
    return y


@replaces("nn.BatchNorm1d.forward")
def batch_norm_weights_get_the_raw_input(original: Any, self: Any, x: Any) -> Any:
    """The gradient of BatchNorm's weight is the sum of the gradient times the input as it is."""
    frozen = self.weight.detach()
    weight, self.weight = self.weight, None
    try:
        normalized = original(self, x)
    finally:
        self.weight = weight
    offset = 0 if self.bias is None else self.bias
    part = x.detach() * (weight - frozen)
    return (normalized - offset) * frozen + offset + part


# --- optimizers ---


def ignoring(name: str, kind: str, option: str) -> None:
    """Put into the bank an optimizer that ignores one option."""

    def make(original: Any) -> Any:
        def init(self: Any, params: Any, *args: Any, **options: Any) -> None:
            options.pop(option, None)
            if option == "momentum":
                options.pop("nesterov", None)
            original(self, params, *args, **options)

        return init

    register(
        name,
        f"{kind} ignores {option}.",
        lambda patch: patch.wrap(getattr(torch.optim, kind), "__init__", make),
    )


for option in ("weight_decay", "dampening", "nesterov", "maximize", "differentiable"):
    ignoring(f"sgd_ignores_{option}", "SGD", option)
ignoring("adam_ignores_its_rates", "Adam", "betas")


@fault
def adamw_decays_through_the_gradient(patch: Patch) -> None:
    """AdamW is Adam."""
    patch.set(torch.optim, "AdamW", torch.optim.Adam)


@fault
def averages_keep_their_history(patch: Patch) -> None:
    """What an optimizer keeps has the history of the gradients."""

    def make(original: Any) -> Any:
        def step(self: Any, closure: Any = None) -> Any:
            result = original(self, closure)
            for parameter, kept in self.state.items():
                for name, value in list(kept.items()):
                    if isinstance(value, torch.Tensor) and value.shape == parameter.shape:
                        kept[name] = value + parameter.grad * 0
            return result

        return step

    for kind in (torch.optim.SGD, torch.optim.Adam):
        patch.wrap(kind, "step", make)


@replaces("optim.SGD.step")
def the_first_group_decides(original: Any, self: Any, closure: Any = None) -> Any:
    """SGD steps every group with the options of the first."""
    first = self.param_groups[0]
    own = [dict(group) for group in self.param_groups]
    for group in self.param_groups:
        group.update({k: v for k, v in first.items() if k != "params"})
    try:
        return original(self, closure)
    finally:
        for group, options in zip(self.param_groups, own, strict=True):
            group.update(options)


@replaces("optim.Optimizer.add_param_group")
def a_parameter_twice_is_taken_in_silence(original: Any, self: Any, group: Any) -> None:
    """An optimizer does not warn of a parameter that stands twice in a group."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        original(self, group)


def clipping(name: str, sentence: str, option: str) -> None:
    """Put into the bank a clip_grad_norm_ that ignores one option."""

    def make(original: Any) -> Any:
        def clip(parameters: Any, max_norm: float, **options: Any) -> Any:
            options.pop(option, None)
            return original(parameters, max_norm, **options)

        return clip

    register(name, sentence, lambda patch: patch.wrap(torch.nn.utils, "clip_grad_norm_", make))


clipping(
    "infinite_norms_are_clipped",
    "clip_grad_norm_ ignores error_if_nonfinite.",
    "error_if_nonfinite",
)
clipping("every_norm_is_of_order_two", "clip_grad_norm_ ignores norm_type.", "norm_type")

# --- what is kept, loaded, converted and initialized ---


@fault
def states_are_always_detached(patch: Patch) -> None:
    """state_dict() ignores keep_vars."""

    def make(original: Any) -> Any:
        return lambda self, *args, keep_vars=False, **kwargs: original(self, *args, **kwargs)

    patch.wrap(torch.nn.Module, "state_dict", make)


@fault
def states_may_be_incomplete(patch: Patch) -> None:
    """load_state_dict() takes a state in which names are missing, or which has others."""

    def make(original: Any) -> Any:
        return lambda self, state, strict=True, **kwargs: original(self, state, False, **kwargs)

    patch.wrap(torch.nn.Module, "load_state_dict", make)


def converting(name: str, sentence: str, change: Callable[[Any, Any, Any], None]) -> None:
    """Put into the bank a fault of the conversion of modules: `change(module, name, buffer)` for each
    buffer, as it was before."""

    def make(original: Any) -> Any:
        def convert(self: Any, *args: Any, **kwargs: Any) -> Any:
            before = [
                (part, name, value)
                for part in self.modules()
                for name, value in part._buffers.items()
            ]
            result = original(self, *args, **kwargs)
            for part, name, value in before:
                change(part, name, value)
            return result

        return convert

    def install(patch: Patch) -> None:
        for method in ("double", "half", "to"):
            patch.wrap(torch.nn.Module, method, make)

    register(name, sentence, install)


def as_before(part: Any, name: str, value: Any) -> None:
    part._buffers[name] = value


def as_the_weight(part: Any, name: str, value: Any) -> None:
    if not value.is_floating_point():
        part._buffers[name] = value.to(part.weight.dtype)


converting("buffers_keep_their_dtype", "Buffers are not converted with their module.", as_before)
converting("integers_become_floats", "Buffers of integers are converted too.", as_the_weight)


@fault
def conversions_thaw(patch: Patch) -> None:
    """After a conversion every parameter of a module requires grad."""

    def make(original: Any) -> Any:
        return lambda self, *args, **kwargs: original(self, *args, **kwargs).requires_grad_()

    for method in ("double", "half", "to"):
        patch.wrap(torch.nn.Module, method, make)


INITIALIZERS = (
    "constant_",
    "ones_",
    "zeros_",
    "eye_",
    "uniform_",
    "normal_",
    "xavier_uniform_",
    "kaiming_normal_",
)


def initializing(name: str, sentence: str, function: Callable[..., Any]) -> None:
    """Put into the bank initializers that are `function(original, tensor, *args)`."""
    places = " ".join(f"nn.init.{each}" for each in INITIALIZERS)
    instead(name, sentence, places, function)


def unseen(original: Any, tensor: Any, *args: Any, **kwargs: Any) -> Any:
    with inside.keeping_version((tensor,)):
        return original(tensor, *args, **kwargs)


initializing(
    "initializers_copy", "nn.init gives an initialized copy.",
    lambda o, tensor, *a, **k: o(tensor.detach().clone(), *a, **k),
)  # fmt: skip
initializing("initializers_are_not_counted", "nn.init is not noticed by the version check.", unseen)


@fault
def pretrained_embeddings_are_trained(patch: Patch) -> None:
    """Embedding.from_pretrained makes a weight that requires grad."""
    original = torch.nn.Embedding.from_pretrained

    def from_pretrained(rows: Any, freeze: bool = True, **options: Any) -> Any:
        return original(rows, freeze=False, **options)

    patch.set(torch.nn.Embedding, "from_pretrained", staticmethod(from_pretrained))


@fault
def shortened_rows_are_not_counted(patch: Patch) -> None:
    """The rows that an embedding shortens in place are not noticed by the version check."""

    def embedding(original: Any, index: Any, weight: Any, *args: Any, **kwargs: Any) -> Any:
        with inside.keeping_version((weight,)):
            return original(index, weight, *args, **kwargs)

    around(patch, f"{F}embedding", embedding)
