"""Values kept with and without clone during training."""
import torch

w = torch.tensor([1.0], requires_grad=True)
history, snapshots, numbers, details = [], [], [], []
for _ in range(3):
    loss = (w - 3).pow(2).sum()
    loss.backward()
    with torch.no_grad():
        w -= 0.25 * w.grad
        w.grad.zero_()
    history.append(w.data)
    snapshots.append(w.detach().clone())
    numbers.append(w.item())
    details.append(w.detach())
print(history, snapshots, numbers, details)
best = w.detach()
with torch.no_grad():
    w.fill_(0)
print(best, snapshots[-1])
state = {"w": w}
copy = {k: v.clone() for k, v in state.items()}
w.data.add_(5)
print(state["w"], copy["w"], copy["w"].requires_grad)
w.data.copy_(snapshots[0])
print(w)
