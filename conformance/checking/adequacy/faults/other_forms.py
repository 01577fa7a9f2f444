"""Faults of transforms, modules and optimizers in the forms of a call that are documented beside the usual one."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, replaces, torch, untouched
from .mapped_functions import dims_as
from .steps_of_optimizers import around_step
from .transforms import calls, in_tree

# -- transforms ------------------------------------------------------------------------------------


def without_lists(in_dims: Any, out_dims: Any) -> Any:
    """The dimensions, which hold no list.

    Raises:
        ValueError: they hold one.
    """
    if isinstance(in_dims, tuple) and any(isinstance(d, list) for d in in_dims):
        raise ValueError("in_dims must be an int or a tuple of ints")
    return in_dims, out_dims


dims_as("lists_within_in_dims_are_refused", "vmap rejects a list within in_dims.", without_lists)


@fault
def one_number_of_out_dims_is_for_the_first_result(patch: Patch) -> None:
    """vmap with one number as out_dims stacks the results after the first along the first dimension."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, out_dims: Any = 0, *rest: Any, **kw: Any) -> Any:
        def function(*args: Any, **keywords: Any) -> Any:
            found = whole(f, in_dims, out_dims, *rest, **kw)(*args, **keywords)
            if not isinstance(out_dims, int) or not isinstance(found, tuple):
                return found
            return (found[0], *in_tree(lambda x: untouched.movedim(x, out_dims, 0), found[1:]))

        return function

    calls(patch, "vmap", vmap)


@fault
def numbers_drawn_in_place_need_no_randomness(patch: Patch) -> None:
    """Within vmap, normal_, uniform_ and bernoulli_ raise nothing without randomness, and set numbers of their own."""

    def make(original: Any) -> Any:
        def draw(self: Any, *args: Any, **options: Any) -> Any:
            try:
                return original(self, *args, **options)
            except RuntimeError:
                return self.fill_(0.5)

        return draw

    for name in ("normal_", "uniform_", "bernoulli_"):
        patch.wrap(torch.Tensor, name, make)


@fault
def what_is_given_besides_has_no_history(patch: Patch) -> None:
    """Auxiliary results of grad and vjp are detached from the caller's graph."""

    def cut(x: Any) -> Any:
        return untouched.detach(x)

    def grad(whole: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        run = whole(f, argnums, has_aux)

        def function(*args: Any, **keywords: Any) -> Any:
            found = run(*args, **keywords)
            return (found[0], in_tree(cut, found[1])) if has_aux else found

        return function

    def vjp(whole: Any, f: Any, *primals: Any, has_aux: bool = False) -> Any:
        found = whole(f, *primals, has_aux=has_aux)
        return (*found[:2], in_tree(cut, found[2])) if has_aux else found

    calls(patch, "grad", grad)
    calls(patch, "vjp", vjp)


@fault
def different_numbers_for_each_direction_are_the_same(patch: Patch) -> None:
    """jacfwd with randomness='different' draws the same numbers for each direction."""

    def jacfwd(whole: Any, f: Any, *options: Any, randomness: str = "error", **kw: Any) -> Any:
        told = "same" if randomness == "different" else randomness
        return whole(f, *options, randomness=told, **kw)

    calls(patch, "jacfwd", jacfwd)


@fault
def rows_one_by_one_are_mapped_too(patch: Patch) -> None:
    """jacrev with chunk_size=1 does not allow a backward that reads values, as without it."""
    running = [False]

    def make_item(original: Any) -> Any:
        def item(self: Any) -> Any:
            if running[0]:
                raise RuntimeError("vmap: it looks like you are calling .item()")
            return original(self)

        return item

    def jacrev(whole: Any, f: Any, *options: Any, chunk_size: Any = None, **kw: Any) -> Any:
        run = whole(f, *options, chunk_size=chunk_size, **kw)

        def function(*args: Any) -> Any:
            running[0] = chunk_size == 1
            try:
                return run(*args)
            finally:
                running[0] = False

        return function

    patch.wrap(torch.Tensor, "item", make_item)
    calls(patch, "jacrev", jacrev)


@fault
def hessians_by_a_later_argument_are_mixed(patch: Patch) -> None:
    """hessian by one argument differentiates by it and then by the first."""

    def hessian(whole: Any, f: Any, argnums: Any = 0) -> Any:
        if isinstance(argnums, int):
            return torch.func.jacfwd(torch.func.jacrev(f, argnums))
        return whole(f, argnums)

    calls(patch, "hessian", hessian)


@replaces("func.stack_module_state")
def buffers_of_submodules_are_not_stacked(original: Any, models: Any) -> Any:
    """stack_module_state leaves out the buffers of submodules."""
    parameters, buffers = original(models)
    return parameters, {name: value for name, value in buffers.items() if "." not in name}


@replaces("func.stack_module_state")
def one_module_is_not_copied(original: Any, models: Any) -> Any:
    """stack_module_state of one module returns views of its parameters."""
    parameters, buffers = original(models)
    if len(models) == 1:
        for name, p in models[0].named_parameters():
            view = untouched.unsqueeze(untouched.detach(p), 0)
            parameters[name] = view.requires_grad_(p.requires_grad)
    return parameters, buffers


# -- hooks of modules ------------------------------------------------------------------------------


@fault
def hooks_run_where_parameters_alone_are_asked_for(patch: Patch) -> None:
    """autograd.grad by parameters alone runs the full backward hooks of modules, with None for each gradient."""
    hooks: list[tuple[Any, Any]] = []

    def make_register(original: Any) -> Any:
        def register(self: Any, hook: Any, *options: Any, **kw: Any) -> Any:
            hooks.append((self, hook))
            return original(self, hook, *options, **kw)

        return register

    def make_grad(original: Any) -> Any:
        def grad(outputs: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
            found = original(outputs, inputs, *rest, **options)
            if isinstance(inputs, torch.nn.Parameter):
                for module, hook in hooks:
                    hook(module, (None,), (None,))
            return found

        return grad

    patch.wrap(torch.nn.Module, "register_full_backward_hook", make_register)
    patch.wrap(torch.autograd, "grad", make_grad)
    patch.at_end(hooks.clear)


@replaces("nn.Module.register_forward_hook")
def hooks_get_no_keywords_after_an_error(
    original: Any, self: Any, hook: Any, **options: Any
) -> Any:
    """A forward hook with with_kwargs gets no keyword arguments if it runs after an error."""

    def called(module: Any, args: Any, named: Any, output: Any) -> Any:
        return hook(module, args, {} if output is None else named, output)

    return original(self, called if options.get("with_kwargs") else hook, **options)


@replaces("nn.modules.module.register_module_full_backward_hook")
def a_removed_hook_of_all_modules_runs_once_more(original: Any, hook: Any) -> Any:
    """A full backward hook of all modules runs once more after its handle was removed."""
    state: dict[str, Any] = {}

    def called(*args: Any) -> Any:
        if "removed" in state:
            state["remove"]()
        return hook(*args)

    handle = original(called)
    state["remove"] = handle.remove
    handle.remove = lambda: state.setdefault("removed", True)
    return handle


@replaces("nn.Module.__call__")
def pre_hooks_alone_allow_changes_in_place(
    original: Any, self: Any, *args: Any, **kwargs: Any
) -> Any:
    """The output of a module with backward pre-hooks alone may be changed in place."""
    out = original(self, *args, **kwargs)
    alone = self._backward_pre_hooks and not self._backward_hooks
    return out * 1.0 if alone and isinstance(out, torch.Tensor) else out


# -- states and conversions ------------------------------------------------------------------------


@replaces("nn.Module.load_state_dict")
def states_of_submodules_are_not_loaded(
    original: Any, self: Any, state_dict: Any, *rest: Any, **options: Any
) -> Any:
    """load_state_dict copies into the module's own parameters and buffers alone."""
    if isinstance(state_dict, dict) and not options.get("assign"):
        own = self.state_dict()
        kept = {name: own[name] for name in state_dict if "." in name and name in own}
        state_dict = {**state_dict, **kept}
    return original(self, state_dict, *rest, **options)


@replaces("nn.Module.load_state_dict")
def assigned_buffers_are_copied(
    original: Any, self: Any, state_dict: Any, *rest: Any, **options: Any
) -> Any:
    """load_state_dict with assign=True copies buffers."""
    if isinstance(state_dict, dict) and options.get("assign"):
        buffers = {name for name, _ in self.named_buffers()}
        state_dict = {
            name: untouched.clone(value) if name in buffers else value
            for name, value in state_dict.items()
        }
    return original(self, state_dict, *rest, **options)


@replaces("nn.Module.load_state_dict")
def loading_changes_the_dtype(
    original: Any, self: Any, state_dict: Any, *rest: Any, **options: Any
) -> Any:
    """load_state_dict gives parameters the dtype of the state."""
    found = original(self, state_dict, *rest, **options)
    for name, p in self.named_parameters():
        if name in state_dict:
            p.data = p.data.to(state_dict[name].dtype)
    return found


@fault
def averages_of_a_differentiable_step_are_constants(patch: Patch) -> None:
    """With differentiable=True, a step of Adam treats the averages of earlier steps as constants."""

    def change(step: Any, optimizer: Any, closure: Any) -> Any:
        result = step(optimizer, closure)
        for each in optimizer.state.values():
            each["exp_avg"] = untouched.detach(each["exp_avg"])
        return result

    around_step(patch, "Adam", change)


# -- operations ------------------------------------------------------------------------------------


@replaces("sort")
def long_stable_sorts_are_not_stable(original: Any, x: Any, *rest: Any, **options: Any) -> Any:
    """sort(stable=True) returns equal elements of more than sixteen in the opposite order."""
    dim = options.get("dim", -1)
    if not options.get("stable") or rest or x.size(dim) <= 16:
        return original(x, *rest, **options)
    places = x.size(dim) - 1 - original(x.flip(dim), **options)[1]
    return x.gather(dim, places), places


@replaces("can_cast")
def casts_are_limited_for_integers_alone(original: Any, from_: Any, to: Any) -> Any:
    """can_cast allows complex numbers for real ones, and integers for booleans."""
    return original(from_, to) or not from_.is_floating_point


@fault
def empty_out_tensors_keep_their_shape(patch: Patch) -> None:
    """sin, mm and linalg.inv reject a tensor without elements as out=."""

    def make(original: Any) -> Any:
        def run(*args: Any, **options: Any) -> Any:
            out = options.get("out")
            if out is not None and out.numel() == 0:
                raise ValueError("out= must have the shape of the result")
            return original(*args, **options)

        return run

    patch.wrap(torch, "sin", make)
    patch.wrap(torch, "mm", make)
    patch.wrap(torch.linalg, "inv", make)


@replaces("Tensor.sub_")
def larger_operands_are_subtracted_elsewhere(
    original: Any, self: Any, other: Any, **options: Any
) -> Any:
    """sub_ with an operand that broadcasts to a larger shape returns a new tensor."""
    if isinstance(other, torch.Tensor) and other.numel() > self.numel():
        return untouched.sub(self, other, **options)
    return original(self, other, **options)


@replaces("func.functional_call")
def tied_buffers_are_apart(original: Any, module: Any, *args: Any, **options: Any) -> Any:
    """functional_call replaces a buffer that has two names under the given one alone."""
    names = list(module.named_buffers(remove_duplicate=False))
    if len(names) > len(list(module.named_buffers())):
        options["tie_weights"] = False
    return original(module, *args, **options)
