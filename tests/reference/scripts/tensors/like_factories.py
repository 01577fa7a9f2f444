"""The _like factories and the new_ methods follow their model, unless told otherwise."""
import torch

x = torch.arange(6, dtype=torch.float64).reshape(2, 3).t().requires_grad_()
print(x, x.is_contiguous(), x.stride())
for f in (torch.zeros_like, torch.ones_like, torch.empty_like, torch.rand_like, torch.randn_like):
    y = f(x)
    print(f.__name__, y.dtype, y.shape, y.stride(), y.requires_grad, y.is_leaf)
print(torch.full_like(x, 3), torch.full_like(x, 3).stride())
print(torch.full_like(x, 3, dtype=torch.int32))
print(torch.zeros_like(x, dtype=torch.int64), torch.ones_like(x, requires_grad=True))
print(torch.zeros_like(x, memory_format=torch.contiguous_format).stride())
print(torch.zeros_like(input=x, dtype=torch.bool))
print(x.new_tensor([1, 2]), x.new_tensor([1, 2], dtype=torch.int8))
print(x.new_zeros(2), x.new_zeros((2, 1)), x.new_zeros(2, 1, dtype=torch.float32))
print(x.new_ones(3, requires_grad=True), x.new_full((2,), 4), x.new_empty(0))
print(x.new_full((1,), 2.5, dtype=torch.float16, requires_grad=True))
i = torch.tensor([1, 2, 3])
print(i.new_tensor([1.5, 2.5]), i.new_full((2,), 3.7), i.new_zeros(2))
print(torch.ones_like(i), torch.ones_like(i, dtype=torch.float32))
e = torch.ones(3, 1).expand(3, 4)
print(torch.zeros_like(e).stride(), torch.empty_like(e).shape, e.clone().stride())
for f in (lambda: torch.rand_like(i), lambda: torch.zeros_like([1, 2]), lambda: torch.ones_like(i, requires_grad=True), lambda: torch.full_like(x)):
    try:
        print(f())
    except Exception as err:
        print(type(err).__name__)
