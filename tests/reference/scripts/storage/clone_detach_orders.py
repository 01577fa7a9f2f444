"""clone().detach(), detach().clone(), tensor(t), and what each keeps."""
import copy

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 3
for name, make in {
    "clone": lambda t: t.clone(),
    "detach": lambda t: t.detach(),
    "clone.detach": lambda t: t.clone().detach(),
    "detach.clone": lambda t: t.detach().clone(),
    "data": lambda t: t.data,
    "new_tensor": lambda t: t.detach().new_tensor([5.0, 6.0]),
    "empty_like": lambda t: torch.zeros_like(t),
    "alias": lambda t: t.view_as(t),
    "to same": lambda t: t.to(torch.float32),
    "to double": lambda t: t.to(torch.float64),
    "float": lambda t: t.float(),
    "cpu": lambda t: t.cpu(),
    "contiguous": lambda t: t.contiguous(),
    "requires": lambda t: t.detach().requires_grad_(),
}.items():
    for t in (x, y):
        r = make(t)
        print(name, r is t, r.requires_grad, r.is_leaf, r.data_ptr() == t.data_ptr(),
              type(r.grad_fn).__name__)
z = copy.deepcopy(x)
print(z, z is x, z.data_ptr() == x.data_ptr())
try:
    copy.deepcopy(y)
except RuntimeError as e:
    print(type(e).__name__, "graph leaves" in str(e))
s = copy.copy(x)
print(s.data_ptr() == x.data_ptr(), s.requires_grad)
