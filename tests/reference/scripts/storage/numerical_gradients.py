"""Finite differences with in-place perturbations of .data agree with backward."""
import torch

torch.set_default_dtype(torch.float64)


def numeric(f, x, eps=1e-6):
    g = torch.zeros_like(x)
    flat, out = x.data.view(-1), g.view(-1)
    for i in range(flat.numel()):
        old = flat[i].item()
        flat[i] = old + eps
        up = f(x).item()
        flat[i] = old - eps
        down = f(x).item()
        flat[i] = old
        out[i] = (up - down) / (2 * eps)
    return g


x = torch.tensor([[0.3, -1.2], [2.0, 0.7]], requires_grad=True)
for name, f in {
    "sum of squares": lambda t: (t**2).sum(), "sin": lambda t: t.sin().prod(), "norm": lambda t: t.norm(), "logsumexp": lambda t: t.logsumexp(0).sum(),
    "matmul": lambda t: (t @ t.T).tanh().sum(), "det": lambda t: t.det(), "view write": lambda t: write(t), "sort": lambda t: (t.sort(0).values * t.detach()).sum(),
    "std": lambda t: t.std(), "softmax": lambda t: t.softmax(1)[:, 0].sum(), "inv": lambda t: t.inverse().sum(), "index": lambda t: t[[0, 1, 0], [1, 1, 1]].prod(),
}.items():

    def write(t):
        y = t * 1
        y[0] = y[1] * 2
        return (y**3).sum()

    x.grad = None
    f(x).backward()
    print(name, torch.allclose(x.grad, numeric(f, x.detach()), atol=1e-5), x.grad)
print(x._version, torch.autograd.gradcheck(lambda t: t.exp().cumsum(0), (x,)))
