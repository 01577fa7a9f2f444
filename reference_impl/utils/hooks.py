"""``torch.utils.hooks``: what registering a hook returns."""

from ..graph.node import RemovableHandle

__all__ = ["RemovableHandle"]
