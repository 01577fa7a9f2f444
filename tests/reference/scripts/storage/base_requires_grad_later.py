"""A plain buffer starts to require grad once something that does is written into it."""
import torch

buf = torch.zeros(4)
view = buf[:2]
print(buf.requires_grad, view.requires_grad)
w = torch.tensor(3.0, requires_grad=True)
buf[1] = w * 2
print(buf.requires_grad, view.requires_grad, buf.grad_fn is not None)
view.sum().backward()
print(w.grad)
w.grad = None
other = torch.zeros(4)
part = other[2:]
part.add_(w)
print(part.requires_grad, other.requires_grad, other)
other.sum().backward()
print(w.grad)
row = torch.zeros(2, 2)
row[0] += w
print(row, row.is_leaf)
plain = torch.zeros(2)
plain += 1
print(plain.requires_grad, plain.is_leaf)
buf = buf.detach()
print(buf.requires_grad, buf._version)
