"""Reads the tables beside the behaviors: vocabulary, features, kinds, sources, retired ids."""

from __future__ import annotations

from pathlib import Path

from ..model import Feature, Profile, Source
from ..problems import Place, nearest
from ..program.regex_cost import MAX_COST, regex_cost, regex_fault
from ..program.syntax import RESERVED, RUNTIME
from ..program.unsafe_names import unsafe_part
from ..program.vocabulary import Kind, Role, Vocabulary, Word
from .fields import Fields
from .yaml_reader import Located, read_yaml

_ROLES: dict[str, Role] = {
    "functions": "function", "classes": "class", "contexts": "context", "values": "value",
    "methods": "method", "attributes": "attribute", "keywords": "keyword",
}  # fmt: skip
_NAME = (
    r"[A-Za-z][A-Za-z0-9_]*(\.[A-Za-z][A-Za-z0-9_]*)*"
    r"|_version|_base|_is_view|_backward_hooks|(?:_raw)?_saved_[a-z]+"
)
MAX_PATTERNS = 20
_BEHAVIOR = r"[a-z][a-z0-9_]*\.[a-z0-9][a-z0-9-]*"


def read_table(path: Path, name: str, fields: Fields) -> Located | None:
    """Read one file whose top level is a list or a mapping; a missing file is an empty table."""
    if not path.exists() and not path.is_symlink():
        fields.refuse(
            Place(str(path), 1, 1), "the file is missing", "a specification folder needs this file"
        )
        return None
    return read_yaml(path)


def read_features(root: Path, fields: Fields) -> tuple[dict[str, Feature], dict[str, Profile]]:
    """features.yaml: `features`, name to meaning, and `profiles`, name to meaning and features."""
    located = read_table(root / "features.yaml", "features.yaml", fields)
    features: dict[str, Feature] = {}
    profiles: dict[str, Profile] = {}
    if located is None:
        return features, profiles
    top = fields.mapping(located, "features.yaml", ["features", "profiles"])
    if "features" in top:
        for name, meaning in fields.any_mapping(top["features"], "features").items():
            place = top["features"].keys[name]
            fields.pattern(name, place, "the feature", r"[a-z][a-z0-9-]*", "higher-order")
            features[name] = Feature(name, fields.text(meaning, f"the meaning of {name}"))
    if "profiles" in top:
        for name, body in fields.any_mapping(top["profiles"], "profiles").items():
            entry = fields.mapping(body, f"the profile {name}", ["meaning", "features"])
            members = fields.texts(entry.get("features"), "features")
            for member, place in members:
                if member not in features:
                    fields.refuse(
                        place, f"the feature {member!r} is not known", nearest(member, features)
                    )
            said = fields.text(entry.get("meaning"), "meaning")
            profiles[name] = Profile(name, said, frozenset(member for member, _ in members))
    return features, profiles


def read_vocabulary(root: Path, features: dict[str, Feature], fields: Fields) -> Vocabulary:
    """vocabulary.yaml: a list of groups, one feature each, that map names to their meaning."""
    tables: dict[Role, dict[str, Word]] = {role: {} for role in _ROLES.values()}
    located = read_table(root / "vocabulary.yaml", "vocabulary.yaml", fields)
    for group in fields.sequence(located, "vocabulary.yaml"):
        entry = fields.mapping(group, "a group", ["feature"], list(_ROLES))
        feature = fields.text(entry.get("feature"), "feature")
        if feature and features and feature not in features:
            place = entry["feature"].place
            fields.refuse(
                place, f"the feature {feature!r} is not known", nearest(feature, features)
            )
        for key, role in _ROLES.items():
            if key in entry:
                _read_words(entry[key], key, role, feature, tables, fields)
    alone = {**tables["function"], **tables["class"], **tables["context"], **tables["value"]}
    return Vocabulary(alone, tables["method"], tables["attribute"], tables["keyword"])


def _read_words(
    located: Located,
    key: str,
    role: Role,
    feature: str,
    tables: dict[Role, dict[str, Word]],
    fields: Fields,
) -> None:
    alone: tuple[Role, ...] = ("function", "class", "context", "value")
    rivals: tuple[Role, ...] = alone if role in alone else (role,)
    for name, meaning in fields.any_mapping(located, key).items():
        place = located.keys[name]
        formed = fields.pattern(name, place, "the name", _NAME, "retain_grad or autograd.grad")
        if formed and (unsafe := unsafe_part(name, role in alone)):
            hint = "a vocabulary may not contain it; give the engine's function another name"
            fields.refuse(place, f"the name {unsafe!r} gives access to the interpreter", hint)
        if role in alone and name in RESERVED | RUNTIME:
            fields.refuse(place, f"{name!r} is a word of the language itself")
        if any(name in tables[rival] for rival in rivals):
            fields.refuse(place, f"the {role} {name!r} is in the vocabulary already")
        tables[role][name] = Word(
            name, role, feature, fields.text(meaning, f"the meaning of {name}")
        )


def read_kinds(root: Path, fields: Fields) -> dict[str, Kind]:
    """errors.yaml: `refusals` and `warnings`, each mapping a kind's name to its fields."""
    located = read_table(root / "errors.yaml", "errors.yaml", fields)
    kinds: dict[str, Kind] = {}
    if located is None:
        return kinds
    top = fields.mapping(located, "errors.yaml", ["refusals", "warnings"])
    for sort in ("refusal", "warning"):
        group = top.get(f"{sort}s")
        if group is None:
            continue
        for name, body in fields.any_mapping(group, f"{sort}s").items():
            entry = fields.mapping(
                body, f"the kind {name}", ["meaning", "must_tell"], ["exceptions", "patterns"]
            )
            fields.pattern(name, group.keys[name], "the kind", r"[a-z][a-z0-9-]*", "graph-freed")
            if name in kinds:
                fields.refuse(group.keys[name], f"the kind {name!r} occurs twice")
            patterns = fields.texts(entry.get("patterns"), "patterns")
            _check_patterns(patterns, fields)
            kinds[name] = Kind(
                name,
                "refusal" if sort == "refusal" else "warning",
                fields.text(entry.get("meaning"), "meaning"),
                fields.text(entry.get("must_tell"), "must_tell"),
                tuple(text for text, _ in fields.texts(entry.get("exceptions"), "exceptions")),
                tuple(text for text, _ in patterns),
            )
    return kinds


def _check_patterns(patterns: list[tuple[str, Place]], fields: Fields) -> None:
    """Report patterns that are not regular expressions, or whose search time is unbounded."""
    if len(patterns) > MAX_PATTERNS:
        fields.refuse(patterns[-1][1], f"a kind has at most {MAX_PATTERNS} patterns")
        return
    together = 0.0
    for pattern, place in patterns:
        fault = regex_fault(pattern)
        if fault:
            fields.refuse(place, f"{pattern[:80]!r} {fault}")
        else:
            together += regex_cost(pattern)
    if together > 2 * MAX_COST:
        fields.refuse(patterns[0][1], "the patterns of this kind may together take too long")


def read_sources(root: Path, fields: Fields) -> dict[str, Source]:
    """sources.yaml: documents by name, each with a title, a location, and its parts."""
    located = read_table(root / "sources.yaml", "sources.yaml", fields)
    sources: dict[str, Source] = {}
    if located is None:
        return sources
    for name, body in fields.any_mapping(located, "sources.yaml").items():
        entry = fields.mapping(body, f"the source {name}", ["title", "where"], ["parts"])
        fields.pattern(
            name, located.keys[name], "the source", r"[a-z][a-z0-9._-]*", "autograd-notes"
        )
        title, where = (
            fields.text(entry.get("title"), "title"),
            fields.text(entry.get("where"), "where"),
        )
        sources[name] = Source(name, title, where)
        if "parts" not in entry:
            continue
        separator = "/" if name == "seed" else "#"
        for part, note in fields.any_mapping(entry["parts"], "parts").items():
            full = f"{name}{separator}{part}"
            sources[full] = Source(full, title, where, fields.text(note, f"the note of {part}"))
    return sources


def read_retired(root: Path, fields: Fields) -> dict[str, str]:
    """retired.yaml: ids that are no longer used, each with the reason and its successor."""
    located = read_table(root / "retired.yaml", "retired.yaml", fields)
    retired: dict[str, str] = {}
    for item in fields.sequence(located, "retired.yaml"):
        entry = fields.mapping(item, "a retired id", ["id", "reason"], ["successor"])
        identifier = fields.text(entry.get("id"), "id")
        if "id" in entry:
            place = entry["id"].place
            fields.pattern(identifier, place, "the id", _BEHAVIOR, "chapter.some-short-name")
            if identifier in retired:
                fields.refuse(place, f"the id {identifier!r} occurs twice")
        reason = fields.text(entry.get("reason"), "reason")
        successor = fields.text(entry.get("successor"), "successor")
        retired[identifier] = f"{reason}; see {successor}" if successor else reason
    return retired
