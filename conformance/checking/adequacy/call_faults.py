"""Faults of how an operation is called: with numbers, with integers, with `out=`, and in a pass within a
pass. There is a switch for each row.

Each function changes a module of the copy of the reference as soon as it is loaded.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import numpy as np

from .layout_faults import in_rows, is_spread
from .switches import is_on

NUMBER_WIDENS = "value, float64 beside a number"
NUMBER_ROUNDED = "value, numbers rounded to float32"
INTEGERS_CUT = "value, cut to integers beside integers"
INTEGERS_WIDEN = "value, float64 of integers"
OUT_IN_ROWS = "out=, its stride ignored"
OUT_RECORDED = "out=, not refused while recording"
WITHIN_A_PASS = "gradient, none in a pass within a pass"

MEANT: dict[str, tuple[str, ...]] = {
    NUMBER_WIDENS: ("laws.numbers-as-operands",),
    NUMBER_ROUNDED: ("laws.numbers-as-operands",),
    INTEGERS_CUT: ("laws.integers-beside-floats",),
    INTEGERS_WIDEN: ("laws.integer-operands",),
    OUT_IN_ROWS: ("laws.out-argument",),
    OUT_RECORDED: ("laws.out-argument-is-not-recorded",),
    WITHIN_A_PASS: ("laws.checkpointed-with-reentry",),
}
"""The laws that are meant to notice each."""

passes = 0
"""How many backward passes are under way."""


def switch_promotion(module: Any) -> None:
    """Put switches into the promotion of operands, which every call then goes through
    (`ops.forward`)."""
    promote: Any = module.promoted
    module.binary = lambda row, rest=None: rest or module.general(row)
    module.make_apply = module.general

    def promoted(row: Any, arrays: list[Any], floats: bool) -> list[Any]:
        return _wrongly(row.name, arrays, promote(row, arrays, floats))

    module.promoted = promoted


def _wrongly(name: str, arrays: list[Any], made: list[Any]) -> list[Any]:
    """The operands as promoted, with the mistake that is switched on."""
    kinds = {a.dtype.kind for a in arrays if isinstance(a, np.ndarray) and a.ndim}
    numbers = [a for a in arrays if type(a) is float]
    if numbers and kinds == {"f"}:
        if _narrow(made) and is_on(name, NUMBER_WIDENS):
            return [None if a is None else a.astype(np.float64) for a in made]
        if any(float(np.float32(n)) != n for n in numbers) and is_on(name, NUMBER_ROUNDED):
            return [
                np.float32(a).astype(b.dtype) if type(a) is float else b
                for a, b in zip(arrays, made, strict=True)
            ]
    if kinds == {"i", "f"} and any(_has_fractions(a) for a in arrays) and is_on(name, INTEGERS_CUT):
        return [None if a is None else np.trunc(a) for a in made]
    if kinds == {"i"} and _narrow(made) and is_on(name, INTEGERS_WIDEN):
        return [None if a is None else a.astype(np.float64) for a in made]
    return made


def _narrow(arrays: list[Any]) -> bool:
    return {a.dtype for a in arrays if a is not None} == {np.dtype(np.float32)}


def _has_fractions(array: Any) -> bool:
    floating = isinstance(array, np.ndarray) and array.dtype.kind == "f"
    return floating and bool((np.trunc(array) != array).any())


def switch_out(module: Any) -> None:
    """Put switches into functions that take `out=` (`ops.registry`)."""
    put: Any = module.put_out
    refuse: Any = module.unrecorded

    def put_out(what: str, result: Any, out: Any, cast: bool = False) -> None:
        target = out._data
        put(what, result, out, cast)
        spread = target is out._data and is_spread(target)
        if spread and target.any() and is_on(what, OUT_IN_ROWS):
            wanted = target.copy()
            target[...] = 0
            in_rows(target)[...] = wanted

    def unrecorded(what: str) -> None:
        if what in module.CONSTANT or not is_on(what, OUT_RECORDED):
            refuse(what)

    module.put_out = put_out
    module.unrecorded = unrecorded


def switch_passes(module: Any) -> None:
    """Count the backward passes that are under way (`engine.backward_pass`)."""
    loop: Any = module.loop

    def counted(*args: Any, **options: Any) -> Any:
        global passes
        passes += 1
        try:
            return loop(*args, **options)
        finally:
            passes -= 1

    module.loop = counted


def is_within_a_pass() -> bool:
    """Whether a backward pass is under way that another one started."""
    return passes > 1


MODULES: dict[str, Callable[[ModuleType], None]] = {
    "engine.backward_pass": switch_passes,
    "ops.forward": switch_promotion,
    "ops.registry": switch_out,
}
"""What is changed in which module."""
