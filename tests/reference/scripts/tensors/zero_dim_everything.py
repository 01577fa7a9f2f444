"""0-d tensors: making, indexing, arithmetic, gradients."""
import torch
s = torch.tensor(3.5, requires_grad=True)
print(s, s.shape, s.dim(), s.numel(), s.item(), s.stride(), s.is_contiguous(), s[()], s[...], s[None], s.view(1), s.reshape(1, 1), s.unsqueeze(0), s.expand(3), s.repeat(2), s.flatten(), s.sum(), s.mean(), s.max(), s.min(0), s.argmax(), s.norm(), s.squeeze(), s.t(), s.cumsum(0), s.sort(), s.softmax(0), s.std(unbiased=False), s.numpy(force=True), s.tolist(), s.clone(), s.prod(), s.any(), s.topk(1), s.median())
for f in (lambda: s[0], lambda: len(s), lambda: list(s), lambda: s.sum(1), lambda: s.size(0), lambda: s.unsqueeze(2), lambda: s.transpose(0, 1), lambda: s.T, lambda: s @ s, lambda: s.unbind(), lambda: torch.cat([s, s]), lambda: torch.stack([s, s]), lambda: s.chunk(2), lambda: s[:], lambda: torch.dot(s, s), lambda: s.diag(), lambda: s.index_select(0, torch.tensor([0])), lambda: s[True], lambda: s[False], lambda: s.fill_(1), lambda: s.view(2)):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
(s * 2).backward()
print(s.grad)
t = torch.tensor(1)
t += 1
t *= 3
u = torch.zeros(())
u.fill_(4)
u[()] = 5
