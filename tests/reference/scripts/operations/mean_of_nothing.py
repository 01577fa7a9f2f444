"""Losses, norms and statistics on empty batches."""

import torch
import torch.nn.functional as F

e = torch.empty(0, 3, requires_grad=True)
t = torch.empty(0, 3)
for name, f in {
    "mse": lambda: F.mse_loss(e, t),
    "mses": lambda: F.mse_loss(e, t, reduction="sum"),
    "l1": lambda: F.l1_loss(e, t),
    "ce": lambda: F.cross_entropy(e, torch.empty(0, dtype=torch.long)),
    "ces": lambda: F.cross_entropy(e, torch.empty(0, dtype=torch.long), reduction="sum"),
    "bce": lambda: F.binary_cross_entropy_with_logits(e, t),
    "sum": lambda: e.sum(),
    "mean": lambda: e.mean(),
    "mean0": lambda: e.mean(0),
    "sum0": lambda: e.sum(0),
    "norm": lambda: e.norm(),
    "prod": lambda: e.prod(),
    "std": lambda: e.std(),
    "lse": lambda: e.logsumexp(0),
    "softmax": lambda: e.softmax(1),
    "mm": lambda: e @ torch.ones(3, 2),
    "mmt": lambda: e.t() @ e,
    "linear": lambda: F.linear(e, torch.ones(2, 3)),
    "relu": lambda: F.relu(e),
    "cat": lambda: torch.cat([e, torch.ones(1, 3)]),
    "stack": lambda: torch.stack([e, e]),
    "ln": lambda: F.layer_norm(e, (3,)),
    "conv": lambda: F.conv1d(e[:, None], torch.ones(1, 1, 2)),
    "emb": lambda: F.embedding(torch.empty(0, dtype=torch.long), torch.ones(4, 2)),
    "index": lambda: e[torch.empty(0, dtype=torch.long)],
    "mask": lambda: e[e > 0],
    "max1": lambda: e.max(1).values,
    "max0": lambda: e.max(0),
    "argmax": lambda: e.argmax(),
    "sort": lambda: e.sort(1).values,
    "topk": lambda: e.topk(1, 1).values,
    "cumsum": lambda: e.cumsum(0),
    "view": lambda: e.view(3, 0),
    "var0": lambda: e.var(0),
    "quantile": lambda: e.quantile(0.5),
    "cdist": lambda: torch.cdist(e, e),
    "einsum": lambda: torch.einsum("ij,ij->i", e, e),
    "normalize": lambda: F.normalize(e),
    "dropout": lambda: F.dropout(e),
    "unique": lambda: e.detach().unique(),
    "nonzero": lambda: e.nonzero(),
    "any": lambda: e.any(),
    "all": lambda: e.all(),
    "median": lambda: e.median(),
    "clamp": lambda: e.clamp(0),
    "where": lambda: torch.where(e > 0, e, t),
    "repeat": lambda: e.repeat(2, 1),
    "flip": lambda: e.flip(0),
    "outer": lambda: torch.outer(e[:, 0], e[:, 0]),
    "trace": lambda: torch.empty(0, 0).trace(),
    "det": lambda: torch.empty(0, 0).det(),
    "kron": lambda: torch.kron(e, torch.ones(2, 2)),
    "amax": lambda: e.amax(1),
    "amaxall": lambda: e.amax(),
    "item": lambda: e.sum().item(),
    "mode": lambda: e.mode(1),
}.items():
    e.grad = None
    try:
        y = f()
        print(name, y, getattr(y, "shape", None))
        if isinstance(y, torch.Tensor) and y.requires_grad:
            y.sum().backward()
            print("  ", e.grad)
    except Exception as error:
        print(name, type(error).__name__)
