"""Layers."""
from ..tensor import Tensor
class Parameter(Tensor): pass
