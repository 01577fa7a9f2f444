"""One flat parameter seen as several matrices: views, gradients, updates, unflattening."""
import torch

flat = torch.arange(10.0).div(10).requires_grad_()
shapes = [(2, 2), (2,), (1, 2), (2,)]


def unpack(flat):
    out, at = [], 0
    for s in shapes:
        n = torch.Size(s).numel()
        out.append(flat[at : at + n].view(s))
        at += n
    return out


W1, b1, W2, b2 = unpack(flat)
print([tuple(t.shape) for t in (W1, b1, W2, b2)], W1._base is flat, W2.storage_offset())
x = torch.tensor([1.0, -1.0])
y = W2 @ torch.tanh(W1 @ x + b1) + b2
y.sum().backward()
print(flat.grad)
with torch.no_grad():
    flat -= flat.grad
    flat.grad.zero_()
print(W1, b2)
parts = flat.split([torch.Size(s).numel() for s in shapes])
print([p.tolist() for p in parts])
again = torch.cat([p.reshape(-1) for p in unpack(flat)])
print(torch.equal(again, flat), again.grad_fn.name())
vec = torch.nn.utils.parameters_to_vector([torch.nn.Parameter(torch.ones(2, 2)), torch.nn.Parameter(torch.zeros(1))])
print(vec)
(again * torch.arange(10.0)).sum().backward()
print(flat.grad)
