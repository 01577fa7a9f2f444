"""layer_norm, batch_norm, group_norm, instance_norm, normalize: values, gradients, statistics."""
import torch
import torch.nn.functional as F

x = torch.tensor([[1.0, 2.0, 4.0, -1.0], [0.5, -2.0, 3.0, 2.0], [3.0, 1.0, -2.0, 0.0]])
w = torch.tensor([1.0, 2.0, 0.5, 1.5], requires_grad=True)
b = torch.tensor([0.0, 1.0, 0.0, -1.0], requires_grad=True)
weight = torch.tensor([[0.0, 1.0, 2.0, 3.0], [3.0, 0.0, 5.0, -1.0], [1.0, 4.0, 0.0, 2.0]])
for name, f in {
    "layer": lambda t: F.layer_norm(t, (4,), w, b),
    "layer plain": lambda t: F.layer_norm(t, [4]),
    "layer eps": lambda t: F.layer_norm(t, t.shape[1:], eps=0.1),
    "batch": lambda t: F.batch_norm(t, None, None, w, b, training=True),
    "batch eval": lambda t: F.batch_norm(t, torch.zeros(4), torch.ones(4), w, b),
    "group": lambda t: F.group_norm(t, 1, w, b),
    "instance": lambda t: F.instance_norm(t.view(1, 3, 4)).view(3, 4),
    "normalize": lambda t: F.normalize(t),
    "normalize 1": lambda t: F.normalize(t, p=1, dim=0),
    "rms": lambda t: F.rms_norm(t, (4,), w),
    "local": lambda t: F.local_response_norm(t.view(3, 4, 1), 3).view(3, 4),
}.items():
    t = x.clone().requires_grad_()
    w.grad = b.grad = None
    y = f(t)
    (y * weight).sum().backward()
    print(name, y.grad_fn.name())
    print(y.detach(), t.grad, w.grad, b.grad)
mean, var = torch.zeros(4), torch.ones(4)
F.batch_norm(x, mean, var, training=True, momentum=0.5)
print(mean, var)
for bad in [lambda: F.layer_norm(x, (3,)), lambda: F.batch_norm(x[:1], None, None, training=True), lambda: F.group_norm(x, 3),
            lambda: F.batch_norm(x, None, None)]:
    try:
        bad()
    except (RuntimeError, ValueError) as e:
        print(type(e).__name__)
