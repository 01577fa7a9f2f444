"""After an exception the modes and tensors are as they were."""

import torch

x = torch.ones(2, requires_grad=True)
try:
    with torch.no_grad():
        x.add_(1)
        raise ValueError("stop")
except ValueError:
    pass
print(torch.is_grad_enabled(), x, x._version)
for attempt in (lambda: x.add_(1), lambda: x.view(3), lambda: x @ torch.ones(3), lambda: x + torch.ones(3), lambda: x[5], lambda: x.sum(4), lambda: torch.cat([x, 1]), lambda: x.reshape(-1, 3), lambda: x.to("nowhere"), lambda: torch.zeros(2, dtype="float"),
                lambda: x.foo, lambda: torch.ones(2, 3) @ torch.ones(2, 3), lambda: x.backward(), lambda: x.long().backward(), lambda: torch.tensor([1, 2]).softmax(0), lambda: x.expand(3, 3), lambda: x.permute(1, 0), lambda: x.squeeze(3), lambda: torch.stack([x, torch.ones(3)])):
    try:
        attempt()
        print("no error")
    except Exception as err:
        print(type(err).__name__)
print(x, x._version, x.grad)
try:
    with torch.enable_grad(), torch.no_grad():
        1 / 0
except ZeroDivisionError:
    print(torch.is_grad_enabled())
