"""What of a module is saved, and how it is loaded again."""

from __future__ import annotations

from collections import OrderedDict, namedtuple
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from .. import errors
from ..autograd.grad_mode import no_grad
from ..tensor.tensor import Tensor

if TYPE_CHECKING:
    from .module import Module

__all__ = ["load", "state_of"]


class _IncompatibleKeys(namedtuple("_IncompatibleKeys", ["missing_keys", "unexpected_keys"])):
    """The names that were missing, and those that nothing was found for."""

    __slots__ = ()

    def __repr__(self) -> str:
        return super().__repr__() if any(self) else "<All keys matched successfully>"

    __str__ = __repr__


def entries(module: Module, prefix: str) -> Iterator[tuple[str, Tensor]]:
    """Parameters and persistent buffers, module by module, under each of their names."""
    for name, part in module.named_modules(prefix=prefix, remove_duplicate=False):
        lead = f"{name}." if name else ""
        for k, p in part._parameters.items():
            if p is not None:
                yield lead + k, p
        for k, b in part._buffers.items():
            if b is not None and k not in part._non_persistent_buffers_set:
                yield lead + k, b


def state_of(
    module: Module, destination: Any = None, prefix: str = "", keep_vars: bool = False
) -> OrderedDict[str, Any]:
    """Parameters and buffers by name, detached unless ``keep_vars``."""
    held: OrderedDict[str, Any] = OrderedDict() if destination is None else destination
    if destination is None:
        held._metadata = OrderedDict()  # type: ignore[attr-defined]
    if hasattr(held, "_metadata"):
        for name, part in module.named_modules(prefix=prefix.rstrip("."), remove_duplicate=False):
            held._metadata[name] = {"version": part._version}
    for name, value in entries(module, prefix.rstrip(".")):
        held[name] = value if keep_vars else value.detach()
    return held


def load(
    module: Module, state_dict: Any, strict: bool = True, assign: bool = False
) -> _IncompatibleKeys:
    """Copy values into parameters and buffers of the same names; ``assign`` puts them in the place
    of those.

    Raises:
        TypeError: no mapping.
        RuntimeError: names are missing or left over, and ``strict``; or a shape differs.
    """
    if not hasattr(state_dict, "items"):
        raise errors.wrong_type(f"Expected state_dict to be dict-like, got {type(state_dict)}.")
    state_dict = shallow(state_dict)
    faults: list[str] = []
    own = dict(entries(module, ""))
    absent = [k for k in own if k not in state_dict]
    missing = [k for k in absent if not forgiven(module, k, state_dict)]
    unexpected = [k for k in state_dict if k not in own]
    for name, value in state_dict.items():
        if name in own:
            told = take_over(module, name, own[name], value, assign)
            if told:
                faults.append(told)
    keys = _IncompatibleKeys(missing, unexpected)
    if strict and unexpected:
        faults.insert(0, f"Unexpected key(s) in state_dict: {quoted(unexpected)}. ")
    if strict and missing:
        faults.insert(0, f"Missing key(s) in state_dict: {quoted(missing)}. ")
    if faults:
        of_names = strict and (missing or unexpected)
        raise (errors.wrong_value if of_names else errors.wrong_shape)(
            f"Error(s) in loading state_dict for {type(module).__name__}:\n\t"
            + "\n\t".join(faults),
            RuntimeError,
        )
    return keys


def shallow(state_dict: Any) -> OrderedDict[str, Any]:
    """Another mapping of the same entries, with the versions of the modules where they are known."""
    held = OrderedDict(state_dict)
    if hasattr(state_dict, "_metadata"):
        held._metadata = state_dict._metadata  # type: ignore[attr-defined]
    return held


def forgiven(module: Module, name: str, state_dict: Any) -> bool:
    """Whether an entry may be missing: one that came with a later version of its module than that
    which was saved."""
    path, _, leaf = name.rpartition(".")
    since = module.get_submodule(path)._added_in_version.get(leaf)
    saved = getattr(state_dict, "_metadata", {}).get(path, {}).get("version")
    return since is not None and (saved is None or saved < since)


def quoted(names: list[str]) -> str:
    """Names in double quotes."""
    return ", ".join(f'"{name}"' for name in names)


def take_over(module: Module, name: str, own: Tensor, value: Any, assign: bool) -> str:
    """Give one entry its loaded value; what is wrong with it, else nothing."""
    if not isinstance(value, Tensor):
        return f"parameter '{name}': the state must hold a Tensor; got {type(value).__name__}"
    if value.shape != own.shape:
        return (
            f"size mismatch for {name}: the state has shape {list(value.shape)}, the "
            f"module {list(own.shape)}"
        )
    if not assign:
        with no_grad():
            own.copy_(value)
        return ""
    path, _, leaf = name.rpartition(".")
    part = module.get_submodule(path)
    if leaf in part._parameters:
        cls = type(own)
        value = value if isinstance(value, cls) else cls(value)
        value.requires_grad_(own.requires_grad)
    setattr(part, leaf, value)
    return ""
