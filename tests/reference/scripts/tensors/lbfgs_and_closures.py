"""Closures, LBFGS line search, evaluation without gradient, step return values."""
import torch
x = torch.tensor([3.0, -2.0], dtype=torch.float64, requires_grad=True)
opt = torch.optim.LBFGS([x], lr=0.5, max_iter=4, history_size=3)
n = 0
def closure():
    global n
    n += 1
    opt.zero_grad()
    loss = ((x - 1) ** 2 * torch.tensor([1.0, 10.0], dtype=torch.float64)).sum()
    loss.backward()
    return loss
for k in range(4):
    l = opt.step(closure)
    print(k, f"{l.item():.8f}", n, l.requires_grad, x)
st = opt.state[x]
print(sorted(st), st["n_iter"], st["func_evals"], len(st["old_dirs"]), st["H_diag"])
print(opt)
print({k: v for k, v in opt.state_dict()["param_groups"][0].items()})
y = torch.tensor([1.5], requires_grad=True)
sgd = torch.optim.SGD([y], lr=0.1)
def c2():
    sgd.zero_grad()
    l = (y ** 2).sum()
    if l.requires_grad:
        l.backward()
    return l
print(sgd.step(c2), y, sgd.step())
with torch.no_grad():
    print(sgd.step(c2), y)
def c3():
    return 5
print(sgd.step(c3), y)
for name in ("Adam", "AdamW", "RMSprop", "Adagrad", "Adadelta", "Adamax", "NAdam", "RAdam", "ASGD", "Rprop"):
    z = torch.tensor([2.0], requires_grad=True)
    o = getattr(torch.optim, name)([z], lr=0.1)
    def c():
        o.zero_grad()
        l = (z ** 2).sum()
        l.backward()
        return l
    print(name, o.step(c), o.step(c), z)
def rosen(t):
    return 100 * (t[1] - t[0] ** 2) ** 2 + (1 - t[0]) ** 2
w = torch.tensor([0.0, 0.0], dtype=torch.float64, requires_grad=True)
o = torch.optim.LBFGS([w], line_search_fn="strong_wolfe", max_iter=60, tolerance_grad=1e-10)
def cw():
    o.zero_grad()
    v = rosen(w)
    v.backward()
    return v
o.step(cw)
print(w.round(decimals=5), f"{rosen(w).item():.1e}"[:1], o.state[w]["n_iter"] > 5)
