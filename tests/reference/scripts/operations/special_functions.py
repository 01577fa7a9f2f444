"""torch.special: values, gradients, aliases."""

import torch

x = torch.tensor([0.0, 0.2, 0.9, 3.0, -0.5], dtype=torch.float64)
for name in "entr erf erfc erfinv exp2 expit expm1 gammaln digamma psi i0 i0e i1 i1e log1p log_ndtr logit ndtr ndtri round sinc erfcx".split():
    f = getattr(torch.special, name)
    t = x.clone().requires_grad_()
    y = f(t)
    y.sum().backward()
    print(name, y.detach(), t.grad)
t = x.clone().requires_grad_()
u = torch.tensor([0.0, 1.0, 2.0, 0.5, 0.0], dtype=torch.float64, requires_grad=True)
for f in (torch.special.xlogy, torch.special.xlog1py, torch.xlogy):
    t.grad = u.grad = None
    y = f(t, u)
    y.sum().backward()
    print(y.detach(), t.grad, u.grad)
print(torch.special.xlogy(2, u), torch.special.xlogy(t, 3.0).grad_fn)
print(
    torch.polygamma(1, torch.tensor([1.0, 2.5])),
    torch.special.polygamma(2, torch.tensor([1.5])),
    torch.mvlgamma(torch.tensor([3.0, 4.0]), p=2),
    torch.special.multigammaln(torch.tensor([3.0]), 1),
)
print(
    torch.special.logsumexp(x, 0), torch.special.softmax(x, 0), torch.special.log_softmax(x, dim=0)
)
print(
    torch.special.gammainc(torch.tensor(2.0), torch.tensor(1.5)),
    torch.special.gammaincc(torch.tensor(2.0), torch.tensor(1.5)),
)
p = torch.tensor([2.5], requires_grad=True)
torch.polygamma(0, p).backward()
print(p.grad)
print(
    p.detach().lgamma(),
    p.detach().digamma_(),
    torch.tensor([0.5]).erfinv_(),
    torch.tensor([1.0]).mvlgamma_(1),
)
for bad in [
    lambda: torch.polygamma(-1, p),
    lambda: torch.mvlgamma(torch.tensor([0.1]), 3),
    lambda: torch.special.expit(torch.tensor([1j])),
    lambda: torch.special.entr(torch.tensor([1j])),
]:
    try:
        print(bad())
    except Exception as error:
        print(type(error).__name__)
