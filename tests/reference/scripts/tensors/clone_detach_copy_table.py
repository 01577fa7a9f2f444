"""What shares memory, history and flags: clone, detach, data, view, to, copy."""

import copy

import torch

x = torch.arange(4.0, requires_grad=True)
forms = {
    "clone": lambda: x.clone(), "detach": lambda: x.detach(), "data": lambda: x.data, "view": lambda: x.view(2, 2), "to64": lambda: x.to(torch.float64),
    "to same": lambda: x.to(torch.float32), "detach.clone": lambda: x.detach().clone(), "clone.detach": lambda: x.clone().detach(), "slice": lambda: x[1:], "index": lambda: x[[0, 1]],
    "reshape": lambda: x.reshape(2, 2), "contiguous": lambda: x.contiguous(), "expand": lambda: x.expand(2, 4), "deepcopy": lambda: copy.deepcopy(x), "tensor": lambda: torch.tensor(x.tolist()),
    "numpy": lambda: torch.from_numpy(x.detach().numpy()), "t": lambda: x.view(2, 2).t(), "flatten": lambda: x.flatten(), "requires": lambda: x.detach().requires_grad_(),
}
base = x.data_ptr()
for name, f in forms.items():
    y = f()
    shares = base <= y.data_ptr() < base + 16
    print(name, shares, y.requires_grad, y.is_leaf, y._is_view(), y is x)
