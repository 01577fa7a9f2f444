"""When memory is shared, and when a big tensor is kept alive by a small view."""

import torch

big = torch.arange(1000.0)
small = big[10:13]
print(
    small.untyped_storage().nbytes(),
    small.numel() * small.element_size(),
    small.clone().untyped_storage().nbytes(),
)
del big
print(small, small._base.shape, small.storage_offset())
fresh = small.clone()
small.mul_(2)
print(fresh, small)
a = torch.zeros(3, 3)
parts = {
    "row": a[0],
    "col": a[:, 0],
    "T": a.T,
    "diag": a.diagonal(),
    "flat": a.flatten(),
    "resh": a.reshape(9),
    "cont": a.T.contiguous(),
    "tolist": torch.tensor(a.tolist()),
    "np": torch.from_numpy(a.numpy()),
    "list": a[[0]],
    "to": a.to(torch.float64),
    "float": a.float(),
    "detach": a.detach(),
    "data": a.data,
    "exp": a.expand(2, 3, 3),
    "sq": a.squeeze(),
    "chunk": a.chunk(3)[1],
    "unbind": a.unbind(1)[2],
    "cat": torch.cat([a]),
    "stack": torch.stack([a])[0],
    "as": torch.as_tensor(a),
    "where": torch.where(a > 0, a, a),
    "abs": a.abs(),
    "clamp": a.clamp(0),
    "relu": torch.relu(a),
    "pos": +a,
    "mm": a @ torch.eye(3),
    "narrow": a.narrow(0, 0, 1),
    "real": torch.real(a),
    "view_as": a.view_as(a),
    "bt": torch.broadcast_to(a, (1, 3, 3)),
    "atl": torch.atleast_3d(a),
    "param": torch.nn.Parameter(a),
    "var": torch.autograd.Variable(a),
    "h": a.half(),
    "type": a.type_as(a),
    "masked": a.masked_fill(a > 5, 1),
    "drop": torch.nn.functional.dropout(a, 0.0),
    "dropeval": torch.nn.functional.dropout(a, 0.5, training=False),
    "ident": torch.nn.Identity()(a),
    "roll0": a.roll(0),
    "tile": a.tile(1, 1),
    "sum_to": a.sum_to_size(3, 3),
    "movedim": a.movedim(0, 0),
    "swap": a.swapaxes(0, 0),
    "unf": a.unflatten(0, (3, 1)),
    "hs": a.hsplit(3)[0],
    "ts": a.tensor_split(3)[0],
    "rf": a.ravel(),
    "flip": a.flip(0),
    "bool": a.bool(),
    "cpu": a.cpu(),
    "conj": a.conj(),
    "copy": torch.clone(a),
    "mv": a.mT,
    "ri": a.repeat_interleave(1, 0),
    "perm": a.permute(1, 0),
    "sel": a.select(0, 1),
    "un": a.unsqueeze(0),
    "resas": a.reshape_as(a),
    "expas": a.expand_as(a),
    "asst": a.as_strided((1,), (1,)),
    "diagc": torch.diag(a),
    "tril": a.tril(),
    "new": a.new_tensor([1.0]) if False else a.new_zeros(1),
}
for k, t in parts.items():
    print(k, t.untyped_storage().data_ptr() == a.untyped_storage().data_ptr(), t is a)
