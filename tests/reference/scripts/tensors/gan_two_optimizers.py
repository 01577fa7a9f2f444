"""Two networks, two optimizers, detach between them."""
import torch
from torch import nn
torch.manual_seed(0)
G, D = nn.Linear(2, 2), nn.Sequential(nn.Linear(2, 4), nn.LeakyReLU(0.2), nn.Linear(4, 1), nn.Sigmoid())
og, od = torch.optim.Adam(G.parameters(), lr=0.01, betas=(0.5, 0.999)), torch.optim.Adam(D.parameters(), lr=0.01)
bce = nn.BCELoss()
real = torch.randn(8, 2) + 3
for step in range(4):
    z = torch.randn(8, 2)
    fake = G(z)
    od.zero_grad()
    ld = bce(D(real), torch.ones(8, 1)) + bce(D(fake.detach()), torch.zeros(8, 1))
    ld.backward()
    print(step, G.weight.grad is None or bool((G.weight.grad == 0).all()), end=" ")
    od.step()
    og.zero_grad()
    lg = bce(D(fake), torch.ones_like(fake[:, :1]))
    lg.backward()
    og.step()
    print(f"D {ld.item():.4f} G {lg.item():.4f} {G.weight.grad.norm():.4f} {D[0].weight.grad.norm():.4f}")
print(fake.requires_grad, fake.detach().requires_grad, len(og.state), len(od.state))
D.requires_grad_(False)
G.zero_grad()
bce(D(G(z)), torch.ones(8, 1)).backward()
print(all(p.grad is not None for p in G.parameters()), [p.requires_grad for p in D.parameters()])
D.requires_grad_(True)
x = real.clone().requires_grad_()
out = D(x)
grads = torch.autograd.grad(out, x, grad_outputs=torch.ones_like(out), create_graph=True)[0]
penalty = ((grads.norm(2, dim=1) - 1) ** 2).mean()
D.zero_grad()
penalty.backward()
print(f"{penalty.item():.5f}", x.grad, D[0].weight.grad.norm() > 0, D[2].bias.grad is None or D[2].bias.grad.shape)
