"""Reading and writing memory that overlaps."""

import torch


def attempt(name, f):
    try:
        print(name, f())
    except Exception as e:
        print(name, type(e).__name__)


x = torch.arange(5.0)
attempt("add_ shifted", lambda: x[1:].add_(x[:-1]))
attempt("mul_ same", lambda: x.mul_(x))
attempt("copy_ shifted", lambda: x[:3].copy_(x[2:]))
attempt("out shifted", lambda: torch.add(x[1:], 1, out=x[:-1]))
attempt("out same", lambda: torch.add(x, 1, out=x))
attempt("setitem shifted", lambda: x.__setitem__(slice(1, None), x[:-1]))
print(x)
u = torch.arange(5.0).as_strided((3, 2), (1, 1))
attempt("internal zero", lambda: u.zero_())  # what other writes leave depends on their order
y = torch.arange(9.0).view(3, 3)
attempt("t add_", lambda: y.add_(y.t()))
attempt("t copy_", lambda: y.clone().copy_(y.t()))
attempt("rows", lambda: y[0].add_(y[1]))
attempt("row of itself", lambda: y.add_(y[0]))
attempt("cat out", lambda: torch.cat([x[:2], x[2:4]], out=x[:4]))
attempt("gather out", lambda: torch.gather(x, 0, torch.tensor([1, 0, 2, 3, 4]), out=x))
attempt("masked_fill_ self mask", lambda: x.masked_fill_(x > 0, 1))
attempt("index_copy_ self", lambda: x.index_copy_(0, torch.tensor([0, 1]), x[:2]))
attempt("index_add_ self", lambda: x.index_add_(0, torch.tensor([0, 1]), x[1:3]))
attempt("scatter_ self", lambda: x.scatter_(0, torch.tensor([0, 1]), x))
attempt("sin out partial", lambda: torch.sin(x[:4], out=x[1:]))
