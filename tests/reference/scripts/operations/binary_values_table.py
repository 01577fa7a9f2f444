"""Each function of two tensors: values, both gradients, broadcast, node name."""

import torch

names = "add sub mul div true_divide divide multiply subtract pow float_power maximum minimum fmax fmin atan2 arctan2 hypot fmod remainder copysign xlogy logaddexp logaddexp2 ldexp heaviside".split()
for name in names:
    a = torch.tensor([[1.0, -2.0, 0.0]], dtype=torch.float64, requires_grad=True)
    b = torch.tensor([[2.0], [-0.5]], dtype=torch.float64, requires_grad=name != "heaviside")
    f = getattr(torch, name)
    y = f(a, b)
    print(name, y.detach(), y.grad_fn.name() if y.grad_fn else None, y.dtype)
    try:
        y.sum().backward()
    except RuntimeError as error:
        print(type(error).__name__)
    print(a.grad, b.grad)
    m = getattr(torch.Tensor, name, None)
    print(m is not None and torch.equal(m(a, b).nan_to_num(), y.nan_to_num()))
    print(f(torch.tensor([1, 2]), torch.tensor([2, 3])) if name != "float_power" else "")
print(
    torch.atan2(torch.tensor([0.0, -0.0, 1.0]), torch.tensor([-1.0, -1.0, 0.0])),
    torch.copysign(torch.tensor([1.0, -2.0]), -0.0),
)
print(
    torch.heaviside(torch.tensor([-1.0, 0.0, 2.0]), torch.tensor(0.5)),
    torch.hypot(torch.tensor(3.0), torch.tensor(4.0)),
)
print(torch.logaddexp(torch.tensor([-float("inf"), 1000.0]), torch.tensor([-float("inf"), 1000.0])))
x = torch.zeros(2, requires_grad=True)
torch.atan2(x, x).sum().backward()
print(x.grad)
x.grad = None
torch.hypot(x, x).sum().backward()
print(x.grad)
x.grad = None
torch.copysign(x, torch.tensor([-1.0, 1.0])).sum().backward()
print(x.grad)
print(
    torch.nextafter(torch.tensor([1.0, 0.0]), torch.tensor([2.0, -1.0])) - torch.tensor([1.0, 0.0]),
    torch.frexp(torch.tensor([8.0, 0.3])),
)
