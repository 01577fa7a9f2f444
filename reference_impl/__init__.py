"""An eager autograd engine on NumPy, with the names its users know.

``import gradspec.reference_impl as torch`` runs ordinary autograd scripts unchanged.
"""

from __future__ import annotations

from typing import Any

from . import autograd as _autograd
from . import dtypes as _dtypes
from . import grad_mode as _grad_mode
from . import methods as _methods
from . import printing as _printing
from .autograd import Variable
from .device import Device as device
from .dtypes import DType as dtype
from .dtypes import (
    complex64,
    complex128,
    float16,
    float32,
    float64,
    get_default_dtype,
    int8,
    int16,
    int32,
    int64,
    promote_types,
    set_default_dtype,
    uint8,
)
from .grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .methods import allclose, equal, isclose
from .node import Node as _Node
from .ops import FUNCTIONS as _FUNCTIONS
from .ops.linalg import LINALG as _LINALG
from .printing import set_printoptions
from .tensor import Size, Tensor

globals().update(_FUNCTIONS)
bool = _dtypes.bool_
float = float32
double = float64
half = float16
long = int64
int = int32
short = int16
cfloat = complex64
cdouble = complex128

__version__ = "2.13.0+gradspec"


def is_tensor(obj: Any) -> Any:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def result_type(a: Any, b: Any) -> dtype:
    """The dtype that combining two tensors or numbers gives."""
    raw = [getattr(v, "_data", v) for v in (a, b)]
    return _dtypes.from_numpy(_dtypes.result_type(*raw))


def numel(input: Tensor) -> Any:
    """Number of elements."""
    return input._data.size


def is_floating_point(input: Tensor) -> Any:
    """Whether the dtype is a real floating one."""
    return input.dtype.is_floating_point


def is_complex(input: Tensor) -> Any:
    """Whether the dtype is complex."""
    return input.dtype.is_complex


def __getattr__(name: str) -> Any:
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


from .api import autograd, cuda, linalg, nn, optim, random  # noqa: E402
