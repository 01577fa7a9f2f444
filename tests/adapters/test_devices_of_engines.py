"""Engines on several devices: which devices programs get, and how they are reported."""

from __future__ import annotations

import sys
import types
from dataclasses import replace
from typing import Any

import pytest
from gradspec.adapters.framework.engine import Unsupported
from gradspec.adapters.framework.torch_like import ModuleEngine
from gradspec.adapters.reference_engine import ReferenceEngine
from gradspec.adapters.torch_engine import TorchEngine
from gradspec.conformance.running.runner import Options, open_session

ENGINES = [ReferenceEngine, TorchEngine]


@pytest.mark.parametrize("adapter", ENGINES)
def test_different_devices_are_reported_as_different(adapter: Any) -> None:
    engine = adapter()
    device = engine.module.device
    engine.close()
    assert engine.describe(device("cpu")) == "cpu"
    assert engine.describe(device("cuda", 1)) == "cuda:1"


@pytest.mark.parametrize("adapter", ENGINES)
def test_the_other_device_is_not_the_one_in_use(adapter: Any) -> None:
    engine = adapter()
    assert str(engine.other_device()) == str(engine.meta_device()) == "meta"
    engine.close()


def test_closing_an_engine_gives_the_default_device_back(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[Any] = []
    engine = TorchEngine()
    monkeypatch.setattr(engine.module, "set_default_device", chosen.append)
    engine.choose_device("cpu:0")
    engine.identity = replace(engine.identity, device="cpu:0")
    engine.close()
    assert chosen == ["cpu:0", None]


def test_beside_the_stand_in_the_other_device_is_the_cpu() -> None:
    engine = ReferenceEngine(device="strict")
    assert str(engine.other_device()) == "cpu"
    assert str(engine.accelerator()).startswith(("strict", "cuda"))
    engine.close()


@pytest.mark.parametrize("knows_the_keyword", [True, False])
def test_an_engine_without_devices_has_no_other(
    monkeypatch: pytest.MonkeyPatch, knows_the_keyword: bool
) -> None:
    """Neither one that rejects the keyword, nor one that ignores it."""

    class Tensor:
        device = "cpu"

    module: Any = types.ModuleType("without_devices")
    module.Tensor = Tensor
    ignoring = lambda n, device=None: Tensor()  # noqa: E731
    module.zeros = ignoring if knows_the_keyword else lambda n: Tensor()
    for made in (Tensor, module.zeros):
        made.__module__ = "without_devices"
    monkeypatch.setitem(sys.modules, "without_devices", module)
    engine = ModuleEngine("without_devices")
    for ask in (engine.accelerator, engine.meta_device, engine.other_device):
        with pytest.raises(Unsupported, match="a device of type"):
            ask()


def test_a_module_needs_no_adapter_for_its_devices() -> None:
    session = open_session(Options("module:gradspec.reference_impl"))
    chosen = ("devices.gradient-comes-back/", "devices.transfer-is-recorded/")
    found = [session.run_case(case) for case in session.cases() if case.id.startswith(chosen)]
    session.close()
    assert len(found) > 10
    assert {item.verdict for item in found} == {"pass"}


MIXED = "devices.operands-of-several-devices-refused"
RESULTS = "devices.results-stay-with-their-operand"
NOT_ON_LAZY = {
    "devices.copy-between-devices-is-recorded/the-whole[to-the-CPU]",
    "devices.copy-between-devices-is-recorded/a-part[to-the-CPU]",
    *(f"{MIXED}/with-values[f={name}]" for name in ("take", "scatter", "index_add")),
    f"{MIXED}/a-result-that-is-given",
    "devices.indices-from-elsewhere-refused/reading[act=index]",
    "devices.indices-from-elsewhere-refused/reading[act=mask]",
    *(f"{RESULTS}/converted[f={name}]" for name in ("tensor", "as_tensor", "asarray")),
    f"{RESULTS}/saved-to-a-file",
    "devices.module-moves-whole/a-parameter-that-two-modules-share",
}
"""Conversions, copies and moves of modules that PyTorch does not support on its device lazy, and mixtures that
it does not notice there."""


def test_pytorch_agrees_on_its_device_lazy() -> None:
    """There the cases with values on two devices run without a GPU."""
    pytest.importorskip("torch._lazy.ts_backend")
    session = open_session(Options("torch", device="lazy", isolate=True))
    found = [
        session.run_case(case) for case in session.cases() if case.behavior.chapter == "devices"
    ]
    session.close()
    failing = {
        item.case: item.message for item in found if item.verdict not in ("pass", "unsupported")
    }
    assert {case: why for case, why in failing.items() if case not in NOT_ON_LAZY} == {}
    assert failing.keys() == NOT_ON_LAZY
    assert sum(item.verdict == "pass" for item in found) > 180
