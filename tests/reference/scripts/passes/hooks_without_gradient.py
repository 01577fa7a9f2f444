"""Hooks where no gradient comes: called with None, which they must leave."""

import torch


class First(torch.autograd.Function):
    @staticmethod
    def forward(ctx, a, b):
        return a * b

    @staticmethod
    def backward(ctx, g):
        return g, None


a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
b.register_hook(lambda g: print("leaf hook", g))
b.register_post_accumulate_grad_hook(lambda p: print("post", p.grad))
First.apply(a, b).sum().backward()
m = b.clone()
m.register_hook(lambda g: print("m hook", g))
m.register_hook(lambda g: torch.ones(2))
m.register_hook(lambda g: print("m hook 2", g))
m.grad_fn.register_prehook(lambda g: print("pre", g))
m.grad_fn.register_hook(lambda gi, go: print("node", gi, go))
m.retain_grad()
try:
    First.apply(a, m).sum().backward()
except RuntimeError as e:
    print(type(e).__name__, "can't replace a None gradient" in str(e))
print(m.grad, b.grad)
n = a.unbind()
n[0].register_hook(lambda g: print("unbind 0", g))
n[1].register_hook(lambda g: print("unbind 1", g))
n[0].grad_fn.register_hook(lambda gi, go: print("node", gi, go))
n[1].backward()
print(torch.autograd.grad(First.apply(a, b).sum(), [a, b], allow_unused=True))
