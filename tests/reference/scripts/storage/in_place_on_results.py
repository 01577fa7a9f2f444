"""grad_fn and gradients after in-place operations on results."""

import torch

x = torch.tensor([0.5, -1.0, 2.0], dtype=torch.float64, requires_grad=True)
ops = {
    "add_": lambda t: t.add_(1),
    "add_ alpha": lambda t: t.add_(x, alpha=3),
    "sub_": lambda t: t.sub_(x),
    "mul_": lambda t: t.mul_(x),
    "div_": lambda t: t.div_(x),
    "pow_": lambda t: t.pow_(2),
    "neg_": lambda t: t.neg_(),
    "exp_": lambda t: t.exp_(),
    "sin_": lambda t: t.sin_(),
    "tanh_": lambda t: t.tanh_(),
    "sigmoid_": lambda t: t.sigmoid_(),
    "relu_": lambda t: t.relu_(),
    "abs_": lambda t: t.abs_(),
    "clamp_": lambda t: t.clamp_(-0.5, 1),
    "zero_": lambda t: t.zero_(),
    "fill_": lambda t: t.fill_(3),
    "fill_ tensor": lambda t: t.fill_(x.sum()),
    "copy_": lambda t: t.copy_(x**2),
    "square_": lambda t: t.square_(),
    "masked_fill_": lambda t: t.masked_fill_(x > 0, 7.0),
    "index_fill_": lambda t: t.index_fill_(0, torch.tensor([1]), 2.0),
    "cumsum_": lambda t: t.cumsum_(0),
    "cumprod_": lambda t: t.cumprod_(0),
    "lerp_": lambda t: t.lerp_(x, 0.25),
    "addcmul_": lambda t: t.addcmul_(x, x, value=2),
    "addcdiv_": lambda t: t.addcdiv_(x, x + 3),
    "index_add_": lambda t: t.index_add_(0, torch.tensor([0, 0]), x[:2]),
    "scatter_": lambda t: t.scatter_(0, torch.tensor([2]), x[:1]),
    "setitem": lambda t: (t.__setitem__(0, x[1]), t)[1],
    "t_": lambda t: t.t_(),
    "unsqueeze_": lambda t: t.unsqueeze_(1),
    "squeeze_": lambda t: t.squeeze_(),
    "transpose_": lambda t: t.transpose_(0, -1),
    "sinh_": lambda t: t.sinh_(),
    "atan_": lambda t: t.atan_(),
    "floor_": lambda t: t.floor_(),
    "round_": lambda t: t.round_(),
    "sign_": lambda t: t.sign_(),
    "remainder_": lambda t: t.remainder_(2),
    "fmod_": lambda t: t.fmod_(2),
    "leaky_relu_": lambda t: torch.nn.functional.leaky_relu_(t, 0.1),
    "elu_": lambda t: torch.nn.functional.elu_(t),
    "hardtanh_": lambda t: torch.nn.functional.hardtanh_(t),
    "threshold_": lambda t: torch.threshold_(t, 0.2, 5.0),
    "relu in F": lambda t: torch.nn.functional.relu(t, inplace=True),
    "nan_to_num_": lambda t: t.nan_to_num_(),
    "logit_": lambda t: t.mul_(0.1).add_(0.5).logit_(),
    "tril_": lambda t: t.unsqueeze_(0).tril_(),
    "detach_": lambda t: t.detach_().mul_(2),
}
for name, f in ops.items():
    x.grad = None
    t = x * 2
    r = f(t)
    line = (
        f"{name} {r is t} {r.grad_fn} v{t._version} {[round(v, 4) for v in t.flatten().tolist()]}"
    )
    if t.requires_grad:
        t.sum().backward()
        line += f" {None if x.grad is None else [round(v, 4) for v in x.grad.tolist()]}"
    print(line)
