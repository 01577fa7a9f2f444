"""Advanced indexing: lists, tensors, masks, mixtures, and the shapes they give."""
import torch

x = torch.arange(60).view(3, 4, 5)
i, j = torch.tensor([0, 2]), torch.tensor([1, 3])
col = torch.tensor([[0], [2]])
for name, y in {
    "rows": x[i],
    "pair": x[i, j],
    "outer": x[col, j],
    "list": x[[0, 2]],
    "lists": x[[0, 2], [1, 3]],
    "slice between": x[i, :, j],
    "slice first": x[:, i, j],
    "last": x[..., j],
    "int and tensor": x[1, i],
    "tensor and int": x[i, 1],
    "split by slice": x[i, 1:, 0],
    "none": x[i, None].squeeze(1),
    "none last": x[i, :, j, None],
    "mask": x[x > 56],
    "row mask": x[torch.tensor([True, False, True])],
    "two masks": x[:, torch.tensor([True, False, False, True])][:, :, torch.tensor([1, 0, 0, 0, 1]).bool()],
    "mask and int": x[torch.tensor([True, False, True]), 1],
    "mask and tensor": x[torch.tensor([True, False, True]), i],
    "2d mask": x[torch.eye(3, 4).bool()],
    "negative": x[torch.tensor([-1]), -1],
    "repeated": x[[1, 1, 1], 0],
    "empty": x[[]],
    "empty tensor": x[torch.tensor([], dtype=torch.long)],
    "2d index": x[torch.tensor([[0, 1], [2, 0]])],
    "uint8 step": x[::2, ::-1] if False else x[::2, ::3],
    "scalar tensor": x[torch.tensor(1)],
    "true": x[True],
    "false": x[False],
    "bool list": x[[True, False, True]],
    "int32": x[torch.tensor([1], dtype=torch.int32)],
    "nested": x[[[0, 1], [1, 2]]],
}.items():
    print(name, tuple(y.shape), int(y.sum()), y.flatten()[:4].tolist())
for name, bad in {"range": lambda: x[i + 5], "float": lambda: x[torch.tensor([1.0])], "many": lambda: x[0, 0, 0, 0],
                  "shapes": lambda: x[torch.tensor([0, 1, 2]), i], "mask": lambda: x[torch.tensor([True, False])],
                  "string": lambda: x["a"], "step": lambda: x[::-1], "int": lambda: x[3], "neg": lambda: x[-4]}.items():
    try:
        bad()
        print(name, "ok")
    except Exception as e:
        print(name, type(e).__name__)
