"""Which tensors are leaves: a table over the ways of making them."""
import torch

a = torch.rand(10, requires_grad=True)
ways = {
    "rand requires grad": a,
    "rand to double": torch.rand(10, requires_grad=True).double(),
    "rand plus two": torch.rand(10, requires_grad=True) + 2,
    "rand then double, no grad": torch.rand(10).double(),
    "requires_grad_ after": (torch.rand(10) + 2).requires_grad_(),
    "empty like": torch.empty_like(a),
    "zeros like, grad": torch.zeros_like(a, requires_grad=True),
    "detached": (a * 2).detach(),
    "data": (a * 2).data,
    "view of leaf": a.view(2, 5),
    "slice of leaf": a[:3],
    "same dtype to": a.to(torch.float32),
    "other dtype to": a.to(torch.float16),
    "clone": a.clone(),
    "contiguous": a.contiguous(),
    "cast to int": a.long(),
    "argmax": a.argmax(),
    "comparison": a > 0.5,
    "parameter": torch.nn.Parameter(a.detach()),
    "new tensor": a.new_zeros(3),
    "new tensor, grad": a.new_ones(3, requires_grad=True),
    "cpu": a.cpu(),
    "float": a.float(),
    "type": a.type(torch.float64),
    "reshape": a.reshape(10),
    "expand": a.expand(2, 10),
}
for name, t in ways.items():
    kind = type(t.grad_fn).__name__
    print(f"{name:28} leaf={t.is_leaf!s:5} requires_grad={t.requires_grad!s:5} {kind} {t.dtype} {tuple(t.shape)} same={t is a}")
