"""How optimisers print, and their groups."""

import torch

w = torch.ones(2, requires_grad=True)
b = torch.zeros(1, requires_grad=True)
print(torch.optim.SGD([w], lr=0.1))
print(torch.optim.Adam([{"params": [w]}, {"params": [b], "lr": 0.01}], lr=0.1))
opt = torch.optim.SGD([{"params": w, "lr": 0.5}, {"params": [b]}], lr=0.1, momentum=0.9)
for g in opt.param_groups:
    print(sorted(k for k in g), g["lr"], g["momentum"], len(g["params"]))
print(opt.defaults["lr"], opt.defaults["momentum"], opt.state_dict()["param_groups"][1]["params"])
opt.add_param_group({"params": [torch.ones(3, requires_grad=True)], "lr": 7.0})
print(len(opt.param_groups), opt.param_groups[2]["lr"], opt.param_groups[2]["momentum"])
for bad, facts in (([], ["empty parameter list"]), (w, ["params", "iterable of Tensors"]), ([w * 2], ["a non-leaf Tensor"]),
                   ([1.0], ["Tensor", "float"]), ([{"params": [w]}, {"params": [w]}], ["parameter", "group"])):
    try:
        torch.optim.SGD(bad, lr=0.1)
    except (TypeError, ValueError) as err:
        print(type(err).__name__, [fact in str(err) for fact in facts])
