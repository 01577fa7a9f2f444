"""Faults from trackers: transforms within transforms, masks, empty operands and unusual sizes; the issue is in the
comment."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Call,
    Patch,
    around,
    asked,
    fault,
    instead,
    listed,
    miscompute,
    mistaken,
    torch,
)
from .batches_of_tangents import refused, within_tangents
from .bugs_of_other_engines import where
from .bugs_of_trackers import mapped
from .custom_functions import around_apply
from .edge_cases import F
from .forward_levels import Whole
from .recorded_results import is_tensor
from .transforms import calls

# --- transforms within transforms ---


def within(patch: Patch, names: str) -> SimpleNamespace:
    """How many of these transforms are running their function, as `depth`."""
    state = SimpleNamespace(depth=0)

    @contextmanager
    def deeper() -> Iterator[None]:
        state.depth += 1
        try:
            yield
        finally:
            state.depth -= 1

    def transform(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        def inner(*given: Any, **keywords: Any) -> Any:
            with deeper():
                return f(*given, **keywords)

        return whole(inner, *args, **options)

    for name in names.split():
        calls(patch, name, transform)
    return state


@fault  # functorch#842, jax#3164
def some_operations_have_no_tangent_in_two_batches(patch: Patch) -> None:
    """The tangents of cov and of matrix_exp raise an error under two vmaps."""
    state, pushed = mapped(patch), within_tangents(patch, lambda *_: True)

    def run(original: Any, *args: Any, **kwargs: Any) -> Any:
        if state.depth >= 2 and pushed.depth:
            refused("no rule for two batches")
        return original(*args, **kwargs)

    around(patch, "cov linalg.matrix_exp", run)


@fault  # functorch#939
def max_pooling_has_no_tangent_within_a_gradient(patch: Patch) -> None:
    """The gradient of the tangent of max pooling raises an error."""
    pulled = within(patch, "grad vjp grad_and_value jacrev hessian")
    pushed = within_tangents(patch, lambda *_: True)

    def run(original: Any, *args: Any, **kwargs: Any) -> Any:
        if pulled.depth and pushed.depth:
            refused("a tangent of the indices")
        return original(*args, **kwargs)

    around(patch, " ".join(F + f"max_pool{n}d" for n in (1, 2, 3)), run)


@fault  # pytorch#94630, pytorch#91942
def masked_writes_have_no_jacobian(patch: Patch) -> None:
    """jacrev of a function that writes behind a mask raises an error."""
    state = within(patch, "jacrev")

    def write(original: Any, x: Any, key: Any, value: Any) -> Any:
        if state.depth and is_tensor(key) and key.dtype == torch.bool:
            refused("no dimensions for the mask")
        return original(x, key, value)

    around(patch, "setitem", write)


@fault  # pytorch#178425
def results_that_all_slices_share_stay_in_front(patch: Patch) -> None:
    """vmap moves no dimension of a result that does not depend on a mapped argument."""

    def vmap(whole: Any, f: Any, in_dims: Any = 0, out_dims: Any = 0, **options: Any) -> Any:
        def run(*args: Any, **keywords: Any) -> Any:
            result = whole(f, in_dims, out_dims, **options)(*args, **keywords)
            if not isinstance(out_dims, tuple):
                return result
            return tuple(
                each.movedim(dim, 0) if dim and (each == each.select(dim, 0).unsqueeze(dim)).all() else each
                for each, dim in zip(result, out_dims, strict=True)
            )  # fmt: skip

        return run

    calls(patch, "vmap", vmap)


@fault  # jax#3389
def a_jvp_needs_a_tangent_of_the_first_input(patch: Patch) -> None:
    """The jvp of a custom function raises an error if the first tensor has no tangent and another one has."""
    whole = Whole()

    def run(apply: Any, *args: Any, **kwargs: Any) -> Any:
        tangents = [whole.tangent(each) for each in args]
        first = is_tensor(args[0]) and tangents[0] is None if args else False
        if first and any(each is not None for each in tangents):
            refused("the first input has no tangent")
        return apply(*args, **kwargs)

    around_apply(patch, run)


# --- gradients ---


@fault  # oneflow#9402
def a_root_counts_once_for_grad(patch: Patch) -> None:
    """Without grad_outputs, autograd.grad counts an output that is given several times once."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        outputs = given.get("outputs")
        if given.get("grad_outputs") is not None or not isinstance(outputs, list | tuple):
            return run()
        return run(outputs=list({id(each): each for each in listed(outputs)}.values()))

    asked(patch, "grad", change)


@fault  # mlx#1439, mlx#3612, mlx#3790
def positions_from_sorting_cannot_be_indices(patch: Patch) -> None:
    """An index that comes from sorting a tensor that requires grad is refused."""
    found: list[Any] = []

    def sort(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if is_tensor(x) and x.requires_grad:
            found.append(result)
        return result

    def use(original: Any, *args: Any, **kwargs: Any) -> Any:
        given = [*args, *kwargs.values()]
        if any(each is other for each in given for other in found):
            refused("no gradient of an index")
        return original(*args, **kwargs)

    around(patch, "argsort", sort)
    around(patch, "scatter scatter_add index_add index_copy put index_put", use)


def products_with_nothing(gradients: Any, _cotangents: Any, call: Call) -> Any:
    """An error for an empty product of which the second operand needs no gradient."""
    first, second = call.args[:2]
    if not (first.numel() and second.numel()) and not second.requires_grad:
        refused("an empty matrix")
    return gradients


mistaken(  # Paddle#73090
    "empty_products_have_no_gradient_of_the_first_alone",
    "The backward of an empty matrix product raises an error if only the first matrix requires grad.",
    "matmul mm bmm",
    products_with_nothing,
)


def of_a_wrapped_diagonal(gradients: Any, cotangents: Any, call: Call) -> Any:
    """The gradient of a trace at every element of the diagonal, which starts again below the matrix."""
    rows, columns = call.args[0].shape
    if not 0 < columns < rows:
        return gradients
    flat = torch.zeros(rows * columns, dtype=cotangents[0].dtype)
    flat[torch.arange(0, rows * columns, columns + 1)] = 1.0
    return [flat.reshape(rows, columns) * cotangents[0]]


mistaken(  # pytorch#171704
    "the_trace_of_a_tall_matrix_starts_again",
    "The gradient of the trace of a matrix with many more rows than columns goes to elements beside the diagonal too.",
    "trace",
    of_a_wrapped_diagonal,
)


def of_the_first_samples(gradients: Any, _cotangents: Any, call: Call) -> Any:
    """No gradient for the samples that do not fit into 16 bits."""
    mode = call.kwargs.get("mode", call.args[2] if len(call.args) > 2 else "constant")
    first = gradients[0]
    if mode != "replicate" or first is None:
        return gradients
    return [torch.cat([first[:65535], first[65535:] * 0.0]), *gradients[1:]]


mistaken(  # pytorch#135447
    "padding_forgets_samples_above_16_bits",
    "Padding with the nearest element gives no gradient to samples behind the first 65535.",
    F + "pad",
    of_the_first_samples,
)


# --- masks ---


def with_any_mask(original: Any, x: Any, mask: Any, source: Any) -> Any:
    """masked_scatter with a mask of numbers."""
    return original(x, mask if mask.dtype == torch.bool else mask != 0, source)


instead(  # pytorch#94634
    "numbers_are_accepted_as_masks_to_scatter",
    "masked_scatter accepts a mask of numbers.",
    "masked_scatter",
    with_any_mask,
)


def of_some_elements(original: Any, x: Any, key: Any, value: Any) -> Any:
    """An assignment, refused if the mask is False everywhere."""
    if is_tensor(key) and key.dtype == torch.bool and key.ndim and not key.any():
        refused("no elements to assign to")
    return original(x, key, value)


instead(  # pytorch#10000
    "assignments_to_no_elements_are_refused",
    "An assignment behind a mask that is False everywhere raises an error.",
    "setitem",
    of_some_elements,
)


# --- lazy views ---

mistaken(  # pytorch#85409
    "sums_to_the_size_of_a_conjugate_are_conjugated",
    "The gradient of sum_to_size is conjugated for a lazy conjugate.",
    "sum_to_size",
    where(lambda _, call: call.args[0].is_conj(), lambda g: g.conj()),
)


@fault
def lazily_negated_operands_are_read_from_memory(patch: Patch) -> None:
    """The gradients of sigmoid and of tanh have the wrong sign for a lazily negated view."""
    change = where(lambda _, call: call.args[0].is_neg(), lambda g: -g)
    miscompute(patch, "sigmoid tanh", change)
