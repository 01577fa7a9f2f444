"""Modules made of modules or of parameters."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from typing import Any, TypeVar

from .. import errors
from ..tensor.legacy import constructor_name
from ..tensor.tensor import Tensor
from .module import Module, Parameter

__all__ = ["ModuleDict", "ModuleList", "ParameterDict", "ParameterList", "Sequential"]

Own = TypeVar("Own", bound="_Ordered")


class _Ordered(Module):
    """Modules numbered from 0."""

    def position(self, index: Any) -> str:
        """The name of the module at an index, which may count from the end.

        Raises:
            IndexError: there is none.
            TypeError: no whole number.
        """
        i, n = operator.index(index), len(self._modules)
        if not -n <= i < n:
            raise errors.wrong_index(f"index {i} is out of range")
        return list(self._modules)[i]

    def renumber(self, modules: Iterable[Module]) -> None:
        """Hold these modules alone, numbered anew."""
        self._modules = {str(i): m for i, m in enumerate(modules)}

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)(*self.some(list(self._modules.items())[index]))
        return self._modules[self.position(index)]

    def some(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        """The arguments that make a container of a part of this one."""
        return ([m for _, m in items],)

    def __setitem__(self, index: Any, module: Module) -> None:
        self.register_module(self.position(index), module)

    def __delitem__(self, index: Any) -> None:
        names = list(self._modules)
        gone = names[index] if isinstance(index, slice) else [self.position(index)]
        self.renumber(m for k, m in self._modules.items() if k not in gone)

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[Any]:
        return iter(self._modules.values())

    def append(self: Own, module: Module) -> Own:
        """Add one at the end."""
        self.register_module(str(len(self._modules)), module)
        return self

    def insert(self: Own, index: int, module: Module) -> Own:
        """Add one before the one at ``index``."""
        held = list(self._modules.values())
        held.insert(index, module)
        self.renumber(held)
        return self

    def extend(self: Own, modules: Iterable[Module]) -> Own:
        """Add several at the end."""
        for module in list(modules):
            self.append(module)
        return self

    def pop(self, key: int) -> Any:
        """Take one out."""
        module = self[key]
        del self[key]
        return module


class Sequential(_Ordered):
    """Modules run one after another."""

    def __init__(self, *args: Any) -> None:
        super().__init__()
        items = args[0].items() if len(args) == 1 and isinstance(args[0], dict) else enumerate(args)
        for name, module in items:
            self.register_module(str(name), module)

    def some(self, items: list[tuple[str, Any]]) -> tuple[Any, ...]:
        return (dict(items),)

    def forward(self, input: Any) -> Any:
        for module in self._modules.values():
            input = module(input)
        return input

    def __add__(self, other: Sequential) -> Sequential:
        return Sequential(*self, *other)

    def __iadd__(self, other: Sequential) -> Sequential:
        return self.extend(list(other))

    def __mul__(self, times: int) -> Sequential:
        """These modules, the very same, several times over.

        Raises:
            ValueError: less than once.
        """
        if times <= 0:
            raise errors.wrong_value(f"a Sequential can be repeated once or more; got {times}")
        return Sequential(*(list(self) * times))

    __rmul__ = __mul__


class ModuleList(_Ordered):
    """A list of modules that parameters() finds."""

    def __init__(self, modules: Iterable[Module] | None = None) -> None:
        super().__init__()
        self.extend(modules or ())

    def __add__(self, other: Iterable[Module]) -> ModuleList:
        return ModuleList([*self, *other])

    def insert(self, index: int, module: Module) -> None:  # type: ignore[override]
        """Add one before the one at ``index``."""
        super().insert(index, module)

    def __iadd__(self, modules: Iterable[Module]) -> ModuleList:
        return self.extend(modules)

    def __repr__(self) -> str:
        """Equal neighbours are printed once, with their number."""
        groups: list[tuple[int, int, str]] = []
        for i, module in enumerate(self):
            text = repr(module)
            if groups and groups[-1][2] == text:
                groups[-1] = (groups[-1][0], i, text)
            else:
                groups.append((i, i, text))
        lines = [
            f"({a}): {text}" if a == b else f"({a}-{b}): {b - a + 1} x {text}"
            for a, b, text in groups
        ]
        body = "\n".join("  " + line.replace("\n", "\n  ") for line in lines)
        return f"{type(self).__name__}(\n{body}\n)" if lines else f"{type(self).__name__}()"


class ModuleDict(Module):
    """Modules by name."""

    def __init__(self, modules: Any = None) -> None:
        super().__init__()
        self.update(modules or {})

    def __getitem__(self, name: str) -> Module:
        return self._modules[name]  # type: ignore[no-any-return]

    def __setitem__(self, name: str, module: Module) -> None:
        self.register_module(name, module)

    def __delitem__(self, name: str) -> None:
        del self._modules[name]

    def __len__(self) -> int:
        return len(self._modules)

    def __iter__(self) -> Iterator[str]:
        return iter(self._modules)

    def __contains__(self, name: object) -> bool:
        return name in self._modules

    def keys(self) -> Any:
        """The names."""
        return self._modules.keys()

    def values(self) -> Any:
        """The modules."""
        return self._modules.values()

    def items(self) -> Any:
        """Names and modules."""
        return self._modules.items()

    def update(self, modules: Any) -> None:
        """Add or replace several."""
        pairs = modules.items() if hasattr(modules, "items") else modules
        for name, module in pairs:
            self[name] = module

    def pop(self, key: str) -> Module:
        """Take one out."""
        module = self[key]
        del self[key]
        return module

    def clear(self) -> None:
        """Take all out."""
        self._modules.clear()


def told(value: Any) -> str:
    """How a parameter prints in a list of them."""
    if not isinstance(value, Tensor):
        return f"Object of type: {type(value).__name__}"
    kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
    return f"{kind} containing: [{value.dtype} of size {'x'.join(map(str, value.shape))}]"


def as_parameter(value: Any) -> Any:
    """A tensor made a parameter; anything else as it is."""
    plain = isinstance(value, Tensor) and not isinstance(value, Parameter)
    return Parameter(value) if plain else value


class ParameterList(Module):
    """A list of parameters that parameters() finds; tensors become parameters."""

    def __init__(self, values: Iterable[Any] | None = None) -> None:
        super().__init__()
        self.count = 0
        self.extend(values or ())

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return type(self)([self[i] for i in range(*index.indices(len(self)))])
        return getattr(self, self.position(index))

    def position(self, index: Any) -> str:
        """The name of the entry at an index, which may count from the end."""
        i = operator.index(index)
        if not -len(self) <= i < len(self):
            raise errors.wrong_index(f"index {i} is out of range")
        return str(i % len(self))

    def __setitem__(self, index: int, value: Any) -> None:
        setattr(self, self.position(index), as_parameter(value))

    def __len__(self) -> int:
        return self.count

    def __iter__(self) -> Iterator[Any]:
        return iter([self[i] for i in range(len(self))])

    def append(self, value: Any) -> ParameterList:
        """Add one at the end."""
        self.count += 1
        self[self.count - 1] = value
        return self

    def extend(self, values: Iterable[Any]) -> ParameterList:
        """Add several at the end."""
        for value in list(values):
            self.append(value)
        return self

    def __iadd__(self, values: Iterable[Any]) -> ParameterList:
        return self.extend(values)

    def extra_repr(self) -> str:
        return "\n".join(f"  ({i}): {told(p)}" for i, p in enumerate(self))


class ParameterDict(Module):
    """Parameters by name; tensors become parameters."""

    def __init__(self, parameters: Any = None) -> None:
        super().__init__()
        self.names: dict[str, None] = {}
        self.update(parameters or {})

    def __getitem__(self, key: str) -> Any:
        return getattr(self, self.known(key))

    def known(self, key: str) -> str:
        """A key that is there.

        Raises:
            AttributeError: it is not.
            TypeError: no text.
        """
        if not isinstance(key, str):
            raise errors.wrong_type(f"parameters are named by texts; got {type(key).__name__}")
        if key not in self.names:
            raise AttributeError(f"there is no parameter '{key}'; known are {list(self.names)}")
        return key

    def __setitem__(self, key: str, value: Any) -> None:
        self.names[key] = None
        setattr(self, key, as_parameter(value))

    def __delitem__(self, key: str) -> None:
        del self.names[self.known(key)]
        delattr(self, key)

    def __len__(self) -> int:
        return len(self.names)

    def __iter__(self) -> Iterator[str]:
        return iter(self.names)

    def __contains__(self, key: object) -> bool:
        return key in self.names

    def keys(self) -> Any:
        """The names."""
        return self.names.keys()

    def values(self) -> Any:
        """The parameters."""
        return [self[k] for k in self.names]

    def items(self) -> Any:
        """Names and parameters."""
        return [(k, self[k]) for k in self.names]

    def update(self, parameters: Any) -> None:
        """Add or replace several."""
        pairs = parameters.items() if hasattr(parameters, "items") else parameters
        for key, value in pairs:
            self[key] = value

    def get(self, key: str, default: Any = None) -> Any:
        """The parameter of that name, or another value."""
        return self[key] if key in self.names else default

    def pop(self, key: str) -> Any:
        """Take one out."""
        value = self[key]
        del self[key]
        return value

    def __reversed__(self) -> Iterator[str]:
        return reversed(list(self.names))

    def __or__(self, other: ParameterDict) -> ParameterDict:
        both = self.copy()
        both.update(other)
        return both

    def fromkeys(self, keys: Iterable[str], default: Any = None) -> ParameterDict:
        """Another one, of these names, each with the same value."""
        return ParameterDict(dict.fromkeys(keys, default))

    def popitem(self) -> tuple[str, Any]:
        """Take the last one out, with its name."""
        key = list(self.names)[-1]
        return key, self.pop(key)

    def setdefault(self, key: str, default: Any = None) -> Any:
        """The parameter of that name; where there is none, this one is added."""
        if key not in self.names:
            self[key] = default
        return self[key]

    def copy(self) -> ParameterDict:
        """Another one of the same parameters."""
        return ParameterDict(dict(self.items()))

    def clear(self) -> None:
        """Take all out."""
        for key in list(self.names):
            del self[key]

    def extra_repr(self) -> str:
        return "\n".join(f"  ({k}): {self.described(v)}" for k, v in self.items())

    def described(self, value: Any) -> str:
        """How one parameter prints."""
        if not isinstance(value, Tensor):
            return told(value)
        kind = "Parameter" if isinstance(value, Parameter) else "Tensor"
        size = "x".join(map(str, value.shape))
        return f"{kind} containing: [{constructor_name(value.dtype)} of size {size}]"
