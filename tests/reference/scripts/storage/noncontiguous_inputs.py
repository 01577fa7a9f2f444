"""Operations on transposed, strided and expanded inputs agree with those on copies."""
import torch

base = torch.arange(24.0).view(4, 6)
inputs = {"t": base.t(), "step": base[::2, ::3], "column": base[:, 1:2], "expanded": base[:1].expand(4, 6),
          "flipped": base.flip(1), "diagonal": base.diagonal()[None], "permuted": base.view(2, 2, 6).permute(2, 0, 1)[0]}
for name, v in inputs.items():
    x = v.detach().clone().requires_grad_()
    w = v.detach().requires_grad_()
    for t in (x, w):
        y = (t.exp() / (1 + t.exp())).sum(-1).prod() + t.cumsum(-1).max() + t.sort(0).values[0].sum()
        y.backward()
    print(name, w.stride(), w.is_contiguous(), torch.allclose(x.grad, w.grad), w.grad.stride())
    print((w.t() @ w).sum().item() == (x.t() @ x).sum().item(), w.reshape(-1)[:3].tolist(), (w * 2).stride())
y = torch.empty(2, 3).t()
y.copy_(torch.arange(6.0).view(3, 2))
y[1] = 0
y[:, 0].add_(1)
print(y, y.stride(), y.t())
print(torch.zeros_like(base.t()).stride(), base.t().clone().stride(), (base.t() + 1).stride(), base.t().contiguous().stride())
print(torch.empty_like(base[:, ::2]).stride(), base.t().exp().stride(), base.t().sum(0).stride())
print(base.t().is_contiguous(), base.t().contiguous().is_contiguous(), base.t().numel())
print(base[:, ::2].clone().stride(), base.unsqueeze(1).stride(), base[:1].expand(3, 6).clone().stride())
