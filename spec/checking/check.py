"""The specification checker: holds the spec itself to account, beyond what loading it demands.

Each check is one function from the specification to problems, listed in `CHECKS`; each has a test
that shows it a fault.
"""

from __future__ import annotations

import re
import string
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from ..model import USUAL_TOLERANCE, Behavior, Case, Spec
from ..problems import Place, Problem, SpecError
from ..program.program import Expectation
from ..reading.folder import ROOT, chapter_paths, operation_paths
from ..reading.yaml_reader import Located
from .exemptions import exemptions_of_nothing
from .kept import Kept

_REFUSAL = re.compile(
    r"MUST (be rejected|be refused|fail|raise|reject|refuse|NOT be accepted|NOT be allowed)\b"
)
_TO_SPACES = str.maketrans(dict.fromkeys(string.punctuation.replace("_", ""), " "))


def check_spec(spec: Spec, root: Path = ROOT) -> list[Problem]:
    """Every problem that the checks find, in the order of the files."""
    problems = [problem for check in CHECKS for problem in check(spec)]
    if root == ROOT:  # other specifications use some of our words
        problems += words_are_used(spec)
    kept = Kept(root)
    problems += schema_problems(root, kept)
    problems += formulas_that_disagree(root, kept)
    problems += exemptions_of_nothing(spec, root, kept)
    return sorted(
        problems, key=lambda problem: (problem.place.file, problem.place.line, problem.place.column)
    )


def refusals_have_a_case(spec: Spec) -> Iterator[Problem]:
    """A behavior that requires an error has a case with a `raises` block."""
    for behavior in spec.behaviors:
        says = bool(behavior.refuses) or bool(_REFUSAL.search(behavior.statement))
        negative = behavior.refuses.startswith(("MUST NOT", "nothing", "gradient MUST NOT"))
        if says and not negative and not any(map(_refuses, behavior.cases)):
            yield Problem(
                behavior.place,
                "the behavior requires an error, but no case has a `raises` block",
                "add one",
                behavior.id,
            )


def _refuses(case: Case) -> bool:
    return any(item.relation == "refused" for item in case.expectations)


def statements_differ(spec: Spec) -> Iterator[Problem]:
    """No two behaviors say the same."""
    first: dict[str, Behavior] = {}
    for behavior in spec.behaviors:
        said = " ".join(behavior.statement.lower().translate(_TO_SPACES).split())
        if said in first:
            yield Problem(
                behavior.place,
                f"the same statement occurs at {first[said].id}",
                "merge the two",
                behavior.id,
            )
        first.setdefault(said, behavior)


def cases_differ(spec: Spec) -> Iterator[Problem]:
    """No two cases are the same program with the same expectations."""
    alike: dict[str, list[Case]] = {}
    for case in spec.cases:
        before = alike.setdefault(case.program.facts.digest, [])
        same = next((other for other in before if _expected(other) == _expected(case)), None)
        if same:
            yield Problem(
                case.place,
                f"the case is the same as {same.id}",
                "remove one",
                case.behavior.id,
            )
        before.append(case)


def _expected(case: Case) -> str:
    return repr([(item.relation, item.expected) for item in case.expectations])


def names_are_used(spec: Spec) -> Iterator[Problem]:
    """No statement is dead: what is assigned is used; what is computed is kept or has an effect."""
    for case in spec.cases:
        for line, message in case.program.facts.dead:
            yield Problem(
                Place(case.program.file, line, 1),
                message,
                "remove the statement, or assert something of it",
                case.id,
            )


def tables_are_used(spec: Spec) -> Iterator[Problem]:
    """Every claim of the notes is cited, and every feature belongs to a word or a construct."""
    cited = {name for behavior in spec.behaviors for name in behavior.sources}
    for name in spec.sources:
        if name.startswith("seed/") and name not in cited:
            yield Problem(
                Place("sources.yaml", 1, 1),
                f"no behavior cites {name}",
                "cite it in the behavior that covers it",
            )
    needed = features_needed(spec)
    for name in spec.features:
        words = [
            word
            for table in (
                spec.vocabulary.names,
                spec.vocabulary.methods,
                spec.vocabulary.attributes,
                spec.vocabulary.keywords,
            )
            for word in table.values()
            if word.feature == name
        ]
        if not words and name not in needed:
            yield Problem(
                Place("features.yaml", 1, 1),
                f"the feature {name!r} is not needed by any word or construct",
            )


def features_needed(spec: Spec) -> frozenset[str]:
    """The features that some case needs."""
    return frozenset().union(*{case.program.features for case in spec.cases})


def words_are_used(spec: Spec) -> Iterator[Problem]:
    """A case uses each word of the vocabulary. A keyword that is only unpacked, such as one that
    engines must reject, is in quotes there."""
    used: set[str] = set()
    for case in spec.cases:
        used.update(case.program.words, case.program.members)
    for table in spec.vocabulary.tables:
        for name, word in table.items():
            if name in used:
                continue
            if not any(f'"{name}"' in case.text for case in spec.cases):
                yield Problem(
                    Place("vocabulary.yaml", 1, 1),
                    f"no case uses the {word.role} {name!r}",
                    "add a case that does, or remove the word",
                )


def profiles_select_cases(spec: Spec) -> Iterator[Problem]:
    """A profile whose features are all needed by cases selects at least one case."""
    needed = features_needed(spec)
    for name, profile in spec.profiles.items():
        selects = any(case.program.features <= profile.features for case in spec.cases)
        if profile.features <= needed and not selects:
            yield Problem(
                Place("features.yaml", 1, 1),
                f"the profile {name!r} selects no case, since each case needs a feature that the profile lacks",
                "add the features that its cases need too, such as arrays",
            )


def wrong_claims_are_told(spec: Spec) -> Iterator[Problem]:
    """A wrong claim of the notes is cited by a behavior that corrects it as folklore."""
    wrong = {
        name
        for name, source in spec.sources.items()
        if name.startswith("seed/") and source.note.endswith("Wrong.")
    }
    for name in sorted(wrong):
        if not any(name in behavior.sources and behavior.folklore for behavior in spec.behaviors):
            yield Problem(
                Place("sources.yaml", 1, 1),
                f"{name} is wrong, but no behavior that cites it has `folklore`",
            )


def tolerances_are_explained(spec: Spec) -> Iterator[Problem]:
    """A case that sets a tolerance says why."""
    for case in spec.cases:
        if case.tolerance_factor != USUAL_TOLERANCE and not case.tolerance_reason:
            yield Problem(case.place, "the case sets a tolerance without saying why", "", case.id)


def permissions_are_accepted_both_ways(spec: Spec) -> Iterator[Problem]:
    """A case of what an engine MAY do passes where it does and where it does not, and can fail."""
    for case in spec.cases:
        if case.behavior.strength == "MAY" and not any(map(_accepts_both, case.expectations)):
            yield Problem(
                case.place,
                "the statement says MAY, but the case accepts only one outcome",
                "use `with may_raise(...)`, or `== either(...)` with a value for each outcome",
                case.id,
            )


def _accepts_both(expectation: Expectation) -> bool:
    either = isinstance(expectation.expected, dict) and "either" in expectation.expected
    return either or expectation.relation == "may be refused"


CHECKS: tuple[Callable[[Spec], Iterator[Problem]], ...] = (
    refusals_have_a_case,
    statements_differ,
    cases_differ,
    names_are_used,
    tables_are_used,
    profiles_select_cases,
    wrong_claims_are_told,
    tolerances_are_explained,
    permissions_are_accepted_both_ways,
)


def schema_problems(root: Path, kept: Kept | None = None) -> list[Problem]:
    """Where a file does not fit its JSON Schema. The loader is stricter, so this finds something
    only when the two disagree."""
    kept = kept or Kept(root)
    pairs = [(path, "chapter.json") for path in chapter_paths(root)]
    pairs += [(path, "operations.json") for path in operation_paths(root)]
    pairs += [
        (root / f"{name}.yaml", f"{name}.json")
        for name in ("vocabulary", "features", "errors", "sources", "retired")
    ]
    pairs += [
        (root / f"{name}.yaml", f"{name}.json")
        for name in ("ledger", "laws")
        if (root / f"{name}.yaml").exists()
    ]
    problems: list[Problem] = []
    for path, name in pairs:
        schema = ROOT / "schema" / name
        problems += kept.problems(
            f"{path.parent.name}.{path.stem}.schema",
            [str(path), path.read_bytes(), schema.read_bytes()],
            partial(_against_schema, path, schema),
        )
    return problems


def _against_schema(path: Path, schema: Path) -> Iterator[Problem]:
    import json

    import jsonschema

    from ..reading.yaml_reader import read_yaml

    validator = jsonschema.Draft202012Validator(json.loads(schema.read_text("utf-8")))
    try:
        content = _plain(read_yaml(path))
    except SpecError:  # which is reported where the file's content is read
        return
    for error in validator.iter_errors(content):
        where = "/".join(str(part) for part in error.absolute_path)
        yield Problem(
            Place(str(path), 1, 1),
            f"{schema.name}: at {where or 'the top'}: {error.message[:300]}",
        )


def _plain(located: Located) -> object:
    if isinstance(located.value, dict):
        return {key: _plain(value) for key, value in located.value.items()}
    if isinstance(located.value, list):
        return [_plain(item) for item in located.value]
    return located.value


def formulas_that_disagree(root: Path, kept: Kept | None = None) -> Iterator[Problem]:
    """Operations whose gradient formula is not the derivative of their value formula."""
    kept = kept or Kept(root)
    for path in operation_paths(root):
        name = f"{path.parent.name}.{path.stem}.formulas"
        texts: list[str | bytes] = [str(path), path.read_bytes()]
        yield from kept.problems(name, texts, partial(_formulas_of_a_file, path))


def _formulas_of_a_file(path: Path) -> Iterator[Problem]:
    from ..catalogue.operations import operations_of
    from ..catalogue.worked import jacobian_faults

    for operation in operations_of(path):
        for form in operation.forms:
            try:
                faults = jacobian_faults(form)
            except Exception as error:  # NumPy's functions have faults of their own
                message = f"the formulas cannot be evaluated: {type(error).__name__}: {error}"
                yield Problem(form.place, message, "", operation.id)
                continue
            for name, distance in faults.items():
                shown = f" of the form {form.label!r}" if form.label else ""
                yield Problem(
                    form.place,
                    f"the gradient formula of {name} differs from finite differences of the value "
                    f"formula by {distance:.1e}, at the sampled operands{shown}",
                    "fix the formula, or exclude the kink from the operands with `avoid`",
                    operation.id,
                )
