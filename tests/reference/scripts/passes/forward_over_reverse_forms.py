"""Forward over reverse: Hessian-vector products with dual numbers."""
import torch
import torch.autograd.forward_ad as fwAD

x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
v = torch.tensor([1.0, 0.0, 2.0], dtype=torch.float64)


def f(x):
    return (x ** 3).sum() + x[0] * x[1] * x[2] + x.exp().prod()


with fwAD.dual_level():
    d = fwAD.make_dual(x, v)
    print(d.requires_grad, d.grad_fn)
    y = f(d)
    print(fwAD.unpack_dual(y))
    (g,) = torch.autograd.grad(y, d, retain_graph=True)
    print(fwAD.unpack_dual(g))
    (gx,) = torch.autograd.grad(y, x)
    print(fwAD.unpack_dual(gx).tangent)
print(torch.autograd.functional.hvp(f, x, v)[1])
print(torch.func.jvp(torch.func.grad(f), (x.detach(),), (v,))[1])
with fwAD.dual_level():
    t = v.clone().requires_grad_()
    d = fwAD.make_dual(x, t)
    out = fwAD.unpack_dual(f(d)).tangent
    print(out)
print(torch.autograd.grad(out, (x, t)))  # within the level it would carry tangents too
net = torch.nn.Sequential(torch.nn.Linear(3, 2), torch.nn.Tanh(), torch.nn.Linear(2, 1)).double()
with torch.no_grad():
    for p in net.parameters():
        p.fill_(0.25)
params = dict(net.named_parameters())
with fwAD.dual_level():
    duals = {n: fwAD.make_dual(p, torch.ones_like(p)) for n, p in params.items()}
    out = torch.func.functional_call(net, duals, (x.detach(),))
    print(fwAD.unpack_dual(out))
with fwAD.dual_level():
    out = net(fwAD.make_dual(x.detach(), v))
    print(fwAD.unpack_dual(out).tangent, out.grad_fn)
    out.backward()
print(net[0].bias.grad)
