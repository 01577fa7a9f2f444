"""Index assignment of every kind, with gradients to the base and to the value."""
import torch

i = torch.tensor([0, 2])
mask = torch.tensor([[True, False, True], [False, True, False]])
cases = {
    "int": 0,
    "negative": -1,
    "pair": (1, 2),
    "slice": slice(0, 1),
    "column": (slice(None), 1),
    "step": (slice(None), slice(None, None, 2)),
    "ellipsis": (..., 0),
    "none": (None, 1),
    "tensor": (slice(None), i),
    "list": ([0, 1], [2, 0]),
    "mask": mask,
    "row mask": torch.tensor([False, True]),
    "bool": True,
    "all": slice(None),
    "everything": ...,
    "mixed": (i[:1], slice(1, None)),
    "int tensor": torch.tensor(1),
    "range": (range(2), 0),
}
for name, index in cases.items():
    x = torch.arange(6.0).view(2, 3).requires_grad_()
    v = torch.tensor(10.0, requires_grad=True)
    y = x * 2
    y[index] = v
    (y * torch.arange(1.0, 7.0).view(2, 3)).sum().backward()
    print(name, y.tolist(), y.grad_fn.name())
    print(" ", x.grad.tolist(), v.grad)
