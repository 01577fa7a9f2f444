"""Less used factories."""
import torch

print(torch.tril_indices(3, 3), torch.triu_indices(2, 3, offset=1), torch.combinations(torch.tensor([1, 2, 3])), torch.cartesian_prod(torch.tensor([1, 2]), torch.tensor([3, 4])))
print(torch.complex(torch.tensor([1.0]), torch.tensor([2.0])), torch.polar(torch.tensor([1.0, 2.0]), torch.tensor([0.0, 3.14159])))
print(torch.heaviside(torch.tensor([-1.0, 0.0, 1.0]), torch.tensor([0.5])), torch.as_strided(torch.arange(6), (2, 2), (1, 2)))
print(torch.arange(0, 1, 0.1), torch.arange(10, 0, -3), torch.arange(0.5, 3), torch.arange(3, dtype=torch.float16), torch.arange(-2, 3), torch.arange(1e-3, 5e-3, 1e-3))
print(torch.arange(0, 5, out=torch.empty(0, dtype=torch.int64)), torch.arange(torch.tensor(3)), torch.arange(0, 4, 2, dtype=torch.float64))
print(torch.linspace(-1, 1, 4, requires_grad=True), torch.linspace(0, 1, 0), torch.linspace(start=1, end=0, steps=3), torch.linspace(torch.tensor(0.0), torch.tensor(1.0), 3))
print(torch.zeros(2, out=torch.ones(2)), torch.ones(3, out=torch.zeros(3)), torch.eye(2, out=torch.zeros(2, 2)), torch.full((2,), 3.0, out=torch.zeros(2)))
print(torch.zeros(2, 3).new_zeros(1).shape, torch.zeros(torch.Size([2])), torch.zeros(*[2, 1]), torch.zeros(torch.tensor(2)), torch.ones(2, torch.tensor(1)))
print(torch.zeros(2, layout=torch.strided), torch.zeros(2, device="cpu"), torch.zeros(2, device=torch.device("cpu", 0)).device, torch.zeros(1, pin_memory=False))
print(torch.meshgrid(torch.arange(2), torch.arange(3), indexing="ij"), torch.meshgrid([torch.arange(2), torch.arange(2)], indexing="xy"))
print(torch.empty(2, 2, dtype=torch.float64).shape, torch.empty(2, requires_grad=True).requires_grad, torch.empty_like(torch.ones(2, dtype=torch.int8)).dtype)
for g in (lambda: torch.complex(torch.ones(1), torch.ones(1, dtype=torch.float64)), lambda: torch.arange(), lambda: torch.arange("3"), lambda: torch.zeros(2, device="nowhere"), lambda: torch.zeros(2, foo=1), lambda: torch.zeros(), lambda: torch.zeros(1.5), lambda: torch.zeros((1.0, 2)), lambda: torch.linspace(0, 1, -1), lambda: torch.zeros(None), lambda: torch.zeros(True)):
    try:
        print(g())
    except Exception as e:
        print(type(e).__name__)
