"""softmax, log-softmax and cross-entropy written by hand: stability and gradients."""
import torch
import torch.nn.functional as F

z = torch.tensor([[1.0, 2.0, 3.0], [1000.0, 0.0, -1000.0]], requires_grad=True)
naive = z.exp() / z.exp().sum(1, keepdim=True)
stable = (z - z.max(1, keepdim=True).values).exp()
stable = stable / stable.sum(1, keepdim=True)
print(naive, stable, F.softmax(z, 1))
print(z.logsumexp(1), z.exp().sum(1).log())
t = torch.tensor([0, 1])
loss = (z.logsumexp(1) - z.gather(1, t[:, None]).squeeze(1)).mean()
print(loss, F.cross_entropy(z, t))
loss.backward()
print(z.grad)
onehot = F.one_hot(t, 3)
print(torch.allclose(z.grad, (z.detach().softmax(1) - onehot) / 2))
z.grad = None
F.cross_entropy(z, t, reduction="sum").backward()
print(z.grad)
s = torch.tensor([0.5, 0.1], requires_grad=True)
J = torch.autograd.functional.jacobian(lambda v: v.softmax(0), s.detach())
p = s.softmax(0)
print(J, torch.diag(p) - torch.outer(p, p))
T = torch.tensor(2.0, requires_grad=True)
(-(z[0].detach() / T).log_softmax(0)[2]).backward()
print(T.grad, torch.softmax(z[0] / 0.01, 0), z[0].softmax(0).argmax())
