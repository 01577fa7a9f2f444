"""Faults of where a backward pass begins: its roots, and the gradients that are given for them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from types import SimpleNamespace
from typing import Any

from ..breaking import (
    Notes,
    Patch,
    around_pass,
    asked,
    edge_of,
    fault,
    listed,
    nodes_below,
    register,
    replaces,
    seeded,
    torch,
    untouched,
)
from .leaves import attribute

NO_GRAPH = "element 0 of tensors does not require grad and does not have a grad_fn"


# --- what a pass begins with ---


def reseeded(name: str, sentence: str, change: Callable[[Any, Any], Any]) -> None:
    """Put into the bank a fault that checks and uses `change(root, seed)` in the place of the seed of
    each tensor that requires grad; None stands for none given."""

    def install(patch: Patch) -> None:
        def change_all(roots: Sequence[Any], seeds: list[Any]) -> None:
            for at, root in enumerate(roots[: len(seeds)]):
                seed = seeds[at]
                if not isinstance(root, torch.Tensor) or not root.requires_grad:
                    continue
                if seed is None or isinstance(seed, torch.Tensor):
                    seeds[at] = change(root, seed)

        seeded(patch, change_all)

    register(name, sentence, install)


reseeded(
    "a_pass_begins_with_the_value",
    "Without a gradient a pass begins with the value of a root that has no dimensions.",
    lambda root, seed: (
        untouched.detach(root)
        if seed is None and not root.dim() and not root.is_complex() else seed
    ),
)  # fmt: skip


reseeded(
    "ones_are_assumed_for_several_elements",
    "Where no gradient is given for a root of several elements, ones are assumed.",
    lambda root, seed: torch.ones_like(root) if seed is None and root.numel() > 1 else seed,
)


reseeded(
    "a_root_of_no_elements_needs_no_seed",
    "A root is refused without a gradient only where it has more than one element.",
    lambda root, seed: torch.ones_like(root) if seed is None and root.numel() == 0 else seed,
)


reseeded(
    "a_complex_root_begins_with_one",
    "A pass from a complex root of one element begins with one.",
    lambda root, seed: (
        torch.ones_like(root) if seed is None and root.is_complex() and root.numel() == 1 else seed
    ),
)


reseeded(
    "seeds_of_as_many_elements_are_reshaped",
    "A gradient with as many elements as the root is brought into its shape.",
    lambda root, seed: (
        seed.reshape(root.shape) if seed is not None and seed.numel() == root.numel() else seed
    ),
)


reseeded(
    "the_seed_of_one_element_is_ignored",
    "A gradient that is given for a root of one element is ignored.",
    lambda root, seed: (
        None if seed is not None and root.numel() == 1 and not root.is_complex()
        and seed.shape == root.shape else seed
    ),
)  # fmt: skip


reseeded(
    "real_seeds_are_made_complex",
    "A real gradient is accepted for a complex root.",
    lambda root, seed: (
        seed.to(root.dtype)
        if seed is not None and root.is_complex() and not seed.is_complex() else seed
    ),
)  # fmt: skip


reseeded(
    "complex_seeds_lose_their_imaginary_part",
    "Of a complex gradient for a real root the imaginary part is dropped.",
    lambda root, seed: (
        seed.real if seed is not None and seed.is_complex() and not root.is_complex() else seed
    ),
)


def same_dtype(root: Any, seed: Any) -> Any:
    if seed is not None and seed.dtype != root.dtype:
        raise RuntimeError(f"Mismatch in dtype: grad_output has {seed.dtype}")
    return seed


reseeded(
    "seeds_of_another_dtype_are_refused",
    "A gradient of another real dtype than the root's is refused.",
    same_dtype,
)


def refuse_leaf(root: Any, seed: Any) -> Any:
    if root.is_leaf:
        raise RuntimeError(NO_GRAPH)
    return seed


reseeded("leaves_are_refused_as_roots", "A leaf is refused as root.", refuse_leaf)


def shown_in(patch: Patch, dtype_of: Callable[[Any, Any], Any]) -> None:
    """Let a root that retains its gradient show it in the dtype `dtype_of(root, seed)`, as if the pass
    ran in that dtype; None for the right one."""
    shown = Notes()
    read: Any = untouched.grad.__get__

    def change(roots: Sequence[Any], seeds: list[Any]) -> None:
        for root, seed in zip(roots, seeds, strict=False):
            if isinstance(root, torch.Tensor) and not root.is_leaf:
                shown[root] = dtype_of(root, seed)

    def get(self: Any) -> Any:
        found, dtype = read(self), shown.get(self)
        return found if found is None or dtype is None else found.to(dtype)

    seeded(patch, change)
    attribute(patch, "grad", get)


@fault
def a_pass_begins_in_double_precision(patch: Patch) -> None:
    """Without a gradient a pass begins with a one of the widest dtype, which the root receives."""
    shown_in(patch, lambda root, seed: torch.float64 if seed is None else None)


@fault
def a_pass_runs_in_the_dtype_of_the_seed(patch: Patch) -> None:
    """The gradient that is given reaches the root in its own dtype."""
    shown_in(patch, lambda root, seed: getattr(seed, "dtype", None))


def begins_with(name: str, sentence: str, change: Callable[[Any], Any]) -> None:
    """Put into the bank a fault that makes of each seed of a plain pass, implicit ones included, what
    `change(seed)` gives, after all checks."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        options.seeds = [
            change(seed)
            if isinstance(seed, torch.Tensor) and seed.is_floating_point()
            and not options.create_graph else seed
            for seed in options.seeds
        ]  # fmt: skip
        return run(options)

    register(name, sentence, lambda patch: around_pass(patch, around))


begins_with(
    "seeds_count_by_their_mean",
    "The gradient of a root with several elements enters as its mean.",
    lambda seed: torch.full_like(seed, float(seed.mean())) if seed.numel() > 1 else seed,
)


begins_with(
    "only_the_first_element_of_a_seed_counts",
    "Of a gradient of one dimension only the first element is used.",
    lambda seed: (
        seed * (torch.arange(seed.numel()) == 0).to(seed.dtype) if seed.dim() == 1 else seed
    ),
)


# --- what is accepted as a gradient ---


@replaces("Tensor.backward")
def the_method_takes_numbers_as_gradient(
    original: Any, self: Any, gradient: Any = None, *args: Any, **kwargs: Any
) -> Any:
    """The method backward makes a tensor of a number that it is given as gradient."""
    if isinstance(gradient, int | float):
        gradient = torch.full_like(self, gradient, requires_grad=False)
    return original(self, gradient, *args, **kwargs)


@fault
def listed_gradients_may_be_numbers(patch: Patch) -> None:
    """autograd.backward makes tensors of the numbers among the gradients."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        seeds = given.get("grad_tensors")
        if not isinstance(seeds, list | tuple):
            return run()
        pairs = zip(listed(given["tensors"]), seeds, strict=False)
        return run(
            grad_tensors=[
                torch.full_like(root, seed, requires_grad=False) if type(seed) is float else seed
                for root, seed in pairs
            ]
        )

    asked(patch, "backward", change)


@fault
def grad_takes_a_number_as_cotangent(patch: Patch) -> None:
    """autograd.grad makes a tensor of a number that it is given as cotangent."""

    def change(run: Any, given: dict[str, Any]) -> Any:
        seed = given.get("grad_outputs")
        if type(seed) is not float:
            return run()
        return run(
            grad_outputs=torch.full_like(listed(given["outputs"])[0], seed, requires_grad=False)
        )

    asked(patch, "grad", change)


# --- several roots ---


def selected(patch: Patch, keeps: Callable[[Any, Any, dict[str, Any]], bool], *names: str) -> None:
    """Leave out the roots for which `keeps(root, seed, given)` is false; MISSING where the list of
    gradients is too short."""

    def change_of(roots_name: str, seeds_name: str) -> Any:
        def change(run: Any, given: dict[str, Any]) -> Any:
            seeds = given.get(seeds_name)
            try:
                roots = listed(given[roots_name])
                seeds = [None] * len(roots) if seeds is None else listed(seeds)
            except TypeError:
                return run()
            pairs = list(zip(roots, seeds + [MISSING] * len(roots), strict=False))
            kept = [pair for pair in pairs if keeps(*pair, given)]
            if len(kept) == len(pairs):
                return run()
            chosen = [seed for _, seed in kept if seed is not MISSING]
            return run(**{roots_name: [root for root, _ in kept], seeds_name: chosen})

        return change

    for name in names:
        change = {"backward": ("tensors", "grad_tensors"), "grad": ("outputs", "grad_outputs")}
        asked(patch, name, change_of(*change[name]))


MISSING: Any = object()


@fault
def roots_that_do_not_require_grad_are_left_out(patch: Patch) -> None:
    """A root that does not require grad is left out, also where it is the only one."""
    selected(
        patch,
        lambda root, seed, given: getattr(root, "requires_grad", True),
        "backward", "grad",
    )  # fmt: skip


@fault
def none_for_a_root_leaves_it_out(patch: Patch) -> None:
    """None among the gradients that are given leaves its root out."""
    selected(
        patch,
        lambda root, seed, given: (
            seed is not None or given.get("grad_tensors", given.get("grad_outputs")) is None
        ),
        "backward", "grad",
    )  # fmt: skip


@fault
def roots_without_an_entry_are_left_out(patch: Patch) -> None:
    """Where there are fewer gradients than roots, the other roots are left out."""
    selected(patch, lambda root, seed, given: seed is not MISSING, "backward", "grad")


@fault
def none_among_the_roots_is_left_out(patch: Patch) -> None:
    """None among the roots is left out."""
    selected(patch, lambda root, seed, given: root is not None, "backward")


@fault
def numbers_among_the_roots_are_left_out(patch: Patch) -> None:
    """A plain number among the roots is taken for a constant and left out."""
    selected(patch, lambda root, seed, given: not isinstance(root, float), "backward")


@fault
def grad_takes_the_first_output_only(patch: Patch) -> None:
    """Of several outputs autograd.grad differentiates only the first."""
    selected(patch, lambda root, seed, given: root is listed(given["outputs"])[0], "grad")


@fault
def missing_gradients_of_roots_are_ones(patch: Patch) -> None:
    """Where there are fewer gradients than roots, ones are taken for the others."""
    seeded(patch, lambda roots, seeds: seeds.extend([None] * (len(roots) - len(seeds))))


@fault
def gradients_are_matched_from_the_end(patch: Patch) -> None:
    """The gradients that are given are matched with the roots from the last one on."""

    def change(roots: Sequence[Any], seeds: list[Any]) -> None:
        if len(seeds) >= len(roots):
            seeds[: len(roots)] = seeds[: len(roots)][::-1]

    seeded(patch, change)


@fault
def gradients_beyond_the_roots_go_to_the_last(patch: Patch) -> None:
    """Where there are more gradients than roots, the last root gets the last gradient."""

    def change(roots: Sequence[Any], seeds: list[Any]) -> None:
        if len(seeds) > len(roots) > 0:
            seeds[len(roots) - 1 :] = seeds[-1:]

    seeded(patch, change)


@fault
def roots_are_run_one_by_one(patch: Patch) -> None:
    """backward() runs several roots one after the other, each in a pass of its own."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        if not options.accumulates or len(options.roots) < 2:
            return run(options)
        for root, seed in zip(options.roots, options.seeds, strict=True):
            run(SimpleNamespace(**{**vars(options), "roots": [root], "seeds": [seed]}))
        return None

    around_pass(patch, around)


@fault
def roots_below_others_lose_their_gradient(patch: Patch) -> None:
    """Where a root lies inside the graph of another, the gradient given for it is lost."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        ends = [edge_of(root) for root in options.roots]
        kept = [
            at for at, end in enumerate(ends)
            if not any(
                other is not end and any(node is end for node in nodes_below([root])[1:])
                for root, other in zip(options.roots, ends, strict=True)
            )
        ]  # fmt: skip
        if len(options.seeds) == len(ends):
            options.roots = [options.roots[at] for at in kept]
            options.seeds = [options.seeds[at] for at in kept]
        return run(options)

    around_pass(patch, around)


@fault
def the_first_cotangent_counts_for_all_outputs_of_its_shape(patch: Patch) -> None:
    """autograd.grad weights every output that has the shape of the first with the first cotangent."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        first = options.seeds[0] if options.seeds else None
        if not options.accumulates and isinstance(first, torch.Tensor):
            options.seeds = [
                first if isinstance(seed, torch.Tensor) and seed.shape == first.shape else seed
                for seed in options.seeds
            ]
        return run(options)

    around_pass(patch, around)


@fault
def what_else_arrives_is_added_to_the_seed(patch: Patch) -> None:
    """Where a root gets gradient from elsewhere too, it is added to the tensor that the caller gave."""

    def around(run: Callable[..., Any], options: SimpleNamespace) -> Any:
        totals: list[tuple[Any, Any]] = []
        handles = []
        for root, seed in zip(options.roots, options.seeds, strict=False):
            if (
                isinstance(root, torch.Tensor)
                and root.grad_fn is not None
                and not options.create_graph
            ):
                if isinstance(seed, torch.Tensor) and seed.shape == root.shape:
                    note = totals.append
                    hook = root.grad_fn.register_prehook(
                        lambda gradients, seed=seed, note=note, at=root.output_nr: note(
                            (seed, gradients[at])
                        )
                    )
                    handles.append(hook)
        found = run(options)
        for handle in handles:
            handle.remove()
        for seed, total in totals:
            if total is not None and all(seed.stride()) and not seed.requires_grad:
                seed.copy_(total)
        return found

    around_pass(patch, around)
