"""Which names CuPy has: facts, collected into ``cupy_names.json`` by tests/reference/collect_cupy_names.py.

The stand-in device (``strict``) offers what this list holds and nothing else: the functions with
their parameters, the ufuncs with the element types they are compiled for, and the methods and
attributes of an array.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

PATH = Path(__file__).with_suffix(".json")


@cache
def known() -> Any:
    """The list as it was last collected."""
    return json.loads(PATH.read_text("utf-8"))
