"""An engine whose gradient of the case to misbehave on is wrong every second time."""

import importlib.util
from pathlib import Path

# A copy of the honest engine, which other tests use in the same process.
_spec = importlib.util.spec_from_file_location("honest_copy", Path(__file__).with_name("honest.py"))
_copy = importlib.util.module_from_spec(_spec)
_spec.loader.exec_module(_copy)
globals().update({name: value for name, value in vars(_copy).items() if name[0] != "_"})

_receive = _copy.Tensor.receive
_times = [0]


def _wrong_now_and_then(self, gradient):
    if self.values == [666.0]:
        _times[0] += 1
        gradient = gradient if _times[0] % 2 else [0.0]
    _receive(self, gradient)


_copy.Tensor.receive = _wrong_now_and_then
