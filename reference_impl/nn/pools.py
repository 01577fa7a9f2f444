"""Pooling, padding and resizing as modules."""

from __future__ import annotations

from typing import Any

from .. import errors
from ..naming import copy_of, signature_of
from ..tensor.tensor import Tensor
from . import functional as F
from .module import Module
from .of_function import module_of

__all__ = [
    "AdaptiveAvgPool1d", "AdaptiveAvgPool2d", "AdaptiveMaxPool1d", "AdaptiveMaxPool2d",
    "AvgPool1d", "AvgPool2d", "ConstantPad1d", "ConstantPad2d", "MaxPool1d", "MaxPool2d",
    "PixelShuffle", "PixelUnshuffle", "ReflectionPad1d", "ReflectionPad2d", "ReplicationPad1d",
    "ReplicationPad2d", "Upsample", "ZeroPad1d", "ZeroPad2d",
]  # fmt: skip


class _Pool(Module):
    """A window that slides by its own size unless told otherwise."""

    fn: Any = None
    own: tuple[tuple[str, Any], ...] = ()
    shown = ""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        if "fn" not in vars(cls) or "__init__" in vars(cls):
            return
        made: Any = copy_of(cls.__init__, "__init__")
        made.__signature__ = signature_of(
            "self", "kernel_size", ("stride", None), ("padding", 0), *cls.own
        )
        cls.__init__ = made  # type: ignore[method-assign]

    def __init__(
        self, kernel_size: Any, stride: Any = None, padding: Any = 0, *args: Any, **options: Any
    ) -> None:
        super().__init__()
        self.kernel_size, self.padding = kernel_size, padding
        self.stride = kernel_size if stride is None else stride
        names = [k for k, _ in self.own]
        given = {**dict(zip(names, args, strict=False)), **options}
        if given.keys() - set(names) or len(args) > len(names):
            raise errors.wrong_type(
                f"{type(self).__name__}() got unexpected arguments {sorted(given)}"
            )
        for name, default in self.own:
            setattr(self, name, given.get(name, default))

    def forward(self, input: Tensor) -> Any:
        options = {name: getattr(self, name) for name, _ in self.own}
        return type(self).fn(input, self.kernel_size, self.stride, self.padding, **options)

    def extra_repr(self) -> str:
        shown = f"kernel_size={self.kernel_size}, stride={self.stride}, padding={self.padding}"
        return shown + "".join(f", {k}={getattr(self, k)}" for k in self.shown.split())


class _MaxPool(_Pool):
    own = (("dilation", 1), ("return_indices", False), ("ceil_mode", False))
    shown = "dilation ceil_mode"


class MaxPool1d(_MaxPool):
    """The largest element of each window of (N, C, L)."""

    fn = staticmethod(F.max_pool1d)


class MaxPool2d(_MaxPool):
    """The largest element of each window of (N, C, H, W)."""

    fn = staticmethod(F.max_pool2d)


class AvgPool1d(_Pool):
    """The mean of each window of (N, C, L)."""

    fn = staticmethod(F.avg_pool1d)
    own = (("ceil_mode", False), ("count_include_pad", True))

    def __init__(self, kernel_size: Any, stride: Any = None, padding: Any = 0, **more: Any) -> None:
        stride = kernel_size if stride is None else stride
        sizes = [v if isinstance(v, tuple) else (v,) for v in (kernel_size, stride, padding)]
        super().__init__(*sizes, **more)


class AvgPool2d(_Pool):
    """The mean of each window of (N, C, H, W)."""

    fn = staticmethod(F.avg_pool2d)
    own = (("ceil_mode", False), ("count_include_pad", True), ("divisor_override", None))


def adaptive(name: str, doc: str, fn: Any, *more: Any) -> Any:
    """A pool whose windows are chosen so that the output has a size."""
    return module_of(name, doc, fn, "output_size", *more, show="output_size={output_size!r}")


AdaptiveAvgPool1d = adaptive(
    "AdaptiveAvgPool1d", "Means, as many as wanted.", F.adaptive_avg_pool1d
)
AdaptiveAvgPool2d = adaptive(
    "AdaptiveAvgPool2d", "Means, as many as wanted.", F.adaptive_avg_pool2d
)
AdaptiveMaxPool1d = adaptive(
    "AdaptiveMaxPool1d", "Maxima, as many as wanted.", F.adaptive_max_pool1d,
    ("return_indices", False),
)  # fmt: skip
AdaptiveMaxPool2d = adaptive(
    "AdaptiveMaxPool2d", "Maxima, as many as wanted.", F.adaptive_max_pool2d,
    ("return_indices", False),
)  # fmt: skip


class _Pad(Module):
    """Elements around the last dimensions, by number on each side."""

    dims, mode = 1, "constant"

    def __init__(self, padding: Any) -> None:
        super().__init__()
        sides = 2 * self.dims
        self.padding = (padding,) * sides if isinstance(padding, int) else tuple(padding)

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, self.mode)

    def extra_repr(self) -> str:
        return f"{self.padding}"


class ZeroPad1d(_Pad):
    """Zeros around one dimension."""


class ZeroPad2d(_Pad):
    """Zeros around two dimensions."""

    dims = 2


class ReflectionPad1d(_Pad):
    """The input mirrored around one dimension."""

    mode = "reflect"


class ReflectionPad2d(_Pad):
    """The input mirrored around two dimensions."""

    dims, mode = 2, "reflect"


class ReplicationPad1d(_Pad):
    """The edges repeated around one dimension."""

    mode = "replicate"


class ReplicationPad2d(_Pad):
    """The edges repeated around two dimensions."""

    dims, mode = 2, "replicate"


class ConstantPad1d(_Pad):
    """A value around one dimension."""

    def __init__(self, padding: Any, value: float) -> None:
        super().__init__(padding)
        self.value = value

    def forward(self, input: Tensor) -> Tensor:
        return F.pad(input, self.padding, "constant", self.value)

    def extra_repr(self) -> str:
        return f"padding={self.padding}, value={self.value}"


class ConstantPad2d(ConstantPad1d):
    """A value around two dimensions."""

    dims = 2


class Upsample(Module):
    """More elements between those of the last dimensions."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
    ) -> None:
        super().__init__()
        several = isinstance(scale_factor, (tuple, list))
        self.size, self.mode, self.align_corners = size, mode, align_corners
        if several:
            self.scale_factor: Any = tuple(float(f) for f in scale_factor)
        else:
            self.scale_factor = float(scale_factor) if scale_factor else None

    def forward(self, input: Tensor) -> Tensor:
        return F.interpolate(input, self.size, self.scale_factor, self.mode, self.align_corners)

    def extra_repr(self) -> str:
        if self.scale_factor is not None:
            return f"scale_factor={self.scale_factor!r}, mode={self.mode!r}"
        return f"size={self.size!r}, mode={self.mode!r}"


PixelShuffle = module_of(
    "PixelShuffle", "Channels made finer places.", F.pixel_shuffle, "upscale_factor"
)
PixelUnshuffle = module_of(
    "PixelUnshuffle", "Fine places made channels.", F.pixel_unshuffle, "downscale_factor"
)
