"""Which grad mode hooks, custom functions, pack hooks and checkpoints run in."""
import torch
from torch.utils.checkpoint import checkpoint


def mode(label):
    print(label, torch.is_grad_enabled(), torch.is_inference_mode_enabled())


class F(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        mode("forward")
        with torch.enable_grad():
            mode("forward enabled")
        ctx.save_for_backward(x)
        return x * 2

    @staticmethod
    def backward(ctx, g):
        mode("backward")
        return g * 2


class S(F):
    @staticmethod
    def forward(x):
        mode("separate forward")
        return x * 2

    @staticmethod
    def setup_context(ctx, inputs, output):
        mode("setup")


x = torch.ones(2, requires_grad=True)
x.register_hook(lambda g: mode("tensor hook"))
x.register_post_accumulate_grad_hook(lambda p: mode("post hook"))


def pack(t):
    mode("pack")
    return t


def unpack(t):
    mode("unpack")
    return t


with torch.autograd.graph.saved_tensors_hooks(pack, unpack):
    y = F.apply(x).exp()
y.grad_fn.register_hook(lambda gi, go: mode("node hook"))
y.grad_fn.register_prehook(lambda go: mode("node prehook"))
y.register_hook(lambda g: mode("y hook"))
print("-- plain")
y.sum().backward(retain_graph=True)
print("-- under no_grad")
with torch.no_grad():
    y.sum().backward(retain_graph=True) if y.sum().requires_grad else torch.autograd.backward(y, torch.ones(2), retain_graph=True)
print("-- create_graph")
torch.autograd.grad(y.sum(), x, create_graph=True)
print("-- in enable_grad within no_grad")
with torch.no_grad(), torch.enable_grad():
    torch.autograd.grad(S.apply(x).sum(), x)
print("-- checkpoint")


def block(t):
    mode("block")
    return t.sin()


for reentrant in (True, False):
    z = checkpoint(block, x, use_reentrant=reentrant)
    z.sum().backward()
with torch.no_grad():
    checkpoint(block, x, use_reentrant=False)
print("-- gradcheck and functional")
torch.autograd.functional.vjp(lambda t: (mode("func"), t * 2)[1], torch.ones(1), torch.ones(1))
with torch.no_grad():
    torch.func.grad(lambda t: (mode("func.grad"), t.sum())[1])(torch.ones(1))
    torch.autograd.functional.jacobian(lambda t: (mode("jacobian"), t * 2)[1], torch.ones(1))
lin = torch.nn.Linear(1, 1)
lin.register_full_backward_hook(lambda m, gi, go: mode("module hook"))
lin.register_forward_hook(lambda m, i, o: mode("forward hook"))
with torch.no_grad():
    lin(torch.ones(1, 1))
lin(torch.ones(1, 1, requires_grad=True)).sum().backward()
opt = torch.optim.SGD(lin.parameters(), lr=0.1)
opt.step(lambda: (mode("closure"), 0.0)[1])
mode("after")
