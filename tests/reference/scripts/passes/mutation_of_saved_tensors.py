"""allow_mutation_on_saved_tensors: backward uses the values from before."""

import torch

a = torch.ones(2, 3, requires_grad=True)
with torch.autograd.graph.allow_mutation_on_saved_tensors() as ctx:
    b = a.clone()
    out = (b**2).sum()
    b.sin_()
    out.backward()
print(a.grad)

x = torch.tensor([1.0, 2.0], requires_grad=True)
b = x * 3
out = (b**2).sum()
b.zero_()
try:
    out.backward()
except RuntimeError as e:
    print("without it:", "modified by an inplace operation" in str(e))
try:
    with torch.autograd.graph.allow_mutation_on_saved_tensors():
        with torch.autograd.graph.allow_mutation_on_saved_tensors():
            pass
except RuntimeError as e:
    print("nested" in str(e))
