"""detach, detach_, no_grad, clone: what each shares and cuts."""

import torch

x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
forms = {
    "detach": lambda y: y.detach(),
    "data": lambda y: y.data,
    "clone": lambda y: y.clone(),
    "detach.clone": lambda y: y.detach().clone(),
    "clone.detach": lambda y: y.clone().detach(),
    "tensor": lambda y: torch.tensor(y.tolist()),
    "view": lambda y: y.view(3),
    "alias": lambda y: y[:],
    "new_tensor": lambda y: y.detach().new_tensor([1.0, 2, 3]),
    "requires_grad": lambda y: y.detach().requires_grad_(),
    "numpy": lambda y: torch.from_numpy(y.detach().numpy()),
    "to": lambda y: y.to(torch.float32),
    "copy": lambda y: y.to(torch.float32, copy=True),
}
for name, f in forms.items():
    y = x * 2
    z = f(y)
    shares = z.data_ptr() == y.data_ptr()
    line = f"{name} {shares} {z.requires_grad} {z.is_leaf} {z.grad_fn} {z._is_view()} same_version={z._version == y._version}"
    v = y._version
    if not (z.is_leaf and z.requires_grad):
        z.add_(1)
        line += f" bumps={y._version - v} {y.tolist()} {z._version}"
    print(line)
y = x * 2
d = y.detach_()
print(d is y, y.is_leaf, y.requires_grad, y.grad_fn, y._version)
y.requires_grad_()
(y * 3).sum().backward()
print(y.grad, x.grad)


def ng():
    with torch.no_grad():
        y = x * 2
    return y


n = ng()
print(n.requires_grad, n.is_leaf)
n.requires_grad_()
n.sum().backward()
print(n.grad)
v = (x * 2)[:2]
print(v.detach()._is_view(), v.detach().storage_offset(), v.detach()._base)
try:
    v.detach_()
except RuntimeError:
    print("RuntimeError")
w = x.detach()
w.requires_grad = True
print(x.grad, w.grad, w.is_leaf)
w.sum().backward()
print(w.grad, x.grad)
with torch.no_grad():
    w.sub_(w.grad)
print(x, w, x._version, w._version)
