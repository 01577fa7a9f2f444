"""out=: results written into a given tensor, and what autograd allows."""
import torch

a = torch.tensor([1.0, 2.0, 3.0])
b = torch.tensor([4.0, 5.0, 6.0])
out = torch.empty(3)
r = torch.add(a, b, out=out)
print(r is out, out)
torch.mul(a, b, out=out)
print(out, out._version)
torch.exp(a, out=a)
print(a)
m = torch.empty(2, 2)
torch.matmul(torch.ones(2, 3), torch.ones(3, 2), out=m)
print(m)
s = torch.empty(())
torch.sum(b, dim=0, out=s)
print(s)
e = torch.empty(0)
torch.cat([a, b], out=e)
print(e.shape)
d = torch.empty(3, dtype=torch.float64)
torch.add(b, 1, out=d)
print(d)
i = torch.empty(3, dtype=torch.int64)
try:
    torch.add(b, 0.5, out=i)
except RuntimeError as err:
    print(type(err).__name__, "can't be cast" in str(err))
x = torch.ones(3, requires_grad=True)
try:
    torch.add(x, 1, out=out)
except RuntimeError as err:
    print("don't support automatic differentiation" in str(err))
try:
    torch.add(b, 1, out=x)
except RuntimeError as err:
    print("don't support automatic differentiation" in str(err))
with torch.no_grad():
    torch.add(x, 1, out=out)
    torch.sub(b, 1, out=x)
print(out, x, x._version, x.is_leaf)
v, k = torch.empty(2), torch.empty(2, dtype=torch.int64)
torch.max(torch.tensor([[1.0, 9.0], [7.0, 3.0]]), dim=1, out=(v, k))
print(v, k)
row = torch.zeros(2, 3)
torch.neg(b, out=row[1])
print(row)
