"""get_printoptions and the context manager of print options."""
import torch

p = torch.get_printoptions() if hasattr(torch, "get_printoptions") else None
print(p)
x = torch.tensor([1 / 3, 2 / 3])
from torch import set_printoptions
set_printoptions(precision=3)
print(x)
set_printoptions(precision=4)
print(x)
print(x.numpy().round(3), x.tolist()[0] == float(x[0]))
try:
    torch.set_printoptions(profile="none such")
    print("accepted")
except Exception as e:
    print(type(e).__name__)
print(x)
torch.set_printoptions(edgeitems=1, threshold=3)
print(torch.arange(8.0).view(2, 4), torch.arange(8).view(2, 2, 2))
torch.set_printoptions(profile="default")
print(torch.arange(8.0).view(2, 4))
