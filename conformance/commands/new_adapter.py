"""`gradspec new-adapter`: the skeleton of an adapter, or a small harness that works."""

from __future__ import annotations

import difflib
import importlib
import os
import re
import sys
import textwrap
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click

from ..files import write_together
from .shared import NearestChoice, explained, load, misuse, say

KINDS = ("tape", "functional", "process")
LANGUAGES = {"python": "py", "javascript": "mjs"}
TEMPLATES = {"mjs": "js"}
"""The endings of templates that differ from those of the files made from them."""
HARNESSES = Path(__file__).parents[2] / "adapters" / "harness"
SUPPORT = {"javascript": ("gradspec.mjs", "interpreter.mjs", "reports.mjs", "values.mjs")}
"""Files of a language's harness that go into a folder `gradspec_harness` beside it."""
MOST_UNKNOWN = 30
FEW = 4
"""A class with fewer methods and attributes of a tensor is not considered one."""
# What engines often call these, where the spelling is no hint.
_ALIASES = {
    "tensor": ("array", "variable", "value", "param", "asarray"),
    "no_grad": ("no_tape", "stop_recording", "no_autodiff", "no_record", "pause"),
    "pow": ("power",),
    "matmul": ("dot", "mm"),
    "autograd.grad": ("gradient", "gradients", "grad", "gradient_of"),
    "clamp": ("clip",),
    "cat": ("concat", "concatenate"),
    "detach": ("stop_gradient", "data", "copy"),
    "requires_grad": ("trainable", "track", "constant", "requires_gradient"),
    "grad": ("gradient", "adjoint", "g"),
    "grad_fn": ("creator", "node", "op", "parents"),
    "backward": ("backprop", "backpropagate", "grad"),
    "tolist": ("to_list",),
    "numpy": ("to_numpy", "asnumpy"),
}


@dataclass
class Probe:
    """The comparison of an engine's names with the vocabulary.

    `tensor` is the name of the tensor's class, empty if none was found; `near` holds, for each table
    of a skeleton, pairs of a word and the engine's likely name for it; `unknown` the module's public
    names that match nothing.
    """

    tensor: str = ""
    present: list[str] = field(default_factory=list)
    features: list[str] | None = None
    near: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)


@click.command("new-adapter")
@click.argument("name")
@click.option(
    "--kind",
    type=NearestChoice(KINDS),
    default="tape",
    show_default=True,
    help="A tape in Python, a functional engine in Python, or a process in any language.",
)
@click.option(
    "--language",
    type=click.Choice(tuple(LANGUAGES)),
    default="python",
    show_default=True,
    help="With --kind=process: the language to write the harness in.",
)
@click.option("--module", help="The module to import (default: NAME).")
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write (default: NAME_adapter.py).",
)
def command(name: str, kind: str, language: str, module: str | None, output: Path | None) -> None:
    """Write the skeleton of an adapter for your engine.

    If the engine can be imported here, its names are compared with the vocabulary: the features
    whose words it has are filled in, and likely matches under other names are suggested.
    A harness (--kind=process) works as it is, with a small engine to be replaced by yours.
    """
    identifier = re.sub(r"\W+", "_", name).strip("_").lower()
    if not identifier or identifier[0].isdigit():
        misuse(f"{name!r} is not a valid name; use letters, digits and dashes")
    if language != "python" and kind != "process":
        misuse(f"an engine in {language} needs --kind=process")
    ending = LANGUAGES[language] if kind == "process" else "py"
    path = output or Path(f"{identifier}_{'harness' if kind == 'process' else 'adapter'}.{ending}")
    if os.path.lexists(path):  # a link too, wherever it leads
        misuse(f"{path} already exists; choose another file with -o")
    template = Path(__file__).with_name("templates") / f"{kind}.{TEMPLATES.get(ending, ending)}.txt"
    beside = support(language, path.parent)
    spec = load(None)
    imported = module or identifier
    found, why = compared_here(imported, spec) if kind == "tape" else (None, "")
    text = template.read_text("utf-8").format(
        title=re.sub(r'["\\\n]+', " ", name).strip(),  # it goes into a docstring
        name=identifier,
        module=imported,
        file=path,
        tensor=found.tensor if found and found.tensor else "Tensor",
        cls="".join(part.capitalize() for part in identifier.split("_")) + "Engine",
        features=written(found.features if found else None),
        **{table: proposals(table, found) for table in ("words", "methods", "attributes")},
    )
    with explained():
        write_together({path: text, **beside})
    say(f"{path} written")
    if why:
        say(f"its names could not be compared: {imported!r} cannot be imported here ({why}); "
                   "run this in its folder, or name its module with --module")  # fmt: skip
    if found:
        for line in told(imported, found, len(spec.vocabulary.names)):
            say(line)
    if kind == "process":
        runner = {"python": Path(sys.executable).name, "javascript": "node"}[language]
        say(f'check it with: gradspec protocol "exec:{runner} {path}"')
        say(f'try it with:   gradspec run --impl="exec:{runner} {path}"')
    else:
        cls = "".join(part.capitalize() for part in identifier.split("_"))
        say(f"try it with: gradspec run --impl={path}:{cls}Engine")


def support(language: str, folder: Path) -> dict[Path, str]:
    """The files that a harness in this language needs beside it. What is there already and differs is
    not overwritten."""
    files = {
        folder / "gradspec_harness" / name: (HARNESSES / language / name).read_text("utf-8")
        for name in SUPPORT.get(language, ())
    }
    for path, text in files.items():
        if os.path.lexists(path) and not (path.is_file() and path.read_text("utf-8") == text):
            misuse(f"{path} already exists and differs; remove it to get this version's")
    return files


def told(module: str, found: Probe, total: int) -> list[str]:
    """The result of the comparison of names, in a few lines."""
    lines = [
        f"{module} has {len(found.present)} of the {total} top-level words under their own names"
    ]
    if found.tensor:
        lines.append(f"its tensor class seems to be {found.tensor}")
    likely = [f"{word} ({theirs})" for pairs in found.near.values() for word, theirs in pairs]
    if likely:
        lines.append(f"perhaps under another name: {', '.join(likely)}")
    if found.unknown:
        shown = ", ".join(found.unknown[:MOST_UNKNOWN])
        more = len(found.unknown) - MOST_UNKNOWN
        lines.append(f"not in the vocabulary: {shown}{f', and {more} more' if more > 0 else ''}")
    if len(found.present) > total // 4 and not likely:
        lines.append(f"it may need no adapter: try gradspec run --impl=module:{module}")
    return lines


def compared_here(name: str, spec: Any) -> tuple[Probe | None, str]:
    """The comparison of a module's names, or None and why it cannot be imported."""
    from gradspec.adapters.framework.classify import message_of, type_name
    from gradspec.adapters.framework.engine import EngineUnavailable
    from gradspec.adapters.framework.registry import while_opening

    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        with while_opening(name):
            return probe(importlib.import_module(name), spec), ""
    except EngineUnavailable as error:
        why = error.__cause__ or error
        return None, f"{type_name(why)}: {message_of(why)}"


def probe(module: Any, spec: Any) -> Probe:
    """Compare a module's names with the vocabulary."""
    vocabulary = spec.vocabulary
    present = [name for name in vocabulary.names if reach(module, name) is not None]
    called, kind = tensor_type(module, {*vocabulary.methods, *vocabulary.attributes})
    owned = public(kind) | set(getattr(sample_of(module, kind), "__dict__", {})) if kind else set()
    tables = {"methods": vocabulary.methods, "attributes": vocabulary.attributes}
    members = {name for table in tables.values() for name in table if name in owned}
    features = []
    for feature in spec.features:
        alone = [name for name, word in vocabulary.names.items() if word.feature == feature]
        own = [name for table in tables.values() for name, word in table.items()
               if word.feature == feature]  # fmt: skip
        if (alone or own) and (set(alone) & set(present) or set(own) & members):
            features.append(feature)
        elif feature == "vjp" and "backward" in owned:
            features.append(feature)  # the skeleton makes this word of a backward pass
    free = public(module) - set(vocabulary.names) - vocabulary.namespaces - {called}
    # modules that the engine imports for itself are none of its words
    free = {name for name in free if not hasattr(getattr(module, name, None), "__path__")
            and type(getattr(module, name, None)).__name__ != "module"}  # fmt: skip
    near = {"words": likely([name for name in vocabulary.names if name not in present], free)}
    both = set(vocabulary.methods) | set(vocabulary.attributes)
    called_on_it = {name for name in owned if callable(getattr(kind, name, None))}
    for table, words in tables.items():
        theirs = (called_on_it if table == "methods" else owned) - both
        near[table] = likely([name for name in words if name not in owned], theirs)
    used = {theirs for pairs in near.values() for _, theirs in pairs}
    return Probe(called, present, features, near, sorted(free - used))


def tensor_type(module: Any, members: set[str]) -> tuple[str, type | None]:
    """The module's tensor type and its name there: by one of the usual names, or else the class of
    its own that has the most methods and attributes of a tensor, `FEW` at least."""
    from gradspec.adapters.framework.python_engine import tensor_type_of

    for name in ("Tensor", "Variable", "Value", "Array", "ndarray"):
        if isinstance(found := getattr(module, name, None), type):
            return name, found
    own = {
        name: kind
        for name, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__.split(".")[0] == module.__name__.split(".")[0]
    }
    best = max(own, key=lambda name: len(public(own[name]) & members), default="")
    if best and len(public(own[best]) & members) >= FEW:
        return best, own[best]
    return "", tensor_type_of(module)


def sample_of(module: Any, kind: type) -> Any:
    """A tensor, to see the attributes that are set when one is made; None if none can be made."""
    for make in (getattr(module, "tensor", None), kind):
        try:
            if callable(make):
                return make([1.0])
        except Exception:
            continue
    return None


def public(owner: Any) -> set[str]:
    return {name for name in dir(owner) if not name.startswith("_")}


def likely(missing: list[str], names: set[str]) -> list[tuple[str, str]]:
    """For each missing word the engine's name that is nearest, where one is near enough."""
    lower = {name.lower(): name for name in sorted(names)}
    pairs = []
    for word in missing:
        last = word.rpartition(".")[2]
        aliases = [alias for alias in _ALIASES.get(word, ()) if alias in lower]
        close = difflib.get_close_matches(last.lower(), lower, n=1, cutoff=0.8)
        short = [name for name in close if len(last) > 3 or name.strip("_") == last]
        for name in (aliases or short)[:1]:
            pairs.append((word, lower[name]))
    return pairs


def reach(module: Any, dotted: str) -> Any:
    for part in dotted.split("."):
        module = getattr(module, part, None)
    return module


def written(features: list[str] | None) -> str:
    if not features:
        return "None"
    names = ", ".join(f'"{name}"' for name in features)
    indent = " " * 8
    lines = textwrap.fill(
        names, 100, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return f"frozenset({{\n{lines},\n    }})  # fmt: skip"


def proposals(table: str, found: Probe | None) -> str:
    """Commented lines of a skeleton's table: likely names for missing words."""
    forms = {
        "words": '            # "{}": engine.{},',
        "methods": '            # "{}": lambda x, *a, **k: x.{}(*a, **k),',
        "attributes": '            # "{}": lambda x: x.{},',
    }
    pairs = found.near[table] if found else []
    lines = [forms[table].format(word, theirs) for word, theirs in pairs]
    return "\n".join(["            # is it this?", *lines, ""]) if lines else ""
