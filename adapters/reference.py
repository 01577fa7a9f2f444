"""The reference engine."""

from __future__ import annotations

from typing import Any

from .classify import pattern
from .engine import Identity
from .torch_like import TorchLikeEngine


class ReferenceEngine(TorchLikeEngine):
    """gradspec.reference_impl, which has PyTorch's names."""

    name = "reference"
    module_name = "gradspec.reference_impl"
    patterns = (pattern("wrong-type", "", "TypeError"),)

    def load_module(self) -> Any:
        return super().load_module()

    def identify(self, device: str) -> Identity:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("gradspec")
        except PackageNotFoundError:  # run from a folder by --python
            found = "unknown"
        return Identity(self.name, found, self.language, device, self.features, self.exact_kinds)

    def reset(self) -> None:
        module = self.module
        if not module.is_grad_enabled():
            module.set_grad_enabled(True)
        if module.get_default_dtype() is not module.float32:
            module.set_default_dtype(module.float32)
