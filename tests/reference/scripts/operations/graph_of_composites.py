"""next_functions, saved tensors and metadata of nodes for common expressions."""

import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
w = torch.tensor([[1.0, 0.0], [2.0, -1.0]], requires_grad=True)
y = torch.sin(w @ x + 1).pow(2).mean()


def walk(node, depth=0):
    print("  " * depth + node.name(), len(node.next_functions))
    for child, index in node.next_functions:
        if child is None:
            print("  " * (depth + 1) + "None", index)
        else:
            walk(child, depth + 1)


walk(y.grad_fn)
for e in [
    x * 2,
    x + x,
    x.exp(),
    x**3,
    x.sum(),
    x.max(),
    x.view(2, 1),
    x[0],
    torch.stack([x, x]),
    w.t(),
    w.mm(w),
    x.clamp(0, 1),
    x.softmax(0),
    x.norm(),
    x.div(3),
    torch.where(x > 1, x, -x),
    x.sort()[0],
    w.select(0, 1),
    x.expand(3, 2),
    x.repeat(2),
    torch.cat([x, x]),
    x.cumsum(0),
    x.prod(),
    x.std(),
    w.det(),
    w.diagonal(),
    x.gather(0, torch.tensor([0])),
    x.float().double(),
]:
    n = e.grad_fn
    print(n.name(), [c.name() if c else None for c, _ in n.next_functions])
m = (x * 3).grad_fn
print(m._saved_self if hasattr(m, "_saved_self") else "none", m._saved_other)
print(
    x.exp().grad_fn._saved_result,
    x.pow(2).grad_fn._saved_exponent,
    x.sum().grad_fn._saved_self_sym_sizes,
    x.view(2, 1).grad_fn._saved_self_sym_sizes,
    x.clamp(0, 1).grad_fn._saved_min,
    w.transpose(0, 1).grad_fn._saved_dim0,
    x[1].grad_fn._saved_index,
)
print(
    x.grad_fn,
    x.detach().grad_fn,
    y.is_leaf,
    y.requires_grad,
    y.retains_grad,
    m.metadata,
    isinstance(m.next_functions, tuple),
)
