"""A small PyTorch device in Python: `hostcard`, whose memory and arithmetic the host lends.

It shows the authors of device backends (PrivateUse1) how to run the suite, and lets us test the
suite on a device without hardware:

    gradspec run --impl=torch --device=hostcard --import=tests/adapters/backends/hostcard.py

The device has memory of its own: a block that no CPU tensor refers to, reached only by its kernels.
One kernel, `compute`, serves every operation. It looks at the operands' blocks as CPU tensors, computes
there, and keeps the results as blocks of the device. Views and in-place operations are real ones,
because a tensor of the device has a storage, strides and an offset like any other.

What PyTorch's Python backend cannot do: an allocator (`torch.UntypedStorage(8, device="hostcard")` ends the
process), so that a storage cannot grow in place and three methods of storages are replaced here; a random
generator of the device's own; streams, events and pinned memory. An error that a hook raises ends the
process, because PyTorch asks the device guard, which is in Python, while the error is pending: run with
`--isolate`, and such a case is a crash of its own.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import torch
from torch._C import DispatchKey, DispatchKeySet
from torch.utils.backend_registration import _setup_privateuseone_for_python_backend

NAME = "hostcard"
DEVICE = torch.device("cpu")  # replaced below, once the name is known
CPU_KERNEL = DispatchKeySet(DispatchKey.CPU)
PROCESS = os.getpid()
"""As with the drivers of real devices, another process forked from this one cannot use the device."""


# --- memory ---


def block_of(memory: torch.UntypedStorage) -> torch.UntypedStorage:
    """A storage of the device over a block of memory, which it keeps alive."""
    made: Any = torch._C._construct_storage_from_data_pointer(  # type: ignore[attr-defined]
        memory.data_ptr(), DEVICE, memory.nbytes()
    )
    made.memory = memory
    return made  # type: ignore[no-any-return]


def tensor_on(
    block: torch.UntypedStorage, like: torch.Tensor, into: torch.Tensor | None = None
) -> torch.Tensor:
    """A tensor of the device over a block, with the dtype, shape, strides and offset of a CPU tensor.
    With `into` that tensor is changed."""
    if into is None:
        into = torch._C._acc.create_empty_tensor([0], like.dtype)
    torch.ops.aten.set_.source_Storage_storage_offset.redispatch(
        CPU_KERNEL, into, block, like.storage_offset(), like.shape, like.stride()
    )
    return into


def view_of(tensor: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    """A view of a tensor of the device, with the shape, strides and offset of a CPU tensor."""
    if tensor.dtype != like.dtype:
        with torch.inference_mode(tensor.is_inference()):
            return tensor_on(tensor.untyped_storage(), like)
    return torch.ops.aten.as_strided.default.redispatch(  # type: ignore[no-any-return]
        CPU_KERNEL, tensor, like.shape, like.stride(), like.storage_offset()
    )


def on_host(tensor: torch.Tensor) -> torch.Tensor:
    """A CPU tensor that looks at the memory of a tensor of the device."""
    memory = getattr(tensor.untyped_storage(), "memory", None)
    if memory is None:  # a tensor that PyTorch made without asking for memory
        memory = torch.UntypedStorage(0)
    seen = torch.empty(0, dtype=tensor.dtype, device="cpu")  # whatever the default device is
    seen = seen.set_(memory, tensor.storage_offset(), tensor.shape, tensor.stride())
    seen = torch._conj(seen) if tensor.is_conj() else seen
    return torch._neg_view(seen) if tensor.is_neg() else seen


# --- the kernel ---

KERNELS: dict[str, Callable[..., Any]] = {}
"""Kernels of single operations, by their names in PyTorch; they get CPU tensors that look at the device's
memory. The others are PyTorch's own for the CPU."""
LACKING: set[torch.dtype] = set()
"""Dtypes that the device does not have."""
TAKE_INDICES = {"aten::index", "aten::index_put", "aten::index_put_", "aten::_index_put_impl_"}


class Call:
    """One call of an operation: its operands as seen on the host, and the way back."""

    def __init__(self, operation: Any) -> None:
        self.operation = operation
        self.seen: list[tuple[torch.Tensor, torch.Tensor]] = []
        self.blocks: dict[int, torch.UntypedStorage] = {}
        """The device's storage for each block of host memory that takes part."""

    def to_host(self, value: Any, listed: bool = False) -> Any:
        """An argument with CPU tensors in the place of the device's."""
        if isinstance(value, torch.Tensor) and value.device.type == NAME:
            for tensor, host in self.seen:
                if tensor is value:
                    return host
            host = on_host(value)
            self.seen.append((value, host))
            self.blocks[host.untyped_storage()._cdata] = value.untyped_storage()
            return host
        if (
            isinstance(value, torch.Tensor)
            and value.dim()
            and not (listed and self.takes_indices())
        ):
            raise RuntimeError(
                "Expected all tensors to be on the same device, but found at least two devices, "
                f"{DEVICE} and {value.device}!"
            )
        if isinstance(value, torch.device) and value.type == NAME:
            return torch.device("cpu")
        if isinstance(value, list | tuple):
            return type(value)(self.to_host(item, listed=True) for item in value)
        return value

    def takes_indices(self) -> bool:
        """Whether the operation may be given a list of tensors of the CPU."""
        return str(self.operation._schema.name) in TAKE_INDICES

    def as_tensors(self, arguments: list[Any]) -> list[Any]:
        """PyTorch hands a number over as it is where an operation wants a tensor; not all take it back."""
        wanted = (argument.type for argument in self.operation._schema.arguments)
        beside = next((host for _, host in self.seen), None)

        def as_tensor(value: Any) -> torch.Tensor:
            dtype = None if beside is None else torch.result_type(beside, value)
            return torch.scalar_tensor(value, dtype=dtype, device="cpu")

        return [
            as_tensor(value)
            if isinstance(value, int | float | complex) and isinstance(kind, torch.TensorType)
            else value
            for value, kind in zip(arguments, wanted, strict=False)
        ]

    def to_device(self, value: Any) -> Any:
        """A result with tensors of the device in the place of the CPU's: an operand itself, a view of
        one, or a tensor over a new block."""
        if isinstance(value, list | tuple):
            return type(value)(map(self.to_device, value))
        if not isinstance(value, torch.Tensor) or value.device.type != "cpu":
            return value
        for tensor, host in self.seen:
            if host is value:
                return tensor
        memory = value.untyped_storage()
        for tensor, host in self.seen:
            if host.untyped_storage()._cdata == memory._cdata:
                return view_of(tensor, value)
        if value.dtype in LACKING:
            raise TypeError(f"{NAME} does not support {value.dtype}")
        block = self.blocks.get(memory._cdata)
        if block is None:
            block = self.blocks[memory._cdata] = block_of(memory)
        return tensor_on(block, value)

    def write_back(self) -> None:
        """Give operands that the operation resized their new shape, and a new block where they grew."""
        for tensor, host in self.seen:
            memory = host.untyped_storage()
            block = self.blocks[memory._cdata]
            moved = memory.nbytes() != block.nbytes() or memory.data_ptr() != block.data_ptr()
            if moved:
                block = self.blocks[memory._cdata] = block_of(memory)
            if moved or tensor.shape != host.shape or tensor.stride() != host.stride():
                tensor_on(block, host, into=tensor)


def compute(operation: Any, *arguments: Any, **keywords: Any) -> Any:
    """Every operation of the device: computed on the host, on the device's memory."""
    if os.getpid() != PROCESS:
        raise RuntimeError(f"{NAME} cannot be used in a forked process")
    call = Call(operation)
    given = call.as_tensors([call.to_host(value) for value in arguments])
    named = {name: call.to_host(value) for name, value in keywords.items()}
    found = KERNELS.get(operation._schema.name, operation)(*given, **named)
    call.write_back()
    return call.to_device(found)


def copy_from(
    source: torch.Tensor, target: torch.Tensor, non_blocking: bool = False
) -> torch.Tensor:
    """A copy within the device, to it or from it."""
    target_seen, source_seen = (
        on_host(tensor) if tensor.device.type == NAME else tensor for tensor in (target, source)
    )
    target_seen.copy_(source_seen)
    return target


def copy_from_and_resize(source: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
    """As `copy_from`, into a tensor that takes the source's shape."""
    return copy_from(source, target.resize_(source.shape))


def set_storage(
    tensor: torch.Tensor, storage: torch.UntypedStorage, offset: int, size: Any, stride: Any = ()
) -> torch.Tensor:
    """Make a tensor look at another storage of the device."""
    return torch.ops.aten.set_.source_Storage_storage_offset.redispatch(  # type: ignore[no-any-return]
        CPU_KERNEL, tensor, storage, offset, size, stride
    )


def replace_storage_methods() -> None:
    """Replace the methods of storages that would allocate memory on the device."""
    kind: Any = torch.UntypedStorage
    clone, to_cpu, to = kind.clone, kind.cpu, kind.to

    def clone_on_device(self: Any) -> Any:
        return block_of(self.memory.clone()) if self.device.type == NAME else clone(self)

    def copy_to_cpu(self: Any) -> Any:
        return self.memory.clone() if self.device.type == NAME else to_cpu(self)

    def move(self: Any, *, device: Any, non_blocking: bool = False) -> Any:
        if torch.device(device).type == NAME:
            return self if self.device.type == NAME else block_of(self.cpu().clone())
        return to(self.cpu() if self.device.type == NAME else self, device=device)

    kind.clone, kind.cpu, kind.to = clone_on_device, copy_to_cpu, move


def convolution(*arguments: Any) -> Any:
    """PyTorch asks a backend of its own for convolutions by a name of their own."""
    return compute(torch.ops.aten.convolution.default, *arguments)


def convolution_backward(
    gradient: Any, operand: Any, weight: Any, stride: Any, padding: Any, dilation: Any,
    transposed: Any, output_padding: Any, groups: Any, wanted: Any,
) -> Any:  # fmt: skip
    """As `convolution`. The bias is as long as the gradient has channels."""
    return compute(
        torch.ops.aten.convolution_backward.default, gradient, operand, weight, [gradient.shape[1]],
        stride, padding, dilation, transposed, output_padding, groups, wanted,
    )  # fmt: skip


def zeros(size: Any, **options: Any) -> torch.Tensor:
    """In the place of zeros without memory, which only PyTorch itself can make."""
    return torch.zeros(size, **options)


class Module:
    """What is found as `torch.hostcard`: the functions that PyTorch expects of every device."""

    def is_initialized(self) -> bool:
        return True

    def is_available(self) -> bool:
        return True

    def _is_in_bad_fork(self) -> bool:
        return False

    def current_device(self) -> int:
        return 0

    def device_count(self) -> int:
        return 1

    def device(self, device: Any) -> AbstractContextManager[None]:
        return nullcontext()

    def get_amp_supported_dtype(self) -> list[torch.dtype]:
        return [torch.float16, torch.bfloat16]

    def manual_seed_all(self, seed: int) -> None:
        """Random numbers come from the CPU's generator."""

    def get_rng_state(self, device: Any = None) -> torch.Tensor:
        return torch.get_rng_state()

    def set_rng_state(self, state: torch.Tensor, device: Any = None) -> None:
        torch.set_rng_state(state)


def register() -> list[torch.library.Library]:
    """Make the device known to PyTorch."""
    global DEVICE
    _setup_privateuseone_for_python_backend(NAME, Module())
    DEVICE = torch.device(NAME, 0)
    every = torch.library.Library("_", "IMPL")
    every.fallback(compute, "PrivateUse1")
    aten = torch.library.Library("aten", "IMPL")
    aten.impl("_copy_from", copy_from, "PrivateUse1")
    aten.impl("_copy_from_and_resize", copy_from_and_resize, "PrivateUse1")
    aten.impl("set_.source_Storage_storage_offset", set_storage, "PrivateUse1")
    aten.impl("convolution_overrideable", convolution, "PrivateUse1")
    aten.impl("convolution_backward_overrideable", convolution_backward, "PrivateUse1")
    aten.impl("_efficientzerotensor", zeros, "PrivateUse1")
    for key in ("Conjugate", "Negative"):  # or PyTorch would copy a conjugate view by a copy of it
        aten.impl("_copy_from", torch.library.fallthrough_kernel, key)
    replace_storage_methods()
    return [every, aten]


LIBRARIES = register()
