"""Log-domain tricks: mixtures, forward algorithm, Gumbel, stable sigmoid."""

import math
import torch

log_pi = torch.log(torch.tensor([0.6, 0.4], dtype=torch.float64))
A = torch.log(torch.tensor([[0.7, 0.3], [0.4, 0.6]], dtype=torch.float64)).requires_grad_()
B = torch.log(
    torch.tensor([[0.1, 0.4, 0.5], [0.6, 0.3, 0.1]], dtype=torch.float64)
).requires_grad_()
obs = [0, 1, 2, 1]
alpha = log_pi + B[:, obs[0]]
for o in obs[1:]:
    alpha = torch.logsumexp(alpha[:, None] + A, dim=0) + B[:, o]
ll = alpha.logsumexp(0)
print(ll, ll.exp())
ll.backward()
print(A.grad, B.grad, A.grad.sum())
mu = torch.tensor([-1.0, 2.0], dtype=torch.float64, requires_grad=True)
data = torch.tensor([-1.5, 0.0, 2.5], dtype=torch.float64)
comp = -0.5 * (data[:, None] - mu) ** 2 - 0.5 * math.log(2 * math.pi) + log_pi
nll = -comp.logsumexp(1).sum()
nll.backward()
resp = torch.softmax(comp, 1)
print(nll, mu.grad, resp, -((data[:, None] - mu) * resp).sum(0))
x = torch.tensor([-800.0, -1.0, 0.0, 1.0, 800.0], requires_grad=True)
for f in [
    torch.sigmoid,
    torch.nn.functional.logsigmoid,
    lambda t: -torch.log1p(torch.exp(-t)),
    lambda t: -torch.logaddexp(torch.zeros(()), -t),
    lambda t: torch.log(torch.sigmoid(t)),
    lambda t: torch.where(t > 0, -torch.log1p(torch.exp(-t)), t - torch.log1p(torch.exp(t))),
]:
    x.grad = None
    y = f(x)
    y.sum().backward()
    print(y.detach(), x.grad)
print(
    torch.logcumsumexp(torch.tensor([0.5, 1.0, -float("inf"), 2.0]), 0),
    torch.logaddexp2(torch.tensor(1.0), torch.tensor(1.0)),
    torch.special.logit(torch.tensor([0.0, 0.5, 1.0])),
    torch.logit(torch.tensor([0.0, 0.3]), eps=0.1),
)
h = -(resp * resp.log()).sum(1)
print(h, torch.special.entr(resp).sum(1))
