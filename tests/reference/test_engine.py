"""What the engine promises by itself, without PyTorch beside it."""

from __future__ import annotations

import ast
import copy
import gc
import io
import pickle
import sys
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import gradspec.reference_impl as torch
import pytest

ROOMS = [
    "errors", "device", "dtypes", "mode", "node", "backend", "state", "tensor", "views", "rules",
    "forward", "tangents", "op", "ops", "engine", "saved_hooks", "multi_hooks", "autograd",
    "printing", "methods", "nn", "optim",
]  # fmt: skip
FOLDER = Path(torch.__file__).parent


def test_long_chain_is_differentiated_and_released_without_recursion() -> None:
    x = torch.ones(1, requires_grad=True)
    y = x
    for _ in range(100_000):
        y = y + 1.0
    y.backward()
    assert x.grad.tolist() == [1.0]
    del y
    z = x
    for _ in range(100_000):
        z = z * 1.0
    del z


def test_programs_leave_no_garbage() -> None:
    def program() -> None:
        x = torch.ones(3, requires_grad=True)
        y = (x * x).sin()
        y[0].mul_(2)
        y.sum().backward()

    program()
    gc.collect()
    gc.disable()
    try:
        for _ in range(20):
            program()
        assert gc.collect() == 0
    finally:
        gc.enable()


def test_saved_tensors_are_released_by_backward() -> None:
    x = torch.ones(3, requires_grad=True)
    y = x.exp()
    held = weakref.ref(y._data)
    z = y.sum()
    del y
    assert held() is not None
    z.backward()
    assert held() is None


def test_threads_have_modes_of_their_own() -> None:
    seen = []
    with torch.no_grad():
        thread = threading.Thread(target=lambda: seen.append(torch.is_grad_enabled()))
        thread.start()
        thread.join()
    assert seen == [True]


def test_anomaly_detection_reaches_threads_that_already_run() -> None:
    """They note where operations are called, and stop to do so when it is switched off."""
    turn, done = threading.Semaphore(0), threading.Semaphore(0)
    noted = []

    def work() -> None:
        x = torch.ones(1, requires_grad=True)
        with torch.no_grad():
            x * 2  # this thread has settled on its modes
        for _ in range(3):
            done.release()
            turn.acquire()
            noted.append("traceback_" in (x * 2).grad_fn.metadata)
        done.release()

    thread = threading.Thread(target=work)
    thread.start()
    done.acquire()
    for switched_on in (True, False, True):
        with torch.autograd.set_detect_anomaly(switched_on):
            turn.release()
            done.acquire()
    thread.join()
    assert noted == [True, False, True]


def test_a_failed_pass_is_no_longer_the_one_that_runs() -> None:
    from gradspec.reference_impl.mode import mode

    x = torch.ones(1, requires_grad=True)
    x.register_hook(lambda g: 1 / 0)
    y = x * 2
    with pytest.raises(ZeroDivisionError):
        y.backward(retain_graph=True)
    assert mode.backward_pass is None
    with pytest.raises(ZeroDivisionError):
        torch.autograd.grad(y, x)
    assert mode.backward_pass is None


class Marked(torch.Tensor):
    """A subclass as users write them."""


class Weight(torch.nn.Parameter):
    """A parameter of the user's, which comes back from a file as a plain one, as in PyTorch."""


def from_file(value: Any) -> Any:
    """A value after it was written by ``save`` and read again."""
    buffer = io.BytesIO()
    torch.save(value, buffer)
    buffer.seek(0)
    return torch.load(buffer, weights_only=False)


@pytest.mark.parametrize(
    "again", [lambda x: pickle.loads(pickle.dumps(x)), copy.copy, copy.deepcopy, from_file]
)
def test_a_subclass_keeps_its_class_and_attributes(again: Callable[[Any], Any]) -> None:
    x = Marked([1.0, 2.0]).requires_grad_()
    x.note = "mine"
    found = again(x)
    assert type(found) is Marked
    assert found.note == "mine"
    assert found.requires_grad
    assert found.tolist() == [1.0, 2.0]
    assert type(again(torch.ones(1))) is torch.Tensor
    assert type(again(torch.nn.Parameter(torch.ones(1)))) is torch.nn.Parameter


def test_a_file_names_the_class_of_a_subclass_only_where_that_is_allowed() -> None:
    buffer = io.BytesIO()
    torch.save(Marked([1.0]), buffer)
    buffer.seek(0)
    with pytest.raises(pickle.UnpicklingError, match="Marked"):
        torch.load(buffer)
    assert type(pickle.loads(pickle.dumps(Weight(torch.ones(1))))) is torch.nn.Parameter


def test_a_refused_call_changes_nothing() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        x.add_(1)
    assert x.tolist() == [1.0, 2.0]
    assert x._version == 0


class Triple(torch.autograd.Function):
    """Three times its input, with a vmap rule."""

    @staticmethod
    def forward(x: Any) -> Any:
        return x * 3.0

    @staticmethod
    def setup_context(ctx: Any, inputs: Any, output: Any) -> None: ...

    @staticmethod
    def vmap(info: Any, in_dims: Any, x: Any) -> Any:
        return x * 3.0, in_dims[0]


@pytest.mark.parametrize("calls", [(1, 0, 1), (0, 1, 1), (1, 2, 1), (2, 1, 2)])
def test_entries_of_a_vmap_that_call_a_rule_in_different_ways_end_in_an_error(
    calls: tuple[int, ...],
) -> None:
    left = list(calls)

    def f(x: Any) -> Any:
        for _ in range(left.pop(0)):
            x = Triple.apply(x)
        return x

    before = threading.active_count()
    with pytest.raises(RuntimeError, match="the same custom functions for every entry"):
        torch.vmap(f)(torch.ones(3))
    assert threading.active_count() == before


def test_an_error_in_one_entry_of_a_vmap_reaches_the_caller() -> None:
    entries = iter(range(3))

    def f(x: Any) -> Any:
        if next(entries) == 1:
            raise KeyError("the second")
        return Triple.apply(x)

    before = threading.active_count()
    with pytest.raises(KeyError, match="the second"):
        torch.vmap(f)(torch.ones(3))
    assert threading.active_count() == before


def test_entries_draw_the_same_numbers_on_both_sides_of_a_rule() -> None:
    def f(x: Any) -> Any:
        first = torch.rand(2)
        return torch.stack([first, Triple.apply(x) * 0.0 + torch.rand(2)])

    found = torch.vmap(f, randomness="same")(torch.ones(3))
    assert (found[0] == found).all()
    assert not (found[0, 0] == found[0, 1]).any()


def test_the_package_imports_numpy_and_itself_alone() -> None:
    allowed = set(sys.stdlib_module_names) | {"numpy", "cupy", "cupyx"}
    for path in FOLDER.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            names = []
            if isinstance(node, ast.Import):
                names = [a.name for a in node.names]
            elif isinstance(node, ast.ImportFrom) and not node.level:
                names = [node.module or ""]
            for name in names:
                assert name.split(".")[0] in allowed, f"{path.name} imports {name}"


def test_rooms_import_only_from_rooms_before_them() -> None:
    order = {room: k for k, room in enumerate(ROOMS)}
    for room, k in order.items():
        path = FOLDER / f"{room}.py"
        if not path.exists():
            continue
        for node in ast.parse(
            path.read_text()
        ).body:  # imports inside functions are late, and allowed
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                modules = (
                    [node.module.split(".")[0]] if node.module else [a.name for a in node.names]
                )
                for module in modules:
                    assert order.get(module, -1) < k, f"{room} imports {module}"
