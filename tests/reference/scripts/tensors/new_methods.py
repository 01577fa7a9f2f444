"""new_zeros and its kin take dtype from the tensor, the flag from nowhere."""

import torch

x = torch.ones(2, 3, dtype=torch.float64, requires_grad=True)
for t in (x.new_zeros(2), x.new_ones((1, 2)), x.new_full((2,), 7), x.new_tensor([1, 2]), x.new_empty(2, 0),
          x.new_zeros(2, dtype=torch.int32), x.new_ones(2, requires_grad=True), x.new_zeros(size=(3,))):
    print(t, t.dtype, t.requires_grad, t.is_leaf)
i = torch.arange(3)
print(i.new_tensor([1.7, 2.2]), i.new_full((2, 2), 3.9), i.new_ones(2), i.new_zeros(torch.Size([1, 2])))
print((x * 2).new_zeros(1).requires_grad, x.new(2, 0).shape, x.new([1, 2]))
b = torch.tensor([True])
print(b.new_zeros(2), b.new_tensor([0, 2]))
y = x.new_tensor(x)
print(y.requires_grad, y.shape)
y[0, 0] = 5
print(x[0, 0].item())
