"""Grad mode is a thread's own."""
import threading
from concurrent.futures import ThreadPoolExecutor
import torch

seen = {}


def worker(name):
    seen[name] = torch.is_grad_enabled(), torch.is_inference_mode_enabled()
    with torch.enable_grad():
        seen[name + "-inner"] = torch.is_grad_enabled()
    torch.set_grad_enabled(False)
    seen[name + "-after"] = torch.is_grad_enabled()


with torch.no_grad():
    t = threading.Thread(target=worker, args=("t",))
    t.start()
    t.join()
    print(torch.is_grad_enabled())
print(seen, torch.is_grad_enabled())
with torch.inference_mode():
    t = threading.Thread(target=worker, args=("i",))
    t.start()
    t.join()
print(sorted(seen.items()))
x = torch.ones(3, requires_grad=True)
ys = [(x * (i + 1)).sum() for i in range(4)]


def run(y):
    y.backward()
    return torch.autograd.grad((x * 2).sum(), x)[0]


with ThreadPoolExecutor(2) as pool:
    print(list(pool.map(run, ys)))
print(x.grad)
errors = []


def bad():
    try:
        x.detach().sum().backward()
    except RuntimeError as e:
        errors.append(type(e).__name__)


t = threading.Thread(target=bad)
t.start()
t.join()
print(errors)
