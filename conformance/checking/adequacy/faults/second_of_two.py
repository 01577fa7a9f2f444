"""Faults of what comes second: a second argument, a later result, a second option, an object beside."""

from __future__ import annotations

import copy
from typing import Any

from ..breaking import Patch, fault, register, replaces, torch
from .checkpoints import Options, around_checkpoint, runs_of_functions, with_function
from .functional_derivatives import calls
from .gradient_checks import as_tuple
from .transforms import is_tensor


@fault
def a_checkpoint_needs_a_result(patch: Patch) -> None:
    """A checkpoint whose function returns None raises an error."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        found = original(function, *args, **options)
        if found is None:
            raise ValueError("the function of a checkpoint returned None")
        return found

    around_checkpoint(patch, change)


@fault
def what_jvp_saved_has_no_history(patch: Patch) -> None:
    """save_for_forward keeps detached tensors, so that the tangent is not differentiable by them."""

    def make(original: Any) -> Any:
        def save_for_forward(self: Any, *tensors: Any) -> Any:
            return original(self, *(t.detach() if is_tensor(t) else t for t in tensors))

        return save_for_forward

    patch.wrap(torch.autograd.function.FunctionCtx, "save_for_forward", make)


# -- transforms ------------------------------------------------------------------------------------


@fault
def one_tensor_is_one_argument(patch: Patch) -> None:
    """A tensor that grad is given as two arguments counts as one, which gets the sum for each."""

    def make(original: Any) -> Any:
        def grad(func: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
            def run(*args: Any, **kwargs: Any) -> Any:
                first = [next(i for i, b in enumerate(args) if b is a) for a in args]

                def joined(*xs: Any, **kwargs: Any) -> Any:
                    return func(*(xs[i] for i in first), **kwargs)

                if not isinstance(argnums, tuple) or len({*first}) == len(first):
                    return original(func, argnums, has_aux)(*args, **kwargs)
                return original(joined, tuple(first[i] for i in argnums[:1]), has_aux)(
                    *args, **kwargs
                ) * len(argnums)

            return run

        return grad

    patch.wrap(torch.func, "grad", make)


def floating_arguments(transform: str) -> None:
    """A fault: a transform converts arguments that are tensors of integers."""

    def make(original: Any) -> Any:
        def transformed(func: Any, *rest: Any, **options: Any) -> Any:
            def run(*args: Any, **kwargs: Any) -> Any:
                given = [a.float() if is_tensor(a) and a.dtype == torch.int64 else a for a in args]
                return original(func, *rest, **options)(*given, **kwargs)

            return run

        return transformed

    register(
        f"{transform}_converts_integers",
        f"{transform} converts arguments that are tensors of integers to floating point.",
        lambda patch: patch.wrap(torch.func, transform, make),
    )


for _transform in ("grad", "jacrev", "jacfwd"):
    floating_arguments(_transform)


@replaces("func.hessian")
def a_hessian_sorts_its_arguments(original: Any, func: Any, argnums: Any = 0) -> Any:
    """The blocks of a Hessian are in the order of the arguments, whatever argnums says."""
    return original(func, tuple(sorted(argnums)) if isinstance(argnums, tuple) else argnums)


@fault
def a_vectorized_derivative_is_not_recorded(patch: Patch) -> None:
    """jacobian and hessian with vectorize=True ignore create_graph."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        if options.get("vectorize"):
            options.pop("create_graph", None)
        return whole(f, inputs, *args, **options)

    calls(patch, ("jacobian", "hessian"), call)


# -- gradient checks -------------------------------------------------------------------------------


@replaces("autograd.gradcheck")
def nondeterminism_counts_in_the_first_result(
    original: Any, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    """gradcheck computes the gradient of the first result twice, and the others once."""
    given = as_tuple(inputs)
    if len(as_tuple(func(*given))) < 2 or options.get("check_forward_ad"):
        return original(func, inputs, *rest, **options)
    first = original(lambda *xs: as_tuple(func(*xs))[0], inputs, *rest, **options)
    return first and original(func, inputs, *rest, **{**options, "nondet_tol": float("inf")})


@replaces("autograd.gradgradcheck")
def gradgradcheck_uses_gradients_of_one(
    original: Any, func: Any, inputs: Any, grad_outputs: Any = None, **options: Any
) -> Any:
    """gradgradcheck uses gradients of ones in the place of random ones."""
    apart = options.get("gen_non_contig_grad_outputs")
    if grad_outputs is None and not apart and not options.get("check_fwd_over_rev"):
        outs = [o for o in as_tuple(func(*as_tuple(inputs))) if is_tensor(o) and o.requires_grad]
        grad_outputs = tuple(torch.ones_like(o).detach().requires_grad_() for o in outs)
    return original(func, inputs, grad_outputs, **options)


# -- hooks and lifetimes ---------------------------------------------------------------------------


@fault
def a_hook_may_return_the_real_part(patch: Patch) -> None:
    """A hook on a complex tensor may return a real gradient, which is converted."""

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            def converted(g: Any) -> Any:
                found = hook(g)
                return found.to(g.dtype) if is_tensor(found) and g.is_complex() else found

            return original(self, converted)

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@fault
def a_pass_keeps_the_inputs_it_was_given(patch: Patch) -> None:
    """The inputs of the latest pass for chosen inputs stay alive."""
    kept: list[Any] = []

    def make(original: Any) -> Any:
        def backward(*args: Any, **options: Any) -> Any:
            kept[:] = [options.get("inputs")]
            return original(*args, **options)

        return backward

    patch.at_end(kept.clear)
    patch.wrap(torch.Tensor, "backward", make)


@fault
def a_changed_tensor_keeps_what_was_added(patch: Patch) -> None:
    """A tensor that was changed by add_ keeps the other operand alive."""

    def make(original: Any) -> Any:
        def add_(self: Any, other: Any, **options: Any) -> Any:
            self.added = other
            return original(self, other, **options)

        return add_

    patch.wrap(torch.Tensor, "add_", make)


@fault
def the_second_run_gets_copies(patch: Patch) -> None:
    """The second run of a checkpoint's function gets copies of arguments that are lists or dicts."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        copies = [copy.copy(a) if isinstance(a, (list, dict)) else a for a in args]
        return function(*(copies if run else args), **kwargs)

    with_function(patch, change)


@fault
def constants_of_the_second_run_stay(patch: Patch) -> None:
    """Tensors that do not require grad, and that the second run of a checkpoint multiplies by, stay alive."""
    runs = runs_of_functions(patch)
    kept: list[Any] = []

    def make(original: Any) -> Any:
        def multiply(self: Any, other: Any) -> Any:
            if runs and runs[-1] and is_tensor(other) and not other.requires_grad:
                kept.append(other)
            return original(self, other)

        return multiply

    patch.at_end(kept.clear)
    patch.wrap(torch.Tensor, "__mul__", make)
