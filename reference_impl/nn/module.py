"""Parameter and Module."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterator
from typing import Any, ClassVar

import numpy as np

from .. import errors
from ..backend.device import Device
from ..backend.dtypes import FLOATING, DType, bfloat16, float16, float32, float64
from ..ops.methods import rebuild, reduce_ex
from ..tensor.printing import to_text
from ..tensor.state import INFERENCE
from ..tensor.tensor import Tensor, flagged, set_requires_grad, wrap
from .module_hooks import HookedModule
from .module_state import load, state_of

__all__ = ["Module", "Parameter"]


class Parameter(Tensor):
    """A leaf that modules find: requires grad unless told otherwise, and shares the data's memory.

    Raises:
        RuntimeError: the dtype cannot require grad and ``requires_grad`` is True.
    """

    __slots__ = ()

    def __new__(cls, data: Any = None, requires_grad: bool = True) -> Parameter:
        source = wrap(np.zeros(0, np.float32)) if data is None else data
        if not isinstance(source, Tensor):
            raise errors.wrong_type(
                f"Parameter(): argument 'data' must be Tensor, not {type(data).__name__}",
                AttributeError,
            )
        t = wrap(source._data, cls)
        t._vc = source._vc
        if requires_grad:
            set_requires_grad(t, True)
        return t  # type: ignore[return-value]

    @property
    def data(self) -> Tensor:
        """An alias that autograd knows nothing of, a plain tensor."""
        t = wrap(self._data)
        if self._vc is INFERENCE:
            t._vc = INFERENCE
        return t

    @data.setter
    def data(self, value: Tensor) -> None:
        Tensor.data.fset(self, value)  # type: ignore[attr-defined]

    def __repr__(self) -> str:
        return "Parameter containing:\n" + to_text(self)

    def __reduce_ex__(self, protocol: Any) -> Any:
        _, (data, requires_grad, device, place, *_), *own = reduce_ex(self, protocol)
        return (rebuild_parameter, (data, requires_grad, device, place), *own)


def rebuild_parameter(array: Any, requires_grad: bool, device: Any, place: Any) -> Tensor:
    """A parameter from pickled data."""
    return rebuild(array, requires_grad, device, place, Parameter)


Parameter.__module__ = "torch.nn.parameter"


def Buffer(data: Tensor | None = None, *, persistent: bool = True) -> Tensor:
    """A tensor that becomes a buffer of the module that it is assigned to."""
    held: Any = Tensor() if data is None else flagged(data.detach(), data.requires_grad)
    held.persistent, held._is_buffer = persistent, True
    return held  # type: ignore[no-any-return]


class Module(HookedModule):
    """A part of a network: holds parameters, buffers and other modules, found by attribute name."""

    training: bool
    _version = 1
    _added_in_version: ClassVar[dict[str, int]] = {}
    """Entries of the state that states of earlier versions lack, and the version they came with."""

    def __init__(self) -> None:
        d = self.__dict__
        d["training"] = True
        d["_parameters"] = {}
        d["_buffers"] = {}
        d["_non_persistent_buffers_set"] = set()
        d["_modules"] = {}
        self.prepare_hooks()

    def __setattr__(self, name: str, value: Any) -> None:
        d = self.__dict__
        tables = (d.get("_parameters"), d.get("_buffers"), d.get("_modules"))
        if isinstance(value, (Parameter, Module)) and tables[0] is None:
            raise errors.invalid_state(
                "cannot assign parameters or modules before Module.__init__() call", AttributeError
            )
        for table in tables:
            own = (Parameter,) if table is d.get("_parameters") else (Parameter, Module)
            if table is not None and name in table and not isinstance(value, own):
                if table is d["_parameters"] and value is not None:
                    raise errors.wrong_type(
                        f"cannot assign '{type(value).__name__}' as parameter '{name}' "
                        "(torch.nn.Parameter or None expected)"
                    )
                if table is d["_modules"] and value is not None:
                    raise errors.wrong_type(
                        f"cannot assign '{type(value).__name__}' as child module '{name}' "
                        "(torch.nn.Module or None expected)"
                    )
                if table is d["_buffers"] and value is not None and not isinstance(value, Tensor):
                    raise errors.wrong_type(
                        f"cannot assign '{type(value).__name__}' object to buffer '{name}' "
                        "(torch.nn.Buffer, torch.Tensor or None expected)"
                    )
                table[name] = value
                return
        for table in tables:
            kind = Parameter if table is d.get("_parameters") else Module
            if table is not None and not (name in table and isinstance(value, kind)):
                table.pop(name, None)  # one that keeps its kind keeps its place
        if getattr(value, "_is_buffer", False):
            self.register_buffer(name, value, value.persistent)
        elif isinstance(value, Parameter):
            d.pop(name, None)
            d["_parameters"][name] = value
        elif isinstance(value, Module):
            d.pop(name, None)
            d["_modules"][name] = value
        else:
            object.__setattr__(self, name, value)

    def __getattr__(self, name: str) -> Any:
        for table in ("_parameters", "_buffers", "_modules"):
            entries = self.__dict__.get(table)
            if entries is not None and name in entries:
                return entries[name]
        raise AttributeError(f"'{type(self).__name__}' object has no attribute '{name}'")

    def __delattr__(self, name: str) -> None:
        for table in ("_parameters", "_buffers", "_modules"):
            if name in self.__dict__[table]:
                del self.__dict__[table][name]
                self._non_persistent_buffers_set.discard(name)
                return
        object.__delattr__(self, name)

    def register_parameter(self, name: str, param: Parameter | None) -> None:
        """Add a parameter, or None as a place for one.

        Raises:
            TypeError: no parameter, or a name that is no text.
            KeyError: a name that is empty, taken, or has a dot in it.
            ValueError: a parameter that is no leaf.
        """
        self.check_name(name, "parameter", "_parameters")
        if param is not None and not isinstance(param, Parameter):
            raise errors.wrong_type(
                f"cannot assign '{type(param).__name__}' object to parameter '{name}' "
                "(torch.nn.Parameter or None required)"
            )
        if param is not None and not param.is_leaf:
            raise errors.not_a_leaf(
                f"Cannot assign non-leaf Tensor to parameter '{name}'. Model parameters must be "
                "created explicitly.",
                ValueError,
            )
        self._parameters[name] = param

    def register_buffer(self, name: str, tensor: Tensor | None, persistent: bool = True) -> None:
        """Add a tensor that belongs to the state but is not trained; it is saved if persistent.

        Raises:
            TypeError: no tensor, or a name that is no text.
            KeyError: a name that is empty, taken, or has a dot in it.
        """
        self.check_name(name, "buffer", "_buffers")
        if tensor is not None and not isinstance(tensor, Tensor):
            raise errors.wrong_type(
                f"cannot assign '{type(tensor).__name__}' object to buffer '{name}' "
                "(torch Tensor or None required)"
            )
        self._buffers[name] = tensor
        (
            self._non_persistent_buffers_set.discard
            if persistent
            else self._non_persistent_buffers_set.add
        )(name)

    def register_module(self, name: str, module: Module | None) -> None:
        """Add a module.

        Raises:
            TypeError: no module, or a name that is no text.
            KeyError: a name that is empty, taken, or has a dot in it.
        """
        if module is not None and not isinstance(module, Module):
            raise errors.wrong_type(f"{type(module).__name__} is not a Module subclass")
        self.check_name(name, "module", "_modules")
        self._modules[name] = module

    add_module = register_module

    def check_name(self, name: Any, what: str, table: str) -> None:
        """Refuse a name that no attribute can be found by, or that is taken."""
        if not isinstance(name, str):
            raise errors.wrong_type(f"{what} name should be a string. Got {type(name).__name__}")
        if "." in name or name == "":
            fault = "can't contain" if name else "can't be empty string"
            raise errors.wrong_value(
                f'{what} name {fault} "."' if name else f"{what} name {fault}", KeyError
            )
        if hasattr(self, name) and name not in self.__dict__[table]:
            raise errors.wrong_value(f"attribute '{name}' already exists", KeyError)

    def get_submodule(self, target: str) -> Module:
        """The module of that dotted name.

        Raises:
            AttributeError: there is none.
        """
        found = self
        for name in target.split(".") if target else ():
            if not hasattr(found, name):
                raise errors.wrong_value(
                    f"{type(found).__name__} has no attribute `{name}`", AttributeError
                )
            found = getattr(found, name)
            if not isinstance(found, Module):
                raise errors.wrong_value(f"`{name}` is not an nn.Module", AttributeError)
        return found

    def get_parameter(self, target: str) -> Parameter:
        """The parameter of that dotted name.

        Raises:
            AttributeError: there is none.
        """
        return self._held(target, "_parameters", "an nn.Parameter")  # type: ignore[no-any-return]

    def get_buffer(self, target: str) -> Tensor:
        """The buffer of that dotted name.

        Raises:
            AttributeError: there is none.
        """
        return self._held(target, "_buffers", "a buffer")  # type: ignore[no-any-return]

    def _held(self, target: str, table: str, kind: str) -> Any:
        path, _, name = target.rpartition(".")
        found = self.get_submodule(path)
        if not hasattr(found, name):
            raise errors.wrong_value(
                f"{type(found).__name__} has no attribute `{name}`", AttributeError
            )
        if name not in found.__dict__[table]:
            raise errors.wrong_value(f"`{name}` is not {kind}", AttributeError)
        return getattr(found, name)

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """What the module computes; for subclasses to write."""
        raise errors.custom_function(
            f'Module [{type(self).__name__}] is missing the required "forward" function',
            NotImplementedError,
        )

    # -- walking -----------------------------------------------------------------------------------

    def named_modules(
        self, memo: Any = None, prefix: str = "", remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Module]]:
        """This module and all below it, each once, or under each of its names."""
        seen: set[int] = set()
        stack: list[tuple[str, Module]] = [(prefix, self)]
        while stack:
            name, module = stack.pop()
            if remove_duplicate and id(module) in seen:
                continue
            seen.add(id(module))
            yield name, module
            stack.extend(
                (f"{name}.{k}" if name else k, m)
                for k, m in reversed(module._modules.items())
                if m is not None
            )

    def modules(self, remove_duplicate: bool = True) -> Iterator[Module]:
        """This module and all below it, each once, or as often as it has names."""
        return (m for _, m in self.named_modules(remove_duplicate=remove_duplicate))

    def children(self) -> Iterator[Module]:
        """The modules directly below."""
        return (m for m in self._modules.values() if m is not None)

    def named_children(self) -> Iterator[tuple[str, Module]]:
        """The modules directly below, with their names."""
        return ((k, m) for k, m in self._modules.items() if m is not None)

    def _named(
        self, table: str, prefix: str, recurse: bool, once: bool
    ) -> Iterator[tuple[str, Any]]:
        seen: set[int] = set()
        below = self.named_modules(prefix=prefix, remove_duplicate=once)
        for name, module in below if recurse else [(prefix, self)]:
            for k, v in module.__dict__[table].items():
                if v is not None and not (once and id(v) in seen):
                    seen.add(id(v))
                    yield (f"{name}.{k}" if name else k), v

    def named_parameters(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Parameter]]:
        """All parameters, each once or under each of its names, with their names."""
        return self._named("_parameters", prefix, recurse, remove_duplicate)

    def parameters(self, recurse: bool = True) -> Iterator[Parameter]:
        """All parameters, each once."""
        return (p for _, p in self.named_parameters(recurse=recurse))

    def named_buffers(
        self, prefix: str = "", recurse: bool = True, remove_duplicate: bool = True
    ) -> Iterator[tuple[str, Tensor]]:
        """All buffers, with their names."""
        return self._named("_buffers", prefix, recurse, remove_duplicate)

    def buffers(self, recurse: bool = True) -> Iterator[Tensor]:
        """All buffers."""
        return (b for _, b in self.named_buffers(recurse=recurse))

    def state_dict(
        self, *, destination: Any = None, prefix: str = "", keep_vars: bool = False
    ) -> OrderedDict[str, Any]:
        """Parameters and persistent buffers by name, detached unless ``keep_vars``."""
        return state_of(self, destination, prefix, keep_vars)

    def load_state_dict(self, state_dict: Any, strict: bool = True, assign: bool = False) -> Any:
        """Copy values into parameters and buffers of the same names; tells which names were missing
        and which unexpected.

        Raises:
            RuntimeError: there were such names, and ``strict``; or a shape differs.
        """
        return load(self, state_dict, strict, assign)

    # -- changing ----------------------------------------------------------------------------------

    def train(self, mode: bool = True) -> Module:
        """Set training mode here and below."""
        if not isinstance(mode, bool):
            raise errors.wrong_value("training mode is expected to be boolean")
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Module:
        """Set evaluation mode here and below; it does not stop recording."""
        return self.train(False)

    def requires_grad_(self, requires_grad: bool = True) -> Module:
        """Set requires_grad of all parameters."""
        for p in self.parameters():
            p.requires_grad_(requires_grad)
        return self

    def zero_grad(self, set_to_none: bool = True) -> None:
        """Clear the gradients of all parameters: to None, or to zeros in place."""
        for p in self.parameters():
            if p.grad is not None:
                if set_to_none:
                    p.grad = None
                else:
                    p.grad.detach_() if p.grad.grad_fn is not None else p.grad.requires_grad_(False)
                    p.grad.zero_()

    def apply(self, fn: Callable[[Module], Any]) -> Module:
        """Call a function on all modules below, then on this one."""
        for module in self.children():
            module.apply(fn)
        fn(self)
        return self

    def _converted(
        self,
        fn: Callable[[Tensor], Tensor],
        of_integers: Callable[[Tensor], Tensor] = lambda buffer: buffer,
        recurse: bool = True,
    ) -> Module:
        for module in self.modules() if recurse else [self]:
            for p in module._parameters.values():
                if p is not None:
                    p.data = fn(p.data)
                    if p.grad is not None:
                        p.grad = fn(p.grad.data)
            for k, b in module._buffers.items():
                if b is not None:
                    fractional = b.is_floating_point() or b.is_complex()
                    module._buffers[k] = (fn if fractional else of_integers)(b)
        return self

    def _floats_to(self, dtype: DType) -> Module:
        """Convert what is floating point, and neither integers nor complex numbers."""
        return self._converted(lambda t: t.to(dtype) if t.is_floating_point() else t)

    def to(self, *args: Any, **kwargs: Any) -> Module:
        """Convert parameters and buffers; of integers the device alone.

        Raises:
            TypeError: a dtype of whole numbers.
        """
        like = next((a for a in (*args, kwargs.get("tensor")) if isinstance(a, Tensor)), None)
        if like is not None:
            return self.to(like.device, like.dtype)
        dtype = next((a for a in (*args, kwargs.get("dtype")) if isinstance(a, DType)), None)
        if dtype is not None and dtype.category < FLOATING:
            raise errors.wrong_type(
                f"Module.to(): parameters can only take a floating or complex dtype; got {dtype}"
            )
        named = [a for a in args if isinstance(a, (str, Device))]
        device = kwargs.get("device", named[0] if named else None)
        return self._converted(
            lambda t: t.to(*args, **kwargs),
            lambda b: b if device is None else b.to(device),
        )

    def to_empty(self, *, device: Any, recurse: bool = True) -> Module:
        """Move to a device without the values, which are then not set."""

        def empty(t: Tensor) -> Tensor:
            return t.new_empty(t.shape, device=device)

        return self._converted(empty, empty, recurse)

    def cpu(self) -> Module:
        """Move parameters and buffers to the CPU."""
        return self.to("cpu")

    def cuda(self, device: Any = None) -> Module:
        """Move parameters and buffers to a CUDA device, the current one unless told otherwise."""
        return self.to(f"cuda:{device}" if isinstance(device, int) else device or "cuda")

    def double(self) -> Module:
        """Convert to float64."""
        return self._floats_to(float64)

    def half(self) -> Module:
        """Convert to float16."""
        return self._floats_to(float16)

    def float(self) -> Module:
        """Convert to float32."""
        return self._floats_to(float32)

    def bfloat16(self) -> Module:
        """Convert to bfloat16."""
        return self._floats_to(bfloat16)

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
