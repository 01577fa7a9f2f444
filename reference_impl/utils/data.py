"""``torch.utils.data``: data sets, and loaders that give them out in batches.

All work is done in the calling process; the orders that a loader draws are PyTorch's from the same
seed.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any

import numpy as np

from .. import dtypes
from ..generator import Generator
from ..ops import FUNCTIONS
from ..ops.create import as_tensor, tensor
from ..ops.draw import randperm
from ..tensor import Tensor

__all__ = [
    "BatchSampler", "ConcatDataset", "DataLoader", "Dataset", "IterableDataset", "RandomSampler", "Sampler",
    "SequentialSampler", "Subset", "SubsetRandomSampler", "TensorDataset", "WeightedRandomSampler",
    "default_collate", "default_convert", "random_split",
]  # fmt: skip


class Dataset:
    """What has items by number: a subclass gives ``__getitem__``, and mostly ``__len__``."""

    def __getitem__(self, index: Any) -> Any:
        raise NotImplementedError(
            f"{type(self).__name__} has no __getitem__; a data set gives its items by it"
        )

    def __class_getitem__(cls, item: Any) -> Any:
        return cls

    def __add__(self, other: Any) -> ConcatDataset:
        return ConcatDataset([self, other])


class IterableDataset(Dataset):
    """What has items one after the other: a subclass gives ``__iter__``."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError(
            f"{type(self).__name__} has no __iter__; it gives the items one by one"
        )


class TensorDataset(Dataset):
    """Tensors side by side; an item takes the same index of each.

    Raises:
        AssertionError: tensors whose first dimensions differ.
    """

    def __init__(self, *tensors: Tensor) -> None:
        sizes = [len(t) for t in tensors]
        assert len(set(sizes)) <= 1, f"tensors of one data set need equal lengths; got {sizes}"
        self.tensors = tensors

    def __getitem__(self, index: Any) -> tuple[Any, ...]:
        return tuple(t[index] for t in self.tensors)

    def __len__(self) -> int:
        return len(self.tensors[0])


class ConcatDataset(Dataset):
    """One data set after the other."""

    def __init__(self, datasets: Iterable[Any]) -> None:
        self.datasets = list(datasets)
        assert self.datasets, "one data set at least is needed to join"
        self.cumulative_sizes = list(accumulate(len(d) for d in self.datasets))

    def __len__(self) -> int:
        return self.cumulative_sizes[-1]

    def __getitem__(self, index: int) -> Any:
        if index < -len(self):
            raise ValueError(f"index {index} is out of range for {len(self)} items")
        if index >= len(self):
            raise IndexError(f"index {index} is out of range for {len(self)} items")
        index %= len(self)
        which = bisect_right(self.cumulative_sizes, index)
        before = self.cumulative_sizes[which - 1] if which else 0
        return self.datasets[which][index - before]


class Subset(Dataset):
    """The items of a data set at some indices."""

    def __init__(self, dataset: Any, indices: Sequence[int]) -> None:
        self.dataset, self.indices = dataset, indices

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, list):
            return self.dataset[[self.indices[i] for i in index]]
        return self.dataset[self.indices[index]]

    def __len__(self) -> int:
        return len(self.indices)


def random_split(
    dataset: Any, lengths: Sequence[float], generator: Generator | None = None
) -> list[Subset]:
    """A data set in parts of these lengths, or of these shares of the whole, in random order.

    Raises:
        ValueError: lengths that do not add up to that of the data set.
    """
    size = len(dataset)
    sizes = [int(n) for n in lengths]
    if math.isclose(sum(lengths), 1) and sum(lengths) <= 1:
        sizes = [math.floor(size * share) for share in lengths]
        for i in range(size - sum(sizes)):
            sizes[i % len(sizes)] += 1
    if sum(sizes) != size:
        raise ValueError(
            f"the lengths {list(lengths)} do not add up to the {size} items that there are"
        )
    order = randperm(size, generator=generator).tolist()
    ends = accumulate(sizes)
    return [Subset(dataset, order[end - n : end]) for n, end in zip(sizes, ends, strict=True)]


class Sampler:
    """An order of indices: a subclass gives ``__iter__``."""

    def __iter__(self) -> Iterator[Any]:
        raise NotImplementedError

    def __class_getitem__(cls, item: Any) -> Any:
        return cls


class SequentialSampler(Sampler):
    """From the first index to the last."""

    def __init__(self, data_source: Any) -> None:
        self.data_source = data_source

    def __iter__(self) -> Iterator[int]:
        return iter(range(len(self.data_source)))

    def __len__(self) -> int:
        return len(self.data_source)


class RandomSampler(Sampler):
    """Every index once, in an order that is drawn for each pass; or with ``replacement`` any index
    at each draw, ``num_samples`` in all."""

    def __init__(
        self,
        data_source: Any,
        replacement: bool = False,
        num_samples: int | None = None,
        generator: Generator | None = None,
    ) -> None:
        self.data_source, self.replacement, self.generator = data_source, replacement, generator
        self.samples = num_samples

    @property
    def num_samples(self) -> int:
        """How many indices a pass gives."""
        return len(self.data_source) if self.samples is None else self.samples

    def __iter__(self) -> Iterator[int]:
        generator, n = self.generator, len(self.data_source)
        if generator is None:
            generator = Generator()
            generator.manual_seed(drawn_seed(None))
        left = self.num_samples
        while left > 0:
            if self.replacement:
                size = min(left, 32)  # drawn in portions of that many
                drawn = FUNCTIONS["randint"](0, n, (size,), generator=generator).tolist()
            else:
                drawn = randperm(n, generator=generator).tolist()[:left]
            yield from drawn
            left -= len(drawn)

    def __len__(self) -> int:
        return self.num_samples


class SubsetRandomSampler(Sampler):
    """The given indices, in an order that is drawn for each pass."""

    def __init__(self, indices: Sequence[int], generator: Generator | None = None) -> None:
        self.indices, self.generator = indices, generator

    def __iter__(self) -> Iterator[int]:
        for i in randperm(len(self.indices), generator=self.generator).tolist():
            yield self.indices[i]

    def __len__(self) -> int:
        return len(self.indices)


class WeightedRandomSampler(Sampler):
    """Indices drawn with probabilities in the ratio of weights.

    Raises:
        ValueError: no number of samples, or weights that are no row of numbers.
    """

    def __init__(
        self,
        weights: Sequence[float],
        num_samples: int,
        replacement: bool = True,
        generator: Generator | None = None,
    ) -> None:
        if not isinstance(num_samples, int) or isinstance(num_samples, bool) or num_samples <= 0:
            raise ValueError(
                f"num_samples should be a positive integer value, but got num_samples={num_samples}"
            )
        self.weights = as_tensor(weights, dtype=dtypes.float64)
        if self.weights.ndim != 1:
            raise ValueError(f"weights should be a 1d sequence; got shape {self.weights.shape}")
        self.num_samples, self.replacement, self.generator = num_samples, replacement, generator

    def __iter__(self) -> Iterator[int]:
        draw = FUNCTIONS["multinomial"]
        options = {"generator": self.generator}
        yield from draw(self.weights, self.num_samples, self.replacement, **options).tolist()

    def __len__(self) -> int:
        return self.num_samples


class BatchSampler(Sampler):
    """The indices of another sampler, in lists of ``batch_size``; the last may be shorter."""

    def __init__(self, sampler: Any, batch_size: int, drop_last: bool) -> None:
        if not isinstance(batch_size, int) or isinstance(batch_size, bool) or batch_size <= 0:
            raise ValueError(f"batch_size must be a whole number above zero; got {batch_size!r}")
        self.sampler, self.batch_size, self.drop_last = sampler, batch_size, drop_last

    def __iter__(self) -> Iterator[list[Any]]:
        return batches(self.sampler, self.batch_size, self.drop_last)

    def __len__(self) -> int:
        whole, rest = divmod(len(self.sampler), self.batch_size)
        return whole + (rest > 0 and not self.drop_last)


def batches(items: Iterable[Any], size: int, drop_last: bool) -> Iterator[list[Any]]:
    """Items in lists of ``size``."""
    batch: list[Any] = []
    for item in items:
        batch.append(item)
        if len(batch) == size:
            yield batch
            batch = []
    if batch and not drop_last:
        yield batch


def drawn_seed(generator: Generator | None) -> int:
    """A seed drawn from a generator, or from the default one."""
    return int(FUNCTIONS["empty"]((), dtype=dtypes.int64).random_(generator=generator).item())


def default_convert(item: Any) -> Any:
    """An item with tensors in the place of NumPy's arrays, containers included."""
    if isinstance(item, (np.ndarray, np.generic)) and item.dtype.kind in "biufc":
        return as_tensor(item)
    if isinstance(item, Mapping):
        return {key: default_convert(value) for key, value in item.items()}
    if isinstance(item, tuple) and hasattr(item, "_fields"):
        return type(item)(*map(default_convert, item))
    if isinstance(item, (list, tuple)):
        return [default_convert(value) for value in item]
    return item


def default_collate(batch: Sequence[Any]) -> Any:
    """Items as one: tensors, arrays and numbers stacked, containers element by element, text as it is.

    Raises:
        TypeError: items of which no batch can be made.
        RuntimeError: sequences of different lengths.
    """
    first = batch[0]
    if isinstance(first, Tensor):
        return FUNCTIONS["stack"](list(batch), 0)
    if isinstance(first, np.ndarray):
        return FUNCTIONS["stack"]([as_tensor(item) for item in batch], 0)
    if isinstance(first, np.generic):
        return as_tensor(np.array(batch))
    if isinstance(first, float):
        return tensor(list(batch), dtype=dtypes.float64)
    if isinstance(first, int):
        return tensor(list(batch))
    if isinstance(first, (str, bytes)):
        return batch
    if isinstance(first, Mapping):
        return {key: default_collate([item[key] for item in batch]) for key in first}
    if isinstance(first, Sequence):
        if any(len(item) != len(first) for item in batch):
            raise RuntimeError(f"items of lengths {[len(item) for item in batch]} make no batch")
        parts = [default_collate(column) for column in zip(*batch, strict=True)]
        return type(first)(*parts) if hasattr(first, "_fields") else parts
    raise TypeError(
        f"no batch can be made of {type(first).__name__} objects; give a collate_fn, or items that "
        "are tensors, arrays, numbers, text, dicts or lists"
    )


class DataLoader:
    """Batches of a data set, in order or shuffled.

    ``num_workers``, ``pin_memory`` and their like change how fast batches come, not which ones: they
    are taken and not used.

    Raises:
        ValueError: arguments that exclude one another, or a batch size below one.
    """

    def __init__(
        self,
        dataset: Any,
        batch_size: int | None = 1,
        shuffle: bool | None = None,
        sampler: Any = None,
        batch_sampler: Any = None,
        num_workers: int = 0,
        collate_fn: Callable[[Any], Any] | None = None,
        pin_memory: bool = False,
        drop_last: bool = False,
        timeout: float = 0,
        worker_init_fn: Any = None,
        generator: Generator | None = None,
        **options: Any,
    ) -> None:
        if sampler is not None and shuffle:
            raise ValueError("a sampler sets the order itself; leave out shuffle")
        if batch_sampler is not None:
            if batch_size != 1 or shuffle or sampler is not None or drop_last:
                raise ValueError(
                    "a batch_sampler makes the batches itself; leave out batch_size, shuffle, sampler "
                    "and drop_last"
                )
            batch_size = None
        elif batch_size is None and drop_last:
            raise ValueError("without batches (batch_size=None) there is no last one to drop")
        self.dataset, self.batch_size, self.drop_last = dataset, batch_size, drop_last
        self.generator, self.num_workers, self.pin_memory = generator, num_workers, pin_memory
        if isinstance(dataset, IterableDataset):
            if shuffle or sampler is not None or batch_sampler is not None:
                raise ValueError(
                    "an IterableDataset has an order of its own: no shuffle or sampler"
                )
        elif sampler is None:
            sampler = (
                RandomSampler(dataset, generator=generator)
                if shuffle
                else SequentialSampler(dataset)
            )
        if batch_sampler is None and batch_size is not None:
            batch_sampler = BatchSampler(sampler, batch_size, drop_last)
        self.sampler, self.batch_sampler = sampler, batch_sampler
        usual = default_convert if batch_sampler is None else default_collate
        self.collate_fn = usual if collate_fn is None else collate_fn

    def __iter__(self) -> Iterator[Any]:
        drawn_seed(self.generator)  # that of the workers, which PyTorch draws without any too
        return self.collated()

    def collated(self) -> Iterator[Any]:
        """The items, or the batches."""
        dataset = self.dataset
        if isinstance(dataset, IterableDataset):
            size = self.batch_size
            parts = iter(dataset) if size is None else batches(dataset, size, self.drop_last)
            yield from map(self.collate_fn, parts)
        elif self.batch_sampler is None:
            for index in self.sampler:
                yield self.collate_fn(dataset[index])
        else:
            for indices in self.batch_sampler:
                yield self.collate_fn([dataset[index] for index in indices])

    def __len__(self) -> int:
        if isinstance(self.dataset, IterableDataset):
            size = self.batch_size or 1
            return len(self.dataset) // size if self.drop_last else -(-len(self.dataset) // size)  # type: ignore[arg-type]
        return len(self.sampler if self.batch_sampler is None else self.batch_sampler)
