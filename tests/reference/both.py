"""Run a program on PyTorch and on the reference, and give back what each printed.

Programs see ``torch``, ``nn``, ``F``, ``optim``, ``np``, ``copy``, ``io`` and two helpers:
``E(fn)`` prints the result of ``fn()`` or the type of what it raises, ``W(fn)`` prints the
categories of the warnings that it issues. Wordings of messages are not compared, and numbers that
differ by rounding alone are printed as PyTorch has them; see `replay.py`.
"""

from __future__ import annotations

import contextlib
import copy
import importlib
import io
import re
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from .kinds import lacks_kind
from .replay import Handler, Seen, watched

PROGRAMS = Path(__file__).parent / "programs"


PROGRAM = "<program>"
REFERENCE = "gradspec.reference_impl"


def printed_by_both(source: str) -> tuple[str, str]:
    """What a program prints on PyTorch, and on the reference with the same numbers."""
    seen = Seen(PROGRAM)
    return printed_by("torch", source, seen.note), printed_by(REFERENCE, source, seen.replay)


def printed_by(package: str, source: str, handler: Handler) -> str:
    """What a program prints on an engine, addresses left out.

    `handler` is shown the numbers that the program comes to see.
    """
    torch: Any = importlib.import_module(package)

    def attempt(fn: Any) -> None:
        try:
            print("ok", fn())
        except Exception as error:
            print("raises", type(error).__name__, *["without a kind"] * lacks_kind(error))

    def warned(fn: Any) -> None:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            result = fn()
        print("warned", sorted({w.category.__name__ for w in caught}), result)

    names = {
        "torch": torch,
        "nn": torch.nn,
        "F": torch.nn.functional,
        "optim": torch.optim,
        "np": np,
        "copy": copy,
        "io": io,
        "E": attempt,
        "W": warned,
    }
    if hasattr(torch, "set_warn_always"):  # else some warnings come once a process
        torch.set_warn_always(True)
    out = io.StringIO()
    with (
        contextlib.redirect_stdout(out),
        watched(package, PROGRAM, handler),
        warnings.catch_warnings(),
    ):
        warnings.simplefilter("ignore")
        try:
            exec(compile(source, PROGRAM, "exec"), names)
        finally:
            torch.set_grad_enabled(True)
    return re.sub(r"0x[0-9a-f]+", "0x", out.getvalue())


def programs() -> Iterator[tuple[str, str]]:
    """(name, source) of every program in ``programs/``."""
    for path in sorted(PROGRAMS.glob("*.txt")):
        for part in path.read_text().split("### "):
            name, _, source = part.partition("\n")
            if source.strip():
                yield f"{path.stem}/{name.strip()}", source
