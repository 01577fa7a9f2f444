"""Wirtinger calculus: second orders, holomorphic functions, optimisation over complex numbers."""
import torch

z = torch.tensor([1.0 + 2.0j, -0.5 + 0.3j], dtype=torch.complex128, requires_grad=True)
for name, f in {"abs2": lambda z: (z * z.conj()).real, "abs": lambda z: z.abs(), "re3": lambda z: (z ** 3).real, "exp": lambda z: z.exp().imag, "angle": lambda z: z.angle(),
                "log": lambda z: z.log().real, "sin": lambda z: z.sin().abs(), "sqrt": lambda z: z.sqrt().real, "inv": lambda z: (1 / z).imag, "mul": lambda z: (z * (2 - 1j)).real, "sgn": lambda z: z.sgn().real,
                "polar": lambda z: torch.polar(z.abs(), z.angle() * 2).real, "view": lambda z: torch.view_as_real(z)[:, 1] ** 2, "cum": lambda z: z.cumsum(0).abs(), "prod": lambda z: z.prod().abs(), "mean": lambda z: z.mean().imag, "norm": lambda z: z.norm(),
                "mat": lambda z: (z.view(1, 2) @ z.view(2, 1).conj()).real, "outer": lambda z: torch.outer(z, z.conj()).real.sum(1), "dot": lambda z: torch.vdot(z, z).real, "tanh": lambda z: z.tanh().real, "pow": lambda z: (z ** z).real}.items():
    y = f(z)
    (g,) = torch.autograd.grad(y.sum(), z, create_graph=True)
    line = [name, y.dtype, [complex(round(v.real, 5), round(v.imag, 5)) for v in g.tolist()]]
    if g.requires_grad:
        (h,) = torch.autograd.grad((g * (1 + 1j)).real.sum(), z, allow_unused=True)
        line.append(None if h is None else [complex(round(v.real, 4) + 0.0, round(v.imag, 4) + 0.0) for v in h.tolist()])
    print(*line)
w = torch.tensor(2.0 + 0.0j, requires_grad=True)
for _ in range(3):
    loss = (w ** 2 + 1).abs() ** 2
    (g,) = torch.autograd.grad(loss, w)
    with torch.no_grad():
        w -= 0.01 * g
    print(loss, w)
opt = torch.optim.SGD([w], lr=0.01, momentum=0.5)
for _ in range(2):
    opt.zero_grad()
    ((w - 1j).abs() ** 2).backward()
    opt.step()
print(w, w.grad)
r = torch.tensor(0.5, requires_grad=True)
c = torch.exp(1j * r * 2)
print(c, c.requires_grad, torch.autograd.grad(c.real, r, retain_graph=True), torch.autograd.grad(c.imag, r))
m = torch.tensor([[1 + 1j, 2], [0, 1 - 1j]], requires_grad=True)
print(torch.autograd.grad(torch.linalg.det(m).abs(), m)[0] + 0.0, torch.autograd.grad((m @ m.mH).real.sum(), m)[0])
try:
    torch.autograd.grad(z.sum(), z)
except RuntimeError as e:
    print(type(e).__name__)
print(z.grad, z.conj().grad_fn, z.real.grad_fn, z.imag.grad_fn, z.resolve_conj().grad_fn)
z.real.sum().backward()
print(z.grad)
