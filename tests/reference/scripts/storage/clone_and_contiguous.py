"""When a copy is made, and when not."""

import torch

x = torch.arange(6.0).reshape(2, 3)
same = lambda a, b: a.data_ptr() == b.data_ptr()
print(
    x.contiguous() is x,
    x.t().contiguous() is x.t(),
    same(x.reshape(3, 2), x),
    same(x.t().reshape(6), x),
    same(x.flatten(), x),
    x.flatten() is x,
    x.view(6).flatten().data_ptr() == x.data_ptr(),
)
print(
    x.to("cpu") is x,
    x.cpu() is x,
    x.float() is x,
    x.to(torch.float32, copy=True) is x,
    x.type(torch.float32) is x,
    x.to(x) is x,
    x.double() is x,
    x.expand(2, 3) is x,
    x.squeeze() is x,
    x.detach() is x,
    x.requires_grad_() is x,
)
x = x.detach()
print(
    same(torch.as_tensor(x), x),
    torch.as_tensor(x) is x,
    same(torch.asarray(x), x),
    torch.asarray(x) is x,
    same(torch.tensor(x.numpy()), x),
    same(torch.from_numpy(x.numpy()), x),
)
n = x.numpy()
n[0, 0] = 100
print(x, x._version)
x.add_(1)
print(n)
t = torch.from_numpy(n[:, ::2])
print(t, t.stride(), t._is_view())
t.zero_()
print(x)
y = torch.arange(4.0, requires_grad=True)
c = y.clone()
print(c.grad_fn, c.requires_grad, c._version)
c.mul_(3)
c.sum().backward()
print(y.grad, y)
print(
    x.t().clone().stride(),
    x[:, :1].clone().stride(),
    x.clone(memory_format=torch.contiguous_format).stride(),
    x.t().clone(memory_format=torch.contiguous_format).stride(),
)
print(
    torch.clone(x).data_ptr() == x.data_ptr(), torch.ravel(x).shape, x.t().ravel().is_contiguous()
)
import copy

d = copy.deepcopy(y)
print(d, d.requires_grad, d.grad, d is y, copy.copy(y).data_ptr() == y.data_ptr())
try:
    copy.deepcopy(y * 2)
except RuntimeError:
    print("RuntimeError")
try:
    y.numpy()
except RuntimeError:
    print("RuntimeError")
print(y.detach().numpy(), (y * 2).detach().numpy().tolist(), y.numpy(force=True))
