"""Empty tensors: views, writes, indices, gradients."""

import torch

e = torch.empty(0, 3, requires_grad=True)
print(e, e.shape, e.stride(), e.numel(), e.is_contiguous())
(e * 2).sum().backward()
print(e.grad, e.grad.shape)
x = torch.arange(6.0).view(2, 3)
v = x[2:]
print(v, v.shape, v._base is x, v.data_ptr() == 0, torch.empty(0).data_ptr())
v.fill_(5)
v.add_(torch.ones(3))
x[2:] = torch.ones(0, 3)
x[:, 3:] = 7
print(x, x._version)
x[torch.tensor([], dtype=torch.long)] = 100
x[torch.zeros(2, 3, dtype=torch.bool)] = 100
print(x, x._version)
print(
    x[[]].shape,
    x[:, []].shape,
    x[torch.empty(0, 2, dtype=torch.long)].shape,
    x.index_select(1, torch.tensor([], dtype=torch.long)).shape,
)
print(
    x.gather(0, torch.empty(0, 3, dtype=torch.long)).shape,
    x.split(0, dim=0) if False else torch.ones(0).split(2),
    torch.ones(0, 2).unbind(),
    torch.ones(0, 2).unbind(1),
    torch.ones(0, 2).chunk(2),
)
print(
    torch.cat([torch.empty(0), torch.ones(2)]),
    torch.cat([torch.empty(0, 2), torch.ones(1, 2)]),
    torch.stack([torch.empty(0)] * 2).shape,
)
print(
    torch.empty(0).sum(),
    torch.empty(0).prod(),
    torch.empty(0).mean(),
    torch.empty(0, 2).sum(0),
    torch.empty(0, 2).sum(1),
    torch.empty(2, 0).mean(0).shape,
)
for bad in (
    lambda: torch.empty(0).max(),
    lambda: torch.empty(0, 2).max(0),
    lambda: torch.empty(0, 2).max(1),
    lambda: torch.empty(0)[0],
    lambda: torch.empty(0).item(),
    lambda: x[2:].view(-1),
    lambda: torch.empty(0).argmax(),
    lambda: x[torch.tensor([True, False, True])],
):
    try:
        print(bad())
    except Exception as ex:
        print(type(ex).__name__)
y = x.clone().requires_grad_()
z = y[:, :0].sum() + y[2:].prod()
z.backward()
print(z, y.grad)
print(
    torch.zeros(0, dtype=torch.long),
    torch.zeros(2, 0),
    torch.zeros(0, 2, dtype=torch.float64),
    torch.tensor([]),
    torch.tensor([[]]),
    torch.tensor([], dtype=torch.bool).any(),
    torch.tensor([]).all(),
)
