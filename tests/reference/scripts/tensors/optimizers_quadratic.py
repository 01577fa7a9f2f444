"""Each optimizer, five steps on one quadratic bowl."""
import torch

def run(name, **kw):
    p = torch.tensor([1.0, -2.0], dtype=torch.float64, requires_grad=True)
    opt = getattr(torch.optim, name)([p], **kw)
    for _ in range(5):
        opt.zero_grad()
        loss = (p ** 2 * torch.tensor([1.0, 3.0])).sum()
        loss.backward()
        opt.step()
    state = opt.state[p]
    print(name, kw, p, sorted(state.keys()), p.grad)
    return opt
run("SGD", lr=0.1)
run("SGD", lr=0.1, momentum=0.9)
run("SGD", lr=0.1, momentum=0.9, nesterov=True, weight_decay=0.01)
run("SGD", lr=0.1, momentum=0.9, dampening=0.5, maximize=True)
run("Adam", lr=0.1)
run("Adam", lr=0.1, amsgrad=True, weight_decay=0.1, betas=(0.8, 0.9), eps=1e-6)
run("AdamW", lr=0.1)
run("AdamW", lr=0.1, weight_decay=0.5, maximize=True)
run("RMSprop", lr=0.1)
run("RMSprop", lr=0.1, alpha=0.9, momentum=0.5, centered=True)
run("Adagrad", lr=0.5)
run("Adagrad", lr=0.5, lr_decay=0.1, initial_accumulator_value=0.2)
run("Adadelta", lr=1.0)
run("Adamax", lr=0.1)
run("NAdam", lr=0.1)
run("RAdam", lr=0.1)
run("ASGD", lr=0.1)
run("Rprop", lr=0.1)
for bad in (dict(lr=-1), dict(lr=0.1, momentum=-1), dict(lr=0.1, nesterov=True)):
    try:
        run("SGD", **bad)
    except Exception as e:
        print(type(e).__name__)
for bad in (dict(lr=0.1, betas=(1.0, 0.9)), dict(lr=0.1, eps=-1)):
    try:
        run("Adam", **bad)
    except Exception as e:
        print(type(e).__name__)
for args in ([], torch.ones(1, requires_grad=True), [torch.ones(1, requires_grad=True) * 2], ["a"]):
    try:
        print(torch.optim.SGD(args, lr=0.1))
    except Exception as e:
        print(type(e).__name__)
