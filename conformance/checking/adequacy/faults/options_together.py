"""Faults of one option where another one is given, and of options where there are several inputs or results."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, around, fault, replaces, torch, untouched
from .checkpoints import OWN, Options, around_checkpoint, is_reentrant, with_options
from .functional_derivatives import ALL, results
from .functional_derivatives import calls as instead_of
from .mapped_functions import randomness_as
from .transforms import Running, calls, in_tree, is_tensor

# -- checkpoints -----------------------------------------------------------------------------------


def beside(option: str, usual: Any, other: str, value: Any) -> Any:
    """Options in which `other` has this value wherever `option` is not as usual."""

    def change(options: Options) -> Options:
        if is_reentrant(options) or options.get(option, usual) == usual:
            return options
        return {**options, other: value}

    return change


with_options(
    "contexts_of_a_checkpoint_end_its_random_state",
    "A checkpoint with contexts does not draw the same random numbers again.",
    beside("context_fn", None, "preserve_rng_state", False),
)
with_options(
    "a_checkpoint_that_compares_nothing_draws_anew",
    'A checkpoint with determinism_check="none" does not draw the same random numbers again.',
    beside("determinism_check", "default", "preserve_rng_state", False),
)
with_options(
    "a_checkpoint_that_runs_to_its_end_compares_nothing",
    "A checkpoint with early_stop=False does not compare what it saves.",
    beside("early_stop", True, "determinism_check", "none"),
)
with_options(
    "a_checkpoint_that_draws_anew_runs_to_its_end",
    "A checkpoint with preserve_rng_state=False does not stop early.",
    beside("preserve_rng_state", True, "early_stop", False),
)


@fault
def a_checkpoint_within_another_draws_anew(patch: Patch) -> None:
    """A checkpoint in the function of another one does not draw the same random numbers again."""
    depth = [0]

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        def deeper(*args: Any, **kwargs: Any) -> Any:
            depth[0] += 1
            try:
                return function(*args, **kwargs)
            finally:
                depth[0] -= 1

        if depth[0]:
            options = {**options, "preserve_rng_state": False}
        return original(deeper, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_run_to_the_end_has_no_keywords(patch: Patch) -> None:
    """With early_stop=False, the second run has no keyword arguments."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        runs: list[int] = []

        def run(*args: Any, **kwargs: Any) -> Any:
            runs.append(1)
            return function(*args, **(kwargs if len(runs) == 1 else {}))

        late = not options.get("early_stop", True) and set(options) - set(OWN)
        return original(run if late else function, *args, **options)

    around_checkpoint(patch, change)


# -- derivatives -----------------------------------------------------------------------------------


def with_a_first_graph(found: Any) -> Any:
    """A tuple of which only the first tensor has a history."""
    if not isinstance(found, tuple):
        return found
    return (found[0], *(in_tree(untouched.detach, part) for part in found[1:]))


results(
    "only_the_first_of_several_derivatives_has_a_graph",
    "With create_graph, of derivatives by several inputs only the first has a history.",
    ("jacobian", "hessian"),
    lambda found, inputs: with_a_first_graph(found),
)
results(
    "only_the_first_of_several_products_has_a_graph",
    "With create_graph, of products for several inputs only the first has a history.",
    tuple(name for name in ALL if name not in ("jacobian", "hessian")),
    lambda found, inputs: (found[0], with_a_first_graph(found[1])),
)


@fault
def keywords_are_lost_beside_aux(patch: Patch) -> None:
    """With has_aux=True, the function gets no keyword arguments."""
    for name in ("grad", "grad_and_value"):

        def change(transform: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
            whole = transform(f, argnums, has_aux)
            return (lambda *args, **keywords: whole(*args)) if has_aux else whole

        calls(patch, name, change)


def flat(value: Any) -> Any:
    """A dict as a tuple."""
    return tuple(value.values()) if isinstance(value, dict) else value


@fault
def dicts_among_several_derivatives_are_tuples(patch: Patch) -> None:
    """The derivative by a dict, one of several arguments, is a tuple."""
    for name in ("grad", "jacrev", "jacfwd", "hessian"):

        def change(transform: Any, f: Any, argnums: Any = 0, *rest: Any, **options: Any) -> Any:
            whole = transform(f, argnums, *rest, **options)

            def derivatives(found: Any) -> Any:
                return tuple(map(flat, found)) if isinstance(found, tuple) else found

            def function(*args: Any, **keywords: Any) -> Any:
                found = whole(*args, **keywords)
                if not isinstance(argnums, tuple):
                    return found
                aux = bool(rest or options.get("has_aux"))
                return (derivatives(found[0]), *found[1:]) if aux else derivatives(found)

            return function

        calls(patch, name, change)


randomness_as(
    "the_same_numbers_are_for_the_first_dimension",
    "vmap draws for each entry under 'same', unless it maps over the first dimension of each argument.",
    "same",
    "different",
    where=lambda in_dims: in_dims != 0,
)


@fault
def products_under_no_grad_have_no_tangents(patch: Patch) -> None:
    """In the function of a transform, a product computed under no_grad has no tangent."""
    running = Running(patch)

    def constant(original: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(*args, **kwargs)
        cut = running.depth and not torch.is_grad_enabled() and is_tensor(found)
        return untouched.detach(found) if cut else found

    around(patch, "mul", constant)


@replaces("autograd.gradgradcheck")
def gradients_of_several_results_are_the_first(
    original: Any, func: Any, inputs: Any, grad_outputs: Any = None, *rest: Any, **options: Any
) -> Any:
    """gradgradcheck takes the first of several grad_outputs for all results of its shape."""
    if isinstance(grad_outputs, tuple):
        first = grad_outputs[0]
        grad_outputs = tuple(first if g.shape == first.shape else g for g in grad_outputs)
    return original(func, inputs, grad_outputs, *rest, **options)


@fault
def complex_tangents_are_conjugated_for_a_jvp(patch: Patch) -> None:
    """The jvp of a custom function gets the conjugate of a complex tangent."""

    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        jvp = vars(cls).get("jvp")
        if isinstance(jvp, staticmethod) and "conjugates" not in vars(cls):
            whole = jvp.__func__
            cls.jvp = staticmethod(lambda ctx, *given: whole(ctx, *map(conjugate, given)))
            cls.conjugates = True
        return original(cls, *args, **kwargs)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


def conjugate(value: Any) -> Any:
    return torch.conj_physical(value) if is_tensor(value) and value.is_complex() else value


@replaces("autograd.gradcheck")
def fast_mode_leaves_other_checks_out(
    original: Any, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    """With fast_mode=True, gradcheck tries neither undefined gradients nor batches."""
    if options.get("fast_mode"):
        others = ("check_undefined_grad", "check_batched_grad", "check_batched_forward_grad")
        options.update(dict.fromkeys(others, False))
    return original(func, inputs, *rest, **options)


@fault
def a_tuple_of_one_is_bare_in_forward_mode(patch: Patch) -> None:
    """In forward mode, derivatives by a tuple of one are not in a tuple."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **options: Any) -> Any:
        found = whole(f, inputs, *args, **options)
        one = isinstance(inputs, tuple) and len(inputs) == 1 and isinstance(found, tuple | list)
        return found[0] if one and "forward-mode" in options.values() else found

    instead_of(patch, ("jacobian", "hessian"), call)


@fault
def integers_beside_derivatives_are_floats(patch: Patch) -> None:
    """Integers that a function returns besides come back as floats."""

    def floats(value: Any) -> Any:
        return in_tree(lambda x: x if x.is_floating_point() or x.is_complex() else x.float(), value)

    for name in ("grad", "jacrev", "jacfwd"):

        def change(transform: Any, f: Any, *rest: Any, **options: Any) -> Any:
            whole = transform(f, *rest, **options)

            def function(*args: Any, **keywords: Any) -> Any:
                found = whole(*args, **keywords)
                return (found[0], floats(found[1])) if options.get("has_aux") else found

            return function

        calls(patch, name, change)


@replaces("func.stack_module_state")
def buffers_of_integers_are_not_stacked(original: Any, models: Any) -> Any:
    """stack_module_state leaves out the buffers that are not of a floating dtype."""
    parameters, buffers = original(models)
    return parameters, {name: b for name, b in buffers.items() if b.is_floating_point()}
