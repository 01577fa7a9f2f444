"""Grad mode belongs to a thread; backward in a thread works."""

import threading
import torch

seen = {}


def work(name):
    seen[name] = torch.is_grad_enabled()
    x = torch.ones(2, requires_grad=True)
    (x * 3).sum().backward()
    seen[name + " grad"] = x.grad.tolist()


with torch.no_grad():
    t = threading.Thread(target=work, args=("child of no_grad",))
    t.start()
    t.join()
    print(torch.is_grad_enabled())
print(seen)

w = torch.zeros(1, requires_grad=True)
results = []


def accumulate(k):
    (g,) = torch.autograd.grad((w * k).sum(), w)
    results.append(g.item())


threads = [threading.Thread(target=accumulate, args=(k,)) for k in range(4)]
for t in threads:
    t.start()
for t in threads:
    t.join()
print(sorted(results))
