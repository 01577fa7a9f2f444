"""An eager autograd engine on NumPy, with the names its users know.

``import gradspec.reference_impl as torch`` runs ordinary autograd scripts unchanged. The packages,
each of which imports only from those before it: ``backend`` (dtypes, devices, arrays), ``graph``
(nodes, and rows: operations as data), ``tensor``, ``engine`` (recording and backward passes), ``ops``
(the operations), and then what is built on them: ``autograd``, ``func``, ``nn``, ``optim``, ``utils``.
Beneath them all stand ``errors``, ``mode`` (what is switched on in a thread) and ``naming``.
"""

from __future__ import annotations

import builtins
import math
from typing import Any

from . import autograd, cuda, fft, linalg, nn, optim, random, serialization, special, utils
from .autograd import Variable
from .autograd.anomaly_mode import is_anomaly_check_nan_enabled, is_anomaly_enabled
from .autograd.grad_mode import (
    enable_grad,
    inference_mode,
    is_grad_enabled,
    is_inference_mode_enabled,
    no_grad,
    set_grad_enabled,
)
from .backend import device as _device
from .backend import dtypes as _dtypes
from .backend import libraries as _devices
from .backend import memory_format as _memory_format
from .backend.device import Device as device
from .backend.dtypes import DType as dtype
from .backend.dtypes import (
    bfloat16,
    bool_,
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
from .backend.memory_format import MemoryFormat as memory_format
from .backend.memory_format import (
    channels_last,
    contiguous_format,
    preserve_format,
    strided,
)
from .func import transforms as func
from .func.transforms import vmap
from .naming import cite as _cite
from .naming import known_as as _known_as
from .ops import FUNCTIONS as _FUNCTIONS
from .ops.dims import needs_tensor as _needs_tensor
from .ops.methods import allclose, equal, isclose
from .serialization import load, save
from .tensor.legacy import (
    BFloat16Tensor,
    BoolTensor,
    ByteTensor,
    CharTensor,
    DoubleTensor,
    FloatTensor,
    HalfTensor,
    IntTensor,
    LongTensor,
    ShortTensor,
)  # fmt: skip
from .tensor.tensor import Size, Tensor

__all__ = [
    "BFloat16Tensor", "BoolTensor", "ByteTensor", "CharTensor", "DoubleTensor", "FloatTensor",
    "HalfTensor", "IntTensor", "LongTensor", "ShortTensor", "Size", "Tensor", "Variable",
    "allclose", "autograd", "bfloat16", "bool", "cdouble", "cfloat", "complex64", "complex128",
    "cuda", "device", "double", "dtype", "enable_grad", "equal", "float", "float16", "float32",
    "float64", "get_default_device", "get_default_dtype", "half", "inference_mode", "int", "int8", "int16", "int32",
    "int64", "is_anomaly_check_nan_enabled", "is_anomaly_enabled", "is_complex",
    "is_floating_point", "is_grad_enabled", "is_inference",
    "e", "fft", "inf", "is_inference_mode_enabled", "is_tensor", "isclose", "linalg", "load", "long",
    "nan", "newaxis", "nn", "pi",
    "no_grad", "numel", "optim", "promote_types", "random", "result_type", "save",
    "set_default_device", "set_default_dtype",
    "set_grad_enabled", "short", "special", "strided",
    "func", "uint8", "utils", "vmap",
    "can_cast", "channels_last", "contiguous_format",
    "memory_format", "preserve_format", "layout", "serialization",
    *sorted(_FUNCTIONS),
]  # fmt: skip

bool = bool_
float = float32
double = float64
half = float16
long = int64
int = int32
short = int16
cfloat = complex64
cdouble = complex128
layout = _memory_format.Layout
__version__ = "2.13.0"
"""The version of PyTorch whose behavior is kept here; scripts look at it."""
pi = math.pi
e = math.e
inf = math.inf
nan = math.nan
newaxis = None


def set_default_device(device: Any) -> None:
    """Make new tensors on a device, in all threads, where none is named.

    Raises:
        RuntimeError: there is no such device.
    """
    _device.set_default(_devices.resolved("cpu" if device is None else device))


def get_default_device() -> device:
    """The device that new tensors are made on where none is named."""
    return _devices.resolved()


def is_tensor(obj: Any) -> builtins.bool:
    """Whether an object is a tensor."""
    return isinstance(obj, Tensor)


def result_type(tensor1: Any, tensor2: Any) -> dtype:
    """The dtype that combining two tensors or numbers gives."""
    raw = [getattr(v, "_data", v) for v in (tensor1, tensor2)]
    return _dtypes.from_numpy(_dtypes.result_type(*raw))


def is_inference(input: Tensor) -> builtins.bool:
    """Whether the tensor was made in inference mode."""
    return tensor_given("is_inference", input).is_inference()


def tensor_given(what: str, input: Tensor) -> Tensor:
    """The tensor that a question is about.

    Raises:
        TypeError: something else.
    """
    _needs_tensor(what, "input", input)
    return input


def numel(input: Tensor) -> builtins.int:
    """Number of elements."""
    return builtins.int(tensor_given("numel", input)._data.size)


def is_floating_point(input: Tensor) -> builtins.bool:
    """Whether the dtype is a real floating one."""
    return tensor_given("is_floating_point", input).dtype.is_floating_point


def is_complex(input: Tensor) -> builtins.bool:
    """Whether the dtype is complex."""
    return tensor_given("is_complex", input).dtype.is_complex


for _module, _classes in {
    "torch._C": (random.Generator,),
    "torch.autograd.function": (autograd.Function,),
    "torch.autograd.grad_mode": (enable_grad, inference_mode, no_grad, set_grad_enabled),
    "torch.utils.hooks": (utils.hooks.RemovableHandle,),
}.items():
    for _class in _classes:
        _known_as(_class, _module)

globals().update(_FUNCTIONS)

_cite("torch.Tensor", vars(Tensor))
_cite("torch", {name: globals()[name] for name in __all__})
for _space, _home in {
    "autograd": autograd,
    "autograd.forward_ad": autograd.forward_ad,
    "autograd.functional": autograd.functional,
    "autograd.graph": autograd.graph,
    "cuda": cuda,
    "func": func,
    "fft": fft,
    "linalg": linalg,
    "nn": nn,
    "nn.functional": nn.functional,
    "nn.init": nn.init,
    "nn.utils": nn.utils,
    "optim": optim,
    "special": special,
    "utils.checkpoint": utils.checkpoint,
    "utils.hooks": utils.hooks,
}.items():
    _cite(f"torch.{_space}", {name: getattr(_home, name) for name in _home.__all__})
