"""retain_graph and what is freed: shared parts, several losses, partial passes."""
import torch


def ok(label, f):
    try:
        r = f()
        print(label, "ok" if r is None else r)
    except RuntimeError as e:
        print(label, type(e).__name__)


x = torch.tensor([1.0, 2.0], requires_grad=True)
h = x.exp()
a, b = (h * 2).sum(), (h ** 2).sum()
ok("a", lambda: a.backward())
ok("b shares exp", lambda: b.backward())
print(x.grad)
h = x * 3
a, b = h.sum(), (h + 1).sum()
ok("linear a", lambda: a.backward())
ok("linear b", lambda: b.backward())
y = (x * x).sum()
ok("grad frees", lambda: torch.autograd.grad(y, x)[0])
ok("then backward", lambda: y.backward())
y = (x * x).exp().sum()
ok("grad wrt middle", lambda: torch.autograd.grad(y, y.grad_fn.next_functions[0][0] and x, retain_graph=True)[0])
mid = x * x
y = mid.exp().sum()
ok("to mid", lambda: torch.autograd.grad(y, mid)[0])
ok("mid onwards", lambda: torch.autograd.grad(mid.sum(), x)[0])
ok("y again", lambda: torch.autograd.grad(y, mid))
y = (x ** 3).sum()
ok("create_graph keeps", lambda: torch.autograd.grad(y, x, create_graph=True)[0].detach())
ok("again", lambda: torch.autograd.grad(y, x)[0])
y = (x ** 3).sum()
ok("create but not retain", lambda: torch.autograd.grad(y, x, create_graph=True, retain_graph=False)[0].detach())
ok("again 2", lambda: torch.autograd.grad(y, x)[0])
(g,) = torch.autograd.grad((x ** 3).sum(), x, create_graph=True)
ok("g", lambda: g.sum().backward())
ok("g again", lambda: g.sum().backward())
y = (x.sin() * x.cos()).sum()
ok("inputs none", lambda: y.backward(inputs=[x], retain_graph=True))
ok("inputs", lambda: y.backward(inputs=[x]))
ok("after inputs", lambda: y.backward())
p = torch.ones(2, requires_grad=True)
q = (p * x).sum()
ok("only p", lambda: torch.autograd.grad(q, p)[0])
ok("then x", lambda: torch.autograd.grad(q, x)[0])
s = x.sigmoid()
t = s.sum()
t.backward()
ok("value still there", lambda: s.detach())
ok("reuse freed value", lambda: (s * 2).sum().backward())
ok("reuse detached", lambda: (s.detach() * x).sum().backward())
ok("expand", lambda: [x.expand(3, 2).sum().backward() for _ in range(2)] and None)
big = x.repeat(2).view(2, 2).t().sum()
ok("views once", lambda: big.backward())
ok("views twice", lambda: big.backward())
