"""A hook on a tensor used several times sees the total once."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
seen = []
x.register_hook(lambda g: seen.append(g.clone()))
y = x * 2
z = x * x
(y.sum() + z.sum()).backward()
print(len(seen), seen[0])
print(torch.equal(seen[0], x.grad))

seen.clear()
m = x + 0
m.register_hook(lambda g: seen.append(g.clone()))
(m[0] * 5 + m[1] * m[2]).backward()
print(seen)
(m.detach() * 2).sum()
torch.autograd.grad((x * 7).sum(), x)
print(len(seen), x.grad)
