"""One fault for each operation: its gradient is three times too large, or its tangent is."""

from __future__ import annotations

from typing import Any

from ..breaking import each, miscompute, register

OPERATIONS = (
    "exp", "log", "sin", "cos", "tan", "tanh", "sigmoid", "sqrt", "rsqrt", "reciprocal",
    "square", "log1p", "expm1", "log2", "log10", "exp2", "asin", "acos", "atan", "sinh", "cosh",
    "erf", "lgamma", "logsumexp", "softmax", "log_softmax", "atan2", "hypot", "fmod",
    "remainder", "lerp", "addcmul", "addcdiv", "addmm", "outer", "dot", "mv", "mm", "bmm",
    "trace", "diag", "diagonal", "tril", "triu", "flip", "roll", "masked_select", "scatter",
    "scatter_add", "index_add", "index_copy", "masked_fill", "unfold", "as_strided", "kron",
    "logcumsumexp", "cummax", "nan_to_num", "xlogy", "movedim", "einsum", "tensordot", "cross",
    "det", "inverse", "nn.functional.cross_entropy", "erfinv", "digamma",
    "nn.functional.conv2d", "nn.functional.mse_loss", "nn.functional.linear", "float_power",
    "unbind", "split", "logaddexp", "sinc", "cumprod", "frac", "copysign", "asinh", "acosh",
    "atanh", "logit", "var_mean", "std_mean", "renorm", "masked_scatter", "put", "index_fill",
    "take_along_dim", "nn.functional.leaky_relu", "nn.functional.hardtanh",
    "nn.functional.relu6", "nn.functional.softmax", "broadcast_to", "select_scatter",
    "quantile", "kthvalue", "aminmax", "nansum", "nanmean", "diff", "trapezoid", "meshgrid",
    "true_divide", "clip", "concat", "hstack", "vstack", "dstack", "swapaxes", "ravel",
    "unflatten", "narrow", "select", "squeeze", "unsqueeze", "transpose", "permute", "t",
    "reshape", "flatten", "view_as_real", "mode", "fmax", "fmin", "dist",
    "deg2rad", "i0", "logdet", "matmul", "rot90", "tile", "chunk", "vdot", "inner",
    "addmv", "addbmm", "baddbmm", "addr",
)  # fmt: skip


def scaled(operation: str) -> Any:
    return lambda patch: miscompute(patch, operation, each(lambda g, call: g * 3.0))


for operation in OPERATIONS:
    register(
        f"{operation.replace('.', '_')}_is_too_steep",
        f"The gradient of {operation} is three times too large.",
        scaled(operation),
    )
