"""Inside forward nothing is recorded; inside backward only under create_graph."""

import torch


class Probe(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        print("forward", torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad)
        ctx.save_for_backward(x)
        return x * x

    @staticmethod
    def backward(ctx, g):
        (x,) = ctx.saved_tensors
        r = 2 * x * g
        print("backward", torch.is_grad_enabled(), g.requires_grad, r.requires_grad)
        return r


x = torch.tensor(3.0, requires_grad=True)
Probe.apply(x).backward()
torch.autograd.grad(Probe.apply(x), x, create_graph=True)
with torch.no_grad():
    out = Probe.apply(x)
    print(out.requires_grad)


class Inner(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        with torch.enable_grad():
            y = x.detach().requires_grad_()
            z = y.sin() * y
        ctx.save_for_backward(y, z)
        return z.detach()

    @staticmethod
    def backward(ctx, g):
        y, z = ctx.saved_tensors
        with torch.enable_grad():
            return torch.autograd.grad(z, y, g)[0]


x.grad = None
Inner.apply(x).backward()
print(x.grad)
