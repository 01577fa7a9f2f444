"""Walking over gradients: norms, stats, None checks, printing names."""
import torch
from torch import nn

torch.manual_seed(3)
model = nn.Sequential(nn.Linear(4, 8), nn.ReLU(), nn.Linear(8, 3), nn.LogSoftmax(dim=1))
print(type(model).__name__, type(model[0]), len(model))
x = torch.randn(5, 4)
target = torch.tensor([0, 1, 2, 1, 0])
loss = nn.NLLLoss()(model(x), target)
print(f"loss: {loss:.6f}", loss.grad_fn, loss.shape)
print([p.grad for p in model.parameters()])
loss.backward()
for name, p in model.named_parameters():
    print(f"{name:10s} {str(tuple(p.shape)):8s} norm={p.grad.norm():.5f} max={p.grad.abs().max():.5f} {p.grad.dtype} {p.grad.requires_grad}")
total = torch.sqrt(sum(p.grad.pow(2).sum() for p in model.parameters()))
print(f"{total:.5f}", total.requires_grad)
print(sum(p.numel() for p in model.parameters()), [p.numel() for p in model.parameters()])
print({n: p.grad is not None for n, p in model.named_parameters()})
flat = torch.cat([p.grad.view(-1) for p in model.parameters()])
print(flat.shape, flat[:4], flat.norm().item() == total.item() or abs(flat.norm().item() - total.item()) < 1e-6)
with torch.no_grad():
    for p in model.parameters():
        p -= 0.1 * p.grad
print(f"{nn.NLLLoss()(model(x), target).item():.6f}")
for p in model.parameters():
    p.grad = None
print(all(p.grad is None for p in model.parameters()))
for i, layer in enumerate(model):
    print(i, layer, sum(p.numel() for p in layer.parameters()), hasattr(layer, "weight"))
grads = torch.autograd.grad(nn.NLLLoss()(model(x), target), model.parameters())
print([tuple(g.shape) for g in grads], all(p.grad is None for p in model.parameters()))
print(next(model.parameters()).device, next(model.parameters()).dtype, next(iter(model.named_parameters()))[0])
print(model[0].weight.is_leaf, model[0].weight.t().is_leaf, model[0].weight.data.is_leaf, model[0].weight.requires_grad)
print(list(model.named_parameters())[0][1].shape, dict(model.named_parameters())["2.bias"].shape)
