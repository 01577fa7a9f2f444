"""What the engine promises by itself, without PyTorch beside it."""

from __future__ import annotations

import ast
import gc
import sys
import threading
import weakref
from pathlib import Path

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


def test_a_refused_call_changes_nothing() -> None:
    x = torch.tensor([1.0, 2.0], requires_grad=True)
    with pytest.raises(RuntimeError, match="leaf"):
        x.add_(1)
    assert x.tolist() == [1.0, 2.0]
    assert x._version == 0


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
