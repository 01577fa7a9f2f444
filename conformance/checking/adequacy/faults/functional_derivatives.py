"""Faults of autograd.functional: Jacobians, Hessians and their products with vectors."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import Patch, fault, register, torch, untouched
from .transforms import Running, in_tree, is_tensor
from .values_of_transforms import turned

PRODUCTS = ("vjp", "jvp", "vhp", "hvp")
SECOND = ("hessian", "vhp", "hvp")
ALL = ("jacobian", "hessian", *PRODUCTS)


def calls(patch: Patch, names: tuple[str, ...], change: Callable[..., Any]) -> None:
    """Let each function of autograd.functional be `change(whole, f, inputs, *args, **keywords)`.
    What the engine calls within one of them stays whole."""
    inner = [0]

    def made(name: str) -> None:
        def make(whole: Any) -> Any:
            def outermost(*args: Any, **keywords: Any) -> Any:
                inner[0] += 1
                try:
                    return whole(*args, **keywords)
                finally:
                    inner[0] -= 1

            def call(*args: Any, **keywords: Any) -> Any:
                if inner[0]:
                    return whole(*args, **keywords)
                return change(outermost, *args, **keywords)

            return call

        patch.wrap(torch.autograd.functional, name, make)

    for name in names:
        made(name)


def results(
    name: str, sentence: str, names: tuple[str, ...], change: Callable[[Any, Any], Any]
) -> None:
    """A fault: functions give `change(result, inputs)`."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        return change(whole(f, inputs, *args, **keywords), inputs)

    register(name, sentence, lambda patch: calls(patch, names, call))


def without(keyword: str, name: str, sentence: str, names: tuple[str, ...]) -> None:
    """A fault: functions ignore a keyword."""

    def call(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        keywords.pop(keyword, None)
        return whole(f, *args, **keywords)

    register(name, sentence, lambda patch: calls(patch, names, call))


def is_nested(value: Any) -> bool:
    return isinstance(value, tuple) and all(isinstance(row, tuple) for row in value)


def bare(value: Any) -> Any:
    """A tuple of one as its entry."""
    return value[0] if isinstance(value, tuple) and len(value) == 1 else value


results(
    "a_jacobian_is_transposed",
    "jacobian gives the input's dimensions before the output's.",
    ("jacobian",),
    lambda found, inputs: in_tree(turned, found),
)
results(
    "a_jacobian_is_a_matrix",
    "jacobian gives a matrix whatever the shapes.",
    ("jacobian",),
    lambda found, inputs: in_tree(lambda b: b.flatten(1) if b.dim() > 2 else b, found),
)
results(
    "a_jacobian_comes_by_input",
    "jacobian of several outputs and inputs comes by input first.",
    ("jacobian",),
    lambda found, inputs: tuple(zip(*found, strict=True)) if is_nested(found) else found,
)
results(
    "a_tuple_of_one_input_is_a_tensor",
    "A result for a tuple of one is unpacked.",
    ALL,
    lambda found, inputs: (
        bare(found) if not isinstance(inputs, tuple) or len(inputs) == 1 else found
    ),
)
results(
    "a_product_comes_without_the_value",
    "Products come without the value of the function.",
    PRODUCTS,
    lambda found, inputs: found[1],
)
results(
    "a_product_comes_before_the_value",
    "Products come before the value of the function.",
    PRODUCTS,
    lambda found, inputs: found[::-1],
)
results(
    "blocks_of_a_hessian_off_the_diagonal_are_zero",
    "hessian computes the blocks on its diagonal only.",
    ("hessian",),
    lambda found, inputs: (
        tuple(
            tuple(b if i == j else torch.zeros_like(b) for j, b in enumerate(row))
            for i, row in enumerate(found)
        )
        if is_nested(found)
        else found
    ),
)
results(
    "independent_inputs_get_none",
    "A result of zeros comes as None.",
    ALL,
    lambda found, inputs: in_tree(lambda g: None if bool((g == 0).all()) else g, found),
)
results(
    "functional_results_require_grad",
    "Results keep the history of what computed them.",
    ALL,
    lambda found, inputs: in_tree(
        lambda g: g if g.requires_grad else g.clone().requires_grad_(), found
    ),
)
results(
    "values_beside_products_are_detached",
    "With create_graph, the value beside a product has no history.",
    PRODUCTS,
    lambda found, inputs: (in_tree(untouched.detach, found[0]), found[1]),
)
without("create_graph", "create_graph_is_ignored", "create_graph is ignored.", ALL)
without("strict", "strict_is_ignored", "strict is ignored.", ALL)
without("vectorize", "strict_goes_with_vectorize", "vectorize is ignored.", ("jacobian", "hessian"))


@fault
def columns_of_forward_mode_are_rows(patch: Patch) -> None:
    """In forward mode, the columns of a Jacobian are put together as rows."""

    def call(whole: Any, *args: Any, strategy: str = "reverse-mode", **keywords: Any) -> Any:
        found = whole(*args, strategy=strategy, **keywords)
        return in_tree(turned, found) if strategy == "forward-mode" else found

    calls(patch, ("jacobian",), call)


@fault
def columns_of_forward_mode_are_constants(patch: Patch) -> None:
    """In forward mode, derivatives are constants, whatever create_graph says."""

    def call(whole: Any, *args: Any, create_graph: bool = False, **keywords: Any) -> Any:
        if "forward-mode" not in keywords.values():
            return whole(*args, create_graph=create_graph, **keywords)
        return in_tree(untouched.detach, whole(*args, **keywords))

    calls(patch, ("jacobian", "hessian"), call)


@fault
def captured_tensors_are_constants_of_derivatives(patch: Patch) -> None:
    """create_graph has no effect unless an input requires grad."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        given = inputs if isinstance(inputs, tuple) else (inputs,)
        if not any(is_tensor(x) and x.requires_grad for x in (*given, *args)):
            keywords.pop("create_graph", None)
        return whole(f, inputs, *args, **keywords)

    calls(patch, ALL, call)


@fault
def vectorized_jacobians_repeat_the_first_row(patch: Patch) -> None:
    """With vectorize, all rows of a Jacobian are the first."""

    def call(whole: Any, *args: Any, vectorize: bool = False, **keywords: Any) -> Any:
        found = whole(*args, vectorize=vectorize, **keywords)
        rows = lambda b: b[:1].expand(b.shape) if b.dim() else b  # noqa: E731
        return in_tree(rows, found) if vectorize else found

    calls(patch, ("jacobian", "hessian"), call)


@fault
def products_of_several_inputs_take_the_first_vector(patch: Patch) -> None:
    """Products take the entries of a vector but the first for zeros."""

    def call(whole: Any, f: Any, inputs: Any, v: Any = None, **keywords: Any) -> Any:
        if isinstance(v, tuple) and len(v) > 1:
            v = (v[0], *(torch.zeros_like(entry) for entry in v[1:]))
        return whole(f, inputs, v, **keywords)

    calls(patch, PRODUCTS, call)


@fault
def second_derivatives_sum_the_elements(patch: Patch) -> None:
    """hessian, vhp and hvp take the sum of an output of several elements."""

    def call(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        def total(*xs: Any) -> Any:
            out = f(*xs)
            return out.sum() if is_tensor(out) else out

        return whole(total, *args, **keywords)

    calls(patch, SECOND, call)


@fault
def second_derivatives_take_the_first_output(patch: Patch) -> None:
    """hessian, vhp and hvp take the first entry of a tuple of outputs."""

    def call(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        def first(*xs: Any) -> Any:
            out = f(*xs)
            return out[0] if isinstance(out, tuple) else out

        return whole(first, *args, **keywords)

    calls(patch, SECOND, call)


def vectors_as(name: str, sentence: str, change: Callable[[Any, Any], Any]) -> None:
    """A fault: products take `change(v, like)` for their vector; `like` is what it is multiplied
    with."""

    def install(patch: Patch) -> None:
        for product in PRODUCTS:

            def call(
                whole: Any, f: Any, inputs: Any, v: Any = None, *args: Any,
                by_output: bool = product == "vjp", **keywords: Any,
            ) -> Any:  # fmt: skip
                xs = inputs if isinstance(inputs, tuple) else (inputs,)
                fit = all(is_tensor(x) for x in xs)
                like = (f(*xs) if by_output else inputs) if fit else None
                return whole(f, inputs, change(v, like), *args, **keywords)

            calls(patch, (product,), call)

    register(name, sentence, install)


def stretched(v: Any, like: Any) -> Any:
    fits = is_tensor(v) and is_tensor(like) and v.numel() == 1
    return v.expand(like.shape) if fits else v


def filled_up(v: Any, like: Any) -> Any:
    if not isinstance(v, tuple) or not isinstance(like, tuple):
        return v
    return (*v, *(torch.zeros_like(x) for x in like[len(v) :]))


vectors_as("vectors_of_products_are_broadcast", "A vector of one element is broadcast.", stretched)
vectors_as("missing_entries_of_a_vector_are_zeros", "A vector is filled up with zeros.", filled_up)
vectors_as(
    "a_vector_is_ones_of_any_shape",
    "A vector that is left out is ones, of any shape.",
    lambda v, like: torch.ones_like(like) if v is None and is_tensor(like) else v,
)
vectors_as(
    "a_vector_left_out_is_two",
    "A vector that is left out is not one.",
    lambda v, like: torch.ones_like(like) * 2.0 if v is None and is_tensor(like) else v,
)


@fault
def lists_of_inputs_are_tuples(patch: Patch) -> None:
    """A list of inputs is taken for a tuple, and a number for a tensor."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        return whole(f, tuple(inputs) if isinstance(inputs, list) else inputs, *args, **keywords)

    calls(patch, ALL, call)


@fault
def lists_of_outputs_are_tuples(patch: Patch) -> None:
    """A list of outputs is taken for a tuple."""

    def call(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        def given(*xs: Any) -> Any:
            out = f(*xs)
            return tuple(out) if isinstance(out, list) else out

        return whole(given, *args, **keywords)

    calls(patch, ALL, call)


@fault
def inputs_require_grad_afterwards(patch: Patch) -> None:
    """requires_grad is set on the inputs."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        found = whole(f, inputs, *args, **keywords)
        in_tree(lambda x: x.requires_grad_(), inputs)
        return found

    calls(patch, ALL, call)


@fault
def inputs_lose_their_history(patch: Patch) -> None:
    """Inputs that have a history are detached for good."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        found = whole(f, inputs, *args, **keywords)
        in_tree(lambda x: x if x.is_leaf else x.detach_(), inputs)
        return found

    calls(patch, ALL, call)


@fault
def functions_get_the_inputs_themselves(patch: Patch) -> None:
    """The function gets the caller's tensors if they require grad."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        if is_tensor(inputs) and inputs.requires_grad:
            return whole(lambda x: again(f, inputs, x), inputs, *args, **keywords)
        return whole(f, inputs, *args, **keywords)

    def again(f: Any, given: Any, x: Any) -> Any:
        f(given)
        return f(x)

    calls(patch, ALL, call)


@fault
def functional_gives_zeros_under_no_grad(patch: Patch) -> None:
    """Under no_grad, all derivatives are zero."""

    def call(whole: Any, *args: Any, **keywords: Any) -> Any:
        found = whole(*args, **keywords)
        return found if torch.is_grad_enabled() else in_tree(torch.zeros_like, found)

    calls(patch, ALL, call)


@fault
def functional_within_a_transform_gives_constants(patch: Patch) -> None:
    """Within a transform, autograd.functional gives zeros."""
    running = Running(patch)

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        if running.depth:
            return inputs, in_tree(torch.zeros_like, inputs)
        return whole(f, inputs, *args, **keywords)

    calls(patch, ALL, call)


@fault
def forward_mode_needs_no_vectorize(patch: Patch) -> None:
    """Forward mode is accepted without vectorize=True."""

    def call(whole: Any, *args: Any, **keywords: Any) -> Any:
        if "forward-mode" in keywords.values() and not keywords.get("strict"):
            keywords["vectorize"] = True
        return whole(*args, **keywords)

    calls(patch, ("jacobian", "hessian"), call)


@fault
def constants_have_no_derivative(patch: Patch) -> None:
    """A function whose output does not depend on its inputs raises an error."""

    def call(whole: Any, f: Any, *args: Any, **keywords: Any) -> Any:
        def given(*xs: Any) -> Any:
            out = f(*xs)
            if is_tensor(out) and out.is_leaf and not any(out is x for x in xs):
                raise RuntimeError("the output does not require grad")
            return out

        return whole(given, *args, **keywords)

    calls(patch, ALL, call)


results(
    "results_of_zeros_have_the_default_dtype",
    "A result of zeros has the default dtype.",
    ALL,
    lambda found, inputs: in_tree(
        lambda g: torch.zeros(g.shape) if bool((g == 0).all()) else g, found
    ),
)
results(
    "a_tuple_of_one_output_is_a_tensor",
    "The output beside a product is unpacked from a tuple of one.",
    PRODUCTS,
    lambda found, inputs: (bare(found[0]), *found[1:]),
)
results(
    "only_first_results_are_differentiable",
    "With create_graph, results but the first have no history.",
    ALL,
    lambda found, inputs: (
        (found[0], *in_tree(untouched.detach, found[1:])) if is_nested(found) else found
    ),
)


@fault
def strict_minds_each_output(patch: Patch) -> None:
    """With strict, a product raises an error if one of the outputs does not depend on an input."""

    def call(whole: Any, f: Any, inputs: Any, *args: Any, **keywords: Any) -> Any:
        if keywords.get("strict") and isinstance(inputs, tuple):
            torch.autograd.functional.jacobian(f, inputs, strict=True)
        return whole(f, inputs, *args, **keywords)

    calls(patch, ("vjp", "jvp"), call)
