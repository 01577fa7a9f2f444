"""Results of several parts, which have names: ``torch.max(x, 0).indices``."""

from __future__ import annotations

from typing import Any

__all__ = ["NamedResult", "named_result"]


class NamedResult(tuple[Any, ...]):
    """A tuple whose parts can be read by name, and which prints them one a line."""

    __slots__ = ()
    fields: tuple[str, ...] = ()

    def __repr__(self) -> str:
        parts = (f"{name}={part!r}" for name, part in zip(self.fields, self, strict=True))
        return f"torch.return_types.{type(self).__name__}(\n" + ",\n".join(parts) + ")"


def part(position: int) -> Any:
    """The property that reads one part."""
    return property(lambda self: self[position])


def named_result(name: str, *fields: str) -> type[NamedResult]:
    """The type of the results of one function, made from a sequence of its parts."""
    namespace: dict[str, Any] = {f: part(i) for i, f in enumerate(fields)}
    namespace.update(__slots__=(), fields=fields, __module__="torch.return_types")
    return type(name, (NamedResult,), namespace)
