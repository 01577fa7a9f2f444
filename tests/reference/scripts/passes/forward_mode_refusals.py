"""Wrong uses of forward mode."""

import torch
import torch.autograd.forward_ad as fwAD

x = torch.ones(2)


def attempt(label, f):
    try:
        f()
        print(label, "fine")
    except Exception as e:
        print(label, type(e).__name__)


def nested():
    with fwAD.dual_level():
        with fwAD.dual_level():
            pass


attempt("nested", nested)
with fwAD.dual_level():
    attempt("shape", lambda: fwAD.make_dual(x, torch.ones(3)))
    attempt("integer", lambda: fwAD.make_dual(torch.tensor([1, 2]), torch.tensor([1, 2])))
    attempt("dtype", lambda: fwAD.make_dual(x, torch.ones(2, dtype=torch.float64)))
    attempt("not a tensor", lambda: fwAD.make_dual(1.0, x))
attempt("after", lambda: fwAD.make_dual(x, x))
with fwAD.dual_level():
    d = fwAD.make_dual(x, torch.ones(2))
    print(type(fwAD.unpack_dual(d)).__name__, fwAD.unpack_dual(d)._fields)
    with fwAD.dual_level() if False else torch.no_grad():
        pass
