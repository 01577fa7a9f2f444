"""argmax, argmin, argsort, max with indices on ties, dims and dtypes; indices feed gather."""

import torch

x = torch.tensor([[3, 1, 3, 2], [0, 0, -1, 5], [2, 2, 2, 2]])
print(
    x.argmax(),
    x.argmin(),
    x.argmax(0),
    x.argmin(1),
    x.argmax(1, keepdim=True),
    x.max(1),
    x.min(0),
    x.argsort(1),
    x.sort(dim=1, stable=True).indices,
    x.median(1).values,
    x.mode(1),
    x.kthvalue(2, 1).values,
    x.topk(2, 1).values,
    x.topk(1, 0, False).values,
)
for d in (torch.uint8, torch.int16, torch.float16, torch.bfloat16, torch.float64):
    y = x.clamp(min=0).to(d)
    print(
        d,
        y.argmax(),
        y.max(),
        y.max(1).values,
        y.sort(1).values[0],
        y.amin(1),
        y.aminmax(dim=1).max,
        y.unique(),
        y.cummax(1).values[0],
        y.median(),
        y.argmin(0),
    )
f = x.double().requires_grad_()
for g in [
    lambda: f.gather(1, f.argmax(1, keepdim=True)),
    lambda: f.max(1).values,
    lambda: f.amax(1),
    lambda: f[torch.arange(3), f.argmax(1)],
    lambda: f.take_along_dim(f.argsort(1), 1)[:, -1],
    lambda: f.sort(1).values[:, -1],
    lambda: f.flatten()[f.argmax()],
    lambda: f.max(),
    lambda: f.cummax(1).values[:, -1],
    lambda: torch.maximum(f[0], f[1]),
    lambda: f.median(1).values,
    lambda: f.mode(1).values,
    lambda: f.min(0).values,
    lambda: f.amin((0, 1)),
    lambda: f.quantile(0.75, dim=1),
    lambda: f.nanmedian(),
    lambda: f.aminmax(dim=0)[0],
]:
    f.grad = None
    y = g()
    y.sum().backward()
    print(y.detach().tolist(), f.grad.tolist(), y.grad_fn.name())
print(
    torch.tensor([]).argmax if False else torch.empty(2, 3).argmax(1).shape,
    torch.tensor(5.0).argmax(),
    torch.tensor([float("nan"), 1.0]).argmax(),
    torch.tensor([1.0, float("nan")]).argmin(),
    torch.tensor([float("inf"), float("inf")]).argmax(),
    torch.tensor([True, False]).int().argmax(),
    torch.argmax(torch.tensor([1, 3, 2])),
    torch.max(torch.tensor([1, 2]), torch.tensor([2, 1])),
    torch.tensor([2, 1]).max(0)[1].item(),
)
for bad in [
    lambda: torch.empty(0).argmax(),
    lambda: x.argmax(2),
    lambda: torch.empty(0, 3).max(0),
    lambda: torch.tensor([1j]).argmax(),
    lambda: x.kthvalue(0),
    lambda: x.topk(5, 1),
    lambda: x.max(1, 2, 3),
    lambda: x.argmax(dim="a"),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
