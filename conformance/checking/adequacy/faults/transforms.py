"""Faults of function transforms: what grad, vjp, jvp and Jacobians are given, and what they give."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from ..breaking import Patch, fault, inside, register, torch, untouched

CURRIED = ("grad", "grad_and_value", "jacrev", "jacfwd", "hessian")
DIRECT = ("vjp", "jvp", "linearize")
GRADIENTS = ("grad", "grad_and_value")
JACOBIANS = ("jacrev", "jacfwd")


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def in_tree(change: Callable[[Any], Any], tree: Any) -> Any:
    """The same containers with `change` of each tensor."""
    if isinstance(tree, (tuple, list)):
        return type(tree)(in_tree(change, part) for part in tree)
    if isinstance(tree, dict):
        return {key: in_tree(change, part) for key, part in tree.items()}
    return change(tree) if is_tensor(tree) else tree


def results(patch: Patch, names: tuple[str, ...], change: Callable[..., Any]) -> None:
    """Let the functions that transforms return give `change(run, f, args)`; `run()` is the right
    result."""
    for name in names:

        def make(transform: Any) -> Any:
            def changed(f: Any, *options: Any, **keywords: Any) -> Any:
                whole = transform(f, *options, **keywords)

                def function(*args: Any, **others: Any) -> Any:
                    return change(lambda: whole(*args, **others), f, args)

                return function

            return changed

        patch.wrap(torch.func, name, make)


def calls(patch: Patch, name: str, change: Callable[..., Any]) -> None:
    """Replace a transform by `change(transform, *args, **keywords)`."""
    patch.wrap(
        torch.func,
        name,
        lambda whole: lambda *args, **keywords: change(whole, *args, **keywords),
    )


def functions(patch: Patch, change: Callable[[Any], Any], names: tuple[str, ...]) -> None:
    """Let transforms run `change(f)` in the place of f."""
    for name in names:
        calls(patch, name, lambda whole, f, *args, **kw: whole(change(f), *args, **kw))


class Running:
    """Whether a transform is running its function."""

    def __init__(self, patch: Patch) -> None:
        self.depth = 0
        functions(patch, self.noted, (*CURRIED, *DIRECT))

    def noted(self, f: Any) -> Any:
        def noted(*args: Any, **keywords: Any) -> Any:
            with self.deeper():
                return f(*args, **keywords)

        return noted

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        try:
            yield
        finally:
            self.depth -= 1


# --- what they differentiate ---


@fault
def transforms_see_only_what_requires_grad(patch: Patch) -> None:
    """grad gives zeros for an argument that does not require grad."""

    def change(run: Any, f: Any, args: Any) -> Any:
        return run() if any(is_tensor(x) and x.requires_grad for x in args) else in_tree(
            torch.zeros_like, run()
        )  # fmt: skip

    results(patch, ("grad",), change)


@fault
def results_of_transforms_keep_a_history(patch: Patch) -> None:
    """The gradient of a plain tensor requires grad."""

    def kept(g: Any) -> Any:
        return g if g.requires_grad or not g.is_floating_point() else g.clone().requires_grad_()

    running = Running(patch)
    results(patch, ("grad",), lambda run, f, args: run() if running.depth else in_tree(kept, run()))


@fault
def arguments_of_a_transform_require_grad_after_it(patch: Patch) -> None:
    """grad sets requires_grad on the caller's tensors."""
    running = Running(patch)

    def change(run: Any, f: Any, args: Any) -> Any:
        found = run()
        if not running.depth:
            in_tree(lambda x: x.requires_grad_() if x.is_floating_point() else x, args)
        return found

    results(patch, ("grad",), change)


@fault
def jvp_copies_its_primals(patch: Patch) -> None:
    """The function that jvp runs gets copies of the primals, so that their changes in place are lost."""

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if isinstance(primals, tuple):
            primals = in_tree(lambda x: untouched.clone(x), primals)
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def transforms_call_their_function_twice(patch: Patch) -> None:
    """grad and jvp call the function once for the value and again for the derivative."""

    def again(run: Any, f: Any, args: Any) -> Any:
        f(*args)
        return run()

    results(patch, GRADIENTS, again)

    def jvp(whole: Any, f: Any, primals: Any, tangents: Any, **keywords: Any) -> Any:
        if isinstance(primals, tuple):
            f(*primals)
        return whole(f, primals, tangents, **keywords)

    calls(patch, "jvp", jvp)


@fault
def grad_sums_the_elements(patch: Patch) -> None:
    """grad takes the sum of an output of several elements."""

    def summed(f: Any) -> Any:
        def total(*args: Any, **keywords: Any) -> Any:
            out = f(*args, **keywords)
            return out.sum() if is_tensor(out) else out

        return total

    functions(patch, summed, GRADIENTS)


@fault
def grad_takes_the_first_of_several_outputs(patch: Patch) -> None:
    """grad differentiates the first entry of a tuple."""

    def first(whole: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        def one(*args: Any, **keywords: Any) -> Any:
            out = f(*args, **keywords)
            return out[0] if isinstance(out, tuple) and not has_aux else out

        return whole(one, argnums, has_aux)

    calls(patch, "grad", first)


def argnums_as(name: str, sentence: str, change: Callable[[Any], Any]) -> None:
    """A fault of how argnums are read."""

    def install(patch: Patch) -> None:
        for transform in GRADIENTS:
            calls(
                patch,
                transform,
                lambda whole, f, argnums=0, has_aux=False: whole(f, change(argnums), has_aux),
            )

    register(name, sentence, install)


argnums_as(
    "gradients_come_in_the_order_of_the_arguments",
    "The gradients of a tuple of argnums come in the order of the arguments.",
    lambda argnums: tuple(sorted(argnums)) if isinstance(argnums, tuple) else argnums,
)
argnums_as(
    "a_tuple_of_one_argnum_is_a_number",
    "A tuple of one argnum gives a gradient without a tuple.",
    lambda argnums: argnums[0] if isinstance(argnums, tuple) and len(argnums) == 1 else argnums,
)
argnums_as(
    "argnums_are_ignored",
    "grad differentiates by the first argument whatever argnums says.",
    lambda argnums: 0,
)
argnums_as(
    "a_list_of_argnums_is_a_tuple",
    "A list of argnums is accepted.",
    lambda argnums: tuple(argnums) if isinstance(argnums, list) else argnums,
)
argnums_as(
    "argnums_wrap_around",
    "argnums out of range begin again at the first argument.",
    lambda argnums: argnums % 2 if isinstance(argnums, int) else argnums,
)


@fault
def negative_argnums_count_from_the_first(patch: Patch) -> None:
    """A negative argnum is taken without its sign."""

    def change(whole: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        return whole(f, abs(argnums) if isinstance(argnums, int) else argnums, has_aux)

    calls(patch, "grad", change)


@fault
def gradients_of_a_dict_are_a_tuple(patch: Patch) -> None:
    """grad gives a tuple for an argument that is a dict or a list."""

    def flat(run: Any, f: Any, args: Any) -> Any:
        found = run()
        return tuple(found.values()) if isinstance(found, dict) else found

    results(patch, ("grad",), flat)


@fault
def aux_is_dropped(patch: Patch) -> None:
    """The auxiliary results of jvp and of Jacobians are left out."""

    def pair(run: Any, f: Any, args: Any) -> Any:
        found = run()
        return found[0] if isinstance(found, tuple) and len(found) == 2 else found

    results(patch, JACOBIANS, pair)


@fault
def the_aux_of_vjp_comes_second(patch: Patch) -> None:
    """With has_aux, vjp gives the auxiliary result before its function."""

    def change(whole: Any, f: Any, *primals: Any, has_aux: bool = False) -> Any:
        found = whole(f, *primals, has_aux=has_aux)
        return (found[0], found[2], found[1]) if has_aux else found

    calls(patch, "vjp", change)


@fault
def has_aux_takes_what_is_no_pair(patch: Patch) -> None:
    """With has_aux, an output without auxiliary results gets itself as one."""

    def change(whole: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        def paired(*args: Any, **keywords: Any) -> Any:
            out = f(*args, **keywords)
            return (out, out) if has_aux and not isinstance(out, tuple) else out

        return whole(paired, argnums, has_aux)

    calls(patch, "grad", change)


@fault
def the_value_comes_before_the_gradient(patch: Patch) -> None:
    """grad_and_value gives the value and then the gradient."""

    def swapped(whole: Any, f: Any, argnums: Any = 0, has_aux: bool = False) -> Any:
        return lambda *args, **keywords: whole(f, argnums, has_aux)(*args, **keywords)[::-1]

    def change(whole: Any, f: Any, *options: Any, **keywords: Any) -> Any:
        return swapped(whole, f, *options, **keywords)

    public_only(patch, "grad_and_value", change)


def public_only(patch: Patch, name: str, change: Callable[..., Any]) -> None:
    """As `calls`, but leaves the transforms that the engine makes of this one whole."""
    whole = getattr(torch.func, name)
    if name == "grad_and_value":
        patch.wrap(
            torch.func,
            "grad",
            lambda _: lambda f, argnums=0, has_aux=False: gradient_of(whole, f, argnums, has_aux),
        )
    calls(patch, name, change)


def gradient_of(whole: Any, f: Any, argnums: Any, has_aux: bool) -> Any:
    """grad, made of the right grad_and_value."""

    def run(*args: Any, **keywords: Any) -> Any:
        found, value = whole(f, argnums, has_aux)(*args, **keywords)
        return (found, value[1]) if has_aux else found

    return run


@fault
def gradients_of_unused_arguments_are_none(patch: Patch) -> None:
    """A gradient of zeros comes as None."""

    def absent(g: Any) -> Any:
        return None if not g.requires_grad and bool((g == 0).all()) else g

    running = Running(patch)
    results(
        patch,
        ("grad",),
        lambda run, f, args: run() if running.depth else in_tree(absent, run()),
    )


# --- composition ---


@fault
def an_inner_transform_gives_constants(patch: Patch) -> None:
    """What a transform gives within another is a constant to the outer one."""
    running = Running(patch)

    def change(run: Any, f: Any, args: Any) -> Any:
        return in_tree(untouched.detach, run()) if running.depth else run()

    results(patch, ("grad",), change)


@fault
def an_inner_jvp_gives_constants(patch: Patch) -> None:
    """The tangent of a jvp within another transform is a constant to the outer one."""
    running = Running(patch)

    def change(whole: Any, *args: Any, **keywords: Any) -> Any:
        found = whole(*args, **keywords)
        if not running.depth:
            return found
        return (found[0], in_tree(untouched.detach, found[1]), *found[2:])

    calls(patch, "jvp", change)


@fault
def results_of_transforms_are_detached(patch: Patch) -> None:
    """What grad gives is no part of the caller's graph."""
    running = Running(patch)

    def change(run: Any, f: Any, args: Any) -> Any:
        return run() if running.depth else in_tree(untouched.detach, run())

    results(patch, (*GRADIENTS, *JACOBIANS), change)


@fault
def transforms_write_gradients(patch: Patch) -> None:
    """grad adds the gradient to .grad of an argument that requires grad, too."""

    def change(run: Any, f: Any, args: Any) -> Any:
        found = run()
        if is_tensor(found) and is_tensor(args[0]) and args[0].requires_grad and args[0].is_leaf:
            args[0].grad = found.detach()
        return found

    running = Running(patch)
    results(patch, ("grad",), lambda run, f, args: run() if running.depth else change(run, f, args))


# --- modes ---


@fault
def transforms_compute_nothing_under_no_grad(patch: Patch) -> None:
    """Under no_grad, grad gives zeros."""

    def change(run: Any, f: Any, args: Any) -> Any:
        return run() if torch.is_grad_enabled() else in_tree(torch.zeros_like, run())

    results(patch, ("grad",), change)


@fault
def transforms_record_for_the_caller_under_no_grad(patch: Patch) -> None:
    """Under no_grad, what grad gives still joins the caller's graph."""

    def change(run: Any, f: Any, args: Any) -> Any:
        with torch.enable_grad():
            return run()

    results(patch, ("grad",), change)


@fault
def the_function_of_a_transform_sees_no_grad(patch: Patch) -> None:
    """The function of vjp runs in the grad mode of the caller."""

    def change(whole: Any, f: Any, *primals: Any, **keywords: Any) -> Any:
        caller = torch.is_grad_enabled()

        def run(*args: Any) -> Any:
            with torch.set_grad_enabled(caller):
                return f(*args)

        return whole(run, *primals, **keywords)

    calls(patch, "vjp", change)


@fault
def transforms_ignore_no_grad_inside(patch: Patch) -> None:
    """no_grad has no effect in a function that a transform runs."""
    running = Running(patch)

    def make(enter: Any) -> Any:
        def entered(self: Any) -> Any:
            found = enter(self)
            if running.depth:
                inside.set_recording(True)
            return found

        return entered

    patch.wrap(torch.no_grad, "__enter__", make)


@fault
def transforms_follow_through_detach(patch: Patch) -> None:
    """detach has no effect in a function that a transform runs."""
    running = Running(patch)
    patch.wrap(
        torch.Tensor,
        "detach",
        lambda detach: lambda self: self.view_as(self) if running.depth else detach(self),
    )


# --- what a function may not do ---


@fault
def backward_within_a_transform_does_nothing(patch: Patch) -> None:
    """backward() within a transform is accepted."""
    running = Running(patch)

    def make(backward: Any) -> Any:
        def run(self: Any, *args: Any, **keywords: Any) -> Any:
            return None if running.depth else backward(self, *args, **keywords)

        return run

    patch.wrap(torch.Tensor, "backward", make)


def accepted(method: str) -> None:
    """A fault: a method of a tensor has no effect within a transform, and raises no error."""

    def install(patch: Patch) -> None:
        running = Running(patch)
        patch.wrap(
            torch.Tensor,
            method,
            lambda whole: lambda self, *args: self if running.depth else whole(self, *args),
        )

    register(
        f"{method.strip('_')}_within_a_transform_does_nothing",
        f"{method}() within a transform is accepted.",
        install,
    )


accepted("requires_grad_")
accepted("retain_grad")


@fault
def passes_within_a_transform_are_not_recorded(patch: Patch) -> None:
    """autograd.grad within a transform ignores create_graph."""
    running = Running(patch)

    def make(grad: Any) -> Any:
        def run(*args: Any, **keywords: Any) -> Any:
            found = grad(*args, **keywords)
            return in_tree(untouched.detach, found) if running.depth else found

        return run

    patch.wrap(torch.autograd, "grad", make)


@fault
def changes_within_a_transform_are_constants(patch: Patch) -> None:
    """An in-place multiplication within a transform multiplies by a constant."""
    running = Running(patch)

    def make(multiply: Any) -> Any:
        def run(self: Any, other: Any) -> Any:
            constant = running.depth and is_tensor(other)
            return multiply(self, other.detach() if constant else other)

        return run

    patch.wrap(torch.Tensor, "mul_", make)


@fault
def captured_tensors_seem_to_be_written(patch: Patch) -> None:
    """Within a transform, an in-place multiplication of a tensor without history does nothing."""
    running = Running(patch)

    def make(multiply: Any) -> Any:
        def run(self: Any, other: Any) -> Any:
            if running.depth and is_tensor(other) and not self.requires_grad:
                return self
            return multiply(self, other)

        return run

    patch.wrap(torch.Tensor, "mul_", make)


@fault
def custom_functions_give_zeros_within_a_transform(patch: Patch) -> None:
    """Within a transform, the gradient through a custom function is zero, and none is rejected."""
    running = Running(patch)
    whole = torch.autograd.Function.__dict__["apply"].__func__

    def apply(cls: Any, *args: Any, **keywords: Any) -> Any:
        if running.depth:
            return args[0] * 0.0
        return whole(cls, *args, **keywords)

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@fault
def forward_transforms_use_the_backward(patch: Patch) -> None:
    """jvp is computed from backward passes, so that a custom function counts by its backward."""

    def change(whole: Any, func: Any, primals: Any, tangents: Any, **options: Any) -> Any:
        value, pull = torch.func.vjp(func, *primals)
        if options or not isinstance(value, torch.Tensor):
            return whole(func, primals, tangents, **options)
        _, push = torch.func.vjp(pull, torch.zeros_like(value))
        return value, push(tangents)[0]

    calls(patch, "jvp", change)


@fault
def jacfwd_ignores_randomness(patch: Patch) -> None:
    """jacfwd lets its function draw other random numbers for each direction."""

    def change(whole: Any, *args: Any, randomness: str = "error", **options: Any) -> Any:
        return whole(*args, randomness="different", **options)

    calls(patch, "jacfwd", change)
