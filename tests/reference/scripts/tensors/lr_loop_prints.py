"""A scheduler in a training loop: printed lr and loss each epoch."""
import torch
from torch import nn, optim

torch.manual_seed(0)
model = nn.Linear(2, 1)
with torch.no_grad():
    model.weight.copy_(torch.tensor([[0.5, -0.5]]))
    model.bias.zero_()
X = torch.tensor([[1.0, 2.0], [2.0, 0.5], [-1.0, 1.0], [0.0, 3.0]])
y = X @ torch.tensor([[2.0], [-1.0]]) + 0.5
optimizer = optim.SGD(model.parameters(), lr=0.1, momentum=0.9)
scheduler = optim.lr_scheduler.StepLR(optimizer, step_size=3, gamma=0.1)
print(scheduler.state_dict())
print(type(scheduler), type(optimizer))
for epoch in range(8):
    optimizer.zero_grad()
    loss = ((model(X) - y) ** 2).mean()
    loss.backward()
    optimizer.step()
    scheduler.step()
    print(f"epoch {epoch} loss {loss.item():.5f} lr {scheduler.get_last_lr()[0]:.6f} {optimizer.param_groups[0]['lr']:.1e} w {model.weight.data.flatten().tolist()[0]:.4f}")
print(scheduler.last_epoch, scheduler.get_last_lr(), scheduler.base_lrs, optimizer.param_groups[0]["initial_lr"])
print(scheduler.state_dict())
plateau = optim.lr_scheduler.ReduceLROnPlateau(optimizer, "min", factor=0.5, patience=0)
for m in (1.0, 0.9, 0.95, 0.99, 0.5):
    plateau.step(m)
    print(m, plateau.num_bad_epochs, plateau.best, optimizer.param_groups[0]["lr"])
warm = optim.lr_scheduler.LambdaLR(optimizer, lambda e: min(1.0, (e + 1) / 4))
print([(warm.step(), warm.get_last_lr()[0])[1] for _ in range(5)])
one = optim.lr_scheduler.OneCycleLR(optimizer, max_lr=0.1, steps_per_epoch=2, epochs=3)
for _ in range(5):
    optimizer.step()
    one.step()
    print(round(one.get_last_lr()[0], 6), round(optimizer.param_groups[0]["momentum"], 4))
two = optim.Adam([{"params": [model.weight]}, {"params": [model.bias], "lr": 0.5}], lr=0.1)
s2 = optim.lr_scheduler.ExponentialLR(two, 0.5)
two.step()
s2.step()
print(s2.get_last_lr(), [g["lr"] for g in two.param_groups])
try:
    s2.step("a")
except Exception as e:
    print(type(e).__name__)
