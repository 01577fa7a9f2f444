"""inference_mode tensors, views of them, and writes inside and outside."""
import torch

x = torch.ones(3, requires_grad=True)
with torch.inference_mode():
    y = x * 2
    v = y[:2]
    v.add_(1)
    print(y, y.requires_grad, y.is_inference(), v.is_inference(), torch.is_inference_mode_enabled())
    w = x.view(3, 1)
    print(w.is_inference(), w.requires_grad)
for name, f in {
    "add_": lambda: y.add_(1), "mul": lambda: (y * 2).requires_grad, "use": lambda: (x * y).sum(), "version": lambda: y._version,
    "clone": lambda: (x * y.clone()).sum().requires_grad, "requires": lambda: y.requires_grad_(), "view": lambda: y.view(-1).is_inference(),
    "detach": lambda: y.detach().is_inference(), "sum": lambda: y.sum().is_inference(), "setitem": lambda: y.__setitem__(0, 1.0),
}.items():
    try:
        print(name, f())
    except RuntimeError as e:
        print(name, type(e).__name__)


@torch.inference_mode()
def predict(t):
    return t.exp()


out = predict(x)
print(out.requires_grad, out.is_inference(), out.clone().is_inference())
with torch.no_grad():
    z = x * 2
print(z.is_inference(), z.requires_grad)
x.data.fill_(5)
print(x, x._version)
