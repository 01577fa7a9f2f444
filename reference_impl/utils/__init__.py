"""``torch.utils``: what does not compute gradients itself."""

from __future__ import annotations

from ..naming import present
from ..reshaping import swap_tensors
from . import checkpoint, data, hooks

__all__ = ["checkpoint", "data", "hooks", "swap_tensors"]

present(
    data.__name__,
    vars(data),
    {
        "torch.utils.data.dataloader": "DataLoader",
        "torch.utils.data.dataset": "ConcatDataset Dataset IterableDataset Subset TensorDataset",
        "torch.utils.data.sampler": (
            "BatchSampler RandomSampler Sampler SequentialSampler SubsetRandomSampler "
            "WeightedRandomSampler"
        ),
    },
)
