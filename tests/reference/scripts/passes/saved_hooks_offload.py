"""Hooks that write saved tensors to files, lists, and lower precision; save_on_cpu; disable."""
import os
import tempfile
import torch
from torch.autograd import graph

x = torch.linspace(-1, 1, 5, dtype=torch.float64).requires_grad_()


class Half:
    def __enter__(self):
        self.h = graph.saved_tensors_hooks(lambda t: t.half(), lambda t: t.double())
        return self.h.__enter__()

    def __exit__(self, *a):
        return self.h.__exit__(*a)


with Half():
    y = (x.sin() * x).sum()
y.backward()
print(x.grad)
x.grad = None
with graph.save_on_cpu():
    y = (x.cos() * x).sum()
y.backward()
print(x.grad)
x.grad = None
with graph.save_on_cpu(pin_memory=False):
    y = x.prod()
y.backward()
print(x.grad)
x.grad = None
with tempfile.TemporaryDirectory() as d:
    files = []

    def pack(t):
        name = os.path.join(d, f"{len(files)}.pt")
        files.append(name)
        torch.save(t.detach(), name)
        return name

    with graph.saved_tensors_hooks(pack, torch.load):
        y = (x.exp() * x.tanh()).sum()
    print(len(files))
    y.backward()
print(x.grad)
with graph.disable_saved_tensors_hooks("not now"):
    try:
        with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
            (x * x).sum()
    except RuntimeError as e:
        print(type(e).__name__, "not now" in str(e))
    y = (x * x).sum()
try:
    with graph.saved_tensors_hooks(lambda t: t, lambda t: t):
        with graph.disable_saved_tensors_hooks("no"):
            pass
except RuntimeError as e:
    print(type(e).__name__)
with graph.saved_tensors_hooks(lambda t: t, lambda t: t) as h:
    print(h)
try:
    graph.saved_tensors_hooks(1)
except TypeError as e:
    print(type(e).__name__)
