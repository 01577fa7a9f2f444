"""Faults of single operations that show only in a corner: an argument, a shape, a special value."""

from __future__ import annotations

from typing import Any

from ..breaking import Call, mistaken, nth, torch

F = "nn.functional."


def argument(call: Call, index: int, name: str, default: Any = None) -> Any:
    """An argument of a call, by place or by name."""
    return call.args[index] if len(call.args) > index else call.kwargs.get(name, default)


def when(condition: Any, index: int = 0, factor: float = 2.0) -> Any:
    """The gradient of one operand is scaled for the calls for which `condition(call)` holds."""
    return nth(index, lambda g, c, call: g * factor if condition(call) else g)


def every(condition: Any, factor: float = 2.0) -> Any:
    """Every gradient is scaled for the calls for which `condition(call)` holds."""
    return lambda gi, go, call: [
        None if g is None else g * factor if condition(call) else g for g in gi
    ]


def shape(call: Call, index: int = 0) -> tuple[int, ...]:
    return tuple(call.args[index].shape) if isinstance(call.args[index], torch.Tensor) else ()


mistaken(
    "third_input_of_cat_is_lost",
    "cat sends no gradient from its third input on.",
    "cat",
    lambda gi, go, call: [g if g is None or i < 2 else g * 0 for i, g in enumerate(gi)],
)
mistaken(
    "cat_along_another_dimension",
    "cat is wrong along a dimension other than the first.",
    "cat",
    every(lambda call: argument(call, 1, "dim", 0) != 0),
)
mistaken(
    "cat_along_a_negative_dimension",
    "cat is wrong along a negative dimension.",
    "cat",
    every(lambda call: argument(call, 1, "dim", 0) < 0),
)
mistaken(
    "stack_along_another_dimension",
    "stack is wrong along a dimension other than the first.",
    "stack",
    every(lambda call: argument(call, 1, "dim", 0) != 0),
)
mistaken(
    "index_with_an_ellipsis",
    "Indexing with an ellipsis is wrong.",
    "getitem",
    every(
        lambda call: isinstance(call.args[1], tuple) and any(i is Ellipsis for i in call.args[1])
    ),
)
mistaken(
    "index_with_none",
    "Indexing with None is wrong.",
    "getitem",
    every(
        lambda call: (
            call.args[1] is None
            or (isinstance(call.args[1], tuple) and any(i is None for i in call.args[1]))
        )
    ),
)
mistaken(
    "index_with_several_tensors",
    "Indexing with several tensors is wrong.",
    "getitem",
    every(
        lambda call: (
            isinstance(call.args[1], tuple)
            and sum(isinstance(i, torch.Tensor | list) for i in call.args[1]) > 1
        )
    ),
)
mistaken(
    "index_with_a_tensor_and_a_slice",
    "Indexing with a tensor and a slice is wrong.",
    "getitem",
    every(
        lambda call: (
            isinstance(call.args[1], tuple)
            and any(isinstance(i, torch.Tensor | list) for i in call.args[1])
            and any(isinstance(i, slice) for i in call.args[1])
        )
    ),
)
mistaken(
    "index_with_a_matrix_of_indices",
    "Indexing with a tensor of two dimensions is wrong.",
    "getitem",
    every(
        lambda call: (
            isinstance(call.args[1], torch.Tensor)
            and call.args[1].dim() > 1
            and call.args[1].dtype == torch.int64
        )
    ),
)
mistaken(
    "index_with_negative_entries",
    "Indexing with a tensor that holds negative indices is wrong.",
    "getitem",
    every(
        lambda call: (
            isinstance(call.args[1], torch.Tensor | list)
            and torch.as_tensor(call.args[1]).dtype == torch.int64
            and bool((torch.as_tensor(call.args[1]) < 0).any())
        )
    ),
)
mistaken(
    "matmul_of_batches_is_wrong_for_size_one",
    "matmul is wrong where a batch of size one is broadcast.",
    "matmul bmm",
    every(
        lambda call: (
            call.args[0].dim() > 2
            and call.args[1].dim() > 2
            and call.args[0].shape[0] != call.args[1].shape[0]
        )
    ),
)
mistaken(
    "addmm_ignores_beta",
    "addmm sends the addend the gradient without beta.",
    "addmm",
    nth(0, lambda g, c, call: g / (call.kwargs.get("beta", 1) or 1)),
)
mistaken(
    "addmm_ignores_alpha",
    "addmm sends the factors the gradient without alpha.",
    "addmm",
    lambda gi, go, call: [
        g if i == 0 or g is None else g / (call.kwargs.get("alpha", 1) or 1)
        for i, g in enumerate(gi)
    ],
)
mistaken(
    "addcmul_ignores_its_value",
    "addcmul ignores value in its gradients.",
    "addcmul",
    lambda gi, go, call: [
        g if i == 0 or g is None else g / (call.kwargs.get("value", 1) or 1)
        for i, g in enumerate(gi)
    ],
)
mistaken(
    "lerp_forgets_the_weights_gradient",
    "lerp sends no gradient to a weight that is a tensor.",
    "lerp",
    nth(2, lambda g, c, call: g * 0),
)
mistaken(
    "clamp_forgets_bounds_that_are_tensors",
    "clamp sends no gradient to bounds that are tensors.",
    "clamp",
    lambda gi, go, call: [g if i == 0 or g is None else g * 0 for i, g in enumerate(gi)],
)
mistaken(
    "softmax_ignores_dim",
    "softmax differentiates along the last dimension whichever was given.",
    "softmax nn.functional.softmax",
    nth(0, lambda g, c, call: softmax_backward(c, call.result, -1)),
)
mistaken(
    "log_softmax_ignores_dim",
    "log_softmax differentiates along the last dimension whichever was given.",
    "log_softmax nn.functional.log_softmax",
    nth(0, lambda g, c, call: c - call.result.exp() * c.sum(-1, keepdim=True) if c.dim() else g),
)
mistaken(
    "cross_entropy_forgets_to_average",
    "cross_entropy sums in its gradient where it averages.",
    F + "cross_entropy",
    nth(
        0,
        lambda g, c, call: (
            g * call.args[0].shape[0] if call.kwargs.get("reduction", "mean") == "mean" else g
        ),
    ),
)
mistaken(
    "mse_loss_forgets_its_target",
    "mse_loss sends no gradient to its target.",
    F + "mse_loss nn.MSELoss.forward",
    nth(1, lambda g, c, call: g * 0),
)
mistaken(
    "mse_loss_of_sum_averages",
    "mse_loss(reduction='sum') divides its gradient.",
    F + "mse_loss",
    lambda gi, go, call: [
        None if g is None else g / g.numel() if call.kwargs.get("reduction") == "sum" else g
        for g in gi
    ],
)
mistaken(
    "conv2d_forgets_its_bias",
    "conv2d sends its bias the mean of the gradients.",
    F + "conv2d",
    nth(2, lambda g, c, call: g / (c.numel() / c.shape[1])),
)
mistaken(
    "conv2d_flips_its_kernel",
    "conv2d sends its kernel the gradient upside down.",
    F + "conv2d",
    nth(1, lambda g, c, call: g.flip(-1)),
)
mistaken(
    "conv2d_with_padding_is_wrong",
    "conv2d with padding sends the wrong gradient to its input.",
    F + "conv2d",
    when(lambda call: argument(call, 4, "padding", 0) not in (0, (0, 0))),
)
mistaken(
    "conv2d_with_stride_is_wrong",
    "conv2d with a stride sends the wrong gradient to its input.",
    F + "conv2d",
    when(lambda call: argument(call, 3, "stride", 1) not in (1, (1, 1))),
)
mistaken(
    "linear_forgets_its_bias",
    "linear sends its bias the mean of the gradients.",
    F + "linear",
    lambda gi, go, call: [
        g / go[0].shape[0] if g is not None and g.dim() == 1 and go[0].dim() > 1 else g for g in gi
    ],
)


def softmax_backward(cotangent: Any, result: Any, dim: int) -> Any:
    if not cotangent.dim():
        return cotangent * 0
    return result * (cotangent - (cotangent * result).sum(dim, keepdim=True))


mistaken(
    "std_without_correction",
    "std(correction=0) is differentiated as if corrected.",
    "std",
    when(
        lambda call: call.kwargs.get("correction", 1) == 0 or call.kwargs.get("unbiased") is False
    ),
)
mistaken(
    "var_without_correction",
    "var(correction=0) is differentiated as if corrected.",
    "var",
    when(
        lambda call: call.kwargs.get("correction", 1) == 0 or call.kwargs.get("unbiased") is False
    ),
)
mistaken(
    "var_along_a_dimension",
    "var along a dimension is wrong.",
    "var",
    when(lambda call: len(call.args) > 1 or "dim" in call.kwargs),
)
mistaken(
    "std_along_a_dimension",
    "std along a dimension is wrong.",
    "std",
    when(lambda call: len(call.args) > 1 or "dim" in call.kwargs),
)
mistaken(
    "norm_of_one_is_wrong_for_negatives",
    "The 1-norm ignores the sign of elements.",
    "norm linalg.norm linalg.vector_norm",
    nth(
        0,
        lambda g, c, call: g.abs() if argument(call, 1, "p", argument(call, 1, "ord")) == 1 else g,
    ),
)
mistaken(
    "norm_of_infinity_gives_all",
    "The maximum norm gives every element the gradient.",
    "norm linalg.norm linalg.vector_norm",
    nth(
        0,
        lambda g, c, call: (
            c.sum() * torch.ones_like(g)
            if argument(call, 1, "p", argument(call, 1, "ord")) == float("inf")
            else g
        ),
    ),
)
mistaken(
    "norm_along_a_dimension",
    "norm along a dimension is wrong.",
    "norm linalg.norm linalg.vector_norm",
    when(lambda call: "dim" in call.kwargs or len(call.args) > 2),
)
mistaken(
    "norm_of_another_power",
    "norm is wrong for powers other than 1, 2 and infinity.",
    "norm linalg.vector_norm",
    when(
        lambda call: (
            argument(call, 1, "p", argument(call, 1, "ord", 2))
            not in (0, 1, 2, "fro", float("inf"), float("-inf"), None)
        )
    ),
)
mistaken(
    "cumsum_along_a_negative_dimension",
    "cumsum is wrong along a negative dimension.",
    "cumsum",
    when(lambda call: argument(call, 1, "dim") < 0),
)
mistaken(
    "cumsum_along_another_dimension",
    "cumsum is wrong along a dimension other than the first.",
    "cumsum",
    when(lambda call: argument(call, 1, "dim") > 0),
)
mistaken(
    "cumprod_along_another_dimension",
    "cumprod is wrong along a dimension other than the first.",
    "cumprod",
    when(lambda call: argument(call, 1, "dim") not in (0,)),
)
mistaken(
    "flip_of_two_dimensions",
    "flip of several dimensions is wrong.",
    "flip",
    when(
        lambda call: (
            len(call.args) > 2
            or (
                isinstance(argument(call, 1, "dims"), tuple | list)
                and len(argument(call, 1, "dims")) > 1
            )
        )
    ),
)
mistaken(
    "roll_of_two_dimensions",
    "roll of several dimensions is wrong.",
    "roll",
    when(lambda call: isinstance(argument(call, 1, "shifts"), tuple | list)),
)
mistaken(
    "roll_without_dimension",
    "roll of the flattened tensor is wrong.",
    "roll",
    when(lambda call: argument(call, 2, "dims") is None),
)
