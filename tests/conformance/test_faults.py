"""Every fault of the bank is noticed, by the behaviors that it breaks, on each engine that can have it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any
from zlib import crc32

import pytest
from gradspec.conformance.checking.adequacy.bank import ENGINES, Entry, read_bank
from gradspec.conformance.checking.adequacy.breaking import (
    Patch,
    accumulated,
    around_pass,
    asked,
    broken,
    can_be_mended,
    contributions,
    freeing,
    miscompute,
    seeded,
    use,
)
from gradspec.conformance.checking.adequacy.breaking.patch import Fault
from gradspec.conformance.checking.adequacy.faults import (
    altered_nodes,
    hooks,
    in_place,
    introspection,
    leaves,
    second_order,
)
from gradspec.conformance.checking.adequacy.shards import run_bank
from gradspec.conformance.checking.adequacy.trial import Trial
from gradspec.spec.load import load_spec
from gradspec.spec.problems import Place
from gradspec.spec.reading.folder import operation_paths
from suite_kit import sample_of

torch = pytest.importorskip("torch", reason="the faults break PyTorch as well as the reference")
SPEC = load_spec()
BANK = read_bank(SPEC)


@cache
def trial_of(engine: str) -> Trial:
    return Trial(engine, SPEC)


def entry(name: str, install: Callable[[Patch], None], *breaks: str) -> Entry:
    """A fault that is not in the bank."""
    return Entry(Fault(name, "A sentence.", install), breaks, ENGINES, False, Place("x", 1, 1))


TRIED = sorted(
    (
        (fault.engines[crc32(fault.id.encode()) % 3 == 0 and len(fault.engines) > 1], fault)
        for fault in BANK
    ),
    key=lambda tried: tried[0],  # going from one engine to the other takes time
)
"""Each fault on one engine; of those that both can have, a third on PyTorch, chosen by name, so that a
new fault moves no other one. `gradspec check
--adequacy=reference` and `--adequacy=torch` try all of them on each."""


@pytest.mark.parametrize(
    ("engine", "fault"),
    TRIED,
    ids=lambda value: value if isinstance(value, str) else value.id,
)
def test_the_fault_is_noticed(engine: str, fault: Entry, request: pytest.FixtureRequest) -> None:
    """`gradspec check --adequacy` does this in one run."""
    trial = trial_of(engine)
    if can_be_mended(fault.fault):
        found: Any = trial.run(fault, trial.cases_of(fault.breaks), until=fault.breaks)
    else:
        store: Path = request.getfixturevalue("tmp_path") / "outcomes.jsonl"  # few need a folder
        (found,) = run_bank([fault], trial, store, 1, lambda outcome: None)
        assert not found.broken
    noticing = {case.split("/")[0] for case in (*found.must, *found.apart)}
    assert not set(fault.breaks) - noticing, f"{fault.sentence} Not noticed by these behaviors."
    assert found.must or fault.apart, f"{fault.sentence} Noticed by no MUST."


def test_every_patch_is_undone() -> None:
    """Nothing that a fault replaces stays replaced."""
    use(torch)
    places = (torch, torch.Tensor, torch.autograd, torch.nn.Module, torch.no_grad, torch.optim.SGD)
    before = [dict(vars(place)) for place in places]
    for each in BANK:
        if "torch" in each.engines and can_be_mended(each.fault):
            with broken(each.fault):
                pass
    assert [dict(vars(place)) for place in places] == before


def test_a_patch_is_undone_after_an_error() -> None:
    def install(patch: Patch) -> None:
        patch.set(torch.Tensor, "clone", hooks.silent(print))
        raise ValueError("half way")

    use(torch)
    with pytest.raises(ValueError, match="half way"), broken(Fault("fails", "It fails.", install)):
        pass
    assert torch.tensor([2.0]).clone().tolist() == [2.0]


HARMLESS: dict[str, Callable[[Patch], None]] = {
    "around_pass": lambda patch: around_pass(patch, lambda run, options: run(options)),
    "miscompute": lambda patch: miscompute(
        patch, "add mul sum matmul exp reshape setitem copy_ cat max", lambda gi, go, call: gi
    ),
    "unless_noted": lambda patch: in_place.unless_noted(patch, lambda tensor: False),
    "shown": lambda patch: altered_nodes.shown(patch),
    "changed_hook": lambda patch: hooks.changed_hook(patch, lambda hook, tensor: hook),
    "attribute": lambda patch: leaves.attribute(patch, "grad"),
    "printed": lambda patch: introspection.printed(patch, lambda text, tensor: text),
    "skewed": lambda patch: second_order.skewed(patch, "mul", 1.0),
    "asked": lambda patch: asked(patch, "backward", lambda run, given: run()),
    "asked for values": lambda patch: asked(patch, "grad", lambda run, given: run()),
    "seeded": lambda patch: seeded(patch, lambda roots, seeds: None),
    "contributions": lambda patch: contributions(patch, lambda earlier, again, gradient: gradient),
    "accumulated": lambda patch: accumulated(
        patch, lambda old, new, options: old.add_(new), lambda options: not options.create_graph
    ),
    "freeing": lambda patch: freeing(patch, lambda node, options: node.name() != "AddBackward0"),
}
"""Each tool by which an engine is broken, used so that nothing is wrong."""

VECTORIZED = {
    "combined.functions-of-tensors",
    "functional.hessian",
    "functional.tensors-or-tuples",
    "functional.vectorized-and-forward",
    "gradcheck.batched-tangents",
    "gradcheck.some-mode-is-checked",
}
"""Behaviors that run PyTorch's vmap in forward mode, which does not map over a custom function."""

SEEN = {
    "shown": {"graph.removed-hooks-are-let-go", "legacy.print-result"},
    "miscompute": {
        "graph.saved-values-are-let-go",
        "graph.only-what-is-needed-is-saved",
        "checkpoint.inputs-are-kept",
        "checkpoint.nested",
        "checkpoint.intermediates-are-freed",
        *VECTORIZED,
    },
    "skewed": {
        "combined.tangents",
        "custom_functions.generated-vmap-rule",
        "detach.blocks-tangent",
        "forward_mode.detached-and-cloned",
        "forward_mode.custom-function-tangents",
        "forward_mode.forward-over-reverse",
        "functional.independent-gives-zeros",
        "functional.jacobian-nesting",
        "gradcheck.forward-mode",
        *VECTORIZED,
    },
    "asked for values": {"grad_function.argument-names"},
    "contributions": {
        "accumulation.adds-to-zeros-of-second-order",
        "accumulation.views-keep-gradients-apart",
        "accumulation.given-gradient-passes-through-a-view",
        "custom_functions.gradients-in-one-list",
        "forward_mode.forward-over-reverse",
        "func.outputs-that-are-arguments",
        "requires_grad.earlier-view-gets-no-edge",
    },
    "freeing": {
        "combined.functions-of-tensors",
        "combined.second-order",
        "checkpoint.early-stop",
        "checkpoint.early-stop-for-a-block",
        "checkpoint.options-together",
        "checkpoint.same-values-and-gradients",
        "forward_mode.forward-over-reverse",
        "functional.hessian",
        "requires_grad.earlier-view-gets-no-edge",
    },
    "accumulated": {
        "combined.watched-leaf",
        "hooks.post-accumulate-of-a-leaf-that-was-frozen",
        "hooks.post-accumulate-sees-leaf",
        "hooks.leaf-hook-comes-before-accumulation",
        "threads.shared-leaf-adds-up",
        "during_a_pass.error-half-way",
        "during_a_pass.grad-changes-on-the-way",
        "during_a_pass.inner-pass-on-the-same-leaf",
        "during_a_pass.running-hooks-are-settled",
        "requires_grad.earlier-view-gets-no-edge",
    },
}
"""Behaviors that can tell a tool from the engine itself."""


TOGETHER = (
    ("unless_noted", "miscompute", "changed_hook", "attribute", "printed", "skewed",
     "around_pass", "asked", "asked for values", "seeded"),
    ("shown",),
    ("contributions", "freeing"),
    ("accumulated",),
)  # fmt: skip
"""The tools that can be used in one run. A failure names none of them; try them one by one then."""


LACKED = {
    "reference": {"complex_numbers.conjugate-is-a-view"},
    "torch": {"functional.vectorized-and-forward", "functional.jacobian-dtype"},
}
"""Behaviors of which an engine does not offer a case, broken or not."""


def test_every_tool_is_tried() -> None:
    assert sorted(tool for tools in TOGETHER for tool in tools) == sorted(HARMLESS)


LEFT_OUT = {path.stem for path in operation_paths()[7:]} | {"laws", "devices"}
LEFT_OUT |= {"lifetimes", "lifetimes_of_extensions"}
"""Chapters that reach no tool which the first seven of the catalogue do not, one that needs a second device,
and two about what is kept alive: tools keep notes of tensors, hooks and nodes."""


@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("tools", TOGETHER, ids="+".join)
def test_the_tools_themselves_are_not_noticed(tools: tuple[str, ...], engine: str) -> None:
    """Else a fault could be noticed for the way in which it is made."""
    seen = {tool: SEEN.get(tool, set()) for tool in tools}
    by_any = set().union(*seen.values())
    behaviors = {item.id for item in SPEC.behaviors if item.chapter not in LEFT_OUT}
    lacked = LACKED.get(engine, set())
    assert noticed(tools, engine, behaviors - by_any - lacked) == []
    for tool in tools:  # what another one of them is noticed by
        assert noticed((tool,), engine, by_any - seen[tool] - lacked) == [], tool


def noticed(tools: tuple[str, ...], engine: str, behaviors: set[str]) -> list[str]:
    """Which of the cases of these behaviors fail while the tools are in use. Where there are many, each
    engine runs its half of them."""

    def install(patch: Patch) -> None:
        for tool in tools:
            HARMLESS[tool](patch)

    trial = trial_of(engine)
    every = sample_of(trial.cases_of(sorted(behaviors)))
    half = every[ENGINES.index(engine) :: len(ENGINES)] if len(every) > 500 else every
    return trial.run(entry("harmless", install), half).cases
