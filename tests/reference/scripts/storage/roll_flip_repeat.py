"""flip, roll, rot90, repeat, repeat_interleave, tile: values and gradients."""
import torch

x = torch.arange(6.0).view(2, 3)
w = torch.arange(1.0, 13.0)
for name, f in {
    "flip": lambda t: t.flip(1), "flip 2": lambda t: torch.flip(t, (0, 1)), "fliplr": torch.fliplr, "flipud": torch.flipud,
    "roll": lambda t: t.roll(1), "roll dim": lambda t: t.roll(-1, 1), "roll two": lambda t: t.roll((1, 2), (0, 1)),
    "rot90": lambda t: torch.rot90(t, 1, (0, 1)), "rot180": lambda t: torch.rot90(t, 2), "rot270": lambda t: t.rot90(-1, [0, 1]),
    "repeat": lambda t: t.repeat(2, 1), "repeat 3d": lambda t: t.repeat(2, 1, 1), "interleave": lambda t: t.repeat_interleave(2),
    "interleave dim": lambda t: t.repeat_interleave(2, dim=0), "interleave counts": lambda t: torch.repeat_interleave(t, torch.tensor([1, 3]), dim=0),
    "tile": lambda t: t.tile(2), "tile 2": lambda t: torch.tile(t, (2, 1)),
}.items():
    t = x.clone().requires_grad_()
    y = f(t)
    (y.flatten() * w[: y.numel()]).sum().backward()
    print(name, tuple(y.shape), y.flatten().tolist(), t.grad.flatten().tolist())
print(torch.arange(3).repeat(2), torch.arange(3).repeat_interleave(torch.tensor([0, 1, 2])))
print(torch.ones(2, 1).expand(2, 3).stride(), torch.ones(2, 1).repeat(1, 3).stride())
