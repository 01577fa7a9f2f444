"""Tries a fault in a process of its own: a broken PyTorch may crash, and not all of it can be mended."""

from __future__ import annotations

import json
import os
import resource
from collections.abc import Callable
from typing import Any

from gradspec.spec.model import Case

from .framework import Fault
from .trial import try_fault

FAULT_SECONDS = 180


def in_a_process(fault: Fault, cases: Callable[[Fault], list[Case]], enough: int) -> dict[str, Any]:
    """What the suite notices of a fault, from a process of its own."""
    receive, send = os.pipe()
    process = os.fork()
    if process == 0:
        os.close(receive)
        try:
            os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
            os.dup2(1, 2)
            resource.setrlimit(resource.RLIMIT_CPU, (FAULT_SECONDS, FAULT_SECONDS))
            try:
                found = try_fault(fault, cases(fault), enough)
                told = {"must": found.must, "apart": found.apart, "tried": found.tried}
            except Exception as error:
                told = {"broken": f"{type(error).__name__}: {error}"}
            with os.fdopen(send, "w") as file:
                json.dump(told, file)
        finally:
            os._exit(0)
    os.close(send)
    with os.fdopen(receive) as file:
        text = file.read()
    status = os.waitpid(process, 0)[1]
    told = json.loads(text) if text else {"broken": f"its process ended with status {status}"}
    return {"fault": fault.name, **told}
