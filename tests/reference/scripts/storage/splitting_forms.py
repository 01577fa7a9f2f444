"""split, chunk, tensor_split, unbind, unfold: sizes and refusals."""
import torch

x = torch.arange(10)
print(torch.split(x, 3), x.split((2, 3, 5)))
print(x.chunk(3), torch.chunk(x, 20)[0], len(x.chunk(20)))
print(x.tensor_split(3), x.tensor_split([2, 5]), x.tensor_split(torch.tensor([4])))
m = x.view(2, 5)
print([p.shape for p in m.split(2, dim=1)], [p.shape for p in torch.split(m, split_size_or_sections=[1, 4], dim=-1)])
print([p.tolist() for p in m.unbind(1)], [p.tolist() for p in m])
print(torch.hsplit(m[:, :4], 2)[1], torch.vsplit(m, 2)[0], torch.dsplit(x[:8].view(2, 2, 2), 2)[0].shape)
print(m.unfold(1, 2, 2), m.unfold(1, 2, 3).shape)
a, b = m
print(a, b)
first, *rest = x.split(4)
print(first, len(rest))
print(dict(zip("abcde", m.T.tolist())))
print(torch.zeros(0).split(2), torch.zeros(0, 2).chunk(2), x.split(10)[0].shape)
for bad in [lambda: x.split([1, 2]), lambda: x.split(-1), lambda: x.chunk(0), lambda: x.split(2, 1),
            lambda: torch.tensor(1).unbind(), lambda: x.unfold(0, 11, 1), lambda: x.split(0)]:
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
for i, part in enumerate(torch.arange(6.0).view(3, 2)):
    print(i, part, part.shape)
