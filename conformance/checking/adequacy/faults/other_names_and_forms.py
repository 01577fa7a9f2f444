"""Faults of operations under another name, of arguments in another form, and of what holds in every thread or
at every depth."""

from __future__ import annotations

import contextlib
import threading
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, replaces, torch
from .concurrency import in_first_thread


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


# -- names -----------------------------------------------------------------------------------------


@fault
def other_names_give_constants(patch: Patch) -> None:
    """What multiply, divide, subtract and the functions named after NumPy's give has no history."""

    def cut(original: Any) -> Any:
        return lambda *args, **kwargs: original(*args, **kwargs).detach()

    names = ("absolute", "arccos", "arcsin", "arctan2", "multiply", "divide", "subtract")
    for name in names:
        patch.wrap(torch, name, cut)
        patch.wrap(torch.Tensor, name, cut)


@replaces("subtract")
def subtract_takes_no_factor(original: Any, x: Any, y: Any, **options: Any) -> Any:
    """subtract() ignores alpha."""
    return original(x, y)


@replaces("nn.utils.clip_grad_norm")
def the_old_name_of_clipping_drops_options(
    original: Any, parameters: Any, max_norm: Any, *args: Any, **kwargs: Any
) -> Any:
    """clip_grad_norm takes the norm of order two, whatever is asked for."""
    return original(parameters, max_norm)


# -- clipping --------------------------------------------------------------------------------------


@replaces("nn.utils.clip_grad_value_")
def a_single_parameter_is_not_clipped_by_value(
    original: Any, parameters: Any, *args: Any, **kwargs: Any
) -> Any:
    """clip_grad_value_ iterates over a parameter that it is passed alone."""
    return original(list(parameters), *args, **kwargs)


@replaces("nn.utils.get_total_norm")
def norms_of_tensors_are_added(original: Any, tensors: Any, *args: Any, **kwargs: Any) -> Any:
    """get_total_norm adds the norms of the tensors."""
    each = [tensors] if is_tensor(tensors) else list(tensors)
    norms = [original([x], *args, **kwargs) for x in each]
    return sum(norms[1:], norms[0]) if norms else original(each, *args, **kwargs)


@replaces("nn.utils.clip_grads_with_norm_")
def small_gradients_are_scaled_up(
    original: Any, parameters: Any, max_norm: float, total_norm: Any, *args: Any, **kwargs: Any
) -> Any:
    """clip_grads_with_norm_ scales gradients whose norm is below the bound up to it."""
    each = [parameters] if is_tensor(parameters) else list(parameters)
    for x in each:
        if x.grad is not None:
            x.grad.mul_(max_norm / float(total_norm))


# -- modes and modules -----------------------------------------------------------------------------


@replaces("is_anomaly_check_nan_enabled")
def nan_is_always_said_to_be_checked_for(original: Any) -> bool:
    """is_anomaly_check_nan_enabled() is True whatever was chosen."""
    original()
    return True


@replaces("autograd.set_detect_anomaly.__exit__")
def a_block_that_ends_switches_detection_off(original: Any, self: Any, *error: Any) -> None:
    """After a set_detect_anomaly block anomaly detection is off, though it was on before."""
    original(self, *error)
    inside.set_anomaly(False)


@replaces("get_default_device")
def blocks_do_not_change_the_default_device(original: Any) -> Any:
    """get_default_device() tells nothing of the block that chooses a device."""
    original()
    return torch.zeros(0, device="cpu").device


@fault
def converted_modules_forget_buffers_that_are_not_saved(patch: Patch) -> None:
    """Converting or moving a module leaves buffers that are not persistent as they are."""

    def make(original: Any) -> Any:
        def convert(self: Any, *args: Any, **kwargs: Any) -> Any:
            held = [
                (m, name, vars(m)["_buffers"][name])
                for m in self.modules()
                for name in vars(m)["_non_persistent_buffers_set"]
            ]
            found = original(self, *args, **kwargs)
            for m, name, buffer in held:
                vars(m)["_buffers"][name] = buffer
            return found

        return convert

    for name in ("to", "double"):
        patch.wrap(torch.nn.Module, name, make)


@replaces("nn.modules.module.register_module_forward_hook")
def hooks_of_all_modules_hold_in_one_thread(
    original: Any, hook: Any, *args: Any, **kwargs: Any
) -> Any:
    """A forward hook of all modules runs in the program's first thread only."""

    def called(*given: Any) -> Any:
        return hook(*given) if in_first_thread() else None

    return original(called, *args, **kwargs)


# -- nested passes ---------------------------------------------------------------------------------


def at_depth(patch: Patch, least: int, change: Any) -> None:
    """Put `change(run, options)` in the place of passes within that many others in their thread."""
    own = threading.local()

    def around(run: Any, options: Any) -> Any:
        held = getattr(own, "depth", 0)
        own.depth = held + 1
        try:
            return change(run, options) if held >= least else run(options)
        finally:
            own.depth = held

    around_pass(patch, around)


@fault
def errors_of_deep_passes_are_replaced(patch: Patch) -> None:
    """From the tenth level on, an error in a nested pass becomes another one."""

    def change(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except Exception as error:
            raise RuntimeError("a pass failed") from error

    at_depth(patch, 10, change)


@fault
def deep_passes_are_recorded(patch: Patch) -> None:
    """From the tenth level on, a nested pass is recorded."""

    def change(run: Any, options: Any) -> Any:
        options.create_graph = True
        return run(options)

    at_depth(patch, 10, change)


# -- what was saved, and what is written -----------------------------------------------------------


@fault
def constants_that_functions_save_are_not_checked(patch: Patch) -> None:
    """save_for_backward copies tensors that do not require grad, so that no change of them is noticed."""

    def make(original: Any) -> Any:
        def save(self: Any, *tensors: Any) -> None:
            kept = [
                x.detach().clone() if is_tensor(x) and not x.requires_grad else x for x in tensors
            ]
            original(self, *kept)

        return save

    patch.wrap(inside.function_context, "save_for_backward", make)


@fault
def later_results_that_were_saved_are_constants(patch: Patch) -> None:
    """saved_tensors returns a result of the function without its history, unless it is the first."""

    def saved(self: Any) -> tuple[Any, ...]:
        return tuple(
            x.detach() if is_tensor(x) and x.grad_fn is self and x.output_nr else x
            for x in inside.saved_tensors(self)
        )

    patch.set(inside.function_node, "saved_tensors", property(saved))


@replaces("autograd.function.FunctionCtx.mark_dirty")
def only_tensors_that_require_grad_become_dirty(original: Any, self: Any, *tensors: Any) -> None:
    """mark_dirty ignores tensors that do not require grad."""
    original(self, *[x for x in tensors if x.requires_grad])


@replaces("Tensor.mul_")
def a_factor_that_is_overwritten_is_a_constant(original: Any, self: Any, other: Any) -> Any:
    """y.mul_(y) multiplies by a copy without history."""
    return original(self, other.detach().clone() if other is self else other)


@replaces("Tensor.__mul__")
def complex_numbers_widen_products(original: Any, self: Any, other: Any) -> Any:
    """A product with a complex128 tensor without dimensions is complex128."""
    found = original(self, other)
    wide = is_tensor(other) and not other.dim() and other.dtype == torch.complex128
    return found.to(torch.complex128) if wide and is_tensor(found) else found


# -- random numbers, conversions and buffers -------------------------------------------------------


@replaces("set_rng_state")
def the_state_of_random_numbers_is_not_set(original: Any, state: Any) -> None:
    """set_rng_state does nothing."""


@replaces("random.fork_rng")
@contextlib.contextmanager
def forked_random_numbers_go_on(original: Any, *args: Any, **kwargs: Any) -> Any:
    """What is drawn in a fork_rng block counts after it too."""
    yield


@replaces("rand")
def rand_ignores_its_generator(original: Any, *args: Any, **kwargs: Any) -> Any:
    """rand() draws from the default generator, whichever it is passed."""
    kwargs.pop("generator", None)
    return original(*args, **kwargs)


@fault
def conversions_to_complex_give_constants(patch: Patch) -> None:
    """cfloat() and cdouble() give tensors without history."""
    for name in ("cfloat", "cdouble"):
        patch.wrap(torch.Tensor, name, lambda original: lambda self: original(self).detach())


@fault
def conversions_to_short_give_char(patch: Patch) -> None:
    """short() converts to int8."""
    patch.wrap(torch.Tensor, "short", lambda original: lambda self: original(self).char())


@replaces("nn.Buffer")
def buffers_are_always_saved(original: Any, *args: Any, persistent: bool = True) -> Any:
    """nn.Buffer ignores persistent."""
    return original(*args)


# -- errors ----------------------------------------------------------------------------------------


def unless_it_fails(original: Any, self: Any, *error: Any) -> Any:
    """Leave a block, unless an error ends it."""
    return None if error and error[0] is not None else original(self, *error)


@replaces("inference_mode.__exit__")
def errors_do_not_end_inference_mode(original: Any, self: Any, *error: Any) -> Any:
    """An error in an inference_mode block leaves inference mode on."""
    return unless_it_fails(original, self, *error)


@replaces("set_grad_enabled.__exit__")
def errors_do_not_end_set_grad_enabled(original: Any, self: Any, *error: Any) -> Any:
    """An error in a set_grad_enabled block leaves its mode on."""
    return unless_it_fails(original, self, *error)


@replaces("optim.SGD.step")
def a_failing_closure_leaves_recording_on(original: Any, self: Any, closure: Any = None) -> Any:
    """A closure that fails leaves grad mode enabled."""
    if closure is None:
        return original(self)
    try:
        return original(self, closure)
    except Exception:
        inside.set_recording(True)
        raise


@replaces("nn.Module.__call__")
def a_failing_forward_drops_pre_hooks(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """A forward that fails takes the forward pre-hooks of its module away."""
    try:
        return original(self, *args, **kwargs)
    except Exception:
        vars(self)["_forward_pre_hooks"].clear()
        raise


@replaces("Tensor.retain_grad")
def views_that_were_changed_retain_nothing(original: Any, self: Any) -> None:
    """retain_grad() of a view whose base was changed since does nothing."""
    if self._base is None or self._version == 0:
        original(self)
