"""Losses as people combine them: penalties, triplets, contrastive, hinge, dice, quantile loss."""

import torch
import torch.nn.functional as F

w = torch.tensor([[0.5, -1.0], [2.0, 0.1]], dtype=torch.float64, requires_grad=True)
x = torch.tensor([[1.0, 2.0], [-1.0, 0.5], [0.0, 3.0]], dtype=torch.float64)
y = torch.tensor([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]], dtype=torch.float64)
out = lambda: x @ w.t()
losses = {
    "ridge": lambda: F.mse_loss(out(), y) + 0.25 * w.pow(2).sum(),
    "lasso": lambda: F.mse_loss(out(), y) + 0.1 * w.abs().sum(),
    "elastic": lambda: F.l1_loss(out(), y) + 0.1 * w.norm(1) + 0.1 * w.norm(2) ** 2,
    "group": lambda: w.norm(dim=1).sum(),
    "nuc": lambda: torch.linalg.matrix_norm(w, "nuc"),
    "spectral": lambda: torch.linalg.matrix_norm(w, 2),
    "hinge": lambda: F.relu(1 - out() * (2 * y - 1)).mean(),
    "sqhinge": lambda: (1 - out() * (2 * y - 1)).clamp(min=0).square().mean(),
    "logistic": lambda: F.softplus(-out() * (2 * y - 1)).sum(),
    "bce": lambda: F.binary_cross_entropy(out().sigmoid(), y),
    "bcel": lambda: F.binary_cross_entropy_with_logits(
        out(), y, pos_weight=torch.tensor([2.0, 0.5], dtype=torch.float64)
    ),
    "dice": lambda: 1 - 2 * (out().sigmoid() * y).sum() / (out().sigmoid().sum() + y.sum()),
    "pinball": lambda: torch.max(0.9 * (y - out()), -0.1 * (y - out())).mean(),
    "logcosh": lambda: torch.log(torch.cosh(out() - y)).mean(),
    "triplet": lambda: F.triplet_margin_loss(out()[:1], out()[1:2], out()[2:], margin=2.0),
    "contrast": lambda: F.cosine_embedding_loss(out(), y, torch.tensor([1, -1, 1])),
    "infonce": lambda: F.cross_entropy(
        F.normalize(out()) @ F.normalize(y).t() / 0.5, torch.arange(3)
    ),
    "kl": lambda: F.kl_div(out().log_softmax(1), y.softmax(1), reduction="batchmean"),
    "js": lambda: (
        lambda p, q: (
            0.5 * (p * (p / (0.5 * (p + q))).log()).sum()
            + 0.5 * (q * (q / (0.5 * (p + q))).log()).sum()
        )
    )(out().softmax(1), y.softmax(1)),
    "entropy": lambda: -(out().softmax(1) * out().log_softmax(1)).sum(1).mean(),
    "tv": lambda: out().diff(dim=0).abs().mean(),
    "orth": lambda: (w.t() @ w - torch.eye(2)).pow(2).sum(),
    "logdet": lambda: -torch.logdet(w.t() @ w),
    "smooth": lambda: F.smooth_l1_loss(out(), y, beta=0.5),
    "huber": lambda: F.huber_loss(out(), y, delta=0.7),
    "poisson": lambda: F.poisson_nll_loss(out(), y),
    "gauss": lambda: F.gaussian_nll_loss(out(), y, torch.ones(3, 2, dtype=torch.float64)),
    "rank": lambda: F.margin_ranking_loss(
        out()[:, 0], out()[:, 1], torch.tensor([1.0, -1.0, 1.0], dtype=torch.float64), margin=0.5
    ),
    "mlsm": lambda: F.multilabel_soft_margin_loss(out(), y),
    "soft": lambda: F.soft_margin_loss(out(), 2 * y - 1),
    "multi": lambda: F.multi_margin_loss(out(), torch.tensor([0, 1, 1])),
    "he": lambda: F.hinge_embedding_loss(out(), 2 * y - 1),
    "wmse": lambda: (torch.tensor([1.0, 2.0], dtype=torch.float64) * (out() - y) ** 2).mean(),
    "rmse": lambda: F.mse_loss(out(), y).sqrt(),
    "mape": lambda: ((y - out()) / (y + 1)).abs().mean(),
    "r2": lambda: 1 - (y - out()).square().sum() / (y - y.mean(0)).square().sum(),
    "pearson": lambda: torch.corrcoef(torch.stack([out().flatten(), y.flatten()]))[0, 1],
    "cov": lambda: torch.cov(out().t()).sum(),
}
for name, f in losses.items():
    w.grad = None
    loss = f()
    loss.backward()
    print(name, loss, w.grad)
