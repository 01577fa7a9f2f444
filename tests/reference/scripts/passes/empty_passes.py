"""Passes with tensors of no elements and no dimensions."""
import torch


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


for shape in ((0,), (0, 3), (2, 0), (1, 0, 2)):
    x = torch.zeros(shape, requires_grad=True)
    for name, f in {"sum": lambda: x.sum(), "prod": lambda: x.prod(), "mul": lambda: (x * x).sum(), "exp": lambda: x.exp().sum(),
                    "sum0": lambda: x.sum(0).sum(), "mean": lambda: x.mean(), "view": lambda: x.view(-1).sum(), "cat": lambda: torch.cat([x, x]).sum(),
                    "norm": lambda: x.norm(), "softmax": lambda: x.softmax(-1).sum(), "cumsum": lambda: x.cumsum(0).sum(),
                    "matmul": lambda: (x.view(-1, 3 if 3 in shape else 1) @ torch.ones(3 if 3 in shape else 1, 2)).sum(),
                    "logsumexp": lambda: x.logsumexp(-1).sum(), "sort": lambda: x.sort(-1)[0].sum(), "t": lambda: x.transpose(0, -1).sum()}.items():
        def run():
            (g,) = torch.autograd.grad(f(), x)
            return tuple(g.shape), g.dtype
        attempt((shape, name), run)
s = torch.tensor(2.0, requires_grad=True)
for name, f in {"sum": lambda: s.sum(), "sum0": lambda: s.sum(0), "mean": lambda: s.mean(), "max": lambda: s.max(), "max0": lambda: s.max(0).values,
                "norm": lambda: s.norm(), "softmax": lambda: s.softmax(0), "cumsum": lambda: s.cumsum(0), "prod": lambda: s.prod(), "view": lambda: s.view(1)[0],
                "expand": lambda: s.expand(3).sum(), "unsqueeze": lambda: s[None].sum(), "sort": lambda: s.sort()[0], "flip": lambda: s.flip([]), "t": lambda: s.t(),
                "logsumexp": lambda: s.logsumexp(0), "std": lambda: s.std(unbiased=False), "index": lambda: s[...], "where": lambda: torch.where(s > 0, s, -s),
                "stack": lambda: torch.stack([s, s]).sum(), "repeat": lambda: s.repeat(2).sum(), "topk": lambda: s.topk(1)[0], "median": lambda: s.median(),
                "dot": lambda: s @ s, "outer": lambda: torch.outer(s, s), "cat": lambda: torch.cat([s, s])}.items():
    attempt(name, lambda: torch.autograd.grad(f(), s))
e = torch.empty(0, requires_grad=True)
attempt("backward", lambda: e.backward())
attempt("backward empty", lambda: e.backward(torch.empty(0)))
print(e.grad)
lin = torch.nn.Linear(3, 2)
lin(torch.zeros(0, 3)).sum().backward()
print(lin.weight.grad, lin.bias.grad)
attempt("mse", lambda: torch.nn.functional.mse_loss(e, torch.empty(0)))
attempt("mse grad", lambda: torch.autograd.grad(torch.nn.functional.mse_loss(e, torch.empty(0)), e))
attempt("ce", lambda: torch.nn.functional.cross_entropy(torch.zeros(0, 3, requires_grad=True), torch.zeros(0, dtype=torch.long)))
attempt("conv", lambda: torch.nn.functional.conv1d(torch.zeros(0, 1, 4, requires_grad=True), torch.ones(1, 1, 2)).shape)
