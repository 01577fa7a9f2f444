"""F.pad in its modes, negative sizes, values, gradients."""
import torch
import torch.nn.functional as F

x = torch.arange(1.0, 5.0).view(1, 1, 4)
for mode in ("constant", "reflect", "replicate", "circular"):
    t = x.clone().requires_grad_()
    y = F.pad(t, (2, 1), mode=mode)
    (y * torch.arange(1.0, 8.0)).sum().backward()
    print(mode, y.detach(), t.grad)
m = torch.arange(4.0).view(1, 1, 2, 2)
print(F.pad(m, (1, 0, 0, 1)), F.pad(m, (1, 1, 1, 1), mode="reflect"), F.pad(m, (1, 1), value=-1.0))
print(F.pad(m, (-1, 0)), F.pad(torch.arange(5.0), (-1, -2)), F.pad(torch.ones(2, 2), (0, 1, 1, 0), "constant", 9))
print(F.pad(torch.arange(3), (1, 1)).dtype, F.pad(torch.ones(2, dtype=torch.bool), (1, 0)))
print(F.pad(m[0], (1, 1, 1, 1), mode="replicate").shape, F.pad(torch.zeros(2, 3, 4), (1, 1, 2, 2, 0, 1)).shape)
t = torch.ones(3, requires_grad=True)
F.pad(t, (1, 1), value=5.0).prod().backward()
print(t.grad, F.pad(t, (1, 0)).grad_fn.name())
try:
    F.pad(torch.ones(2), (1, 1, 1, 1))
except RuntimeError as e:
    print(type(e).__name__)
