"""A gradient penalty (WGAN-GP style) and double backward through norm, matmul and activations."""
import torch

D = torch.nn.Sequential(torch.nn.Linear(2, 3), torch.nn.Tanh(), torch.nn.Linear(3, 1))
with torch.no_grad():
    for k, p in enumerate(D.parameters()):
        p.copy_(torch.arange(p.numel()).view_as(p).float().sub(2).div(3 + k))
real, fake = torch.tensor([[1.0, 2.0], [0.5, -1.0]]), torch.tensor([[0.0, 1.0], [1.5, 1.0]])
eps = torch.tensor([[0.25], [0.75]])
mix = torch.lerp(fake, real, eps).requires_grad_()
out = D(mix)
(g,) = torch.autograd.grad(out, mix, torch.ones_like(out), create_graph=True)
penalty = ((g.norm(2, dim=1) - 1) ** 2).mean()
print(g, penalty)
loss = D(fake).mean() - D(real).mean() + 10 * penalty
loss.backward()
for p in D.parameters():
    print(p.grad)
x = torch.tensor([1.0, 2.0], requires_grad=True)
for f in [torch.sigmoid, torch.tanh, torch.relu, torch.nn.functional.softplus, torch.nn.functional.gelu, torch.nn.functional.elu]:
    (g,) = torch.autograd.grad(f(x).sum(), x, create_graph=True)
    (h,) = torch.autograd.grad(g.pow(2).sum(), x, allow_unused=True)
    print(f.__name__, h)
