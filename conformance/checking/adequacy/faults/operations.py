"""Faults of single operations: a first derivative that is wrong, and nothing else."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, Patch, each, fault, miscompute, mistaken, nth, torch


def averaged(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """Where an operand was broadcast, the mean of the gradients instead of their sum."""
    full = cotangents[0].numel()
    return [
        g if g is None or not full or g.numel() == full else g * g.numel() / full for g in gradients
    ]


for operation in ("add", "sub", "mul", "div", "maximum", "where", "pow"):
    mistaken(
        f"{operation}_averages_over_broadcasting",
        f"{operation} averages over the dimensions that were broadcast instead of summing.",
        operation,
        averaged,
    )


def first_of_ties(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """All of a reduction's gradient goes to the first element that attains it."""
    (gradient,) = gradients[:1]
    flat = gradient.reshape(-1)
    chosen = torch.zeros_like(flat)
    if flat.numel():
        at = int((flat != 0).to(torch.int8).argmax())
        chosen[at] = flat.sum()
    return [chosen.reshape(gradient.shape), *gradients[1:]]


def only_without_dim(change: Any) -> Any:
    """A change for calls that reduce over everything."""

    def changed(gradients: Any, cotangents: Any, call: Call) -> Any:
        whole = len(call.args) == 1 and "dim" not in call.kwargs
        return change(gradients, cotangents, call) if whole else gradients

    return changed


def only_with_dim(change: Any) -> Any:
    """A change for calls that reduce along a dimension."""

    def changed(gradients: Any, cotangents: Any, call: Call) -> Any:
        whole = len(call.args) == 1 and "dim" not in call.kwargs
        return gradients if whole else change(gradients, cotangents, call)

    return changed


def counted(gradients: Any, cotangents: Any, call: Call) -> list[Any]:
    """Every tie gets the whole gradient."""
    gradient = gradients[0]
    return [gradient.sign() * cotangents[0].abs().max(), *gradients[1:]]


mistaken(
    "max_gives_ties_to_the_first",
    "max() of everything gives all to the first of the ties.",
    "max",
    only_without_dim(first_of_ties),
)
mistaken(
    "max_gives_every_tie_everything",
    "max() of everything gives each tie the whole gradient.",
    "max",
    only_without_dim(counted),
)
mistaken(
    "min_gives_ties_to_the_first",
    "min() of everything gives all to the first of the ties.",
    "min",
    only_without_dim(first_of_ties),
)
mistaken(
    "amax_gives_ties_to_the_first",
    "amax gives all to the first of the ties.",
    "amax",
    first_of_ties,
)
mistaken(
    "amin_gives_ties_to_the_first",
    "amin gives all to the first of the ties.",
    "amin",
    first_of_ties,
)


def along(call: Call) -> int:
    """The dimension of a reduction."""
    dim = call.kwargs.get("dim", call.args[1] if len(call.args) > 1 else 0)
    return dim if isinstance(dim, int) else dim[0]


mistaken(
    "max_along_a_dimension_is_even",
    "max along a dimension spreads the gradient evenly.",
    "max",
    only_with_dim(
        nth(0, lambda g, c, call: g.sum(along(call), True).expand_as(g) / g.shape[along(call)])
    ),
)
mistaken(
    "minimum_gives_ties_to_the_first",
    "minimum gives a tie to the first operand instead of halving.",
    "minimum",
    lambda gi, go, call: [
        None if g is None else torch.where(call.args[0] == call.args[1], g * (2 - 2 * i), g)
        for i, g in enumerate(gi)
    ],
)
mistaken(
    "maximum_gives_ties_to_both",
    "maximum gives a tie wholly to both operands.",
    "maximum",
    lambda gi, go, call: [
        None if g is None else torch.where(call.args[0] == call.args[1], g * 2, g) for g in gi
    ],
)
mistaken(
    "where_leaks",
    "where sends gradient to both branches everywhere.",
    "where",
    lambda gi, go, call: [
        None if g is None else go[0].expand_as(g) if go[0].shape == g.shape else g for g in gi
    ],
)
mistaken(
    "where_swaps",
    "where sends the gradients to the wrong branches.",
    "where",
    lambda gi, go, call: list(reversed(gi)) if len(gi) == 2 and None not in gi else gi,
)
mistaken(
    "cat_splits_evenly",
    "cat gives its first two inputs each other's gradients where shapes allow.",
    "cat",
    lambda gi, go, call: (
        [gi[1], gi[0], *gi[2:]]
        if len(gi) > 1 and None not in gi[:2] and gi[0].shape == gi[1].shape
        else gi
    ),
)
mistaken(
    "cat_starts_over",
    "cat gives every input the first slice of the cotangent.",
    "cat",
    lambda gi, go, call: [
        None if g is None else go[0].reshape(-1)[: g.numel()].reshape(g.shape) for g in gi
    ],
)
mistaken(
    "stack_gives_the_mean",
    "stack gives every input the mean over all.",
    "stack",
    lambda gi, go, call: [
        None if g is None else go[0].sum() * torch.ones_like(g) / go[0].numel() for g in gi
    ],
)


def deduplicated(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Duplicate indices overwrite each other instead of adding up."""
    index = call.args[1] if len(call.args) > 1 else None
    if isinstance(index, list):
        index = torch.tensor(index)
    gradient = gradients[0]
    if not isinstance(index, torch.Tensor) or index.dtype != torch.int64 or gradient is None:
        return gradients
    if index.dim() != 1:
        return gradients
    written = gradient.clone() * 0
    for at, place in enumerate(index.tolist()):
        written = written.index_copy(0, torch.tensor([place]), cotangents[0][at : at + 1])
    return [written, *gradients[1:]]


mistaken(
    "indexing_with_duplicates_overwrites",
    "Indexing with the same index twice keeps one contribution.",
    "getitem",
    deduplicated,
)


def index_select_deduplicated(gradients: Any, cotangents: Any, call: Call) -> Any:
    if call.args[1] != 0:
        return gradients
    return deduplicated(gradients, cotangents, Call((call.args[0], call.args[2]), {}, None))


mistaken(
    "index_select_with_duplicates_overwrites",
    "index_select of one index twice keeps one contribution.",
    "index_select",
    index_select_deduplicated,
)
mistaken(
    "gather_with_duplicates_overwrites",
    "gather of one element twice keeps one contribution.",
    "gather",
    nth(0, lambda g, c, call: torch.zeros_like(g).scatter(call.args[1], call.args[2], c)),
)
mistaken(
    "take_with_duplicates_overwrites",
    "take of one element twice keeps one contribution.",
    "take",
    nth(
        0,
        lambda g, c, call: (
            torch.zeros_like(g)
            .reshape(-1)
            .scatter(0, call.args[1].reshape(-1), c.reshape(-1))
            .reshape(g.shape)
        ),
    ),
)
mistaken(
    "negative_indices_are_lost",
    "Indexing with a negative integer sends no gradient.",
    "getitem",
    lambda gi, go, call: [
        g * 0 if isinstance(call.args[1], int) and call.args[1] < 0 and g is not None else g
        for g in gi
    ],
)
mistaken(
    "strided_slices_shift",
    "Slicing with a step sends the gradient to the first elements.",
    "getitem",
    lambda gi, go, call: (
        [shifted(gi[0], go[0], call)]
        if isinstance(call.args[1], slice) and (call.args[1].step or 1) > 1
        else gi
    ),
)
mistaken(
    "masks_send_all",
    "Indexing with a mask sends the gradients to the first elements.",
    "getitem",
    lambda gi, go, call: (
        [shifted(gi[0], go[0], call), *gi[1:]]
        if isinstance(call.args[1], torch.Tensor) and call.args[1].dtype == torch.bool
        else gi
    ),
)


def shifted(gradient: Any, cotangent: Any, call: Call) -> Any:
    """The cotangent at the start, zeros after it."""
    flat = torch.zeros(gradient.numel(), dtype=gradient.dtype)
    flat = torch.cat([cotangent.reshape(-1), flat[cotangent.numel() :]])
    return flat.reshape(gradient.shape)


def keepdim(call: Call) -> bool:
    return bool(call.kwargs.get("keepdim")) or (len(call.args) > 2 and call.args[2] is True)


mistaken(
    "sum_with_keepdim_averages",
    "sum(keepdim=True) divides the gradient by the number of terms.",
    "sum",
    lambda gi, go, call: [g * go[0].numel() / g.numel() for g in gi] if keepdim(call) else gi,
)
mistaken(
    "sum_over_a_tuple_repeats",
    "sum over several dimensions counts twice.",
    "sum",
    lambda gi, go, call: (
        [g * 2 for g in gi]
        if isinstance(
            call.kwargs.get("dim", call.args[1] if len(call.args) > 1 else 0), tuple | list
        )
        else gi
    ),
)
mistaken(
    "sum_over_a_negative_dimension_is_zero",
    "sum over a negative dimension sends no gradient.",
    "sum",
    lambda gi, go, call: (
        [g * 0 for g in gi]
        if len(call.args) > 1 and isinstance(call.args[1], int) and call.args[1] < 0
        else gi
    ),
)
mistaken(
    "mean_forgets_to_divide",
    "mean sends the gradient undivided.",
    "mean",
    lambda gi, go, call: [g * g.numel() / max(1, go[0].numel()) for g in gi],
)
mistaken(
    "mean_along_a_dimension_divides_by_everything",
    "mean along a dimension divides by all elements.",
    "mean",
    only_with_dim(lambda gi, go, call: [g / max(1, go[0].numel()) for g in gi]),
)
mistaken("expand_averages", "expand gives the mean of the gradients.", "expand", averaged)
mistaken(
    "repeat_counts_once",
    "repeat keeps the gradient of the first copy.",
    "repeat tile",
    lambda gi, go, call: [gi[0] * gi[0].numel() / max(1, go[0].numel())],
)
mistaken(
    "prod_divides",
    "prod divides by the element, so that a zero gives nan.",
    "prod",
    only_without_dim(nth(0, lambda g, c, call: c * call.result / call.args[0])),
)
mistaken(
    "prod_along_a_dimension_divides",
    "prod along a dimension divides by the element, so that a zero gives nan.",
    "prod",
    only_with_dim(nth(0, lambda g, c, call: torch.where(call.args[0] == 0, g * torch.nan, g))),
)
mistaken(
    "prod_with_two_zeros_is_nan",
    "prod gives nan for two zeros where one zero is right.",
    "prod",
    nth(0, lambda g, c, call: g * torch.nan if (call.args[0] == 0).sum() > 1 else g),
)
mistaken(
    "norm_at_zero_is_nan",
    "norm at zero gives nan.",
    "norm linalg.norm linalg.vector_norm",
    nth(0, lambda g, c, call: torch.where((call.args[0] == 0).all(), g * torch.nan, g)),
)
mistaken(
    "norm_counts_twice",
    "norm lacks the square root's half.",
    "norm linalg.norm linalg.vector_norm",
    nth(0, lambda g, c, call: g * 2),
)
mistaken(
    "sort_does_not_unsort",
    "sort sends gradients back in sorted order.",
    "sort",
    nth(0, lambda g, c, call: c if c is not None else g),
)
mistaken(
    "descending_sort_is_ascending",
    "sort(descending=True) sends gradients back as if ascending.",
    "sort",
    nth(0, lambda g, c, call: g.flip(-1) if call.kwargs.get("descending") else g),
)
mistaken(
    "topk_sends_to_the_first",
    "topk sends gradients to the first elements.",
    "topk",
    nth(0, lambda g, c, call: shifted(g, c, call)),
)
mistaken(
    "cumsum_is_not_reversed",
    "cumsum sums the gradient forwards instead of backwards.",
    "cumsum",
    nth(0, lambda g, c, call: c.cumsum(along(call))),
)
mistaken(
    "cumprod_divides",
    "cumprod divides by the element, so that a zero gives nan.",
    "cumprod",
    nth(0, lambda g, c, call: torch.where(call.args[0] == 0, g * torch.nan, g)),
)
mistaken(
    "median_is_even",
    "median spreads the gradient.",
    "median",
    nth(0, lambda g, c, call: torch.ones_like(g) * g.sum() / g.numel()),
)
mistaken(
    "std_ignores_the_correction",
    "std differentiates as if by n instead of n - 1.",
    "std",
    nth(0, lambda g, c, call: g * (call.args[0].numel() - 1) / call.args[0].numel()),
)
mistaken(
    "var_ignores_the_correction",
    "var differentiates as if by n instead of n - 1.",
    "var",
    nth(0, lambda g, c, call: g * (call.args[0].numel() - 1) / call.args[0].numel()),
)
mistaken(
    "var_does_not_centre",
    "var forgets the mean.",
    "var",
    nth(
        0,
        lambda g, c, call: (
            g + 2 * c.sum() * call.args[0].detach().mean() / max(1, call.args[0].numel() - 1)
        ),
    ),
)
mistaken(
    "clamp_stops_at_its_bounds",
    "clamp sends no gradient where the input equals a bound.",
    "clamp",
    nth(0, lambda g, c, call: torch.where(at_bound(call), torch.zeros_like(g), g)),
)
mistaken(
    "clamp_passes_everything",
    "clamp passes gradient outside of its bounds.",
    "clamp",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "clamp_min_alone_passes",
    "clamp with only a lower bound passes everything.",
    "clamp",
    nth(0, lambda g, c, call: c if "min" in call.kwargs and "max" not in call.kwargs else g),
)


def at_bound(call: Call) -> Any:
    bounds = [*call.args[1:], call.kwargs.get("min"), call.kwargs.get("max")]
    found = torch.zeros_like(call.args[0], dtype=torch.bool, requires_grad=False)
    for bound in bounds:
        if bound is not None:
            found = found | (call.args[0] == bound)
    return found


def at(point: float, value: float) -> Any:
    """Another derivative at one point."""
    return nth(0, lambda g, c, call: torch.where(call.args[0] == point, c * value, g))


mistaken("abs_at_zero_is_one", "abs has derivative 1 at 0.", "abs", at(0, 1))
mistaken("relu_at_zero_is_one", "relu has derivative 1 at 0.", "relu nn.functional.relu", at(0, 1))
mistaken(
    "sqrt_at_zero_is_zero", "sqrt has derivative 0 at 0 instead of infinity.", "sqrt", at(0, 0)
)
mistaken("sign_has_a_gradient", "sign passes the gradient.", "sign", nth(0, lambda g, c, call: c))
mistaken(
    "floor_passes",
    "floor passes the gradient straight through.",
    "floor",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "round_passes",
    "round passes the gradient straight through.",
    "round",
    nth(0, lambda g, c, call: c),
)
mistaken(
    "power_at_zero_is_nan",
    "pow(x, 0) and pow(x, 1) at 0 give nan.",
    "pow",
    lambda gi, go, call: [
        g
        if g is None
        or not isinstance(call.args[0], torch.Tensor)
        or isinstance(call.args[1], torch.Tensor)
        or call.args[1] > 1
        else torch.where(call.args[0] == 0, g * torch.nan, g)
        for g in gi
    ],
)
mistaken(
    "power_of_exponent_ignores_zero_base",
    "The gradient of pow for its exponent is nan for a base of 0.",
    "pow",
    lambda gi, go, call: [
        *gi[:1],
        *(
            g if g is None else torch.where(torch.as_tensor(call.args[0]) == 0, g * torch.nan, g)
            for g in gi[1:]
        ),
    ],
)
mistaken(
    "power_of_exponent_is_missing",
    "pow sends no gradient to its exponent.",
    "pow rpow",
    lambda gi, go, call: [*gi[:1], *(None if g is None else g * 0 for g in gi[1:])],
)
mistaken(
    "sub_forgets_its_sign",
    "sub sends its second operand the gradient without the sign.",
    "sub",
    nth(1, lambda g, c, call: -g),
)
mistaken(
    "rsub_forgets_its_sign",
    "1 - x sends the gradient without the sign.",
    "rsub",
    each(lambda g, call: -g),
)
mistaken(
    "rdiv_forgets_its_sign",
    "1 / x sends the gradient without the sign.",
    "rdiv",
    each(lambda g, call: -g),
)
mistaken(
    "div_forgets_the_square",
    "div divides the gradient of the divisor by it once only.",
    "div",
    nth(1, lambda g, c, call: g * call.args[1]),
)
mistaken(
    "add_ignores_alpha",
    "add(alpha=2) sends the second operand the gradient unscaled.",
    "add",
    nth(1, lambda g, c, call: g / call.kwargs.get("alpha", 1)),
)
mistaken(
    "sub_ignores_alpha",
    "sub(alpha=2) sends the second operand the gradient unscaled.",
    "sub",
    nth(1, lambda g, c, call: g / call.kwargs.get("alpha", 1)),
)


@fault
def matmul_of_vectors_is_an_outer_product(patch: Patch) -> None:
    """The gradients of the product of two vectors are swapped."""
    miscompute(
        patch,
        "matmul dot",
        lambda gi, go, call: (
            list(reversed(gi)) if call.args[0].dim() == call.args[1].dim() == 1 else gi
        ),
    )


def matmul_case(dims: tuple[int, int], index: int) -> Any:
    def change(gradients: Any, cotangents: Any, call: Call) -> Any:
        if (call.args[0].dim(), call.args[1].dim()) != dims:
            return gradients
        return [
            None if g is None else g * (2 if i == index else 1) for i, g in enumerate(gradients)
        ]

    return change


# Where a product is computed as another one, whose node alone is seen, only one operand is.
for dims, index in (
    ((1, 1), 0), ((1, 1), 1), ((1, 2), 0), ((2, 1), 0), ((2, 1), 1), ((2, 2), 0), ((2, 2), 1),
    ((1, 3), 0), ((3, 1), 0), ((3, 2), 0), ((2, 3), 0), ((3, 3), 0), ((3, 3), 1),
):  # fmt: skip
    mistaken(
        f"matmul_{dims[0]}d_{dims[1]}d_is_wrong_for_operand_{index + 1}",
        f"The gradient of a product of {dims[0]} and {dims[1]} dimensions is doubled for operand {index + 1}.",
        "matmul linalg.matmul mm mv dot bmm",
        matmul_case(dims, index),
    )
