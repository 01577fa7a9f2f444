"""An engine that keeps ten megabytes of each product of a tensor with a number."""

import importlib.util
from pathlib import Path

# A copy of the honest engine, which other tests use in the same process.
_spec = importlib.util.spec_from_file_location("honest_copy", Path(__file__).with_name("honest.py"))
_copy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_copy)
globals().update({name: value for name, value in vars(_copy).items() if name[0] != "_"})

_times = _copy.Tensor.__mul__
_kept = []


def _and_keep(self, other):
    _kept.append(bytearray(10 << 20))
    return _times(self, other)


_copy.Tensor.__mul__ = _and_keep
