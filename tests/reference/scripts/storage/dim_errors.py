"""Dimension arguments out of range, repeated, negative."""
import torch

x = torch.arange(6.0).view(2, 3)
cases = {
    "sum": lambda d: x.sum(d), "softmax": lambda d: x.softmax(d), "cat": lambda d: torch.cat([x, x], d), "stack": lambda d: torch.stack([x, x], d),
    "transpose": lambda d: x.transpose(0, d), "unsqueeze": lambda d: x.unsqueeze(d), "squeeze": lambda d: x.squeeze(d), "sort": lambda d: x.sort(d)[0],
    "cumsum": lambda d: x.cumsum(d), "select": lambda d: x.select(d, 0), "chunk": lambda d: x.chunk(2, d)[0], "flip": lambda d: x.flip(d),
    "gather": lambda d: x.gather(d, torch.zeros(1, 1, dtype=torch.long)), "size": lambda d: torch.tensor(x.size(d)), "stride": lambda d: torch.tensor(x.stride(d)),
    "flatten": lambda d: x.flatten(d), "unbind": lambda d: x.unbind(d)[0], "argmax": lambda d: x.argmax(d), "norm": lambda d: x.norm(dim=d), "roll": lambda d: x.roll(1, d),
}
for name, f in cases.items():
    for d in (-3, -2, 1, 2):
        try:
            print(name, d, tuple(f(d).shape))
        except (IndexError, RuntimeError) as e:
            print(name, d, type(e).__name__, str(e)[:64] if isinstance(e, IndexError) else "")
for f in [lambda: x.sum((0, 0)), lambda: x.permute(0, 0), lambda: x.flip(0, 0), lambda: x.mean((1, -1)), lambda: x.squeeze((0, 0)), lambda: x.movedim((0, 0), (0, 1))]:
    try:
        f()
        print("fine")
    except RuntimeError as e:
        print(type(e).__name__)
