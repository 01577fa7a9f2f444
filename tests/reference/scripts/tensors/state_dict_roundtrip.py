"""state_dict and load_state_dict, strict or not."""

import torch
from torch import nn

torch.manual_seed(0)
a = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
torch.manual_seed(1)
b = nn.Sequential(nn.Linear(2, 3), nn.BatchNorm1d(3), nn.Linear(3, 1))
sd = a.state_dict()
print(type(sd).__name__, list(sd), sd["0.weight"].requires_grad, sd["1.num_batches_tracked"])
print(sd["0.bias"].data_ptr() == a[0].bias.data_ptr())
x = torch.ones(4, 2)
a.eval(), b.eval()
print(torch.equal(a(x), b(x)))
print(b.load_state_dict(sd))
print(torch.equal(a(x), b(x)), b[0].weight is a[0].weight, b[0].weight.requires_grad)
sd2 = {k: v for k, v in sd.items() if not k.startswith("2")}
sd2["extra"] = torch.ones(1)
try:
    b.load_state_dict(sd2)
except RuntimeError as err:
    print(type(err).__name__, "Missing key" in str(err), "Unexpected key" in str(err))
    print(err)
result = b.load_state_dict(sd2, strict=False)
print(result)
print(result.missing_keys, result.unexpected_keys)
try:
    b.load_state_dict({**sd, "0.weight": torch.ones(5, 5)})
except RuntimeError as err:
    print([fact in str(err) for fact in ("size mismatch for 0.weight", "[5, 5]", "[3, 2]")])
a[0].weight.data.fill_(9)
print(sd["0.weight"][0, 0], b[0].weight[0, 0] == 9)
