"""Losses of regression and classification, in each reduction."""

import torch
import torch.nn.functional as F

x = torch.tensor([[0.2, 0.7], [0.9, 0.4]], dtype=torch.float64, requires_grad=True)
t = torch.tensor([[0.0, 1.0], [1.0, 0.4]], dtype=torch.float64)
c = torch.tensor([1, 0])
fs = {
    "mse": F.mse_loss,
    "l1": F.l1_loss,
    "smooth": F.smooth_l1_loss,
    "huber": lambda a, b, **k: F.huber_loss(a, b, delta=0.3, **k),
    "bce": F.binary_cross_entropy,
    "bcel": F.binary_cross_entropy_with_logits,
    "ce": lambda a, b, **k: F.cross_entropy(a, c, **k),
    "cew": lambda a, b, **k: F.cross_entropy(
        a, c, weight=torch.tensor([1.0, 3.0], dtype=torch.float64), **k
    ),
    "cels": lambda a, b, **k: F.cross_entropy(a, c, label_smoothing=0.1, **k),
    "cep": F.cross_entropy,
    "nll": lambda a, b, **k: F.nll_loss(a.log_softmax(1), c, **k),
    "ign": lambda a, b, **k: F.cross_entropy(a, torch.tensor([1, -100]), **k),
    "kl": F.kl_div,
    "klt": lambda a, b, **k: F.kl_div(a, b, log_target=True, **k),
    "poisson": F.poisson_nll_loss,
    "gauss": lambda a, b, **k: F.gaussian_nll_loss(
        a, b, torch.ones(2, 2, dtype=torch.float64), **k
    ),
    "soft": lambda a, b, **k: F.soft_margin_loss(a, b * 2 - 1, **k),
    "hinge": lambda a, b, **k: F.hinge_embedding_loss(a, torch.tensor([[1, -1], [-1, 1]]), **k),
    "mm": lambda a, b, **k: F.multi_margin_loss(a, c, **k),
    "mls": lambda a, b, **k: F.multilabel_soft_margin_loss(a, b, **k),
    "rank": lambda a, b, **k: F.margin_ranking_loss(
        a[0], a[1], torch.tensor([1.0, -1.0], dtype=torch.float64), **k
    ),
    "cos": lambda a, b, **k: F.cosine_embedding_loss(a, b, torch.tensor([1, -1]), **k),
    "trip": lambda a, b, **k: F.triplet_margin_loss(a, b, b.flip(0), **k),
}
for name, f in fs.items():
    for how in ("none", "mean", "sum"):
        x.grad = None
        y = f(x, t, reduction=how)
        y.sum().backward()
        print(name, how, y.detach(), y.grad_fn.name(), x.grad)
for bad in [
    lambda: F.mse_loss(x, t, reduction="avg"),
    lambda: F.cross_entropy(x, torch.tensor([2, 0])),
    lambda: F.cross_entropy(x, torch.tensor([0])),
    lambda: F.binary_cross_entropy(x * 3, t),
    lambda: F.nll_loss(x, c.float()),
    lambda: F.mse_loss(x, torch.ones(3)),
    lambda: F.cross_entropy(x, c.int()),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
