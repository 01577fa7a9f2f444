"""Loss modules with each reduction, and their gradients."""
import torch
from torch import nn

x = torch.tensor([[0.5, -1.0, 2.0], [1.5, 0.0, -0.5]], requires_grad=True)
t = torch.tensor([[1.0, 0.0, 1.0], [0.0, 1.0, 0.5]])
k = torch.tensor([2, 0])
for name in ("MSELoss", "L1Loss", "SmoothL1Loss", "HuberLoss", "BCEWithLogitsLoss", "SoftMarginLoss"):
    for red in ("mean", "sum", "none"):
        loss = getattr(nn, name)(reduction=red)
        v = loss(x, t)
        x.grad = None
        v.sum().backward()
        print(name, red, v.detach(), type(v.grad_fn).__name__, x.grad[0])
for red in ("mean", "sum", "none"):
    v = nn.CrossEntropyLoss(reduction=red)(x, k)
    x.grad = None
    v.sum().backward()
    print("ce", red, v, x.grad)
    v = nn.NLLLoss(reduction=red)(x.log_softmax(1), k)
    print("nll", red, v)
    v = nn.KLDivLoss(reduction=red)(x.log_softmax(1), t.softmax(1))
    print("kl", red, v)
    v = nn.BCELoss(reduction=red)(x.sigmoid(), t)
    print("bce", red, v)
    v = nn.PoissonNLLLoss(reduction=red)(x, t)
    print("poisson", red, v)
print(nn.CrossEntropyLoss(weight=torch.tensor([1.0, 2.0, 0.5]))(x, k), nn.CrossEntropyLoss(ignore_index=0)(x, k), nn.CrossEntropyLoss(label_smoothing=0.2)(x, k), nn.CrossEntropyLoss()(x, t.softmax(1)), nn.BCEWithLogitsLoss(pos_weight=torch.tensor([1.0, 2.0, 3.0]))(x, t), nn.BCELoss(weight=torch.tensor([1.0, 0.0, 1.0]))(x.sigmoid(), t))
print(nn.CosineEmbeddingLoss()(x, t, torch.tensor([1, -1])), nn.MarginRankingLoss(margin=0.5)(x[0], x[1], torch.tensor([1.0, -1.0, 1.0])), nn.TripletMarginLoss()(x, t, -t), nn.HingeEmbeddingLoss()(x, torch.sign(t - 0.5)), nn.MultiMarginLoss()(x, k), nn.GaussianNLLLoss()(x, t, torch.ones(2, 3)))
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    print(nn.MSELoss()(x, torch.ones(3)), len(caught))
for f in (lambda: nn.MSELoss()(x, torch.ones(4)), lambda: nn.CrossEntropyLoss()(x, torch.tensor([3, 0])), lambda: nn.CrossEntropyLoss()(x, torch.tensor([0.5, 1.0])), lambda: nn.BCELoss()(x, t), lambda: nn.NLLLoss()(x, torch.tensor([[0], [1]])), lambda: nn.MSELoss(reduction="bad")(x, t), lambda: nn.BCELoss()(x.sigmoid(), k), lambda: nn.L1Loss()(x), lambda: nn.CrossEntropyLoss()(x[0], torch.tensor(1))):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
