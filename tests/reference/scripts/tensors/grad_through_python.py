"""Gradients through dicts, recursion, closures, generators, early returns and comprehensions."""
import torch
p = {"a": torch.tensor(2.0, requires_grad=True), "b": [torch.tensor(3.0, requires_grad=True), torch.tensor(-1.0, requires_grad=True)]}
def walk(t):
    if isinstance(t, dict):
        return sum(walk(v) for v in t.values())
    if isinstance(t, (list, tuple)):
        return sum(map(walk, t), torch.tensor(0.0))
    return t ** 2
loss = walk(p)
loss.backward()
print(loss, p["a"].grad, [t.grad for t in p["b"]])
def power(x, n):
    if n == 0:
        return torch.ones_like(x)
    half = power(x, n // 2)
    return half * half * (x if n % 2 else 1)
x = torch.tensor(1.5, dtype=torch.float64, requires_grad=True)
print(power(x, 7), torch.autograd.grad(power(x, 7), x), 7 * x.detach() ** 6)
def collatz(x):
    steps = 0
    while x.item() > 1.5 and steps < 10:
        x = x / 2 if x.item() > 3 else x * 0.9 + 0.1
        steps += 1
    return x, steps
y = torch.tensor(7.0, requires_grad=True)
out, n = collatz(y)
out.backward()
print(out, n, y.grad)
makers = [lambda t, k=k: t * k for k in range(4)]
z = torch.tensor([1.0, 2.0], requires_grad=True)
sum(m(z).sum() for m in makers).backward()
print(z.grad)
gen = (zi ** i for i, zi in enumerate(z))
z.grad = None
torch.stack(list(gen)).sum().backward()
print(z.grad)
memo = {}
def fib(k):
    if k < 2:
        return z[k]
    if k not in memo:
        memo[k] = fib(k - 1) + fib(k - 2)
    return memo[k]
z.grad = None
f = fib(10)
f.backward()
print(f, z.grad, len(memo))
try:
    fib(10).backward()
    print(z.grad)
except RuntimeError as e:
    print(type(e).__name__)
best = max(z.unbind(), key=lambda t: t.item())
print(best, best.grad_fn.name(), torch.autograd.grad(best, z), sorted(z.tolist()), max(z), min(z))
state = torch.zeros(2)
hist = []
for t in range(3):
    state = state * 0.5 + z
    hist.append(state)
z.grad = None
torch.stack(hist)[[0, 2]].sum().backward()
print(z.grad, [h.requires_grad for h in hist], hist[0].is_leaf)
acc = z.new_zeros(())
for k, v in zip(range(5), z.repeat(3)):
    acc += v * k
acc.backward()
print(acc, z.grad, acc._version)
a, b = z
(a / b).backward()
print(a, b, z.grad)
