"""SGD with momentum, dampening, Nesterov, weight decay and maximize."""

import torch

options = [dict(lr=0.1), dict(lr=0.1, momentum=0.9), dict(lr=0.1, momentum=0.9, dampening=0.5), dict(lr=0.1, momentum=0.9, nesterov=True),
           dict(lr=0.1, weight_decay=0.1), dict(lr=0.1, momentum=0.9, weight_decay=0.01, nesterov=True), dict(lr=0.1, maximize=True)]
for o in options:
    w = torch.tensor([1.0, -2.0, 3.0], requires_grad=True)
    opt = torch.optim.SGD([w], **o)
    for _ in range(4):
        opt.zero_grad()
        (w**2).sum().backward()
        opt.step()
    print(o, w.data)
for bad, facts in ((dict(lr=-1), ["learning rate", "-1"]), (dict(lr=0.1, momentum=-1), ["momentum", "-1"]),
                   (dict(lr=0.1, nesterov=True), ["momentum", "dampening"]), (dict(lr=0.1, weight_decay=-1), ["weight_decay", "-1"])):
    try:
        torch.optim.SGD([torch.ones(1, requires_grad=True)], **bad)
    except ValueError as err:
        print(type(err).__name__, [fact in str(err) for fact in facts])
