"""Losses: reductions, weights, targets, gradients."""
import torch
import torch.nn.functional as F

x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.3, -0.7]], requires_grad=True)
t = torch.tensor([2, 0])
y = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.0]])
w = torch.tensor([1.0, 2.0, 0.5])
for name, f in {
    "ce": lambda r: F.cross_entropy(x, t, reduction=r),
    "ce weight": lambda r: F.cross_entropy(x, t, weight=w, reduction=r),
    "ce smooth": lambda r: F.cross_entropy(x, t, label_smoothing=0.1, reduction=r),
    "ce probs": lambda r: F.cross_entropy(x, y.softmax(1), reduction=r),
    "ce ignore": lambda r: F.cross_entropy(x, torch.tensor([2, -100]), reduction=r),
    "nll": lambda r: F.nll_loss(F.log_softmax(x, 1), t, reduction=r),
    "mse": lambda r: F.mse_loss(x, y, reduction=r),
    "l1": lambda r: F.l1_loss(x, y, reduction=r),
    "smooth": lambda r: F.smooth_l1_loss(x, y, reduction=r),
    "smooth beta": lambda r: F.smooth_l1_loss(x, y, reduction=r, beta=0.5),
    "huber": lambda r: F.huber_loss(x, y, reduction=r, delta=0.7),
    "bce": lambda r: F.binary_cross_entropy(x.sigmoid(), y, reduction=r),
    "bce logits": lambda r: F.binary_cross_entropy_with_logits(x, y, reduction=r),
    "bce pos": lambda r: F.binary_cross_entropy_with_logits(x, y, pos_weight=w, reduction=r),
    "kl": lambda r: F.kl_div(F.log_softmax(x, 1), y.softmax(1), reduction=r if r != "mean" else "batchmean"),
    "soft margin": lambda r: F.soft_margin_loss(x, y * 2 - 1, reduction=r),
    "poisson": lambda r: F.poisson_nll_loss(x, y, reduction=r),
    "gaussian": lambda r: F.gaussian_nll_loss(x, y, torch.full((2, 3), 0.5), reduction=r),
    "hinge": lambda r: F.hinge_embedding_loss(x, y * 2 - 1, reduction=r),
    "margin": lambda r: F.margin_ranking_loss(x[0], x[1], torch.tensor([1.0, -1.0, 1.0]), margin=0.5, reduction=r),
    "triplet": lambda r: F.triplet_margin_loss(x, y, y.flip(0), reduction=r),
    "cosine": lambda r: F.cosine_embedding_loss(x, y, torch.tensor([1, -1]), reduction=r),
    "multi margin": lambda r: F.multi_margin_loss(x, t, reduction=r),
    "multilabel": lambda r: F.multilabel_soft_margin_loss(x, y, reduction=r),
    "multilabel margin": lambda r: F.multilabel_margin_loss(x, torch.tensor([[2, -1, 0], [0, 1, -1]]), reduction=r),
}.items():
    for r in ("mean", "sum", "none"):
        x.grad = None
        loss = f(r)
        loss.sum().backward()
        print(name, r, loss, x.grad[0] if r == "mean" else x.grad.abs().sum())
