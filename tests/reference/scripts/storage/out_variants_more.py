"""out= with views, matmul, cat, where resizing warns, and inside no_grad training code."""
import torch

buf = torch.zeros(2, 3)
torch.add(torch.ones(3), 1, out=buf[0])
torch.matmul(torch.eye(3), torch.arange(3.0), out=buf[1])
print(buf, buf._version)
s = torch.zeros(3)
torch.sum(buf, dim=0, out=s)
print(s, torch.mean(buf, 1, out=torch.zeros(2)))
print(torch.cat([s, s], out=torch.zeros(6)), torch.stack([s, s], out=torch.empty(2, 3)).shape)
print(torch.clamp(s, 0, 2, out=s), torch.sqrt(s, out=s), torch.sigmoid(torch.zeros(2), out=torch.empty(2)))
print(torch.where(s > 1, s, torch.zeros(3)), torch.mm(torch.ones(2, 2), torch.ones(2, 2), out=torch.empty(2, 2)))
v, i = torch.sort(torch.tensor([3.0, 1.0, 2.0]), out=(torch.empty(3), torch.empty(3, dtype=torch.long)))
print(v, i, torch.topk(v, 2, out=(torch.empty(2), torch.empty(2, dtype=torch.long))))
print(torch.arange(3, out=torch.empty(3)), torch.zeros(2, out=torch.ones(2)), torch.cumsum(v, 0, out=v))
big = torch.zeros(5)
torch.add(torch.ones(2), 1, out=big)
print(big, big.shape)
b = torch.zeros(2, dtype=torch.bool)
torch.eq(torch.tensor([1, 2]), torch.tensor([1, 3]), out=b)
print(b, torch.logical_not(b, out=b))
w = torch.ones(2, requires_grad=True)
with torch.no_grad():
    torch.mul(w, 0.5, out=w)
print(w, w.requires_grad, w._version)
try:
    torch.exp(w, out=torch.empty(2))
except RuntimeError as e:
    print(type(e).__name__)
