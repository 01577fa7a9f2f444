"""Writing in place to a leaf that requires grad: refused, unless grad is off."""
import torch

w = torch.ones(3, requires_grad=True)
attempts = {
    "add_": lambda: w.add_(1),
    "mul_": lambda: w.mul_(2),
    "iadd": lambda: w.__iadd__(1),
    "setitem": lambda: w.__setitem__(0, 5.0),
    "zero_": lambda: w.zero_(),
    "fill_": lambda: w.fill_(7),
    "copy_": lambda: w.copy_(torch.zeros(3)),
    "clamp_": lambda: w.clamp_(min=0),
    "relu_": lambda: torch.relu_(w),
    "uniform_": lambda: w.uniform_(),
    "masked_fill_": lambda: w.masked_fill_(w > 0, 0.0),
    "index_fill_": lambda: w.index_fill_(0, torch.tensor([0]), 1.0),
}
for name, attempt in attempts.items():
    try:
        attempt()
        print(name, "went through")
    except RuntimeError as e:
        print(name, "a leaf Variable that requires grad" in str(e))
print(w, w._version)

with torch.no_grad():
    w.add_(1)
    w[0] = 0
    w *= 10
print(w, w._version, w.is_leaf, w.requires_grad)
try:
    w[1:].mul_(2)
except RuntimeError as e:
    print("a view of a leaf Variable that requires grad" in str(e))
