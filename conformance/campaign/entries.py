"""The entries of `adapters/engines.yaml`: how each engine is installed and how the suite runs on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from gradspec.spec.problems import nearest

from .reading import plain, read_checked

LIST = "the list of engines"


@dataclass(frozen=True)
class Entry:
    """One engine. The fields are those of `schema/engines.json`."""

    name: str
    title: str
    language: str
    kind: str
    impl: str
    python: str = ""
    build: tuple[str, ...] = ()
    install: tuple[str, ...] = ()
    npm: tuple[str, ...] = ()
    variables: Mapping[str, str] = field(default_factory=dict)
    options: Mapping[str, Any] = field(default_factory=dict)
    homepage: str = ""
    tracker: str = ""
    note: str = ""

    @property
    def recipe(self) -> dict[str, Any]:
        """What its environment is made from: if this changes, the environment is made again."""
        whole = asdict(self)
        return {name: whole[name] for name in ("python", "build", "install", "npm")}

    @property
    def in_python(self) -> bool:
        """Whether it runs in a Python interpreter of its own environment."""
        return bool(self.python or self.build or self.install)


def own_list() -> Path:
    """The list of engines that gradspec comes with."""
    import gradspec.adapters

    return Path(gradspec.adapters.__path__[0]) / "engines.yaml"


def read_entries(path: Path) -> dict[str, Entry]:
    """The engines of a list, by name. Raises `SpecError` for a file that is not well formed."""
    content = plain(read_checked(path, "engines.json", LIST))
    return {name: _entry(name, fields) for name, fields in content["engines"].items()}


def _entry(name: str, fields: Mapping[str, Any]) -> Entry:
    listed: dict[str, Any] = {
        key: tuple(value) if isinstance(value, list) else value for key, value in fields.items()
    }
    return Entry(name, **listed)


def chosen(entries: Mapping[str, Entry], names: Iterable[str]) -> list[Entry]:
    """The engines of these names, in the order of the list; all of them if there are no names.

    Raises `ValueError` for a name that the list does not have.
    """
    wanted = set(names)
    for name in sorted(wanted - entries.keys()):
        hint = nearest(name, entries) or f"it has {', '.join(entries)}"
        raise ValueError(f"the list of engines has no {name!r}; {hint}")
    return [entry for name, entry in entries.items() if not wanted or name in wanted]
