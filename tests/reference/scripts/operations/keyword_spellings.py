"""Names of parameters as the documentation writes them."""

import torch

x = torch.tensor([[1.0, 2.0], [3.0, 4.0]])
y = torch.tensor([[2.0, 2.0], [2.0, 2.0]])
print(
    torch.add(input=x, other=y, alpha=2),
    torch.sub(x, other=y),
    torch.mul(input=x, other=3),
    torch.div(x, other=y, rounding_mode=None),
    torch.pow(input=x, exponent=2),
    torch.pow(self=2, exponent=x),
)
print(
    torch.clamp(input=x, min=2, max=3),
    torch.clip(x, min=2),
    torch.where(condition=x > 2, input=x, other=y),
    torch.maximum(input=x, other=y),
    torch.lerp(input=x, end=y, weight=0.5),
)
print(
    torch.sum(input=x, dim=0, keepdim=True),
    torch.max(input=x, dim=1).values,
    torch.transpose(input=x, dim0=0, dim1=1),
    torch.cat(tensors=[x, y], dim=1),
    torch.stack(tensors=[x, y], dim=0).shape,
    torch.split(tensor=x, split_size_or_sections=1, dim=0)[0],
)
print(
    torch.squeeze(input=x, dim=0).shape,
    torch.unsqueeze(input=x, dim=0).shape,
    torch.reshape(input=x, shape=(4,)),
    torch.flatten(input=x, start_dim=0, end_dim=-1),
    torch.permute(input=x, dims=(1, 0)),
    torch.narrow(input=x, dim=0, start=0, length=1),
    x.narrow(dimension=0, start=1, length=1) if False else "",
    torch.select(input=x, dim=0, index=1),
)
print(
    torch.gather(input=x, dim=1, index=torch.tensor([[0], [1]])),
    torch.index_select(input=x, dim=0, index=torch.tensor([1])),
    torch.masked_select(input=x, mask=x > 1),
    torch.take(input=x, index=torch.tensor([3])),
    x.scatter(dim=0, index=torch.tensor([[0, 0]]), src=y),
    x.scatter(dim=0, index=torch.tensor([[0, 0]]), value=9),
    x.index_add(dim=0, index=torch.tensor([0, 0]), source=y),
    x.index_fill(dim=0, index=torch.tensor([0]), value=5),
    x.masked_fill(mask=x > 2, value=0),
)
print(
    torch.mm(input=x, mat2=y),
    torch.matmul(input=x, other=y),
    torch.mv(input=x, vec=y[0]),
    torch.dot(input=x[0], tensor=y[0]) if True else "",
    torch.outer(input=x[0], vec2=y[0]),
    torch.addmm(input=x, mat1=x, mat2=y, beta=1, alpha=1),
    torch.bmm(input=x[None], mat2=y[None]),
)
print(
    torch.topk(input=x, k=1, dim=1, largest=False, sorted=True),
    torch.sort(input=x, dim=1, descending=True),
    torch.kthvalue(input=x, k=1, dim=1, keepdim=True),
    torch.quantile(input=x, q=0.5, dim=0, keepdim=False, interpolation="linear"),
    torch.cumsum(input=x, dim=0, dtype=torch.float64),
    torch.norm(input=x, p=2, dim=0, keepdim=True),
)
print(
    torch.roll(input=x, shifts=1, dims=0),
    torch.flip(input=x, dims=[0]),
    torch.rot90(input=x, k=1, dims=[0, 1]),
    torch.tril(input=x, diagonal=-1),
    torch.diag(input=x, diagonal=0),
    torch.tile(input=x, dims=(1, 2)),
    torch.repeat_interleave(input=x, repeats=2, dim=0),
    x.repeat(repeats=(1, 2)) if True else "",
    x.expand(size=(2, 2)),
    torch.unbind(input=x, dim=0)[0],
    torch.chunk(input=x, chunks=2, dim=0)[1],
    torch.movedim(input=x, source=0, destination=1),
)
print(
    torch.round(input=x, decimals=1),
    torch.softmax(input=x, dim=0),
    torch.logsumexp(input=x, dim=0),
    torch.std(input=x, dim=0, correction=1, keepdim=False),
    torch.nan_to_num(input=x, nan=0.0),
    torch.addcmul(input=x, tensor1=x, tensor2=y, value=1),
    torch.isclose(input=x, other=y, rtol=1e-5, atol=1e-8, equal_nan=False),
    torch.full(size=(2,), fill_value=1.0),
    torch.full_like(input=x, fill_value=2),
    torch.zeros(size=(1,)),
    torch.arange(start=0, end=4, step=2),
    torch.linspace(start=0, end=1, steps=2),
    torch.eye(n=2),
    torch.tensor(data=[1]),
    torch.broadcast_to(input=x[0], size=(2, 2)),
    torch.numel(input=x),
    torch.trace(input=x),
    torch.diff(input=x, n=1, dim=-1),
    torch.atan2(input=x, other=y),
    torch.einsum("ij->j", x),
    torch.argmax(input=x, dim=0, keepdim=False),
)
for bad in [
    lambda: torch.add(x, y, beta=2),
    lambda: torch.sum(x, dims=0),
    lambda: torch.reshape(x),
    lambda: torch.add(),
    lambda: torch.sin(x, 3),
    lambda: torch.mul(x, y, z=1),
    lambda: x.view(),
    lambda: torch.transpose(x, 0),
    lambda: x.permute(dim=(1, 0)),
    lambda: torch.cat(x, y),
    lambda: torch.exp(1.0),
    lambda: torch.exp([1.0]),
]:
    try:
        bad()
        print("fine")
    except Exception as error:
        print(type(error).__name__)
