"""Operations with several results of which only some are used."""
import torch

x = torch.tensor([[3.0, 1.0, 2.0], [0.5, 4.0, 1.5]], requires_grad=True)
cases = {
    "unbind": lambda: x.unbind(0)[1], "split": lambda: x.split([1, 2], dim=1)[1], "chunk": lambda: x.chunk(2, 1)[0],
    "max": lambda: x.max(1).values, "min": lambda: x.min(dim=0)[0], "sort": lambda: x.sort(1, descending=True).values,
    "topk": lambda: x.topk(2, largest=False)[0], "median": lambda: x.median(1).values, "mode": lambda: x.mode(1).values,
    "kth": lambda: x.kthvalue(2, 1).values, "cummax": lambda: x.cummax(1).values, "cummin": lambda: x.cummin(0)[0],
    "var_mean": lambda: torch.var_mean(x, 1)[0], "std_mean": lambda: torch.std_mean(x)[1], "aminmax": lambda: torch.aminmax(x).max,
    "svd": lambda: torch.linalg.svd(x, full_matrices=False).S, "qr": lambda: torch.linalg.qr(x.T).R.abs(), "eigh": lambda: torch.linalg.eigh(x @ x.T)[0],
    "slogdet": lambda: torch.linalg.slogdet(x @ x.T)[1], "meshgrid": lambda: torch.meshgrid(x[0], x[1], indexing="ij")[0],
    "broadcast": lambda: torch.broadcast_tensors(x[0], x)[0], "tensor_split": lambda: x.tensor_split(2, 1)[0], "hsplit": lambda: torch.hsplit(x, 3)[2],
    "where": lambda: x[torch.where(x > 1)], "nanmedian": lambda: x.nanmedian(), "lu": lambda: torch.linalg.lu(x @ x.T)[2],
    "polar": lambda: torch.polar(x, x).real, "modf": lambda: x.frac(), "unfold": lambda: x.unfold(1, 2, 1)[:, 1], "diag_embed": lambda: torch.diag_embed(x)[0],
}
for name, f in cases.items():
    try:
        y = f()
        (g,) = torch.autograd.grad((y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum(), x)
        print(name, y.grad_fn.name(), y.output_nr, g)
    except Exception as e:
        print(name, type(e).__name__)
a, b = x.unbind()
a.register_hook(lambda g: print("a", g))
b.register_hook(lambda g: print("b", g))
(a * 2).sum().backward()
(a + b).sum().backward()
print(x.grad)
parts = x.split(1)
print([p.output_nr for p in parts], parts[0].grad_fn is parts[1].grad_fn, parts[0]._base is x)
m = x.max(0)
print(m, m.indices.requires_grad, m.indices.grad_fn, type(m).__name__, m._fields if hasattr(m, "_fields") else "")
v, i = torch.sort(x.flatten(), stable=True)
print(v.grad_fn, i)
s, mean = torch.std_mean(x, dim=1, correction=0)
print(torch.autograd.grad(s.sum() * mean.sum(), x))
