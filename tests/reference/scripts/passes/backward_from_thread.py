"""Several threads, each with its own graph; shared leaves under a lock; exceptions in threads."""

import threading
import torch

lock = threading.Lock()
w = torch.zeros(3, requires_grad=True)
errors = []


def work(k):
    try:
        x = torch.full((3,), float(k))
        loss = (w * x).sum()
        with lock:
            loss.backward()
        if k == 2:
            loss2 = (w.exp()).sum()
            loss2.backward(inputs=[])
    except RuntimeError as e:
        errors.append(type(e).__name__)


threads = [threading.Thread(target=work, args=(k,)) for k in range(5)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(w.grad, errors)

results = {}


def hessian(name, f):
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    (g,) = torch.autograd.grad(f(x), x, create_graph=True)
    results[name] = torch.stack([torch.autograd.grad(gi, x, retain_graph=True)[0] for gi in g])


ts = [
    threading.Thread(target=hessian, args=(n, f))
    for n, f in (("a", lambda x: x.prod() ** 2), ("b", lambda x: (x**3).sum()))
]
[t.start() for t in ts]
[t.join() for t in ts]
print(results["a"], results["b"])
