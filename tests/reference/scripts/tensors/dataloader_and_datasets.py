"""Datasets, samplers, collation and batches."""
import torch
from torch.utils.data import DataLoader, Dataset, TensorDataset, Subset, random_split, ConcatDataset

class Points(Dataset):
    def __init__(self, n):
        self.x = torch.arange(n, dtype=torch.float32).unsqueeze(1)
    def __len__(self):
        return len(self.x)
    def __getitem__(self, i):
        return {"x": self.x[i], "i": i, "name": f"p{i}"}
d = Points(7)
print(len(d), d[2])
for batch in DataLoader(d, batch_size=3):
    print(batch)
print(len(DataLoader(d, batch_size=3)), len(DataLoader(d, batch_size=3, drop_last=True)))
t = TensorDataset(torch.arange(6).view(3, 2), torch.tensor([0.0, 1.0, 2.0]))
print(t[1], len(t), t[0:2])
print(list(DataLoader(t, batch_size=2)))
print([b for b in DataLoader([1, 2, 3, 4, 5], batch_size=2)], [b for b in DataLoader([1.5, 2.5], batch_size=2)], list(DataLoader(["a", "b"], batch_size=2)), list(DataLoader([(1, 2.0), (3, 4.0)], batch_size=2)))
g = torch.Generator().manual_seed(0)
a, b = random_split(range(10), [7, 3], generator=g)
print(len(a), len(b), sorted(list(a) + list(b)), type(a).__name__, list(b))
s = Subset(d, [1, 3])
print(len(s), s[1]["name"])
c = ConcatDataset([t, t])
print(len(c), c[4])
torch.manual_seed(1)
print([x.tolist() for x in DataLoader(range(6), batch_size=4, shuffle=True)])
print([x.tolist() for x in DataLoader(range(6), batch_size=4, shuffle=True, generator=torch.Generator().manual_seed(2))])
print(list(DataLoader([torch.ones(2), torch.zeros(2)], batch_size=2, collate_fn=lambda items: sum(items))), list(DataLoader(range(3), batch_size=None)))
from torch.utils.data import SequentialSampler, RandomSampler, BatchSampler, WeightedRandomSampler
print(list(SequentialSampler(range(3))), list(BatchSampler(SequentialSampler(range(5)), 2, False)), len(BatchSampler(SequentialSampler(range(5)), 2, True)))
print(list(RandomSampler(range(5), generator=torch.Generator().manual_seed(3))))
print(list(WeightedRandomSampler([0.1, 0.9], 5, generator=torch.Generator().manual_seed(0))))
for bad in (lambda: TensorDataset(torch.ones(2), torch.ones(3)), lambda: random_split(range(3), [1, 1]), lambda: list(DataLoader([torch.ones(1), torch.ones(2)], batch_size=2)), lambda: DataLoader(d, batch_size=0), lambda: list(DataLoader([None], batch_size=1))):
    try:
        print(bad())
    except Exception as e:
        print(type(e).__name__)
import numpy as np
print(next(iter(DataLoader([np.float64(1.5), np.float64(2)], batch_size=2))), next(iter(DataLoader(np.arange(4), batch_size=2))), next(iter(DataLoader([np.ones(2)], batch_size=1))))
