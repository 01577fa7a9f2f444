"""Learning rate schedulers: the rates they give."""
import warnings
import torch
from torch.optim import lr_scheduler as S

def rates(make, n=8, metric=None, **kw):
    p = torch.zeros(1, requires_grad=True)
    opt = torch.optim.SGD([p], lr=1.0, momentum=0.9)
    s = make(opt)
    out = []
    for k in range(n):
        out.append(round(opt.param_groups[0]["lr"], 5))
        opt.step()
        s.step(metric[k]) if metric else s.step()
    return out
print(rates(lambda o: S.StepLR(o, step_size=3, gamma=0.5)))
print(rates(lambda o: S.MultiStepLR(o, milestones=[2, 5], gamma=0.1)))
print(rates(lambda o: S.ExponentialLR(o, gamma=0.9)))
print(rates(lambda o: S.CosineAnnealingLR(o, T_max=5, eta_min=0.1)))
print(rates(lambda o: S.LambdaLR(o, lr_lambda=lambda e: 1 / (e + 1))))
print(rates(lambda o: S.MultiplicativeLR(o, lambda e: 0.8)))
print(rates(lambda o: S.LinearLR(o, start_factor=0.25, total_iters=4)))
print(rates(lambda o: S.ConstantLR(o, factor=0.5, total_iters=3)))
print(rates(lambda o: S.PolynomialLR(o, total_iters=5, power=2)))
print(rates(lambda o: S.CyclicLR(o, base_lr=0.1, max_lr=1.0, step_size_up=3)))
print(rates(lambda o: S.OneCycleLR(o, max_lr=1.0, total_steps=10)))
print(rates(lambda o: S.CosineAnnealingWarmRestarts(o, T_0=3)))
print(rates(lambda o: S.ReduceLROnPlateau(o, patience=1, factor=0.5), metric=[1, 1, 1, 1, 0.5, 0.5, 0.5, 0.5]))
print(rates(lambda o: S.SequentialLR(o, [S.ConstantLR(o, 0.1, 2), S.ExponentialLR(o, 0.5)], milestones=[2])))
print(rates(lambda o: S.ChainedScheduler([S.StepLR(o, 2), S.ExponentialLR(o, 0.9)])))
p = torch.zeros(1, requires_grad=True)
opt = torch.optim.SGD([p], lr=0.1)
s = S.StepLR(opt, 2)
print(s.get_last_lr(), s.last_epoch, sorted(s.state_dict()))
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    s.step()
print(s.last_epoch, s.base_lrs, len(caught))
t = S.StepLR(opt, 2)
t.load_state_dict(s.state_dict())
print(t.last_epoch, t.gamma, t.step_size)
