"""Node hooks in graphs with several results, accumulators, and in autograd.grad."""
import torch

log = []
a = torch.tensor([1.0, 2.0], requires_grad=True)
b = torch.tensor([3.0, 4.0], requires_grad=True)
c = torch.stack([a, b])
c.grad_fn.register_hook(lambda gi, go: log.append(("stack", [None if g is None else g.tolist() for g in gi], [g.tolist() for g in go])))
c.sum().backward(retain_graph=True)
print(log)
log.clear()
torch.autograd.grad(c.sum(), a, retain_graph=True)
print(log)
log.clear()
c.backward(torch.ones(2, 2), inputs=[b], retain_graph=True)
print(log)
log.clear()
acc = c.grad_fn.next_functions[0][0]
print(acc.name(), acc.variable is a, acc.next_functions)
h = acc.register_hook(lambda gi, go: log.append(("acc", gi, [g.tolist() for g in go])))
p = acc.register_prehook(lambda go: log.append(("pre", [g.tolist() for g in go])))
c.sum().backward(retain_graph=True)
torch.autograd.grad(c.sum(), a, retain_graph=True)
print(log)
h.remove(), p.remove()
log.clear()
m = (a * b).tanh()
n = m.grad_fn
n.register_prehook(lambda go: (go[0] * 0,))
print(torch.autograd.grad(m.sum(), (a, b), retain_graph=True))
u = a.unbind()
u[0].grad_fn.register_hook(lambda gi, go: log.append((len(gi), len(go), [g is None for g in go])))
u[1].backward()
(u[0] * u[1]).backward() if False else None
print(log)
log.clear()
y = a * 2
hs = [y.grad_fn.register_hook(lambda gi, go, k=k: log.append(k)) for k in range(3)]
hs[1].remove()
y.sum().backward()
print(log)
log.clear()
w = a.exp()
w.grad_fn.register_hook(lambda gi, go: (gi[0] + 100,))
w.grad_fn.register_hook(lambda gi, go: log.append(gi[0].tolist()))
a.grad = None
w.sum().backward()
print([[round(v, 3) for v in r] for r in log], a.grad)
q = a * a
q.grad_fn.register_hook(lambda gi, go: print("create", gi[0].requires_grad, go[0].requires_grad))
(g,) = torch.autograd.grad(q.sum(), a, create_graph=True)
print(g)
for bad in ("x", None, 5):
    try:
        q.grad_fn.register_hook(bad)
        print("accepted")
    except Exception as e:
        print(type(e).__name__)
print(callable(q.grad_fn), isinstance(q.grad_fn, torch.autograd.graph.Node))
print(q.grad_fn(torch.ones(2)))
