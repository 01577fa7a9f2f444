"""Faults of the tape that show only under several conditions at once."""

from __future__ import annotations

import contextlib
import threading
import weakref
from typing import Any

from ..breaking import (
    Marked,
    Notes,
    Patch,
    around_pass,
    each,
    edge_of,
    fault,
    inside,
    leaves_below,
    miscompute,
    nth,
    replaces,
    torch,
)
from .hooks import silent


@fault
def once_retained_always_retained(patch: Patch) -> None:
    """After one pass with retain_graph=True no later pass frees the graph."""
    retained: Any = Marked()

    def around(run: Any, options: Any) -> Any:
        nodes = [edge_of(root) for root in options.roots]
        if options.retain_graph:
            retained.update(node for node in nodes if node is not None)
        elif any(node in retained for node in nodes if node is not None):
            options.retain_graph = True
        return run(options)

    around_pass(patch, around)


@fault
def a_retained_pass_doubles_the_next(patch: Patch) -> None:
    """The second pass through a graph that was retained gives twice the gradient."""
    retained: Any = Marked()

    def around(run: Any, options: Any) -> Any:
        nodes = [node for node in map(edge_of, options.roots) if node is not None]
        if any(node in retained for node in nodes) and not options.create_graph:
            options.seeds = [None if s is None else s * 2 for s in options.seeds]
        if options.retain_graph and not options.create_graph:
            retained.update(nodes)
        return run(options)

    around_pass(patch, around)


@replaces("Tensor.register_hook")
def hook_results_count_in_the_first_pass_only(original: Any, self: Any, hook: Any) -> Any:
    """With retain_graph=True what a hook returns is ignored from the second pass on."""
    calls: list[int] = []

    def run(gradient: Any) -> Any:
        calls.append(1)
        result = hook(gradient)
        return result if len(calls) == 1 else None

    return original(self, run)


@replaces("autograd.backward")
def empty_inputs_are_accepted(original: Any, tensors: Any, *args: Any, **kwargs: Any) -> Any:
    """backward(inputs=[]) is accepted and accumulates nothing."""
    inputs = kwargs.get("inputs")
    if isinstance(inputs, list | tuple) and not inputs:
        return None
    return original(tensors, *args, **kwargs)


@replaces("autograd.backward")
def too_few_seeds_are_accepted(
    original: Any, tensors: Any, grad_tensors: Any = None, *args: Any, **kwargs: Any
) -> Any:
    """autograd.backward of two roots and one gradient seeds the first root only."""
    if isinstance(tensors, list | tuple) and isinstance(grad_tensors, list | tuple):
        tensors = list(tensors)[: len(grad_tensors)]
    return original(tensors, grad_tensors, *args, **kwargs)


@fault
def no_seed_for_a_vector_among_roots_is_ones(patch: Patch) -> None:
    """None in grad_tensors stands for ones even for a root of several elements."""

    def around(check: Any, roots: Any, seeds: Any) -> Any:
        if len(roots) > 1:
            seeds = [
                torch.ones_like(root) if seed is None and isinstance(root, torch.Tensor) else seed
                for root, seed in zip(roots, seeds, strict=False)
            ]
        return check(roots, seeds)

    inside.around_seeds(patch, around)


@fault
def gradients_stay_expanded(patch: Patch) -> None:
    """A constant gradient is stored expanded, so that writing one element writes all."""

    def around(run: Any, options: Any) -> Any:
        found = run(options)
        if options.accumulates and not options.create_graph:
            for leaf in leaves_below(options.roots):
                gradient = leaf.grad
                if gradient is not None and gradient.numel() > 1 and not gradient.requires_grad:
                    if bool((gradient == gradient.reshape(-1)[0]).all()):
                        leaf.grad = (
                            gradient.reshape(-1)[:1]
                            .clone()
                            .reshape((1,) * gradient.dim())
                            .expand(gradient.shape)
                        )
        return found

    around_pass(patch, around)


def limited_uses(patch: Patch, allowed: int, when: Any) -> None:
    """Operands for which `when(tensor)` count as constants after so many uses."""
    uses: Any = Notes()

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            operands = []
            for value in (self, other):
                if isinstance(value, torch.Tensor) and value.requires_grad and when(value):
                    uses[value] = uses.get(value, 0) + 1
                    if uses[value] > allowed:
                        value = value.detach()
                operands.append(value)
            return original(*operands)

        return operation

    for name in ("__mul__", "__rmul__", "__add__", "mul", "__sub__"):
        patch.wrap(torch.Tensor, name, make)


@fault
def a_third_use_of_a_leaf_is_lost(patch: Patch) -> None:
    """A leaf collects the contributions of two uses only."""
    limited_uses(patch, 2, lambda tensor: tensor.is_leaf)


@fault
def a_second_use_of_a_result_is_lost(patch: Patch) -> None:
    """A non-leaf collects the contribution of one use only."""
    limited_uses(patch, 1, lambda tensor: not tensor.is_leaf)


@fault
def leaf_hooks_see_each_contribution(patch: Patch) -> None:
    """A hook of a leaf is called with each contribution instead of their sum."""
    hooks: Any = Notes()
    plain: Any = torch.Tensor.register_hook

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            operands = []
            for value in (self, other):
                if isinstance(value, torch.Tensor) and value.is_leaf and value in hooks:
                    alias = value.view_as(value)
                    if alias.requires_grad:
                        for hook in hooks[value]:
                            plain(alias, hook)
                    value = alias
                operands.append(value)
            return original(*operands)

        return operation

    def make_register(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            if self.is_leaf and self.requires_grad:
                hooks.setdefault(self, []).append(hook)
                return original(self, lambda gradient: None)
            return original(self, hook)

        return register_hook

    for name in ("__mul__", "__rmul__", "__add__"):
        patch.wrap(torch.Tensor, name, make)
    patch.wrap(torch.Tensor, "register_hook", make_register)


@fault
def a_pass_within_a_pass_is_refused(patch: Patch) -> None:
    """A hook cannot start a backward pass of its own."""
    state = threading.local()

    def around(run: Any, options: Any) -> Any:
        if getattr(state, "running", False):
            raise RuntimeError("a backward pass is already running")
        state.running = True
        try:
            return run(options)
        finally:
            state.running = False

    around_pass(patch, around)


@fault
def passes_in_other_threads_are_lost(patch: Patch) -> None:
    """backward() in another thread accumulates nothing."""

    def around(run: Any, options: Any) -> Any:
        if options.accumulates and threading.current_thread() is not threading.main_thread():
            held = [(leaf, leaf.grad) for leaf in leaves_below(options.roots)]
            found = run(options)
            for leaf, gradient in held:
                leaf.grad = gradient
            return found
        return run(options)

    around_pass(patch, around)


@fault
def recording_changes_the_value(patch: Patch) -> None:
    """A product's gradient is doubled if the pass records itself, and right otherwise."""
    miscompute(patch, "mul", each(lambda g, call: g * 2 if torch.is_grad_enabled() else g))


@fault
def double_precision_products_are_wrong(patch: Patch) -> None:
    """A product's gradient is doubled in float64 only."""
    miscompute(patch, "mul", each(lambda g, call: g * 2 if g.dtype == torch.float64 else g))


@fault
def double_precision_is_rounded_in_exp(patch: Patch) -> None:
    """The gradient of exp is computed in float32 even in float64."""
    miscompute(patch, "exp", each(lambda g, call: g.float().to(g.dtype)))


def relaid(gradient: Any, operand: Any) -> Any:
    """A gradient laid out as if the operand were contiguous."""
    if not isinstance(operand, torch.Tensor) or operand.is_contiguous() or operand.dim() < 2:
        return gradient
    if operand.shape != gradient.shape:
        return gradient
    return gradient.transpose(0, 1).reshape(gradient.shape)


def for_strided(operation: str) -> Any:
    def install(patch: Patch) -> None:
        miscompute(
            patch, operation,
            lambda gi, go, call: [
                None if g is None else relaid(g, call.args[i] if i < len(call.args) else None)
                for i, g in enumerate(gi)
            ],
        )  # fmt: skip

    install.__name__ = f"{operation}_misreads_strides"
    install.__doc__ = (
        f"The gradient of {operation} is laid out wrong for an operand that is not contiguous."
    )
    return install


for operation in (
    "mul",
    "add",
    "matmul",
    "sum",
    "exp",
    "reshape",
    "clone",
    "getitem",
    "relu",
    "cumsum",
    "where",
):
    fault(for_strided(operation))


@fault
def missing_cotangents_are_ones(patch: Patch) -> None:
    """Of several results of one operation those that are not used count as if seeded with ones."""

    def change(gradients: Any, cotangents: Any, call: Any) -> Any:
        present = next((c for c in cotangents if c is not None), None)
        missing = sum(c is None for c in cotangents) if present is not None else 0
        return [None if g is None else torch.where(g == 0, g + bool(missing), g) for g in gradients]

    miscompute(patch, "unbind split chunk", change)


@fault
def only_the_first_result_counts(patch: Patch) -> None:
    """Of the results of unbind and split only the first sends a gradient."""

    def make(original: Any) -> Any:
        def operation(*args: Any, **kwargs: Any) -> Any:
            parts = original(*args, **kwargs)
            return (parts[0], *(part.detach() for part in parts[1:]))

        return operation

    for name in ("unbind", "split", "chunk"):
        for owner in (torch, torch.Tensor):
            patch.wrap(owner, name, make)


@replaces("Tensor.__setitem__")
def setitem_does_not_sum_over_broadcasting(
    original: Any, self: Any, index: Any, value: Any
) -> None:
    """x[...] = v with a v that is broadcast gives v the mean of the gradients."""
    if isinstance(value, torch.Tensor) and value.requires_grad:
        with torch.no_grad():
            target = self[index]
        if target.shape != value.shape:
            ratio = value.numel() / max(1, target.numel())
            value = value.clone()
            value.register_hook(lambda g: g * ratio)
    original(self, index, value)


@fault
def create_graph_backward_does_not_warn(patch: Patch) -> None:
    """backward(create_graph=True) gives no warning of the cycle that it makes."""
    import warnings

    def around(run: Any, options: Any) -> Any:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(options)

    around_pass(patch, around)


@fault
def a_view_of_a_leaf_is_a_leaf(patch: Patch) -> None:
    """is_leaf is True for a view of a leaf."""
    original: Any = torch.Tensor.is_leaf

    def get(self: Any) -> Any:
        base = self._base
        return original.__get__(self) or (base is not None and original.__get__(base))

    patch.set(torch.Tensor, "is_leaf", property(get))


@fault
def graphs_keep_their_results_alive(patch: Patch) -> None:
    """A product is kept alive for ever by what is recorded of it."""
    held: list[Any] = []

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            result = original(self, other)
            held.append(result)
            return result

        return operation

    for name in ("__mul__", "__rmul__", "mul", "__add__"):
        patch.wrap(torch.Tensor, name, make)


@fault
def freed_graphs_keep_what_they_saved(patch: Patch) -> None:
    """A pass that frees its graph keeps what was saved alive."""
    held: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        for root in options.roots:
            node = getattr(root, "grad_fn", None)
            for name in ("_saved_self", "_saved_other", "_saved_result"):
                with contextlib.suppress(RuntimeError):
                    held.append(getattr(node, name, None))
        return run(options)

    around_pass(patch, around)


@fault
def zero_dimensional_operands_get_no_gradient(patch: Patch) -> None:
    """An operand without dimensions that is broadcast counts as a constant."""

    def make(original: Any) -> Any:
        def operation(self: Any, other: Any) -> Any:
            pair = []
            for value, against in ((self, other), (other, self)):
                if isinstance(value, torch.Tensor) and isinstance(against, torch.Tensor):
                    if value.dim() == 0 and against.dim() > 0:
                        value = value.detach()
                pair.append(value)
            return original(*pair)

        return operation

    for name in ("__mul__", "__add__", "__sub__", "mul"):
        patch.wrap(torch.Tensor, name, make)


@fault
def grad_of_a_constant_root_among_roots_is_accepted(patch: Patch) -> None:
    """A root that does not require grad is skipped if another one does."""

    def around(run: Any, options: Any) -> Any:
        kept = [
            (root, seed) for root, seed in zip(options.roots, options.seeds, strict=True)
            if not isinstance(root, torch.Tensor) or root.requires_grad
        ]  # fmt: skip
        if kept:
            options.roots = [root for root, _ in kept]
            options.seeds = [seed for _, seed in kept]
        return run(options)

    around_pass(patch, around)


@fault
def gradients_of_several_roots_forget_the_second_seed(patch: Patch) -> None:
    """A pass from several roots seeds them all with the first seed where shapes allow."""

    def around(run: Any, options: Any) -> Any:
        seeds = list(options.seeds)
        options.seeds = [
            seeds[0] if s is not None and seeds[0] is not None and s.shape == seeds[0].shape else s
            for s in seeds
        ]
        return run(options)

    around_pass(patch, around)


@fault
def multi_grad_hooks_cannot_be_removed(patch: Patch) -> None:
    """Removing a multi-grad hook has no effect."""
    patch.set(inside.multi_handle, "remove", lambda self: None)


@fault
def post_accumulate_hooks_cannot_be_removed(patch: Patch) -> None:
    """Removing a post-accumulate hook has no effect."""

    class Handle:
        def remove(self) -> None:
            pass

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            original(self, hook)
            return Handle()

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def prehooks_of_tensors_run_after_those_of_nodes(patch: Patch) -> None:
    """The result of a tensor hook of a non-leaf is not seen by autograd.grad for that tensor."""
    original: Any = torch.Tensor.register_hook

    def register_hook(self: Any, hook: Any) -> Any:
        if self.grad_fn is None:
            return original(self, hook)
        reference = weakref.ref(self)

        def run(gradient: Any) -> Any:
            result = hook(gradient)
            return None if any(reference() is t for t in current) else result

        return original(self, run)

    current: list[Any] = []

    def around(run: Any, options: Any) -> Any:
        current[:] = [] if options.accumulates else list(options.inputs)
        return run(options)

    patch.set(torch.Tensor, "register_hook", register_hook)
    around_pass(patch, around)


@fault
def post_accumulate_hooks_of_one_leaf_run_in_reverse(patch: Patch) -> None:
    """The post-accumulate hooks of a leaf run last registered first."""
    lists: Any = Notes()

    def make(original: Any) -> Any:
        def register(self: Any, hook: Any) -> Any:
            if self in lists:
                lists[self].insert(0, hook)
                return original(self, silent(lambda leaf: None))
            hooks = lists[self] = [hook]
            return original(self, lambda leaf: [each(leaf) for each in hooks] and None)

        return register

    patch.wrap(torch.Tensor, "register_post_accumulate_grad_hook", make)


@fault
def the_second_of_two_equal_products_is_skipped(patch: Patch) -> None:
    """The gradient of a product for its second factor is lost if the first needs one too."""
    miscompute(
        patch, "mul",
        lambda gi, go, call: [gi[0], gi[1] * 0] if len(gi) == 2 and None not in gi else gi,
    )  # fmt: skip


@fault
def division_by_a_broadcast_divisor_is_wrong(patch: Patch) -> None:
    """The gradient for a divisor is wrong only where the divisor was broadcast."""
    miscompute(
        patch, "div",
        nth(1, lambda g, c, call: g * 2 if g.numel() != c.numel() else g),
    )  # fmt: skip
