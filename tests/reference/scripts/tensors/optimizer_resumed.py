"""Saving and restoring optimizers: training goes on the same."""
import copy
import torch

def loss_of(p):
    return ((p - torch.tensor([1.0, 2.0, 3.0])) ** 2).sum()
def steps(p, opt, n):
    for _ in range(n):
        opt.zero_grad()
        loss_of(p).backward()
        opt.step()
p = torch.zeros(3, requires_grad=True)
opt = torch.optim.Adam([p], lr=0.1)
steps(p, opt, 3)
saved_p, saved = p.detach().clone(), copy.deepcopy(opt.state_dict())
steps(p, opt, 3)
q = saved_p.clone().requires_grad_()
opt2 = torch.optim.Adam([q], lr=0.7)
opt2.load_state_dict(saved)
print(opt2.param_groups[0]["lr"], opt2.state[q]["step"], opt2.state[q]["exp_avg"])
steps(q, opt2, 3)
print(torch.equal(p, q), p, q)
print(sorted(saved["param_groups"][0]))
print(saved["state"][0])
m = torch.zeros(2, dtype=torch.float64, requires_grad=True)
sgd = torch.optim.SGD([m], lr=0.1, momentum=0.9)
print(sgd.state_dict())
(m.sum() * 2).backward()
sgd.step()
print(sgd.state_dict()["state"])
print(sgd.state[m]["momentum_buffer"].dtype, sgd.state[m]["momentum_buffer"].requires_grad)
other = torch.optim.SGD([m, torch.zeros(1, requires_grad=True)], lr=0.1)
try:
    other.load_state_dict(sgd.state_dict())
except Exception as e:
    print(type(e).__name__)
def closure():
    sgd.zero_grad()
    l = (m ** 2).sum()
    l.backward()
    return l
print(sgd.step(closure), m, sgd.step())
sgd.zero_grad()
print(m.grad, sgd.step(), m)
print(sgd.state_dict()["param_groups"][0]["lr"], isinstance(sgd, torch.optim.Optimizer))
