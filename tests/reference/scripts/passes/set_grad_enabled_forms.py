"""set_grad_enabled called, entered, and as a decorator."""
import torch

print(torch.set_grad_enabled(False), torch.is_grad_enabled())
torch.set_grad_enabled(True)
print(torch.is_grad_enabled())
for flag in (True, False):
    with torch.set_grad_enabled(flag):
        print(flag, torch.is_grad_enabled())
        with torch.set_grad_enabled(not flag):
            print("  inner", torch.is_grad_enabled())
        print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
mode = torch.set_grad_enabled(False)
print(torch.is_grad_enabled())
with torch.enable_grad():
    print(torch.is_grad_enabled())
with mode:
    print(torch.is_grad_enabled())
print(torch.is_grad_enabled())
torch.set_grad_enabled(mode=True)


@torch.set_grad_enabled(False)
def f():
    return torch.is_grad_enabled()


print(f(), torch.is_grad_enabled())
x = torch.tensor([1.0], requires_grad=True)
is_train = False
with torch.set_grad_enabled(is_train):
    y = x * 2
print(y.requires_grad)
print(torch._C._get_tracing_state() if False else "no tracing")
for bad in (None, 1, 0, "yes"):
    try:
        with torch.set_grad_enabled(bad):
            print(bad, torch.is_grad_enabled())
    except Exception as e:
        print(bad, type(e).__name__)
print(torch.is_grad_enabled())
print(torch.autograd.grad_mode.set_grad_enabled is torch.set_grad_enabled, torch.autograd.no_grad is torch.no_grad)
print(repr(torch.no_grad)[:7], torch.set_grad_enabled.__name__)
