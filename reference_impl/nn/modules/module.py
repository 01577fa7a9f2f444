"""``torch.nn.modules.module``: where users import ``Module`` from."""

from ..module import Module

__all__ = ["Module"]
