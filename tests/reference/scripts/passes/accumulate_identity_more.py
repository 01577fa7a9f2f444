"""Which tensor .grad is after one, two and three passes."""
import torch

x = torch.ones(3, requires_grad=True)
go = torch.tensor([1.0, 2.0, 3.0])
x.backward(go)
print(x.grad, x.grad is go, x.grad.data_ptr() == go.data_ptr())
g = x.grad
(x * 2).backward(go)
print(g is x.grad, g, go)
x.grad = None
print(g, x.grad)
x.grad = torch.zeros(3)
held = x.grad
(x * 2).sum().backward()
print(held is x.grad, held)
x.grad.zero_()
print(x.grad, held)
m = torch.ones(2, 3).t().requires_grad_()
m.backward(torch.arange(6.0).reshape(3, 2))
print(m.stride(), m.grad.stride(), m.grad)
m.grad = None
m.sum().backward()
print(m.grad.stride(), m.grad.is_contiguous())
e = torch.ones(1).expand(3).requires_grad_()
e.sum().backward()
print(e.grad, e.grad.stride())
for bad in (torch.ones(2), torch.ones(3, dtype=torch.float64), torch.ones(3, dtype=torch.int64), 3, [1.0], x):
    try:
        x.grad = bad
        print("set", x.grad)
    except Exception as err:
        print(type(err).__name__)
x.grad = torch.ones(3, requires_grad=True)
print(x.grad, x.grad.requires_grad)
(x * 2).sum().backward()
print(x.grad, x.grad.requires_grad)
del x.grad
print(x.grad)
