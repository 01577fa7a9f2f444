"""What a refused write leaves behind."""

import torch

x = torch.ones(3, requires_grad=True)
y = x * 2
checks = [
    lambda: x.add_(1),
    lambda: y.add_(torch.ones(4)),
    lambda: y.copy_(torch.ones(2, 3)),
    lambda: y.mul_(1j),
    lambda: y.view(4),
    lambda: y.index_fill_(0, torch.tensor([7]), 0),
    lambda: y.scatter_(0, torch.tensor([9]), 1.0),
    lambda: y.__setitem__(5, 0),
    lambda: y.__setitem__(0, torch.ones(2)),
    lambda: y.index_copy_(0, torch.tensor([0]), torch.ones(2)),
    lambda: y.masked_fill_(torch.tensor([True, False]), 0),
    lambda: y.masked_fill_(torch.tensor([1, 1, 1]), 0),
    lambda: y.resize_(5),
    lambda: y.div_(2, rounding_mode="up"),
    lambda: y.unsqueeze_(4),
    lambda: y.transpose_(0, 2),
    lambda: y.clamp_(),
    lambda: y.fill_(torch.ones(2)),
    lambda: y.pow_(torch.ones(2)),
    lambda: y.zero_(1),
    lambda: y.requires_grad_(False),
    lambda: y.index_add_(0, torch.tensor([0]), torch.ones(2)),
    lambda: y.addcmul_(torch.ones(2), torch.ones(2)),
    lambda: y.cumsum_(3),
    lambda: y.lerp_(torch.ones(2), 0.5),
    lambda: y.squeeze_(2),
    lambda: y.logical_not_("a"),
    lambda: y.add_("1"),
    lambda: y.add_(None),
    lambda: y.add_([1, 2, 3]),
    lambda: y.add_(),
    lambda: y.add_(1, 2, 3),
    lambda: y.add_(1, alpha="x"),
    lambda: y.mul_(1, alpha=2),
    lambda: y.exp_(2),
]
for i, f in enumerate(checks):
    try:
        f()
        print(i, "ok", y, y.grad_fn, y._version)
    except Exception as e:
        print(i, type(e).__name__, y._version, x._version, y.grad_fn, y.tolist(), tuple(y.shape))
