"""set_grad_enabled as a context and as a plain call."""

import torch

x = torch.tensor([1.0], requires_grad=True)
for train in (True, False):
    with torch.set_grad_enabled(train):
        print((x * 2).requires_grad)
torch.set_grad_enabled(False)
print((x * 2).requires_grad)
torch.set_grad_enabled(True)
print((x * 2).requires_grad)


@torch.set_grad_enabled(False)
def f(v):
    return torch.is_grad_enabled()


print(f(x), torch.is_grad_enabled())

with torch.set_grad_enabled(False):
    torch.set_grad_enabled(True)
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())

guard = torch.no_grad()
for _ in range(2):  # one after the other; PyTorch loses the outer mode where one guard is nested
    with guard:
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled())
with torch.autograd.no_grad(), torch.autograd.enable_grad():
    print(torch.is_grad_enabled())
try:
    torch.set_grad_enabled("yes")
except TypeError as e:
    print(type(e).__name__)
print(torch.is_grad_enabled())
