"""to() in all its forms, and the short casts."""
import torch

x = torch.tensor([1.5, -2.5], requires_grad=True)
print(x.to(torch.float64), x.to("cpu") is x, x.to("cpu", torch.float64).dtype, x.to(dtype=torch.float16), x.to(device="cpu", dtype=torch.float32) is x)
print(x.to(torch.float32, copy=True) is x, x.to(torch.float32, copy=True), x.to(torch.device("cpu"), torch.int64), x.to(torch.zeros(1, dtype=torch.float64)))
print(x.float() is x, x.double(), x.half(), x.bfloat16(), x.int(), x.long(), x.short(), x.char(), x.abs().byte(), x.bool(), x.cfloat(), x.cdouble())
print(x.type(torch.float64), x.type_as(torch.ones(1, dtype=torch.float16)), x.type(dtype=torch.int32), x.type())
print(x.to(torch.int32).to(torch.float32).requires_grad, x.double().float())
y = x.to(torch.float64)
y.sum().backward()
print(x.grad, x.grad.dtype)
x.grad = None
x.to(torch.float16).to(torch.float64).pow(2).sum().backward()
print(x.grad)
print(torch.tensor([2.7, -2.7]).to(torch.uint8).dtype, torch.tensor([True, False]).float(), torch.tensor([0, 2]).bool(), torch.tensor([1 + 0j]).to(torch.complex128))
print(x.cpu() is x, x.to(torch.float32, non_blocking=True) is x, x.to("cpu", non_blocking=True).requires_grad, x.contiguous() is x)
for g in (lambda: x.to("nothing"), lambda: x.to(), lambda: x.to(None), lambda: x.to([torch.float32]), lambda: x.to(dtype="float32"), lambda: x.type("float64"), lambda: x.to(float), lambda: x.to(int)):
    try:
        r = g()
        print(r.dtype)
    except Exception as e:
        print(type(e).__name__)
print(torch.zeros(2, dtype=float), torch.zeros(2, dtype=int), torch.zeros(2, dtype=bool), torch.tensor([1, 2], dtype=complex))
t = torch.ones(2, 3).t()
print(t.double().stride(), t.to(torch.float64, memory_format=torch.contiguous_format).stride(), t.clone().stride(), t.clone(memory_format=torch.contiguous_format).stride())
