"""The libtorch harness: what it runs, what it declines, and how it is built."""

from __future__ import annotations

import importlib.util
import itertools
import json
import os
import shutil
import subprocess
import textwrap
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from gradspec.adapters import libtorch_engine as libtorch
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.libtorch_engine import LibtorchEngine, build_harness
from gradspec.conformance.judging.judge import judge
from gradspec.conformance.running.runner import kinds_as_data
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case, Spec
from gradspec.spec.reading.folder import ROOT
from jsonschema import Draft202012Validator, ValidationError
from referencing import Registry, Resource

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec("torch") is None or not (shutil.which("g++") or shutil.which("c++")),
    reason="needs torch and a C++ compiler",
)

# Programs that must run, and whose every expectation must hold.
RUNS = {
    "functions and closures": """
        def scaled(x, by=2.0, *rest, extra=1.0, **others):
            total = x * by * extra
            for r in rest:
                total = total + r
            return total + others.get("shift", 0.0)
        x = tensor([1.0, 2.0])
        assert scaled(x) == [2.0, 4.0]
        assert scaled(x, 3.0, 1.0, 1.0, extra=2.0, shift=0.5) == [8.5, 14.5]
        assert scaled(x, **{"by": 5.0}) == [5.0, 10.0]
        parts = [x, 4.0]
        assert scaled(*parts) == [4.0, 8.0]
        made = []
        for k in range(3):
            made.append(lambda y, k=k: y * k)
        assert made[2](x) == [2.0, 4.0]
        """,
    "plain values": """
        a, (b, c) = tensor(7).item(), tensor([2, -3]).tolist()
        assert a // b == 3
        assert c // b == -2
        assert c % b == 1
        assert a / b == 3.5
        assert b ** 3 == 8
        assert len([a, b, c]) == 3
        numbers = [a, b]
        numbers += [c]
        numbers[0] = 10
        assert numbers == [10, 2, -3]
        assert numbers[-1] == -3
        assert (a, b, c)[1:] == (2, -3)
        assert list(zip([a, b], [3, 4])) == [(7, 3), (2, 4)]
        assert (a if b > 1 else c) == 7
        x = tensor([4.0])
        table = {"k": x}
        assert table["k"] is x
        assert table.get("missing", 5) == 5
        assert (x in [1.0, x]) is True
        """,
    "numbers of every kind": """
        assert tensor([nan, inf, -inf, 0.1]) == [nan, inf, -inf, 0.1]
        assert tensor([1 + 2j]) == [1 + 2j]
        assert tensor([[True, False]]) == [[True, False]]
        assert tensor([2.5], dtype=float16).dtype is float16
        assert tensor([2.5], dtype=bfloat16) == [2.5]
        assert tensor(3).dtype is int64
        assert tensor([]).shape == (0,)
        assert ones(2, 3).sum().item() == 6.0
        """,
    "overloads": """
        x = tensor([[3.0, 1.0], [2.0, 4.0]])
        values, indices = x.max(1)
        assert values == [3.0, 4.0]
        assert x.max(dim=0).indices == [0, 1]
        assert x.reshape(4) == x.reshape([4])
        assert x.permute(1, 0) == x.T
        assert (2.0 - x) == [[-1.0, 1.0], [0.0, -2.0]]
        assert (12.0 / x) == [[4.0, 12.0], [6.0, 3.0]]
        assert (2 ** x) == [[8.0, 2.0], [4.0, 16.0]]
        assert einsum("ij,jk->ik", x, x) == x @ x
        assert x[0, 1:] == [1.0]
        assert x[:, None].shape == (2, 1, 2)
        assert x[tensor([1, 0])] == [[2.0, 4.0], [3.0, 1.0]]
        assert x[x > 2.5] == [3.0, 4.0]
        assert zeros(2, dtype=float64, requires_grad=True).requires_grad
        """,
    "derivatives": """
        x = tensor([2.0, 3.0], requires_grad=True)
        (g,) = autograd.grad((x ** 3).sum(), x, create_graph=True)
        assert g == [12.0, 27.0]
        g.sum().backward()
        assert x.grad == [12.0, 18.0]
        assert vjp(lambda a, b: a * b, (tensor(2.0), tensor(5.0)), tensor(3.0)) == (15.0, 6.0)
        assert jvp(lambda a: a ** 2, (tensor(4.0),), (tensor(0.5),)) == 4.0
        """,
    "custom functions": """
        class Cube(autograd.Function):
            @staticmethod
            def forward(ctx, x, factor):
                ctx.save_for_backward(x)
                ctx.note = factor
                return factor * x ** 3
            @staticmethod
            def backward(ctx, g):
                trace("needed", ctx.needs_input_grad)
                (x,) = ctx.saved_tensors
                return ctx.note * 3 * x ** 2 * g, None
        x = tensor([2.0], requires_grad=True)
        y = Cube.apply(x, 5.0)
        assert y == [40.0]
        (g,) = autograd.grad(y, x, create_graph=True)
        assert g == [60.0]
        assert autograd.grad(g, x) == ([60.0],)
        assert traced() == [("needed", (True, False))]
        """,
    "a custom function with too few gradients": """
        class Product(autograd.Function):
            @staticmethod
            def forward(ctx, x, y):
                return x * y
            @staticmethod
            def backward(ctx, g):
                return g
        x = tensor([2.0], requires_grad=True)
        y = Product.apply(x, x)
        with raises("custom-function"):
            y.backward()
        """,
    "hooks": """
        x = tensor([1.0], requires_grad=True)
        y = x * 3
        handle = y.register_hook(lambda g: trace("y", g))
        y.register_hook(lambda g: g * 10)
        x.register_post_accumulate_grad_hook(lambda leaf: trace("after", leaf.grad))
        node = y.grad_fn.register_hook(lambda given, wanted: trace("node"))
        y.backward(retain_graph=True)
        assert x.grad == [30.0]
        assert traced() == [("y", [1.0]), "node", ("after", [30.0])]
        handle.remove()
        node.remove()
        y.backward()
        assert traced() == [("y", [1.0]), "node", ("after", [30.0]), ("after", [60.0])]
        """,
    "an error of the program passes through a hook": """
        x = tensor([1.0], requires_grad=True)
        x.register_hook(lambda g: stop("enough"))
        with raises("user"):
            (x * 2).backward()
        assert x.grad is None
        """,
    "modes": """
        x = tensor([1.0], requires_grad=True)
        with no_grad():
            with enable_grad():
                assert (x * 2).requires_grad
            with raises("user"):
                with set_grad_enabled(True):
                    stop("out")
            assert not is_grad_enabled()
        with inference_mode():
            y = x * 2
        assert y.is_inference()
        with raises("inference-tensor"):
            x * y
        set_grad_enabled(False)
        assert not (x * 2).requires_grad
        """,
    "state ends with the program": """
        assert is_grad_enabled()
        assert get_default_dtype() is float32
        set_default_dtype(float64)
        assert tensor([1.0]).dtype is float64
        """,
    "threads": """
        x = tensor([1.0], requires_grad=True)
        with no_grad():
            with thread():
                assert is_grad_enabled()
                (x * 2).backward()
        assert x.grad == [2.0]
        with raises("user"):
            with thread():
                stop("from there")
        """,
    "memory": """
        x = tensor([1.0], requires_grad=True)
        y = x * 2
        w = weak(y)
        z = y * y
        assert alive(w)
        del y
        assert alive(w)
        z.backward()
        del z
        assert not alive(w)
        """,
    "warnings": """
        x = tensor([1.0], requires_grad=True)
        y = x * 2
        with warns("non-leaf-grad"):
            y.grad
        with warns("non-leaf-grad"):
            y.grad
        with quiet():
            x.grad
        """,
    "modules and optimizers": """
        m = nn.Sequential(nn.Linear(2, 1), nn.ReLU())
        with no_grad():
            m[0].weight.fill_(2.0)
            m[0].bias.fill_(1.0)
        optimizer = optim.SGD(list(m.parameters()), lr=0.5)
        loss = nn.functional.mse_loss(m(tensor([[1.0, 2.0]])), tensor([[3.0]]))
        assert loss == 16.0
        loss.backward()
        optimizer.step()
        assert m[0].weight == [[-2.0, -6.0]]
        optimizer.zero_grad()
        assert m[0].weight.grad is None
        assert nn.Linear(2, 1, bias=False).bias is None
        m.eval()
        assert m[1].training is False
        """,
    "the graph": """
        x = tensor([1.0], requires_grad=True)
        y = x * 2
        assert is_node(y.grad_fn) is True
        node = y.grad_fn
        assert y.grad_fn is node
        assert y.grad_fn.name() == "MulBackward0"
        assert y.grad_fn.next_functions[0][0].variable is x
        assert y.grad_fn.next_functions[1] == (None, 0)
        y.mul_(3.0)
        assert y._version == 1
        """,
    "nodes that are called, and what was traced so far": """
        x = tensor([2.0], requires_grad=True)
        node = (x * 7.0).grad_fn
        assert node(tensor([3.0]))[0] == [21.0]
        first, second = tensor([2.0, 5.0], requires_grad=True).unbind()
        of_both = first.grad_fn
        assert of_both(tensor(3.0), tensor(7.0)) == [3.0, 7.0]
        trace("once", 1)
        assert len(traced()) == 1
        assert traced() == [("once", 1)]
        """,
    "zeros for what depends on nothing, beside NaN": """
        x = tensor([nan, 2.0])
        assert jvp(lambda y: tensor([1.0, nan]), (x,), (x,)) == [0.0, 0.0]
        assert vjp(lambda y: tensor([1.0, nan]), (x,), x)[0] == [0.0, 0.0]
        """,
    "the specification's kinds of errors": """
        with raises("singular-matrix"):
            linalg.inv(zeros((2, 2)))
        with raises("wrong-dtype"):
            tensor([1.0, 2.0]).masked_fill(tensor([1, 0]), 1.5)
        with raises("wrong-index"):
            (1, 2)[2]
        with raises("wrong-value"):
            tensor([2.0, [3.0]])
        with raises("wrong-value"):
            tensor([[2.0], 3.0])
        assert tensor([1.0, 2.0])[[]].shape == (0,)
        """,
    "windows are centred by default": """
        assert stft(ones(8), 4, window=ones(4), return_complex=True).shape == (3, 9)
        """,
}

# Programs that C++ has no words for, and what the harness says is lacking.
DECLINES = {
    "a word that libtorch lacks": ("assert deepcopy(tensor([1.0])) == [1.0]", "deepcopy"),
    "a keyword that the C++ function lacks": (
        """
        x = tensor([1.0], requires_grad=True)
        assert autograd.grad(x * 2, x, materialize_grads=True) == ([2.0],)
        """,
        "materialize_grads",
    ),
    "an argument that would not compile": ("assert tensor([1.0]).sum('text') == 1.0", "str"),
    "a jvp within a jvp": (
        """
        x = tensor([1.0])
        once = lambda y: jvp(lambda z: z * z, (y,), (x,))
        assert jvp(once, (x,), (x,)) == [2.0]
        """,
        "jvp within a jvp",
    ),
    "a derivative that libtorch lacks": (
        """
        x = tensor([0.5], requires_grad=True)
        y = x * 1.0
        y.asinh_()
        y.backward()
        assert x.grad == [1.0]
        """,
        "derivative",
    ),
    "a list indexed by a tensor of floats": ("assert [5, 7][tensor(1.0)] == 7", "tensor of floats"),
    "len of a tensor without dimensions": ("assert len(tensor(1.0)) == 1", "without dimensions"),
    "a decorator": (
        """
        @no_grad()
        def f(x):
            return x
        assert f(tensor([1.0])) == [1.0]
        """,
        "decorator",
    ),
    "a generator": (
        """
        def f():
            yield 1
        assert list(f()) == [1]
        """,
        "generators",
    ),
}


@pytest.fixture(scope="module")
def engine() -> Iterator[LibtorchEngine]:
    opened = LibtorchEngine(kinds=kinds_as_data(load_spec()))
    yield opened
    opened.close()


Read = Callable[[str], tuple[Spec, Case]]


@pytest.fixture
def load(tmp_path: Path) -> Read:
    """Reads a program as the only case of a specification of its own."""
    numbers = itertools.count()

    def read(text: str) -> tuple[Spec, Case]:
        root = tmp_path / str(next(numbers))
        (root / "behaviors").mkdir(parents=True)
        for path in ROOT.glob("*.yaml"):
            shutil.copy(path, root)
        body = textwrap.indent(textwrap.dedent(text).strip(), " " * 10)
        (root / "behaviors" / "tried.yaml").write_text(
            "title: Tried\nintroduction: Programs for a test.\nbehaviors:\n  - id: tried.it\n"
            "    statement: It MUST run.\n    level: observed\n    sources: [autograd-notes]\n"
            f"    cases:\n      it: |\n{body}\n"
        )
        spec = load_spec(root)
        return spec, spec.cases[0]

    return read


@pytest.mark.parametrize("name", RUNS)
def test_runs(engine: LibtorchEngine, load: Read, name: str) -> None:
    spec, case = load(RUNS[name])
    assert engine.identity.features is not None
    assert case.program.features <= engine.identity.features
    observations = engine.run(case.program)
    verdict = judge(case, observations, spec.kinds)
    assert (verdict.verdict, verdict.message) == ("pass", "")
    assert observations.observed


@pytest.mark.parametrize("name", DECLINES)
def test_declines(engine: LibtorchEngine, load: Read, name: str) -> None:
    text, lacking = DECLINES[name]
    _, case = load(text)
    observations = engine.run(case.program)
    assert observations.end.how == "unsupported"
    assert lacking in observations.end.message


def test_an_error_tells_its_line(engine: LibtorchEngine, load: Read) -> None:
    _, case = load("def f(x):\n    return x.sum(7)\nx = tensor([1.0])\nassert f(x) == 1.0")
    end = engine.run(case.program).end
    assert (end.how, end.kind, end.type) == ("error", "wrong-index", "IndexError")
    assert end.line == 11  # the one of `return`


def test_programs_leave_nothing_behind(engine: LibtorchEngine, load: Read) -> None:
    """A program that fails in the middle of contexts does not change what the next one sees."""
    _, case = load("set_default_dtype(float64)\nwith no_grad():\n    assert stop('here') == 1")
    assert engine.run(case.program).end.kind == "user"
    test_runs(engine, load, "state ends with the program")


def answers(*questions: Any) -> tuple[list[dict[str, Any]], subprocess.CompletedProcess[str]]:
    """What a fresh harness answers to some lines."""
    lines = [line if isinstance(line, str) else json.dumps(line) for line in questions]
    text = "".join(line + "\n" for line in lines)
    done = subprocess.run(
        [build_harness()], input=text, capture_output=True, text=True, timeout=60, check=False
    )
    return [json.loads(line) for line in done.stdout.splitlines()], done


def test_messages_fit_their_schema(load: Read) -> None:
    texts = {
        name: json.loads((ROOT / "schema" / name).read_text("utf-8"))
        for name in ("program.json", "protocol.json")
    }
    registry: Registry[Any] = Registry().with_resources(
        (name, Resource.from_contents(text)) for name, text in texts.items()
    )
    validator = Draft202012Validator(texts["protocol.json"], registry=registry)
    _, case = load(
        """
        x = tensor([1.0, nan], requires_grad=True)
        assert x.grad is None
        assert (x, x.dtype, {"k": [1j]}) == (1, float32, {})
        with raises("no-graph"):
            x.detach().sum().backward()
        with quiet():
            (x * 2).grad
        assert x == x * 2
        assert is_node(x.sum().grad_fn) is (x.sum().grad_fn is None)
        tensor([1.0]).sum(5)
        """
    )
    questions: list[dict[str, Any]] = [
        {"ask": "hello", "gradspec": 1, "device": "cpu"},
        {"ask": "run", "number": 1, "seconds": 5.0, "program": case.program.json},
        {"ask": "bye"},
    ]
    found, done = answers(*questions)
    assert done.returncode == 0
    assert [answer["answer"] for answer in found] == ["hello", "run"]
    assert len(found[1]["observed"]) == 6
    for message in (*questions, *found):
        validator.validate(message)
    with pytest.raises(ValidationError):
        validator.validate(
            {
                "answer": "run",
                "number": 1,
                "observed": [[0, {"tensor": 3}]],
                "end": {"how": "finished"},
            }
        )


def test_hello_names_the_device_that_it_lacks() -> None:
    found, _ = answers({"ask": "hello", "gradspec": 1, "device": "cuda"})
    assert "cuda" in found[0]["unavailable"]


@pytest.mark.parametrize("line", ["{", "[" * 5000, '{"ask": "run"}', "3", '{"ask": "\\ud800"}'])
def test_junk_ends_the_harness_with_a_message(line: str) -> None:
    found, done = answers(line)
    assert found == []
    assert done.returncode == 1
    assert "gradspec libtorch harness:" in done.stderr


def test_end_of_input_is_a_bye() -> None:
    _, done = answers()
    assert done.returncode == 0


def test_is_built_once(monkeypatch: pytest.MonkeyPatch) -> None:
    built = build_harness()
    monkeypatch.setattr(libtorch, "_compile", lambda *_: pytest.fail("was built again"))
    assert build_harness() == built


def test_old_builds_are_forgotten(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("GRADSPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(libtorch, "_compile", lambda *given: given[-1].touch())
    for number in range(libtorch.KEPT + 2):
        monkeypatch.setattr(libtorch, "compilation_unit", lambda number=number: str(number))
        newest = build_harness()
        os.utime(newest, (number, number))
    assert len(list(tmp_path.iterdir())) == libtorch.KEPT
    assert newest.exists()


def test_without_a_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CXX", raising=False)
    monkeypatch.setattr(shutil, "which", lambda _: None)
    with pytest.raises(EngineUnavailable, match="install g\\+\\+"):
        build_harness()


def test_with_a_compiler_that_cannot_be_run(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "no-such-compiler")
    with pytest.raises(EngineUnavailable, match="no-such-compiler"):
        build_harness()


def test_without_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(EngineUnavailable, match="pip install torch"):
        build_harness()


def test_a_failing_build_shows_the_compiler_s_lines(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("GRADSPEC_CACHE", str(tmp_path))
    monkeypatch.setattr(libtorch, "compilation_unit", lambda: "this is no C++")
    with pytest.raises(EngineUnavailable, match=r"error: .*this"):
        build_harness()
    assert list(tmp_path.iterdir()) == []


def test_a_cache_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("GRADSPEC_CACHE", str(tmp_path / "file" / "cache"))
    with pytest.raises(EngineUnavailable, match="GRADSPEC_CACHE"):
        build_harness()


def test_recursion_without_end_costs_one_case(engine: LibtorchEngine, load: Read) -> None:
    _, case = load("def f(x):\n    return f(x)\nassert f(tensor([1.0])) == 1.0")
    end = engine.run(case.program).end
    assert (end.how, end.kind, end.type) == ("error", "broken", "RecursionError")
    test_runs(engine, load, "memory")
