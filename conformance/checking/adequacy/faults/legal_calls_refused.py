"""Faults of legal calls that are refused, of options that reach too far, and of what is kept too long."""

from __future__ import annotations

from typing import Any

from ..breaking import Patch, fault, register, replaces, torch
from .checkpoints import Options, around_checkpoint, is_reentrant, with_function, without
from .gradient_checks import Check, as_tuple, instead
from .transforms import is_tensor

# -- checkpoints -----------------------------------------------------------------------------------


def refused_with_reentry(name: str, sentence: str, option: str, default: Any) -> None:
    """A fault: a reentrant checkpoint accepts only the default of an option."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        if is_reentrant(options) and options.get(option, default) != default:
            raise ValueError(f"{option} needs use_reentrant=False")
        return original(function, *args, **options)

    register(name, sentence, lambda patch: around_checkpoint(patch, change))


refused_with_reentry(
    "a_reentrant_checkpoint_refuses_early_stop",
    "early_stop=False raises an error for a reentrant checkpoint.",
    "early_stop",
    True,
)
refused_with_reentry(
    "a_reentrant_checkpoint_refuses_a_comparison",
    'determinism_check="none" raises an error for a reentrant checkpoint.',
    "determinism_check",
    "default",
)


@fault
def a_reentrant_checkpoint_replays_once(patch: Patch) -> None:
    """Only the first recomputation of a reentrant checkpoint draws the numbers of the first run."""

    def change(function: Any, run: int, *args: Any, **kwargs: Any) -> Any:
        if run > 1:
            torch.rand(3)
        return function(*args, **kwargs)

    with_function(patch, change, True)


@fault
def a_checkpoint_refers_to_its_result(patch: Patch) -> None:
    """The function of a checkpoint, which its graph keeps, refers to the result."""

    def change(original: Any, function: Any, args: Any, options: Options) -> Any:
        kept: list[Any] = []

        def run(*args: Any, **kwargs: Any) -> Any:
            return function(*args, **kwargs) if kept is not None else None

        found = original(run, *args, **options)
        kept.append(found)
        return found

    around_checkpoint(patch, change)


# -- forward mode ----------------------------------------------------------------------------------


@fault
def an_exponential_in_place_saves_no_tangent(patch: Patch) -> None:
    """exp_ saves its result without the tangent."""
    unpack = torch.autograd.forward_ad.unpack_dual

    class Exponential(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            found = x.exp()
            ctx.save_for_backward(found)
            ctx.save_for_forward(found)
            return found

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            (found,) = ctx.saved_tensors
            return g * unpack(found).primal

        @staticmethod
        def jvp(ctx: Any, tangent: Any) -> Any:
            (found,) = ctx.saved_tensors
            return tangent * found

    patch.wrap(torch.Tensor, "exp_", lambda _: lambda self: self.copy_(Exponential.apply(self)))


@fault
def a_level_keeps_its_tangents_until_its_end(patch: Patch) -> None:
    """A level keeps the tangents that make_dual was given until it ends."""
    kept: list[Any] = []

    def making(original: Any) -> Any:
        def make_dual(tensor: Any, tangent: Any, **options: Any) -> Any:
            kept.append(tangent)
            return original(tensor, tangent, **options)

        return make_dual

    patch.at_end(kept.clear)
    patch.wrap(torch.autograd.forward_ad, "make_dual", making)


# -- transforms ------------------------------------------------------------------------------------


@replaces("func.functional_call")
def buffers_that_are_not_saved_are_not_replaced(
    original: Any, module: Any, given: Any, *rest: Any, **options: Any
) -> Any:
    """functional_call uses the module's own buffers where they are not persistent."""
    if isinstance(given, dict):
        own = {
            name
            for name, value in module.named_buffers()
            if name not in module.state_dict() and value is not None
        }
        given = {name: value for name, value in given.items() if name not in own}
    return original(module, given, *rest, **options)


def alone(name: str, sentence: str, transform: str) -> None:
    """A fault: the function that a transform returns refuses to run within a vmap."""
    running = [0]

    def install(patch: Patch) -> None:
        def mapping(original: Any) -> Any:
            def vmap(func: Any, *rest: Any, **options: Any) -> Any:
                def counted(*args: Any, **kwargs: Any) -> Any:
                    running[0] += 1
                    try:
                        return func(*args, **kwargs)
                    finally:
                        running[0] -= 1

                return original(counted, *rest, **options)

            return vmap

        def making(original: Any) -> Any:
            def make(func: Any, *primals: Any, **options: Any) -> Any:
                value, push, *aux = original(func, *primals, **options)
                within = running[0]

                def pushed(*given: Any) -> Any:
                    if running[0] > within:
                        raise RuntimeError("not within vmap")
                    return push(*given)

                return (value, pushed, *aux)

            return make

        patch.at_end(lambda: running.__setitem__(0, 0))
        patch.wrap(torch.func, "vmap", mapping)
        patch.wrap(torch.func, transform, making)

    register(name, sentence, install)


alone(
    "a_linear_function_cannot_be_mapped",
    "The function that linearize returns raises an error within vmap.",
    "linearize",
)
alone(
    "a_pulling_function_cannot_be_mapped",
    "The function that vjp returns raises an error within vmap.",
    "vjp",
)


def nested_randomness(name: str, sentence: str, chosen: Any) -> None:
    """A fault: `chosen(outer, own)` is the randomness of a vmap within another."""
    around: list[str] = []

    def install(patch: Patch) -> None:
        def mapping(original: Any) -> Any:
            def vmap(
                func: Any,
                in_dims: Any = 0,
                out_dims: Any = 0,
                randomness: str = "error",
                **rest: Any,
            ) -> Any:
                def counted(*args: Any, **kwargs: Any) -> Any:
                    around.append(randomness)
                    try:
                        return func(*args, **kwargs)
                    finally:
                        around.pop()

                def run(*args: Any, **kwargs: Any) -> Any:
                    used = chosen(around[-1], randomness) if around else randomness
                    return original(counted, in_dims, out_dims, used, **rest)(*args, **kwargs)

                original(func, in_dims, out_dims, randomness, **rest)  # which checks its options
                return run

            return vmap

        patch.at_end(around.clear)
        patch.wrap(torch.func, "vmap", mapping)

    register(name, sentence, install)


nested_randomness(
    "an_inner_vmap_has_the_randomness_of_the_outer",
    "A vmap within another treats random numbers as the outer one does.",
    lambda outer, own: outer,
)


@fault
def an_inner_vmap_allows_random_numbers(patch: Patch) -> None:
    """A vmap allows random numbers if its function is another vmap, which allows them itself."""

    def mapping(original: Any) -> Any:
        def vmap(
            func: Any, in_dims: Any = 0, out_dims: Any = 0, randomness: str = "error", **rest: Any
        ) -> Any:
            allowed = getattr(func, "allows_random_numbers", False)
            used = "different" if randomness == "error" and allowed else randomness
            made = original(func, in_dims, out_dims, used, **rest)

            def run(*args: Any, **kwargs: Any) -> Any:
                return made(*args, **kwargs)

            run.allows_random_numbers = randomness != "error"  # type: ignore[attr-defined]
            return run

        return vmap

    patch.wrap(torch.func, "vmap", mapping)


# -- gradient checks -------------------------------------------------------------------------------


def refusing_no_elements(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
    if any(is_tensor(x) and x.requires_grad and not x.numel() for x in as_tuple(inputs)):
        raise ValueError("an input has no elements")
    return check(func, inputs, *rest, **options)


for name in ("gradcheck", "gradgradcheck"):
    register(
        f"{name}_refuses_inputs_without_elements",
        f"{name} raises an error if an input has no elements.",
        lambda patch, name=name: instead(patch, name, refusing_no_elements),
    )


@replaces("autograd.gradcheck")
def undefined_gradients_are_checked_without_backward(
    original: Any, func: Any, inputs: Any, *rest: Any, **options: Any
) -> Any:
    """With check_backward_ad=False, gradcheck still runs a backward with undefined gradients."""
    if options.get("check_backward_ad", True) is False and options.get("check_forward_ad"):
        outs = [o for o in as_tuple(func(*as_tuple(inputs))) if is_tensor(o) and o.requires_grad]
        wanted = [x for x in as_tuple(inputs) if is_tensor(x) and x.requires_grad]
        if outs:
            seeds = [torch.zeros_like(o) for o in outs]
            torch.autograd.grad(outs, wanted, seeds, allow_unused=True)
    return original(func, inputs, *rest, **options)


@fault
def batches_of_gradients_are_checked_without_backward(patch: Patch) -> None:
    """gradcheck accepts check_batched_grad=True with check_backward_ad=False, and ignores it."""

    def change(check: Check, func: Any, inputs: Any, *rest: Any, **options: Any) -> Any:
        if options.get("check_backward_ad", True) is False:
            options = without(options, "check_batched_grad")
        return check(func, inputs, *rest, **options)

    instead(patch, "gradcheck", change)


# -- lifetimes -------------------------------------------------------------------------------------


@replaces("autograd.grad")
def recorded_gradients_lose_their_sign(original: Any, *args: Any, **options: Any) -> Any:
    """With create_graph=True, autograd.grad gives the sizes of the gradients."""
    found = original(*args, **options)
    if not options.get("create_graph"):
        return found
    return tuple(None if g is None else g.sgn() * g for g in found)


@replaces("autograd.grad")
def recorded_gradients_are_noted_on_the_root(
    original: Any, outputs: Any, *rest: Any, **options: Any
) -> Any:
    """With create_graph=True, autograd.grad notes its results on the node of the root."""
    found = original(outputs, *rest, **options)
    root: Any = outputs if is_tensor(outputs) else next(iter(outputs), None)
    if options.get("create_graph") and is_tensor(root) and root.grad_fn is not None:
        root.grad_fn.metadata["results"] = found
    return found


def keeping_each_other(original: Any) -> Any:
    def call(self: Any, *args: Any, **options: Any) -> Any:
        parts = original(self, *args, **options)
        for part in parts:
            part.beside = parts
        return parts

    return call


@fault
def views_of_one_operation_keep_each_other(patch: Patch) -> None:
    """The results of unbind, split and chunk keep each other alive."""
    for name in ("unbind", "split", "chunk"):
        patch.wrap(torch.Tensor, name, keeping_each_other)
