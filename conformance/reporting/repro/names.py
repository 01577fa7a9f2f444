"""The names under which a script uses an engine."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from gradspec.adapters.framework import host
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.python_engine import takes_gradient, tensor_type_of
from gradspec.spec.program.python_form import global_name

from . import helpers
from .exact import LOCAL, is_scalar


def torch_like_module(impl: str) -> str | None:
    """The module whose names a script can use unchanged, or None."""
    known = {"torch": "torch", "reference": "gradspec.reference_impl"}
    if impl.startswith("module:"):
        return impl.removeprefix("module:")
    return known.get(impl)


class Names:
    """The names under which a script uses the engine, and what the engine lacks."""

    def __init__(self, taken: set[str], impl: str, module: str | None) -> None:
        self.impl = impl
        self.mediated = module is None
        self.scalar = self.mediated and is_scalar(impl)
        self.probed: Any = None
        if module is None:
            self.name = "adapter"
            self.imports = [
                "from gradspec.adapters.framework.registry import open_engine",
                "",
                "# The engine's names differ from PyTorch's: gradspec's adapter maps them.",
                f"adapter = open_engine({impl!r})",
            ]
            return
        path, _, attribute = module.partition(":")
        last = attribute or path.rpartition(".")[2]
        self.name = "torch" if impl == "reference" else last
        if self.name in taken | LOCAL or not self.name.isidentifier():
            self.name = "engine"
        if attribute:
            line = f"from {path} import {attribute}"
            self.imports = [line if self.name == attribute else f"{line} as {self.name}"]
        else:
            self.imports = [f"import {path}" + ("" if self.name == path else f" as {self.name}")]
        if impl.startswith("module:"):
            self.probed = _imported(module)

    def imports_on(
        self, device: str, imported: str | None, without_gradspec: bool = False
    ) -> list[str]:
        """The lines that import the engine and what registers the device, and choose the device; in an
        interpreter `without_gradspec`, also those that find it."""
        first: list[str] = []
        if imported and imported.endswith(".py"):
            path = Path(imported).resolve()
            first = [f"import sys; sys.path.insert(0, {str(path.parent)!r})", f"import {path.stem}"]
        elif imported:
            first = [f"import {imported}"]
        if self.mediated:
            options = f", device={device!r}" if device != "cpu" else ""
            opened = self.imports[-1].removesuffix(")") + options + ")"
            if without_gradspec:
                first += [
                    "import runpy, sys",
                    f"sys.meta_path.append(runpy.run_path({host.__file__!r})['OwnPackages'])",
                ]
            return [*first, *self.imports[:-1], opened]
        chosen = [f"{self.name}.set_default_device({device!r})"] if device != "cpu" else []
        return [*first, *self.imports, *chosen]

    @property
    def elsewhere(self) -> bool:
        """Whether the engine can only be imported in another environment, so that nothing is known of it."""
        return self.impl.startswith("module:") and self.probed is None

    def lacks(self, dotted: str) -> bool:
        """Whether the engine is known to have nothing of this name."""
        found = self.probed
        if found is None:
            return False
        for part in dotted.split("."):
            found = getattr(found, part, None)
        return found is None

    @property
    def has_view_as(self) -> bool:
        """Whether the module's tensors are known to have `view_as`."""
        if not self.impl.startswith("module:"):
            return True
        return hasattr(tensor_type_of(self.probed), "view_as")

    @property
    def takes_gradient(self) -> bool:
        """Whether `backward` of the module's tensors takes a gradient."""
        return self.probed is None or takes_gradient(tensor_type_of(self.probed))

    def word(self, name: str) -> str:
        """How a script writes a word of the vocabulary."""
        if name in helpers.RENAMED and not (self.mediated and name == "text_of"):
            return helpers.RENAMED[name]
        if self.mediated:
            return global_name(name)
        return name if name in helpers.WORDS or name in ("vjp", "jvp") else f"{self.name}.{name}"


def _imported(module: str) -> Any:
    """The engine, if it can be imported here."""
    from gradspec.adapters.framework.registry import open_engine

    try:
        engine: Any = open_engine(f"module:{module}")
    except EngineUnavailable:
        return None
    return engine.module
