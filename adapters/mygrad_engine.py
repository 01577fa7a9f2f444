"""MyGrad: an eager tape over NumPy, whose tensors are constant or not instead of requiring grad."""

from __future__ import annotations

import importlib
from typing import Any

from .framework.classify import pattern
from .framework.engine import Plain, Unsupported
from .framework.numpy_names import (
    DTYPES,
    NUMPY_PATTERNS,
    numpy_methods,
    numpy_words,
    other_meaning,
    sized,
)
from .framework.python_engine import Kinds, PythonEngine

LIKE = ("full_like", "empty_like", "zeros_like", "ones_like")
FACTORIES = ("full", "eye", "linspace", "arange", *LIKE)


class MyGradEngine(PythonEngine):
    """https://github.com/rsokl/MyGrad"""

    name = "mygrad"
    module_name = "mygrad"
    mediated = True
    frees_shared_graph = True
    features = frozenset({
        "arrays", "vjp", "operations", "dtypes", "requires-grad", "leaf", "grad-attribute", "backward",
        "no-grad", "in-place", "graph", "numpy",
    })  # fmt: skip
    patterns = (
        pattern("graph-freed", "InvalidBackprop|part of.*graph.*backprop"),
        pattern("gradient-mismatch", "gradient.*(shape|broadcast)"),
        pattern("not-differentiable-dtype", "Integer-valued tensors must be treated as constants"),
        pattern("missing-gradient", "ufunc .* cannot involve non-constant mygrad tensors"),
        # a node that is called computes forward
        pattern("unsupported", r"^\w+\.__call__\(\) missing"),
        *NUMPY_PATTERNS,
    )

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        mygrad = self.module
        named = numpy_words(mygrad)
        activations = importlib.import_module("mygrad.nnet.activations")
        self.words = {
            **named,
            **{name: getattr(mygrad, name) for name in DTYPES if hasattr(mygrad, name)},
            "bool": mygrad.bool_,
            "tensor": self.tensor,
            "Tensor": other_meaning("Tensor"),
            **{n: sized(self.flagged(getattr(mygrad, n))) for n in ("zeros", "ones", "empty")},
            **{name: self.flagged(getattr(mygrad, name)) for name in FACTORIES},
            **{name: getattr(activations, name) for name in ("relu", "sigmoid")},
            "is_tensor": self.is_tensor,
            "vjp": self.vjp_by_backward,
            "is_node": lambda value: bool(self.node_name(value)),
            "no_grad": lambda: mygrad.no_autodiff,
            "shares_storage": lambda first, second: mygrad.shares_memory(first, second),
            "to_numpy": lambda tensor: tensor.data,
        }
        self.methods = {
            **numpy_methods(named),
            "backward": lambda x, gradient=None: x.backward(gradient),
            "numpy": lambda x: x.data,
        }
        self.attributes = {
            "requires_grad": lambda x: not x.constant,
            "is_leaf": lambda x: x.creator is None,
            "grad_fn": lambda x: x.creator,
        }

    def tensor(self, values: Any, dtype: Any = None, requires_grad: bool = False) -> Any:
        """A tensor; float32 where the values are floats and no dtype is named."""
        mygrad = self.module
        made = mygrad.tensor(values, dtype=dtype, constant=not requires_grad)
        if dtype is None and made.dtype == mygrad.float64:
            made = mygrad.tensor(values, dtype=mygrad.float32, constant=not requires_grad)
        return made

    def flagged(self, factory: Any) -> Any:
        """A factory that takes `requires_grad` for MyGrad's `constant`."""

        def build(*arguments: Any, requires_grad: bool = False, **keywords: Any) -> Any:
            return factory(*arguments, constant=not requires_grad, **keywords)

        return build

    def fresh_leaf(self, tensor: Any) -> Any:
        return self.module.tensor(tensor.data, constant=False)

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.Tensor)

    def describe_tensor(self, value: Any) -> Plain:
        data = value.data
        return self.tensor_plain(str(data.dtype), data.shape, data.reshape(-1).tolist())

    def set_attribute(self, owner: Any, name: str, value: Any) -> None:
        if self.is_tensor(owner) and name in ("requires_grad", "grad"):
            raise Unsupported(f"assigning {name}")
        super().set_attribute(owner, name, value)

    def node_name(self, value: Any) -> str:
        node = type(value).__module__.startswith("mygrad") and hasattr(value, "backward_var")
        return type(value).__name__ if node else ""
