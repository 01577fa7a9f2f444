"""Faults of second clauses in the documentation of modules, transforms and custom functions."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, inside, instead, replaces, torch
from .steps_of_optimizers import around_step, other_options


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


# -- transforms and custom functions ---------------------------------------------------------------


@replaces("func.linearize")
def the_linear_function_calls_its_function(original: Any, func: Any, *primals: Any) -> Any:
    """What linearize returns calls the function again each time."""
    value, push = original(func, *primals)

    def pushed(*tangents: Any) -> Any:
        func(*primals)
        return push(*tangents)

    return value, pushed


@fault
def keywords_of_the_size_of_a_batch_are_mapped(patch: Patch) -> None:
    """vmap also maps over a keyword argument whose first dimension has the size of the batch."""

    def make(original: Any) -> Any:
        def vmap(func: Any, in_dims: Any = 0, *rest: Any, **options: Any) -> Any:
            def run(*args: Any, **kwargs: Any) -> Any:
                plain = original(func, in_dims, *rest, **options)
                if in_dims != 0 or not args or not is_tensor(args[0]):
                    return plain(*args, **kwargs)
                size = args[0].shape[0]
                mapped = {
                    k: v for k, v in kwargs.items() if is_tensor(v) and v.shape[:1] == (size,)
                }
                if not mapped:
                    return plain(*args, **kwargs)
                others = {k: v for k, v in kwargs.items() if k not in mapped}

                def entry(xs: Any, named: Any) -> Any:
                    return func(*xs, **named, **others)

                return original(entry, 0, *rest, **options)(args, mapped)

            return run

        return vmap

    patch.wrap(torch.func, "vmap", make)


@fault
def jvp_reads_what_was_saved_for_backward(patch: Patch) -> None:
    """save_for_forward keeps what save_for_backward was given before."""
    ctx = torch.autograd.function.FunctionCtx

    def noting(original: Any) -> Any:
        def save_for_backward(self: Any, *tensors: Any) -> Any:
            self.given_for_backward = tensors
            return original(self, *tensors)

        return save_for_backward

    def keeping(original: Any) -> Any:
        return lambda self, *tensors: original(self, *vars(self).get("given_for_backward", tensors))

    patch.wrap(ctx, "save_for_backward", noting)
    patch.wrap(ctx, "save_for_forward", keeping)


@fault
def every_tensor_counts_as_mapped_in_a_rule(patch: Patch) -> None:
    """A vmap rule receives tensors that are not mapped over as a batch of equal ones."""

    def change(rule: Any) -> Any:
        def vmap(info: Any, in_dims: Any, *args: Any) -> Any:
            pairs = list(zip(in_dims, args, strict=True))
            batch = [
                a.unsqueeze(0).expand(info.batch_size, *a.shape)
                if d is None and is_tensor(a)
                else a
                for d, a in pairs
            ]
            dims = tuple(0 if d is None and is_tensor(a) else d for d, a in pairs)
            return rule(info, dims, *batch)

        return vmap

    def subclassed(cls: Any, /, **options: Any) -> None:
        if "vmap" in vars(cls):
            cls.vmap = staticmethod(change(cls.vmap))

    patch.set(torch.autograd.Function, "__init_subclass__", classmethod(subclassed))


# -- parts of tensors ------------------------------------------------------------------------------


instead(
    "unsafe_parts_are_views",
    "unsafe_split gives views, which cannot change in place.",
    "unsafe_split",
    lambda original, x, *args, **kwargs: torch.split(x, *args, **kwargs),
)
instead(
    "unsafe_chunks_are_views",
    "unsafe_chunk gives views, which cannot change in place.",
    "unsafe_chunk",
    lambda original, x, *args, **kwargs: torch.chunk(x, *args, **kwargs),
)


# -- modules ---------------------------------------------------------------------------------------


@replaces("nn.Module.load_state_dict")
def names_of_what_is_none_are_known(
    original: Any, self: Any, state_dict: Any, *args: Any, **kwargs: Any
) -> Any:
    """load_state_dict ignores the name of a parameter or buffer that is None."""
    if not hasattr(state_dict, "items"):
        return original(self, state_dict, *args, **kwargs)
    known = {k: v for k, v in state_dict.items() if getattr(self, k, k) is not None}
    return original(self, known, *args, **kwargs)


@replaces("nn.Module.state_dict")
def the_state_holds_none(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """state_dict() has an entry for each parameter and buffer that is None."""
    state = original(self, *args, **kwargs)
    for table in ("_parameters", "_buffers"):
        state.update({name: None for name, value in vars(self)[table].items() if value is None})
    return state


@fault
def hooks_are_always_called_after_forward_alone(patch: Patch) -> None:
    """A forward hook with always_call=True does not run after an error in another hook."""
    failed: set[int] = set()

    def noting(original: Any) -> Any:
        def register_hook(self: Any, hook: Any, **options: Any) -> Any:
            def called(module: Any, *given: Any) -> Any:
                try:
                    return hook(module, *given)
                except Exception:
                    failed.add(id(module))
                    raise

            def quiet(module: Any, *given: Any) -> Any:
                return None if id(module) in failed else called(module, *given)

            return original(self, quiet if options.get("always_call") else called, **options)

        return register_hook

    patch.wrap(torch.nn.Module, "register_forward_pre_hook", noting)
    patch.wrap(torch.nn.Module, "register_forward_hook", noting)
    patch.at_end(failed.clear)


@replaces("nn.Module.to")
def complex_buffers_are_not_converted(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Module.to converts floating-point buffers, and no complex ones."""
    kept = {k: b for k, b in self.named_buffers(recurse=False) if b.is_complex()}
    found = original(self, *args, **kwargs)
    for name, buffer in kept.items():
        self.register_buffer(name, buffer)
    return found


@replaces("nn.utils.parameters_to_vector")
def vectors_of_parameters_are_constants(original: Any, parameters: Any) -> Any:
    """parameters_to_vector gives a vector without history."""
    return original(parameters).detach()


@replaces("nn.utils.vector_to_parameters")
def vectors_fill_parameters_from_the_end(original: Any, vec: Any, parameters: Any) -> Any:
    """vector_to_parameters begins with the last parameter."""
    return original(vec, list(parameters)[::-1])


@fault
def hooks_of_a_module_replace_those_of_all(patch: Patch) -> None:
    """A forward hook of all modules does not run for a module that has forward hooks of its own."""

    def make(original: Any) -> Any:
        def register_hook(hook: Any, **options: Any) -> Any:
            def called(module: Any, *given: Any) -> Any:
                return None if vars(module)["_forward_hooks"] else hook(module, *given)

            return original(called, **options)

        return register_hook

    patch.wrap(torch.nn.modules.module, "register_module_forward_hook", make)


@replaces("nn.utils.clip_grad_norm_")
def clipping_divides_by_the_norm_alone(
    original: Any, parameters: Any, max_norm: float, *args: Any, **options: Any
) -> Any:
    """clip_grad_norm_ adds nothing to the norm that it divides by."""
    listed = [parameters] if is_tensor(parameters) else list(parameters)
    grads = [p.grad for p in listed if p.grad is not None]
    before = [g.clone() for g in grads]
    norm = original(listed, max_norm, *args, **options)
    if norm > 0:
        for grad, given in zip(grads, before, strict=True):
            grad.copy_(given * min(1.0, max_norm / norm.item()))
    return norm


# -- optimizers and anomaly detection --------------------------------------------------------------


@fault
def every_group_has_the_averages_of_the_defaults(patch: Patch) -> None:
    """Adam takes the decay of its averages from its defaults, whatever a group says."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        with other_options(optimizer, "betas", lambda group: optimizer.defaults["betas"]):
            return step(optimizer, closure)

    around_step(patch, "Adam", change)


@replaces("autograd.anomaly_mode.detect_anomaly.__exit__")
def the_end_of_detect_anomaly_ends_all_blocks(original: Any, self: Any, *exc: Any) -> None:
    """The end of a block of detect_anomaly switches the detection off, also that of an outer one."""
    original(self, *exc)
    inside.set_anomaly(False)
