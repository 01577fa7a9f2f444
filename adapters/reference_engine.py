"""The reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .framework.classify import pattern
from .framework.engine import EngineUnavailable, Identity
from .framework.torch_like import TorchLikeEngine

_RUNTIME = "RuntimeError"


class ReferenceEngine(TorchLikeEngine):
    """gradspec.reference_impl, which has PyTorch's names."""

    name = "reference"
    module_name = "gradspec.reference_impl"
    exact_kinds = True
    # Its messages say what was attempted and what was found, so a phrase tells the kind.
    patterns = (
        pattern("wrong-type", "", "TypeError"),
        pattern("not-a-leaf", r"non-leaf", "ValueError"),
        pattern("wrong-value", "", "ValueError"),
        pattern("wrong-shape", r"non-zero size", "IndexError"),
        pattern("wrong-index", "", "IndexError"),
        pattern("read-only", "", "AttributeError"),
        pattern("leaf-in-place", r"leaf variable.*in-place", _RUNTIME),
        pattern("saved-modified", r"modified by an inplace operation|has been detached in-place", _RUNTIME),
        pattern("view-in-place", r"modified inplace|can't detach views", _RUNTIME),
        pattern("graph-freed", r"a second time", _RUNTIME),
        pattern("needs-gradient", r"can be implicitly created only for", _RUNTIME),
        pattern("no-graph", r"so nothing was recorded", _RUNTIME),
        pattern("unused-input", r"appears to not have been used", _RUNTIME),
        pattern("does-not-require-grad", r"tensors does not require grad|can't retain_grad|"
                r"tensor that doesn't require|gradient edge of a tensor that does not", _RUNTIME),
        pattern("gradient-itself", r"as its own grad", _RUNTIME),
        pattern("wrong-type", r"requires_grad must be a bool", _RUNTIME),
        pattern("not-differentiable-dtype", r"only tensors of floating point and complex|"
                r"that requires gradients must be floating", _RUNTIME),
        pattern("not-a-leaf", r"flags of leaf|leaf tensors|graph leaves", _RUNTIME),
        pattern("gradient-mismatch", r"assigned grad|grad_output has|both grad_output and output|"
                r"(invalid|complex) gradient at index|is_grads_batched|grad_dtype cannot be changed", _RUNTIME),
        pattern("gradient-count", r"tensors and \d+ gradients|'inputs'.*cannot be empty|non-empty inputs", _RUNTIME),
        pattern("wrong-value", r"arguments both passed", _RUNTIME),
        pattern("requires-grad", r"cannot resize|can't call numpy\(\)|automatic differentiation", _RUNTIME),
        pattern("inference-tensor", r"inference tensor", _RUNTIME),
        pattern("hook", r"hook", _RUNTIME),
        pattern("anomaly", r"returned nan values", _RUNTIME),
        pattern("custom-function", r"^function .* (returned|expected)|legacy autograd function|marked as dirty|"
                r"both 'backward' and 'vjp'|function cannot return more than one", _RUNTIME),
        pattern("not-differentiable", r"derivative for .* is not implemented|differentiate twice", _RUNTIME),
        pattern("overlapping-memory", r"single memory location", _RUNTIME),
        pattern("wrong-index", r"out of bounds|out of range", _RUNTIME),
        pattern("wrong-dtype", r"dtype|for bool tensors|result type|complex numbers have no order|"
                r"integers to negative", _RUNTIME),
        pattern("wrong-shape", r"sizes?\b|shapes?\b|matrices|element|dimension|dims?\b|\dD\b|broadcast|"
                r"batches|operands", _RUNTIME),
    )  # fmt: skip

    def identify(self, device: str) -> Identity:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("gradspec")
        except PackageNotFoundError:  # run from a folder by --python
            found = "unknown"
        return Identity(self.name, found, self.language, device, self.features, self.exact_kinds)

    def choose_device(self, device: str) -> None:
        try:
            self.chosen = self.module.zeros(1, device=device).device
        except RuntimeError as error:
            raise EngineUnavailable(
                f"reference cannot use the device {device!r}: {error}"
            ) from error
        if device != "cpu":  # what programs make and read without naming a device
            to_numpy = {"to_numpy": lambda tensor: tensor.detach().cpu().numpy()}
            self.words = {**self.words, **to_numpy}

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        if "numpy" in features and self.identity.device != "cpu":
            return "arrays of NumPy, which share no memory with those of a device"
        return super().lacks(words, features)

    def text_of(self, value: Any) -> str:
        """Programs name no device, so neither do the texts that they expect."""
        return super().text_of(value).replace(f", device='{self.chosen}'", "")

    def reset(self) -> None:
        super().reset()
        self.module.set_default_device(self.chosen)

    def close(self) -> None:
        self.module.set_default_device("cpu")
        super().close()

    def other_device(self) -> Any:
        return self.module.device("meta" if self.identity.device == "cpu" else "cpu")
