"""Which hooks run under torch.autograd.grad."""

import torch

x = torch.tensor(2.0, requires_grad=True)
y = x**2
log = []
x.register_hook(lambda g: (log.append("x"), g * 10)[1])
y.register_hook(lambda g: (log.append("y"), g + 1)[1])
x.register_post_accumulate_grad_hook(lambda p: log.append("post"))
z = y * 3
print(torch.autograd.grad(z, x, retain_graph=True), log)
log.clear()
print(torch.autograd.grad(z, y, retain_graph=True), log)
log.clear()
print(torch.autograd.grad(z, [x, y], retain_graph=True), log)
log.clear()
z.backward()
print(x.grad, log)
