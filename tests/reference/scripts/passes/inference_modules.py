"""Inference mode with modules, buffers, parameters and later training."""
import torch
from torch import nn


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


bn = nn.BatchNorm1d(2)
lin = nn.Linear(2, 2)
nn.init.eye_(lin.weight)
nn.init.zeros_(lin.bias)
x = torch.tensor([[1.0, 2.0], [3.0, 6.0]])
with torch.inference_mode():
    out = bn(lin(x))
    print(out.is_inference(), out.requires_grad, bn.running_mean, bn.running_mean.is_inference())
    p = nn.Parameter(torch.ones(2))
    fresh = nn.Linear(1, 1)
    print(p.is_inference(), p.requires_grad, fresh.weight.is_inference())
    sd = lin.state_dict()
    print(sd["weight"].is_inference())
attempt("train after", lambda: bn(lin(x)).sum().backward())
print(lin.weight.grad is not None, bn.num_batches_tracked)
attempt("param use", lambda: (p * 2).sum().backward())
attempt("fresh", lambda: fresh(torch.ones(1, 1)).requires_grad)
attempt("fresh backward", lambda: fresh(torch.ones(1, 1)).sum().backward())
attempt("out as input", lambda: lin(out))
attempt("out clone", lambda: lin(out.clone()).requires_grad)
attempt("target", lambda: nn.functional.mse_loss(lin(x), out))
attempt("target detach clone", lambda: nn.functional.mse_loss(lin(x), out.clone()).requires_grad)
attempt("index", lambda: out[0].is_inference())
attempt("set data", lambda: lin.weight.data.copy_(out))
print(lin.weight)
attempt("no_grad copy", lambda: torch.no_grad()(lambda: lin.bias.copy_(out[0]))())
attempt("into inference", lambda: torch.no_grad()(lambda: out.copy_(x))())
with torch.inference_mode():
    attempt("inside", lambda: out.copy_(x))
    with torch.no_grad():
        print((x * 2).is_inference(), torch.is_inference_mode_enabled())
    with torch.inference_mode(False), torch.enable_grad():
        y = lin(x)
        print(y.requires_grad, y.is_inference())
        attempt("mix", lambda: (y * out).requires_grad)
attempt("version", lambda: out._version)
attempt("grad", lambda: (out.grad, out.is_leaf, out.grad_fn))
attempt("save", lambda: torch.exp(out).is_inference())
attempt("deepcopy", lambda: __import__("copy").deepcopy(out).is_inference())
attempt("to", lambda: (out.to(torch.float64).is_inference(), out.to(torch.float32).is_inference()))
attempt("contiguous", lambda: out.contiguous().is_inference())
attempt("cat", lambda: torch.cat([out, x]).is_inference())
attempt("repr", lambda: repr(out))
