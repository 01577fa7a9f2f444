"""Faults in one of several places that a sentence of the specification is about: another function of the
same kind, another input, an input that is a result."""

from __future__ import annotations

import contextlib
from typing import Any

from ..breaking import Patch, fault, instead, replaces, torch
from .edge_cases import F
from .functional_derivatives import SECOND, calls
from .transforms import is_tensor

# -- transforms and custom functions ---------------------------------------------------------------


@fault
def vmap_is_a_loop(patch: Patch) -> None:
    """vmap calls its function in a loop, in which everything is allowed."""

    def make(original: Any) -> Any:
        def vmap(func: Any, in_dims: Any = 0, *rest: Any, **options: Any) -> Any:
            def run(*args: Any, **kwargs: Any) -> Any:
                if in_dims != 0 or rest or options or len(args) != 1 or not is_tensor(args[0]):
                    return original(func, in_dims, *rest, **options)(*args, **kwargs)
                found = [func(x, **kwargs) for x in args[0]]
                if not found or not all(is_tensor(y) for y in found):
                    return original(func)(*args, **kwargs)
                return torch.stack(found)

            return run

        return vmap

    patch.wrap(torch.func, "vmap", make)


@fault
def gradients_for_results_are_fitted(patch: Patch) -> None:
    """The gradient of a custom function for a result is given the shape of that result, whatever it has."""

    def forward_of(forward: Any) -> Any:
        def noting(ctx: Any, *args: Any, **kwargs: Any) -> Any:
            ctx.fitted = (
                args[0].shape if args and is_tensor(args[0]) and not args[0].is_leaf else None
            )
            return forward(ctx, *args, **kwargs)

        return noting

    def backward_of(backward: Any) -> Any:
        def fitting(ctx: Any, *grads: Any) -> Any:
            found = backward(ctx, *grads)
            shape = getattr(ctx, "fitted", None)
            if shape is None or not is_tensor(found) or found.shape == shape:
                return found
            return found.reshape(shape) if found.numel() == shape.numel() else found.expand(shape)

        return fitting

    def subclassed(cls: Any, /, **options: Any) -> None:
        if "setup_context" not in vars(cls):
            for name, change in (("forward", forward_of), ("backward", backward_of)):
                if name in vars(cls):
                    setattr(cls, name, staticmethod(change(getattr(cls, name))))

    patch.set(torch.autograd.Function, "__init_subclass__", classmethod(subclassed))


@replaces("func.functional_call")
def buffers_stay_replaced_after_an_error(
    original: Any, module: Any, given: Any, *args: Any, **kwargs: Any
) -> Any:
    """If the module fails in functional_call, its buffers are those that were given."""
    try:
        return original(module, given, *args, **kwargs)
    except Exception:
        for name, _ in list(module.named_buffers()):
            if isinstance(given, dict) and name in given:
                setattr(module, name, given[name])
        raise


# -- Jacobians, Hessians and products with them ----------------------------------------------------


def in_tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


@fault
def products_take_lists_for_tuples(patch: Patch) -> None:
    """jvp, vhp and hvp accept lists of inputs, and every product a list of outputs."""

    def change(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        return whole(lambda *xs: in_tuple(f(*xs)), in_tuple(inputs), *args, **options)

    calls(patch, ("vjp", "jvp", "vhp", "hvp"), change)


@fault
def second_derivatives_mark_their_inputs(patch: Patch) -> None:
    """hessian and vhp let the inputs themselves require grad."""

    def change(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        for x in inputs if isinstance(inputs, tuple) else (inputs,):
            if is_tensor(x) and x.is_leaf and not x.is_inference():
                x.requires_grad_()
        return whole(f, inputs, *args, **options)

    calls(patch, ("hessian", "vhp"), change)


@fault
def hessians_keep_their_history(patch: Patch) -> None:
    """A Hessian at inputs that require grad is recorded without create_graph."""

    def change(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        xs = inputs if isinstance(inputs, tuple) else (inputs,)
        if not args and all(is_tensor(x) for x in xs) and any(x.requires_grad for x in xs):
            options["create_graph"] = True
        return whole(f, inputs, *args, **options)

    calls(patch, ("hessian",), change)


@fault
def strict_looks_at_the_last_input(patch: Patch) -> None:
    """With strict=True, a function may be independent of every input but the last."""

    def change(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        if not options.get("strict") or not isinstance(inputs, tuple) or len(inputs) < 2 or args:
            return whole(f, inputs, *args, **options)
        *others, last = inputs
        whole(lambda y: f(*others, y), (last,), **options)
        return whole(f, inputs, **{**options, "strict": False})

    calls(patch, ("jacobian", *SECOND[:1]), change)


@fault
def vectorized_derivatives_are_detached(patch: Patch) -> None:
    """With vectorize=True, jacobian and hessian ignore create_graph."""

    def change(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        found = whole(f, inputs, *args, **options)
        return found.detach() if options.get("vectorize") and is_tensor(found) else found

    calls(patch, ("jacobian", "hessian"), change)


@replaces("autograd.grad")
def integers_have_gradients_of_zero(
    original: Any, outputs: Any, inputs: Any, *args: Any, **options: Any
) -> Any:
    """autograd.grad gives zeros for inputs that are integers."""
    if not isinstance(inputs, list) or not any(x.dtype == torch.int64 for x in inputs):
        return original(outputs, inputs, *args, **options)
    asked = [x for x in inputs if x.dtype != torch.int64]
    found = iter(original(outputs, asked, *args, **options))
    return tuple(torch.zeros(x.shape) if x.dtype == torch.int64 else next(found) for x in inputs)


# -- hooks on saved tensors ------------------------------------------------------------------------


@replaces("autograd.graph.save_on_cpu")
def saving_on_the_cpu_cannot_be_forbidden(original: Any, *args: Any, **options: Any) -> Any:
    """save_on_cpu does nothing at all."""
    return contextlib.nullcontext()


@fault
def hooks_of_one_saved_tensor_get_the_operand(patch: Patch) -> None:
    """The pack hook of register_hooks gets a tensor that requires grad."""
    node = (torch.ones(1, requires_grad=True) ** 2).grad_fn

    def make(original: Any) -> Any:
        def register_hooks(self: Any, pack: Any, unpack: Any) -> Any:
            return original(self, lambda v: pack(v.requires_grad_()), unpack)

        return register_hooks

    patch.wrap(type(node._raw_saved_self), "register_hooks", make)


# -- dtypes and devices ----------------------------------------------------------------------------


def of_the_first(original: Any, x: Any, y: Any) -> Any:
    found = original(x, y)
    if not (is_tensor(x) and is_tensor(y)) or x.ndim or y.ndim or not found.is_complex():
        return found
    return found.to(x.dtype if x.is_complex() else y.dtype)


instead(
    "numbers_keep_the_precision_of_the_complex_one",
    "The product of a complex and a wider real number has the precision of the complex one.",
    "mul", of_the_first,
)  # fmt: skip
instead(
    "linear_maps_promote_their_bias",
    "linear adds a bias of any dtype.",
    f"{F}linear",
    lambda original, x, weight, bias=None: (
        original(x, weight, bias)
        if bias is None or bias.dtype == x.dtype
        else original(x, weight) + bias
    ),
)
instead(
    "means_of_integers_along_a_dimension",
    "mean converts integers to floats if it is given a dimension.",
    "mean",
    lambda original, x, *dims, **options: original(
        x.float() if dims and x.dtype == torch.int64 and not options else x, *dims, **options
    ),
)


@fault
def devices_are_printed_as_they_are_made(patch: Patch) -> None:
    """The text of a device is the expression that makes it."""
    patch.set(torch.device, "__str__", lambda self: repr(self))


# -- losses and activations ------------------------------------------------------------------------


instead(
    "probabilities_below_zero_count_as_zero",
    "binary_cross_entropy accepts predictions below zero.",
    f"{F}binary_cross_entropy",
    lambda original, x, *args, **options: original(x.clamp_min(0.0), *args, **options),
)


def of_a_row(original: Any, x: Any, dim: Any = None, *args: Any, **options: Any) -> Any:
    return original(x, 1 if dim is None and not x.ndim else dim, *args, **options)


instead(
    "a_number_has_no_softmax_without_a_dimension",
    "softmax and log_softmax without a dimension take dimension 1 of a number.",
    f"{F}softmax {F}log_softmax", of_a_row,
)  # fmt: skip


# -- modules and optimizers ------------------------------------------------------------------------


@replaces("optim.Optimizer.add_param_group")
def results_after_a_leaf_are_optimized(original: Any, self: Any, group: Any) -> Any:
    """An optimizer looks only at the first of its parameters, to see whether it is a leaf."""
    given = group.get("params") if isinstance(group, dict) else None
    for p in given[1:] if isinstance(given, list) else ():
        if is_tensor(p) and not p.is_leaf:
            p.retain_grad()
    return original(self, group)


@replaces("nn.Module.state_dict")
def states_hold_copies_of_buffers(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """A state holds copies of the buffers."""
    state = original(self, *args, **options)
    for name, _ in self.named_buffers():
        if name in state:
            state[name] = state[name].clone()
    return state


@replaces("nn.Module.load_state_dict")
def loading_replaces_buffers(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """load_state_dict puts new tensors in the place of the buffers."""
    for name, value in list(self.named_buffers()):
        if "." not in name:
            setattr(self, name, value.clone())
    return original(self, *args, **options)


@fault
def the_old_no_grad_is_another_class(patch: Patch) -> None:
    """autograd.no_grad is a class of its own."""
    patch.set(torch.autograd, "no_grad", type("no_grad", (torch.no_grad,), {}))


# -- modes, hooks and in-place operations ----------------------------------------------------------


def under_no_grad(original: Any, *args: Any, **options: Any) -> Any:
    """The result of a transform, of zeros where nothing is recorded."""
    found = original(*args, **options)
    return found if torch.is_grad_enabled() else torch.zeros_like(found)


@fault
def jacobians_are_zero_under_no_grad(patch: Patch) -> None:
    """jacrev, jacfwd and hessian give zeros under no_grad."""

    def make(original: Any) -> Any:
        def transform(func: Any, *rest: Any, **options: Any) -> Any:
            run = original(func, *rest, **options)
            return lambda *args, **kwargs: under_no_grad(run, *args, **kwargs)

        return transform

    for name in ("jacrev", "jacfwd", "hessian"):
        patch.wrap(torch.func, name, make)


@replaces("Tensor.backward")
def nodes_of_inputs_have_no_hooks(
    original: Any, self: Any, *args: Any, inputs: Any = None, **options: Any
) -> Any:
    """In a pass for chosen inputs, the accumulation nodes of those inputs run without their hooks."""
    if inputs is None or not isinstance(inputs, list) or args or not all(x.is_leaf for x in inputs):
        return original(self, *args, inputs=inputs, **options)
    found = torch.autograd.grad(self, inputs, **options)
    for x, g in zip(inputs, found, strict=True):
        x.grad = g if x.grad is None else x.grad + g
    return None


instead(
    "booleans_become_the_truth_of_a_number",
    "A number that is added in place to booleans is taken for its truth.",
    "add_ mul_",
    lambda original, x, y, *args, **options: original(
        x, y if x.dtype != torch.bool else torch.as_tensor(y).bool(), *args, **options
    ),
)


@replaces("Tensor.__int__")
def an_int_is_that_of_the_first_element(original: Any, self: Any) -> Any:
    """int() of several elements is that of the first."""
    return original(self.reshape(-1)[0] if self.numel() > 1 else self)


@replaces("Tensor.dsplit")
def parts_in_depth_are_several_results(original: Any, self: Any, count: Any) -> Any:
    """dsplit gives views of one operation, which cannot change in place."""
    return (
        torch.split(self, self.shape[2] // count, 2)
        if isinstance(count, int)
        else original(self, count)
    )


@fault
def any_mapping_may_name_inputs(patch: Patch) -> None:
    """backward and autograd.grad take any mapping for a dict of inputs."""

    def as_dict(inputs: Any) -> Any:
        return dict(inputs) if isinstance(inputs, dict) else inputs

    def backward_of(original: Any) -> Any:
        def backward(self: Any, *args: Any, inputs: Any = None, **options: Any) -> Any:
            return original(self, *args, inputs=as_dict(inputs), **options)

        return backward

    def grad_of(original: Any) -> Any:
        return lambda outputs, inputs, *args, **options: original(
            outputs, as_dict(inputs), *args, **options
        )

    patch.wrap(torch.Tensor, "backward", backward_of)
    patch.wrap(torch.autograd, "grad", grad_of)


@replaces("Tensor.detach")
def detached_parts_are_views(original: Any, self: Any) -> Any:
    """detach of a view gives another view of the same base."""
    if self._base is None or self._base.requires_grad or self.requires_grad:
        return original(self)
    return self.view(self.shape)


# -- complex numbers -------------------------------------------------------------------------------


instead(
    "complex_numbers_are_pooled_by_their_modulus",
    "Max pooling orders complex numbers by their absolute value.",
    f"{F}max_pool1d {F}max_pool2d {F}adaptive_max_pool1d",
    lambda original, x, *args, **options: original(
        x.abs() if x.is_complex() else x, *args, **options
    ),
)


@replaces("Tensor.double")
def doubles_drop_an_imaginary_part_silently(original: Any, self: Any) -> Any:
    """double() of complex numbers does not warn."""
    return original(self.real if self.is_complex() else self)


# -- checks, checkpoints and lists -----------------------------------------------------------------


@replaces("autograd.gradcheck")
def later_results_may_vary(original: Any, func: Any, inputs: Any, **options: Any) -> Any:
    """gradcheck looks for backwards that vary in the first of several results only."""
    if isinstance(func(*inputs) if isinstance(inputs, tuple) else func(inputs), tuple):
        options["nondet_tol"] = 1.0
    return original(func, inputs, **options)


@replaces("Tensor.register_post_accumulate_grad_hook")
def views_take_hooks_after_accumulation(original: Any, self: Any, hook: Any) -> Any:
    """A hook after accumulation may be registered on a view, where it never runs."""
    if self._base is not None and not self.is_leaf:
        return self.register_hook(lambda g: None)
    return original(self, hook)


@replaces("autograd.backward")
def lists_are_gradients(
    original: Any, tensors: Any, grad_tensors: Any = None, *args: Any, **options: Any
) -> Any:
    """autograd.backward takes lists of numbers for gradients."""
    if isinstance(grad_tensors, list):
        grad_tensors = [torch.tensor(g) if isinstance(g, list) else g for g in grad_tensors]
    return original(tensors, grad_tensors, *args, **options)
