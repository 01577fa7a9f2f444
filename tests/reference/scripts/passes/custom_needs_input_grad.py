"""ctx.needs_input_grad, None for arguments without gradient, non-tensor arguments."""

import torch


class Linear(torch.autograd.Function):
    @staticmethod
    def forward(ctx, input, weight, bias=None, scale=1.0):
        ctx.save_for_backward(input, weight, bias)
        ctx.scale = scale
        out = input.mm(weight.t())
        if bias is not None:
            out += bias.unsqueeze(0).expand_as(out)
        return out * scale

    @staticmethod
    def backward(ctx, grad_output):
        input, weight, bias = ctx.saved_tensors
        print(ctx.needs_input_grad, bias is None)
        gi = gw = gb = None
        g = grad_output * ctx.scale
        if ctx.needs_input_grad[0]:
            gi = g.mm(weight)
        if ctx.needs_input_grad[1]:
            gw = g.t().mm(input)
        if bias is not None and ctx.needs_input_grad[2]:
            gb = g.sum(0)
        return gi, gw, gb, None


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
w = torch.tensor([[0.5, -1.0]], requires_grad=True)
b = torch.tensor([0.1], requires_grad=True)
Linear.apply(x, w, b, 2.0).sum().backward()
print(w.grad, b.grad, x.grad)
x.requires_grad_()
Linear.apply(x, w.detach(), None).sum().backward()
print(x.grad)
out = Linear.apply(x, w)
try:
    out.sum().backward()
except RuntimeError as e:
    print(type(e).__name__)
print(Linear.apply(x.detach(), w.detach(), b.detach()).requires_grad)
