"""PyTorch itself: the model of an adapter, and the oracle of `gradspec check --oracle=torch`."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Sequence
from typing import Any

from .framework.classify import pattern
from .framework.engine import EngineUnavailable, Plain
from .framework.torch_like import TorchLikeEngine
from .framework.torch_wordings import WORDINGS


class TorchEngine(TorchLikeEngine):
    """PyTorch on one of its devices."""

    name = "torch"
    module_name = "torch"
    language = "Python and C++"
    exact_kinds = True
    patterns = (
        pattern("unsupported", r"module 'torch' has no attribute 'lazy'", "AttributeError"),
        *WORDINGS,
    )
    accelerators = ("cuda", "lazy")

    def resolve(self, word: str) -> Any:
        """PyTorch loads its rules of forward mode with the first operation on a dual number, and those of the
        device meta with the first one there, which takes seconds on a busy machine. That time should not count
        for the case that happens to be first, so it is done here."""
        if word in ("meta_device", "other_device"):
            matrix = self.module.zeros(1, 1, device="meta")
            matrix.mm(matrix).exp()
        if word == "jvp" or word.startswith("autograd.forward_ad"):
            forward = importlib.import_module("torch.autograd.forward_ad")
            with warnings.catch_warnings(), forward.dual_level():
                warnings.simplefilter("ignore")
                _ = forward.make_dual(self.module.zeros(1), self.module.zeros(1)) * 2.0
        found = super().resolve(word)
        return found if self.chosen == "cpu" else self.on_device(found)

    def on_device(self, found: Any) -> Any:
        """A function that makes tensors makes them on the device in use. PyTorch's default device does that
        too, but not in a hook, and not in a thread of PyTorch's own."""
        makers = importlib.import_module("torch.utils._device")._device_constructors()
        if not callable(found) or isinstance(found, type) or found not in makers:
            return found

        overrides = importlib.import_module("torch.overrides")

        def make(*arguments: Any, **keywords: Any) -> Any:
            chosen = overrides._get_current_function_mode_stack()  # by the program, or by us
            if keywords.get("device") is None and not chosen:
                keywords["device"] = self.chosen
            return found(*arguments, **keywords)

        return make

    def choose_device(self, device: str) -> None:
        """The device `lazy`, which computes on the CPU, stands for a GPU where there is none."""
        if device == "lazy":
            importlib.import_module("torch._lazy.ts_backend").init()
        try:
            made = self.module.zeros(1, device=device)
            made.sum().item()
        except Exception as error:
            hint = (
                ""
                if device in ("cpu", "cuda")
                else ("; if a package registers this device, name it with --import=PACKAGE")
            )
            raise EngineUnavailable(
                f"torch cannot use the device {device!r}: {str(error)[:300]}{hint}"
            ) from error
        self.chosen = device if ":" in device else str(made.device)  # with its number
        self.enter_thread()

    def enter_thread(self) -> None:
        """PyTorch's default device is that of one thread. A backward pass runs in the caller's thread, so that
        hooks find it there, and nothing is kept alive by PyTorch's own thread."""
        if self.chosen != "cpu":
            self.module.set_default_device(self.chosen)
            self.module.autograd.set_multithreading_enabled(False)

    def close(self) -> None:
        if self.identity.device != "cpu":
            self.module.set_default_device(None)
            self.module.autograd.set_multithreading_enabled(True)
        super().close()

    def lacks(self, words: Sequence[str], features: frozenset[str]) -> str:
        if self.identity.device == "lazy" and features & {"forward-mode", "jvp"}:
            return "forward mode on the device lazy"  # where PyTorch crashes
        return super().lacks(words, features)

    def text_of(self, value: Any) -> str:
        """Programs name no device, so neither do the texts that they expect."""
        return super().text_of(value).replace(f", device='{self.chosen}'", "")

    def describe_tensor(self, value: Any) -> Plain:
        plain = value.detach()
        self.room_for(plain.shape)
        if plain._is_zerotensor():  # known to be zero, without memory: only a copy can be read
            plain = plain.clone()
        values = plain.reshape(-1).tolist()
        return self.tensor_plain(str(plain.dtype), tuple(plain.shape), values)
