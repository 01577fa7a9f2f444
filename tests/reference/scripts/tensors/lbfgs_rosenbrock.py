"""L-BFGS with a closure on Rosenbrock's valley, and gradient descent beside it."""
import torch

def rosen(p):
    return (1 - p[0]) ** 2 + 100 * (p[1] - p[0] ** 2) ** 2
p = torch.tensor([-1.0, 1.5], dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([p], lr=1, max_iter=20, line_search_fn="strong_wolfe")
calls = 0
def closure():
    global calls
    calls += 1
    opt.zero_grad()
    loss = rosen(p)
    loss.backward()
    return loss
for k in range(3):
    loss = opt.step(closure)
    print(k, f"{loss.item():.6f}", calls, p)
print(opt, sorted(opt.state[p].keys()))
q = torch.tensor([0.5, 0.5], dtype=torch.float64, requires_grad=True)
o = torch.optim.LBFGS([q], lr=0.1, max_iter=5)
def c2():
    o.zero_grad()
    l = ((q - 3) ** 2).sum()
    l.backward()
    return l
print(o.step(c2), q, o.state[q]["func_evals"], o.state[q]["n_iter"])
try:
    o.step()
except Exception as e:
    print(type(e).__name__)
try:
    torch.optim.LBFGS([{"params": [q]}, {"params": [p]}])
except Exception as e:
    print(type(e).__name__)
x = torch.tensor([3.0, 4.0], requires_grad=True)
for k in range(5):
    g, = torch.autograd.grad((x ** 2).sum(), x)
    with torch.no_grad():
        x -= 0.25 * g
    print(x, x.grad)
def newton(f, x, n):
    for _ in range(n):
        x = x.detach().requires_grad_()
        g, = torch.autograd.grad(f(x), x, create_graph=True)
        h, = torch.autograd.grad(g, x)
        x = x - g / h
    return x
print(newton(lambda t: t ** 4 - 3 * t, torch.tensor(1.0, dtype=torch.float64), 6))
