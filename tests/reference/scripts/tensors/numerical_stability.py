"""logsumexp, log_softmax, softplus and expm1 for large and small arguments."""

import torch
import torch.nn.functional as F

x = torch.tensor([1000.0, 1001.0, -1000.0], requires_grad=True)
print(torch.logsumexp(x, 0), x.log_softmax(0), x.softmax(0), torch.exp(x).sum().log(), F.softplus(x), F.logsigmoid(x))
torch.logsumexp(x, 0).backward()
print(x.grad.round(decimals=3))
y = torch.tensor([1e-10, 1e-5], dtype=torch.float64)
print(torch.expm1(y), torch.exp(y) - 1, torch.log1p(y), torch.log(1 + y))
z = torch.tensor([-100.0, 0.0, 100.0], requires_grad=True)
F.binary_cross_entropy_with_logits(z, torch.tensor([1.0, 0.5, 0.0])).backward()
print(z.grad, torch.sigmoid(z), torch.tanh(z), torch.special.expit(z) if False else "")
print(torch.tensor([1e20]) ** 2, torch.tensor([1e-30]) ** 2, torch.tensor(3e38) * 10, torch.tensor([1.0]) / 0, torch.tensor([-1.0]).log(), torch.tensor([0.0]).log())
print(torch.tensor(0.1) + torch.tensor(0.2), torch.tensor(0.1, dtype=torch.float64) + 0.2, (torch.tensor(0.1, dtype=torch.float64) + 0.2).item(), torch.tensor(16777216.0) + 1)
w = torch.full((1000,), 0.1)
print(w.sum(), w.mean(), w.double().sum(), w.cumsum(0)[-1], w.prod())
