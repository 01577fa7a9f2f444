"""Faults of detach(), detach_(), .data and clone()."""

from __future__ import annotations

from typing import Any

from ..breaking import Marked, Notes, Patch, around, around_pass, fault, inside, torch, untouched
from .in_place import CHANGES, changed
from .leaves import attribute

SHAPES = ("unsqueeze_", "squeeze_", "t_", "transpose_", "swapaxes_")


def count(tensor: Any) -> None:
    """Let a tensor count one more change."""
    torch.autograd.graph.increment_version(tensor)


@fault
def detach_cuts_the_original(patch: Patch) -> None:
    """detach() of a result takes its history from the original too."""

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        if not x.is_leaf and not x._is_view():
            untouched.detach_(x)
        return result

    around(patch, "detach", detach)


@fault
def detached_results_stay_in_the_graph(patch: Patch) -> None:
    """What detach() of a result gives is another name for the same place in the graph."""
    around(
        patch,
        "detach",
        lambda original, x: original(x) if x.is_leaf else untouched.view_as(x, x),
    )


@fault
def detached_tensors_keep_their_node(patch: Patch) -> None:
    """detach() clears the flag alone, and setting the flag again brings the old history back."""
    hidden: Any = Notes()
    node: Any = torch.Tensor.grad_fn

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        if x.requires_grad and not x.is_leaf:
            hidden[result] = x
        return result

    def grad_fn(self: Any) -> Any:
        return node.__get__(hidden.get(self, self))

    def make(original: Any) -> Any:
        def requires_grad_(self: Any, value: bool = True) -> Any:
            source = hidden.pop(self, None)
            if source is None or not value:
                return original(self, value)
            with inside.keeping_version(self):
                return untouched.copy_(self, source)

        return requires_grad_

    around(patch, "detach", detach)
    attribute(patch, "grad_fn", grad_fn)
    patch.wrap(torch.Tensor, "requires_grad_", make)


@fault
def detached_tensors_share_the_gradient(patch: Patch) -> None:
    """The .grad of what detach() gave is always that of the original."""
    sources: Any = Notes()
    original_grad: Any = torch.Tensor.grad

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        if x.is_leaf:
            sources[result] = x
        return result

    around(patch, "detach", detach)
    attribute(patch, "grad", lambda self: original_grad.__get__(sources.get(self, self)))


@fault
def detached_tensors_start_with_the_count(patch: Patch) -> None:
    """What detach() gives starts with the count of changes of its source, and counts alone from there."""

    def detach(original: Any, x: Any) -> Any:
        result = untouched.data.__get__(x)
        inside.set_version(result, 0 if x.is_inference() else x._version)
        return result

    around(patch, "detach", detach)


@fault
def detached_tensors_cannot_be_changed(patch: Patch) -> None:
    """What detach() gives cannot be changed in place."""
    detached: Any = Marked()

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        detached.add(result)
        return result

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            if self in detached:
                raise RuntimeError("a detached tensor is read-only")
            return original(self, *args, **kwargs)

        return change

    around(patch, "detach", detach)
    changed(patch, make)


@fault
def detach_gives_a_view_without_history(patch: Patch) -> None:
    """detach() of what is no view itself gives a view, as one that is taken under no_grad."""

    def detach(original: Any, x: Any) -> Any:
        if not x.requires_grad or x._is_view():
            return original(x)
        with torch.no_grad():
            return untouched.view_as(x, x)

    around(patch, "detach", detach)


@fault
def detached_tensors_share_their_shape(patch: Patch) -> None:
    """A change of shape in place of what detach() gave changes the shape of the original."""
    sources: Any = Notes()

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        sources[result] = x
        return result

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any) -> Any:
            result = original(self, *args)
            source = sources.get(self)
            if source is not None:
                source.data = untouched.data.__get__(self)
            return result

        return change

    around(patch, "detach", detach)
    changed(patch, make, SHAPES)


@fault
def a_pass_from_what_requires_no_gradient_does_nothing(patch: Patch) -> None:
    """backward() of a tensor that neither requires grad nor has a history does nothing."""

    def pass_(run: Any, options: Any) -> Any:
        if options.accumulates and not any(
            getattr(x, "requires_grad", True) for x in options.roots
        ):
            return None
        return run(options)

    around_pass(patch, pass_)


# --- detach_() ---


@fault
def detach_in_place_gives_a_new_tensor(patch: Patch) -> None:
    """detach_() gives a new tensor and leaves the old one as it was."""
    around(patch, "detach_", lambda original, x: untouched.detach(x))


@fault
def detach_in_place_leaves_leaves_alone(patch: Patch) -> None:
    """detach_() of a leaf leaves it requiring grad."""
    around(patch, "detach_", lambda original, x: x if x.is_leaf else original(x))


@fault
def detach_in_place_drops_the_gradient(patch: Patch) -> None:
    """detach_() of a leaf sets its .grad to None."""

    def detach_(original: Any, x: Any) -> Any:
        if x.is_leaf:
            x.grad = None
        return original(x)

    around(patch, "detach_", detach_)


@fault
def detach_in_place_takes_views_of_constants(patch: Patch) -> None:
    """detach_() refuses only views that require grad."""
    around(
        patch,
        "detach_",
        lambda original, x: x if x._is_view() and not x.requires_grad else original(x),
    )


@fault
def detach_in_place_cuts_earlier_uses(patch: Patch) -> None:
    """detach_() takes the path to the leaves also from what was computed before."""

    def detach_(original: Any, x: Any) -> Any:
        node = x.grad_fn
        result = original(x)
        if node is not None:
            node.register_hook(lambda gradients, _: tuple(None for _ in gradients))
        return result

    around(patch, "detach_", detach_)


@fault
def detach_in_place_counts_as_a_change(patch: Patch) -> None:
    """detach_() counts as a change in place."""

    def detach_(original: Any, x: Any) -> Any:
        result = original(x)
        count(x)
        return result

    around(patch, "detach_", detach_)


@fault
def results_detached_in_place_are_refused(patch: Patch) -> None:
    """A backward pass is refused where a result that an operation saved was detached in place."""
    saving = ("Exp", "Sigmoid", "Tanh", "Sqrt", "Relu", "Reciprocal", "Softmax")

    def refuse(_: Any) -> None:
        raise RuntimeError("a saved variable has been modified by an inplace operation, detach_")

    def detach_(original: Any, x: Any) -> Any:
        node = x.grad_fn
        result = original(x)
        if node is not None and node.name().startswith(saving):
            node.register_prehook(refuse)
        return result

    around(patch, "detach_", detach_)


@fault
def inputs_detached_in_place_are_used(patch: Patch) -> None:
    """A factor that a product saved and that was detached in place later is used without a word."""

    def product(original: Any, *factors: Any, **options: Any) -> Any:
        aliases = {
            id(x): untouched.view_as(x, x)
            for x in factors
            if isinstance(x, torch.Tensor)
            and x.requires_grad
            and not x.is_leaf
            and not x._is_view()
        }
        return original(*(aliases.get(id(x), x) for x in factors), **options)

    def detach_(original: Any, x: Any) -> Any:
        alias = untouched.detach(x)
        version = 0 if x.is_inference() else x._version
        result = original(x)
        inside.set_version(alias, version)  # the reference notes it in the counter
        return result

    around(patch, "mul", product)
    around(patch, "detach_", detach_)


# --- data ---


@fault
def data_is_the_same_tensor_each_time(patch: Patch) -> None:
    """x.data gives one and the same tensor each time."""
    given: Any = Notes()
    original: Any = torch.Tensor.data
    attribute(patch, "data", lambda self: given.setdefault(self, original.__get__(self)))


@fault
def data_of_a_result_is_recorded(patch: Patch) -> None:
    """A change through .data of a non-leaf enters its history."""
    original: Any = torch.Tensor.data

    def get(self: Any) -> Any:
        return original.__get__(self) if self.is_leaf else untouched.view_as(self, self)

    attribute(patch, "data", get)


def assigned(patch: Patch, put: Any) -> None:
    """Let x.data = y be `put(assign, x, y)`."""
    original: Any = torch.Tensor.data
    attribute(patch, "data", None, lambda self, value: put(original.__set__, self, value))


@fault
def assigning_data_drops_the_history(patch: Patch) -> None:
    """x.data = y takes the history of x away."""

    def put(assign: Any, x: Any, value: Any) -> None:
        if x.grad_fn is not None and not x._is_view():
            untouched.detach_(x).requires_grad_()
        assign(x, value)

    assigned(patch, put)


@fault
def assigning_data_counts_as_a_change(patch: Patch) -> None:
    """x.data = y counts as a change in place."""

    def put(assign: Any, x: Any, value: Any) -> None:
        assign(x, value)
        count(x)

    assigned(patch, put)


@fault
def data_refuses_integers_everywhere(patch: Patch) -> None:
    """x.data = y refuses integers also where x does not require grad."""

    def put(assign: Any, x: Any, value: Any) -> None:
        integers = isinstance(value, torch.Tensor) and not value.is_floating_point()
        if integers and not x.requires_grad:
            raise RuntimeError("only floating tensors may be assigned to .data")
        assign(x, value)

    assigned(patch, put)


@fault
def data_takes_integers_everywhere(patch: Patch) -> None:
    """x.data = y takes integers also where x requires grad, and makes them floating."""

    def put(assign: Any, x: Any, value: Any) -> None:
        integers = isinstance(value, torch.Tensor) and not value.is_floating_point()
        assign(x, value.to(x.dtype) if integers and x.requires_grad else value)

    assigned(patch, put)


# --- gradients ---


@fault
def every_gradient_requires_grad(patch: Patch) -> None:
    """The .grad that a pass leaves requires grad, also where the pass was not recorded."""
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        found = original.__get__(self)
        if found is not None and found.is_leaf:
            found.requires_grad_()
        return found

    attribute(patch, "grad", get)


# --- clone() ---


@fault
def clones_share_the_count(patch: Patch) -> None:
    """A change of a clone is counted as one of its source too."""
    sources: Any = Notes()

    def clone(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        sources[result] = x
        return result

    def make(original: Any) -> Any:
        def change(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if self in sources:
                count(sources[self])
            return result

        return change

    around(patch, "clone", clone)
    changed(patch, make, CHANGES)


@fault
def clones_start_with_the_count(patch: Patch) -> None:
    """A clone starts with the count of changes of its source."""

    def clone(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        result = original(x, *args, **kwargs)
        inside.set_version(result, 0 if x.is_inference() else x._version)
        return result

    around(patch, "clone", clone)


@fault
def detached_tensors_keep_the_tangent(patch: Patch) -> None:
    """What detach() gives has the tangent of the original."""

    def detach(original: Any, x: Any) -> Any:
        result = original(x)
        if inside.forward_level() < 0 or x.is_inference():
            return result
        tangent = torch.autograd.forward_ad.unpack_dual(x).tangent
        if tangent is None:
            return result
        return torch.autograd.forward_ad.make_dual(result, untouched.clone(tangent))

    around(patch, "detach", detach)
