"""Faults of parameters, modules, optimizers and what trains a network."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch


@fault
def parameters_do_not_require_grad(patch: Patch) -> None:
    """A Parameter does not require grad unless asked to."""
    Parameter: Any = torch.nn.Parameter
    original: Any = Parameter.__new__

    def new(cls: Any, data: Any = None, requires_grad: bool = False) -> Any:
        return original(cls, data, requires_grad)

    patch.set(Parameter, "__new__", staticmethod(new))


@fault
def parameters_always_require_grad(patch: Patch) -> None:
    """Parameter(..., requires_grad=False) requires grad all the same."""
    Parameter: Any = torch.nn.Parameter
    original: Any = Parameter.__new__

    def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        return original(cls, data, True)

    patch.set(Parameter, "__new__", staticmethod(new))


@fault
def parameters_copy_their_data(patch: Patch) -> None:
    """A Parameter copies the tensor that it is made of."""
    Parameter: Any = torch.nn.Parameter
    original: Any = Parameter.__new__

    def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        return original(cls, None if data is None else data.clone(), requires_grad)

    patch.set(Parameter, "__new__", staticmethod(new))


@fault
def parameters_stay_in_the_graph(patch: Patch) -> None:
    """A Parameter made of a result is no leaf."""
    Parameter: Any = torch.nn.Parameter

    def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        return (
            data
            if data is not None and data.requires_grad and not data.is_leaf
            else (original(cls, data, requires_grad))
        )

    original: Any = Parameter.__new__
    patch.set(Parameter, "__new__", staticmethod(new))


@fault
def parameters_made_within_no_grad_require_none(patch: Patch) -> None:
    """A Parameter made within no_grad does not require grad."""
    Parameter: Any = torch.nn.Parameter
    original: Any = Parameter.__new__

    def new(cls: Any, data: Any = None, requires_grad: bool = True) -> Any:
        return original(cls, data, requires_grad and torch.is_grad_enabled())

    patch.set(Parameter, "__new__", staticmethod(new))


@fault
def assigned_parameters_are_not_registered(patch: Patch) -> None:
    """parameters() leaves out those of submodules."""
    patch.wrap(
        torch.nn.Module,
        "parameters",
        lambda original: lambda self, recurse=True: original(self, False),
    )


@fault
def shared_parameters_are_listed_twice(patch: Patch) -> None:
    """parameters() lists a parameter that two modules share twice."""
    patch.wrap(
        torch.nn.Module, "named_parameters",
        lambda original: lambda self, prefix="", recurse=True, remove_duplicate=True: original(
            self, prefix, recurse, False
        ),
    )  # fmt: skip


@fault
def module_zero_grad_zeroes(patch: Patch) -> None:
    """Module.zero_grad() sets gradients to zeros instead of None."""
    patch.wrap(
        torch.nn.Module,
        "zero_grad",
        lambda original: lambda self, set_to_none=False: original(self, set_to_none),
    )


@fault
def module_zero_grad_ignores_set_to_none(patch: Patch) -> None:
    """Module.zero_grad(set_to_none=False) sets gradients to None."""
    patch.wrap(
        torch.nn.Module,
        "zero_grad",
        lambda original: lambda self, set_to_none=True: original(self, True),
    )


@fault
def optimizer_zero_grad_zeroes(patch: Patch) -> None:
    """Optimizer.zero_grad() sets gradients to zeros instead of None."""
    patch.wrap(
        torch.optim.Optimizer, "zero_grad",
        lambda original: lambda self, set_to_none=False: original(self, set_to_none),
    )  # fmt: skip


@fault
def optimizer_zero_grad_ignores_set_to_none(patch: Patch) -> None:
    """Optimizer.zero_grad(set_to_none=False) sets gradients to None."""
    patch.wrap(
        torch.optim.Optimizer,
        "zero_grad",
        lambda original: lambda self, set_to_none=True: original(self, True),
    )


@replaces("nn.Module.zero_grad")
def zeroing_makes_new_gradients(original: Any, self: Any, set_to_none: bool = True) -> None:
    """zero_grad(set_to_none=False) puts new zeros in the place of the gradient."""
    original(self, True) if set_to_none else None
    for parameter in self.parameters():
        if parameter.grad is not None:
            parameter.grad = torch.zeros_like(parameter.grad)


@replaces("nn.Module.zero_grad")
def zeroing_keeps_the_graph_of_gradients(
    original: Any, self: Any, set_to_none: bool = True
) -> None:
    """zero_grad(set_to_none=False) leaves gradients attached to the graph that made them."""
    if set_to_none:
        return original(self, True)
    for parameter in self.parameters():
        if parameter.grad is not None:
            parameter.grad = parameter.grad * 0
    return None


@fault
def module_requires_grad_misses_submodules(patch: Patch) -> None:
    """Module.requires_grad_() changes only the module's own parameters."""

    def requires_grad_(self: Any, requires_grad: bool = True) -> Any:
        for parameter in self._parameters.values():
            if parameter is not None:
                parameter.requires_grad_(requires_grad)
        return self

    patch.set(torch.nn.Module, "requires_grad_", requires_grad_)


@fault
def sgd_steps_uphill(patch: Patch) -> None:
    """SGD adds the gradient instead of subtracting it."""
    patch.wrap(
        torch.optim.SGD, "__init__",
        lambda original: lambda self, params, lr=1e-3, **kw: original(
            self, params, lr, **{**kw, "maximize": not kw.get("maximize", False)}
        ),
    )  # fmt: skip


@replaces("optim.SGD.step")
def steps_clear_gradients(original: Any, self: Any, closure: Any = None) -> Any:
    """SGD.step() clears the gradients when it is done."""
    found = original(self, closure)
    for group in self.param_groups:
        for parameter in group["params"]:
            parameter.grad = None
    return found


@fault
def steps_replace_parameters_values(patch: Patch) -> None:
    """SGD.step() gives parameters new storage instead of changing them in place."""

    def step(self: Any, closure: Any = None) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is not None:
                    parameter.data = parameter.data - group["lr"] * parameter.grad

    patch.set(torch.optim.SGD, "step", step)


@replaces("optim.SGD.step")
def steps_use_missing_gradients(original: Any, self: Any, closure: Any = None) -> Any:
    """An optimizer with weight decay also changes parameters that have no gradient."""
    for group in self.param_groups:
        for parameter in group["params"]:
            if parameter.grad is None:
                parameter.data.mul_(0.5)
    return original(self, closure)


@fault
def momentum_forgets(patch: Patch) -> None:
    """SGD ignores its momentum."""
    patch.wrap(
        torch.optim.SGD, "__init__",
        lambda original: lambda self, params, lr=1e-3, momentum=0, **kw: original(self, params, lr, **kw),
    )  # fmt: skip


@fault
def adam_does_not_correct_its_bias(patch: Patch) -> None:
    """Adam's averages are not corrected for their start from zero."""

    def step(self: Any, closure: Any = None) -> None:
        for group in self.param_groups:
            for parameter in group["params"]:
                if parameter.grad is None:
                    continue
                kept = self.state[parameter]
                for name, value, beta in (
                    ("first", parameter.grad, group["betas"][0]),
                    ("second", parameter.grad**2, group["betas"][1]),
                ):
                    kept[name] = kept.get(name, 0.0) * beta + value * (1 - beta)
                with torch.no_grad():
                    scale = kept["second"].sqrt() + group["eps"]
                    parameter.sub_(group["lr"] * kept["first"] / scale)

    patch.set(torch.optim.Adam, "step", step)


@fault
def clipping_clips_each_by_itself(patch: Patch) -> None:
    """clip_grad_norm_ scales each gradient by its own norm instead of by that of all."""
    utils: Any = torch.nn.utils

    def make(original: Any) -> Any:
        def clip(parameters: Any, max_norm: float, *args: Any, **kwargs: Any) -> Any:
            listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
            norms = [original(each, max_norm, *args, **kwargs) for each in listed or [[]]]
            return norms[-1]

        return clip

    patch.wrap(utils, "clip_grad_norm_", make)


@fault
def clipping_always_scales(patch: Patch) -> None:
    """clip_grad_norm_ scales gradients up to the bound where they are below it."""
    utils: Any = torch.nn.utils

    def make(original: Any) -> Any:
        def clip(parameters: Any, max_norm: float, *args: Any, **kwargs: Any) -> Any:
            listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
            norm = original(listed, max_norm, *args, **kwargs)
            for parameter in listed:
                if parameter.grad is not None and 0 < norm < max_norm:
                    parameter.grad.mul_(max_norm / norm)
            return norm

        return clip

    patch.wrap(utils, "clip_grad_norm_", make)


@fault
def clipping_of_values_is_one_sided(patch: Patch) -> None:
    """clip_grad_value_ bounds gradients from above only."""
    utils: Any = torch.nn.utils

    def clip(parameters: Any, clip_value: float, **kwargs: Any) -> None:
        listed = [parameters] if isinstance(parameters, torch.Tensor) else list(parameters)
        for parameter in listed:
            if parameter.grad is not None:
                parameter.grad.clamp_(max=clip_value)

    patch.set(utils, "clip_grad_value_", clip)


@replaces("nn.Module.__call__")
def eval_is_no_grad(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """A module in eval mode does not record."""
    if self.training:
        return original(self, *args, **kwargs)
    with torch.no_grad():
        return original(self, *args, **kwargs)


@fault
def forward_pre_hook_results_are_ignored(patch: Patch) -> None:
    """What a forward pre-hook of a module returns is ignored."""
    from .hooks import silent

    patch.wrap(
        torch.nn.Module, "register_forward_pre_hook",
        lambda original: lambda self, hook, **kw: original(self, silent(hook), **kw),
    )  # fmt: skip


@fault
def forward_hook_results_are_ignored(patch: Patch) -> None:
    """What a forward hook of a module returns is ignored."""
    from .hooks import silent

    patch.wrap(
        torch.nn.Module, "register_forward_hook",
        lambda original: lambda self, hook, **kw: original(self, silent(hook), **kw),
    )  # fmt: skip


@fault
def full_backward_hook_results_are_ignored(patch: Patch) -> None:
    """What a full backward hook of a module returns is ignored."""
    from .hooks import silent

    patch.wrap(
        torch.nn.Module, "register_full_backward_hook",
        lambda original: lambda self, hook, **kw: original(self, silent(hook), **kw),
    )  # fmt: skip


@fault
def full_backward_pre_hook_results_are_ignored(patch: Patch) -> None:
    """What a full backward pre-hook of a module returns is ignored."""
    from .hooks import silent

    patch.wrap(
        torch.nn.Module, "register_full_backward_pre_hook",
        lambda original: lambda self, hook, **kw: original(self, silent(hook), **kw),
    )  # fmt: skip


@fault
def full_backward_hooks_get_their_arguments_swapped(patch: Patch) -> None:
    """A full backward hook is given grad_output before grad_input."""
    patch.wrap(
        torch.nn.Module, "register_full_backward_hook",
        lambda original: lambda self, hook, **kw: original(
            self, lambda module, gi, go: hook(module, go, gi), **kw
        ),
    )  # fmt: skip


@fault
def load_state_dict_replaces_parameters(patch: Patch) -> None:
    """load_state_dict puts new parameters in the place of the old ones."""
    patch.wrap(
        torch.nn.Module, "load_state_dict",
        lambda original: lambda self, state, strict=True, assign=False: original(
            self, {k: v.clone() for k, v in state.items()}, strict, True
        ),
    )  # fmt: skip


@fault
def state_dict_is_in_the_graph(patch: Patch) -> None:
    """state_dict gives the parameters themselves instead of detached tensors."""
    patch.wrap(
        torch.nn.Module, "state_dict",
        lambda original: lambda self, *args, **kw: original(self, *args, **{**kw, "keep_vars": True}),
    )  # fmt: skip


@replaces("nn.Module.parameters")
def buffers_are_parameters(original: Any, self: Any, recurse: bool = True) -> Any:
    """parameters() lists buffers too."""
    yield from original(self, recurse)
    yield from self.buffers(recurse)


@fault
def dropout_differs_between_passes(patch: Patch) -> None:
    """Dropout sends gradient to dropped elements."""
    from ..breaking import miscompute

    miscompute(patch, "dropout nn.functional.dropout", lambda gi, go, call: [go[0] * 2, *gi[1:]])


@replaces("nn.functional.batch_norm")
def batch_norm_treats_its_statistics_as_constants(
    original: Any,
    input: Any,
    mean: Any,
    variance: Any,
    weight: Any = None,
    bias: Any = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    """Batch normalisation in training does not differentiate mean and variance."""
    if not training:
        return original(input, mean, variance, weight, bias, False, momentum, eps)
    original(input.detach(), mean, variance, weight, bias, True, momentum, eps)
    dims = [d for d in range(input.dim()) if d != 1]
    fixed = input.detach()
    now = fixed.mean(dims), fixed.var(dims, correction=0)
    return original(input, *now, weight, bias, False, momentum, eps)
