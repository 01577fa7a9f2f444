"""`gradspec new-adapter`: the skeleton of an adapter, or a small harness that works."""

from __future__ import annotations

import difflib
import importlib
import json
import os
import re
import subprocess
import sys
import textwrap
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import click
from gradspec.adapters.framework import inventory
from gradspec.spec.load import own_tables

from ..files import write_together
from ..text import one_line
from .shared import NearestChoice, explained, misuse, say

KINDS = ("tape", "scalar", "functional", "process")
LANGUAGES = {"python": "py", "javascript": "mjs"}
TEMPLATES = {"mjs": "js"}
"""The endings of templates that differ from those of the files made from them."""
HARNESSES = Path(__file__).parents[2] / "adapters" / "harness"
SUPPORT = {"javascript": ("gradspec.mjs", "interpreter.mjs", "reports.mjs", "values.mjs")}
"""Files of a language's harness that go into a folder `gradspec_harness` beside it."""
MOST_UNKNOWN = 30
NEAR = 0.93
"""How alike two names are, from 0 to 1, if one is proposed for the other."""
IMPORT_SECONDS = 120
# What engines often call these, where the spelling is no hint.
_ALIASES = {
    "tensor": ("array", "variable", "value", "param", "asarray"),
    "no_grad": (
        "no_tape",
        "stop_recording",
        "no_autodiff",
        "no_record",
        "no_tracking",
        "untracked",
        "pause",
    ),
    "pow": ("power",),
    "matmul": ("dot", "mm"),
    "autograd.grad": ("gradient", "gradients", "grad", "gradient_of"),
    "clamp": ("clip",),
    "cat": ("concat", "concatenate"),
    "detach": ("stop_gradient", "frozen"),
    "requires_grad": ("trainable", "track", "requires_gradient"),
    "grad": ("gradient", "adjoint", "g"),
    "grad_fn": ("creator", "node", "op", "parents"),
    "backward": ("backprop", "backpropagate", "differentiate", "grad"),
    "tolist": ("to_list",),
    "numpy": ("to_numpy", "asnumpy"),
    "unsqueeze": ("expand_dims",),
    "exp": ("exponential",),
    "log": ("ln", "logarithm"),
    "sin": ("sine",),
    "cos": ("cosine",),
    "relu": ("rectify", "rectifier"),
    "mean": ("average", "avg"),
    "sum": ("total",),
    "add": ("plus",),
    "sub": ("subtract", "minus"),
    "mul": ("multiply", "times"),
    "div": ("divide",),
    "neg": ("negative", "negate"),
    **{f"a{name}": (f"arc{name}",) for name in ("cos", "sin", "tan", "cosh", "sinh", "tanh")},
}
_GIVES_GRADIENTS = re.compile(r"(?:get_|compute_)?grad(?:s|ients?)?(?:_of)?")
"""What engines call a function that returns gradients."""
_NEEDED = ("tensor", "no_grad", "backward", "detach", "grad", "requires_grad")
"""What most programs use, so that its entries are the first to write."""


@dataclass
class Probe:
    """The comparison of an engine's names with the vocabulary.

    `tensor` is the name of the tensor's class, empty if none was found; `scalar` says whether it holds a
    single number. `module` is the module that was compared. `near` holds, for each table of a skeleton,
    pairs of a word and the engine's likely name for it; `unknown` the module's public names that match
    nothing. Words that the engine has elsewhere under their own name: `by_method` are methods of its
    tensors, `by_class` of their class, and `by_function` the methods that are functions.
    """

    tensor: str = ""
    module: str = ""
    scalar: bool = False
    present: list[str] = field(default_factory=list)
    features: list[str] | None = None
    near: dict[str, list[tuple[str, str]]] = field(default_factory=dict)
    unknown: list[str] = field(default_factory=list)
    strange: list[str] = field(default_factory=list)
    """Methods and attributes of the engine's tensors that match nothing."""
    by_method: list[str] = field(default_factory=list)
    by_class: list[str] = field(default_factory=list)
    by_function: list[str] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    """Words that most programs need, and for which no name of the engine's is likely."""
    by_axis: list[str] = field(default_factory=list)
    """Methods that are functions, and call a dimension `axis`."""
    array: str = "numpy()"
    """How its tensors give their elements as an array of NumPy."""
    gives_gradients: str = ""
    """If its tensors have no `backward`: a function that seems to return gradients."""
    numbers: str = ""
    """The error that a tensor times a Python number raises."""


@click.command("new-adapter")
@click.argument("name")
@click.option(
    "--kind",
    type=NearestChoice(KINDS),
    help="A tape in Python (the default), one whose tensors are single numbers, a functional engine in "
    "Python, or a process in any language.",
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
    "--python",
    metavar="PATH",
    help="Import the engine with this Python interpreter, which needs no gradspec.",
)
@click.option(
    "-o",
    "--output",
    type=click.Path(path_type=Path),
    help="File to write (default: NAME_adapter.py).",
)
def command(
    name: str,
    kind: str | None,
    language: str,
    module: str | None,
    python: str | None,
    output: Path | None,
) -> None:
    """Write the skeleton of an adapter for your engine.

    If the engine can be imported, its names are compared with the vocabulary: the features
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
    beside = support(language, path.parent)
    with explained():
        spec = own_tables()
    dotted = all(part.isidentifier() for part in name.split("."))
    imported = module or (name if dotted else identifier)
    compares = kind in (None, "tape", "scalar")
    found, why = compared(imported, spec, python) if compares else (None, "")
    imported = found.module if found else imported
    kind = kind or ("scalar" if found and found.scalar else "tape")
    template = Path(__file__).with_name("templates") / f"{kind}.{TEMPLATES.get(ending, ending)}.txt"
    text = template.read_text("utf-8").format(
        title=re.sub(r'["\\\n]+', " ", name).strip(),  # it goes into a docstring
        name=identifier,
        module=imported,
        file=path,
        tensor=found.tensor if found and found.tensor else "Tensor",
        cls=class_name(identifier),
        array=found.array if found else "numpy()",
        vjp=vjp_by(found.gives_gradients if found else ""),
        numbers=pattern_of(found.numbers if found else ""),
        features=written(found.features if found else None),
        **{table: proposals(table, found) for table in ("words", "methods", "attributes")},
    )
    with explained():
        write_together({path: text, **beside})
    say(f"{path} written")
    if why:
        place = f"by {python}" if python else "here"
        say(f"its names could not be compared: {imported!r} cannot be imported {place} ({why}); "
                   "run this in its folder, or name its module with --module"
                   + ("" if python else " or its interpreter with --python"))  # fmt: skip
    if found:
        for line in told(imported, found, len(spec.vocabulary.names)):
            say(line)
    if kind == "process":
        runner = {"python": Path(sys.executable).name, "javascript": "node"}[language]
        say(f'check it with: gradspec protocol "exec:{runner} {path}"')
        say(f'try it with:   gradspec run --impl="exec:{runner} {path}"')
    else:
        where = f" --python={python}" if python else ""
        say(f"try it with: gradspec run --impl={path}:{class_name(identifier)}{where}")


def class_name(identifier: str) -> str:
    """The adapter's class: `my_tape` becomes `MyTapeEngine`, and `my_engine` `MyEngine`."""
    words = [part.capitalize() for part in identifier.split("_") if part]
    return "".join(words if words[-1] == "Engine" else [*words, "Engine"])


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
        number = ", which holds a single number" if found.scalar else ""
        lines.append(f"its tensor class seems to be {found.tensor}{number}")
    likely = dict.fromkeys(
        f"{word} ({theirs})" for pairs in found.near.values() for word, theirs in pairs
    )
    if likely:
        lines.append(f"perhaps under another name: {', '.join(likely)}")
    if found.gives_gradients:
        lines.append(
            f"its tensors have no `backward`: if {found.gives_gradients} returns the gradients, define `vjp` as "
            "the adapter shows, and leave out what a tape has (backward, grad, requires_grad)"
        )
    elif found.needed:
        lines.append(f"not found, but most programs need it: {', '.join(found.needed)}")
    if found.numbers:
        lines.append(
            f"a tensor times a number raises {found.numbers}; the adapter has a pattern that makes "
            "such programs unsupported, or wrap numbers in it"
        )
    for names, place in (
        (found.by_method, "as methods of its tensors"),
        (found.by_class, f"as methods of the class {found.tensor}"),
        ([*found.by_function, *found.by_axis], "as functions instead of methods"),
    ):
        if names:
            others = f", and {len(names) - 6} more" if len(names) > 6 else ""
            lines.append(
                f"{place}: {', '.join(names[:6])}{others}; the adapter has entries for them"
            )
    if found.strange:
        shown = ", ".join(found.strange[:MOST_UNKNOWN])
        more = len(found.strange) - MOST_UNKNOWN
        others = f", and {more} more" if more > 0 else ""
        lines.append(f"of its tensors, not in the vocabulary: {shown}{others}")
    if found.unknown:
        shown = ", ".join(found.unknown[:MOST_UNKNOWN])
        more = len(found.unknown) - MOST_UNKNOWN
        lines.append(f"not in the vocabulary: {shown}{f', and {more} more' if more > 0 else ''}")
    if len(found.present) > total // 4 and not likely:
        lines.append(f"it may need no adapter: try gradspec run --impl=module:{module}")
    return lines


def compared(name: str, spec: Any, python: str | None = None) -> tuple[Probe | None, str]:
    """The comparison of a module's names, or None and why it cannot be imported."""
    from gradspec.adapters.framework.classify import message_of, type_name
    from gradspec.adapters.framework.engine import EngineUnavailable
    from gradspec.adapters.framework.registry import while_opening

    if python:
        found = inventory_by(python, name, spec)
        return (None, str(found["error"])) if "error" in found else (probe(found, spec), "")
    if "" not in sys.path:
        sys.path.insert(0, "")
    try:
        with while_opening(name):
            return probe(inventory_of(importlib.import_module(name), spec), spec), ""
    except EngineUnavailable as error:
        why = error.__cause__ or error
        return None, f"{type_name(why)}: {message_of(why)}"


def inventory_of(module: Any, spec: Any) -> dict[str, Any]:
    """The names of a module of this process."""
    return inventory.inventory(module, *wanted(spec))


def wanted(spec: Any) -> tuple[list[str], list[str]]:
    """The vocabulary's words, and its methods and attributes."""
    vocabulary = spec.vocabulary
    return list(vocabulary.names), [*vocabulary.methods, *vocabulary.attributes]


def inventory_by(python: str, name: str, spec: Any) -> dict[str, Any]:
    """The names of a module as another interpreter finds them."""
    words, members = wanted(spec)
    order = {"module": name, "words": words, "members": members}
    try:
        done = subprocess.run(
            [python, inventory.__file__],
            input=json.dumps(order), capture_output=True, text=True, timeout=IMPORT_SECONDS, check=False,
        )  # fmt: skip
        found = json.loads(done.stdout)
    except subprocess.TimeoutExpired:
        return {"error": f"did not finish in {IMPORT_SECONDS} s"}
    except OSError as error:
        misuse(f"--python={python} cannot be started: {error.strerror}; give the path of a Python")
    except ValueError:
        return {"error": f"the interpreter ended with status {done.returncode}"}
    return dict(found)


def probe(found: Mapping[str, Any], spec: Any) -> Probe:
    """Compare a module's names with the vocabulary."""
    vocabulary = spec.vocabulary
    present, owned = set(found["present"]), set(found["members"])
    methods, attributes = vocabulary.methods, vocabulary.attributes
    static, callables = set(found["static"]), set(found["callable"])
    both = set(methods) | set(attributes)
    free = set(found["public"]) - set(vocabulary.names) - vocabulary.namespaces - {found["tensor"]}
    own = {*present, "tensor"} if found["scalar"] else present  # which the adapter's base has
    missing = [name for name in vocabulary.names if name not in own]
    by_class = [name for name in missing if name in static and found["tensor"]]
    by_method = [
        name
        for name in missing
        if name in callables - static and name in both and name not in by_class
    ]
    functions = [name for name in methods if name not in owned and name in present]
    by_axis = [name for name in functions if name in found["by_axis"]]
    by_function = [name for name in functions if name not in by_axis]
    elsewhere = {*by_class, *by_method}
    near = {
        "words": likely([name for name in missing if name not in elsewhere], free),
        "methods": likely(
            [name for name in methods if name not in owned and name not in functions],
            callables - static - both,
        ),
        "attributes": likely([name for name in attributes if name not in owned], owned - both),
    }
    maker = found["tensor"].lower()  # stone() makes a Stone
    if "tensor" in missing and found["tensor"] and "tensor" not in dict(near["words"]):
        near["words"].insert(0, ("tensor", maker if maker in free else found["tensor"]))
    has = {*present, *elsewhere}, owned & both | set(functions)
    used = {theirs for pairs in near.values() for _, theirs in pairs}
    known = {
        *present,
        *owned,
        *elsewhere,
        *functions,
        *(word for pairs in near.values() for word, _ in pairs),
    }
    ready = "tensor" in has[0]  # else what the engine has will show when it is mapped
    strange = sorted(name for name in owned - both - used if name[0] != "_")
    tapes = "backward" in owned or "backward" in dict(near["methods"])
    gives = [name for name in found["functions"] if _GIVES_GRADIENTS.fullmatch(name)]
    return Probe(
        found["tensor"], found["module"], found["scalar"], found["present"],
        features_of(spec, *has) if ready else None, near,
        sorted(free - used), strange, by_method, by_class, by_function,
        [name for name in _NEEDED if name not in known and not (name == "tensor" and found["scalar"])],
        by_axis, "numpy()" if "numpy" in owned or not found["array"] else found["array"],
        "" if tapes or not gives else gives[0], found["numbers"],
    )  # fmt: skip


def features_of(spec: Any, words: Collection[str], members: Collection[str]) -> list[str]:
    """The features of which an engine with these words, methods and attributes has any."""
    vocabulary = spec.vocabulary
    found = {vocabulary.names[name].feature for name in words}
    for table in (vocabulary.methods, vocabulary.attributes):
        found |= {word.feature for name, word in table.items() if name in members}
    if "backward" in members:
        found.add("vjp")  # the skeleton makes this word of a backward pass
    return [feature for feature in spec.features if feature in found]


def likely(missing: list[str], names: set[str]) -> list[tuple[str, str]]:
    """For each missing word the engine's name for it, if there is one that is often used, or one spelled
    nearly the same."""
    lower = {name.lower(): name for name in sorted(names) if name[0] != "_"}
    pairs = []
    for word in missing:
        last = word.rpartition(".")[2]
        is_class = last[0].isupper()
        aliases = [lower[alias] for alias in _ALIASES.get(word, ()) if alias in lower]
        spelled = [
            name for name in lower.values() if is_near(last, name) and is_class <= name[0].isupper()
        ]
        for name in (aliases or spelled)[:1]:
            pairs.append((word, name))
    return pairs


def is_near(word: str, name: str) -> bool:
    """Whether two names differ in little more than capitals and underscores. Digits, and the underscore at
    the end of what works in place, make another word."""
    one, other = word.lower(), name.lower()
    if one.endswith("_") != other.endswith("_") or re.findall(r"\d", one) != re.findall(
        r"\d", other
    ):
        return False
    one, other = one.replace("_", ""), other.replace("_", "")
    alike = difflib.SequenceMatcher(None, one, other).ratio()
    return one == other or (len(one) > 4 and one[0] == other[0] and alike >= NEAR)


def written(features: list[str] | None) -> str:
    if not features:
        return "None"
    names = ", ".join(f'"{name}"' for name in features)
    indent = " " * 8
    lines = textwrap.fill(
        names, 100, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
    return f"frozenset({{\n{lines},\n    }})  # fmt: skip"


def pattern_of(refusal: str) -> str:
    """The line of a skeleton's patterns for an engine whose tensors take no numbers."""
    if not refusal:
        return ""
    kind, _, message = refusal.partition(": ")
    told = re.sub(r"([.^$*+?{}\[\]|()\\])", r"\\\1", one_line(message)[:60])
    told = told.replace("'int'", "'(int|float)'")
    return f'        pattern("unsupported", {told!r}, exception="{kind}"),  # a Python number\n'


def vjp_by(function: str) -> str:
    """The word `vjp` of a skeleton: by a backward pass, or by a function that returns gradients."""
    if not function:
        return (
            "            # derivatives as values: fresh leaves, a backward pass, and their gradients\n"
            '            "vjp": self.vjp_by_backward,\n'
        )
    return (
        f"            # derivatives as values; if `{function}` returns gradients, as in\n"
        "            # def vjp(function, inputs, cotangent):\n"
        "            #     leaves = [engine.leaf(x) for x in inputs]  # the same values, without a history\n"
        "            #     result = function(*leaves) * cotangent  # whose sum it differentiates\n"
        f"            #     found = engine.{function}(result)\n"
        "            #     return tuple(found[leaf] for leaf in leaves)\n"
        '            # "vjp": vjp,\n'
    )


def proposals(table: str, found: Probe | None) -> str:
    """Commented lines of a skeleton's table: likely names for missing words."""
    forms = {
        "words": '            # "{}": engine.{},',
        "methods": '            # "{}": lambda x, *a, **k: x.{}(*a, **k),',
        "attributes": '            # "{}": lambda x: x.{},',
    }
    if found is None:
        return ""
    lines = [f"            {line}" for line in elsewhere(table, found)]
    if pairs := found.near[table]:
        lines += ["            # is it this?", *(forms[table].format(*pair) for pair in pairs)]
    return "".join(f"{line}\n" for line in lines)


def elsewhere(table: str, found: Probe) -> list[str]:
    """Entries for the words that the engine has in another place."""
    by_axis = [
        f'"{name}": lambda x, dim=None: engine.{name}(x, axis=dim),'
        for name in (found.by_axis if table in ("words", "methods") else [])
    ]
    if by_axis:
        by_axis.insert(0, "# functions that call a dimension `axis`")
    tables = {
        "words": [
            ("by_method(name)", found.by_method, "functions that are methods in this engine"),
            (f"getattr(engine.{found.tensor}, name)", found.by_class, f"methods of {found.tensor}"),
        ],
        "methods": [
            (
                "getattr(engine, name)",
                found.by_function,
                "methods that are functions in this engine",
            )
        ],
    }
    lines = by_axis
    for entry, names, why in tables.get(table, []):
        if names:
            shown = textwrap.wrap(
                ", ".join(f'"{name}"' for name in names), 80, break_on_hyphens=False
            )
            lines += [f"# {why}", f"**{{name: {entry} for name in ("]
            lines += [f"    {part}" for part in shown[:-1]] + [f"    {shown[-1]},", ")},"]
    return lines
