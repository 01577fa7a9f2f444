"""x += y writes in place, x = x + y does not; what that means for aliases, leaves and integers."""
import torch

a = torch.ones(3)
b = a
a += 1
print(b, a is b)
a = a + 1
print(b, a is b)


def bump(t):
    t += 10
    return t


c = torch.zeros(2)
bump(c)
print(c)

i = torch.tensor([1, 2, 3])
try:
    i += 0.5
except RuntimeError as e:
    print(type(e).__name__, "can't be cast" in str(e))
try:
    i /= 2
except RuntimeError as e:
    print(type(e).__name__, "can't be cast" in str(e))
i //= 2
print(i, i.dtype)
i **= 3
print(i)
i %= 2
print(i)
i |= 1
i ^= 3
i &= 6
print(i, i._version)
f = torch.tensor([1.0, 2.0])
f @= torch.eye(2) if False else torch.eye(2)
print(f)
x = torch.tensor([1.0, 2.0], requires_grad=True)
y = x * 1
y *= x
y -= 1
y /= 2
y **= 2
print(y)
y.sum().backward()
print(x.grad)
m = torch.tensor([True, False])
m |= torch.tensor([False, False])
m &= True
m ^= True
print(m)
try:
    m += True
    print(m)
except RuntimeError as e:
    print(type(e).__name__)
