"""Modules in modules: ``torch.autograd.graph`` and the like, as objects."""

from __future__ import annotations

from types import ModuleType
from typing import Any

__all__ = ["submodule"]


def submodule(name: str, doc: str, **members: Any) -> ModuleType:
    """A module made of these members."""
    module = ModuleType(f"{__package__}.{name}", doc)
    module.__dict__.update(members)
    return module
