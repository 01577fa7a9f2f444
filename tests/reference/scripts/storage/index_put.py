"""index_put_, with and without accumulate."""

import torch

x = torch.zeros(5)
i = torch.tensor([0, 1, 1, 4])
print(x.index_put((i,), torch.tensor([1.0, 2.0, 3.0, 4.0]), accumulate=True))
print(x)
x.index_put_((i,), torch.tensor(1.0), accumulate=True)
print(x, x._version)
x.index_put_(indices=(torch.tensor([2, 3]),), values=torch.tensor([7.0, 8.0]))
print(x)
y = torch.zeros(2, 3, requires_grad=True)
v = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
z = y.index_put((torch.tensor([0, 0, 1]), torch.tensor([1, 1, 2])), v, accumulate=True)
print(z, z.grad_fn)
(z**2).sum().backward()
print(y.grad, v.grad)
y.grad = v.grad = None
z = y.clone().index_put_((torch.tensor([0, 1]), torch.tensor([1, 2])), v[:2])
print(z)
(z * 3).sum().backward()
print(y.grad, v.grad)
print(
    torch.index_put(torch.zeros(3), (torch.tensor([True, False, True]),), torch.tensor([5.0, 6.0]))
)
print(
    torch.zeros(2, 2).index_put((None, torch.tensor([1])), torch.tensor(3.0))
    if False
    else torch.zeros(2, 2).index_put([torch.tensor([1])], torch.tensor([3.0, 4.0]))
)
for bad in (
    lambda: torch.zeros(3).index_put_((torch.tensor([5]),), torch.tensor(1.0)),
    lambda: torch.zeros(3).index_put_((torch.tensor([0]),), torch.tensor(1)),
    lambda: torch.zeros(3).index_put_((torch.tensor([0, 1]),), torch.tensor([1.0, 2, 3])),
    lambda: y.index_put_((torch.tensor([0]),), torch.ones(3)),
    lambda: torch.zeros(3).index_put_((torch.tensor([0.0]),), torch.tensor(1.0)),
    lambda: torch.zeros(3).index_put_(torch.tensor([0]), 1.0),
):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
