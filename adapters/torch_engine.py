"""PyTorch itself: the model of an adapter, and the oracle of `gradspec check --oracle=torch`."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any

from .framework.engine import EngineUnavailable, Identity, Plain
from .framework.torch_like import TorchLikeEngine
from .framework.torch_wordings import WORDINGS


class TorchEngine(TorchLikeEngine):
    """PyTorch on one of its devices."""

    name = "torch"
    module_name = "torch"
    language = "Python and C++"
    exact_kinds = True
    patterns = WORDINGS
    accelerators = ("cuda", "lazy")

    def identify(self, device: str) -> Identity:
        version = str(self.module.__version__)
        return Identity(self.name, version, self.language, device, self.features, self.exact_kinds)

    def resolve(self, word: str) -> Any:
        """PyTorch loads its rules of forward mode with the first operation on a dual number, and those of the
        device meta with the first one there, which takes seconds on a busy machine. That time should not count
        for the case that happens to be first, so it is done here."""
        if word in ("meta_device", "other_device"):
            _ = self.module.zeros(1, 1, device="meta").mm(self.module.zeros(1, 1, device="meta")).exp()
        if word == "jvp" or word.startswith("autograd.forward_ad"):
            forward = importlib.import_module("torch.autograd.forward_ad")
            with warnings.catch_warnings(), forward.dual_level():
                warnings.simplefilter("ignore")
                _ = forward.make_dual(self.module.zeros(1), self.module.zeros(1)) * 2.0
        return super().resolve(word)

    def choose_device(self, device: str) -> None:
        """The device `lazy`, which computes on the CPU, stands for a GPU where there is none."""
        if device == "lazy":
            importlib.import_module("torch._lazy.ts_backend").init()
        try:
            self.module.zeros(1, device=device).sum().item()
        except Exception as error:
            hint = "" if device in ("cpu", "cuda") else (
                "; if a package registers this device, name it with --import=PACKAGE"
            )
            raise EngineUnavailable(
                f"torch cannot use the device {device!r}: {str(error)[:300]}{hint}"
            ) from error
        if device != "cpu":
            self.module.set_default_device(device)

    def close(self) -> None:
        if self.identity.device != "cpu":
            self.module.set_default_device(None)
        super().close()

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        if self.identity.device == "lazy" and features & {"forward-mode", "jvp"}:
            return "forward mode on the device lazy"  # where PyTorch crashes
        return super().lacks(words, features)

    def describe_tensor(self, value: Any) -> Plain:
        plain = value.detach()
        self.room_for(plain.shape)
        if plain._is_zerotensor():  # known to be zero, without memory: only a copy can be read
            plain = plain.clone()
        values = plain.reshape(-1).tolist()
        return self.tensor_plain(str(plain.dtype), tuple(plain.shape), values)
