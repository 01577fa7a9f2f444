"""Complex tensors from parts, and their parts."""

from __future__ import annotations

from typing import Any

import numpy as np

from .. import errors
from ..backend.base import as_strided, contiguous, looked_at, memory, pointer, zeros
from ..errors import unsupported_dtype
from ..tensor.tensor import Tensor
from .core import sum_to, zeros_of
from .dims import needs_tensor
from .fused import fused
from .op import Op, op
from .registry import expose_function, function, public
from .shape import V

real = op("real(x)", lambda x: x.real, V, node="SelectBackward0", x=lambda g: complex_of(g, None))
imag = op("imag(x)", lambda x: x.imag, V, node="SelectBackward0", x=lambda g: complex_of(None, g))


def _view_as_real(x: Any) -> Any:
    if x.dtype.kind != "c":
        raise errors.wrong_dtype(f"view_as_real(): the dtype must be complex; got {x.dtype}")
    return as_strided(x.real, (*x.shape, 2), (*x.strides, x.itemsize // 2))


def _view_as_complex(x: Any) -> Any:
    if x.dtype not in (np.float32, np.float64):
        raise errors.wrong_dtype(
            f"view_as_complex(): the dtype must be float32 or float64; got {x.dtype}"
        )
    if not x.ndim or x.shape[-1] != 2:
        raise errors.wrong_shape(
            "view_as_complex(): the last dimension must hold pairs, of size 2; got shape "
            f"{list(x.shape)}"
        )
    kind = np.result_type(x.dtype, np.complex64)
    if not x.flags.c_contiguous and not why_no_pairs(x):
        held = memory(x)
        return looked_at(held, kind, pointer(x) - pointer(held), x.shape[:-1], x.strides[:-1])
    array = x if x.flags.c_contiguous else contiguous(x)
    if array.strides[-1] != array.itemsize:  # there is no memory to view
        return zeros(x.shape[:-1], kind, x)
    return array.view(kind)[..., 0]


def why_no_pairs(x: Any) -> str:
    """Why the pairs in the last dimension of an array cannot be viewed as complex numbers where they
    are; empty if they can."""
    if x.strides[-1] != x.itemsize:
        return "must have a last dimension with stride 1"
    if any(stride % (2 * x.itemsize) for stride in x.strides[:-1]):
        return "must have a stride divisible by 2 for all but last dimension"
    if (pointer(x) - pointer(memory(x))) % (2 * x.itemsize):
        return "must have a storage_offset divisible by 2"
    return ""


view_as_real = op("view_as_real(x)", _view_as_real, V, x=lambda g: view_as_complex(g))
view_as_complex: Op = op(
    "view_as_complex(x)",
    _view_as_complex,
    V,
    x=lambda g: view_as_real(g),
)


def complex_of(re: Any, im: Any) -> Any:
    """A complex array or tensor from its parts, of which one may be None."""
    some = im if re is None else re
    return complex_row(zeros_of(some) if re is None else re, zeros_of(some) if im is None else im)


def _complex(x: Any, y: Any) -> Any:
    if x.dtype != y.dtype:
        raise errors.wrong_dtype(
            f"complex(): expected parts of the same dtype, got {x.dtype} and {y.dtype}"
        )
    kind = np.result_type(x.dtype, np.complex64)
    out = zeros(np.broadcast_shapes(x.shape, y.shape), kind, x)
    out.real, out.imag = x, y
    return out


complex_row = op(
    "complex(x, y)",
    _complex,
    x=lambda g, x_shape: sum_any(real(g), x_shape),
    y=lambda g, y_shape: sum_any(imag(g), y_shape),
)


def sum_any(x: Any, shape: Any) -> Any:
    """Sum down to a shape."""
    return sum_to(x, shape)


@public("real")
def real_public(input: Tensor) -> Tensor:
    """The real part, as a view; the tensor itself where real."""
    return real.apply(input) if input._data.dtype.kind == "c" else input


@function("imag")
def imag_public(input: Tensor) -> Tensor:
    """The imaginary part, as a view.

    Raises:
        RuntimeError: the tensor is real.
    """
    if input._data.dtype.kind != "c":
        raise errors.wrong_dtype(
            f"imag(): only a tensor of complex dtype has an imaginary part; got {input.dtype}"
        )
    return imag.apply(input)


expose_function(
    view_as_real,
    "A view of a complex tensor as pairs of real numbers, in a last dimension of size 2.",
)


@function("view_as_complex")
def view_as_complex_public(input: Tensor) -> Tensor:
    """A view of pairs (last dimension of size 2, stride 1) as complex numbers.

    Raises:
        RuntimeError: another dtype than float32 or float64, no pairs, or pairs that do not lie in memory
            as complex numbers do.
    """
    needs_tensor("view_as_complex", "input", input)
    x = input._data
    if (
        x.dtype in (np.float32, np.float64)
        and x.shape[-1:] == (2,)
        and x.size
        and not input.is_meta
    ):
        reason = why_no_pairs(x)
        if reason:
            raise errors.wrong_shape(f"view_as_complex(): Tensor {reason}; call contiguous() first")
    return view_as_complex.apply(input)


@function("complex")
def complex_public(real: Tensor, imag: Tensor) -> Tensor:
    """A complex tensor of its real and its imaginary part.

    Raises:
        RuntimeError: the parts are not both float32 or float64.
    """
    if real._data.dtype not in (np.float32, np.float64):
        raise errors.wrong_dtype(
            f"complex(): the parts must be float32 or float64; got {real.dtype}"
        )
    return complex_row.apply(real, imag)


@public("positive")
def positive(input: Tensor) -> Tensor:
    """The tensor itself.

    Raises:
        RuntimeError: bools.
    """
    if input._data.dtype.kind == "b":
        raise errors.wrong_dtype("positive(): not supported for bool tensors; convert them first")
    return input


@public("resolve_conj", "resolve_neg")
def resolve_conj(input: Tensor) -> Tensor:
    """The tensor itself: conjugates are always written out here."""
    return input


polar_row = fused(
    "polar", lambda abs, angle: complex_row.apply(abs * angle.cos(), abs * angle.sin())
)


@function("polar")
def polar(abs: Tensor, angle: Tensor) -> Tensor:
    """A complex tensor of absolute values and angles.

    Raises:
        NotImplementedError: half precision.
        RuntimeError: another dtype than float32 or float64.
    """
    needs_tensor("polar", "abs", abs)
    needs_tensor("polar", "angle", angle)
    if abs._data.dtype == np.float16:
        raise unsupported_dtype("polar", abs.dtype)
    for x in (abs, angle):
        if x._data.dtype not in (np.float32, np.float64):
            raise errors.wrong_dtype(
                f"polar(): expected parts of float32 or float64; got {x.dtype}"
            )
    if abs.dtype is not angle.dtype:
        raise errors.wrong_dtype(
            f"polar(): expected parts of the same dtype, got {abs.dtype} and {angle.dtype}"
        )
    return polar_row(abs, angle)  # type: ignore[no-any-return]
