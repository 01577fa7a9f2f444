"""Methods that people reach for: item, tolist, type_as, clone, equal, new_*, apply_ and others."""

import torch

x = torch.tensor([[1.5, -2.0], [3.25, 4.0]], requires_grad=True)
print(
    x.tolist(),
    x[0, 0].item(),
    x.sum().item(),
    x.detach().numpy(),
    x.size(0),
    list(x.shape),
    x.shape[1],
    x.stride(),
    x.storage_offset(),
)
print(
    x.type(),
    x.type(torch.float64).dtype,
    x.double().dtype,
    x.half(),
    x.int(),
    x.bool(),
    x.long().type(),
    x.type_as(torch.tensor([1.0], dtype=torch.float64)).dtype,
    x.to(torch.tensor(1, dtype=torch.float16)).dtype,
)
print(
    x.new_zeros(2),
    x.new_ones((1, 2), dtype=torch.int8),
    x.new_full((2,), 3.0),
    x.new_tensor([1, 2]),
    x.new_empty(0).shape,
    torch.zeros_like(x),
    torch.full_like(x, 7),
    torch.ones_like(x, dtype=torch.bool),
    torch.empty_like(x).shape,
)
print(
    x.clone().grad_fn,
    x.detach().requires_grad,
    x.data.requires_grad,
    x.is_leaf,
    x.dim(),
    x.is_floating_point(),
    torch.is_tensor(x),
    torch.numel(x),
    x.is_signed(),
    x.is_same_size(x),
    x.is_set_to(x),
)
print(
    x.contiguous() is x,
    x.view_as(x) is x,
    x.to(torch.float32) is x,
    x.cpu() is x,
    x.float() is x,
    x.expand_as(x) is x,
    x.reshape(2, 2) is x,
)
for bad in [
    lambda: x.item(),
    lambda: x.numpy(),
    lambda: bool(x),
    lambda: int(x),
    lambda: len(torch.tensor(1)),
    lambda: x.foo,
    lambda: iter(torch.tensor(1)),
    lambda: hash(x) and None,
    lambda: torch.tensor([]).item(),
    lambda: [1, 2, 3][torch.tensor(1.0)],
    lambda: range(torch.tensor(2))[1],
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
y = x.detach().clone()
print(
    y.fill_(2),
    y.zero_(),
    y.copy_(torch.tensor([1, 2])),
    y.set_ if False else "",
    y.resize_(1, 3).shape,
    y.t_().shape,
    y.squeeze_().shape,
    y.unsqueeze_(0).shape,
    y.transpose_(0, 1).shape,
)
print(
    f"{x.sum():.2f}",
    f"{torch.tensor(3)}",
    f"{torch.tensor(2.5):>8.3f}",
    format(torch.tensor(7), "d"),
    f"{x.detach()}",
    str(torch.tensor(1.0)),
    repr(torch.Size([1, 2])),
)
print(
    [1, 2, 3][torch.tensor(1)],
    "abc"[torch.tensor(2)],
    list(range(torch.tensor(3))),
    round(torch.tensor(2.567).item(), 2),
    torch.tensor(3).__index__(),
    max(torch.tensor([1, 5, 3])),
    min(torch.tensor([4.0, 2.0])),
    sum(torch.tensor([1, 2, 3])),
    sorted(torch.tensor([3, 1, 2])),
    any(torch.tensor([0, 1])),
    abs(torch.tensor(-3)),
    pow(torch.tensor(2.0), 3),
)
print(
    x.nonzero(),
    x.view(torch.int32).dtype,
    torch.tensor([1, 2, 3]).diff(),
    x.detach().view(torch.uint8).shape,
)
