"""`gradspec new-adapter`: the skeleton of an adapter."""

from __future__ import annotations

import importlib
import re
import sys
from pathlib import Path
from typing import Any

import click

from .shared import load, misuse

KINDS = ("tape", "functional", "process")


@click.command("new-adapter")
@click.argument("name")
@click.option(
    "--kind",
    type=click.Choice(KINDS),
    default="tape",
    show_default=True,
    help="A tape in Python, a functional engine in Python, or a process in any language.",
)
@click.option("--module", help="The module to import (the name itself).")
@click.option(
    "-o", "--output", type=click.Path(path_type=Path), help="File to write (NAME_adapter.py)."
)
def command(name: str, kind: str, module: str | None, output: Path | None) -> None:
    """Write the skeleton of an adapter for your engine.

    If the engine can be imported here, its names are compared with the vocabulary, and the features
    whose words it has are filled in.
    """  # fmt: skip
    identifier = re.sub(r"\W+", "_", name).strip("_").lower()
    if not identifier or identifier[0].isdigit():
        misuse(f"{name!r} makes no Python name; use letters, digits and dashes")
    path = output or Path(f"{identifier}_adapter.py")
    if path.exists():
        misuse(f"{path} exists already; name another file with -o")
    template = Path(__file__).with_name("templates") / f"{kind}.py.txt"
    spec = load(None)
    present, features = probe(module or identifier, spec) if kind == "tape" else ([], None)
    text = template.read_text("utf-8").format(
        title=re.sub(r'["\\\n]+', " ", name).strip(),  # it stands in a docstring
        name=identifier,
        module=module or identifier,
        file=path,
        cls="".join(part.capitalize() for part in identifier.split("_")) + "Engine",
        features=written(features),
    )
    path.write_text(text, "utf-8")
    click.echo(f"{path} written")
    if present:
        total = len(spec.vocabulary.names)
        click.echo(
            f"{module or identifier} has {len(present)} of the {total} words that stand alone under their own names"
        )
    if kind == "process":
        click.echo(f'check it with: gradspec protocol "exec:{Path(sys.executable).name} {path}"')
    else:
        click.echo(
            f"try it with: gradspec run --impl={path}:{''.join(p.capitalize() for p in identifier.split('_'))}Engine"
        )


def probe(module_name: str, spec: Any) -> tuple[list[str], list[str] | None]:
    """The vocabulary words that a module has under their own names, and the features of which a
    tensor of it has every method and attribute; nothing if it cannot be imported here."""
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        module = importlib.import_module(module_name)
    except Exception:
        return [], None
    vocabulary = spec.vocabulary
    present = [name for name in vocabulary.names if reach(module, name) is not None]
    kind = getattr(module, "Tensor", None)
    members = {
        name
        for name in (*vocabulary.methods, *vocabulary.attributes)
        if kind is not None and hasattr(kind, name)
    }
    features = []
    for feature in spec.features:
        alone = [name for name, word in vocabulary.names.items() if word.feature == feature]
        owned = [name for table in (vocabulary.methods, vocabulary.attributes) for name, word in table.items()
                 if word.feature == feature]  # fmt: skip
        if (alone or owned) and (set(alone) & set(present) or set(owned) & members):
            features.append(feature)
    return present, features


def reach(module: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        module = getattr(module, part, None)
    return module


def written(features: list[str] | None) -> str:
    if not features:
        return "None"
    lines = ", ".join(f'"{name}"' for name in features)
    return f"frozenset({{{lines}}})"
