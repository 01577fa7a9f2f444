"""What losses, distances and normalizations give beyond their values: dtypes, states, zeros, weights."""
import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0], [1.0, 4.0], [3.0, 4.0]], requires_grad=True)
for distances in (torch.cdist(x, x.detach()[1:], p=0.0), F.pdist(x, p=0.0)):
    x.grad = None
    distances.sum().backward()
    print(distances.detach(), x.grad)

m, v = torch.tensor([0.5, -0.25]), torch.tensor([0.5, 1.5])
y = torch.arange(12.0).reshape(2, 2, 3) ** 1.5
print(F.instance_norm(y, m, v, momentum=0.25).shape, m, v)
print(F.instance_norm(y, m, v, use_input_stats=False).sum(), m, v)

a = torch.tensor([1.0, 2.0], dtype=torch.bfloat16, requires_grad=True)
print(F.cosine_embedding_loss(a, -a, torch.tensor(1.0, dtype=torch.bfloat16)).dtype)

weight = torch.tensor([0.5, 2.0, 1.0])
scores = torch.tensor([[0.5, 1.0, -1.0], [2.0, 0.25, 0.0]], requires_grad=True)
for reduction in ("none", "sum", "mean"):
    print(F.mse_loss(scores, scores.detach() + 1, reduction=reduction, weight=weight.expand(2, 3)))
    print(F.l1_loss(scores, scores.detach() + 1, reduction=reduction, weight=weight.expand(2, 3)))
    print(F.huber_loss(scores, scores.detach() + 2, reduction=reduction, weight=weight.expand(2, 3)))
    print(F.cross_entropy(scores, torch.tensor([0, 2]), weight, reduction=reduction, label_smoothing=0.25))

logs = torch.zeros(4, 2, 3).log_softmax(2)
args = (torch.tensor([[1, 2], [2, 2]]), (4, 3), (2, 2))
for reduction in ("none", "sum", "mean"):
    print(F.ctc_loss(logs, *args, reduction=reduction))
print(F.ctc_loss(logs, args[0], (2, 2), (2, 2), zero_infinity=True, reduction="none"))
print(F.ctc_loss(logs, args[0], (2, 2), (2, 2), reduction="none"))

wrong = (
    lambda: F.ctc_loss(logs.half(), *args),
    lambda: F.mse_loss(scores, scores.detach(), weight=weight),
    lambda: F.group_norm(y, 2, weight),
    lambda: F.batch_norm(y, m, v, weight),
    lambda: F.prelu(torch.tensor(-2.0), weight),
)
for attempt in wrong:
    try:
        print(attempt())
    except Exception as error:
        print(type(error).__name__)
print(F.prelu(torch.tensor(-2.0), weight[:1]))
