"""Backward passes of several threads into one leaf, and thread-local contexts."""
import threading
import torch

x = torch.ones(4, requires_grad=True)


def train(k, out):
    y = (x * k).sum()
    y.backward()
    out[k] = torch.autograd.grad((x ** k).sum(), x)[0]


out = {}
threads = [threading.Thread(target=train, args=(k, out)) for k in range(1, 6)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(x.grad, [out[k] for k in sorted(out)])
seen = {}


def contexts():
    seen["anomaly"] = torch.is_anomaly_enabled()
    seen["dtype"] = torch.get_default_dtype()
    seen["multi"] = torch.autograd.grad_mode.set_multithreading_enabled.__name__
    with torch.autograd.graph.saved_tensors_hooks(lambda t: t * 0, lambda t: t):
        a = torch.ones(1, requires_grad=True)
        (a * a).backward()
        seen["grad"] = a.grad


with torch.autograd.set_detect_anomaly(True):
    t = threading.Thread(target=contexts)
    t.start()
    t.join()
print(seen)
main = threading.get_ident()
where = []
x.register_hook(lambda g: where.append(threading.get_ident() == main))
(x * 2).sum().backward()
print(where)
with torch.autograd.set_multithreading_enabled(False):
    (x * 2).sum().backward()
print(x.grad)
shared = (x * 2).exp()
res = []
lock = threading.Lock()


def use():
    (g,) = torch.autograd.grad(shared.sum(), x, retain_graph=True)
    with lock:
        res.append(g)


threads = [threading.Thread(target=use) for _ in range(3)]
[t.start() for t in threads]
[t.join() for t in threads]
print(all(torch.equal(r, res[0]) for r in res), res[0])
