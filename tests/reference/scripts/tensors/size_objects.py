"""torch.Size as tuple."""
import torch
s = torch.zeros(2, 3, 4).shape
print(s, s[0], s[-1], s[1:], s[:-1], type(s[1:]), len(s), s.numel(), tuple(s), list(s), s == (2, 3, 4), s != (2, 3), (2, 3) + s, s + (5,), s * 2, type(s * 2), s.count(2), s.index(4), 3 in s)
print(torch.Size([1, 2]), torch.Size((3,)), torch.Size(), torch.Size(range(3)), repr(torch.Size([1])), str(s), f"{s}", hash(s) == hash((2, 3, 4)), isinstance(s, tuple), {s: 1}[(2, 3, 4)], s > (1, 9), max(s), sorted(s), sum(s), [*s], s.__class__.__name__)
a, *rest = s
print(a, rest, dict(zip("abc", s)), torch.zeros(s).shape, torch.zeros(*s).shape, torch.zeros(s + (1,)).shape, torch.ones(s[:2]).view(-1).shape, torch.zeros(2, 3).size() == torch.Size([2, 3]))
for f in (lambda: torch.Size(["a"]), lambda: torch.Size([1.5]), lambda: torch.Size(3), lambda: s[5], lambda: s + [1], lambda: torch.Size([torch.tensor(2)]), lambda: torch.Size([-1])):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
