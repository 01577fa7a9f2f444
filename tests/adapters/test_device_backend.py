"""The suite on a PyTorch device that is not the CPU (`backends/hostcard.py`), and faults of its kernels."""

from __future__ import annotations

import importlib
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch
from gradspec.adapters.framework.channel import ProtocolError
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.process import ProcessEngine
from gradspec.adapters.framework.registry import open_engine
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.reporting.repro import script_of
from gradspec.conformance.reporting.summary import summary_lines
from gradspec.conformance.running.runner import Options, Session, open_session

FILE = Path(__file__).parent / "backends" / "hostcard.py"
CHAPTERS = ("accumulation.", "detach.", "devices.operands-of-several-devices-refused")
TANH = "unary.tanh"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    opened = open_session(Options("torch", device="hostcard", imported=str(FILE)))
    yield opened
    opened.close()


@pytest.fixture
def hostcard(session: Session) -> Any:
    return importlib.import_module("hostcard")


def verdicts(session: Session, *wanted: str) -> dict[str, Verdict]:
    """The verdicts on the cases whose ids contain one of these texts."""
    return {
        case.id: session.run_case(case)
        for case in session.spec.cases
        if any(text in case.id for text in wanted)
    }


def failing(found: dict[str, Verdict]) -> dict[str, str]:
    return {name: item.message for name, item in found.items() if item.verdict == "fail"}


def test_chapters_hold_on_the_device(session: Session) -> None:
    found = verdicts(session, *CHAPTERS)
    assert failing(found) == {}
    assert sum(item.verdict == "pass" for item in found.values()) > 100


def test_tensors_are_on_the_device_in_hooks_and_threads(session: Session) -> None:
    engine: Any = session.engine
    tensor = engine.resolve("tensor")
    devices = []

    def note(*_: Any) -> None:
        devices.append(tensor([1.0]).device.type)

    x = tensor([1.0], requires_grad=True)
    x.register_hook(note)
    (x * 2).backward()
    engine.resolve("concurrently")(note)
    assert devices == ["hostcard", "hostcard"]


def test_views_of_the_device_share_its_memory(hostcard: Any) -> None:
    x = torch.tensor([[1.0, 2.0], [3.0, 4.0]], device="hostcard")
    view = x.t()[1:]
    view.mul_(10)
    assert x.tolist() == [[1.0, 20.0], [3.0, 40.0]]
    assert (view.stride(), view.storage_offset()) == ((1, 2), 1)
    assert view.untyped_storage().data_ptr() == x.untyped_storage().data_ptr()


# --- faults of kernels ---


def read_in_order(gradient: torch.Tensor, result: torch.Tensor) -> torch.Tensor:
    """A backward kernel that reads the memory of the cotangent in order, whatever its strides are."""
    inorder = gradient.as_strided(
        gradient.shape, torch.empty(gradient.shape).stride(), gradient.storage_offset()
    )
    return inorder * (1 - result * result)


def not_there(name: str, error: type[Exception] = NotImplementedError) -> Callable[..., Any]:
    """A kernel that a backend does not have; PyTorch says so in these words."""

    def kernel(*arguments: Any, **keywords: Any) -> Any:
        raise error(
            f"Could not run '{name}' with arguments from the 'hostcard' backend. This could be because the "
            "operator doesn't exist for this backend. AutogradOther: registered at ..."
        )

    return kernel


def test_a_kernel_that_misreads_a_cotangent_is_noticed(
    session: Session, hostcard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    law = f"laws.cotangent-in-any-layout/{TANH}"
    assert {item.verdict for item in verdicts(session, law).values()} == {"pass"}
    monkeypatch.setitem(hostcard.KERNELS, "aten::tanh_backward", read_in_order)
    assert failing(verdicts(session, law))


def test_views_that_are_copies_are_noticed(
    session: Session, hostcard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    def copied(tensor: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
        memory = like.contiguous()
        return hostcard.tensor_on(hostcard.block_of(memory.untyped_storage()), memory)  # type: ignore[no-any-return]

    behavior = "views.shares-data-both-ways/"
    before = verdicts(session, behavior)
    monkeypatch.setattr(hostcard, "view_of", copied)
    after = verdicts(session, behavior)
    assert failing(before) == {}
    assert failing(after)


def test_a_missing_backward_kernel_is_counted_apart(
    session: Session, hostcard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(hostcard.KERNELS, "aten::tanh_backward", not_there("aten::tanh_backward"))
    found = verdicts(session, f"{TANH}/")
    assert {item.verdict for item in found.values()} == {"pass", "unsupported"}
    missing = [item for item in found.values() if item.verdict == "unsupported"]
    assert {(item.kind, item.message) for item in missing} == {
        ("missing-gradient", "aten::tanh_backward on hostcard")
    }
    lines = summary_lines(session, list(found.values()), [])
    told = f"missing gradients ({len(missing)} cases): aten::tanh_backward on hostcard ({len(missing)})"
    assert told in lines
    assert not any(line.startswith("missing: ") for line in lines)


def test_a_missing_kernel_is_a_missing_gradient_only_in_a_backward_pass(
    session: Session, hostcard: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(hostcard.KERNELS, "aten::sgn", not_there("aten::sgn"))
    in_backward = verdicts(session, "unary.abs/gradient").values()
    assert {item.kind for item in in_backward if item.verdict == "unsupported"} == {
        "missing-gradient"
    }
    forward = verdicts(session, "unary.sgn/").values()
    assert {item.kind for item in forward if item.verdict == "unsupported"} == {""}


# --- a device without float64 ---


@pytest.fixture(scope="module")
def narrow(session: Session) -> Iterator[Session]:
    """The device without float64: PyTorch has one such device in a process, so this one is changed."""
    hostcard = importlib.import_module("hostcard")
    hostcard.LACKING.update((torch.float64, torch.complex128))
    opened = open_session(Options("torch", device="hostcard", imported=str(FILE)))
    yield opened
    opened.close()
    hostcard.LACKING.clear()


def test_without_float64_there_are_no_false_failures(narrow: Session) -> None:
    assert narrow.identity.widest_float == "float32"
    found = verdicts(narrow, "leaf.", "creation.", f"{TANH}/", f"/{TANH}")
    assert failing(found) == {}
    assert any(line.startswith("there is no float64") for line in summary_lines(narrow, [], []))
    named = {
        case.id for case in narrow.spec.cases if "float64" in case.program.words
    } & found.keys()
    counts = Counter(found[name].verdict for name in named)
    assert counts["pass"] >= 5
    why = {found[name].message for name in named if found[name].verdict == "unsupported"}
    assert {reason for reason in why if not reason.startswith("arrays of NumPy")} == {"float64"}


def test_without_float64_a_fault_is_still_noticed(
    narrow: Session, monkeypatch: pytest.MonkeyPatch
) -> None:
    hostcard = importlib.import_module("hostcard")
    case = f"laws.tangent/{TANH}"
    assert [item.verdict for item in verdicts(narrow, case).values()] == ["pass"]
    monkeypatch.setitem(
        hostcard.KERNELS, "aten::tanh_backward", lambda gradient, result: 2 * gradient
    )
    assert failing(verdicts(narrow, case)).keys() == {case}


def test_a_process_says_that_it_has_no_float64() -> None:
    engine = object.__new__(ProcessEngine)
    engine.name, engine.device = "card", "card"
    hello = {"answer": "hello", "gradspec": 1, "features": None}
    assert engine.read_hello(hello).widest_float == "float64"
    assert engine.read_hello({**hello, "widest_float": "float32"}).widest_float == "float32"
    with pytest.raises(
        ProtocolError, match="expected widest_float to be float64 or float32, found"
    ):
        engine.read_hello({**hello, "widest_float": "int8"})


# --- how a device is made known ---


def test_an_import_that_fails_is_named() -> None:
    with pytest.raises(EngineUnavailable, match=r"--import=no_such_backend.*ModuleNotFoundError"):
        open_engine("torch", imported="no_such_backend")
    with pytest.raises(
        EngineUnavailable, match=r"--import=nowhere/card\.py: there is no such file"
    ):
        open_engine("torch", imported="nowhere/card.py")


def test_a_separate_process_uses_the_device_without_forking(tmp_path: Path) -> None:
    options = Options("torch", device="hostcard", imported=str(FILE), isolate=True)
    isolated = open_session(options)
    try:
        found = verdicts(isolated, "accumulation.second-pass", "hooks.errors-come-through/on-a")
        assert isolated.engine.renew()
        found |= verdicts(isolated, "detach.")
    finally:
        isolated.close()
    assert failing(found) == {}
    assert sum(item.verdict == "pass" for item in found.values()) > 10


def test_an_engine_in_its_own_process_imports_it_too(tmp_path: Path) -> None:
    registers = tmp_path / "registers_a_device.py"
    registers.write_text(f"open({str(tmp_path / 'seen')!r}, 'w').close()\n")
    open_engine("reference", imported=str(registers), isolate=True).close()
    assert (tmp_path / "seen").exists()


def test_the_command_that_reproduces_a_failure_names_the_device(session: Session) -> None:
    assert session.options.engine == f"torch --device=hostcard --import={FILE}"
    case = next(
        case for case in session.spec.cases if case.id.startswith("accumulation.second-pass")
    )
    script = script_of(case, "torch", None, "hostcard", str(FILE))
    assert "import hostcard\nimport torch\ntorch.set_default_device('hostcard')\n" in script
    script = script_of(case, "mygrad", None, "gpu", "my_backend")
    assert "import my_backend\n" in script
    assert "adapter = open_engine('mygrad', device='gpu')" in script


def test_our_known_failures_of_the_cpu_may_pass_on_the_device(session: Session) -> None:
    known = "laws.second-pass-gives-the-same/unary.sgn"
    assert known in session.known
    assert verdicts(session, known)[known].verdict == "pass"


def test_a_device_that_nothing_registers_is_explained() -> None:
    with pytest.raises(EngineUnavailable, match="name it with --import=PACKAGE"):
        open_engine("torch", device="unheard_of")


def test_a_process_imports_what_it_needs_itself() -> None:
    with pytest.raises(EngineUnavailable, match="needs an engine in Python"):
        open_engine("exec:true", imported="hostcard")
