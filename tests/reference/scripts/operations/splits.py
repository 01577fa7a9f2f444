"""split, chunk, tensor_split, unbind and friends."""

import torch

x = torch.arange(10.0, requires_grad=True)
print(
    [t.tolist() for t in x.split(4)],
    [t.shape for t in torch.split(x, [1, 2, 7])],
    len(x.chunk(3)),
    [len(t) for t in x.chunk(4)],
)
print(
    [len(t) for t in torch.tensor_split(x, 3)],
    [len(t) for t in x.tensor_split((2, 5))],
    [len(t) for t in x.tensor_split(torch.tensor([3]))] if True else "",
)
a, b, c = x.split([2, 3, 5])
(a.sum() * 2 + c.sum()).backward()
print(x.grad, b.grad_fn, type(x.split(5)).__name__)
m = torch.arange(8.0).view(2, 4)
print(
    m.split(2, dim=1),
    torch.chunk(m, 2, -1)[1],
    m.unbind(),
    m.unbind(1)[2],
    torch.unbind(m, dim=0)[1],
)
print(
    [t.shape for t in m.hsplit(2)],
    [t.shape for t in m.vsplit(2)],
    [t.shape for t in torch.hsplit(m, [1, 3])],
    [t.shape for t in m.view(2, 2, 2).dsplit(2)],
)
for bad in [
    lambda: x.split([1, 2]),
    lambda: x.split(0),
    lambda: x.chunk(0),
    lambda: x.split(-1),
    lambda: m.hsplit(3),
    lambda: torch.tensor(1.0).unbind(),
    lambda: torch.tensor(1.0).split(1),
    lambda: x.tensor_split(0),
    lambda: x.vsplit(2),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
y = torch.arange(4.0, requires_grad=True).clone()
p, q = y.split(2)
try:
    p.add_(1)
except RuntimeError as error:
    print(type(error).__name__)
p, q = y.chunk(2)
print(p._is_view(), p._base is y, p.grad_fn.name(), q.storage_offset())
with torch.no_grad():
    u = y.unbind()
    print(u[0], u[0].grad_fn)
print(
    [t.shape for t in torch.empty(0, 2).split(1)],
    [t.shape for t in torch.empty(0).chunk(3)],
    len(torch.empty(3, 0).unbind(0)),
)
print([t.tolist() for t in torch.split_with_sizes(x.detach(), [3, 7])], x.split(20)[0].shape)
