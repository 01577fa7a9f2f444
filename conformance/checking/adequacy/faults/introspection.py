"""Faults of what a tensor shows of its graph: printing, nodes, names, saved values."""

from __future__ import annotations

import re
import sys
from typing import Any

from ..breaking import Patch, fault, inside, torch
from .altered_nodes import Shown, shown


def printed(patch: Patch, change: Any) -> None:
    """Change the text of printed tensors."""
    for name in ("__repr__", "__str__"):
        patch.wrap(
            torch.Tensor,
            name,
            lambda original: lambda self, **kw: change(original(self, **kw), self),
        )


@fault
def printing_hides_requires_grad(patch: Patch) -> None:
    """A printed leaf does not show that it requires grad."""
    printed(patch, lambda text, tensor: text.replace(", requires_grad=True", ""))


@fault
def printing_hides_grad_fn(patch: Patch) -> None:
    """A printed result does not show its node."""
    printed(patch, lambda text, tensor: re.sub(r", grad_fn=<\w+>", "", text))


@fault
def printing_shows_requires_grad_of_results(patch: Patch) -> None:
    """A printed result shows requires_grad=True instead of its node."""
    printed(patch, lambda text, tensor: re.sub(r"grad_fn=<\w+>", "requires_grad=True", text))


@fault
def printing_names_the_wrong_node(patch: Patch) -> None:
    """A printed result shows its node's name without the number."""
    printed(patch, lambda text, tensor: re.sub(r"(grad_fn=<\w+?)\d>", r"\1>", text))


@fault
def printing_shows_the_default_dtype(patch: Patch) -> None:
    """A printed tensor shows its dtype even if it is the default."""
    printed(
        patch,
        lambda text, tensor: text if "dtype" in text else f"{text[:-1]}, dtype={tensor.dtype})",
    )


@fault
def printing_hides_the_dtype(patch: Patch) -> None:
    """A printed tensor does not show a dtype that is not the default."""
    printed(patch, lambda text, tensor: re.sub(r", dtype=torch\.\w+", "", text))


@fault
def printing_hides_the_tangent(patch: Patch) -> None:
    """A printed tensor does not show its tangent."""
    printed(patch, lambda text, tensor: re.sub(r", tangent=.*\)\)$", ")", text))


@fault
def printing_leaves_nothing_out(patch: Patch) -> None:
    """A printed tensor of many elements does not tell where some are left out."""
    printed(patch, lambda text, tensor: text.replace("  ...,", ""))


@fault
def called_nodes_double_gradients(patch: Patch) -> None:
    """A node that is called takes each gradient twice."""
    shown(patch, __call__=lambda node: lambda *gradients: node(*(2 * g for g in gradients)))


@fault
def nodes_list_their_inputs_backwards(patch: Patch) -> None:
    """next_functions are in reverse order."""
    shown(patch, next_functions=lambda node: tuple(reversed(node.next_functions)))


@fault
def nodes_leave_out_constants(patch: Patch) -> None:
    """next_functions has no place for an input that does not require grad."""
    shown(patch, next_functions=lambda n: tuple(p for p in n.next_functions if p[0] is not None))


@fault
def node_names_lack_their_number(patch: Patch) -> None:
    """A node is called MulBackward instead of MulBackward0."""
    shown(patch, name=lambda node: lambda: node.name().rstrip("0"))


@fault
def leaves_have_no_node(patch: Patch) -> None:
    """next_functions shows None where a leaf accumulates."""
    shown(
        patch,
        next_functions=lambda node: tuple(
            (None, 0) if hasattr(n, "variable") else (n, i) for n, i in node.next_functions
        ),
    )


@fault
def accumulating_nodes_hold_a_copy(patch: Patch) -> None:
    """The variable of a node that accumulates is another tensor than the leaf."""
    shown(
        patch,
        next_functions=lambda node: tuple(
            (
                Shown(n, {"variable": lambda a: a.variable.detach()}, lambda other: other)
                if hasattr(n, "variable")
                else n,
                i,
            )
            for n, i in node.next_functions
        ),
    )


@fault
def edges_forget_which_output(patch: Patch) -> None:
    """next_functions gives 0 for every output of a node with several."""
    shown(patch, next_functions=lambda node: tuple((n, 0) for n, _ in node.next_functions))


@fault
def output_nr_is_always_zero(patch: Patch) -> None:
    """output_nr of every result is 0."""
    patch.set(torch.Tensor, "output_nr", property(lambda self: 0))


@fault
def nodes_are_made_anew(patch: Patch) -> None:
    """Each time grad_fn is read another object comes."""
    original: Any = torch.Tensor.grad_fn

    def get(self: Any) -> Any:
        node = original.__get__(self)
        return None if node is None else Shown(node, {}, lambda other: other)

    patch.set(torch.Tensor, "grad_fn", property(get))


@fault
def leaves_have_a_grad_fn(patch: Patch) -> None:
    """grad_fn of a leaf that requires grad is its accumulating node."""
    original: Any = torch.Tensor.grad_fn

    def get(self: Any) -> Any:
        node = original.__get__(self)
        if node is None and self.requires_grad and not inside.is_reading(sys._getframe(1)):
            with torch.enable_grad():
                return original.__get__(self.view_as(self)).next_functions[0][0]
        return node

    patch.set(torch.Tensor, "grad_fn", property(get))


@fault
def saved_values_are_swapped(patch: Patch) -> None:
    """_saved_self of a product shows the other factor."""
    shown(patch, _saved_self=lambda node: node._saved_other, _saved_other=lambda n: n._saved_self)


@fault
def saved_values_outlive_the_graph(patch: Patch) -> None:
    """Reading a saved value after the graph was freed gives None instead of being refused."""

    def get(name: str) -> Any:
        def read(node: Any) -> Any:
            try:
                return getattr(node, name)
            except RuntimeError:
                return None

        return read

    shown(patch, **{name: get(name) for name in ("_saved_self", "_saved_other", "_saved_result")})


@fault
def gradient_edges_point_at_the_first_output(patch: Patch) -> None:
    """get_gradient_edge forgets which output of its node a tensor is."""
    graph: Any = torch.autograd.graph
    patch.wrap(
        graph, "get_gradient_edge",
        lambda original: lambda tensor: original(tensor)._replace(output_nr=0),
    )  # fmt: skip


@fault
def result_of_view_of_copy_is_named_after_its_class(patch: Patch) -> None:
    """grad_fn.name() gives the type's module too."""
    shown(patch, name=lambda node: lambda: f"torch.autograd.{node.name()}")
