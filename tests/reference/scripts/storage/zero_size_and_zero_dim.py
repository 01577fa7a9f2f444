"""Tensors with no elements and tensors with no dimensions."""
import torch

e = torch.zeros(0, 3, requires_grad=True)
print(e, e.numel(), e.shape, e.stride())
(e * 2).sum().backward()
print(e.grad)
print(e.sum(0), e.sum(1), e.mean(0), e.prod(1), e.t().shape, e.view(3, 0).shape, e.reshape(0, 5, 3).shape)
print(torch.cat([e, torch.ones(1, 3)]), torch.stack([e, e]).shape, e @ torch.ones(3, 2))
print(e.max(1).values.shape, e.argmax(1), e.softmax(0).shape, e.cumsum(0).shape, e.sort(0).values.shape)
print(list(e), e.tolist(), bool(e.any()), bool(e.all()), e.norm())
print(torch.tensor([]), torch.tensor([[]]).shape, torch.empty(0).dtype, torch.zeros(2, 0, 3))
print(torch.ones(3)[3:], torch.ones(3)[[]], torch.ones(3)[torch.zeros(3, dtype=torch.bool)])
s = torch.tensor(2.0, requires_grad=True)
print(s, s.shape, s.dim(), s.numel(), s.item(), s.stride(), s.is_contiguous())
y = s**3
y.backward()
print(s.grad)
print(s.sum(), s.mean(), s.max(), s.norm(), s.view(1), s.reshape(1, 1), s[None], s.unsqueeze(0), s.expand(2))
print(s.t(), s.T.shape, s.squeeze(), s.flatten(), s.sum(0), s.sum(-1), s.softmax(0), s.cumsum(0), s.sort())
print(s[...], s[()], s.repeat(3), torch.stack([s, s]), s.argmax(), s.argmax(0), s.any(), s.all())
s2 = torch.tensor(5.0)
s2[()] = 7
print(s2)
s2[...] = 8
print(s2, s2.fill_(9), s2.add_(1))
try:
    s[0]
except IndexError as err:
    print(type(err).__name__, "0-dim" in str(err))
try:
    s.sum(1)
except IndexError as err:
    print(err)
print(torch.zeros(0).unique() if False else torch.zeros(0).nonzero().shape, torch.ones(()).nonzero().shape)
