"""``torch.nn.parameter``: where scripts import Parameter from."""

from .module import Parameter

__all__ = ["Parameter"]
