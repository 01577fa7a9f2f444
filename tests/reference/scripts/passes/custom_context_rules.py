"""ctx: attributes of any name, saved tensors and modes inside custom functions."""
import torch
from torch.autograd import Function


class Scale(Function):
    @staticmethod
    def forward(ctx, x, k):
        ctx.save_for_backward(x, k)
        ctx.state, ctx.saved, ctx.width, ctx.seq = "state", [1], 7, (2, 3)
        ctx.owner, ctx.multi, ctx.mask, ctx.size = "me", True, x > 0, x.size()
        ctx.a, ctx.b = 1, None
        print(torch.is_grad_enabled(), x.requires_grad, (x * 2).requires_grad, x.is_leaf, x.grad_fn)
        return x * k

    @staticmethod
    def backward(ctx, g):
        x, k = ctx.saved_tensors
        print(ctx.state, ctx.saved, ctx.width, ctx.seq, ctx.owner, ctx.multi, ctx.mask.tolist(), ctx.size, ctx.a, ctx.b)
        print(torch.is_grad_enabled(), g.requires_grad, x.requires_grad, x.grad_fn, ctx.needs_input_grad)
        ctx.b = "changed"
        return g * k, (g * x).sum()


x = torch.tensor([1.0, -2.0], requires_grad=True)
k = torch.tensor(3.0, requires_grad=True)
y = Scale.apply(x * 1, k)
print(y.grad_fn.a, y.grad_fn.b, y.grad_fn.saved_tensors[0].grad_fn)
y.sum().backward(retain_graph=True)
print(x.grad, k.grad, y.grad_fn.b)
(g,) = torch.autograd.grad(y.sum(), k, create_graph=True)
print(g, g.requires_grad)
print(torch.autograd.grad(g, x))
try:
    print(y.grad_fn.nothing)
except AttributeError as e:
    print(type(e).__name__)
z = Scale.apply(x.detach(), k)
z.sum().backward()
print(k.grad)


class Counter(Function):
    calls = 0

    @staticmethod
    def forward(ctx, *xs):
        Counter.calls += 1
        ctx.n = len(xs)
        return sum(xs)

    @staticmethod
    def backward(ctx, g):
        Counter.calls += 10
        return (g,) * ctx.n


out = Counter.apply(x, x, k)
print(out, out.grad_fn.next_functions[0][0] is out.grad_fn.next_functions[1][0], len(out.grad_fn.next_functions))
x.grad = k.grad = None
out.sum().backward()
print(x.grad, k.grad, Counter.calls)
alias = Counter.apply
print(alias(x).grad_fn.name(), Counter.apply(torch.ones(1)).grad_fn)


class Derived(Scale):
    pass


print(Derived.apply(x, k).grad_fn.name())
f = lambda *a: Scale.apply(*a)
print(f(x, k))
