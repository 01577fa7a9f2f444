"""Scripts whose numbers are compared as numbers, and whose text is compared as text.

Processors round differently, and one element that is a rounding away changes the text of a whole
tensor: `20.` beside `20.0000`, another width, another notation. So the run on PyTorch notes every
number that the script takes from a tensor or prints, by line. The run on the reference compares its
own with it, as numbers, and goes on with PyTorch's where the two differ by rounding alone. The text
then has to be the same to the last character: it shows how both format one and the same number.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from .rounding import close, dtype_of, epsilon_of

TAKEN = ("item", "tolist", "__float__", "__complex__")
"""Methods that give a tensor's numbers to Python."""
FACTOR = 64.0
"""The epsilons that dozens of operations in a row may be off, which is less than text shows."""
HALF = 2.0**-12
HALF_FACTOR = 2.0
"""As many for half precision, in which a result is rounded once, and of which text shows all."""
WIDTHS = {"bfloat16": "float32"}
"""In what the reference keeps the elements of a dtype that NumPy lacks."""


class Number(NamedTuple):
    """A number, list or array that a script came to see, and the dtype of its tensor."""

    value: Any
    dtype: str


class Seen:
    """The numbers that one script came to see on PyTorch: by line and by way, in order."""

    def __init__(self, filename: str, factor: float = FACTOR) -> None:
        self.filename = filename
        self.factor = factor
        self.noted: dict[tuple[int, str], list[Number]] = defaultdict(list)
        self.asked: Counter[tuple[int, str]] = Counter()

    def note(self, line: int, way: str, number: Number) -> Any:
        """Keep a number of PyTorch's run."""
        self.noted[line, way].append(number._replace(value=copy.deepcopy(number.value)))
        return number.value

    def replay(self, line: int, way: str, number: Number) -> Any:
        """PyTorch's number in the place of the reference's, if they differ by rounding alone."""
        place = (line, way)
        at = self.asked[place]
        self.asked[place] += 1
        if at >= len(self.noted[place]):
            return number.value
        theirs = self.noted[place][at]
        same_dtype = WIDTHS.get(theirs.dtype, theirs.dtype) == WIDTHS.get(
            number.dtype, number.dtype
        )
        epsilon = epsilon_of(theirs.dtype)
        factor = min(self.factor, HALF_FACTOR) if epsilon > HALF else self.factor
        if same_dtype and epsilon and close(theirs.value, number.value, epsilon, factor):
            return copy.deepcopy(theirs.value)
        return number.value


Handler = Callable[[int, str, Number], Any]


def line_in(filename: str, frame: Any) -> int:
    """The script's line from which a frame was called; 0 where none was."""
    while frame is not None and frame.f_code.co_filename != filename:
        frame = frame.f_back
    return 0 if frame is None else int(frame.f_lineno)


@contextlib.contextmanager
def watched(package: str, filename: str, handler: Handler) -> Iterator[None]:
    """Show `handler` every number that a script takes from a tensor of `package`, or prints."""
    engine = importlib.import_module(package)
    with contextlib.ExitStack() as stack:
        for name in TAKEN:
            method = taken(getattr(engine.Tensor, name), name, filename, handler)
            stack.enter_context(replaced(engine.Tensor, name, method))
        method = formatted(engine.Tensor, filename, handler)
        stack.enter_context(replaced(engine.Tensor, "__format__", method))
        if package == "torch":
            printing = importlib.import_module("torch._tensor_str")
            printed = printed_by_torch(printing._tensor_str, filename, handler)
            stack.enter_context(replaced(printing, "_tensor_str", printed))
        else:
            printing = importlib.import_module(f"{package}.tensor.printing")
            readable = printed_by_reference(printing.readable, filename, handler)
            stack.enter_context(replaced(printing, "readable", readable))
        yield


@contextlib.contextmanager
def replaced(owner: Any, name: str, by: Any) -> Iterator[None]:
    """Another attribute for a while; an inherited one shows through again afterwards."""
    own = owner.__dict__.get(name)
    setattr(owner, name, by)
    try:
        yield
    finally:
        if own is None:
            delattr(owner, name)
        else:
            setattr(owner, name, own)


def taken(original: Any, way: str, filename: str, handler: Handler) -> Any:
    """A method that gives Python numbers; what an engine itself asks of it is left alone."""

    def method(tensor: Any) -> Any:
        value = original(tensor)
        caller = sys._getframe(1)
        if caller.f_code.co_filename != filename:
            return value
        return handler(caller.f_lineno, way, Number(value, dtype_of(tensor)))

    return method


def formatted(owner: Any, filename: str, handler: Handler) -> Any:
    """`format(tensor, spec)`, which formats the number of a tensor without dimensions."""
    original, item = owner.__format__, owner.item

    def method(tensor: Any, spec: str) -> str:
        caller = sys._getframe(1)
        if tensor.dim() or type(tensor) is not owner or tensor.is_meta:
            return str(original(tensor, spec))
        number = Number(item(tensor), dtype_of(tensor))
        return format(handler(line_in(filename, caller), "format", number), spec)

    return method


def printed_by_torch(original: Any, filename: str, handler: Handler) -> Any:
    """PyTorch's printing of a tensor's elements."""

    def method(tensor: Any, indent: int) -> str:
        if tensor.dtype.is_floating_point or tensor.dtype.is_complex:
            number = Number(values_of(tensor), dtype_of(tensor))
            handler(line_in(filename, sys._getframe(1)), "print", number)
        return str(original(tensor, indent))

    return method


def values_of(tensor: Any) -> Any:
    """The elements of a tensor of PyTorch's as NumPy holds them."""
    plain = tensor.detach().clone().resolve_conj().resolve_neg()
    return (plain.float() if dtype_of(tensor) in WIDTHS else plain).numpy()


def printed_by_reference(original: Any, filename: str, handler: Handler) -> Any:
    """The elements that the reference prints, as NumPy holds them."""

    def method(array: Any) -> Any:
        values = original(array)
        if not values.size or values.dtype.kind not in "fc":
            return values
        number = Number(values, str(values.dtype))
        return handler(line_in(filename, sys._getframe(1)), "print", number)

    return method
