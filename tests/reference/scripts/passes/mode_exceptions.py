"""Grad modes are restored when exceptions pass through."""
import contextlib
import torch

x = torch.ones(1, requires_grad=True)
try:
    with torch.no_grad():
        with torch.enable_grad():
            print(torch.is_grad_enabled())
            raise KeyError("k")
except KeyError as e:
    print(e, torch.is_grad_enabled())


@torch.no_grad()
def fails():
    raise ValueError("v")


for _ in range(2):
    with contextlib.suppress(ValueError):
        fails()
    print(torch.is_grad_enabled())
with contextlib.ExitStack() as stack:
    stack.enter_context(torch.no_grad())
    print(torch.is_grad_enabled())
    stack.enter_context(torch.enable_grad())
    print(torch.is_grad_enabled(), (x * 2).requires_grad)
    stack.enter_context(torch.inference_mode())
    print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
print(torch.is_grad_enabled(), torch.is_inference_mode_enabled())
a, b = torch.no_grad(), torch.enable_grad()
a.__enter__()
b.__enter__()
a.__exit__(None, None, None)
print(torch.is_grad_enabled())
b.__exit__(None, None, None)
print(torch.is_grad_enabled())
torch.set_grad_enabled(True)
with torch.no_grad():
    torch.set_grad_enabled(True)
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
with torch.autograd.set_grad_enabled(False), torch.enable_grad(), torch.no_grad():
    print(torch.is_grad_enabled())


def hook(g):
    print("in hook", torch.is_grad_enabled())
    return g * 2


x.register_hook(hook)
with torch.no_grad():
    y = 0
with torch.enable_grad():
    y = (x * 3).sum()
with torch.no_grad():
    y.backward()
print(x.grad, x.grad.requires_grad)
g = torch.autograd.grad((x * x).sum(), x, create_graph=True)
print(g)
