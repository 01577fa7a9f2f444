"""Imports go one way: between our four packages, and within each of them. Those inside functions count."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MAY_IMPORT = {
    "spec": set(),
    "reference_impl": set(),
    "adapters": {"spec", "reference_impl"},
    "conformance": {"spec", "adapters"},
}
ORDER = {
    "spec": "problems values program model reading catalogue load checking",
    "adapters": "framework autograd_engine baseline_engines chainer_engine coeus_engine "
    "ferrotensor_engine jax_engine mlx_engine micrograd_engine mygrad_engine paddle_engine reference_engine "
    "tensorflow_engine tinygrad_engine torch_engine libtorch_engine",
    "reference_impl": "errors mode naming backend graph tensor engine serialization ops special linalg fft "
    "random cuda autograd func nn optim utils",
    "conformance": "text files judging running reporting checking fuzzing campaign "
    "pytest_plugin commands cli test_behaviors",
}
"""The packages and modules of each, every one of which imports only from those before it."""


def imported(path: Path) -> Iterator[tuple[int, list[str]]]:
    """The line of each import of ours in a file, and the name of the module, from our package on."""
    package = path.relative_to(ROOT).parent.parts
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                first, *rest = alias.name.split(".")
                if first == "gradspec":
                    yield node.lineno, rest
        elif isinstance(node, ast.ImportFrom) and node.level:
            base = list(package[: len(package) - node.level + 1])
            for alias in node.names:
                yield node.lineno, [*base, *(node.module or alias.name).split(".")]
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith("gradspec."):
            for alias in node.names:
                yield node.lineno, [*str(node.module).split(".")[1:], alias.name]


@pytest.mark.parametrize("top", MAY_IMPORT)
def test_imports_follow_the_flow(top: str) -> None:
    """spec -> program -> engine -> observations -> verdict -> report; the reference stands alone."""
    for path in sorted((ROOT / top).rglob("*.py")):
        for line, module in imported(path):
            allowed = module[0] in MAY_IMPORT[top] | {top}
            assert allowed, f"{path.relative_to(ROOT)}:{line} imports {module[0]}"


@pytest.mark.parametrize("top", ORDER)
def test_packages_import_from_those_before_them(top: str) -> None:
    order = ORDER[top].split()
    for path in sorted((ROOT / top).rglob("*.py")):
        own = path.relative_to(ROOT / top).parts[0].removesuffix(".py")
        if own == "__init__":
            continue
        for line, module in imported(path):
            if module[0] == top and len(module) > 1 and module[1] != own:
                earlier = module[1] in order[: order.index(own)]
                assert earlier, f"{path.relative_to(ROOT)}:{line}: {own} comes before {module[1]}"


@pytest.mark.parametrize("top", ORDER)
def test_the_order_names_what_is_there(top: str) -> None:
    entries = (ROOT / top).iterdir()
    there = {path.name for path in entries if (path / "__init__.py").exists()}
    there |= {path.stem for path in (ROOT / top).glob("*.py") if path.stem != "__init__"}
    assert there == set(ORDER[top].split())
