"""Many refusals of the tape, by type."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
p = torch.tensor([1.0, 2.0])
i = torch.tensor([1, 2])


def used():
    y = (x * x).sum()
    y.backward()
    return y


cases = {
    "no graph": lambda: p.sum().backward(), "int root": lambda: i.sum().backward(), "vector": lambda: (x * 2).backward(), "twice": lambda: used().backward(),
    "detached": lambda: x.detach().sum().backward(), "no_grad": lambda: torch.no_grad()(lambda: (x * 2).sum())().backward(), "leaf in-place": lambda: x.add_(1),
    "leaf view in-place": lambda: x[0].add_(1), "leaf setitem": lambda: x.__setitem__(0, 1.0), "leaf +=": lambda: x.__iadd__(1), "leaf copy_": lambda: x.copy_(p),
    "numpy": lambda: x.numpy(), "numpy of view": lambda: x[0].numpy(), "np.asarray": lambda: __import__("numpy").asarray(x), "deepcopy": lambda: __import__("copy").deepcopy(x * 2),
    "int requires": lambda: i.requires_grad_(), "tensor int requires": lambda: torch.tensor([1], requires_grad=True), "nonleaf flag": lambda: (x * 2).requires_grad_(False),
    "grad of p": lambda: torch.autograd.grad(x.sum(), p), "unused": lambda: torch.autograd.grad((x * 2).sum(), torch.ones(1, requires_grad=True)), "grad no graph": lambda: torch.autograd.grad(p.sum(), x),
    "grad vector": lambda: torch.autograd.grad(x * 2, x), "grad shape": lambda: torch.autograd.grad(x * 2, x, torch.ones(3)), "grad outputs number": lambda: torch.autograd.grad(x * 2, x, 2.0),
    "backward number": lambda: (x * 2).backward(2.0), "backward list": lambda: (x * 2).backward([1.0, 1.0]), "backward kw": lambda: (x * 2).sum().backward(grad=torch.ones(())), "backward positional": lambda: (x * 2).sum().backward(None, True, False, None, 5),
    "hook on p": lambda: p.register_hook(print), "retain_grad p": lambda: p.retain_grad(), "post hook nonleaf": lambda: (x * 2).register_post_accumulate_grad_hook(print), "grad wrong type": lambda: setattr(x, "grad", 5),
    "grad wrong shape": lambda: setattr(x, "grad", torch.ones(3)), "grad wrong dtype": lambda: setattr(x, "grad", torch.ones(2, dtype=torch.half)), "grad self": lambda: setattr(x, "grad", x), "grad_fn set": lambda: setattr(x, "grad_fn", 1),
    "is_leaf set": lambda: setattr(x, "is_leaf", False), "_version set": lambda: setattr(x, "_version", 3), "requires str": lambda: setattr(x, "requires_grad", "yes"), "requires int": lambda: setattr(p.clone(), "requires_grad", 1), "requires_grad_ int": lambda: p.clone().requires_grad_(1),
    "out=": lambda: torch.add(x, 1, out=torch.empty(2)), "out requires": lambda: torch.add(p, 1, out=torch.empty(2, requires_grad=True)), "set_grad none": lambda: torch.set_grad_enabled(None), "no_grad arg": lambda: torch.no_grad(True), "enable int": lambda: torch.enable_grad(5),
    "inference use": lambda: (torch.inference_mode()(lambda: torch.ones(2))() * x).sum().backward(), "unbind in-place": lambda: (x * 1).unbind()[0].add_(1), "expanded write": lambda: torch.ones(1).expand(3).add_(1), "detach_ view": lambda: (x * 1)[:1].detach_(), "fill graph": lambda: x.fill_(x[0]),
    "param of int": lambda: torch.nn.Parameter(i), "param of list": lambda: torch.nn.Parameter([1.0]), "module grad int": lambda: torch.nn.Linear(2, 2).to(torch.int64), "edge of p": lambda: torch.autograd.graph.get_gradient_edge(p), "checkpoint kw": lambda: torch.utils.checkpoint.checkpoint(torch.sin, x, use_reentrant=True, foo=1),
    "item vec": lambda: x.item(), "bool vec": lambda: bool(x), "float vec": lambda: float(x), "int()": lambda: int(x), "len 0-d": lambda: len(x.sum()), "iter 0-d": lambda: list(x.sum()), "index float": lambda: x[1.5], "hash": lambda: isinstance(hash(x), int), "in": lambda: 1.0 in x, "format": lambda: f"{x:.2f}",
}
for name, f in cases.items():
    try:
        r = f()
        print(name, "->", type(r).__name__ if not isinstance(r, (bool, int)) else r)
    except Exception as e:
        print(name, type(e).__name__)
print(x, x.grad)
