"""requires_grad and grad_fn in print, for many shapes and dtypes."""
import torch

shapes = [(), (1,), (3,), (0,), (1, 1), (2, 2), (2, 0), (1, 2, 2)]
for shape in shapes:
    n = 1
    for s in shape:
        n *= s
    t = torch.arange(float(n)).reshape(shape)
    print(t.requires_grad_())
    print(t * 1.5)
    print(t.double().detach())
    print((t.half() / 3))
    print(t.to(torch.complex64))
    print(t.detach().int(), t.detach().bool())
    print(repr(t.sum()), f"{t.sum()}", str(t.exp()))
big = torch.linspace(0, 1, 7, requires_grad=True)
print(big)
print(big * 1000)
print(big * 1e6)
print(big / 1e6)
print(big.reshape(7, 1) @ big.reshape(1, 7))
print(big.outer(big).double())
print(torch.nn.Parameter(big.detach()).reshape(7, 1))
print([big.sum(), big.mean()], {"loss": big.sum()}, (big[0],))
print(torch.full((3, 3), -1.0, requires_grad=True) * 2)
print(torch.tensor([[1, 2], [3, 4]], dtype=torch.float64, requires_grad=True).inverse())
