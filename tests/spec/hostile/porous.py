"""An engine whose module has more among its names than its own: what it imports, as all modules do."""

from __future__ import annotations

import builtins
import importlib
import os
import subprocess
import sys
from functools import partial
from os import popen as spawn
from os import system
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from gradspec.reference_impl import *  # noqa: F403
from gradspec.reference_impl import Tensor, float32, tensor
from numpy import fromfile

half_done = partial(os.system)
tools = SimpleNamespace(run=os.system)
output = sys.stdout.write
read = builtins.open
_secret = os.system
IMPORTED = (importlib, subprocess, Path, np, system, spawn, fromfile, float32)


def twice(value: Any) -> Any:
    """A word of the engine's own."""
    return value * 2.0


Tensor.inner_module = property(lambda self: os)
Tensor.inner_frame = property(lambda self: sys._getframe())
Tensor.inner_code = property(lambda self: twice.__code__)
Tensor.inner_number = property(lambda self: 7.0)
tensor_again = tensor
