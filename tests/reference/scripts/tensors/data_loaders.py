"""Data sets, samplers and loaders: what comes, in which order, from the same seed."""

import torch
from torch.utils.data import DataLoader, TensorDataset, Dataset, Subset, random_split

torch.manual_seed(0)
ds = TensorDataset(torch.arange(10.0), torch.arange(10))
for e in range(2):
    for b in DataLoader(ds, batch_size=4, shuffle=True):
        print(b)
print(torch.rand(2))
for b in DataLoader(ds, batch_size=4):
    print(b)
print(torch.rand(2))
a, b = random_split(ds, [7, 3])
print(len(a), b.indices, a[0])
a, b = random_split(range(10), [0.5, 0.5], generator=torch.Generator().manual_seed(1))
print(list(a), len(b))


class D(Dataset):
    def __len__(self):
        return 5

    def __getitem__(self, i):
        return {"x": torch.ones(2) * i, "y": i, "s": str(i), "f": i / 2}


l = DataLoader(D(), 2, drop_last=True)
print(len(l), len(l.dataset), l.batch_size)
for b in l:
    print(b)
g = torch.Generator()
g.manual_seed(3)
print(
    [x.tolist() for x in DataLoader(range(8), batch_size=3, shuffle=True, generator=g)],
    g.initial_seed(),
)
print(next(iter(DataLoader([(torch.ones(2), 1), (torch.zeros(2), 0)], batch_size=2))))
print([b for b in DataLoader(ds, batch_size=None)][:2])
print(next(iter(DataLoader(D(), 2, collate_fn=lambda items: [i["s"] for i in items]))))
try:
    DataLoader(ds, batch_size=0)
except ValueError as e:
    print(type(e).__name__)
print(torch.rand(2))
print(Subset(ds, [3, 1])[1], ds[2:4])
import numpy as np

print(next(iter(DataLoader([np.ones(2), np.zeros(2)], batch_size=2))))
from collections import namedtuple

from torch.utils.data import BatchSampler, ConcatDataset, IterableDataset, SequentialSampler

Point = namedtuple("Point", "x y")
print(next(iter(DataLoader([Point(1.0, [1, 2]), Point(2.0, [3, 4])], batch_size=2))))
both = ConcatDataset([ds, TensorDataset(torch.ones(2), torch.ones(2))])
print(len(both), both[-1], both[11], len(ds + ds))


class Stream(IterableDataset):
    def __iter__(self):
        return iter(range(5))


print([b for b in DataLoader(Stream(), batch_size=2)])
print([b for b in DataLoader(Stream(), batch_size=2, drop_last=True)])
print([b for b in DataLoader(Stream(), batch_size=None)])
sampler = BatchSampler(SequentialSampler(range(5)), 2, False)
print(list(sampler), len(sampler), [b for b in DataLoader(range(5), batch_sampler=sampler)])
print([b for b in DataLoader(range(5), batch_size=2, sampler=[4, 2, 0])])
for wrong in (
    lambda: DataLoader(range(5), shuffle=True, sampler=[1]),
    lambda: DataLoader(range(5), batch_sampler=sampler, drop_last=True),
    lambda: DataLoader(range(5), batch_size=None, drop_last=True),
    lambda: DataLoader(Stream(), shuffle=True),
    lambda: random_split(range(5), [2, 2]),
    lambda: next(iter(DataLoader([[1], [1, 2]], batch_size=2))),
    lambda: next(iter(DataLoader([object(), object()], batch_size=2))),
    lambda: both[12],
    lambda: TensorDataset(torch.ones(2), torch.ones(3)),
):
    try:
        wrong()
    except Exception as error:
        print(type(error).__name__)
print(torch.rand(2))
