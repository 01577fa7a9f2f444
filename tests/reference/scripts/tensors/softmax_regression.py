"""Softmax regression by hand, with log-sum-exp and one-hot targets."""
import torch
import torch.nn.functional as F

X = torch.tensor([[1.0, 2.0], [2.0, 1.0], [-1.0, -1.5], [0.5, -2.0]])
y = torch.tensor([0, 1, 2, 2])
W = torch.zeros(2, 3, requires_grad=True)
b = torch.zeros(3, requires_grad=True)
one_hot = F.one_hot(y, 3)
print(one_hot, one_hot.dtype)
for step in range(3):
    logits = X @ W + b
    log_probs = logits - logits.logsumexp(dim=1, keepdim=True)
    loss = -(one_hot * log_probs).sum(1).mean()
    print(step, loss, F.cross_entropy(logits, y), F.nll_loss(F.log_softmax(logits, 1), y))
    loss.backward()
    manual = X.t() @ (logits.softmax(1) - one_hot).detach() / 4
    print(torch.allclose(manual, W.grad), W.grad, b.grad)
    with torch.no_grad():
        for p in (W, b):
            p.sub_(p.grad)
            p.grad.zero_()
print(W, b)
probs = torch.softmax(X @ W + b, dim=-1)
print(probs, probs.sum(1), probs.max(1), probs.argmax(1) == y)
print(log_probs.gather(1, y[:, None]), log_probs[range(4), y], log_probs[torch.arange(4), y].mean())
print(F.cross_entropy(logits, y, reduction="none"), F.cross_entropy(logits, y, reduction="sum"), F.cross_entropy(logits, y, weight=torch.tensor([1.0, 2.0, 3.0])), F.cross_entropy(logits, y, label_smoothing=0.1), F.cross_entropy(logits, y, ignore_index=2), F.cross_entropy(logits, one_hot.float()))
for g in (lambda: F.cross_entropy(logits, y.float()), lambda: F.cross_entropy(logits, torch.tensor([0, 1, 2, 3])), lambda: F.cross_entropy(logits, y[:2]), lambda: F.one_hot(y, 2), lambda: F.one_hot(y.float()), lambda: F.nll_loss(logits, one_hot), lambda: F.mse_loss(logits, logits, reduction="nope")):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
print(F.one_hot(y), F.one_hot(torch.tensor([]).long(), 3).shape)
print(logits, logits.grad_fn.name(), loss.grad_fn.next_functions[0][0].name())
