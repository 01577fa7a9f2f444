"""What nodes keep: _saved_* attributes."""
import torch
import torch.nn.functional as F


def saved(y):
    fn = y.grad_fn
    names = [n for n in dir(fn) if n.startswith("_saved_") and "sym_" not in n]
    return fn.name(), {n: getattr(fn, n) for n in names}


x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], requires_grad=True)
c = torch.tensor([[2.0, 0.5], [1.0, 1.0]])
for y in (x * c, x * x, x + 1, x.exp(), x.sin(), x ** 2, x.pow(2.5), x.sum(), x.sum(0), x.sum(1, keepdim=True), x.mean(0),
          x.max(1)[0], x.relu(), x.tanh(), x.softmax(1), x.view(4), x.t(), x[0], x[:, 1], x.clamp(1, 2),
          x / c, x @ c, c @ x, x.unsqueeze(1), x.expand(3, 2, 2), torch.cat([x, c]), torch.stack([x, c], 1),
          x.std(0), F.leaky_relu(x, 0.2), x.permute(1, 0), x.cumsum(1),
          x.log_softmax(0), x.masked_fill(c > 1, 0.0), x.index_select(0, torch.tensor([1])), x.transpose(0, 1), x.repeat(2, 1), x.flip(0),
          x.diagonal(), x.triu(1), x.log(), x.sqrt(), x.abs(), torch.maximum(x, c), x.logsumexp(1),
          x.sort(1)[0], x.select(0, 1), x.squeeze(), x.reciprocal()):
    print(*saved(y))
