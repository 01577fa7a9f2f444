"""What CuPy accepts: which parameters a function has, and which element types a ufunc.

The rules of the stand-in device (``strict``), worked out from the names in ``cupy_names.json`` and
from how CuPy picks a loop: the first whose operand types all operands can be cast to.
"""

from __future__ import annotations

import inspect
from functools import cache
from typing import Any

import numpy as np

from .cupy_names import known

__all__ = ["attribute", "bind", "loop_for", "ufunc_facts"]

KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "c": 3}
PYTHON_KINDS = {bool: 0, int: 1, float: 2, complex: 3}


@cache
def signature(text: str) -> inspect.Signature:
    """A signature from its text in the list of names."""
    made: list[inspect.Parameter] = []
    kind: Any = inspect.Parameter.POSITIONAL_OR_KEYWORD
    for word in filter(None, text.split(", ")):
        name = word.strip("*=")
        if word.startswith("**"):
            made.append(inspect.Parameter(name, inspect.Parameter.VAR_KEYWORD))
        elif word.startswith("*"):
            kind = inspect.Parameter.KEYWORD_ONLY
            if name:
                made.append(inspect.Parameter(name, inspect.Parameter.VAR_POSITIONAL))
        else:
            default = None if word.endswith("=") else inspect.Parameter.empty
            made.append(inspect.Parameter(name, kind, default=default))
    return inspect.Signature(made)


def bind(name: str, text: str, args: Any, kwargs: Any) -> None:
    """Refuse arguments that CuPy's function does not take.

    Raises:
        TypeError: too many, or one of another name.
    """
    try:
        signature(text).bind(*args, **kwargs)
    except TypeError as error:
        raise TypeError(f"cupy's {name}({text}): {error}") from None


def attribute(name: str) -> AttributeError:
    """Refusal of an attribute that CuPy's arrays do not have."""
    return AttributeError(f"'cupy.ndarray' object has no attribute {name!r}")


def ufunc_facts(name: str) -> Any:
    """The facts about a ufunc of CuPy or of its special functions; None where there is none."""
    return known()["ufuncs"].get(name) or known()["special_ufuncs"].get(name)


def loop_for(name: str, types: list[str], operands: list[Any]) -> tuple[list[Any], list[Any]]:
    """The operand and result dtypes of the first loop that takes these operands.

    Raises:
        TypeError: there is none.
    """
    weak = tuple(type(x) if type(x) in PYTHON_KINDS else None for x in operands)
    dtypes = tuple(
        np.asarray(x).dtype if w else x.dtype for x, w in zip(operands, weak, strict=True)
    )
    return _loop_for(name, tuple(types), dtypes, weak)


@cache
def _loop_for(name: str, types: Any, dtypes: Any, weak: Any) -> tuple[list[Any], list[Any]]:
    strongest = max((KINDS[d.kind] for d, w in zip(dtypes, weak, strict=True) if not w), default=-1)
    weakest = max((PYTHON_KINDS[w] for w in weak if w), default=-1)
    if weakest == -1 or strongest == -1 or strongest < weakest:
        weak = (None,) * len(weak)
    for text in types:
        ins, _, outs = text.partition("->")
        wanted = [np.dtype(c) for c in ins]
        if all(fits(*operand) for operand in zip(dtypes, weak, wanted, strict=True)):
            return wanted, [np.dtype(c) for c in outs]
    raise TypeError(f"Wrong type ({[str(d) for d in dtypes]}) of arguments for cupy_{name}")


def fits(have: Any, weak: Any, wanted: Any) -> bool:
    """Whether an operand can stand where a loop wants a dtype; a Python number, where it does not
    widen it."""
    if np.can_cast(have, wanted):
        return True
    try:
        return bool(weak and np.result_type(weak(0), wanted) == wanted)
    except TypeError:
        return False
