"""A user's own Optimizer subclass, with state, groups and hooks."""
import torch
from torch.optim import Optimizer

class SignSGD(Optimizer):
    def __init__(self, params, lr=0.1, decay=0.5):
        if lr <= 0:
            raise ValueError("lr")
        super().__init__(params, dict(lr=lr, decay=decay))
    @torch.no_grad()
    def step(self, closure=None):
        loss = None
        if closure is not None:
            with torch.enable_grad():
                loss = closure()
        for group in self.param_groups:
            for p in group["params"]:
                if p.grad is None:
                    continue
                state = self.state[p]
                if len(state) == 0:
                    state["step"] = 0
                    state["avg"] = torch.zeros_like(p)
                state["step"] += 1
                state["avg"].mul_(group["decay"]).add_(p.grad, alpha=1 - group["decay"])
                p.add_(state["avg"].sign(), alpha=-group["lr"])
        return loss
a = torch.tensor([1.0, -1.0], requires_grad=True)
b = torch.tensor([[2.0]], dtype=torch.float64, requires_grad=True)
opt = SignSGD([{"params": [a]}, {"params": [b], "lr": 0.5}])
def closure():
    opt.zero_grad()
    loss = (a ** 2).sum() + (b ** 2).sum()
    loss.backward()
    return loss
for _ in range(3):
    print(opt.step(closure), a, b)
try:
    Optimizer([a], {}).step()
except NotImplementedError as e:
    print(type(e).__name__)
print(a, b)
