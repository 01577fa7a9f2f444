"""``torch.func``: transforms, which make functions from functions.

`transforms` holds those made of backward and forward passes, `batches` holds vmap, and the other
modules check arguments and walk through nested containers.
"""

from __future__ import annotations

from .batches import vmap
from .transforms import (
    functional_call,
    grad,
    grad_and_value,
    hessian,
    jacfwd,
    jacrev,
    jvp,
    linearize,
    stack_module_state,
    vjp,
)

__all__ = [
    "functional_call", "grad", "grad_and_value", "hessian", "jacfwd", "jacrev", "jvp",
    "linearize", "stack_module_state", "vjp", "vmap",
]  # fmt: skip
