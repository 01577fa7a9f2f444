"""Cross entropy from scratch in five ways, with their gradients; label smoothing; focal loss."""

import torch
import torch.nn.functional as F

logits = torch.tensor(
    [[2.0, -1.0, 0.5], [0.1, 0.2, 0.3], [-3.0, 4.0, 1.0]], dtype=torch.float64, requires_grad=True
)
y = torch.tensor([0, 2, 1])
onehot = F.one_hot(y, num_classes=3)
forms = {
    "built": lambda: F.cross_entropy(logits, y),
    "nll": lambda: F.nll_loss(F.log_softmax(logits, dim=-1), y),
    "gather": lambda: -logits.log_softmax(1).gather(1, y[:, None]).mean(),
    "index": lambda: -(logits.softmax(1)[torch.arange(3), y]).log().mean(),
    "lse": lambda: (logits.logsumexp(1) - (logits * onehot).sum(1)).mean(),
    "prob": lambda: F.cross_entropy(logits, onehot.double()),
    "kl": lambda: F.kl_div(logits.log_softmax(1), onehot.double(), reduction="batchmean"),
}
for name, f in forms.items():
    logits.grad = None
    loss = f()
    loss.backward()
    print(name, loss, logits.grad, type(loss.grad_fn).__name__)
expected = (logits.softmax(1) - onehot) / 3
print(torch.allclose(expected, logits.grad), onehot, onehot.dtype)
smooth = F.cross_entropy(logits, y, label_smoothing=0.2)
q = onehot * 0.8 + 0.2 / 3
print(smooth, -(q * logits.log_softmax(1)).sum(1).mean())
pt = logits.softmax(1).gather(1, y.view(-1, 1)).squeeze(1)
focal = -((1 - pt) ** 2 * pt.log()).mean()
logits.grad = None
focal.backward()
print(focal, logits.grad)
acc = (logits.argmax(dim=1) == y).double().mean()
top2 = (logits.topk(2, dim=1).indices == y[:, None]).any(1)
print(
    acc,
    top2,
    logits.max(1).values,
    logits.detach().sort(1, descending=True).indices[:, 0],
    torch.eq(logits.argmax(1), y).sum().item(),
)
w = torch.tensor([1.0, 2.0, 0.5], dtype=torch.float64)
print(
    F.cross_entropy(logits, y, weight=w),
    F.cross_entropy(logits, y, weight=w, reduction="sum") / w[y].sum(),
    F.cross_entropy(logits, y, ignore_index=2, reduction="none"),
)
H = torch.autograd.functional.hessian(lambda t: F.cross_entropy(t, y[:1]), logits.detach()[:1])
print(H.squeeze())
