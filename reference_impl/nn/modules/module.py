"""``torch.nn.modules.module``: where users import ``Module`` from, and the hooks of all modules."""

from ..module import Module
from ..module_hooks import (
    register_module_forward_hook,
    register_module_forward_pre_hook,
    register_module_full_backward_hook,
    register_module_full_backward_pre_hook,
)

__all__ = [
    "Module", "register_module_forward_hook", "register_module_forward_pre_hook",
    "register_module_full_backward_hook", "register_module_full_backward_pre_hook",
]  # fmt: skip
