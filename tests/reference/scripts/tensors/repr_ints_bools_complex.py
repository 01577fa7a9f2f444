"""How ints, bools and complex numbers are printed."""
import torch

print(torch.tensor([1, 10, -100]), torch.tensor([0]), torch.tensor([2**62, 1]))
print(torch.tensor([[1, 2], [-3, 4]], dtype=torch.int8), torch.tensor(5, dtype=torch.uint8), torch.tensor([1], dtype=torch.int16), torch.tensor([1], dtype=torch.int32))
print(torch.tensor([True, False]), torch.tensor(False), torch.tensor([[True], [False]]))
print(torch.tensor([1 + 2j]), torch.tensor(1 - 2j), torch.tensor([1.5 - 0.25j, -3j]))
print(torch.tensor([1 + 2j], dtype=torch.complex128), torch.tensor([1e-6 + 1e6j]), torch.tensor([1e10 + 1j, 2]))
print(torch.tensor([complex("nan"), complex("inf"), 1j]), torch.tensor([0j]), torch.tensor([-0.0 - 0.0j]))
print(torch.tensor([[1 + 1j, 2], [3, 4j]], requires_grad=True) * 2)
print(torch.zeros(0), torch.zeros(0, dtype=torch.int64), torch.zeros(0, dtype=torch.bool), torch.zeros(0, dtype=torch.complex64))
print(torch.zeros(2, 0), torch.zeros(0, 3, dtype=torch.float64), torch.zeros(1, 0, 2, dtype=torch.int32))
print(torch.zeros(0, requires_grad=True), torch.zeros(2, 0, requires_grad=True), torch.zeros(0, requires_grad=True) * 2)
print(torch.tensor([]), torch.tensor([[]]), torch.tensor([], dtype=torch.int64))
x = torch.tensor([1 + 2j, 3 - 4j])
print(x.conj(), x.real, x.imag, x.abs(), x.angle(), x.conj().imag)
print(torch.view_as_real(x), torch.view_as_complex(torch.tensor([[1.0, 2.0]])))
print([torch.tensor(1), torch.tensor([2.0])], (torch.tensor(True),), {"a": torch.tensor(1.5)})
print(f"{torch.tensor(1)} {torch.tensor(1.5)} {torch.tensor([1.5])} {torch.tensor(True)} {torch.tensor(1j)}")
