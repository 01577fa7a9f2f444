"""set_grad_enabled as function and decorator, grad mode state, threads."""
import threading
import torch
x = torch.ones(2, requires_grad=True)
print(torch.is_grad_enabled())
torch.set_grad_enabled(False)
print(torch.is_grad_enabled(), (x * 2).requires_grad)
torch.set_grad_enabled(True)
@torch.no_grad()
def f(a):
    return a * 2
@torch.enable_grad()
def g(a):
    return a * 3
@torch.set_grad_enabled(False)
def h(a):
    return a * 4
@torch.inference_mode()
def i(a):
    return a * 5
print(f(x).requires_grad, g(x).requires_grad, h(x).requires_grad, i(x).is_inference(), f.__name__, torch.is_grad_enabled())
with torch.no_grad():
    print(g(x).requires_grad, torch.is_grad_enabled())
    with torch.set_grad_enabled(True):
        print(torch.is_grad_enabled())
    print(torch.is_grad_enabled())
def worker(out):
    out.append(torch.is_grad_enabled())
out = []
with torch.no_grad():
    t = threading.Thread(target=worker, args=(out,))
    t.start()
    t.join()
print(out)
try:
    with torch.no_grad():
        raise ValueError
except ValueError:
    print(torch.is_grad_enabled())
with torch.inference_mode():
    y = x * 2
    z = torch.ones(1)
    print(y.requires_grad, y.is_inference(), torch.is_inference_mode_enabled(), z.is_inference())
for k in (lambda: (y * x).sum().backward(), lambda: y.add_(1), lambda: y._version, lambda: y.requires_grad_(), lambda: y.clone().requires_grad_().is_leaf, lambda: (y + 1).requires_grad, lambda: z.requires_grad, lambda: torch.nn.Parameter(z), lambda: x * z, lambda: torch.inference_mode(False).__enter__()):
    try:
        print(k())
    except Exception as e:
        print(type(e).__name__)
def gen():
    with torch.no_grad():
        yield torch.is_grad_enabled()
    yield torch.is_grad_enabled()
print(list(gen()))
@torch.no_grad()
def gen2():
    yield torch.is_grad_enabled()
print(next(gen2()), torch.is_grad_enabled())
class C:
    @torch.no_grad()
    def run(self, a):
        return (a * 2).requires_grad
    @staticmethod
    @torch.no_grad
    def stat(a):
        return (a * 2).requires_grad
print(C().run(x), C.stat(x), torch.no_grad().__class__.__name__, repr(torch.set_grad_enabled(True)), type(torch.enable_grad()))
