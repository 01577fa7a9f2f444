"""reprs: grad_fn, hooks, sizes, dtypes, devices, generators, modules, optimizers, schedulers."""
import re
import torch
from torch import nn
def show(v):
    print(re.sub(r"at 0x[0-9a-f]+", "at", repr(v)))
x = torch.ones(2, requires_grad=True)
y = x * 2
for v in (y.grad_fn, y.grad_fn.next_functions, x.exp().sum().grad_fn.next_functions[0][0], y.grad_fn.next_functions[0][0], y.shape, y.dtype, y.device, y.layout, torch.contiguous_format, nn.Parameter(x), torch.Generator().initial_seed(), nn.Linear(1, 1), [x], {"x": y}, x.max(0), torch.sort(x), x.topk(1), torch.linalg.eigh(torch.eye(2)), torch.linalg.svd(torch.eye(2)), torch.optim.SGD([x], 0.1), torch.finfo(torch.float32), torch.iinfo(torch.int8), torch.nn.functional.relu.__name__, torch.float32, torch.Size([1]), nn.ReLU, torch.Tensor, nn.Parameter, torch.optim.Adam, torch.no_grad, type(y.grad_fn), y.grad_fn.__class__.__name__, y.grad_fn.name(), type(x.grad), x.unbind(), x.split(1), torch.meshgrid(x, x, indexing="ij")[0], torch.broadcast_tensors(x, torch.ones(1, 2))[0], x.std(), x.var_mean() if hasattr(x, "var_mean") else None, torch.std_mean(x), torch.unique(x, return_counts=True), torch.nn.utils.clip_grad_norm_([x], 1.0), torch.cummax(x, 0), torch.mode(x), torch.median(x, 0), torch.aminmax(x), torch.frexp(x.detach()), torch.slogdet(torch.eye(2)), torch.linalg.qr(torch.eye(2)), nn.MSELoss(), torch.device("cpu"), torch.strided, torch.is_grad_enabled()):
    show(v)
for v in (x.register_hook(lambda g: g), nn.Linear(1, 1).register_forward_hook(lambda *a: None)):
    print(type(v).__name__, v.id >= 0)
for s in (torch.optim.lr_scheduler.StepLR(torch.optim.SGD([x], 0.1), 1), torch.utils.data.DataLoader([1]), torch.utils.data.TensorDataset(x)):
    print(re.sub(r"0x[0-9a-f]+", "", repr(s)).split(" object")[0])
print(str(y.grad_fn).split(" ")[0], str(type(y)), f"{y.grad_fn.name():>15}|", "%s" % y.shape, "{}".format(y.dtype), repr(y.detach()), str([y.detach()[0]]))
