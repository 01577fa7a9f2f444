"""torch.optim.lr_scheduler: StepLR, ExponentialLR, LambdaLR, CosineAnnealingLR and others."""

import torch
from torch.optim import lr_scheduler as S

makers = {
    "StepLR": lambda o: S.StepLR(o, step_size=2, gamma=0.1),
    "MultiStepLR": lambda o: S.MultiStepLR(o, milestones=[1, 3], gamma=0.5),
    "ExponentialLR": lambda o: S.ExponentialLR(o, gamma=0.9),
    "LambdaLR": lambda o: S.LambdaLR(o, lr_lambda=lambda epoch: 0.95**epoch),
    "CosineAnnealingLR": lambda o: S.CosineAnnealingLR(o, T_max=5),
    "LinearLR": lambda o: S.LinearLR(o, start_factor=0.5, total_iters=4),
    "ConstantLR": lambda o: S.ConstantLR(o, factor=0.5, total_iters=2),
}
for name, make in makers.items():
    w = torch.ones(1, requires_grad=True)
    opt = torch.optim.SGD([w], lr=1.0)
    sched = make(opt)
    rates = []
    for _ in range(6):
        opt.step()
        rates.append(round(opt.param_groups[0]["lr"], 6))
        sched.step()
    print(name, rates, [round(r, 6) for r in sched.get_last_lr()], sched.last_epoch)
w = torch.ones(1, requires_grad=True)
opt = torch.optim.SGD([w], lr=1.0)
plateau = S.ReduceLROnPlateau(opt, patience=1, factor=0.1)
for loss in (1.0, 0.9, 0.95, 0.96, 0.97, 0.5):
    plateau.step(loss)
    print(loss, opt.param_groups[0]["lr"])
