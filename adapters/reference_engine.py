"""The reference engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .framework.classify import Classifier, raised_by_program
from .framework.engine import EngineUnavailable, Identity, Unsupported
from .framework.python_engine import Kinds
from .framework.torch_like import TorchLikeEngine


class KindReader(Classifier):
    """Reads the kind that each error of the reference carries. An error without one is "broken" or
    "refused", which no case expects: that is a bug of the reference. The exception is an error that
    Python itself raises for a call or an assignment of the program."""

    def __init__(self) -> None:
        super().__init__(own=(), general=())

    def kind(self, error: BaseException, members: frozenset[str] = frozenset()) -> str:
        carried = getattr(error, "kind", None)
        if isinstance(carried, str) and not isinstance(error, Unsupported):
            return carried
        found = super().kind(error, members)
        if found == "broken" and raised_by_program(error):
            if isinstance(error, TypeError):  # a call that the signature does not allow
                return "wrong-type"
            if isinstance(error, AttributeError):  # a property without a setter
                return "read-only"
        return found


class ReferenceEngine(TorchLikeEngine):
    """gradspec.reference_impl, which has PyTorch's names."""

    name = "reference"
    module_name = "gradspec.reference_impl"
    exact_kinds = True
    errors_carry_kinds = True
    """Whether `error.kind` is the kind of an error; it is read, not guessed from messages."""

    def __init__(self, device: str = "cpu", kinds: Kinds = ()) -> None:
        super().__init__(device, kinds)
        self.classifier = KindReader()

    def identify(self, device: str) -> Identity:
        from importlib.metadata import PackageNotFoundError, version

        try:
            found = version("gradspec")
        except PackageNotFoundError:  # run from a folder by --python
            found = ""
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
        if "conjugate-views" in features:
            return "conjugates that are views: they are computed immediately"
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
