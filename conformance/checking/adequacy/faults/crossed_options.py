"""Faults of options and results where they meet a mode, an error, a second pass or another dtype."""

from __future__ import annotations

import contextlib
from typing import Any

from ..breaking import Patch, fault, replaces, torch
from .checkpoints import OWN, Options, around_checkpoint, is_reentrant
from .functional_derivatives import PRODUCTS, calls, results
from .gradient_checks import Check, as_tuple, instead
from .transforms import in_tree

# -- checkpoints -----------------------------------------------------------------------------------


@fault
def a_checkpoint_that_is_not_recorded_drops_keywords(patch: Patch) -> None:
    """Without grad mode, a checkpoint calls its function without the keyword arguments."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if not torch.is_grad_enabled() and not is_reentrant(options):
            options = {key: value for key, value in options.items() if key in OWN}
        return original(function, *args, **options)

    around_checkpoint(patch, change)


@fault
def a_context_serves_one_run(patch: Patch) -> None:
    """Only the first recomputation runs under the second context of a checkpoint."""

    class Once:
        def __init__(self, context: Any) -> None:
            self.left = [context]

        def __enter__(self) -> None:
            self.entered = self.left.pop() if self.left else contextlib.nullcontext()
            self.entered.__enter__()

        def __exit__(self, *exc: Any) -> Any:
            return self.entered.__exit__(*exc)

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        given = options.get("context_fn")
        if given is None or is_reentrant(options):
            return original(function, *args, **options)

        def contexts() -> tuple[Any, Any]:
            first, second = given()
            return first, Once(second)

        return original(function, *args, **{**options, "context_fn": contexts})

    around_checkpoint(patch, change)


@fault
def a_failed_run_ends_no_context(patch: Patch) -> None:
    """If the function of a checkpoint raises an error, its context is not left."""

    class Late:
        def __init__(self, context: Any) -> None:
            self.context = context

        def __enter__(self) -> None:
            pass

        def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
            if not failures:
                with self.context:
                    pass

    failures: list[int] = []
    patch.at_end(failures.clear)

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        given = options.get("context_fn")
        if given is None or is_reentrant(options):
            return original(function, *args, **options)

        def run(*args: Any, **kwargs: Any) -> Any:
            failures.append(1)
            found = function(*args, **kwargs)
            failures.pop()
            return found

        late = {**options, "context_fn": lambda: tuple(map(Late, given()))}
        return original(run, *args, **late)

    around_checkpoint(patch, change)


@fault
def a_failed_checkpoint_leaves_its_hooks(patch: Patch) -> None:
    """If the function of a checkpoint raises an error, its hooks on saved tensors stay active."""
    hooks = torch.autograd.graph.saved_tensors_hooks
    left: list[Any] = []

    def lost(packed: Any) -> Any:
        raise RuntimeError("the checkpoint of this tensor has failed")

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        try:
            return original(function, *args, **options)
        except Exception:
            if not is_reentrant(options) and not left:
                left.append(hooks(lambda x: None, lost))
                left[0].__enter__()
            raise

    def leave() -> None:
        while left:
            left.pop().__exit__(None, None, None)

    patch.at_end(leave)
    around_checkpoint(patch, change)


# -- gradients within a level ----------------------------------------------------------------------


@fault
def a_retained_gradient_has_no_tangent(patch: Patch) -> None:
    """The gradient that a result retains has no tangent, though it was computed within a level."""
    unpack = torch.autograd.forward_ad.unpack_dual

    def make(original: Any) -> Any:
        def read(self: Any) -> Any:
            found = original.__get__(self)
            return None if found is None else unpack(found).primal

        return property(read, original.__set__, original.__delete__)

    patch.set(torch.Tensor, "grad", make(torch.Tensor.grad))


@fault
def hooks_of_backward_receive_no_tangents(patch: Patch) -> None:
    """Within a level, what hooks receive from backward() has no tangent."""
    unpack = torch.autograd.forward_ad.unpack_dual
    running = [0]

    def hooked(original: Any) -> Any:
        def register_hook(self: Any, hook: Any) -> Any:
            return original(
                self, lambda g: hook(unpack(g).primal if g is not None and running[0] else g)
            )

        return register_hook

    def counted(original: Any) -> Any:
        def backward(self: Any, *args: Any, **options: Any) -> Any:
            running[0] += 1
            try:
                return original(self, *args, **options)
            finally:
                running[0] -= 1

        return backward

    patch.wrap(torch.Tensor, "register_hook", hooked)
    patch.wrap(torch.Tensor, "backward", counted)


# -- dtypes of derivatives -------------------------------------------------------------------------


def first_dtype(inputs: Any) -> Any:
    return as_tuple(inputs)[0].dtype


def jacobian_in_the_dtype_of_the_input(
    whole: Any, f: Any, inputs: Any, *args: Any, **options: Any
) -> Any:
    found = whole(f, inputs, *args, **options)
    if options.get("strategy") != "forward-mode":
        return found
    return in_tree(lambda x: x.to(first_dtype(inputs)), found)


@fault
def columns_have_the_dtype_of_the_input(patch: Patch) -> None:
    """A Jacobian computed in forward mode has the dtype of its input."""
    calls(patch, ("jacobian",), jacobian_in_the_dtype_of_the_input)


results(
    "rows_have_the_widest_dtype",
    "If an input of jacobian has another dtype than float64, a Jacobian by rows is converted to float64.",
    ("jacobian",),
    lambda found, inputs: in_tree(lambda x: x.to(torch.float64), found),
)
results(
    "products_have_one_dtype",
    "All parts of a product with a Jacobian or Hessian have the dtype of the first.",
    PRODUCTS,
    lambda found, inputs: (
        found[0],
        in_tree(lambda x: x.to(first_dtype(found[1])), found[1]),
    ),
)
results(
    "a_hessian_has_one_dtype",
    "All blocks of a Hessian have the dtype of the first input.",
    ("hessian",),
    lambda found, inputs: in_tree(lambda x: x.to(first_dtype(inputs)), found),
)


# -- gradient checks -------------------------------------------------------------------------------


@replaces("autograd.gradcheck")
def undefined_gradients_are_checked_for_two_results(
    original: Any, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    """gradcheck leaves the gradients of at most two results undefined."""
    if len(as_tuple(func(*as_tuple(inputs)))) > 2:
        options["check_undefined_grad"] = False
    return original(func, inputs, *rest, **options)


def checked_along_ones(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
    """In fast mode: the derivative of the sum of all results along ones."""
    if not options.get("fast_mode"):
        return check(func, inputs, *rest, **options)
    given = as_tuple(inputs)
    wanted = [isinstance(x, torch.Tensor) and x.requires_grad for x in given]
    if any(torch.is_complex(x) for x in given if isinstance(x, torch.Tensor)):
        return check(func, inputs, *rest, **options)
    step = torch.zeros((), dtype=torch.float64, requires_grad=True)

    def along(t: Any) -> Any:
        moved = [x.detach() + t if w else x for x, w in zip(given, wanted, strict=True)]
        outs = [o for o in as_tuple(func(*moved)) if o.is_floating_point()]
        return sum((o.sum() for o in outs), torch.zeros((), dtype=torch.float64))

    return check(along, step, *rest, **{**options, "fast_mode": False})


@fault
def fast_mode_compares_sums(patch: Patch) -> None:
    """With fast_mode=True, gradcheck compares only the sum over the elements of the Jacobians."""
    instead(patch, "gradcheck", checked_along_ones)


@fault
def fast_mode_of_the_second_order_compares_sums(patch: Patch) -> None:
    """With fast_mode=True, gradgradcheck compares only the sum over the second derivatives."""
    instead(patch, "gradgradcheck", checked_along_ones)
