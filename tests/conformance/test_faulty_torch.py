"""Every PyTorch that is broken in one place is noticed, by the behaviors that say what is broken."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

pytest.importorskip("torch", reason="the faulty engines are made by breaking PyTorch")

import torch
from faulty_torch import altered_nodes, hooks, in_place, introspection, leaves, second_order
from faulty_torch.bank import APART, FAULTS, NOTICED_BY
from faulty_torch.framework import Fault, Patch, around_pass, broken, can_be_mended, miscompute
from faulty_torch.hooks import silent
from faulty_torch.trial import SPEC, cases_of, try_fault
from faulty_torch.trial_in_process import in_a_process


def test_every_fault_says_who_notices() -> None:
    known = {behavior.id: behavior for behavior in SPEC.behaviors}
    assert sorted(NOTICED_BY) == sorted(fault.name for fault in FAULTS)
    for name, behaviors in NOTICED_BY.items():
        assert behaviors, name
        for behavior in behaviors:
            assert behavior in known, f"{name}: {behavior}"


@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.name)
def test_the_fault_is_noticed(fault: Fault) -> None:
    """`python -m faulty_torch` holds each against the whole suite."""
    wanted = NOTICED_BY[fault.name]
    if can_be_mended(fault):
        found = try_fault(fault, cases_of(wanted))
        must, apart = found.must, found.apart
    else:
        told = in_a_process(fault, lambda fault: cases_of(wanted), 0)
        assert "broken" not in told, told["broken"]
        must, apart = told["must"], told["apart"]
    noticed = {case.split("/")[0] for case in (*must, *apart)}
    assert not set(wanted) - noticed, f"{fault.sentence} Not noticed by these behaviors."
    assert must or fault.name in APART, f"{fault.sentence} Noticed by no MUST."


def test_every_patch_is_undone() -> None:
    """Nothing that a fault replaces stays replaced."""
    places = (torch, torch.Tensor, torch.autograd, torch.nn.Module, torch.no_grad, torch.optim.SGD)
    before = [dict(vars(place)) for place in places]
    for fault in FAULTS:
        if can_be_mended(fault):
            with broken(fault):
                pass
    assert [dict(vars(place)) for place in places] == before


def test_a_patch_is_undone_after_an_error() -> None:
    def install(patch: Patch) -> None:
        patch.set(torch.Tensor, "clone", silent(print))
        raise ValueError("half way")

    with pytest.raises(ValueError, match="half way"), broken(Fault("fails", "It fails.", install)):
        pass
    assert torch.tensor([2.0]).clone().tolist() == [2.0]


def test_a_harmless_fault_is_noticed_by_nobody() -> None:
    def install(patch: Patch) -> None:
        def make(original: Any) -> Any:
            return lambda *args, **kwargs: original(*args, **kwargs)

        patch.wrap(torch.Tensor, "backward", make)

    wanted = cases_of({"accumulation.second-pass-adds", "backward.chain-rule"})
    found = try_fault(Fault("harmless", "Nothing changes.", install), wanted)
    assert found.tried == len(wanted) > 0
    assert not found.must
    assert not found.apart


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
}
"""Each tool by which PyTorch is broken, used so that nothing is wrong."""

SEEN = {
    "shown": {"graph.removed-hooks-are-let-go"},
    "miscompute": {"graph.saved-values-are-let-go", "graph.only-what-is-needed-is-saved"},
    "skewed": {"detach.blocks-tangent"},
}
"""Behaviors that can tell a tool from PyTorch itself."""


@pytest.mark.parametrize("tool", HARMLESS)
def test_the_tools_themselves_are_not_noticed(tool: str) -> None:
    """Else a fault could be noticed for the way in which it is made."""
    cases = [case for case in SPEC.cases if case.behavior.id not in SEEN.get(tool, ())]
    told = in_a_process(Fault(tool, "Nothing is wrong.", HARMLESS[tool]), lambda fault: cases, 0)
    assert told["tried"] == len(cases)
    assert not told["must"]
    assert not told["apart"]
