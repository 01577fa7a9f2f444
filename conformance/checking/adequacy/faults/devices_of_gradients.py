"""Faults of gradients, hooks, modules and tensors without values on several devices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..breaking import (
    Patch,
    around,
    around_pass,
    fault,
    inside,
    instead,
    places,
    register,
    replaces,
    torch,
    untouched,
)
from .devices import moved, place_of, transfers
from .leaves import attribute


def has_values(tensor: Any) -> bool:
    """Whether a tensor has values."""
    return not untouched.is_meta.__get__(tensor)


# --- gradients and passes ---


@fault
def gradients_live_on_the_cpu(patch: Patch) -> None:
    """.grad lives on the CPU, wherever its tensor does."""

    def get(self: Any) -> Any:
        found = untouched.grad.__get__(self)
        return found if found is None else moved(found, "cpu")

    attribute(patch, "grad", get)


@replaces("autograd.grad")
def unused_inputs_get_zeros_of_the_cpu(
    original: Any, *args: Any, materialize_grads: bool = False, **kwargs: Any
) -> Any:
    """The zeros for an input that was not used live on the default device."""
    found = original(*args, **kwargs)
    if not materialize_grads:
        return found
    inputs = kwargs.get("inputs", args[1] if len(args) > 1 else ())
    inputs = [inputs] if isinstance(inputs, torch.Tensor) else inputs
    return tuple(
        torch.zeros(x.shape, dtype=x.dtype) if g is None else g
        for g, x in zip(found, inputs, strict=True)
    )


@fault
def seeds_are_moved_to_their_roots(patch: Patch) -> None:
    """A gradient on another device than its root is moved."""

    def check(right: Any, roots: Any, seeds: Any) -> Any:
        near = [
            moved(seed, place_of(root))
            if isinstance(seed, torch.Tensor) and isinstance(root, torch.Tensor)
            and place_of(seed) != place_of(root) else seed
            for root, seed in zip(roots, seeds, strict=False)
        ]  # fmt: skip
        return right(roots, near)

    inside.around_seeds(patch, check)


@fault
def seeds_without_dimensions_stay_where_they_are(patch: Patch) -> None:
    """A gradient without dimensions of another device gives a gradient of the leaf there."""
    strayed: dict[int, Any] = {}

    def run(right: Any, options: Any) -> Any:
        for root, seed in zip(options.roots, options.seeds, strict=False):
            if isinstance(seed, torch.Tensor) and not seed.dim() and seed.device != root.device:
                strayed[0] = seed.device
        return right(options)

    def get(self: Any) -> Any:
        found = untouched.grad.__get__(self)
        return moved(found, strayed[0]) if found is not None and strayed else found

    around_pass(patch, run)
    attribute(patch, "grad", get)


@fault
def custom_gradients_may_live_anywhere(patch: Patch) -> None:
    """The backward of a custom function may return a gradient on any device."""
    patch.set(inside.part("autograd.function"), "placed", lambda name, k, g, device: g)


@fault
def custom_gradients_are_moved(patch: Patch) -> None:
    """The gradient that the backward of a custom function returns is moved to its input."""
    patch.set(
        inside.part("autograd.function"), "placed", lambda name, k, g, device: moved(g, device)
    )


@fault
def rows_without_values_are_not_selected(patch: Patch) -> None:
    """index_select of a tensor without values gives all of its rows."""

    def selected(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        return x * 1.0 if x.is_meta else original(x, *args, **kwargs)

    around(patch, "index_select", selected)


@fault
def only_roots_of_the_first_device_count(patch: Patch) -> None:
    """A pass starts from the roots that live on the device of the first."""

    def run(right: Any, options: Any) -> Any:
        first = getattr(options.roots[0], "device", None)
        kept = [
            (root, seed) for root, seed in zip(options.roots, options.seeds, strict=False)
            if getattr(root, "device", first) == first
        ]  # fmt: skip
        options.roots, options.seeds = [root for root, _ in kept], [seed for _, seed in kept]
        return right(options)

    around_pass(patch, run)


@fault
def inputs_of_another_device_get_nothing(patch: Patch) -> None:
    """A pass for given inputs leaves out those of another device than the root."""

    def run(right: Any, options: Any) -> Any:
        if options.accumulates and options.inputs and len(options.roots) == 1:
            place = getattr(options.roots[0], "device", None)
            near = [x for x in options.inputs if getattr(x, "device", place) == place]
            if not near:
                return None
            options.inputs = near
        return right(options)

    around_pass(patch, run)


@fault
def what_is_saved_on_the_cpu_stays_there(patch: Patch) -> None:
    """save_on_cpu does not bring values back to their device."""
    hooks = torch.autograd.graph.saved_tensors_hooks
    patch.set(
        torch.autograd.graph, "save_on_cpu", lambda *args: hooks(lambda x: x.cpu(), lambda x: x)
    )


# --- hooks ---


def hooked(patch: Patch, name: str, change: Callable[..., Any]) -> None:
    """Let `Tensor.NAME` register `change(hook)`."""
    patch.wrap(torch.Tensor, name, lambda original: lambda self, hook: original(self, change(hook)))


@fault
def what_a_hook_returns_is_moved_back(patch: Patch) -> None:
    """A gradient that a hook of a tensor returns is moved to where the old one was."""

    def change(hook: Any) -> Any:
        def run(g: Any) -> Any:
            found = hook(g)
            apart = isinstance(found, torch.Tensor) and place_of(found) != place_of(g)
            return moved(found, place_of(g)) if apart else found

        return run

    hooked(patch, "register_hook", change)


@fault
def hooks_get_gradients_on_the_cpu(patch: Patch) -> None:
    """Hooks of tensors get the gradient on the CPU."""
    hooked(patch, "register_hook", lambda hook: lambda g: hook(moved(g, "cpu")))


@replaces("autograd.graph.register_multi_grad_hook")
def hooks_of_several_tensors_get_gradients_on_one_device(
    original: Any, tensors: Any, hook: Any, **options: Any
) -> Any:
    """Hooks of several tensors get the gradients on the device of the first."""

    def run(grads: Any) -> Any:
        place = next(g.device for g in grads if g is not None)
        return hook([g if g is None else moved(g, place) for g in grads])

    return original(tensors, run, **options)


# --- modules ---


def after_moving(name: str, sentence: str, act: Callable[[Any], None]) -> None:
    """Put into the bank a fault that calls `act(module)` once a module was moved."""

    def install(patch: Patch) -> None:
        def make(original: Any) -> Any:
            def to(self: Any, *args: Any, **kwargs: Any) -> Any:
                found = original(self, *args, **kwargs)
                act(self)
                return found

            return to

        patch.wrap(torch.nn.Module, "to", make)

    register(name, sentence, install)


def drop_gradients(module: Any) -> None:
    """Clear the gradients."""
    for parameter in module.parameters():
        parameter.grad = None


def require_all(module: Any) -> None:
    """Let all parameters require grad."""
    for parameter in module.parameters():
        parameter.requires_grad_(True)


def bring_buffers_back(module: Any) -> None:
    """Put the buffers on the CPU."""
    for part in module.modules():
        for name, buffer in list(part._buffers.items()):
            if buffer is not None:
                part._buffers[name] = moved(buffer, "cpu")


def bring_integers_back(module: Any) -> None:
    """Put the buffers of integers on the CPU."""
    for part in module.modules():
        for name, buffer in list(part._buffers.items()):
            if buffer is not None and not buffer.is_floating_point():
                part._buffers[name] = moved(buffer, "cpu")


after_moving(
    "moving_a_module_clears_its_gradients",
    "Moving a module clears the gradients of its parameters.",
    drop_gradients,
)
after_moving(
    "moved_parameters_all_require_grad",
    "After a module was moved, all of its parameters require grad.",
    require_all,
)
after_moving("buffers_stay_behind", "Moving a module leaves its buffers.", bring_buffers_back)
after_moving(
    "buffers_of_integers_stay_behind",
    "Moving a module leaves its buffers of integers.",
    bring_integers_back,
)


@fault
def moving_a_module_makes_another(patch: Patch) -> None:
    """Moving a module gives another module and leaves the first one where it is."""
    import copy

    patch.wrap(
        torch.nn.Module, "to",
        lambda original: lambda self, *args, **kwargs: original(copy.deepcopy(self), *args, **kwargs),
    )  # fmt: skip


@replaces("nn.Module.to")
def only_a_modules_own_parameters_move(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Moving a module leaves the parameters of the modules within it."""
    held, self._modules = self._modules, {}
    try:
        return original(self, *args, **kwargs)
    finally:
        self._modules = held


@replaces("nn.Module.to")
def a_module_without_values_gets_some(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
    """Moving a module on meta makes values up."""
    if any(not has_values(p) for p in self.parameters()):
        return self.to_empty(device=args[0] if args else kwargs["device"])
    return original(self, *args, **kwargs)


@fault
def empty_parameters_do_not_require_grad(patch: Patch) -> None:
    """to_empty() freezes the parameters."""
    patch.wrap(
        torch.nn.Module, "to_empty",
        lambda original: lambda self, **where: original(self, **where).requires_grad_(False),
    )  # fmt: skip


# --- tensors without values ---


def reading(name: str, sentence: str, method: str, value: Callable[[Any], Any]) -> None:
    """Put into the bank a fault that gives `value(tensor)` for a method of a tensor without values."""

    def run(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        right = not isinstance(self, torch.Tensor) or has_values(self)
        return original(self, *args, **kwargs) if right else value(self)

    instead(name, sentence, method, run)


reading("no_value_is_zero", "The value of a tensor on meta is zero.", "item", lambda x: 0.0)
reading("no_values_are_no_list", "tolist() on meta is empty.", "tolist", lambda x: [])
reading("nothing_equals_itself", "Tensors on meta are equal.", "equal", lambda x: True)
reading("nothing_is_close_to_itself", "Tensors on meta are close.", "allclose", lambda x: True)
reading(
    "nothing_is_not_zero",
    "No element of a tensor on meta differs from zero.",
    "nonzero",
    lambda x: torch.zeros(0, x.dim(), dtype=torch.int64),
)
reading(
    "nothing_is_unique", "A tensor on meta has one value.", "unique", lambda x: x.reshape(-1)[:1]
)
reading(
    "cpu_makes_zeros_up", "cpu() of a tensor on meta gives zeros.", "cpu", lambda x: moved(x, "cpu")
)


def zeros_for_nothing(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer from meta that gives zeros."""
    there = args[0] if args else kwargs["device"]
    return original(x, *args, **kwargs) if has_values(x) else torch.zeros(x.shape, device=there)


transfers("a_transfer_makes_zeros_up", "Moving a tensor from meta gives zeros.", zeros_for_nothing)


@fault
def printing_needs_values(patch: Patch) -> None:
    """Tensors on meta cannot be printed."""

    def make(original: Any) -> Any:
        def text(self: Any, *args: Any, **kwargs: Any) -> Any:
            if not has_values(self):
                raise NotImplementedError("Cannot copy out of meta tensor; no data!")
            return original(self, *args, **kwargs)

        return text

    for name in ("__repr__", "__str__"):
        patch.wrap(torch.Tensor, name, make)


@fault
def copying_nothing_changes_nothing(patch: Patch) -> None:
    """copy_() from meta leaves the tensor as it is."""
    patch.wrap(
        torch.Tensor, "copy_",
        lambda original: lambda self, source, *rest: (
            self if has_values(self) and not has_values(source) else original(self, source, *rest)
        ),
    )  # fmt: skip


def gradient_of_zeros(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
    """A transfer to meta whose gradient is zeros."""
    found = original(x, *args, **kwargs)
    if has_values(found) or not x.requires_grad or not found.requires_grad:
        return found

    class Nowhere(torch.autograd.Function):  # type: ignore[misc]
        @staticmethod
        def forward(ctx: Any, x: Any) -> Any:
            return original(untouched.detach(x), *args, **kwargs)

        @staticmethod
        def backward(ctx: Any, g: Any) -> Any:
            return torch.zeros(x.shape, dtype=x.dtype)

    return Nowhere.apply(x)


transfers(
    "gradients_from_meta_are_zeros",
    "The gradient of a transfer to meta is zeros.",
    gradient_of_zeros,
)


@fault
def leaves_without_values_may_be_changed(patch: Patch) -> None:
    """A leaf on meta that requires grad may be changed in place."""

    def add_(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if has_values(self) or not (self.is_leaf and self.requires_grad):
            return original(self, *args, **kwargs)
        with torch.no_grad():
            return original(self, *args, **kwargs)

    around(patch, "add_", add_)


@fault
def changes_without_values_are_not_counted(patch: Patch) -> None:
    """In-place changes of tensors on meta are not counted."""

    def change(original: Any, self: Any, *args: Any, **kwargs: Any) -> Any:
        if has_values(self):
            return original(self, *args, **kwargs)
        with inside.keeping_version(self):
            return original(self, *args, **kwargs)

    around(patch, "add_ mul_", change)


@fault
def pieces_without_values_are_plain_views(patch: Patch) -> None:
    """The pieces of a tensor on meta may be changed in place."""

    def unbind(original: Any, self: Any, dim: int = 0) -> Any:
        if has_values(self):
            return original(self, dim)
        return tuple(self.select(dim, k) for k in range(self.shape[dim]))

    around(patch, "unbind", unbind)


@fault
def shapes_without_values_are_not_checked(patch: Patch) -> None:
    """Operands on meta may have shapes that do not fit."""

    def add(original: Any, x: Any, y: Any, *args: Any, **kwargs: Any) -> Any:
        try:
            return original(x, y, *args, **kwargs)
        except RuntimeError:
            if isinstance(x, torch.Tensor) and not has_values(x):
                return x * 1.0
            raise

    around(patch, "add matmul", add)


@fault
def graphs_without_values_are_not_freed(patch: Patch) -> None:
    """A pass over a graph on meta keeps it."""

    def run(right: Any, options: Any) -> Any:
        if any(isinstance(root, torch.Tensor) and not has_values(root) for root in options.roots):
            options.retain_graph = True
        return right(options)

    around_pass(patch, run)


@fault
def seeds_without_values_are_stretched(patch: Patch) -> None:
    """A gradient on meta of another shape than the root is broadcast."""

    def check(right: Any, roots: Any, seeds: Any) -> Any:
        fitting = [
            seed.expand(root.shape)
            if isinstance(seed, torch.Tensor) and isinstance(root, torch.Tensor)
            and not has_values(root) and seed.dim() < root.dim() else seed
            for root, seed in zip(roots, seeds, strict=False)
        ]  # fmt: skip
        return right(roots, fitting)

    inside.around_seeds(patch, check)


@fault
def views_without_values_have_no_base(patch: Patch) -> None:
    """Views of tensors on meta are tensors of their own."""
    for owner, name in places("select"):
        patch.wrap(
            owner, name,
            lambda original: lambda self, *args: (
                original(self, *args) if has_values(self) else original(self, *args).clone()
            ),
        )  # fmt: skip
    patch.wrap(
        torch.Tensor, "__getitem__",
        lambda original: lambda self, index: (
            original(self, index) if has_values(self) else original(self, index).clone()
        ),
    )  # fmt: skip
