"""flip, roll, rot90, repeat, tile, repeat_interleave with gradients."""

import torch

x = torch.arange(6.0).view(2, 3).requires_grad_()
w = torch.tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])


def grad(y):
    x.grad = None
    (y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum().backward()
    return x.grad


for y in [
    x.flip(0),
    x.flip((0, 1)),
    torch.flip(x, dims=[-1]),
    x.fliplr(),
    torch.flipud(x),
    x.roll(1),
    x.roll(1, 0),
    torch.roll(x, shifts=(1, -1), dims=(0, 1)),
    x.rot90(),
    torch.rot90(x, 2, [0, 1]),
    x.rot90(-1, (1, 0)),
    x.repeat(2, 1),
    x.repeat(2, 1, 1),
    x.tile(2),
    torch.tile(x, (2, 2)),
    x.repeat_interleave(2),
    x.repeat_interleave(2, dim=0),
    torch.repeat_interleave(x, torch.tensor([1, 0, 2]), dim=1),
    x.expand(2, 2, 3),
]:
    print(tuple(y.shape), y.detach().flatten().tolist(), grad(y).tolist(), y.grad_fn.name())
print(
    torch.repeat_interleave(torch.tensor([2, 0, 3])),
    torch.tensor([1, 2]).repeat(0).shape,
    torch.tensor(5).repeat(3),
    torch.tensor([1, 2]).repeat(2, 2),
)
print(torch.repeat_interleave(torch.tensor([1, 2]), torch.tensor([2, 1]), output_size=3))
for bad in [
    lambda: x.repeat(2),
    lambda: x.flip(2),
    lambda: x.flip(0, 0),
    lambda: x.roll((1, 2), 0),
    lambda: x.repeat(-1, 2),
    lambda: x.rot90(1, [0, 0]),
    lambda: torch.tensor([1]).rot90(),
    lambda: x.repeat_interleave(torch.tensor([1, 2]), dim=1),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
print(
    torch.tensor(1.0).flip(()),
    torch.empty(0, 2).flip(0).shape,
    torch.tensor([1, 2, 3]).roll(-4),
    torch.roll(torch.empty(0), 1).shape,
)
print(
    x.unfold(1, 2, 1),
    torch.arange(7).unfold(0, 3, 2),
    torch.as_strided(torch.arange(6), (2, 2), (3, 1), 1),
)
