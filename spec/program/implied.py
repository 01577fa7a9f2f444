"""Which parts of an engine a call needs although it does not name them: arguments given by position,
and hooks on nodes, which have the name of hooks on tensors."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from .keywords import positional

# The parameters in their order, where some of them need a feature of their own.
_ORDER = {
    "backward": ("gradient", "retain_graph", "create_graph", "inputs"),
    "autograd.backward": ("tensors", "grad_tensors", "retain_graph", "create_graph",
                          "grad_variables", "inputs"),
    "autograd.grad": ("outputs", "inputs", "grad_outputs", "retain_graph", "create_graph",
                      "only_inputs", "allow_unused", "is_grads_batched", "materialize_grads"),
}  # fmt: skip
_REQUIRED = {"autograd.backward": 1, "autograd.grad": 2}


def keywords_by_position(call: ast.Call) -> Iterator[str]:
    """The keywords that a call gives without naming them; None stands for the default."""
    function = call.func
    if isinstance(function, ast.Attribute) and function.attr == "backward":
        name = "backward"
    else:
        name = function.id if isinstance(function, ast.Name) else ""
    if name not in _ORDER:
        return
    for at, (parameter, argument) in enumerate(zip(_ORDER[name], positional(call), strict=False)):
        default = isinstance(argument, ast.Constant) and argument.value is None
        if at >= _REQUIRED.get(name, 0) and not default:
            yield parameter


def is_node(node: ast.expr, nodes: set[str]) -> bool:
    """Whether an expression reads a node of the graph; `nodes` are the variables that hold one."""
    if isinstance(node, ast.Name):
        return node.id in nodes
    while isinstance(node, ast.Subscript):
        node = node.value
        if isinstance(node, ast.Attribute) and node.attr == "next_functions":
            return True
    return isinstance(node, ast.Attribute) and node.attr in ("grad_fn", "node")
