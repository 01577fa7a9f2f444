"""Messages of the classical in-place errors, by their well-known phrases."""
import torch

phrases = {
    "leaf": "a leaf Variable that requires grad",
    "view of leaf": "a view of a leaf Variable that requires grad",
    "modified": "one of the variables needed for gradient computation has been modified by an inplace operation",
    "freed": "Trying to backward through the graph a second time",
    "overlap": "more than one element of the written-to tensor",
    "shape": "doesn't match the broadcast shape",
    "cast": "can't be cast to the desired output type",
    "multi": "is a view and is being modified inplace",
}


def which(f):
    try:
        f()
        return "nothing"
    except RuntimeError as e:
        return [k for k, p in phrases.items() if p.lower() in str(e).lower()]


x = torch.ones(3, requires_grad=True)
print(which(lambda: x.add_(1)))
print(which(lambda: x[0].add_(1)))
print(which(lambda: x.view(3, 1)[1].zero_()))
y = x.exp()
z = y * 2
y.add_(1)
print(which(lambda: z.sum().backward()))
q = (x * x).sum()
q.backward()
print(which(lambda: q.backward()))
print(which(lambda: torch.zeros(1).expand(3).add_(1)))
print(which(lambda: torch.zeros(3).add_(torch.zeros(2, 3))))
print(which(lambda: torch.zeros(3, dtype=torch.long).add_(0.5)))
print(which(lambda: (x * 1).unbind()[0].add_(1)))
print(which(lambda: (x * 1).split(1)[0].zero_()))
print(which(lambda: x.detach().add_(1)))
print(which(lambda: x.data.mul_(2)))
print(x)
