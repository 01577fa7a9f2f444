"""The reference engine."""

from __future__ import annotations

from .classify import pattern
from .engine import Identity
from .torch_like import TorchLikeEngine


class ReferenceEngine(TorchLikeEngine):
    """gradspec.reference_impl, which has PyTorch's names."""

    name = "reference"
    module_name = "gradspec.reference_impl"
    patterns = (pattern("wrong-type", "", "TypeError"),)

    def identify(self, device: str) -> Identity:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("gradspec")
        except PackageNotFoundError:  # run from a folder by --python
            found = "unknown"
        return Identity(self.name, found, self.language, device, self.features, self.exact_kinds)
