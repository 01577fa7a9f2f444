"""Saving an optimiser and going on from there gives the same numbers."""

import copy

import torch


def step(w, opt):
    opt.zero_grad()
    ((w - 3) ** 2).sum().backward()
    opt.step()


for make in (lambda p: torch.optim.SGD(p, lr=0.1, momentum=0.9), lambda p: torch.optim.Adam(p, lr=0.1)):
    w = torch.zeros(2, requires_grad=True)
    opt = make([w])
    for _ in range(3):
        step(w, opt)
    saved, at = copy.deepcopy(opt.state_dict()), w.detach().clone()
    print(sorted(saved), sorted(saved["state"][0]), saved["param_groups"][0]["lr"], saved["param_groups"][0]["params"])
    for _ in range(2):
        step(w, opt)
    v = at.clone().requires_grad_()
    opt2 = make([v])
    opt2.load_state_dict(saved)
    for _ in range(2):
        step(v, opt2)
    print(w.data, v.data, torch.equal(w, v))
    print(opt.state_dict()["state"][0])
