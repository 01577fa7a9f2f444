"""grad_outputs: None, tensors, sequences, broadcast, other dtypes, complex, non-contiguous."""
import torch

x = torch.arange(6.0).reshape(2, 3).requires_grad_()
y = x.t() * 2
tries = {
    "ones": torch.ones(3, 2),
    "transposed": torch.arange(6.0).reshape(2, 3).t(),
    "expanded": torch.tensor(2.0).expand(3, 2),
    "half": torch.ones(3, 2, dtype=torch.half),
    "double": torch.ones(3, 2, dtype=torch.double),
    "complex": torch.ones(3, 2, dtype=torch.complex64),
    "bool": torch.ones(3, 2, dtype=torch.bool),
    "row": torch.ones(2),
    "scalar": torch.tensor(1.0),
    "flat": torch.ones(6),
    "none": None,
    "list": [torch.ones(3, 2)],
    "tuple of none": (None,),
    "number": 1.0,
}
for name, go in tries.items():
    try:
        (g,) = torch.autograd.grad(y, x, go, retain_graph=True)
        print(name, g, g.dtype, g.is_contiguous(), g.stride())
    except Exception as e:
        print(name, type(e).__name__)
go = torch.ones(3, 2, requires_grad=True)
(g,) = torch.autograd.grad(y, x, go, create_graph=True)
print(g, g.requires_grad)
print(torch.autograd.grad(g.sum(), go))
s = x.sum()
(g,) = torch.autograd.grad(s, x, torch.tensor(5.0), retain_graph=True)
print(g, g.stride())
(g,) = torch.autograd.grad(s, x, retain_graph=True)
print(g.stride(), g.is_contiguous())
try:
    print(torch.autograd.grad(s, x, torch.ones(1), retain_graph=True))
except RuntimeError as e:
    print(type(e).__name__)
