"""is, ==, equal, in, hash, sets and dict keys of tensors."""
import torch
a = torch.tensor([1.0, 2.0])
b = a
c = a.clone()
print(a is b, a is c, a == c, (a == c).all(), torch.equal(a, c), a.equal(b), id(a) == id(b), hash(a) == hash(b), hash(a) == hash(c), a in [b], len({a, b, c}), {a: 1}.get(c), {a: 1}.get(b))
print(any(x is a for x in [c, b]), [x is a for x in (a, c)], a[0] == a[0], a[0] is a[0], a.data is a, a.detach() is a, a.view(2) is a, a.to(torch.float32) is a, a.float() is a, a.contiguous() is a, a.cpu() is a, a.requires_grad_() is a, a.squeeze() is a)
l = [torch.tensor(1), torch.tensor(2)]
print(torch.tensor(2) in l, l.index(torch.tensor(2)), l.count(torch.tensor(1)), max(l), min(l), sorted(l, reverse=True), sum(l), l == [torch.tensor(1), torch.tensor(2)], (1, torch.tensor(2)) == (1, torch.tensor(2)))
for f in (lambda: a.detach() in [c], lambda: [a] == [c], lambda: [a] == [a], lambda: l.index(a), lambda: {a.detach(): 1} == {a.detach(): 1}, lambda: a == None, lambda: None == a, lambda: a != None, lambda: a == "x", lambda: a == [1.0, 2.0], lambda: bool(a == c), lambda: 1 if a is not None else 0, lambda: not a, lambda: a and c, lambda: a or c, lambda: a < "b", lambda: max(a), lambda: a == torch.ones(3), lambda: torch.equal(a, torch.ones(3)), lambda: a == a.double(), lambda: a.eq(1.0), lambda: a == 1, lambda: (a == a.int()).all().item()):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
params = [torch.nn.Parameter(torch.zeros(1)) for _ in range(3)]
seen = set(params[:2])
print([p in seen for p in params], len(set(map(id, params))), {p: i for i, p in enumerate(params)}[params[1]])
