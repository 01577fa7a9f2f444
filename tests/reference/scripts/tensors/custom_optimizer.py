"""An optimiser of one's own, derived from torch.optim.Optimizer."""

import torch
from torch.optim import Optimizer


class SignSGD(Optimizer):
    def __init__(self, params, lr=0.1, decay=0.0):
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
                state["count"] = state.get("count", 0) + 1
                p.mul_(1 - group["decay"])
                p.add_(p.grad.sign(), alpha=-group["lr"])
        return loss


w = torch.tensor([1.0, -1.0], requires_grad=True)
opt = SignSGD([w], lr=0.25, decay=0.1)
print(opt)
for _ in range(3):
    opt.zero_grad()
    (w**2).sum().backward()
    opt.step()
    print(w)
print(opt.state[w], opt.state_dict())
print(opt.step(lambda: (w * 2).sum()), isinstance(opt, Optimizer), opt.defaults)
opt.step()
print(opt.param_groups[0]["lr"])
