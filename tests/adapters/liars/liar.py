"""Engines that are honest but for one case: they do something dreadful where a tensor of 666 is made.

`--impl=module:liar:NAME` is the honest engine with the lie NAME of `lies.py`.
"""

from __future__ import annotations

import types
from typing import Any

import honest
from lies import LIES


def __getattr__(name: str) -> Any:
    """The engine with this lie."""
    if name not in LIES:
        raise AttributeError(name)

    def tensor(values: list[float], requires_grad: bool = False) -> Any:
        made = honest.tensor(values, requires_grad)
        if values != [666.0]:
            return made
        return LIES[name](made) or made

    words = {key: value for key, value in vars(honest).items() if not key.startswith("__")}
    return types.SimpleNamespace(**{**words, "tensor": tensor})
