"""Faults of what the backward of a custom function is given, and of what becomes of its gradients."""

from __future__ import annotations

from typing import Any

from ..breaking import Notes, Patch, fault, inside, torch, untouched
from .custom_functions import around_apply, around_backward, several
from .leaves import attribute
from .recorded_results import is_tensor


class Edges:
    """Where the gradients of each call's inputs go. The engine lists the edges of tensors only."""

    def __init__(self, patch: Patch) -> None:
        self.places = Notes()
        around_apply(patch, self.call)

    def call(self, run: Any, *args: Any, **kwargs: Any) -> Any:
        found = run(*args, **kwargs)
        for result in several(found):
            node = result.grad_fn if is_tensor(result) else None
            if node is not None:
                self.places[node] = [place for place, each in enumerate(args) if is_tensor(each)]
        return found

    def of(self, context: Any) -> dict[int, tuple[Any, int]]:
        """The node and its number by the place of the input; nothing where none is needed."""
        edges = zip(self.places.get(context, ()), context.next_functions, strict=False)
        return {place: edge for place, edge in edges if edge[0] is not None}

    def leaves(self, context: Any) -> dict[int, Any]:
        """The leaves among the inputs by their places."""
        return {
            place: node.variable for place, (node, _) in self.of(context).items()
            if hasattr(node, "variable")
        }  # fmt: skip


@fault
def custom_gradients_are_their_cotangents(patch: Patch) -> None:
    """The gradient of a custom function of one input is its cotangent, whatever its backward returns."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = run(*cotangents)
        alone = len(inside.needs_input_grad(context)) == 1 and len(cotangents) == 1
        return cotangents[0] if alone and is_tensor(found) else found

    around_backward(patch, around)


@fault
def missing_custom_gradients_are_none(patch: Patch) -> None:
    """Gradients that a custom backward leaves out are taken for None, and those beyond are dropped."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = several(run(*cotangents))
        count = len(inside.needs_input_grad(context))
        return (*found, *(None,) * count)[:count]

    around_backward(patch, around)


@fault
def custom_gradients_of_any_shape_are_kept(patch: Patch) -> None:
    """A gradient of another shape that a custom backward returns for a leaf is kept as it is."""
    kept = Notes()
    original: Any = torch.Tensor.grad

    def get(self: Any) -> Any:
        found = original.__get__(self)
        return found if found is None else kept.get(self, found)

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = list(several(run(*cotangents)))
        for place, leaf in edges.leaves(context).items():
            gradient = found[place]
            if gradient is not None and gradient.dim() <= leaf.dim():
                if gradient.shape != leaf.shape:
                    kept[leaf] = gradient
                    found[place] = torch.zeros_like(leaf, requires_grad=False)
        return tuple(found)

    edges = Edges(patch)
    attribute(patch, "grad", get)
    around_backward(patch, around)


@fault
def nones_of_custom_functions_are_zeros(patch: Patch) -> None:
    """None that a custom backward returns for a leaf is accumulated as zeros."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = list(several(run(*cotangents)))
        for place, leaf in edges.leaves(context).items():
            if found[place] is None:
                found[place] = torch.zeros_like(leaf, requires_grad=False)
        return tuple(found)

    edges = Edges(patch)
    around_backward(patch, around)


@fault
def an_input_given_twice_counts_once(patch: Patch) -> None:
    """An input that a custom function is given twice gets the gradient of its first place only."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        found = list(several(run(*cotangents)))
        seen = []
        for place, edge in edges.of(context).items():
            if edge in seen and place < len(found):
                found[place] = None
            seen.append(edge)
        return tuple(found)

    edges = Edges(patch)
    around_backward(patch, around)


@fault
def custom_backwards_are_never_recorded(patch: Patch) -> None:
    """A pass that records itself does not record the backward of a custom function."""

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        with torch.no_grad():
            return run(*cotangents)

    around_backward(patch, around)


# --- what was saved ---


@fault
def saved_tensors_come_back_in_reverse(patch: Patch) -> None:
    """ctx.saved_tensors come back in reverse order."""
    patch.set(
        inside.function_node, "saved_tensors",
        property(lambda self: tuple(reversed(inside.saved_tensors(self)))),
    )  # fmt: skip


@fault
def saved_tensors_of_functions_are_never_freed(patch: Patch) -> None:
    """What a custom function saved is not freed by a pass."""

    def save(self: Any, *tensors: Any) -> None:
        self.kept_aside = [(t, None if t is None else t._version) for t in tensors]

    def saved(self: Any) -> tuple[Any, ...]:
        kept = vars(self).get("kept_aside", ())
        if any(tensor is not None and tensor._version != version for tensor, version in kept):
            raise RuntimeError("a saved tensor has been modified by an inplace operation")
        return tuple(tensor for tensor, _ in kept)

    patch.set(inside.function_context, "save_for_backward", save)
    patch.set(inside.function_node, "saved_tensors", property(saved))


@fault
def writing_to_a_view_forgets_what_was_saved(patch: Patch) -> None:
    """A custom function that writes to a view has nothing saved when its backward comes."""

    def make(original: Any) -> Any:
        def mark_dirty(self: Any, *tensors: Any) -> None:
            self.wrote_to_a_view = any(tensor._is_view() for tensor in tensors)
            original(self, *tensors)

        return mark_dirty

    def saved(self: Any) -> tuple[Any, ...]:
        return () if vars(self).get("wrote_to_a_view") else tuple(inside.saved_tensors(self))

    patch.wrap(inside.function_context, "mark_dirty", make)
    patch.set(inside.function_node, "saved_tensors", property(saved))


# --- its node ---


@fault
def nodes_of_functions_have_one_name(patch: Patch) -> None:
    """The node of a custom function is named FunctionBackward, whatever its class."""
    patch.set(inside.function_node, "name", lambda self: "FunctionBackward")


# --- changed inputs ---


@fault
def dirty_inputs_keep_their_history(patch: Patch) -> None:
    """An input that a custom forward changed in place keeps its old history: its gradient goes past
    the backward."""
    marked: list[tuple[Any, ...]] = []

    def make(original: Any) -> Any:
        def mark_dirty(self: Any, *tensors: Any) -> None:
            original(self, *tensors)
            marked.append(tensors)

        return mark_dirty

    def call(run: Any, *args: Any, **kwargs: Any) -> Any:
        marked.clear()
        found = run(*args, **kwargs)
        dirty = [tensor for tensors in marked for tensor in tensors]
        results = several(found)
        context = next((r.grad_fn for r in results if is_tensor(r)), None)
        if context is not None and isinstance(context, inside.function_node):
            context.past = [
                (place, number)
                for number, result in enumerate(results)
                for place, argument in enumerate(args)
                if argument is result and any(result is each for each in dirty)
            ]
        return found

    def around(context: Any, cotangents: Any, run: Any) -> Any:
        past = vars(context).get("past", ())
        given = list(cotangents)
        for _, number in past:
            if given[number] is not None:
                given[number] = untouched.mul(given[number], 0)
        found = list(several(run(*given)))
        for place, number in past:
            found[place] = cotangents[number]
        return tuple(found)

    patch.wrap(inside.function_context, "mark_dirty", make)
    around_apply(patch, call)
    around_backward(patch, around)
