"""Tensors without elements: reductions, joins, gradients, prints."""
import torch
e = torch.zeros(0, requires_grad=True)
print(e, e.shape, e.sum(), e.prod(), e.mean(), e * 2, e + e, torch.cat([e, torch.ones(2)]), e.view(0, 3).shape, e.numel(), e.norm(), e.exp(), e.tolist(), e.all(), e.any(), e.std(), e.cumsum(0), e.sort(), e.flip(0), e.unique(), e.nonzero().shape, e == e, e.detach().numpy(), e.reshape(-1).shape, e.softmax(0), e.max(0) if False else "", torch.equal(e, e), e.is_contiguous(), e.stride(), e.data_ptr() == 0 or True)
e.sum().backward()
print(e.grad)
m = torch.zeros(3, 0)
print(m, m.sum(0), m.sum(1), m.mean(1), m.prod(1), m @ torch.zeros(0, 2), m.t().shape, m.view(-1), m.numel(), m.sum(), torch.zeros(0, 3).sum(0), torch.zeros(0, 3).max(1), torch.ones(2, 0, 3).shape, torch.ones(2, 0, 3), torch.stack([e, e]).shape, torch.zeros(0, 2)[:, 0], m[0], m[1:].shape, [r for r in torch.zeros(2, 0)], list(torch.zeros(0, 2)), torch.zeros(0, 3).norm(), torch.zeros(0, dtype=torch.int64).sum(), torch.tensor([]).dtype, torch.tensor([[], []]).shape, torch.tensor([], dtype=torch.bool).any())
for f in (lambda: e.max(), lambda: e.min(0), lambda: e.argmax(), lambda: e.item(), lambda: e[0], lambda: bool(e), lambda: float(e), lambda: e.median(), lambda: e.view(-1, 0), lambda: torch.cat([]), lambda: torch.stack([]), lambda: m.max(1), lambda: e.backward(), lambda: e.topk(1), lambda: e.mode(), lambda: e.quantile(0.5), lambda: torch.zeros(3, 0) @ torch.zeros(1, 2), lambda: e.reshape(1)):
    try:
        print(f())
    except Exception as ex:
        print(type(ex).__name__)
n = torch.ones(3, requires_grad=True)
n[n > 5].sum().backward()
print(n.grad, n[:0], n[3:], n[[]], n[torch.tensor([], dtype=torch.int64)], torch.nn.functional.mse_loss(n[:0], n[:0]), torch.nn.Linear(2, 3)(torch.zeros(0, 2)).shape, torch.nn.Linear(0, 2)(torch.zeros(1, 0)).shape)
