"""Several outputs: unused ones bring zeros or None, some have no gradient."""

import torch


class SumAndMax(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        m, i = x.max(dim=-1)
        ctx.mark_non_differentiable(i)
        ctx.save_for_backward(i)
        ctx.shape = x.shape
        return x.sum(-1), m, i

    @staticmethod
    def backward(ctx, gs, gm, gi):
        print(gs, gm, gi)
        (i,) = ctx.saved_tensors
        g = gs.unsqueeze(-1).expand(ctx.shape).clone()
        g.scatter_add_(-1, i.unsqueeze(-1), gm.unsqueeze(-1))
        return g


x = torch.tensor([[1.0, 5.0, 2.0], [7.0, 0.0, 3.0]], requires_grad=True)
s, m, i = SumAndMax.apply(x)
print(s, m, i)
print(s.requires_grad, m.requires_grad, i.requires_grad, s.grad_fn is m.grad_fn)
print(s.output_nr, m.output_nr)
s.sum().backward(retain_graph=True)
print(x.grad)
x.grad = None
m.sum().backward(retain_graph=True)
print(x.grad)
x.grad = None
(s * m).sum().backward()
print(x.grad)
