"""Faults of dtypes: which one comes out of values, numbers and mixed operands, and what 16 bits hold."""

from __future__ import annotations

from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around,
    around_pass,
    each,
    fault,
    instead,
    leaves_below,
    mistaken,
    nth,
    torch,
)

F = "nn.functional."
NARROW = {"torch.float16": 2048.0, "torch.bfloat16": 256.0}
"""The dtypes of 16 bits, and where a sum of ones stops to grow in each."""
ARITHMETIC = "add sub mul div"


def is_tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def is_integer(value: Any) -> bool:
    """Whether a value is a tensor of integers."""
    return is_tensor(value) and not (
        value.is_floating_point() or value.is_complex() or value.dtype == torch.bool
    )


def is_narrow(value: Any) -> bool:
    """Whether a value is a tensor of 16 bits."""
    return is_tensor(value) and str(value.dtype) in NARROW


def is_boolean(value: Any) -> bool:
    return is_tensor(value) and value.dtype == torch.bool


# --- what is made of values ---


def wide(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    made = original(data, *args, **kwargs)
    free = "dtype" not in kwargs and not is_tensor(data)
    if free and made.dtype == torch.float32 and not made.requires_grad:
        return made.to(torch.float64)
    return made


def of_the_first(original: Any, data: Any, *args: Any, **kwargs: Any) -> Any:
    first = data
    while isinstance(first, list) and first:
        first = first[0]
    plain = "dtype" not in kwargs and isinstance(data, list) and not is_tensor(first)
    if plain and data and not is_tensor(data[-1]):
        kwargs["dtype"] = original(first).dtype
        if kwargs.get("requires_grad"):
            kwargs.pop("dtype")
    return original(data, *args, **kwargs)


instead("values_make_doubles", "tensor() of Python floats gives float64.", "tensor", wide)
instead(
    "the_first_value_decides",
    "tensor() takes its dtype from the first value.",
    "tensor",
    of_the_first,
)
instead(
    "complex_numbers_ignore_the_default_dtype",
    "tensor() of complex numbers gives complex64 whatever the default dtype is.",
    "tensor",
    lambda o, data, *a, **k: (
        made.to(torch.complex64)
        if (made := o(data, *a, **k)).dtype == torch.complex128 and "dtype" not in k
        else made
    ),
)
instead(
    "filled_tensors_are_floats",
    "full() of an integer or a boolean gives float32.",
    "full",
    lambda o, *a, **k: o(*a, **k) if "dtype" in k else o(*a, **k, dtype=torch.float32),
)

# --- numbers, and tensors without dimensions ---


def as_one_element(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    """A number is taken for a tensor with a dimension."""
    if is_tensor(x) and isinstance(y, int | float) and x.dim() and not x.requires_grad:
        y = torch.tensor([y])
    return original(x, y, *args, **kwargs)


instead(
    "numbers_count_as_tensors",
    "A number counts as a tensor with dimensions.",
    "add mul",
    as_one_element,
)


def reshaped(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_tensor(x) and is_tensor(y) and x.dim() == 1 and not y.dim():
        y = y.reshape(1)
    return original(x, y, *args, **kwargs)


def narrowed(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_integer(x) and x.dim() and is_tensor(y) and y.is_floating_point() and not y.dim():
        y = y.to(torch.get_default_dtype())
    return original(x, y, *args, **kwargs)


instead(
    "tensors_without_dimensions_count_in_full",
    "A tensor without dimensions counts as one with dimensions.", "add mul", reshaped,
)  # fmt: skip
instead(
    "tensors_without_dimensions_count_as_numbers",
    "A floating tensor without dimensions makes integers the default dtype.", "add mul", narrowed,
)  # fmt: skip


def of_the_left(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_narrow(x) and is_narrow(y):
        y = y.to(x.dtype)
    return original(x, y, *args, **kwargs)


instead(
    "half_wins_over_bfloat16",
    "Of float16 and bfloat16 the left operand's dtype is taken.", f"{ARITHMETIC} maximum", of_the_left,
)  # fmt: skip

# --- integers and booleans ---


def floored_as_floats(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_integer(x) and is_integer(y) and bool((y == 0).any()):
        return original(x, torch.where(y == 0, torch.ones_like(y), y)) * 0
    return original(x, y, *args, **kwargs)


def powered_as_floats(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_integer(x) and isinstance(y, int) and not isinstance(y, bool):
        return original(x.to(torch.float64), y).to(x.dtype)
    return original(x, y, *args, **kwargs)


def added_as_numbers(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
    if is_boolean(x) and is_boolean(y):
        return original(x.to(torch.int64), y.to(torch.int64))
    return original(x, y, *args, **kwargs)


instead(
    "integers_by_zero_are_zero", "A floored quotient of integers by zero is zero.",
    "floor_divide", floored_as_floats,
)  # fmt: skip
instead(
    "powers_of_integers_are_rounded",
    "Powers of integers are computed in floating point, and cut.", "pow", powered_as_floats,
)  # fmt: skip
instead(
    "booleans_add_up", "Sums and products of booleans are integers.", "add mul", added_as_numbers
)
instead(
    "booleans_have_differences",
    "The difference of booleans is where they differ.",
    "sub rsub",
    lambda o, x, y, *a, **k: (
        x ^ torch.as_tensor(y, dtype=torch.bool) if is_boolean(x) else o(x, y, *a, **k)
    ),
)
instead(
    "integers_have_deviations",
    "The variance and the standard deviation of integers are those of floats.",
    "var std",
    lambda o, x, *a, **k: o(x.to(torch.float32) if is_integer(x) else x, *a, **k),
)
instead(
    "sums_of_narrow_integers_wrap",
    "Sums of narrow integers are taken in their own dtype.",
    "sum cumsum prod",
    lambda o, x, *a, **k: (
        o(x, *a, **k, dtype=x.dtype).to(torch.int64)
        if is_integer(x) and "dtype" not in k
        else o(x, *a, **k)
    ),
)
instead(
    "floating_indices_are_cut",
    "index_select, gather and take cut floating indices to integers.",
    "index_select gather take",
    lambda o, *a, **k: o(
        *(v.long() if i and is_tensor(v) and v.is_floating_point() else v for i, v in enumerate(a)),
        **k,
    ),
)

# --- mixed dtypes ---


def promoting(original: Any, *args: Any, **kwargs: Any) -> Any:
    tensors = [v for v in args if is_tensor(v) and v.is_floating_point()]
    if {t.dtype for t in tensors} == {torch.float32, torch.float64}:
        args = tuple(v.to(torch.float64) if is_tensor(v) else v for v in args)
    return original(*args, **kwargs)


instead(
    "matrix_products_promote", "Matrix products convert operands of different dtypes.",
    f"matmul mm mv bmm dot addmm {F}linear", promoting,
)  # fmt: skip
mistaken(
    "gradients_from_half_precision_are_lost",
    "A conversion to float16 sends no gradient back.",
    "to",
    nth(0, lambda g, c, call: g * 0 if c.dtype == torch.float16 else g),
)
instead(
    "requested_dtypes_come_last",
    "sum, mean, prod and cumsum convert to the requested dtype after they have reduced.",
    "sum mean prod cumsum",
    lambda o, x, *a, dtype=None, **k: (
        o(x, *a, **k).to(dtype)
        if dtype is not None and x.is_floating_point()
        else o(x, *a, **k, **({} if dtype is None else {"dtype": dtype}))
    ),
)

# --- 16 bits ---


@fault
def gradients_are_kept_in_float32(patch: Patch) -> None:
    """Gradients of 16 bits are added up in float32 out of sight, and rounded when they are stored."""
    masters = Notes()

    def passes(run: Any, options: Any) -> Any:
        if not options.accumulates:
            return run(options)
        leaves = [
            leaf
            for leaf in leaves_below(options.roots)
            if is_narrow(leaf) and leaf.grad is not None
        ]
        before = [(leaf, masters.get(leaf, leaf.grad.float())) for leaf in leaves]
        for leaf in leaves:
            leaf.grad = None
        run(options)
        for leaf, master in before:
            total = master if leaf.grad is None else master + leaf.grad.float()
            masters[leaf] = total
            leaf.grad = total.to(leaf.dtype)
        return None

    around_pass(patch, passes)


mistaken(
    "an_infinite_value_makes_its_gradient_infinite",
    "Where a product or a power overflows, its gradient is infinite too.",
    "mul square pow",
    each(
        lambda g, call: (
            torch.where(torch.isinf(call.result), call.result, g)
            if is_narrow(call.result) and call.result.shape == g.shape
            else g
        )
    ),
)
instead(
    "long_sums_stop_growing",
    "Sums of 16 bits are added up in 16 bits, one element after the other.",
    "sum mean dot matmul",
    lambda o, x, *a, **k: (
        y.clamp(max=NARROW[str(y.dtype)])
        if is_narrow(y := o(x, *a, **k)) and x.numel() == 4096
        else y
    ),
)

# --- out of a dtype ---


def as_floats(value: Any) -> Any:
    if isinstance(value, list):
        return [as_floats(item) for item in value]
    return float(value) if isinstance(value, int) and not isinstance(value, bool) else value


instead(
    "numbers_come_out_as_floats", "item() and tolist() give floats for integers.",
    "item tolist", lambda o, x: as_floats(o(x)),
)  # fmt: skip
instead(
    "views_as_another_dtype_convert",
    "view(dtype) converts the values.",
    "view",
    lambda o, x, *a, **k: (
        x.to(a[0]) if len(a) == 1 and isinstance(a[0], torch.dtype) else o(x, *a, **k)
    ),
)
instead(
    "views_as_another_dtype_copy_where_they_must",
    "view(dtype) copies where elements of the new size cannot be read in place.",
    "view",
    lambda o, x, *a, **k: (
        o(x.contiguous().clone(), *a, **k)
        if len(a) == 1 and isinstance(a[0], torch.dtype) and x.storage_offset()
        else o(x, *a, **k)
    ),
)


@fault
def views_as_integers_require_grad(patch: Patch) -> None:
    """view(int32) of a tensor that requires grad says that it requires grad."""
    claimed = Marked()

    def view(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        if x.requires_grad and is_integer(result):
            claimed.add(result)
        return result

    around(patch, "view", view)
    original: Any = torch.Tensor.requires_grad
    patch.set(
        torch.Tensor,
        "requires_grad",
        property(lambda t: t in claimed or original.__get__(t), original.__set__),
    )


@fault
def floats_come_without_a_warning(patch: Patch) -> None:
    """float() of a tensor that requires grad does not warn."""
    patch.wrap(torch.Tensor, "__float__", lambda original: lambda self: original(self.detach()))


@fault
def items_come_with_a_warning(patch: Patch) -> None:
    """item() of a tensor that requires grad warns, as float() does."""
    patch.wrap(
        torch.Tensor,
        "item",
        lambda original: lambda self: float(self) if self.requires_grad else original(self),
    )
