"""Compares plain values: an expected one with an observed one, or two observed ones.

Tolerances are derived. An element is right when it lies within `factor` times the machine epsilon
of the observed dtype, relative to the expected element, plus one epsilon of the largest expected
element of the same tensor (the rounding that cancellation leaves). In a program all of whose
floating-point tensors are float64, it is the epsilon of float64 whatever the observed dtype: float32
is a loss of precision there. In one that names no float64, it is never less than that of float32,
even if an engine gives a wider dtype. Integers and booleans are compared exactly. So are shapes, unless the
engine's tensors are single numbers, which have none. A plain number is compared with float32
precision, in which engines compute it.
"""

from __future__ import annotations

import math
from typing import Any, NamedTuple

from gradspec.spec.model import USUAL_TOLERANCE, widened
from gradspec.spec.values import Plain, number_of, show

EPSILON = {
    "float16": 2.0**-10, "bfloat16": 2.0**-7, "float32": 2.0**-23, "float64": 2.0**-52,
    "complex64": 2.0**-23, "complex128": 2.0**-52, "complex32": 2.0**-10,
}  # fmt: skip
EXACT = frozenset(
    {"int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "bool"}
)
PLAIN_NUMBER = "float32"
TENSOR = frozenset({"dtype", "shape", "values"})
REAL = frozenset({int, float})
NUMBERS = REAL | {bool}


class Tolerance(NamedTuple):
    """How far values may be apart: `factor` machine epsilons of the observed dtype, or with `double`
    of float64 where that is a floating-point dtype. With `single` no more than float32's is asked for."""

    factor: float = USUAL_TOLERANCE
    double: bool = False
    single: bool = False

    def epsilon(self, dtype: str) -> float:
        if dtype in EXACT:
            return 0.0
        if self.double:
            return EPSILON["float64"]
        found = EPSILON.get(dtype, EPSILON[PLAIN_NUMBER])
        return max(found, EPSILON["float32"]) if self.single else found

    def allowed(self, size: float, epsilon: float, scale: float) -> float:
        """How far a finite number may be from an expected one of this size, in a tensor whose largest
        expected element has the size `scale`. A wider tolerance, as where terms cancel, also holds for
        small elements beside large ones."""
        # The epsilon comes first: near the largest number of the dtype, the rest would overflow.
        return epsilon * self.factor * size + epsilon * widened(self.factor) * scale


class Malformed(Exception):
    """An observed value is not a plain value; the engine's side broke the contract."""


def difference(expected: Plain, observed: Plain, tolerance: Tolerance) -> str:
    """Why `observed` is not `expected`, or the empty string if it is.

    Raises `Malformed` when the observed value contradicts itself.
    """
    if isinstance(expected, dict):
        if "either" in expected:
            return _either(expected["either"], observed, tolerance)
        if "tensor" in expected:
            return _tensors(expected["tensor"], observed, tolerance)
        if "list" in expected or "tuple" in expected:
            return _sequence(expected, observed, tolerance)
        if "dict" in expected:
            return _dicts(expected["dict"], observed, tolerance)
    if isinstance(observed, dict) and "tensor" in observed:
        return _scalar_of_tensor(expected, observed["tensor"], tolerance)
    number = number_of(expected)
    if number is not None:
        found = number_of(observed)
        if found is None:
            return f"expected the number {show(expected)}, found {show(observed)}"
        exact = isinstance(number, int) and isinstance(found, int)
        epsilon = 0.0 if exact else EPSILON[PLAIN_NUMBER]
        return _numbers(number, found, epsilon, tolerance, _size(number))
    same = type(expected) is type(observed) and expected == observed
    return "" if same else f"expected {show(expected)}, found {show(observed)}"


def _either(alternatives: list[Plain], observed: Plain, tolerance: Tolerance) -> str:
    reasons = [difference(alternative, observed, tolerance) for alternative in alternatives]
    return (
        ""
        if "" in reasons
        else f"expected {' or '.join(map(show, alternatives))}, found {show(observed)}"
    )


def _sequence(expected: dict[str, Any], observed: Plain, tolerance: Tolerance) -> str:
    items = expected.get("list", expected.get("tuple"))
    assert isinstance(items, list)
    if isinstance(observed, dict) and "tensor" in observed:
        content = checked_tensor(observed["tensor"])
        shape, flat = nested_shape(expected)
        if shape is None or not _all_numbers(flat):
            return f"expected {show(expected)}, found {show(observed)}"
        return _elements(shape, flat, content, content["dtype"], tolerance)
    found = observed.get("list", observed.get("tuple")) if isinstance(observed, dict) else None
    if not isinstance(found, list):
        return f"expected {show(expected)}, found {show(observed)}"
    if len(found) != len(items):
        return (
            f"expected {len(items)} items, {show(expected)}; found {len(found)}, {show(observed)}"
        )
    for index, (one, other) in enumerate(zip(items, found, strict=True)):
        why = difference(one, other, tolerance)
        if why:
            return f"item {index}: {why}"
    return ""


def _all_numbers(items: list[Plain]) -> bool:
    return NUMBERS.issuperset(map(type, items)) or all(
        isinstance(item, bool) or number_of(item) is not None for item in items
    )


def _dicts(expected: list[list[Plain]], observed: Plain, tolerance: Tolerance) -> str:
    pairs = observed.get("dict") if isinstance(observed, dict) else None
    if not isinstance(pairs, list):
        return f"expected a dict, found {show(observed)}"
    found = {repr(key): value for key, value in pairs}
    wanted = {repr(key): value for key, value in expected}
    if found.keys() != wanted.keys():
        return f"expected the keys {', '.join(wanted)}; found {', '.join(found)}"
    for key, value in wanted.items():
        why = difference(value, found[key], tolerance)
        if why:
            return f"key {key}: {why}"
    return ""


def _tensors(expected: dict[str, Any], observed: Plain, tolerance: Tolerance) -> str:
    content = checked_tensor(expected)
    if isinstance(observed, dict) and "tensor" in observed:
        found = checked_tensor(observed["tensor"])
        coarser = max(content["dtype"], found["dtype"], key=lambda dtype: EPSILON.get(dtype, 0.0))
        return _elements(
            tuple(content["shape"] or ()), content["values"], found, coarser, tolerance
        )
    if not content["shape"] and number_of(observed) is not None:
        return difference(observed, {"tensor": content}, tolerance)
    if isinstance(observed, dict) and ("list" in observed or "tuple" in observed):
        return _sequence(observed, {"tensor": content}, tolerance)
    return f"expected {show({'tensor': content})}, found {show(observed)}"


def _scalar_of_tensor(expected: Plain, content: Any, tolerance: Tolerance) -> str:
    content = checked_tensor(content)
    shown = show({"tensor": content})
    if expected is None or isinstance(expected, str) or number_of(expected) is None:
        if isinstance(expected, bool) and content["dtype"] == "bool" and not content["shape"]:
            return "" if content["values"][0] is expected else f"expected {expected}, found {shown}"
        return f"expected {show(expected)}, found {shown}"
    return _elements((), [expected], content, content["dtype"], tolerance)


def _elements(
    shape: tuple[int, ...],
    values: list[Plain],
    content: dict[str, Any],
    dtype: str,
    tolerance: Tolerance,
) -> str:
    """How the elements of a tensor differ from these values, to the precision of `dtype`."""
    if content["shape"] is None:
        if math.prod(shape) != 1:
            return f"expected the shape {shape}, found a single number: {show({'tensor': content})}"
    elif tuple(content["shape"]) != shape:
        return f"expected the shape {shape}, found {tuple(content['shape'])}: {show({'tensor': content})}"
    found = content["values"]
    epsilon = tolerance.epsilon(dtype)
    if _surely_close(values, found, epsilon, tolerance):
        return ""
    numbers = [_number(value) for value in values]
    scale = max(map(_size, numbers), default=0.0)
    for index, (one, other) in enumerate(zip(values, found, strict=True)):
        if isinstance(one, bool) or isinstance(other, bool):
            if one is not other:
                return f"expected {show(_listed(shape, values))}, found {show({'tensor': content})}"
            continue
        why = _numbers(numbers[index], _number(other), epsilon, tolerance, scale)
        if why:
            if tolerance.double and EPSILON.get(dtype, 0.0) > epsilon:
                why += f", in {dtype} though the program computes in float64"
            where = f"element {index}: " if len(values) > 1 else ""
            whole = f"; the whole is {show({'tensor': content})}" if len(values) > 1 else ""
            return f"{where}{why}{whole}"
    return ""


def _surely_close(
    values: list[Plain], found: list[Plain], epsilon: float, tolerance: Tolerance
) -> bool:
    """Whether these are finite real numbers, each within the tolerance. Most are, and are compared
    here; all others are compared one by one, for a message that names the element."""
    if not (REAL.issuperset(map(type, values)) and REAL.issuperset(map(type, found))):
        return False
    if values == found:
        return True
    scale = max(map(abs, values), default=0.0)
    if not scale < math.inf:
        return False
    for one, other in zip(values, found, strict=True):
        if one != other and not abs(one - other) <= tolerance.allowed(abs(one), epsilon, scale):
            return False
    return True


def _numbers(
    expected: complex, found: complex, epsilon: float, tolerance: Tolerance, scale: float
) -> str:
    if expected == found:
        return ""
    if isinstance(expected, complex) or isinstance(found, complex):
        expected, found = complex(expected), complex(found)
        parts = ((expected.real, found.real), (expected.imag, found.imag))
        bad = [
            pair
            for pair in parts
            if _part_differs(*pair, _size(expected), epsilon, tolerance, scale)
        ]
        return f"expected {expected}, found {found}" if bad else ""
    if _part_differs(expected, found, _size(expected), epsilon, tolerance, scale):
        return f"expected {expected!r}, found {found!r}{_excess(expected, found, epsilon)}"
    return ""


def _part_differs(
    expected: float, found: float, size: float, epsilon: float, tolerance: Tolerance, scale: float
) -> bool:
    if math.isnan(expected) or math.isnan(found):
        return math.isnan(expected) != math.isnan(found)
    if math.isinf(expected) or math.isinf(found):
        return expected != found
    return abs(expected - found) > tolerance.allowed(size, epsilon, scale)


def _excess(expected: float, found: float, epsilon: float) -> str:
    """How far off a value is, if that helps to distinguish rounding from a wrong result."""
    if not epsilon or not expected or not _finite(expected) or not _finite(found):
        return ""
    apart = abs(expected - found) / (abs(expected) * epsilon)
    return f" ({apart:.3g} machine epsilons apart)" if apart < 1e5 else ""


def _size(number: complex) -> float:
    """The magnitude that rounding errors are in proportion to: that of the finite parts."""
    return math.hypot(*(part for part in (number.real, number.imag) if math.isfinite(part)))


def _finite(number: complex) -> bool:
    return math.isfinite(number.real) and math.isfinite(number.imag)


def _number(value: Plain) -> complex:
    if isinstance(value, list) and len(value) == 2:
        return complex(float(_number(value[0]).real), float(_number(value[1]).real))
    if isinstance(value, bool):
        return int(value)
    number = number_of(value)
    if number is None:
        raise Malformed(f"{show(value)} is not a number")
    return number


def _listed(shape: tuple[int, ...], values: list[Plain]) -> Plain:
    return values[0] if shape == () else {"list": values}


def nested_shape(value: Plain) -> tuple[tuple[int, ...] | None, list[Plain]]:
    """The shape and the flat elements of nested lists; the shape is None where they are uneven."""
    if not (isinstance(value, dict) and ("list" in value or "tuple" in value)):
        return (), [value]
    items = value["list"] if "list" in value else value["tuple"]
    if dict not in map(type, items):  # the innermost list
        return (len(items),), items
    parts = [nested_shape(item) for item in items]
    shapes = {shape for shape, _ in parts}
    if len(shapes) > 1 or None in shapes:
        return None, []
    inner = shapes.pop() if shapes else ()
    return (len(items), *(inner or ())), [element for _, flat in parts for element in flat]


def _is_size(value: Any) -> bool:
    return isinstance(value, int) and value >= 0


def checked_tensor(content: Any) -> dict[str, Any]:
    """A described tensor that is at one with itself; its shape is None if the engine's tensors are single
    numbers. Raises `Malformed`."""
    if not isinstance(content, dict) or not content.keys() >= TENSOR:
        raise Malformed(f"expected a tensor with dtype, shape and values, found {show(content)}")
    dtype, shape, values = content["dtype"], content["shape"], content["values"]
    if not isinstance(dtype, str) or not isinstance(values, list):
        raise Malformed(f"expected a tensor with dtype, shape and values, found {show(content)}")
    if shape is None and len(values) != 1:
        raise Malformed(f"a tensor without a shape has one element, found {len(values)}")
    if shape is None:
        return content
    if not isinstance(shape, list):
        raise Malformed(f"expected a tensor with dtype, shape and values, found {show(content)}")
    if shape and (bool in map(type, shape) or not all(map(_is_size, shape))):
        raise Malformed(f"{shape} is not a shape")
    if math.prod(shape) != len(values):
        raise Malformed(
            f"a tensor of shape {tuple(shape)} has {math.prod(shape)} elements, found {len(values)}"
        )
    return content
