"""Switches in the reference engine: each kernel and each rule can be made faulty, one at a time,
without importing the engine anew. Only a faulty engine has them (`operation_faults.py`).

`CHANGES` are the faults of kernels and rules; `node_faults.py` has those of nodes and tangents.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from .layout_faults import MISREADINGS, arrays_of, replaced

OFFSET = 0.25
HALF = ("float16", "bfloat16")
MODERATE = 100.0
BLOCK = 32_768
LANES = 8

active_names: frozenset[str] = frozenset()
active_change = ""
"""The names of the switches that are on, and their change."""
aside = False
"""Whether what runs is not the engine's work but a look at what a mistake would do."""
used: set[tuple[str, str]] = set()
"""Switches through which something went since this was last cleared, each with a change that it
would have made."""


given_before: dict[str, tuple[Any, Any]] = {}
"""By switch, the arguments of the last call and what was given for them."""


def turn(names: Collection[str], change: str) -> None:
    """Switch one fault on, in one or several places, and the one before off."""
    global active_names, active_change
    active_names, active_change = frozenset(names), change


def is_on(name: str, change: str) -> bool:
    """Whether this fault is on; notes that it would have made a difference."""
    if aside:
        return False
    used.add((name, change))
    return change == active_change and name in active_names


def _aside(function: Callable[..., Any], *args: Any) -> Any:
    """Call a function without any fault, and without noting the switches that it goes through."""
    global aside
    before, aside = aside, True
    try:
        return function(*args)
    finally:
        aside = before


@dataclass(frozen=True)
class Change:
    """A mistake of a kernel or a rule.

    `before` gives the arguments that it works with instead, `after` the result that it gives instead;
    either gives None where the mistake makes no difference. `laws` are those meant to notice it.
    `writes` are the arguments that it overwrites when it is done. With `remembers`, the array that was
    given for the same arguments before is given again, whatever is in it now. `outermost`: it can only be seen
    where nothing lies between the kernel or rule and the user.
    """

    name: str
    laws: tuple[str, ...] = ()
    before: Callable[[Any], Any] | None = None
    after: Callable[[Any], Any] | None = None
    writes: Callable[[Any], list[Any]] | None = None
    outermost: bool = False
    remembers: bool = False

    def run(self, name: str, function: Callable[..., Any], args: Any, result: Any) -> Any:
        """The result of the function with this mistake, if it is on; else the result as it is."""
        if self.before:
            changed = self.before(args)
            if changed is None or not _differs(function, changed, result, name, self.name):
                return result
            return function(*changed) if is_on(name, self.name) else result
        if self.after:
            changed = _aside(self.after, result)
            return result if changed is None or not is_on(name, self.name) else changed
        if self.remembers:
            return self.given_again(name, args, result)
        assert self.writes
        targets = self.writes(args)
        if targets and is_on(name, self.name):
            result = replaced(result, np.copy)
            for target in targets:
                target *= -2  # a mask made from it changes too
        return result

    def given_again(self, name: str, args: Any, result: Any) -> Any:
        """What was given for the same arguments before, if there is something and it differs now."""
        before, given = given_before.get(name, ((), None))
        same = len(before) == len(args) and all(a is b for a, b in zip(before, args, strict=True))
        if not same:
            given_before[name] = (args, result)
        elif not _alike(given, result) and is_on(name, self.name):
            return given
        return result


def _differs(
    function: Callable[..., Any], changed: Any, result: Any, name: str, change: str
) -> bool:
    """Whether a function gives something else for changed arguments, or raises an error; assumed
    where the mistake is switched on."""
    if change == active_change and name in active_names:
        return True
    try:
        other = _aside(function, *changed)
    except Exception:
        return True
    return not _alike(result, other)


def _alike(result: Any, other: Any) -> bool:
    pairs = list(zip(_arrays(result), _arrays(other), strict=False))
    return all(np.array_equal(a, b, equal_nan=a.dtype.kind in "fc") for a, b in pairs)


def _arrays(result: Any) -> list[Any]:
    parts = result if isinstance(result, list | tuple) else [result]
    return [np.asarray(part) for part in parts if part is not None]


def _misreads(change: Callable[[Any], Any], first: int, last: int | None) -> Callable[[Any], Any]:
    """Arguments from one position to another are misread."""

    def before(args: Any) -> Any:
        chosen = list(args[first:last])
        if all(change(array) is None for array in arrays_of(chosen)):
            return None
        there = [replaced(value, change) for value in chosen]
        return (*args[:first], *there, *(() if last is None else args[last:]))

    return before


def _off(result: Any) -> Any:
    """Floating results, off by a constant; the first one where there are several."""
    if isinstance(result, tuple | list) and result:
        first = _off(result[0])
        return None if first is None else type(result)((first, *result[1:]))
    return result + OFFSET if _is_floating(result) else None


def _is_floating(result: Any) -> bool:
    dtype = str(getattr(result, "dtype", ""))
    return "float" in dtype or "complex" in dtype or isinstance(result, float | complex)


def _each(change: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A change of every array in a result; None where none of them differs."""

    def after(result: Any) -> Any:
        differs = False

        def note(array: Any) -> Any:
            nonlocal differs
            made = change(array)
            differs = differs or made is not None
            return made

        changed = _replaced_all(result, note)
        return changed if differs else None

    return after


def _replaced_all(value: Any, change: Callable[[Any], Any]) -> Any:
    """As `replaced`, with scalars of NumPy and arrays of bfloat16 too."""
    if isinstance(value, list | tuple):
        return type(value)(_replaced_all(item, change) for item in value)
    is_array = hasattr(value, "dtype") and not hasattr(value, "requires_grad")
    made = change(value) if is_array else None
    return value if made is None else made


def _zeros_in(dtype: str, array: Any) -> Any:
    if not re.search(rf"\b{dtype}\b", str(array.dtype)):
        return None
    zeros = array * 0
    return zeros if bool((zeros != array).any()) else None


def _rounded(array: Any) -> Any:
    if array.dtype != np.float64:
        return None
    with np.errstate(all="ignore"):
        rounded = array.astype(np.float32).astype(np.float64)
        off = np.abs(rounded - array)
    largest = np.abs(array[np.isfinite(array)]).max(initial=0.0)  # next to which others are noise
    return rounded if bool((off > 1e-9 * largest).any()) else None


def _cut_off(array: Any) -> Any:
    """A floating array without what exceeds any gradient of a case but that of the law's."""
    if array.dtype.kind != "f" or not bool((np.abs(array) > MODERATE).any()):
        return None
    return np.clip(array, -MODERATE, MODERATE)


def _in_dtype(wrong: Any, right: Any, array: Any) -> Any:
    return array.astype(wrong) if array.dtype == right else None


def _last(block: int, beyond: int, array: Any) -> Any:
    """Zeros after the last full block of elements."""
    if array.dtype.kind != "f" or array.size <= beyond or not array.size % block:
        return None
    made = np.ascontiguousarray(array).copy()
    tail = made.reshape(-1)[array.size - array.size % block :]
    if not tail.any():
        return None
    tail[...] = 0
    return made


def _conjugated(array: Any) -> Any:
    if array.dtype.kind != "c" or not np.imag(array).any():
        return None
    return np.conj(array)


def _written(first: int, last: int | None, kinds: str = "fc") -> Callable[[Any], list[Any]]:
    """The arguments that can be written to, and whose elements that would change."""

    def writable(args: Any) -> list[Any]:
        arrays = arrays_of(list(args[first:last]))
        return [a for a in arrays if a.dtype.kind in kinds and a.flags.writeable and a.any()]

    return writable


_OPERANDS = {
    "transposed": ("laws.operands-in-any-layout",),
    "stepped": ("laws.operands-in-any-layout",),
    "expanded": ("laws.expanded-operands",),
}
_COTANGENTS = {
    "transposed": ("laws.cotangent-in-any-layout",),
    "stepped": ("laws.cotangent-in-any-layout",),
    "expanded": ("laws.expanded-cotangent",),
}
_SIZES = ("laws.any-size", "laws.any-number-of-slices")

VALUE = Change("value", after=_off)
KERNEL_CHANGES: tuple[Change, ...] = (
    VALUE,
    *(
        Change(f"value, {name} operands misread", _OPERANDS[name], before=_misreads(misread, 0, None))
        for name, misread in MISREADINGS.items()
    ),
    *(
        Change(f"value, zeros in {dtype}", (f"laws.{dtype}",), after=_each(partial(_zeros_in, dtype)))
        for dtype in HALF
    ),
    Change("value, rounded to float32", after=_each(_rounded)),
    Change(
        "value, float64 for float32", ("laws.result-dtype",),
        after=_each(partial(_in_dtype, np.float64, np.float32)),
    ),
    Change(
        "value, float32 for float64", ("laws.result-dtype",),
        after=_each(partial(_in_dtype, np.float32, np.float64)),
    ),
    Change("value, zeros after full blocks", _SIZES, after=_each(partial(_last, BLOCK, BLOCK))),
    Change("value, zeros after full vectors", _SIZES, after=_each(partial(_last, LANES, LANES))),
    Change("value, given out again", ("laws.repeated-runs",), remembers=True),
    Change(
        "value, operands overwritten", ("laws.operands-stay-as-they-are",),
        writes=_written(0, None), outermost=True,
    ),
)  # fmt: skip
RULE_CHANGES: tuple[Change, ...] = (
    Change("gradient", after=_off),
    *(
        Change(
            f"gradient, {name} gradient of the result misread", _COTANGENTS[name],
            before=_misreads(misread, 0, 1),
        )
        for name, misread in MISREADINGS.items()
    ),
    *(
        Change(f"gradient, {name} operands misread", _OPERANDS[name], before=_misreads(misread, 1, None))
        for name, misread in MISREADINGS.items()
    ),
    *(
        Change(f"gradient, zeros in {dtype}", (f"laws.{dtype}",), after=_each(partial(_zeros_in, dtype)))
        for dtype in HALF
    ),
    Change("gradient, rounded to float32", after=_each(_rounded)),
    Change("gradient, conjugated", ("laws.complex-operands",), after=_each(_conjugated)),
    Change(
        "gradient, large gradients of the result cut off", ("laws.linear-in-the-gradient",),
        before=_misreads(_cut_off, 0, 1),
    ),
    Change("gradient, zeros after full blocks", _SIZES, after=_each(partial(_last, BLOCK, BLOCK))),
    Change("gradient, zeros after full vectors", _SIZES, after=_each(partial(_last, LANES, LANES))),
    Change(
        "gradient, gradient of the result overwritten", ("laws.operands-stay-as-they-are",),
        writes=_written(0, 1), outermost=True,
    ),
    Change(
        "gradient, what was saved overwritten", ("laws.second-pass-gives-the-same",),
        writes=_written(1, None, "f"),  # what is complex is copied for a rule, conjugated
    ),
)  # fmt: skip
SECOND_ORDER = "second order"
ON_THE_CPU = "value, on the CPU for another device"


def _is_elsewhere(result: Any) -> bool:
    """Whether a result is an array of a device. The other changes are those of NumPy's arrays."""
    return hasattr(result, "get") and hasattr(result, "dtype") and hasattr(result, "strides")


def switched(
    signature: str, kernel: Callable[..., Any], rules: dict[str, Callable[..., Any]]
) -> tuple[Callable[..., Any], dict[str, Callable[..., Any]]]:
    """The kernel and the rules of one row, with a switch in each."""
    name = signature.partition("(")[0]
    return (
        _switched(name, kernel, KERNEL_CHANGES),
        {
            operand: _switched(f"{name}, {operand}", rules[operand], RULE_CHANGES)
            for operand in rules
        },
    )


def _switched(name: str, function: Callable[..., Any], changes: tuple[Change, ...]) -> Any:
    by_name = {change.name: change for change in changes}

    @functools.wraps(function)
    def run(*args: Any, **kwargs: Any) -> Any:
        if aside or (active_names and name not in active_names):
            return function(*args, **kwargs)
        called = functools.partial(function, **kwargs)
        result = called(*args)
        if _is_elsewhere(result):
            moved = changes is KERNEL_CHANGES and is_on(name, ON_THE_CPU)
            return result.get() if moved else result
        if active_names:
            change = by_name.get(active_change)
            result = change.run(name, called, args, result) if change else result
        else:
            for change in changes:
                if change.remembers or (name, change.name) not in used:
                    change.run(name, called, args, result)
        if changes is RULE_CHANGES and getattr(result, "requires_grad", False):
            return result.detach() if is_on(name, SECOND_ORDER) else result
        return result

    return run
