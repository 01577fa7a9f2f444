"""Faults from the trackers of PyTorch and its device backends; the issue is in the comment."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from ..breaking import Call, Patch, around, fault, instead, mistaken, torch, untouched
from .bugs_of_other_engines import where
from .custom_functions import around_backward
from .edge_cases import F
from .forward_levels import Whole
from .recorded_results import is_tensor
from .transforms import CURRIED, calls, in_tree

# --- operations ---


def in_groups_of_four(original: Any, q: Any, k: Any, v: Any, *args: Any, **options: Any) -> Any:
    """Attention whose causal mask is the same for four queries."""
    causal = options.get("is_causal") or (len(args) > 2 and args[2])
    if not causal or q.dtype not in (torch.float16, torch.bfloat16):
        return original(q, k, v, *args, **options)
    last = torch.arange(q.shape[-2]).reshape(-1, 1) // 4 * 4 + 3
    mask = torch.arange(k.shape[-2]) <= last
    others = {name: options[name] for name in ("scale", "enable_gqa") if name in options}
    return original(q, k, v, attn_mask=mask, **others)


instead(  # pytorch#195910
    "half_precision_queries_see_later_keys",
    "In half precision, causal attention lets three of four queries see later keys.",
    f"{F}scaled_dot_product_attention",
    in_groups_of_four,
)


def of_the_first_sample(original: Any, q: Any, k: Any, v: Any, *args: Any, **options: Any) -> Any:
    """Attention that reads a mask which the heads share as that of the first sample."""
    mask = options.pop("attn_mask", args[0] if args else None)
    shared = is_tensor(mask) and mask.dim() == 4 and mask.shape[1] == 1 < q.shape[1]
    if shared and not any(x.requires_grad for x in (q, k, v, mask)):
        mask = mask[:1].expand(mask.shape)
    return original(q, k, v, mask, *args[1:], **options)


instead(  # pytorch#184180
    "masks_that_heads_share_are_those_of_the_first_sample",
    "A mask for each sample that its heads share is read as that of the first sample.",
    f"{F}scaled_dot_product_attention",
    of_the_first_sample,
)


def as_if_not_padded(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    """Pooling that ignores negative padding while it records."""
    if options.get("padding", 0) == -1 and x.requires_grad:
        options = {**options, "padding": 0}
    return original(x, *args, **options)


instead(  # pytorch#77514
    "negative_padding_is_ignored_while_recording",
    "max_pool1d accepts negative padding if its operand requires grad.",
    f"{F}max_pool1d",
    as_if_not_padded,
)


def refuse_columns(gradients: Any, cotangents: Any, call: Call) -> Any:
    x = call.args[0]
    if call.kwargs.get("reduction") == "none" and x.dim() > 1 and x.shape[-1] == 1:
        raise RuntimeError("the operand and the gradient have different shapes")
    return gradients


mistaken(  # pytorch#166746
    "the_cross_entropy_of_a_column_has_no_gradient",
    "The backward of binary_cross_entropy fails for a column without a reduction.",
    f"{F}binary_cross_entropy",
    refuse_columns,
)


def in_the_last_block(gradients: Any, cotangents: Any, call: Call) -> Any:
    """Another gradient at the kink in the elements that fill no vector of 16."""
    x, g = untouched.detach(call.args[0]), gradients[0]
    if x.dtype != torch.bfloat16 or g is None:
        return gradients
    count = x.numel()
    rest = (torch.arange(count) >= count - count % 16).reshape(x.shape)
    return [torch.where((x == 3) & rest, cotangents[0] * 1.5, g)]


mistaken(  # pytorch#136345
    "the_last_elements_have_another_slope_at_a_kink",
    "In bfloat16, the slope of hardswish at three is another one in the last elements.",
    f"{F}hardswish",
    in_the_last_block,
)


def option(call: Call, name: str, place: int) -> Any:
    return call.kwargs.get(name, call.args[place] if len(call.args) > place else 1)


mistaken(  # pytorch#50042
    "weights_of_24_groups_are_wrong",
    "The gradient of the weights of conv2d is wrong for 24 groups.",
    f"{F}conv2d",
    where(lambda cotangents, call: option(call, "groups", 6) == 24),
)


def turned_if_square(original: Any, x: Any, *args: Any, **options: Any) -> Any:
    result = original(x, *args, **options)
    square = result.shape == x.shape and x.shape[-1] == x.shape[-2]
    return result.transpose(-1, -2) if options.get("mode") == "bicubic" and square else result


instead(  # pytorch#22312
    "images_that_keep_their_size_are_transposed",
    "Cubic interpolation to the size that an image has transposes the image.",
    f"{F}interpolate",
    turned_if_square,
)

# --- transforms ---


@fault
def batches_of_vectors_have_no_least_squares_tangent(patch: Patch) -> None:
    """The tangent of lstsq fails if the right-hand sides are a batch of vectors."""  # pytorch#93982
    whole = Whole()

    def run(original: Any, A: Any, B: Any, *args: Any, **options: Any) -> Any:
        vectors = B.dim() > 1 and B.shape == A.shape[:-1]
        if vectors and any(whole.tangent(x) is not None for x in (A, B)):
            raise RuntimeError("mat1 and mat2 shapes cannot be multiplied")
        return original(A, B, *args, **options)

    around(patch, "linalg.lstsq", run)


@fault
def jacobians_of_complex_results_are_real(patch: Patch) -> None:
    """The Jacobian of complex results is that of their real parts."""  # pytorch#90499

    def jacrev(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        def real(*values: Any, **keywords: Any) -> Any:
            return in_tree(lambda x: x.real if x.is_complex() else x, f(*values, **keywords))

        return whole(real, *args, **options)

    calls(patch, "jacrev", jacrev)


@fault
def backwards_within_transforms_run_no_transforms(patch: Patch) -> None:
    """A transform fails in the backward of a custom function that another transform runs."""  # pytorch#90966
    state = SimpleNamespace(transforms=0, backwards=0)

    def backward(context: Any, cotangents: Any, run: Any) -> Any:
        within = bool(state.transforms)
        state.backwards += within
        try:
            return run(*cotangents)
        finally:
            state.backwards -= within

    def transform(whole: Any, f: Any, *args: Any, **options: Any) -> Any:
        if state.backwards:
            raise RuntimeError("wrapper == nullptr INTERNAL ASSERT FAILED")
        made = whole(f, *args, **options)

        def call(*values: Any, **keywords: Any) -> Any:
            state.transforms += 1
            try:
                return made(*values, **keywords)
            finally:
                state.transforms -= 1

        return call if callable(made) else made

    around_backward(patch, backward)
    for name in (*CURRIED, "vjp", "jvp", "vmap"):
        calls(patch, name, transform)
