"""saved_tensors_hooks: what is packed and unpacked, and when."""
import torch
from torch.autograd.graph import saved_tensors_hooks

log = []


def pack(t):
    log.append(("pack", tuple(t.shape), t.requires_grad, t.grad_fn is not None))
    return t


def unpack(t):
    log.append(("unpack", tuple(t.shape)))
    return t


x = torch.tensor([1.0, 2.0, 3.0], requires_grad=True)
w = torch.ones(3, requires_grad=True) * 2
with saved_tensors_hooks(pack, unpack):
    for f in (lambda: x * w, lambda: x * 3, lambda: x.exp(), lambda: x.sum(), lambda: x ** 2, lambda: x.relu(),
              lambda: x.softmax(0), lambda: x.max(0)[0], lambda: x[torch.tensor([0, 1])], lambda: x / 2,
              lambda: torch.where(x > 1, x, w), lambda: x.std(), lambda: x.prod(), lambda: x.norm(),
              lambda: x.detach() * w, lambda: x.detach() * 2, lambda: torch.cat([x, w]), lambda: x.sigmoid(), lambda: x.clamp(1, 2)):
        log.clear()
        y = f()
        packs = list(log)
        log.clear()
        if y.requires_grad:
            y.sum().backward(retain_graph=True)
        print(packs, log)
x.grad = None
with saved_tensors_hooks(lambda t: t * 10, lambda t: t):
    y = x * x
with saved_tensors_hooks(lambda t: ("outer", t), lambda p: p[1]):
    with saved_tensors_hooks(lambda t: t.numpy() if not t.requires_grad else t.detach().numpy(), torch.from_numpy):
        z = x.exp()
    v = x.sin()
(y.sum() + z.sum() + v.sum()).backward()
print(x.grad)
for bad_pack, bad_unpack in ((lambda t: 1 / 0, lambda t: t), (lambda t: t, lambda t: 5), (lambda t: t, lambda t: t[0]),
                             (lambda t: t.mul_(2), lambda t: t)):
    try:
        with saved_tensors_hooks(bad_pack, bad_unpack):
            y = (x * 1).exp()
        y.sum().backward()
        print("ok")
    except Exception as e:
        print(type(e).__name__)
