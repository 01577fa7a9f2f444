"""MLX: arrays computed lazily, with derivatives as transforms of functions."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Sequence
from operator import attrgetter
from typing import Any

from .framework.classify import pattern
from .framework.engine import Plain, Unsupported
from .framework.functional import FunctionalEngine
from .framework.named_calls import calls
from .framework.numpy_calls import (
    NUMPY_CALLS,
    PADDED_AS,
    approximation,
    other_forms,
    pad_widths,
    part_of,
    places_along,
    shaping_methods,
    whole_but,
)
from .framework.numpy_names import deviation
from .framework.python_engine import Kinds

_REDUCED = "reduction=reduction:'mean'"

CALLS = {
    "pow": "power(input, exponent)",
    "prod": "prod(input, axis=dim?, keepdims=keepdim?)",
    "sum": "sum(input, axis=dim?, keepdims=keepdim?)",
    "positive": "positive(input)",
    "cumsum": "cumsum(input, axis=dim)",
    "flatten": "flatten(input, start_dim:0, end_dim:-1)",
    "unflatten": "unflatten(input, dim, *sizes)",
    "expm1": "expm1(input)",
    "addmm": "addmm(input, mat1, mat2, alpha=alpha?, beta=beta?)",
    "as_strided": "as_strided(input, size, stride, storage_offset?)",
    "linalg.qr": "linalg.qr(A)",
    "linalg.pinv": "linalg.pinv(input)",
    "linalg.norm": "linalg.norm(input, ord=ord?, axis=dim?, keepdims=keepdim?)",
    "linalg.cross": "linalg.cross(input, other, axis=dim:-1)",
}
NN = {
    **{
        f"nn.functional.{name}": f"{theirs}(input)"
        for name, theirs in {
            "relu": "relu", "relu6": "relu6", "selu": "selu", "hardswish": "hardswish", "mish": "mish",
            "silu": "silu", "softsign": "softsign", "softplus": "softplus", "logsigmoid": "log_sigmoid",
        }.items()
    },
    "relu": "relu(input)",
    "selu": "selu(input)",
    "celu": "celu(input, alpha:1.0)",
    "hardshrink": "hard_shrink(input, lambd:0.5)",
    "log_softmax": "log_softmax(input, axis=dim)",
    "nn.functional.log_softmax": "log_softmax(input, axis=dim)",
    "nn.functional.softmin": "softmin(input, axis=dim)",
    "nn.functional.leaky_relu": "leaky_relu(input, negative_slope:0.01)",
    "nn.functional.elu": "elu(input, alpha:1.0)",
    "nn.functional.celu": "celu(input, alpha:1.0)",
    "nn.functional.glu": "glu(input, axis=dim:-1)",
    "nn.functional.hardtanh": "hard_tanh(input, min_val:-1.0, max_val:1.0)",
    "nn.functional.hardshrink": "hard_shrink(input, lambd:0.5)",
    "nn.functional.softshrink": "softshrink(input, lambd:0.5)",
    "nn.functional.mse_loss": f"losses.mse_loss(input, target, {_REDUCED})",
    "nn.functional.l1_loss": f"losses.l1_loss(input, target, {_REDUCED})",
    "nn.functional.smooth_l1_loss": f"losses.smooth_l1_loss(input, target, {_REDUCED}, beta=beta:1.0)",
    "nn.functional.huber_loss": f"losses.huber_loss(input, target, {_REDUCED}, delta=delta:1.0)",
    "nn.functional.binary_cross_entropy_with_logits":
        f"losses.binary_cross_entropy(input, target, weights=weight?, {_REDUCED})",
    "nn.functional.margin_ranking_loss":
        f"losses.margin_ranking_loss(input1, input2, target, margin=margin:0.0, {_REDUCED})",
}  # fmt: skip
"""Where MLX has PyTorch's operations. The parameters are PyTorch's."""


class MlxEngine(FunctionalEngine):
    """https://github.com/ml-explore/mlx"""

    name = "mlx"
    module_name = "mlx.core"
    language = "C++ and Python"
    only_named = True
    features = FunctionalEngine.features | {"func", "vmap"}
    patterns = (
        pattern("missing-gradient", r"\[Primitive::(vjp|jvp)\]|Cannot calculate (VJP|JVP)|has no (vjp|jvp)"),
        pattern("unsupported", r"\[Primitive::vmap\]|not yet (implemented|supported)"),
        pattern("unsupported", "Keyword arguments are not supported"),
        pattern("unsupported", "Not supported for|Boolean indices not supported|Complex inputs are not supported"),
        pattern("unsupported", r"`axes` should not be `None`|Weights with shape"),
        pattern("wrong-type", "return value of the function whose gradient"),
        pattern("wrong-type", "Invalid type str|and str$|using the given type|indices must be integers or None"),
        pattern("wrong-dtype", "must have type|given type|must promote to"),
        pattern("wrong-shape", "square matrices|at least (2-D|two dim)|Only length-1 arrays"),
        pattern("wrong-value", "Invalid vectorization axis"),
        pattern("wrong-shape", "Predictions shape .* does not match", "ValueError"),
        pattern("unsupported", "Predictions shape .* does not match", "ValueError"),  # losses never stretch a target
        pattern("wrong-index", "Invalid ax[ei]s|out of bounds|gradient of argument index"),
    )  # fmt: skip

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        core, nn = self.module, importlib.import_module("mlx.nn")
        core.set_default_device(core.cpu)
        core.disable_compile()  # else activations are compiled by the C++ compiler, for each shape
        self.words = {**self.words, "bfloat16": core.bfloat16}
        self.offer(
            {
                **calls(core, NUMPY_CALLS),
                **calls(core, CALLS),
                **calls(nn, NN),
                **self.own_words(nn),
            },
            methods={
                **shaping_methods(core),
                "contiguous": lambda x: core.contiguous(x),
            },
        )
        self.attributes = {
            **self.attributes,
            **{name: attrgetter(name) for name in ("dtype", "ndim", "T", "mT", "real", "imag")},
        }

    def arrays(self) -> Any:
        return self.module

    def own_words(self, nn: Any) -> dict[str, Callable[..., Any]]:
        """Words whose arguments MLX takes in another form."""
        core = self.module
        return {
            **other_forms(core),
            **{name: deviation(getattr(core, name)) for name in ("var", "std")},
            "narrow": lambda x, dim, start, length: x[part_of(x, dim, start, length)],
            "select": lambda x, dim, index: x[whole_but(x, dim, index)],
            "scatter_add": lambda x, dim, index, src: x.at[places_along(core, x, dim, index)].add(src),
            "linalg.svd": self.svd,
            "linalg.vector_norm": self.vector_norm,
            "moveaxis": self.moveaxis,
            "movedim": self.moveaxis,
            "repeat_interleave": self.repeat_interleave,
            "linalg.solve_triangular": lambda A, B, upper: core.linalg.solve_triangular(A, B, upper=upper),
            "nn.functional.gelu": lambda x, approximate="none": (
                nn.gelu_approx(x) if approximation(approximate) else nn.gelu(x)
            ),
            "nn.functional.pad": self.pad,
            "func.grad": lambda function, argnums=0: core.grad(function, argnums),
            "func.grad_and_value": lambda function, argnums=0: (
                lambda *arguments: core.value_and_grad(function, argnums)(*arguments)[::-1]
            ),
            "func.vmap": lambda function, in_dims=0, out_dims=0: core.vmap(function, in_dims, out_dims),
        }  # fmt: skip

    def svd(self, A: Any, full_matrices: bool = True) -> Any:
        if not full_matrices:
            raise Unsupported("svd with full_matrices=False")
        return self.module.linalg.svd(A)

    def vector_norm(self, value: Any, ord: Any = 2, dim: Any = None, keepdim: bool = False) -> Any:
        """MLX's norm is that of a matrix where there are two dimensions."""
        dims = (
            range(value.ndim) if dim is None else dim if isinstance(dim, tuple | list) else (dim,)
        )
        if len(dims) != 1:
            raise Unsupported("a vector norm along several dimensions")
        return self.module.linalg.norm(value, ord, dims[0], keepdim)

    def moveaxis(self, value: Any, source: Any, destination: Any) -> Any:
        if isinstance(source, tuple | list):
            raise Unsupported("moving several dimensions at once")
        return self.module.moveaxis(value, source, destination)

    def repeat_interleave(self, value: Any, repeats: Any, dim: Any = None) -> Any:
        if not isinstance(repeats, int):
            raise Unsupported("repeat_interleave with a count for each element")
        return self.module.repeat(value, repeats, dim)

    def pad(
        self, padded: Any, pad: Sequence[int], mode: str = "constant", value: Any = None
    ) -> Any:
        if mode == "circular":
            raise Unsupported("circular padding")
        widths = pad_widths(padded.ndim, pad, mode)
        return self.module.pad(padded, widths, PADDED_AS[mode], constant_values=value or 0)

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        seeds = list(cotangents) if isinstance(cotangents, tuple | list) else [cotangents]
        return tuple(self.module.vjp(function, list(inputs), seeds)[1])

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        several = []

        def call(*arguments: Any) -> Any:
            results = function(*arguments)
            several.append(isinstance(results, tuple | list))
            return results

        found = self.module.jvp(call, list(inputs), list(tangents))[1]
        return tuple(found) if several[-1] else found[0]

    def is_tensor(self, value: Any) -> bool:
        return isinstance(value, self.module.array)

    def describe_tensor(self, value: Any) -> Plain:
        values = self.module.flatten(value).tolist() if value.ndim else [value.item()]
        return self.tensor_plain(str(value.dtype), value.shape, values)

    def cast(self, value: Any, dtype: Any) -> Any:
        return value.astype(dtype)

    def dtype_name(self, value: Any) -> str:
        return str(value).rpartition(".")[2] if isinstance(value, self.module.Dtype) else ""
