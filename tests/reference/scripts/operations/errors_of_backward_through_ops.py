"""What backward refuses: non-differentiable results, ints, missing graphs, shapes."""

import torch

x = torch.tensor([3.0, 1.0, 2.0], requires_grad=True)
for f in [
    lambda: x.argmax(),
    lambda: x.argsort(),
    lambda: x > 1,
    lambda: x.int(),
    lambda: x.bool(),
    lambda: x.sort().indices,
    lambda: x.max(0).indices,
    lambda: x.isnan(),
    lambda: torch.equal(x, x),
    lambda: x.nonzero(),
    lambda: x.sign(),
    lambda: x.round(),
    lambda: x.floor_divide(2),
    lambda: x.heaviside(torch.tensor(0.5)),
    lambda: x.nextafter(x),
    lambda: torch.bucketize(x, torch.tensor([1.5])),
    lambda: torch.ones_like(x),
    lambda: x.new_tensor([1.0]),
    lambda: x.detach(),
    lambda: x.data,
    lambda: x.item if False else x.long(),
    lambda: torch.isclose(x, x),
    lambda: x.signbit(),
    lambda: x.logical_not(),
    lambda: torch.searchsorted(x.detach(), x),
    lambda: torch.count_nonzero(x),
    lambda: torch.zeros(3).copy_(x),
    lambda: torch.tensor(x.tolist()),
]:
    y = f()
    if not isinstance(y, torch.Tensor):
        print(y)
        continue
    print(y.dtype, y.requires_grad, y.grad_fn)
    try:
        y.sum().backward()
        print("  ", x.grad)
        x.grad = None
    except RuntimeError as error:
        print("  ", type(error).__name__)
for bad in [
    lambda: x.backward(),
    lambda: x.sum().backward(torch.ones(2)),
    lambda: (x * 2).backward(torch.ones(3, dtype=torch.int64)),
    lambda: torch.autograd.grad(x.sum(), torch.ones(1)),
    lambda: torch.autograd.grad(x.sum(), torch.ones(1, requires_grad=True)),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
