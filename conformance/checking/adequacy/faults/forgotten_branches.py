"""Faults of somebody who rewrote one branch of many: an option, a shape or a kind of argument that was
forgotten."""

from __future__ import annotations

from contextlib import ExitStack
from typing import Any

from ..breaking import (
    Call,
    Notes,
    Patch,
    around,
    fault,
    inside,
    instead,
    mistaken,
    nth,
    replaces,
    torch,
)
from .calls import option

# -- shapes and arguments of operations --


def fresh(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    found = o(x, *a, **k)
    return x.view_as(x) if found is x else found


instead(
    "flatten_gives_an_alias",
    "flatten gives an alias where no dimensions are merged.",
    "flatten",
    fresh,
)


def of_two(o: Any, x: Any, dim: Any = None, **k: Any) -> Any:
    if isinstance(dim, tuple) and len(dim) > 2:
        return o(x, dim[:2], **k)
    return o(x, **k) if dim is None else o(x, dim, **k)


instead("squeeze_drops_two_dims", "squeeze drops two dims at most.", "squeeze", of_two)


def from_the_start(o: Any, x: Any, where: Any, *a: Any, **k: Any) -> Any:
    if isinstance(where, tuple | list):
        where = tuple(max(index, 0) for index in where)
    return o(x, where, *a, **k)


instead(
    "tensor_split_takes_negative_indices_for_zero",
    "tensor_split takes indices that count from the end for zero.",
    "tensor_split",
    from_the_start,
)


def positive(o: Any, x: Any, src: Any, dim: Any = 0, start: Any = None, *a: Any, **k: Any) -> Any:
    start = k.pop("start", start)
    return o(x, src, dim, start if start is None else max(start, 0), *a, **k)


instead(
    "slice_scatter_takes_a_negative_start_for_zero",
    "slice_scatter takes a start that counts from the end for the first index.",
    "slice_scatter",
    positive,
)


def multiplied(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    found = o(x, *a, **k)
    return found + x * 0 if k.get("beta", 1) == 0 else found


instead(
    "beta_of_zero_multiplies",
    "With beta=0, NaN and infinities of the input reach the result.",
    "addmm addmv addr addbmm baddbmm",
    multiplied,
)


def half_of_others(
    gradients: tuple[Any, ...], cotangents: tuple[Any, ...], call: Call
) -> list[Any]:
    operands = call.args[0] if isinstance(call.args[0], tuple | list) else ()
    if len(operands) != len(gradients):
        return list(gradients)
    return [
        g / 2 if g is not None and x.dtype != call.result.dtype else g
        for g, x in zip(gradients, operands, strict=True)
    ]


mistaken(
    "joined_tensors_of_another_dtype_get_half",
    "cat and stack halve the gradients of tensors that they convert.",
    "cat stack",
    half_of_others,
)


mistaken(
    "an_element_without_dims_is_read_once",
    "The gradient of gather for a tensor without dimensions is that of its first use.",
    "gather",
    nth(0, lambda g, c, call: g if call.args[0].dim() or not c.dim() else c[0]),
)


def stretched(g: Any, c: Any, call: Call) -> Any:
    mask = option(call, 1, "mask")
    return g / mask.shape[0] if mask.dim() > call.args[0].dim() else g


mistaken(
    "masked_fill_averages_over_a_longer_mask",
    "The gradient of masked_fill for an operand that the mask stretches is a mean.",
    "masked_fill",
    nth(0, stretched),
)


def case_blind(o: Any, equation: Any, *operands: Any) -> Any:
    if isinstance(equation, str) and "->" not in equation and "." not in equation:
        letters = [c for c in equation if c.isalpha()]
        once = sorted((c for c in set(letters) if letters.count(c) == 1), key=str.lower)
        equation = f"{equation}->{''.join(once)}"
    return o(equation, *operands)


instead(
    "einsum_sorts_letters_whatever_their_case",
    "Without an arrow, einsum sorts capitals among the small letters.",
    "einsum",
    case_blind,
)


def undilated(o: Any, x: Any, w: Any, *a: Any, **k: Any) -> Any:
    if x.dim() < w.dim():
        a, k = a[:5], {key: value for key, value in k.items() if key != "dilation"}
    return o(x, w, *a, **k)


instead(
    "one_image_is_not_dilated",
    "A transposed convolution of one image without a batch ignores the dilation.",
    "nn.functional.conv_transpose1d nn.functional.conv_transpose2d",
    undilated,
)


def undivided(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    if k.get("ceil_mode") or (len(a) > 3 and a[3]):
        k.pop("divisor_override", None)
    return o(x, *a, **k)


instead(
    "the_divisor_is_forgotten_with_ceil_mode",
    "avg_pool2d ignores divisor_override with ceil_mode=True.",
    "nn.functional.avg_pool2d",
    undivided,
)


def unweighted(o: Any, x: Any, target: Any, weight: Any = None, *a: Any, **k: Any) -> Any:
    if target.is_floating_point() and x.dim() > 2:
        weight = None
    return o(x, target, weight, *a, **k)


instead(
    "probabilities_of_sequences_have_no_weights",
    "cross_entropy ignores the weights of classes for probabilities of sequences.",
    "nn.functional.cross_entropy",
    unweighted,
)


def from_the_other_side(o: Any, x: Any, size: int, *a: Any, **k: Any) -> Any:
    return o(x, size, *a, **k) if size % 2 else o(x.flip(1), size, *a, **k).flip(1)


instead(
    "an_even_number_of_neighbors_begins_at_the_channel",
    "local_response_norm over an even number of channels takes those that follow.",
    "nn.functional.local_response_norm",
    from_the_other_side,
)


def either(o: Any, index: Any, w: Any, padding_idx: Any = None, *a: Any, **k: Any) -> Any:
    if padding_idx is not None:
        k.pop("scale_grad_by_freq", None)
    return o(index, w, padding_idx, *a, **k)


instead(
    "frequencies_are_forgotten_beside_padding",
    "An embedding with padding_idx ignores scale_grad_by_freq.",
    "nn.functional.embedding",
    either,
)


def all_rows(o: Any, *a: Any, **k: Any) -> Any:
    if k.get("mode") == "max":
        k.pop("padding_idx", None)
    return o(*a, **k)


instead(
    "the_largest_of_a_bag_may_be_padding",
    "embedding_bag with mode='max' ignores padding_idx.",
    "nn.functional.embedding_bag",
    all_rows,
)


def upwards(o: Any, x: Any, q: Any, *a: Any, **k: Any) -> Any:
    if k.get("interpolation") == "nearest":
        q = min(q + 1e-3, 1.0)
    return o(x, q, *a, **k)


instead(
    "the_nearest_of_two_is_the_larger",
    "quantile with interpolation='nearest' takes the larger element halfway.",
    "quantile",
    upwards,
)


# -- conversions and changes --


def copied_by_second(o: Any, x: Any, *a: Any, **k: Any) -> Any:
    found = o(x, *a, **k)
    flags = [value for value in a if isinstance(value, bool)]
    return x.clone() if found is x and flags == [True] else found


instead(
    "to_takes_the_first_flag_for_copy",
    "x.to(dtype, True) gives a copy.",
    "to",
    copied_by_second,
)


instead(
    "imaginary_numbers_are_false",
    "bool() looks at the real part of complex numbers.",
    "bool",
    lambda o, x: o(x.real) if x.is_complex() else o(x),
)


def of_fewer_dims(o: Any, x: Any, src: Any, *a: Any, **k: Any) -> Any:
    while isinstance(src, torch.Tensor) and src.dim() > x.dim() and src.shape[0] == 1:
        src = src[0]
    return o(x, src, *a, **k)


instead(
    "copy_drops_dims_of_size_one",
    "copy_ takes a source of more dimensions if the first are of size one.",
    "copy_",
    of_fewer_dims,
)


def read_before(o: Any, x: Any, y: Any, *a: Any, **k: Any) -> Any:
    if isinstance(y, torch.Tensor) and y is not x and y.dim() < x.dim():
        y = y.clone()
    return o(x, y, *a, **k)


instead(
    "operands_that_are_stretched_may_overlap",
    "mul_ and copy_ read an operand that is broadcast before they write, though it overlaps the target.",
    "mul_ copy_",
    read_before,
)


@fault
def bits_have_a_version_of_their_own(patch: Patch) -> None:
    """view(dtype) gives a tensor with a version counter of its own."""
    kind = type(torch.float32)

    def view(o: Any, x: Any, *a: Any, **k: Any) -> Any:
        return o(x.data if a and isinstance(a[0], kind) else x, *a, **k)

    around(patch, "view", view)


@fault
def assigned_parts_are_not_recorded(patch: Patch) -> None:
    """Assigning to the real or the imaginary part of a tensor is not recorded."""

    def part(name: str) -> property:
        original = getattr(torch.Tensor, name)

        def assign(self: Any, value: Any) -> None:
            with torch.no_grad():
                original.__set__(self, value)

        return property(lambda self: original.__get__(self), assign)

    for name in ("real", "imag"):
        patch.set(torch.Tensor, name, part(name))


# -- hooks --


@fault
def handles_are_numbered_by_the_hooks_there_are(patch: Patch) -> None:
    """A hook takes the place of another one if hooks of the same tensor were removed."""
    numbers: Any = Notes()

    def make(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            key = self if self.grad_fn is None else self.grad_fn
            handle = original(self, hook)
            hooks = inside.hooks_beside(handle)
            given = numbers.setdefault(key, {})
            number = len(hooks) - 1
            if given.get(number) in hooks:
                del hooks[given[number]]
            given[number] = handle.id
            return handle

        return register_hook

    patch.wrap(torch.Tensor, "register_hook", make)


@replaces("autograd.graph.register_multi_grad_hook")
def any_of_three_is_any_of_two(
    original: Any, tensors: Any, function: Any, *, mode: Any = "all"
) -> Any:
    """A hook of several tensors in mode "any" is registered on two of them."""
    tensors = list(tensors)
    return original(tensors[:2] if mode == "any" else tensors, function, mode=mode)


@replaces("Tensor.register_hook")
def the_gradient_is_what_a_hook_gave(original: Any, self: Any, hook: Any) -> Any:
    """The first gradient of a leaf is the very tensor that its hook returned."""
    if not self.is_leaf:
        return original(self, hook)
    given: list[Any] = []

    def run(gradient: Any) -> Any:
        found = hook(gradient)
        given[:] = [] if found is None or self.grad is not None else [found]
        return found

    def after(leaf: Any) -> None:
        if given:
            leaf.grad = given.pop()

    self.register_post_accumulate_grad_hook(after)
    return original(self, run)


# -- custom functions and transforms --


@fault
def an_input_returned_under_no_grad_requires_grad(patch: Patch) -> None:
    """The result of a custom function under no_grad requires grad if it is the input itself."""
    original = vars(torch.autograd.Function)["apply"].__func__

    def apply(cls: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(cls, *args, **kwargs)
        if torch.is_grad_enabled() or not isinstance(found, torch.Tensor) or not found.is_leaf:
            return found
        for x in args:
            same = isinstance(x, torch.Tensor) and x.requires_grad and x.shape == found.shape
            if same and x.data_ptr() == found.data_ptr():
                return found.detach().requires_grad_()
        return found

    patch.set(torch.autograd.Function, "apply", classmethod(apply))


@replaces("autograd.function.once_differentiable")
def once_differentiable_marks_the_tensor_itself(original: Any, backward: Any) -> Any:
    """A tensor that a backward marked once_differentiable returns requires grad from then on."""
    returned: list[Any] = []

    def noted(ctx: Any, *cotangents: Any) -> Any:
        returned[:] = [backward(ctx, *cotangents)]
        return returned[0]

    marked = original(noted)

    def run(ctx: Any, *cotangents: Any) -> Any:
        found = marked(ctx, *cotangents)
        given = returned.pop()
        if isinstance(found, torch.Tensor) and found.requires_grad and given.is_leaf:
            given.requires_grad_()
        return found

    return run


@replaces("func.vjp")
def what_vjp_gives_besides_requires_grad(
    original: Any, f: Any, *primals: Any, has_aux: bool = False
) -> Any:
    """What the function of vjp returns besides its result requires grad."""
    found = original(f, *primals, has_aux=has_aux)
    if has_aux and isinstance(found[2], torch.Tensor) and not found[2].requires_grad:
        return *found[:2], found[2].detach().requires_grad_()
    return found


@fault
def a_tuple_of_one_argnum_is_that_one(patch: Patch) -> None:
    """jacrev and jacfwd take a tuple of one argnum for the number in it."""

    def make(original: Any) -> Any:
        def transform(f: Any, argnums: Any = 0, *args: Any, **options: Any) -> Any:
            alone = isinstance(argnums, tuple) and len(argnums) == 1
            return original(f, argnums[0] if alone else argnums, *args, **options)

        return transform

    for name in ("jacrev", "jacfwd"):
        patch.wrap(torch.func, name, make)


@fault
def constant_derivatives_are_no_fault(patch: Patch) -> None:
    """With create_graph=True, strict=True takes derivatives that are constant."""

    def make(original: Any) -> Any:
        def function(*args: Any, **options: Any) -> Any:
            if options.get("create_graph"):
                options["strict"] = False
            return original(*args, **options)

        return function

    for name in ("jacobian", "vjp", "jvp", "hessian", "vhp", "hvp"):
        patch.wrap(torch.autograd.functional, name, make)


# -- modules and optimizers --


@replaces("optim.Optimizer.add_param_group")
def a_group_leaves_out_what_another_has(original: Any, self: Any, group: Any) -> None:
    """A new parameter group may hold a parameter of another group, beside others that are new."""
    held = {id(p) for other in self.param_groups for p in other["params"]}
    params = group["params"]
    if isinstance(params, list):
        fresh = [p for p in params if id(p) not in held]
        group = {**group, "params": fresh or params}
    original(self, group)


@fault
def outputs_of_a_kernel_are_its_channels(patch: Patch) -> None:
    """kaiming_normal_ with fan_out counts the channels of a kernel, not its elements."""

    def fill(o: Any, w: Any, a: Any = 0, mode: Any = "fan_in", *rest: Any, **k: Any) -> Any:
        found = o(w, a, mode, *rest, **k)
        if mode == "fan_out":
            with torch.no_grad():
                found.mul_(w[0, 0].numel() ** 0.5)
        return found

    around(patch, "nn.init.kaiming_normal_", fill)


@replaces("nn.Module.load_state_dict")
def loaded_parameters_are_not_changed(original: Any, self: Any, *args: Any, **options: Any) -> Any:
    """load_state_dict is no change of the parameters that it copies into."""
    with ExitStack() as stack:
        for p in self.parameters():
            stack.enter_context(inside.keeping_version(p))
        return original(self, *args, **options)


@replaces("nn.Module.register_forward_hook")
def forward_hooks_that_return_nothing_true_change_nothing(
    original: Any, self: Any, hook: Any, **options: Any
) -> Any:
    """What a forward hook returns replaces the output only if it is a tensor or true."""

    def run(*args: Any) -> Any:
        found = hook(*args)
        return found if isinstance(found, torch.Tensor) or found else None

    return original(self, run, **options)
