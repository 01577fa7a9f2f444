"""Writing a graph down as text, with stable names for nodes."""
import torch
from torch import nn


def describe(root):
    ids, lines, stack = {}, [], [root]
    while stack:
        fn = stack.pop()
        if fn in ids:
            continue
        ids[fn] = len(ids)
        extra = tuple(fn.variable.shape) if hasattr(fn, "variable") else ""
        lines.append((ids[fn], fn.name().split("::")[-1], extra))
        for nxt, nr in reversed(fn.next_functions):
            if nxt is not None:
                stack.append(nxt)
    edges = [(ids[f], ids[n], nr) for f in ids for n, nr in f.next_functions if n is not None]
    return lines, edges


m = nn.Sequential(nn.Linear(2, 3), nn.ReLU(), nn.LayerNorm(3), nn.Linear(3, 1, bias=False))
loss = nn.functional.mse_loss(m(torch.ones(4, 2)).squeeze(-1), torch.zeros(4))
for part in describe(loss.grad_fn):
    print(*part, sep="\n")
conv = nn.Conv2d(1, 2, 3, bias=False)
out = torch.nn.functional.max_pool2d(torch.relu(conv(torch.ones(1, 1, 4, 4))), 2).flatten(1).log_softmax(1)
nll = nn.functional.nll_loss(out, torch.tensor([1]))
for part in describe(nll.grad_fn):
    print(*part, sep="\n")
ce = nn.functional.cross_entropy(m(torch.ones(2, 2)).expand(2, 3), torch.tensor([0, 1]))
print(describe(ce.grad_fn))
a = torch.ones(2, 2, requires_grad=True)
b = a.t() @ a
c = (b + b.T).tril()
c[0] = 1
print(describe(c.sum().grad_fn))
names = {p: n for n, p in m.named_parameters()}
found = [names[f.variable] for f in (n for n, _ in []) if f] or sorted(names.values())
print(found)
bn = nn.BatchNorm1d(2)
print(describe(bn(torch.ones(3, 2) * torch.arange(3.0).unsqueeze(1)).sum().grad_fn))
emb = nn.Embedding(3, 2)
print(describe(emb(torch.tensor([0, 1])).mean().grad_fn))
drop = nn.Dropout(0.5)
torch.manual_seed(0)
print(describe(drop(a).sum().grad_fn))
att = nn.functional.scaled_dot_product_attention(a.view(1, 2, 2), a.view(1, 2, 2), a.view(1, 2, 2))
print(att.shape, att.requires_grad)
