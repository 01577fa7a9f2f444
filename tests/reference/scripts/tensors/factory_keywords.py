"""Every factory and its keywords."""
import torch

print(torch.zeros(2, 3, dtype=torch.float64, requires_grad=True))
print(torch.ones((2, 2), dtype=torch.int16))
print(torch.zeros([3], dtype=torch.bool))
print(torch.zeros(size=(1, 2)))
print(torch.zeros(()))
print(torch.zeros(0, 4))
print(torch.full((2,), 7))
print(torch.full((2,), 7.0))
print(torch.full((2,), True))
print(torch.full((2,), 3 + 4j))
print(torch.full(size=(2, 2), fill_value=1.5, dtype=torch.float16))
print(torch.full((), float("nan")))
print(torch.full([2], float("inf"), requires_grad=True))
print(torch.empty(0))
print(torch.empty(2, 0, dtype=torch.int32))
print(torch.empty((3, 0, 2)).shape)
print(torch.eye(2), torch.eye(2, 3), torch.eye(n=2, m=1, dtype=torch.int64), torch.eye(0))
print(torch.arange(5), torch.arange(5.0), torch.arange(1, 4), torch.arange(1, 2.5, 0.5))
print(torch.arange(start=3, end=0, step=-1), torch.arange(0))
print(torch.arange(2, dtype=torch.float32, requires_grad=True))
print(torch.linspace(0, 1, 5), torch.linspace(0, 1, steps=3, dtype=torch.float64))
print(torch.linspace(3, 10, 1), torch.linspace(0, 10, 5, dtype=torch.int64))
print(torch.tensor(3), torch.tensor(3.0), torch.tensor(True), torch.tensor(1j))
for f in [
    lambda: torch.zeros(2, dtype=torch.int64, requires_grad=True),
    lambda: torch.ones(2, dtype=torch.bool, requires_grad=True),
    lambda: torch.zeros(-1),
    lambda: torch.arange(0, 1, 0),
    lambda: torch.arange(1, 0, 1),
    lambda: torch.eye(-1),
    lambda: torch.linspace(0, 1),
    lambda: torch.zeros("2"),
    lambda: torch.full(2, 1.0),
    lambda: torch.full((2,), "a"),
]:
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
