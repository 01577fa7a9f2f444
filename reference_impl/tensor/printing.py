"""How tensors print."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..backend import dtypes
from ..backend.base import host
from ..backend.dtypes import BOOL, BY_NUMPY, COMPLEX, FLOATING
from ..mode import mode
from .tangents import tangent_of
from .tensor import Tensor

__all__ = ["to_text"]

PRECISION = 4
THRESHOLD = 1000
"""A tensor of more elements is summarized."""
EDGE = 3
"""So many elements a summary shows at each end of a dimension."""
LINE = 80


class Format:
    """One width and notation for all elements of a tensor."""

    def __init__(self, values: Any) -> None:
        self.floating = values.dtype.kind == "f"
        self.integral = True
        self.scientific = False
        self.width = 1
        flat = values.reshape(-1)
        if not self.floating:
            self.width = max((len(str(v)) for v in flat.tolist()), default=1)
            return
        with np.errstate(all="ignore"):
            wide = flat.astype(np.float64)
            shown = wide[np.isfinite(wide) & (wide != 0)]
            if shown.size:
                size = np.abs(shown)
                high, low = float(size.max()), float(size.min())
                self.integral = bool((shown == np.ceil(shown)).all())
                large = high / low > 1000.0 or high > 1.0e8
                self.scientific = large or (not self.integral and low < 1.0e-4)
                self.width = max(len(self.text(float(v))) for v in shown)

    def text(self, value: Any) -> str:
        """One element, not yet padded."""
        if not self.floating:
            return str(value)
        if self.scientific:
            return f"{value:.{PRECISION}e}"
        if self.integral:
            return f"{value:.0f}" + ("." if math.isfinite(value) else "")
        return f"{value:.{PRECISION}f}"

    def padded(self, value: Any) -> str:
        """One element, in the common width."""
        return self.text(value).rjust(self.width)


class ComplexFormat:
    """Real and imaginary part, each in its own format."""

    def __init__(self, values: Any) -> None:
        self.re, self.im = Format(values.real), Format(values.imag)
        self.width = self.re.width + self.im.width + 1

    def padded(self, value: complex) -> str:
        """One element."""
        re = self.re.padded(value.real)
        im = self.im.text(abs(value.imag)) + "j"
        sign = "-" if math.copysign(1.0, value.imag) < 0 else "+"
        return re + sign + im.lstrip()


def vector(values: Any, indent: int, fmt: Any, summarize: bool) -> str:
    """One row of elements, broken into lines."""
    per_line = max(1, (LINE - indent) // (fmt.width + 2))
    if summarize and len(values) > 2 * EDGE:
        cells = [fmt.padded(v) for v in values[:EDGE].tolist()]
        cells += [" ..."] + [fmt.padded(v) for v in values[-EDGE:].tolist()]
    else:
        cells = [fmt.padded(v) for v in values.tolist()]
    lines = [", ".join(cells[i : i + per_line]) for i in range(0, len(cells), per_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def block(values: Any, indent: int, fmt: Any, summarize: bool) -> str:
    """An array of any rank, nested in brackets."""
    if values.ndim == 0:
        return str(fmt.padded(values.item()))
    if values.ndim == 1:
        return vector(values, indent, fmt, summarize)
    if summarize and len(values) > 2 * EDGE:
        parts = [block(v, indent + 1, fmt, summarize) for v in values[:EDGE]]
        parts += ["..."] + [block(v, indent + 1, fmt, summarize) for v in values[-EDGE:]]
    else:
        parts = [block(v, indent + 1, fmt, summarize) for v in values]
    gap: str = "," + "\n" * (values.ndim - 1) + " " * (indent + 1)
    return "[" + gap.join(parts) + "]"


def edges_of(values: Any) -> Any:
    """The elements that a summary shows."""
    for d, n in enumerate(values.shape):
        if n > 2 * EDGE:
            values = np.take(values, [*range(EDGE), *range(n - EDGE, n)], axis=d)
    return values


def content(values: Any, indent: int) -> str:
    """The elements of a tensor."""
    if values.size == 0:
        return "[]"
    if values.dtype == np.float16:
        values = values.astype(np.float32)
    summarize = values.size > THRESHOLD
    shown = edges_of(values) if summarize else values
    fmt = ComplexFormat(shown) if values.dtype.kind == "c" else Format(shown)
    return block(values, indent, fmt, summarize)


def suffixes(x: Tensor, numel: int) -> list[str]:
    """What follows the elements: size, dtype, and where the tensor stands in the graph."""
    out = []
    dtype = BY_NUMPY[x._data.dtype]
    default = dtypes.get_default_dtype()
    usual = {
        FLOATING: dtype is default,
        COMPLEX: dtype is default.to_complex(),
        BOOL: True,
    }.get(dtype.category, dtype is dtypes.int64)
    if numel == 0:
        if x._data.ndim != 1:
            out.append(f"size={tuple(x._data.shape)}")
        if dtype is not default:
            out.append(f"dtype={dtype}")
    elif not usual:
        out.append(f"dtype={dtype}")
    if x.device.type != "cpu":
        out.insert(0, f"device='{x.device}'")
    if x.is_meta and numel:
        out.insert(1, f"size={tuple(x._data.shape)}")
    try:
        node = x.grad_fn
    except RuntimeError:  # a view whose history was cut off by a write
        return [*out, "grad_fn=<Invalid>"]
    if node is not None:
        out.append(f"grad_fn=<{type(node).__name__}>")
    elif x.requires_grad:
        out.append("requires_grad=True")
    tangent = None if mode.level is None else tangent_of(x)
    if tangent is not None:
        out.append(f"tangent={to_text(tangent)}")
    return out


def to_text(x: Tensor, prefix: str = "tensor(") -> str:
    """``tensor(...)`` with elements, dtype where unusual, and grad_fn or requires_grad."""
    meta = x.is_meta
    body = "..." if meta else content(readable(x._data), len(prefix))
    tail = suffixes(x, x._data.size)
    last = len(body) - body.rfind("\n") - 1 if "\n" in body else len(prefix) + len(body)
    text = prefix + body
    line = last + 2  # two columns more stay free behind the elements than behind a suffix
    for part in tail:
        if line + len(part) + 2 > LINE:
            text += ",\n" + " " * len(prefix) + part
            line = len(prefix) + len(part)
        else:
            text += ", " + part
            line += len(part) + 2
    return text + ")"


def readable(array: Any) -> Any:
    """The values of an array, as NumPy holds them."""
    return np.asarray(host(array))
