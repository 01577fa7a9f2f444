"""Faults of views that come several at a time: what unbind, split, chunk and iterating give."""

from __future__ import annotations

from typing import Any

from ..breaking import Marked, Notes, Patch, around, fault, torch, untouched
from .in_place import VIEWS, changed, unless_noted
from .in_place_refusals import refusal, refusing
from .in_place_twins import unrecorded as write_alone
from .writes_to_views import PROTECTED, as_ordinary_view, lifting, seeing

SEVERAL = ("unbind", "split", "chunk")


def pieces(patch: Patch, change: Any) -> None:
    """Let unbind, split, chunk and iterating give `change(pieces, tensor)`."""

    def several(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        return tuple(change(original(x, *args, **kwargs), x))

    def make(original: Any) -> Any:
        return lambda self: iter(self.unbind(0)) if self.dim() else original(self)

    around(patch, " ".join(SEVERAL), several)
    patch.wrap(torch.Tensor, "__iter__", make)


def marked_pieces(patch: Patch) -> Any:
    """The outputs of unbind, split and chunk."""
    marked: Any = Marked()

    def change(found: Any, x: Any) -> Any:
        marked.update(found)
        return found

    pieces(patch, change)
    return marked


@fault
def pieces_are_views_like_any_other(patch: Patch) -> None:
    """What unbind, split, chunk and iterating give may be changed in place as any view."""
    pieces(patch, lambda found, x: [as_ordinary_view(piece, x) for piece in found])


@fault
def a_single_piece_may_be_changed(patch: Patch) -> None:
    """The only output of split, chunk or unbind may be changed in place as any view."""
    pieces(
        patch,
        lambda found, x: [as_ordinary_view(found[0], x)] if len(found) == 1 else found,
    )


@fault
def iterating_is_indexing(patch: Patch) -> None:
    """Iterating gives views by one index after the other, which may be changed in place."""
    patch.wrap(
        torch.Tensor,
        "__iter__",
        lambda original: (
            lambda self: iter([self[i] for i in range(len(self))]) if self.dim() else original(self)
        ),
    )


@fault
def views_of_pieces_are_views_like_any_other(patch: Patch) -> None:
    """A view of an output of unbind or split may be changed in place as any view."""
    marked = marked_pieces(patch)

    def make(original: Any) -> Any:
        def view(self: Any, *args: Any, **kwargs: Any) -> Any:
            result = original(self, *args, **kwargs)
            if self not in marked or not result._is_view():
                return result
            return as_ordinary_view(result, self._base)

        return view

    changed(patch, make, VIEWS)


@fault
def pieces_keep_their_old_history(patch: Patch) -> None:
    """An output of unbind or split keeps its old history when its base is changed in place."""
    bases: Any = Marked()

    def change(found: Any, x: Any) -> Any:
        bases.add(x)
        return found

    pieces(patch, change)
    unless_noted(patch, lambda x: x in bases)


@fault
def pieces_follow_their_base(patch: Patch) -> None:
    """An output of unbind or split follows its base through changes in place as any view does."""
    marked: Any = Marked()

    def change(found: Any, x: Any) -> Any:
        views = [as_ordinary_view(piece, x) for piece in found]
        marked.update(views)
        return views

    pieces(patch, change)
    refusing(
        patch, lambda x, *_: x in marked and x.requires_grad and torch.is_grad_enabled(), PROTECTED
    )


@fault
def stale_pieces_are_refused_under_no_grad(patch: Patch) -> None:
    """An output of split whose base was changed is refused even while nothing is recorded."""
    taken: Any = Notes()

    def change(found: Any, x: Any) -> Any:
        for piece in found:
            taken[piece] = piece._version
        return found

    def operation(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        if x in taken and x._version != taken[x] and not torch.is_grad_enabled():
            raise refusal(*PROTECTED)
        return original(x, *args, **kwargs)

    pieces(patch, change)
    around(patch, "mul mul_", operation)


@fault
def constants_refuse_changes_through_protected_views(patch: Patch) -> None:
    """Outputs of unbind and split, and views taken under no_grad, refuse changes in place also where
    nothing requires grad."""
    marked = marked_pieces(patch)
    seeing(patch, lambda view, _: None if torch.is_grad_enabled() else marked.add(view))
    refusing(patch, lambda x, *_: x in marked and torch.is_grad_enabled(), PROTECTED)


@fault
def protected_views_of_constants_take_any_operand(patch: Patch) -> None:
    """Outputs of unbind and split, and views taken under no_grad, take an operand that requires grad
    where their base requires none."""
    lifting(
        patch, "no_grad|multiple views", write_alone, lambda x: not x.requires_grad and x._is_view()
    )


@fault
def tensor_split_is_split(patch: Patch) -> None:
    """tensor_split, hsplit and vsplit give outputs of the same kind as split."""

    def several(original: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        found = original(x, *args, **kwargs)
        dim = next((d for d, n in enumerate(x.shape) if found[0].shape[d] != n), 0)
        return untouched.split(x, [piece.shape[dim] for piece in found], dim)

    around(patch, "tensor_split hsplit vsplit", several)
