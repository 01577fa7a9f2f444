"""Print options with gradients, all dtypes, edge items and sci mode."""
import torch
data = {"f": torch.linspace(-1, 1, 12).reshape(3, 4) * 123.456, "d": torch.tensor([1e-5, 1.0, 1e5], dtype=torch.float64), "i": torch.arange(12).reshape(3, 4) * 1000, "b": torch.tensor([True, False]), "c": torch.tensor([1 + 1e-3j, 100 - 2j]), "h": torch.tensor([0.333, 2.0], dtype=torch.float16), "g": torch.linspace(0, 1, 3, requires_grad=True) * 3, "e": torch.zeros(0, 2), "s": torch.tensor(1 / 3)}
def show(**kw):
    torch.set_printoptions(**kw)
    print(kw)
    for v in data.values():
        print(v)
    torch.set_printoptions(profile="default")
    torch.set_printoptions(sci_mode=None)
show(precision=1)
show(precision=10)
show(sci_mode=True)
show(sci_mode=False, precision=3)
show(linewidth=20)
show(threshold=3, edgeitems=1)
show(threshold=0)
show(profile="short")
show(profile="full", precision=2)
show(edgeitems=2, threshold=5, linewidth=40, precision=2, sci_mode=True)
torch.set_printoptions(threshold=10)
print(torch.zeros(3, 5), torch.zeros(11), torch.zeros(2, 2, 8), torch.zeros(20, 2), torch.ones(12, requires_grad=True) * 2, torch.arange(100).reshape(10, 10), torch.zeros(1001, 1)[:2])
torch.set_printoptions(profile="default")
for bad in (dict(precision="a"), dict(nothing=1), dict(linewidth=None), dict(edgeitems=0)):
    try:
        torch.set_printoptions(**bad)
        print("ok", torch.arange(3))
    except Exception as e:
        print(type(e).__name__)
    torch.set_printoptions(profile="default")
