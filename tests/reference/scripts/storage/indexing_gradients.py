"""Gradients of indexing: repeated indices add up, masks select."""
import torch

W = torch.arange(12.0).view(4, 3)
w = W.clone().requires_grad_()
tokens = torch.tensor([1, 3, 1, 1])
emb = w[tokens]
print(emb.shape, emb.grad_fn.name())
emb.sum().backward()
print(w.grad)
cases = {
    "pair": lambda w: w[[0, 0, 2], [1, 1, 2]],
    "mask": lambda w: w[w > 5] ** 2,
    "mask row": lambda w: w[torch.tensor([True, False, False, True])],
    "slice": lambda w: w[1:3, ::2],
    "mixed": lambda w: w[tokens, 1:],
    "mixed2": lambda w: w[:, [0, 0, 1]],
    "int": lambda w: w[2, 1],
    "row": lambda w: w[-1],
    "none": lambda w: w[None, 0],
    "chain": lambda w: w[1:][[0, 0]][:, 1],
    "diag": lambda w: w[torch.arange(3), torch.arange(3)],
    "select": lambda w: w.index_select(0, tokens),
    "gather": lambda w: w.gather(1, torch.tensor([[0, 0], [1, 1], [2, 2], [0, 2]])),
    "take": lambda w: w.take(torch.tensor([0, 5, 5])),
    "along": lambda w: torch.take_along_dim(w, w.argmax(1, keepdim=True), dim=1),
    "2d": lambda w: w[torch.tensor([[0, 1], [1, 0]])],
    "flip": lambda w: w.flip(0, 1)[0],
    "roll": lambda w: w.roll(1, 0)[0],
    "rot90": lambda w: torch.rot90(w)[0],
}
for name, f in cases.items():
    w = W.clone().requires_grad_()
    y = f(w)
    (y * torch.arange(1.0, y.numel() + 1).view(y.shape)).sum().backward()
    print(name, tuple(y.shape), y.grad_fn.name(), w.grad.tolist())
w = W.clone().requires_grad_()
(g,) = torch.autograd.grad((w[tokens] ** 3).sum(), w, create_graph=True)
(h,) = torch.autograd.grad(g[1].sum(), w)
print(h)
