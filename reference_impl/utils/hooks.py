"""``torch.utils.hooks``: what registering a hook returns."""

from ..node import RemovableHandle

__all__ = ["RemovableHandle"]
