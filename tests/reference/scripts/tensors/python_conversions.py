"""bool, int, float, complex and index of tensors."""

import torch

print(bool(torch.tensor(0)), bool(torch.tensor(0.1)), bool(torch.tensor([[2]])), bool(torch.tensor(False)))
print(int(torch.tensor(3.9)), int(torch.tensor([-3.9])), float(torch.tensor(3)), complex(torch.tensor(1.0)))
for fn in (bool, int, float):
    for t in (torch.ones(2), torch.ones(0)):
        try:
            print(fn(t))
        except Exception as err:
            print(fn.__name__, type(err).__name__, "ambiguous" in str(err) or "only one element" in str(err) or "can be converted" in str(err))
print([10, 20, 30][torch.tensor(1)], list(range(torch.tensor(3))), "ab" * torch.tensor(2))
try:
    [1, 2][torch.tensor(0.5)]
except TypeError as err:
    print(type(err).__name__)
try:
    [1, 2][torch.tensor([0, 1])]
except TypeError as err:
    print(type(err).__name__)
if torch.tensor(1.0) > 0.5:
    print("yes")
try:
    if torch.tensor([1.0, 2.0]) > 0.5:
        print("?")
except RuntimeError as err:
    print(type(err).__name__)
print(not torch.tensor(0), torch.tensor(1) and "and", torch.tensor(0) or "or")
print(abs(torch.tensor(-2)), -torch.tensor(3), +torch.tensor(4), ~torch.tensor(5), pow(torch.tensor(2), 3), divmod(7, 2))
