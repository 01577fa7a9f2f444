"""deepcopy, copy and pickle of tensors with gradients, hooks and modules."""
import copy
import io
import pickle
import torch
from torch import nn


def attempt(label, f):
    try:
        print(label, f())
    except Exception as e:
        print(label, type(e).__name__)


x = torch.tensor([1.0, 2.0], requires_grad=True)
x.grad = torch.tensor([5.0, 6.0])
hook = x.register_hook(lambda g: print("hook", g))
c = copy.deepcopy(x)
print(c, c.requires_grad, c.grad, c.grad is x.grad, c.is_leaf)
(c * 2).sum().backward()
print(c.grad, x.grad)
hook.remove()
s = copy.copy(x)
print(s is x, s.data_ptr() == x.data_ptr(), s.requires_grad, s.grad)
y = x * 2
attempt("deepcopy non-leaf", lambda: copy.deepcopy(y))
attempt("copy non-leaf", lambda: copy.copy(y).requires_grad)
attempt("pickle non-leaf", lambda: pickle.loads(pickle.dumps(y.detach())))
attempt("pickle leaf", lambda: pickle.loads(pickle.dumps(x.detach().requires_grad_())))
p = nn.Parameter(torch.ones(2))
p.grad = torch.full((2,), 3.0)
q = copy.deepcopy(p)
print(q, type(q).__name__, q.grad)
attempt("pickle param", lambda: (pickle.loads(pickle.dumps(p)), pickle.loads(pickle.dumps(p)).grad))
m = nn.Sequential(nn.Linear(2, 1), nn.ReLU())
nn.init.ones_(m[0].weight)
m(torch.ones(1, 2)).sum().backward()
k = copy.deepcopy(m)
print(all((a.grad is None) == (b.grad is None) for a, b in zip(m.parameters(), k.parameters())))
opt = torch.optim.Adam(k.parameters(), lr=0.1)
k(torch.ones(1, 2)).sum().backward()
opt.step()
print(torch.equal(m[0].weight, k[0].weight), len(copy.deepcopy(opt.state_dict())["state"]))
buf = io.BytesIO()
torch.save({"x": x.detach(), "p": p, "grad": p.grad}, buf)
buf.seek(0)
loaded = torch.load(buf)
print(loaded, loaded["p"].requires_grad, loaded["p"].grad)
memo = {}
l = [x, x.view(2, 1).detach()]
d = copy.deepcopy([p, p])
print(d[0] is d[1], copy.deepcopy({"a": p})["a"] is p)
attempt("grad with graph", lambda: copy.deepcopy(torch.autograd.grad((x ** 2).sum(), x, create_graph=True)[0]))
attempt("no grad deepcopy", lambda: torch.no_grad()(copy.deepcopy)(x).requires_grad)
attempt("clone", lambda: (x.clone().grad_fn, x.clone().grad, x.detach().clone().grad))
attempt("new", lambda: (x.new_tensor([1.0]).requires_grad, torch.zeros_like(x).requires_grad, torch.empty_like(x, requires_grad=True).requires_grad))
