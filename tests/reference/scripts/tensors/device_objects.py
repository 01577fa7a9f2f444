"""torch.device and where tensors are made."""
import torch
d = torch.device("cpu")
print(d, repr(d), d.type, d.index, d == torch.device("cpu"), d == "cpu", hash(d) == hash(torch.device("cpu")), torch.device("cpu", 0), torch.device("cpu:0") == d, str(torch.device("cuda:1")), torch.device("cuda", 1).index, torch.device(d), torch.device(type="cpu"), {d: 1}[torch.device("cpu")])
x = torch.ones(2, device=d, requires_grad=True)
print(x.device, x.device == d, x.is_cuda, x.get_device(), x.to(d) is x, x.cpu() is x, torch.zeros_like(x, device="cpu").device, x.new_zeros(1, device=d).device, torch.tensor([1], device="cpu"))
device = "cuda" if torch.cuda.is_available() else "cpu"
print(device, torch.nn.Linear(1, 1).to(device).weight.device, torch.cuda.device_count())
with torch.device("cpu"):
    print(torch.ones(1).device, torch.nn.Linear(1, 1).weight.device)
m = torch.ones(2, 3, device="meta")
print(m, m.device, m.shape, m.is_meta, (m @ m.t()).shape, (m + 1).device, torch.empty(2, device="meta", requires_grad=True))
for f in (lambda: torch.device("nope"), lambda: torch.device("cpu:x"), lambda: torch.device(None), lambda: m.item(), lambda: m.numpy(), lambda: m.tolist(), lambda: m + torch.ones(2, 3), lambda: torch.ones(1, device=3.5), lambda: torch.ones(1).to("mps"), lambda: bool(m.sum())):
    try:
        print(f())
    except Exception as e:
        print(type(e).__name__)
print(torch.get_default_device(), torch.empty(1).device.type, isinstance(d, torch.device), type(d))
