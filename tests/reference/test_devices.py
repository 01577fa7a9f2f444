"""The engine on devices: on the stand-in for CUDA everywhere, and on CUDA where there is a GPU.

    pytest tests/reference/test_devices.py -q

The whole specification and every operation give there what they give on the CPU.
"""

from __future__ import annotations

import copy
import io
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import gradspec.reference_impl as torch
import numpy as np
import pytest
from gradspec.conformance.running.runner import Options, open_session
from gradspec.reference_impl.backend.libraries import available
from gradspec.reference_impl.backend.strict import host_reads
from gradspec.reference_impl.mode import Mode, mode
from suite_kit import sample_of

from .rounding import close_to_second_order, epsilon_of, precision
from .test_operations import SQUARE, WIDE, expressions

DEVICES = ["strict", *(["cuda"] if available("cuda") else [])]
NUMPY = "arrays of NumPy, which share no memory with those of a device"
CONJUGATES = "conjugates that are views: they are computed immediately"
ON_THE_CPU = "tensors that are on the CPU already"
F = torch.nn.functional


@pytest.fixture(params=DEVICES)
def device(request: pytest.FixtureRequest) -> Iterator[Any]:
    """A device, on which new tensors are made meanwhile."""
    with torch.device(request.param):
        yield torch.get_default_device()


@pytest.fixture
def two() -> Iterator[tuple[str, str]]:
    """Two devices; afterwards the engine is as if there had been one."""
    yield "strict:0", "strict:1"
    Mode.several = False
    Mode.update_all()


# -- the same as on the CPU ------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEVICES)
def test_the_whole_specification_has_the_verdicts_of_the_cpu(name: str) -> None:
    """All cases pass there, in the order in which `pytest conformance --impl=reference` runs them. Here
    they run backwards, so that each of any two came first once."""
    session = open_session(Options("reference", device=name))
    try:
        found = [session.run_case(case) for case in reversed(sample_of(session.cases()))]
    finally:
        session.close()
    assert len(found) > 5000
    differing = {
        item.case: item.message
        for item in found
        if item.verdict != "pass"
        and not (
            item.verdict == "unsupported"
            and item.case.startswith(("laws.float16", "laws.bfloat16/"))
        )
    }
    known = (NUMPY, CONJUGATES, ON_THE_CPU)
    assert {case: why for case, why in differing.items() if why not in known} == {}


def derivatives(expression: str, arrays: list[Any], where: str) -> list[Any]:
    """The value, and first and second derivatives of its sum of squares, all made on a device."""
    torch.manual_seed(0)
    with torch.device(where):
        xs = [torch.tensor(a, dtype=torch.float64, requires_grad=True) for a in arrays]
        y = eval(expression, {"t": torch, **dict(zip("abc", xs, strict=True))})
        results = [y]
        total = (y * y).sum()
        for order in (1, 2):
            if not total.requires_grad:
                break
            grads = torch.autograd.grad(total, xs, create_graph=order == 1, allow_unused=True)
            results += [x * 0 if g is None else g for g, x in zip(grads, xs, strict=True)]
            total = sum((g * g).sum() for g in grads if g is not None)
    assert {r.device.type for r in results} == {where}
    return [np.array((r.detach() + 0).tolist()) for r in results]


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", DEVICES)
@pytest.mark.parametrize(("group", "expression"), expressions())
def test_operations_as_on_the_cpu(name: str, group: str, expression: str) -> None:
    arrays = WIDE if group == "wide" else SQUARE
    expected = derivatives(expression, arrays, "cpu")
    found = derivatives(expression, arrays, name)
    assert len(found) == len(expected)
    for f, e in zip(found, expected, strict=True):
        epsilon = precision(expression, epsilon_of("float64"))
        assert close_to_second_order(e, f, epsilon), f"expected {e}, found {f}"


@pytest.mark.parametrize("optimizer", ["SGD", "Adam"])
def test_training_as_on_the_cpu(device: Any, optimizer: str) -> None:
    def trained(where: str) -> list[Any]:
        torch.manual_seed(1)
        with torch.device(where):
            model = torch.nn.Sequential(
                torch.nn.Linear(3, 8), torch.nn.Tanh(), torch.nn.Linear(8, 2)
            )
            x, target = torch.randn(16, 3), torch.randn(16, 2)
        steps = getattr(torch.optim, optimizer)(model.parameters(), lr=0.05)
        for _ in range(5):
            steps.zero_grad()
            F.mse_loss(model(x), target).backward()
            steps.step()
        return [p.tolist() for p in model.parameters()]

    for found, expected in zip(trained(device.type), trained("cpu"), strict=True):
        assert close_to_second_order(expected, found, epsilon_of("float32"))


# -- nothing waits for the device ------------------------------------------------------------------

QUIET: dict[str, Callable[[Any], Any]] = {
    "pointwise": lambda w: (w.sin() * w.exp() / (w + 1) - w**2).sum(),
    "reductions": lambda w: w.mean(0).sum() + w.amax() + w.max(1)[0].sum() + w.std() + w.norm(),
    "softmax": lambda w: w.softmax(1).log().sum() + w.logsumexp(0).sum(),
    "choices": lambda w: torch.where(w > 0.5, w, w * 2).clamp(0.2, 0.7).sum(),
    "views": lambda w: w[1:3, ::2].sum() + w.t().reshape(-1)[3] + w.diagonal().sum(),
    "matrices": lambda w: (w @ w.t()).sum() + torch.einsum("ij,kj->ik", w, w).sum(),
    "in place": lambda w: (w * 1).mul_(2).add_(w).relu_().sum(),
    "joins": lambda w: torch.cat([w, w]).sum() + torch.stack([w, w], 1).sum(),
    "sorted": lambda w: w.sort(1)[0].sum() + w.cumsum(0).sum() + w.cummax(1)[0].sum(),
    "windows": lambda w: F.conv2d(w.reshape(1, 1, 4, 4), torch.ones(1, 1, 2, 2)).sum(),
    "pooling": lambda w: F.max_pool2d(w.reshape(1, 1, 4, 4), 2).sum(),
    "normalised": lambda w: F.layer_norm(w, (4,)).exp().sum(),
}


@pytest.mark.parametrize("name", QUIET)
def test_no_rule_reads_a_value(name: str) -> None:
    with torch.device("strict"):
        w = torch.rand(4, 4, requires_grad=True)
        with host_reads() as reads:
            QUIET[name](w).backward()
        assert reads == []
        assert w.grad.device.type == "strict"


def test_a_training_step_reads_no_value() -> None:
    with torch.device("strict"):
        model = torch.nn.Sequential(torch.nn.Linear(4, 8), torch.nn.ReLU(), torch.nn.Linear(8, 3))
        x, target = torch.rand(8, 4), torch.rand(8, 3)
    for optimizer in (torch.optim.SGD, torch.optim.Adam):
        steps = optimizer(model.parameters(), lr=0.1)
        with host_reads() as reads:
            steps.zero_grad()
            F.mse_loss(model(x), target).backward()
            torch.nn.utils.clip_grad_norm_(list(model.parameters()), 1.0)
            steps.step()
        assert reads == []


def test_reading_values_is_noted() -> None:
    with torch.device("strict"):
        x = torch.ones(2)
        with host_reads() as reads:
            x.tolist()
            bool(x.sum() > 1)
            x[x > 0]
    assert len(reads) >= 3


# -- where tensors live ----------------------------------------------------------------------------


def test_what_is_made_lives_on_the_default_device(device: Any) -> None:
    x = torch.ones(2, requires_grad=True)
    made = [
        x, torch.tensor(1.0), torch.rand(2), torch.randint(3, (2,)), torch.arange(3), torch.eye(2),
        torch.Tensor([1.0]), torch.full((2,), 3), torch.zeros_like(x), x.new_zeros(1),
        torch.nn.Linear(2, 2).weight, torch.linspace(0, 1, 3), torch.as_tensor([1.0]),
    ]  # fmt: skip
    assert {t.device for t in made} == {device}
    (x * 2).sum().backward()
    assert x.grad.device == device


def test_a_device_named_wins_over_the_default(device: Any) -> None:
    assert torch.ones(2, device="cpu").device == torch.device("cpu")
    with torch.device("cpu"):
        assert torch.ones(2).device == torch.device("cpu")
    assert torch.from_numpy(np.ones(2)).device == torch.device("cpu")


def test_the_default_device_can_be_set_for_good() -> None:
    torch.set_default_device("strict")
    try:
        assert torch.ones(1).device == torch.device("strict:0")
    finally:
        torch.set_default_device("cpu")
    assert torch.ones(1).device == torch.device("cpu")


def test_moving_is_differentiable_and_keeps_what_is_there(device: Any) -> None:
    x = torch.tensor([1.0, 2.0], device="cpu", requires_grad=True)
    y = x.to(device)
    assert y.device == device
    assert y.to(device) is y
    assert x.cpu() is x
    assert (x.get_device(), y.get_device()) == (-1, device.index)
    (y * y).sum().cpu().backward()
    assert x.grad.device == torch.device("cpu")
    assert x.grad.tolist() == [2.0, 4.0]


def test_a_number_from_the_cpu_goes_along(device: Any) -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    s = torch.tensor(3.0, device="cpu", requires_grad=True)
    (s * x + x * s).sum().backward()
    assert (s.grad.item(), s.grad.device) == (6.0, torch.device("cpu"))
    assert x.grad.tolist() == [6.0, 6.0]


MIXED: dict[str, Callable[[Any, Any], Any]] = {
    "plus": lambda x, y: x + y,
    "the other way round": lambda x, y: y * x,
    "matmul": lambda x, y: x @ y,
    "cat": lambda x, y: torch.cat([x, y]),
    "where": lambda x, y: torch.where(x > 0, x, y),
    "in place": lambda x, y: (x * 1).add_(y),
    "gather": lambda x, y: x.gather(0, y.long() * 0),
    "grad": lambda x, y: setattr(x, "grad", y),
}


@pytest.mark.parametrize("mix", MIXED)
def test_tensors_of_two_devices_are_refused(device: Any, mix: str) -> None:
    x = torch.ones(2, requires_grad=True)
    with pytest.raises(
        RuntimeError, match=r"same device, but found at least two devices, .* and |different device"
    ):
        MIXED[mix](x, torch.ones(2, device="cpu"))
    assert x.tolist() == [1.0, 1.0]


def test_copying_between_devices_is_allowed(device: Any) -> None:
    x, y = torch.zeros(2), torch.ones(2, device="cpu")
    x.copy_(y)
    y[0] = x[1] + 4
    assert (x.tolist(), y.tolist()) == ([1.0, 1.0], [5.0, 1.0])
    assert y.device == torch.device("cpu")


def test_numpy_is_refused_with_advice(device: Any) -> None:
    with pytest.raises(TypeError, match=r"with \.cpu\(\)"):
        torch.ones(2).numpy()
    assert torch.ones(2).cpu().numpy().tolist() == [1.0, 1.0]


def test_printing_names_the_device(device: Any) -> None:
    assert str(torch.tensor([1.0, 2.0])) == f"tensor([1., 2.], device='{device}')"


def test_copies_and_files_keep_the_device(device: Any) -> None:
    x = torch.arange(4.0)
    views = [x[1:], x[2:]]
    first, second = copy.deepcopy(views)
    first[1] = 9.0
    assert (second[0].item(), x[2].item()) == (9.0, 2.0)
    assert first.device == device
    file = io.BytesIO()
    torch.save({"x": x}, file)
    for location, expected in ((None, device), ("cpu", torch.device("cpu"))):
        file.seek(0)
        assert torch.load(file, map_location=location)["x"].device == expected


def test_modules_move_with_their_buffers_and_gradients(device: Any) -> None:
    with torch.device("cpu"):
        model = torch.nn.Sequential(torch.nn.Linear(2, 2), torch.nn.BatchNorm1d(2))
        model(torch.rand(4, 2)).sum().backward()
    held = list(model.parameters())
    assert model.to(device) is model
    assert all(p is q for p, q in zip(model.parameters(), held, strict=True))
    assert {t.device for t in model.state_dict().values()} == {device}
    assert held[0].grad.device == device
    model.cpu()
    assert {t.device.type for t in model.state_dict().values()} == {"cpu"}


def test_storage_is_as_on_the_cpu(device: Any) -> None:
    x = torch.arange(6.0).reshape(2, 3)
    y = x.t()[1:]
    assert (y.storage_offset(), y.stride()) == (1, (1, 3))
    assert x.as_strided((2, 2), (1, 1), 2).tolist() == [[2.0, 3.0], [3.0, 4.0]]
    assert x.as_strided((2,), (1,), 4)[1:].as_strided((6,), (1,), 0).tolist() == list(range(6))
    with pytest.raises(RuntimeError, match="out of bounds for storage of 6"):
        x.as_strided((7,), (1,), 0)
    with pytest.raises(IndexError):
        x[torch.tensor([2])]


def test_half_precisions(device: Any) -> None:
    for dtype in (torch.bfloat16, torch.float16):
        x = torch.tensor([1.0, 2.5], dtype=dtype, requires_grad=True)
        (x * x).sum().backward()
        assert (x.grad.dtype, x.grad.device) == (dtype, device)
        assert x.grad.tolist() == [2.0, 5.0]


# -- several devices -------------------------------------------------------------------------------


def test_a_graph_over_two_devices(two: tuple[str, str]) -> None:
    here, there = two

    def gradients(first: str, second: str) -> list[Any]:
        x = torch.tensor([1.0, 2.0], device=first, requires_grad=True)
        y = torch.tensor([3.0, 4.0], device=second, requires_grad=True)
        z = ((x * x).sin().to(second) * y).sum() * 2
        (z.to(first) * x.sum() + x.prod() * 3).sum().backward()
        assert (x.grad.device, y.grad.device) == (x.device, y.device)
        return [x.grad.tolist(), y.grad.tolist()]

    expected = gradients("cpu", "cpu")
    assert gradients(there, here) == expected
    assert gradients(there, there) == expected
    assert torch.ones(1, device=here.partition(":")[0]).device == torch.device(here)


def test_devices_of_one_kind_do_not_mix(two: tuple[str, str]) -> None:
    x, y = (torch.ones(2, device=name, requires_grad=True) for name in two)
    with pytest.raises(RuntimeError, match="strict:1 and strict:0"):
        x + y
    with pytest.raises(RuntimeError, match="strict:1 and strict:0"):
        x[y.detach().long()]
    assert (x.to(y.device) + y).device == y.device


def test_an_ordinal_that_is_not_there(two: tuple[str, str]) -> None:
    with pytest.raises(RuntimeError, match=r"invalid device ordinal.*there are 2"):
        torch.ones(1, device="strict:7")


# -- without a GPU ---------------------------------------------------------------------------------


def test_importing_the_package_imports_no_cupy() -> None:
    program = (
        "import sys, gradspec.reference_impl as t; t.ones(2).sum(); t.ones(2, device='strict');"
        "assert not [m for m in sys.modules if m.startswith('cupy') and 'gradspec' not in m]"
    )
    subprocess.run([sys.executable, "-c", program], check=True)


@pytest.mark.skipif(available("cuda"), reason="there is a GPU")
def test_cuda_that_is_missing_is_told() -> None:
    assert not torch.cuda.is_available()
    assert torch.cuda.device_count() == 0
    for attempt in (
        lambda: torch.ones(1).cuda(),
        lambda: torch.ones(1, device="cuda:0"),
        lambda: torch.nn.Linear(1, 1).cuda(),
        torch.cuda.current_device,
    ):
        with pytest.raises(RuntimeError, match=r"gradspec\[cuda\]|no GPU|no CUDA driver"):
            attempt()
    assert torch.ones(1).sum().item() == 1.0


@pytest.mark.parametrize("place", ["tensor", "before", "after"])
def test_a_hook_may_not_move_a_gradient_to_another_device(place: str) -> None:
    x = torch.ones(2, requires_grad=True)
    y = x * 2
    if place == "tensor":
        y.register_hook(lambda g: g.to("strict"))
    elif place == "before":
        y.grad_fn.register_prehook(lambda grads: (grads[0].to("strict"),))
    else:
        y.grad_fn.register_hook(lambda grads, _: (grads[0].to("strict"), grads[1]))
    with pytest.raises(RuntimeError, match="changed the type of value: from one on cpu to"):
        y.sum().backward()
    assert x.grad is None


def test_threads_that_already_run_see_that_a_second_device_is_in_use(two: tuple[str, str]) -> None:
    """Work in any thread is then sent to where its operands live."""
    with torch.no_grad():
        pass  # this thread has settled on its modes
    assert mode.fast
    thread = threading.Thread(target=lambda: torch.ones(2, device=two[1]))
    thread.start()
    thread.join()
    assert not mode.fast
