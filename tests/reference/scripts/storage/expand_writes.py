"""Writing into an expanded tensor is refused; cloning helps."""

import torch


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)


x = torch.tensor([[1.0], [2.0]])
e = x.expand(2, 3)
print(e.stride(), e.is_contiguous(), e._is_view(), e.untyped_storage().nbytes())
attempt("add_", lambda: e.add_(1))
attempt("mul_", lambda: e.mul_(torch.ones(2, 3)))
attempt("zero_", lambda: e.zero_())
attempt("fill_", lambda: e.fill_(1))
attempt("copy_", lambda: e.copy_(torch.ones(2, 3)))
attempt("relu_", lambda: e.relu_())
attempt("masked_fill_", lambda: e.masked_fill_(e > 1, 0))
attempt("scatter_", lambda: e.scatter_(1, torch.zeros(2, 1, dtype=torch.long), 1.0))
attempt("index_put_", lambda: e.index_put_((torch.tensor([0]),), torch.tensor(5.0)))
attempt("index_fill_", lambda: e.index_fill_(0, torch.tensor([0]), 3.0))
attempt("index_add_", lambda: e.index_add_(0, torch.tensor([0]), torch.ones(1, 3)))
attempt("uniform_", lambda: e.uniform_(0, 0))
attempt("slice of it", lambda: e[:, 0].add_(1))
attempt("setitem", lambda: e.__setitem__((0, 0), 9.0))
print(x, x._version)
attempt("contiguous", lambda: e.contiguous().add_(1))
attempt("clone", lambda: e.clone().add_(1))
print(e.clone().stride(), e.contiguous().stride(), (e + 1).stride())
attempt("out", lambda: torch.add(torch.ones(2, 3), 1, out=e))
f = torch.tensor([1.0, 2.0], requires_grad=True)
g = f.expand(3, 2)
print(g.grad_fn, g)
g.sum().backward()
print(f.grad)
attempt("expand bad", lambda: f.expand(2, 3))
attempt("expand -1", lambda: f.expand(2, -1))
attempt("expand -1 new", lambda: f.expand(-1, 2))
attempt("expand fewer", lambda: torch.ones(1, 2).expand(2))
attempt("expand 0", lambda: torch.ones(1, 2).expand(0, 2))
