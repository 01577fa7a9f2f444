"""What a printed tensor tells about gradients."""
import torch

x = torch.ones(2, requires_grad=True)
print(x, x * 1, x.detach(), (x * 1).detach(), x.data)
print(repr(x.sum()), str(x.mean()), x[0], x[None], x.view(2, 1))
print(x.double(), x.half(), x.to(torch.complex64), x.bfloat16())
print(x.exp(), x.log(), x.sin(), x.tanh(), x.sigmoid(), x.relu(), x.sqrt(), x.pow(2), x ** 3, 2 ** x)
print(x + 1, 1 - x, x - 1, 1 / x, x / 2, x // 1, x % 2, -x, abs(x))
print(x @ x, torch.outer(x, x), x.norm(), x.prod(), x.max(), x.min(), x.std(), x.var())
print(x.max(0), x.min(dim=0, keepdim=True), x.sort(), x.topk(1), x.cumsum(0), x.median(), x.kthvalue(1))
print(torch.cat([x, x]), torch.stack([x, x]), x.repeat(2), x.expand(2, 2), x.flip(0), x.roll(1))
print(x.unbind(), x.split(1), x.chunk(2))
with torch.no_grad():
    print(x * 2, x, x.view(2, 1))
with torch.inference_mode():
    i = x * 2
    print(i)
print(i, i.is_inference())
y = x.clone()
y[0] = 5
print(y)
y.mul_(2)
print(y)
y.zero_()
print(y)
y.detach_()
print(y)
p = torch.nn.Parameter(torch.zeros(2))
print(p, p * 2, torch.nn.Parameter(torch.zeros(1), requires_grad=False), torch.nn.Parameter(torch.zeros((), dtype=torch.float64)))
print([p], {"p": p})
z = torch.randn(2, 2, generator=torch.Generator().manual_seed(0)).requires_grad_()
print(type(z.t().grad_fn).__name__, z.t().grad_fn.name(), z.inverse().shape, type(z.inverse().grad_fn).__name__)
