"""Engines and devices without float64, such as many accelerators.

A program that names float64 runs in float32 there, since most statements hold in either. Whether a
failure then is the engine's own is found out with the reference, which runs the same program in float32.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

WIDEST = "float64"
NARROWER = {"float64": "float32", "complex128": "complex64"}
"""What stands for a dtype that is missing."""
NAMES = frozenset(NARROWER)
ONLY_WIDE = frozenset({"double", "cdouble", "DoubleTensor"})
"""Words and methods that mean float64 and nothing else."""
_SAYS_SO = re.compile(
    r"support.*(float64|double|complex128)|(float64|double|complex128).*support", re.IGNORECASE
)


def word_for(word: str, widest: str) -> str:
    """The word that is looked up for a word of a program."""
    return word if widest == WIDEST else NARROWER.get(word, word)


def missing(names: Iterable[str], widest: str) -> str:
    """What an engine without float64 lacks for a program of these words and members, or the empty string."""
    return WIDEST if widest != WIDEST and not ONLY_WIDE.isdisjoint(names) else ""


def says_so(text: str) -> bool:
    """Whether an error message says that float64 is not supported."""
    return _SAYS_SO.search(text[:1000]) is not None
