"""Whether .grad is the same tensor afterwards: in-place accumulation, zeroing, None."""
import torch

w = torch.tensor([1.0, 2.0], requires_grad=True)
(w * 2).sum().backward()
g = w.grad
(w * 3).sum().backward()
print(w.grad is g, g, g._version)
g.zero_()
print(w.grad)
w.grad = None
(w * 4).sum().backward()
print(w.grad is g, g, w.grad)
w.grad.data.fill_(7)
(w * 1).sum().backward()
print(w.grad)
saved = w.grad.clone()
w.grad += 1
print(w.grad - saved, w.grad.requires_grad)
w.grad = torch.zeros(2)
(w**2).sum().backward(create_graph=True)
print(w.grad, w.grad.requires_grad)
w.grad = None
view = w.view(2, 1)
view.sum().backward()
print(w.grad, w.grad.data_ptr() == g.data_ptr())
a = torch.zeros(3, requires_grad=True)
a.grad = torch.tensor([1.0, 1.0, 1.0])
ref = a.grad
(a * 2).sum().backward()
print(ref is a.grad, ref)
