"""inference_mode: no recording, no version counter, and what is refused afterwards."""

import torch

x = torch.ones(2, requires_grad=True)
with torch.inference_mode():
    y = x * 2
    print(
        y.requires_grad,
        y.is_inference(),
        torch.is_inference_mode_enabled(),
        torch.is_grad_enabled(),
    )
    z = torch.zeros(2)
    z += 1
    print(z, z.is_inference())
    v = x.view(2)
    print(v.is_inference(), v.requires_grad)
print(torch.is_inference_mode_enabled())
# y.add_(1) is refused too, but only after PyTorch has changed the values
for label, f in [
    ("version", lambda: y._version),
    ("save", lambda: x * y),
    ("in place", lambda: x.detach().mul(y).add_(y).sum().item()),
    ("in place on it", lambda: torch.zeros_like(y).copy_(y)),
    ("flag", lambda: y.requires_grad_()),
    ("read", lambda: y + 1),
    ("clone", lambda: (x * y.clone()).sum().backward()),
]:
    try:
        f()
        print(label, "fine")
    except RuntimeError as e:
        print(label, type(e).__name__, "nference" in str(e))
print(x.grad)
with torch.inference_mode(False):
    print((x * 2).requires_grad)


@torch.inference_mode()
def predict(v):
    return v * 10


p = predict(x)
print(p, p.is_inference(), predict.__name__)
with torch.inference_mode():
    with torch.inference_mode(mode=False):
        print((x * 2).requires_grad)
    with torch.enable_grad():
        print((x * 2).requires_grad, torch.is_grad_enabled())
