"""ExitStack, contexts in classes, and modes restored whatever happens."""

import contextlib
import torch

x = torch.ones(1, requires_grad=True)
with contextlib.ExitStack() as stack:
    stack.enter_context(torch.no_grad())
    print((x * 2).requires_grad)
    stack.enter_context(torch.enable_grad())
    print((x * 2).requires_grad)
print(torch.is_grad_enabled())


@contextlib.contextmanager
def frozen(params):
    held = [p.requires_grad for p in params]
    for p in params:
        p.requires_grad_(False)
    try:
        yield
    finally:
        for p, h in zip(params, held):
            p.requires_grad_(h)


with frozen([x]):
    print((x * 2).requires_grad)
print((x * 2).requires_grad)


class Mode:
    def __enter__(self):
        self.guard = torch.inference_mode()
        self.guard.__enter__()
        return self

    def __exit__(self, *exc):
        return self.guard.__exit__(*exc)


try:
    with Mode():
        print(torch.is_inference_mode_enabled())
        raise ValueError
except ValueError:
    print(torch.is_inference_mode_enabled(), torch.is_grad_enabled())


def early():
    with torch.no_grad():
        for k in range(3):
            if k == 1:
                return k


print(early(), torch.is_grad_enabled())
flag = False
with torch.set_grad_enabled(flag), torch.autograd.set_detect_anomaly(False):
    print(torch.is_grad_enabled())
prev = torch.is_grad_enabled()
torch.set_grad_enabled(False)
try:
    print((x * 2).requires_grad)
finally:
    torch.set_grad_enabled(prev)
print(torch.is_grad_enabled())
