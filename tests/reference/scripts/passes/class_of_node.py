"""Types, names, equality, hashing and printing of nodes."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = (x * 2).exp()
fn = y.grad_fn
print(fn, type(fn), type(fn).__name__, fn.name(), repr(fn) == str(fn))
print(isinstance(fn, torch.autograd.graph.Node), fn == y.grad_fn, fn is y.grad_fn, hash(fn) == hash(y.grad_fn))
print(fn != x.exp().grad_fn, len({fn, y.grad_fn, fn.next_functions[0][0]}))
acc = fn.next_functions[0][0].next_functions[0][0]
print(acc, type(acc).__name__, acc.name(), acc.variable, acc.next_functions)
for bad in ("nope", "saved_tensors", "_saved_self"):
    try:
        print(bad, getattr(fn, bad))
    except Exception as e:
        print(bad, type(e).__name__)
try:
    fn.mine = 5
    print(fn.mine)
except Exception as e:
    print(type(e).__name__)
print(fn.metadata, bool(fn), callable(fn))
fn.metadata["k"] = 1
print(y.grad_fn.metadata)
names = []
z = torch.cat([y, x.sin()]).view(2, 2).t().contiguous().sum(0).max()
node = z.grad_fn
while node is not None:
    names.append(node.name())
    node = node.next_functions[0][0] if node.next_functions else None
print(" > ".join(names))
for t in (x, y, x.detach(), torch.ones(1), x > 1, x.long(), x.sum().item()):
    print(getattr(t, "grad_fn", "no attribute"))
print([n for n in ("metadata", "name", "next_functions", "register_hook", "register_prehook") if n not in dir(fn)])
a, b = x.unbind()
print(a.grad_fn is b.grad_fn, a.grad_fn == b.grad_fn, a.output_nr, b.output_nr, y.output_nr, x.output_nr)
w = x * 1
before = w.grad_fn
w += 1
print(w.grad_fn is before, w.grad_fn.name(), w.grad_fn.next_functions[0][0] is before)
print(torch.ones(2, requires_grad=True).grad_fn, (x * 0).grad_fn.name(), (-x).grad_fn.name(), (x @ x).grad_fn.name(), (x == x).grad_fn)
print(f"{fn}"[:14], str(type(fn)).split("'")[1].split(".")[-1] if "'" in str(type(fn)) else type(fn).__name__)
