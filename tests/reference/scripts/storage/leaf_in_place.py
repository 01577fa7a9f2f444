"""What a leaf that requires grad refuses in place."""

import torch


def attempt(name, f):
    try:
        r = f()
        print(name, "ok", tuple(r.shape) if isinstance(r, torch.Tensor) else r)
    except Exception as e:
        print(name, type(e).__name__)


w = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
attempt("add_", lambda: w.add_(1))
attempt("mul_", lambda: w.mul_(2))
attempt("zero_", lambda: w.zero_())
attempt("fill_", lambda: w.fill_(3))
attempt("copy_", lambda: w.copy_(torch.zeros(3)))
attempt("clamp_", lambda: w.clamp_(0, 1))
attempt("setitem", lambda: w.__setitem__(0, 5.0))
attempt("view add_", lambda: w[0:2].add_(1))
attempt("view zero_", lambda: w.view(3, 1).zero_())
attempt("index_fill_", lambda: w.index_fill_(0, torch.tensor([0]), 1.0))
attempt("masked_fill_", lambda: w.masked_fill_(w > 1, 0))
attempt("detach_", lambda: w.view(3).detach_())
attempt("uniform_", lambda: w.uniform_())
attempt("squeeze_", lambda: w.squeeze_())
attempt("unsqueeze_", lambda: w.unsqueeze_(0))
attempt("t_", lambda: w.t_())
attempt("requires_grad_", lambda: w.requires_grad_(False))
attempt("add_ now", lambda: w.add_(1))
print(w, w._version, w.is_leaf)
w.requires_grad_()
with torch.no_grad():
    attempt("add_ no_grad", lambda: w.add_(1))
    w[0] = -1
print(w, w._version)
w.data.mul_(10)
print(w, w._version)
w.detach().mul_(0.5)
print(w, w._version)
