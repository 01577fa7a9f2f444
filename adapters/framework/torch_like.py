"""Engines whose namespace is PyTorch's: any importable module, with no adapter at all."""

from __future__ import annotations

import contextlib
import difflib
import importlib
import io
import math
import sys
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from pathlib import Path
from types import FunctionType, MethodType
from typing import Any, ClassVar

from .classify import pattern
from .engine import EngineUnavailable, Identity, Plain, Unsupported
from .python_engine import Kinds, Needs, PythonEngine, version_of
from .torch_wordings import SPECIFIC

TENSOR_ONLY = (
    "grad_fn", "is_leaf", "requires_grad", "grad_dtype", "retains_grad", "data", "_version", "_base",
)  # fmt: skip
"""Attributes that only tensors have, from their making on."""
FUNCTION_ONLY = ("boxed_grads_call", "clear_saved_tensors_on_access")
"""Attributes that only the class of custom functions has."""


class NestedForward(Exception):
    """A `jvp` was called within another."""


def refuse_to_nest(*arguments: Any) -> Any:
    """What a `jvp` calls within one that uses a level. Raises `NestedForward`."""
    raise NestedForward


class TorchLikeEngine(PythonEngine):
    """Runs programs on a module with PyTorch's names, straight and unmediated.

    The base for engines that nearly have PyTorch's names. A subclass sets `name` and `module_name`, and
    names what differs, after `super().__init__(device, kinds)`:

    - `self.words = {**self.words, "tensor": engine.from_list}`: functions with other names or arguments;
    - `patterns`: how the engine's messages are classified (`gradspec list kinds`), or that they say
      something is unsupported;
    - `features`: what the engine has, if its names promise more than they keep;
    - `mediated = True`, with `methods`, `attributes` and `setters` as in `gradspec new-adapter`: tensors
      whose own methods and attributes have other names;
    - `is_tensor` and `describe_tensor`: a tensor without `tolist`, `shape` or `dtype`;
    - `reset`: global state beside the grad mode and the default dtype.
    """

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        self.settle()
        self.absent: frozenset[str] | None = None
        self.words = {
            "vjp": self.vjp,
            "jvp": self.jvp,
            "shares_storage": self.shares_storage,
            "is_tensor": self.is_tensor,
            "is_node": self.is_node,
            "is_variable": lambda value: isinstance(value, self.module.autograd.Variable),
            "to_numpy": lambda tensor: tensor.detach().numpy(),
            "numpy_array": numpy_array,
            "saved_and_loaded": self.saved_and_loaded,
            "other_device": self.other_device,
            "accelerator": self.accelerator,
            "meta_device": self.meta_device,
            **self.words,
        }

    # --- global state ---

    def settle(self) -> None:
        """Make verdicts independent of the order of programs, and record the engine's global state, to
        restore it before each program."""
        for setting, value in (
            ("set_num_threads", 1),
            ("set_warn_always", True),
        ):  # else some warn but once
            if callable(function := getattr(self.module, setting, None)):
                function(value)
        self.state: list[tuple[Callable[[], Any] | None, Callable[[Any], Any], Any]] = []
        for read, write, usual in (
            ("is_grad_enabled", "set_grad_enabled", True),
            ("get_default_dtype", "set_default_dtype", None),
        ):
            reader, writer = getattr(self.module, read, None), getattr(self.module, write, None)
            if callable(writer) and (callable(reader) or usual is not None):
                self.state.append((reader, writer, reader() if callable(reader) else usual))

    def reset(self) -> None:
        for read, write, value in self.state:
            if read is None or read() is not value:
                write(value)
        self.end_level()

    def end_level(self) -> None:
        """End the level of forward mode that a program left open, if it failed before its end."""
        leave = getattr(self.forward_mode(), "exit_dual_level", None)
        if callable(leave):
            with contextlib.suppress(Exception):  # as it should raise where there is none
                leave()

    def forward_mode(self) -> Any:
        """The module of levels and duals, which may be another package's; None where there is none."""
        autograd = getattr(self.module, "autograd", None)
        found = getattr(autograd, "forward_ad", None)
        return found if hasattr(found, "dual_level") else None

    # --- what is missing ---

    def find_widest_float(self, device: str) -> str:
        """A device beside the CPU is asked for a tensor of float64, which not all can make."""
        if device == "cpu":
            return self.widest_float
        try:
            zeros = self.resolve("zeros")
            _ = zeros(1, dtype=self.resolve("float32"), device=device)
            try:
                _ = zeros(1, dtype=self.resolve("float64"), device=device)
            except Exception:
                return "float32"
        except Exception:  # an engine that makes its tensors in another way
            pass
        return self.widest_float

    @cached_property
    def has_complex(self) -> bool:
        """Whether a complex tensor can be made."""
        try:
            self.resolve("tensor")([1j])
        except Exception:  # an engine says in its own way that it has none
            return False
        return True

    @cached_property
    def moves_tensors(self) -> bool:
        """Whether `to` takes a device, and not only a dtype."""
        sample = self.sample()
        if not (hasattr(sample, "to") and hasattr(sample, "device")):
            return True
        try:
            sample.to(sample.device)
        except TypeError:
            return False
        except Exception:  # any other error is for the cases to find
            pass
        return True

    def unable(self, needs: Needs) -> str:
        if "devices" in needs.features and "to" in needs.members and not self.moves_tensors:
            return "to(device)"
        return super().unable(needs)

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        device = self.identity.device.partition(":")[0]
        if "complex" in features and not self.has_complex:
            return "complex numbers"
        if "numpy" in features and device != "cpu":
            return "arrays of NumPy, which share no memory with those of a device"
        if device != "cpu" and {"autograd.graph.save_on_cpu", "shares_storage"} <= set(words):
            return "tensors that are on the CPU already"
        return super().lacks(words, features)

    def lacks_member(self, members: frozenset[str]) -> str:
        if self.absent is None:
            sample = self.sample()
            known = sample is None or not self.is_tensor(sample)
            absent = () if known else (name for name in TENSOR_ONLY if not has(sample, name))
            function = getattr(getattr(self.module, "autograd", None), "Function", None)
            switches = (name for name in FUNCTION_ONLY if not has(function, name))
            self.absent = frozenset([*absent, *switches]) - self.attributes.keys()
        lacking = sorted(self.absent & members)
        if {"backward", "gradient"} <= members and not self.takes_gradient:
            return "backward(gradient)"
        if not lacking:
            return ""
        if lacking[0] in FUNCTION_ONLY:
            return f"Function.{lacking[0]}"
        kind = self.tensor_type
        return f"{kind.__name__ if kind else 'tensor'}.{lacking[0]}"

    # --- describing values ---

    def is_tensor(self, value: Any) -> bool:
        kind = self.tensor_type
        if kind is not None:
            return isinstance(value, kind)
        return hasattr(value, "backward") and hasattr(value, "grad")

    def describe_tensor(self, value: Any) -> Plain:
        plain = value.detach() if hasattr(value, "detach") else value
        if not hasattr(plain, "tolist"):
            return self.describe_bare(plain)
        if hasattr(plain, "shape"):
            self.room_for(plain.shape)
        nested = self.elements(plain)
        shape = tuple(plain.shape) if hasattr(plain, "shape") else shape_of(nested)
        return self.tensor_plain(str(getattr(plain, "dtype", "unknown")), shape, flatten(nested))

    def elements(self, plain: Any) -> Any:
        """A tensor's elements as nested lists. Some tensors have no memory to read, such as symbolic
        zeros; a copy is read instead."""
        try:
            return plain.tolist()
        except Exception:
            if not hasattr(plain, "clone"):
                raise
            try:
                return plain.clone().tolist()
            except Exception:
                pass
            raise  # what reading the tensor itself raised

    def describe_bare(self, value: Any) -> Plain:
        """The values of a tensor without tolist: its `data`, or its `item()`."""
        data: Any = getattr(value, "data", None)
        if hasattr(data, "tolist"):
            data = data.tolist()
        if not isinstance(data, int | float | complex | list):
            data = value.item() if hasattr(value, "item") else None
        if data is None:
            raise Unsupported(
                f"reading the values of a {type(value).__name__} (no tolist, data or item)"
            )
        shape = tuple(value.shape) if hasattr(value, "shape") else shape_of(data)
        return self.tensor_plain(str(getattr(value, "dtype", "unknown")), shape, flatten(data))

    def dtype_name(self, value: Any) -> str:
        kind = getattr(self.module, "dtype", None)
        if isinstance(kind, type) and isinstance(value, kind):
            return str(value).rpartition(".")[2]
        return ""

    def node_name(self, value: Any) -> str:
        if hasattr(value, "next_functions"):
            name = getattr(value, "name", None)
            return str(name()) if callable(name) else type(value).__name__
        return ""

    def describe_object(self, value: Any) -> Plain:
        """A device is reported as its name, so that different devices differ."""
        kind = getattr(self.module, "device", None)
        if isinstance(kind, type) and isinstance(value, kind):
            return str(value)
        return super().describe_object(value)

    def is_node(self, value: Any) -> bool:
        """Whether a value is a node of the graph. A plain function does not count: a program could not
        read anything from it."""
        if isinstance(value, FunctionType | MethodType | partial):
            raise Unsupported("nodes of the graph as objects")
        return bool(self.node_name(value))

    # --- words that PyTorch spells differently ---

    forward: Callable[..., Any] | None = None
    """What a `jvp` within a `jvp` calls; None outside of any."""

    def vjp(
        self, function: Callable[..., Any], inputs: Sequence[Any], cotangents: Any
    ) -> tuple[Any, ...]:
        """Gradients of `function` at `inputs`, from the engine's own tape.

        Within another vjp or jvp the inputs stay part of the outer computation and the backward
        pass records itself, so that derivatives nest; an input that was not used gets zeros.
        """
        try:
            grad = self.resolve("autograd.grad")
        except Unsupported:
            return self.vjp_by_backward(function, inputs, cotangents)
        nested = self.depth > 0 or any(tensor.requires_grad for tensor in inputs)
        traced = tuple(following(tensor) if nested else tensor.detach() for tensor in inputs)
        for tensor in traced:
            if not tensor.requires_grad:
                tensor.requires_grad_()
        outputs = self.within(function, traced)
        several = isinstance(outputs, tuple | list)
        roots, seeds = (list(outputs), list(cotangents)) if several else ([outputs], [cotangents])
        kept = [(root, seed) for root, seed in zip(roots, seeds, strict=True) if root.requires_grad]
        if not kept:
            self.untracked = True
            return tuple(self.zeros_of(tensor) for tensor in inputs)
        options = {"create_graph": True} if nested else {}
        found = grad(
            [root for root, _ in kept],
            list(traced),
            [seed for _, seed in kept],
            allow_unused=True,
            **options,
        )
        pairs = zip(found, inputs, strict=True)
        return tuple(
            self.zeros_of(tensor) if gradient is None else gradient for gradient, tensor in pairs
        )

    def jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        """The tangent of `function` at `inputs` along `tangents`, by the engine's forward mode: by a level,
        or by the transform where there are no levels."""
        forward: Any = self.forward_mode()
        if forward is None:
            try:
                return self.nested_jvp(function, inputs, tangents)
            except Unsupported:
                raise Unsupported("autograd.forward_ad and func.jvp") from None
        if self.forward is not None:
            return self.forward(function, inputs, tangents)
        try:
            with forward.dual_level():
                duals = [forward.make_dual(*pair) for pair in zip(inputs, tangents, strict=True)]
                self.forward = refuse_to_nest
                outputs = self.within(function, duals)
                several = isinstance(outputs, tuple | list)
                found = [
                    (self.zeros_of(tensor) if part.tangent is None else part.tangent)
                    for tensor in (outputs if several else [outputs])
                    for part in [forward.unpack_dual(tensor)]
                ]
            return tuple(found) if several else found[0]
        except NestedForward:
            self.forward = self.nested_jvp
            return self.nested_jvp(function, inputs, tangents)
        finally:
            self.forward = None

    def nested_jvp(
        self, function: Callable[..., Any], inputs: Sequence[Any], tangents: Sequence[Any]
    ) -> Any:
        """As `jvp`, by the transform, which nests where levels do not."""
        transform = self.resolve("func.jvp")
        return self.within(partial(transform, function), (tuple(inputs), tuple(tangents)))[1]

    def saved_and_loaded(self, value: Any) -> Any:
        """A value after a round trip through a file."""
        save, load = self.resolve("save"), self.resolve("load")
        file = io.BytesIO()
        save(value, file)
        file.seek(0)
        return load(file)

    # --- devices ---

    accelerators: ClassVar[tuple[str, ...]] = ("cuda", "strict")
    """Kinds of devices beside the CPU that hold values, and that programs may use. `strict` is what the
    reference has in the place of a GPU."""

    def accelerator(self) -> Any:
        """A device beside the CPU that holds values. Raises `Unsupported` if there is none."""
        in_use = self.identity.device.partition(":")[0]
        own = () if in_use in ("cpu", "meta") else (in_use,)
        return self.device_of_kind(*own, *self.accelerators)

    def meta_device(self) -> Any:
        """The device whose tensors have no values. Raises `Unsupported` if there is none."""
        return self.device_of_kind("meta")

    def other_device(self) -> Any:
        """A device other than the one in use. Raises `Unsupported` if there is none."""
        return self.device_of_kind("meta" if self.identity.device == "cpu" else "cpu")

    def device_of_kind(self, *kinds: str) -> Any:
        """The first of these devices that the engine has. Raises `Unsupported`."""
        make = self.resolve("zeros")
        for kind in kinds:
            try:
                found = make(1, device=kind).device
            except Exception:  # an engine says in its own way that it has no such device
                continue
            if str(found).partition(":")[0] == kind:
                return found
        raise Unsupported(f"a device of type {' or '.join(kinds)}")

    def shares_storage(self, first: Any, second: Any) -> bool:
        """Whether two tensors are backed by one piece of memory."""
        if hasattr(first, "untyped_storage"):
            return bool(first.untyped_storage().data_ptr() == second.untyped_storage().data_ptr())
        import numpy

        held = self.memory(first)
        if held is not None and numpy.shares_memory(held, self.memory(first)):  # else it is a copy
            return bool(numpy.shares_memory(held, self.memory(second)))
        if hasattr(first, "data_ptr") and hasattr(first, "element_size"):
            return overlap(addresses(first), addresses(second))
        raise Unsupported("shares_storage")

    def memory(self, tensor: Any) -> Any:
        """The array in which a tensor keeps its elements, or None. A detached tensor is used only if the
        tensor itself raises: a detach() that copies is another bug, not to be blamed on views."""
        for way in ("numpy", "__array__"):
            if hasattr(tensor, way):
                try:
                    return getattr(tensor, way)()
                except Exception:
                    return getattr(tensor.detach(), way)()
        return None


class ModuleEngine(TorchLikeEngine):
    """`--impl=module:NAME`: any module, assumed to have PyTorch's names."""

    patterns = (
        *SPECIFIC,
        pattern("wrong-dtype", "unsupported dtype|only supports floating-point dtypes|must be a boolean tensor",
                "TypeError"),
    )  # fmt: skip

    def __init__(self, module_name: str, device: str = "cpu", kinds: Kinds = ()) -> None:
        self.wanted = module_name
        self.module_name = module_name.partition(":")[0]  # type: ignore[misc]
        super().__init__(device, kinds)

    def load_module(self) -> Any:
        if "" not in sys.path:
            sys.path.insert(0, "")  # a module in the current folder, as `python -m` finds it
        module, _, attribute = self.wanted.partition(":")
        try:
            found = importlib.import_module(module)
        except Exception as error:
            message = (
                f"the module {module!r} cannot be imported ({type(error).__name__}: {error}); "
                "is it installed in this environment, or in the current folder? --python=PATH uses another "
                f"one{near_module(module)}"
            )
            raise EngineUnavailable(message) from error
        if not attribute:
            return found
        try:
            return getattr(found, attribute)
        except AttributeError:
            near = difflib.get_close_matches(attribute, dir(found), n=1)
            hint = f"; did you mean module:{module}:{near[0]}?" if near else ""
            raise EngineUnavailable(f"the module {module!r} has no {attribute!r}{hint}") from None

    def identify(self, device: str) -> Identity:
        version = version_of(self.module)
        return Identity(f"module:{self.wanted}", version, self.language, device)


def near_module(name: str) -> str:
    """A hint that names the module of the current folder with the nearest name, or nothing."""
    here = [path.stem for path in Path().glob("*.py")]
    here += [path.parent.name for path in Path().glob("*/__init__.py")]
    near = [found for found in difflib.get_close_matches(name, here, n=1) if found != name]
    return f" did you mean module:{near[0]}?" if near else ""


def following(tensor: Any) -> Any:
    """A tensor of the same values, computed from this one by whatever the engine has."""
    if hasattr(tensor, "view_as"):
        return tensor.view_as(tensor)
    for method in ("view", "reshape"):
        if hasattr(tensor, method):
            return getattr(tensor, method)(tensor.shape)
    return tensor * 1


def addresses(tensor: Any) -> range:
    """The addresses from a tensor's first element to the end of its last one."""
    start, strides = tensor.data_ptr(), tensor.stride() if hasattr(tensor, "stride") else ()
    shape = tuple(tensor.shape)
    if not strides:
        strides = tuple(math.prod(shape[place + 1 :]) for place in range(len(shape)))
    if 0 in shape:
        return range(start, start)
    steps = sum((size - 1) * step for size, step in zip(shape, strides, strict=True))
    return range(start, start + (steps + 1) * tensor.element_size())


def overlap(first: range, second: range) -> bool:
    """Whether two ranges of addresses have one in common."""
    return max(first.start, second.start) < min(first.stop, second.stop)


def has(owner: Any, name: str) -> bool:
    """Whether an object has an attribute, even if reading it fails."""
    try:
        return hasattr(owner, name)
    except Exception:
        return True


def numpy_array(values: Any) -> Any:
    """A NumPy array of float32."""
    try:
        import numpy
    except ImportError:
        raise Unsupported("numpy") from None
    return numpy.array(values, dtype="float32")


def flatten(nested: Any) -> list[Any]:
    """Nested lists as one flat list; a plain number as a list of one."""
    if not isinstance(nested, list):
        return [nested]
    if nested and isinstance(nested[0], list):
        return [item for part in nested for item in flatten(part)]
    return nested


def shape_of(nested: Any) -> tuple[int, ...]:
    """The shape of nested lists."""
    if not isinstance(nested, list):
        return ()
    return (len(nested), *(shape_of(nested[0]) if nested else ()))
