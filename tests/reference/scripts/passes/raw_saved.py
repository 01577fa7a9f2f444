"""Raw saved tensors and their hooks."""
import torch

x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * x
print(type(y.grad_fn._raw_saved_self).__name__)
y.grad_fn._raw_saved_self.register_hooks(lambda t: t * 2, lambda t: t / 2)
print(y.grad_fn._saved_self)
y.grad_fn._raw_saved_other.register_hooks(lambda t: (t, "packed"), lambda p: p[0])
y.sum().backward()
print(x.grad)
y = x.exp()
log = []


def pack(t):
    log.append(("pack", [round(v, 4) for v in t.tolist()]))
    return t.tolist()


def unpack(v):
    log.append(("unpack", len(v)))
    return torch.tensor(v)


y.grad_fn._raw_saved_result.register_hooks(pack, unpack)
y.sum().backward()
print(log)
for bad in ((lambda t: t, lambda: t), (1, 2), (lambda: 1, lambda t: t), (lambda t: t, lambda t: "s")):
    y = x * x
    try:
        y.grad_fn._raw_saved_self.register_hooks(*bad)
        y.sum().backward()
        print("ok")
    except Exception as e:
        print(type(e).__name__)
y = x * x
y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
try:
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except Exception as e:
    print(type(e).__name__)
y = x * x
y.sum().backward()
try:
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except Exception as e:
    print(type(e).__name__)
y = x * 2
try:
    print(type(y.grad_fn._raw_saved_self).__name__)
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except Exception as e:
    print(type(e).__name__)
with torch.autograd.graph.saved_tensors_hooks(lambda t: t + 1, lambda t: t - 1):
    y = x * x
try:
    y.grad_fn._raw_saved_self.register_hooks(lambda t: t, lambda t: t)
except Exception as e:
    print(type(e).__name__)
