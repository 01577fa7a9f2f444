"""clamp with numbers, tensors, one bound, integers; gradients on the bounds."""
import torch

x = torch.tensor([-2.0, -1.0, 0.0, 1.0, 2.0], requires_grad=True)
lo = torch.tensor(-1.0, requires_grad=True)
hi = torch.tensor([0.5, 0.5, 0.5, 2.0, 1.0], requires_grad=True)
for name, f in {
    "both": lambda: x.clamp(-1, 1), "min": lambda: x.clamp(min=0), "max": lambda: torch.clamp(x, max=0.5), "tensors": lambda: torch.clamp(x, lo, hi),
    "min tensor": lambda: x.clamp(min=lo), "max tensor": lambda: x.clamp(max=hi), "clip": lambda: x.clip(-0.5, 0.5), "clamp_min": lambda: x.clamp_min(-1),
    "clamp_max": lambda: x.clamp_max(hi), "hardtanh": lambda: torch.nn.functional.hardtanh(x), "relu": lambda: x.relu(), "crossed": lambda: x.clamp(1, -1),
    "in place": lambda: (x * 1).clamp_(-1, 1), "minimum": lambda: torch.minimum(x, hi), "maximum number": lambda: torch.maximum(x, torch.tensor(0.0)),
}.items():
    x.grad = lo.grad = hi.grad = None
    y = f()
    y.sum().backward()
    print(name, y, x.grad, lo.grad, hi.grad)
print(torch.tensor([1, 5, 9]).clamp(2, 6), torch.tensor([1, 5]).clamp(max=2.5), torch.tensor(float("nan")).clamp(0, 1))
