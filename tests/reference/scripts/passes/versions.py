"""The version counter after many operations."""
import torch

x = torch.ones(4)
log = []


def step(name, f):
    try:
        f()
        log.append((name, x._version))
    except Exception as e:
        log.append((name, type(e).__name__, x._version))


step("new", lambda: None)
step("add_", lambda: x.add_(1))
step("add", lambda: x.add(1))
step("mul_ view", lambda: x[:2].mul_(2))
step("setitem", lambda: x.__setitem__(0, 5.0))
step("setitem slice", lambda: x.__setitem__(slice(0, 2), torch.zeros(2)))
step("setitem mask", lambda: x.__setitem__(x > 2, 0.0))
step("setitem list", lambda: x.__setitem__([0, 1], 3.0))
step("zero_", lambda: x.zero_())
step("fill_", lambda: x.fill_(2))
step("copy_", lambda: x.copy_(torch.arange(4.0)))
step("detach add_", lambda: x.detach().add_(1))
step("data add_", lambda: x.data.add_(1))
step("numpy", lambda: x.numpy().__setitem__(0, 9.0))
step("clone add_", lambda: x.clone().add_(1))
step("view add_", lambda: x.view(2, 2).add_(1))
step("t add_", lambda: x.view(2, 2).t().add_(1))
step("clamp_", lambda: x.clamp_(0, 5))
step("out=", lambda: torch.add(x, 1, out=x))
step("requires_grad_", lambda: x.requires_grad_().requires_grad_(False))
step("+=", lambda: exec("x += 1", {"x": x}))
step("**=", lambda: exec("x **= 1", {"x": x}))
step("masked_fill_", lambda: x.masked_fill_(x > 100, 0))
step("index_add_", lambda: x.index_add_(0, torch.tensor([0]), torch.ones(1)))
step("scatter_", lambda: x.scatter_(0, torch.tensor([1]), 1.0))
step("uniform_", lambda: x.uniform_())
step("sort out", lambda: x.sort())
step("squeeze_", lambda: x.squeeze_())
step("t_", lambda: x.t_())
step("unsqueeze_", lambda: x.unsqueeze_(0).squeeze_(0))
step("resize_ same", lambda: x.resize_(4))
step("set data", lambda: setattr(x, "data", torch.zeros(4)))
step("increment", lambda: torch.autograd.graph.increment_version(x))
step("fails", lambda: x.add_(torch.ones(3)))
step("relu_", lambda: torch.relu_(x))
step("swap", lambda: x.copy_(x.flip(0)))
step("erfinv_", lambda: x.erfinv_().nan_to_num_())
step("fill_diagonal", lambda: x.view(2, 2).fill_diagonal_(1.0))
step("unbind", lambda: [u.add_(1) for u in x.unbind()])
step("lerp_", lambda: x.lerp_(x, 0.5))
step("addcmul_", lambda: x.addcmul_(x, x))
step("where out", lambda: torch.where(x > 0, x, x))
for entry in log:
    print(*entry)
y = x.detach()
print(y._version == x._version, x.data._version, x.clone()._version, x[0]._version == x._version)
p = torch.nn.Parameter(torch.ones(2))
opt = torch.optim.SGD([p], lr=0.1)
for _ in range(2):
    opt.zero_grad()
    (p ** 2).sum().backward()
    opt.step()
    print(p._version, p.grad._version)
with torch.no_grad():
    p.add_(1)
    p -= 1
    p.copy_(p * 2)
print(p._version)
