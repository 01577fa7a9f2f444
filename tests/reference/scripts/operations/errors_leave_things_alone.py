"""After a refusal values, versions, gradients and flags are as before."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
y = x * 2
v = y._version
i = torch.tensor([1, 2, 3])
for bad in [
    lambda: y.add_(torch.ones(4)),
    lambda: y.mul_("a"),
    lambda: y.copy_(torch.ones(2)),
    lambda: y.__setitem__(5, 0.0),
    lambda: y.index_fill_(0, torch.tensor([9]), 0),
    lambda: y.masked_fill_(torch.ones(2, dtype=torch.bool), 0),
    lambda: y.scatter_(0, torch.tensor([7]), 1.0),
    lambda: x.add_(1),
    lambda: i.div_(2),
    lambda: i.add_(0.5),
    lambda: y.clamp_(),
    lambda: y.pow_("b"),
    lambda: y.view(5),
    lambda: y.resize_(5),
    lambda: y.squeeze_(3),
    lambda: y.transpose_(0, 2),
    lambda: i.sqrt_(),
    lambda: y.index_add_(0, torch.tensor([0]), torch.ones(2)),
    lambda: y.lerp_(torch.ones(2), 0.5),
    lambda: y.round_(decimals="a"),
    lambda: y.fill_(torch.ones(2)),
    lambda: y.addcmul_(torch.ones(2), torch.ones(3)),
    lambda: torch.add(y, 1, out=torch.empty(3)),
    lambda: y.t_().unsqueeze_(5),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(
            type(error).__name__, y._version - v, y.tolist(), i.tolist(), x.tolist(), tuple(y.shape)
        )
y.sum().backward()
print(x.grad, y.grad_fn.name())
