"""Whether a program computes in float64 only, so that its results must have the precision of float64."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from .syntax import nodes_of

DOUBLE = frozenset({"float64", "complex128", "double", "cdouble"})
_NARROWER = frozenset({
    "float32", "float16", "bfloat16", "complex64", "complex32", "float", "half", "cfloat", "chalf",
    "set_default_dtype", "type", "promote_types",
})  # fmt: skip
"""Words and methods that make a narrower tensor, or may."""
_MAKERS = frozenset({
    "tensor", "Tensor", "as_tensor", "asarray", "scalar_tensor", "zeros", "ones", "full", "empty",
    "eye", "linspace", "logspace", "rand", "randn", "normal",
})  # fmt: skip
"""Words that make a float32 tensor of floating-point values unless `dtype` says otherwise."""


def in_double_precision(tree: ast.Module, words: Iterable[str], members: Iterable[str]) -> bool:
    """Whether a program names float64 or complex128, and makes no floating-point tensor of another
    dtype. `words` and `members` are those that it uses."""
    names = {*words, *members}
    if names.isdisjoint(DOUBLE) or not names.isdisjoint(_NARROWER):
        return False
    if any(name.startswith("nn.") and name.rpartition(".")[2][:1].isupper() for name in names):
        return False  # a module makes its parameters in float32
    return not any(_is_narrow(node) for node in nodes_of(tree) if isinstance(node, ast.Call))


def _is_narrow(call: ast.Call) -> bool:
    """Whether a call makes a floating-point tensor of the default dtype."""
    if not isinstance(call.func, ast.Name) or call.func.id not in _MAKERS:
        return False
    if any(keyword.arg == "dtype" for keyword in call.keywords):
        return False
    if call.func.id != "tensor" or not call.args:
        return True
    constants = [node.value for node in ast.walk(call.args[0]) if isinstance(node, ast.Constant)]
    return not constants or any(isinstance(value, float | complex) for value in constants)
