"""Faults of what optimizers and modules hold on to while a model is trained."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .optimizers import parameters_of


@replaces("optim.SGD.step")
def the_momentum_is_the_first_gradient_itself(original: Any, self: Any, closure: Any = None) -> Any:
    """The momentum of SGD begins as the gradient itself, not as a copy."""
    fresh = [p for p in parameters_of(self) if "momentum_buffer" not in self.state.get(p, {})]
    result = original(self, closure)
    for p in fresh:
        if self.state.get(p, {}).get("momentum_buffer") is not None:
            self.state[p]["momentum_buffer"] = p.grad
    return result


@fault
def learning_rates_are_settled_at_the_start(patch: Patch) -> None:
    """SGD goes on with the learning rate of its first step, whatever param_groups says."""
    rates: dict[int, Any] = {}

    def make(original: Any) -> Any:
        def step(self: Any, closure: Any = None) -> Any:
            for group in self.param_groups:
                group["lr"] = rates.setdefault(id(group), group["lr"])
            return original(self, closure)

        return step

    patch.wrap(torch.optim.SGD, "step", make)
    patch.at_end(rates.clear)


@replaces("optim.SGD.add_param_group")
def a_new_group_has_the_options_of_the_first(original: Any, self: Any, group: Any) -> Any:
    """A parameter group that is added later has the options of the first group, not the defaults."""
    first = self.param_groups[0] if self.param_groups else {}
    return original(self, {**{k: v for k, v in first.items() if k != "params"}, **group})


@replaces("optim.SGD.step")
def an_optimizer_keeps_the_gradients_of_its_step(
    original: Any, self: Any, closure: Any = None
) -> Any:
    """An optimizer refers to the gradients of its last step."""
    result = original(self, closure)
    vars(self)["stepped_by"] = [p.grad for p in parameters_of(self)]
    return result


@replaces("nn.Module.load_state_dict")
def loading_moves_parameters(
    original: Any, self: Any, state: Any, *args: Any, **options: Any
) -> Any:
    """load_state_dict moves parameters to the device of the state."""
    result = original(self, state, *args, **options)
    for name, p in self.named_parameters():
        if name in state and isinstance(state[name], torch.Tensor):
            p.data = p.data.to(state[name].device)
    return result


@replaces("nn.utils.clip_grad_norm_")
def gradients_of_several_devices_are_not_clipped(
    original: Any, parameters: Any, *args: Any, **options: Any
) -> Any:
    """clip_grad_norm_ rejects gradients that live on several devices."""
    listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
    if len({str(p.grad.device) for p in listed if p.grad is not None}) > 1:
        raise RuntimeError("Expected all tensors to be on the same device")
    return original(listed, *args, **options)
