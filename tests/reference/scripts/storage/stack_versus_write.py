"""Three ways to build a matrix from differentiable parts."""
import torch

angle = torch.tensor(0.5, requires_grad=True)


def stacked(t):
    return torch.stack([torch.stack([t.cos(), -t.sin()]), torch.stack([t.sin(), t.cos()])])


def written(t):
    r = torch.zeros(2, 2)
    r[0, 0] = t.cos()
    r[0, 1] = -t.sin()
    r[1, 0] = t.sin()
    r[1, 1] = t.cos()
    return r


def concatenated(t):
    return torch.cat([t.cos().view(1), -t.sin().view(1), t.sin().view(1), t.cos().view(1)]).view(2, 2)


v = torch.tensor([1.0, 2.0])
for make in (stacked, written, concatenated):
    angle.grad = None
    r = make(angle)
    out = (r @ v)[0]
    out.backward()
    print(make.__name__, r.grad_fn.name(), out, angle.grad)
lost = torch.tensor([[angle.cos(), -angle.sin()], [angle.sin(), angle.cos()]])
print(lost.requires_grad)
(d,) = torch.autograd.grad(stacked(angle)[0, 0], angle, create_graph=True)
print(d, torch.autograd.grad(d, angle)[0])
(d,) = torch.autograd.grad(written(angle)[0, 0], angle, create_graph=True)
print(d, torch.autograd.grad(d, angle)[0])
