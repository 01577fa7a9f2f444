"""Adam and AdamW, with weight decay, amsgrad and other betas."""

import torch

options = [(torch.optim.Adam, dict(lr=0.1)), (torch.optim.Adam, dict(lr=0.1, betas=(0.5, 0.9), eps=1e-3)), (torch.optim.Adam, dict(lr=0.1, weight_decay=0.1)),
           (torch.optim.Adam, dict(lr=0.1, amsgrad=True)), (torch.optim.AdamW, dict(lr=0.1)), (torch.optim.AdamW, dict(lr=0.1, weight_decay=0.5, amsgrad=True)),
           (torch.optim.Adam, dict(lr=0.1, maximize=True))]
for cls, o in options:
    w = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    opt = cls([w], **o)
    for _ in range(5):
        opt.zero_grad()
        ((w - 1) ** 2).sum().backward()
        opt.step()
    print(cls.__name__, o, w.data)
    print({k: (v if torch.is_tensor(v) else v) for k, v in opt.state[w].items()})
for bad in (dict(lr=-1), dict(betas=(1.0, 0.9)), dict(eps=-1)):
    try:
        torch.optim.Adam([torch.ones(1, requires_grad=True)], **bad)
    except ValueError as err:
        print(err)
