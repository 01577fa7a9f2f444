"""RMSprop, Adagrad, Adadelta, Adamax, NAdam, RAdam, ASGD, Rprop."""

import torch

for name, o in [("RMSprop", dict(lr=0.01)), ("RMSprop", dict(lr=0.01, momentum=0.9, centered=True, weight_decay=0.1)), ("Adagrad", dict(lr=0.1)),
                ("Adagrad", dict(lr=0.1, lr_decay=0.1, initial_accumulator_value=0.5)), ("Adadelta", dict(lr=1.0)), ("Adamax", dict(lr=0.1)),
                ("NAdam", dict(lr=0.1)), ("RAdam", dict(lr=0.1)), ("ASGD", dict(lr=0.1)), ("Rprop", dict(lr=0.1))]:
    w = torch.tensor([1.0, -2.0, 3.0], dtype=torch.float64, requires_grad=True)
    opt = getattr(torch.optim, name)([w], **o)
    for _ in range(6):
        opt.zero_grad()
        ((w - 1) ** 2).sum().backward()
        opt.step()
    print(name, o, w.data)
