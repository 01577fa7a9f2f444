"""The common losses and their reductions."""

import torch
import torch.nn.functional as F
from torch import nn

x = torch.tensor([[0.5, -1.0, 2.0], [0.1, 0.2, -0.3]], requires_grad=True)
t = torch.tensor([[0.0, 0.0, 1.0], [1.0, 0.5, 0.0]])
for f in (F.mse_loss, F.l1_loss, F.smooth_l1_loss, F.huber_loss, F.binary_cross_entropy_with_logits, F.soft_margin_loss, F.kl_div):
    for reduction in ("mean", "sum", "none"):
        out = f(x, t, reduction=reduction) if f is not F.kl_div or reduction != "mean" else f(x, t, reduction="batchmean")
        (g,) = torch.autograd.grad(out.sum(), x)
        print(f.__name__, reduction, out.detach(), g[0])
labels = torch.tensor([2, 0])
print(F.cross_entropy(x, labels), F.nll_loss(F.log_softmax(x, 1), labels), F.cross_entropy(x, t), F.cross_entropy(x, labels, label_smoothing=0.1))
print(F.cross_entropy(x, labels, weight=torch.tensor([1.0, 2.0, 3.0])), F.cross_entropy(x, torch.tensor([2, -100])), F.cross_entropy(x, labels, reduction="none"))
print(nn.BCELoss()(torch.sigmoid(x), t), nn.MSELoss(reduction="sum")(x, t), nn.L1Loss()(x, t), nn.NLLLoss()(x, labels), nn.HuberLoss(delta=0.5)(x, t))
try:
    F.mse_loss(x, t, reduction="nothing")
except ValueError as err:
    print(type(err).__name__)
try:
    F.cross_entropy(x, torch.tensor([3, 0]))
except (IndexError, RuntimeError) as err:
    print(type(err).__name__)
print(F.mse_loss(x, torch.zeros(3)))
