"""What is inside optimizer state, for each optimizer, after two steps."""
import torch
for name, kw in (("SGD", dict(momentum=0.9)), ("SGD", {}), ("Adam", {}), ("Adam", dict(amsgrad=True)), ("AdamW", {})):
    p = torch.tensor([1.0, -2.0], requires_grad=True)
    o = getattr(torch.optim, name)([p], lr=0.1, **kw)
    for _ in range(2):
        o.zero_grad()
        (p ** 2).sum().backward()
        o.step()
    print(name, kw, {k: v for k, v in o.state[p].items()}, p)
    print({k: v for k, v in o.param_groups[0].items() if k != "params"})
    print(o.state_dict()["param_groups"], type(o.state).__name__, len(o.state))
