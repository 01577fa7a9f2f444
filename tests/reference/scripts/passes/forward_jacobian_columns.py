"""Jacobians column by column, of functions and modules, against reverse mode."""
import torch
import torch.autograd.forward_ad as fwAD
from torch import nn

torch.set_default_dtype(torch.float64)


def jac_forward(f, x):
    cols = []
    for k in range(x.numel()):
        e = torch.zeros_like(x)
        e.view(-1)[k] = 1
        with fwAD.dual_level():
            cols.append(fwAD.unpack_dual(f(fwAD.make_dual(x, e))).tangent)
    return torch.stack([torch.zeros_like(f(x)) if c is None else c for c in cols], -1)


x = torch.tensor([0.4, -1.2, 2.0])
W = torch.tensor([[1.0, 2.0, -1.0], [0.5, 0.0, 3.0]])
net = nn.Sequential(nn.Linear(3, 4), nn.GELU(), nn.Linear(4, 2), nn.Softmax(-1))
with torch.no_grad():
    for k, p in enumerate(net.parameters()):
        p.copy_(torch.sin(torch.arange(p.numel(), dtype=torch.float64) + k).view_as(p))
for name, f in {"linear": lambda x: W @ x, "sin": lambda x: torch.sin(W @ x), "net": net, "ln": lambda x: nn.functional.layer_norm(x, (3,)), "cumsum": lambda x: x.cumsum(0) ** 2,
                "logsumexp": lambda x: torch.logsumexp(W * x, 1), "sort": lambda x: x.sort()[0], "norm": lambda x: nn.functional.normalize(x, dim=0), "inv": lambda x: torch.linalg.inv(torch.diag(x) + 1)[0],
                "det": lambda x: torch.det(torch.diag(x))[None], "solve": lambda x: torch.linalg.solve(torch.diag(x) + 0.1, torch.ones(3)), "conv": lambda x: nn.functional.conv1d(x.view(1, 1, 3), torch.ones(1, 1, 2)).flatten(),
                "einsum": lambda x: torch.einsum("ij,j,j->i", W, x, x), "mse": lambda x: nn.functional.mse_loss(x, torch.zeros(3), reduction="none"), "ce": lambda x: nn.functional.cross_entropy(x[None], torch.tensor([1]))[None],
                "prod": lambda x: x.prod()[None], "max": lambda x: x.max()[None], "gather": lambda x: x.gather(0, torch.tensor([2, 0])), "pad": lambda x: nn.functional.pad(x, (1, 1)), "const": lambda x: torch.ones(2),
                "roll": lambda x: x.roll(1) * x, "kron": lambda x: torch.kron(x, x)[:4], "std": lambda x: x.std()[None], "complex": lambda x: torch.view_as_real(torch.exp(1j * x)).flatten()}.items():
    try:
        a = jac_forward(f, x)
        b = torch.autograd.functional.jacobian(f, x)
        print(name, tuple(a.shape), torch.allclose(a, b), a.requires_grad, (a.detach() * 1000).round()[0].tolist())
    except Exception as e:
        print(name, type(e).__name__)
