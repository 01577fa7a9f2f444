"""uniform_, normal_, bernoulli_ and friends: what does not depend on the generator."""
import torch

torch.manual_seed(0)
x = torch.empty(1000)
x.uniform_(2, 3)
print(bool((x >= 2).all()), bool((x < 3).all()), x._version)
x.normal_(5, 0.001)
print(round(x.mean().item(), 2), x.std().item() < 0.01)
x.bernoulli_(0.5)
print(sorted(x.unique().tolist()), 300 < x.sum() < 700)
x.random_(0, 4)
print(sorted(x.unique().tolist()), x.dtype)
print(bool((x >= 0).all()))
x.zero_()
print(x.sum(), x._version)
i = torch.empty(100, dtype=torch.int64).random_(10)
print(bool((i >= 0).all()), bool((i < 10).all()))
w = torch.zeros(3, requires_grad=True)
try:
    w.uniform_()
except RuntimeError as e:
    print(type(e).__name__)
with torch.no_grad():
    w.normal_()
print(w._version, w.requires_grad, bool((w != 0).all()))
torch.nn.init.constant_(w, 2.0)
print(w)
torch.nn.init.zeros_(w)
print(w, w._version)
y = torch.ones(3, requires_grad=True) * 2
y.normal_()
print(y.requires_grad, y.grad_fn is not None)
p = torch.tensor([0.0, 1.0])
print(torch.bernoulli(p))
torch.manual_seed(3)
a = torch.rand(3)
torch.manual_seed(3)
print(torch.equal(a, torch.rand(3)))
