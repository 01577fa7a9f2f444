"""Runs a program on the reference engine and notes the graph that it records.

Each expression of the program that may make a tensor is wrapped in a call of `NOTE`, which looks at
the graph behind the tensor and asks its nodes, by hooks, which gradients flow through them.
"""

from __future__ import annotations

import ast
import copy
import warnings
from collections.abc import Iterable, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

from gradspec.adapters.framework.containment import set_aside
from gradspec.adapters.framework.python_engine import Needs
from gradspec.adapters.reference_engine import ReferenceEngine
from gradspec.spec.model import Case
from gradspec.spec.program.python_form import compile_program

from .graph import MOST_BOXES, Box, Edge, Graph

NOTE = "_note"
SECONDS = 2.0
"""How long a program may run; one that takes longer is not drawn."""
LONGEST_TITLE = 30
LONGEST_VALUE = 22
MOST_NUMBERS = 4
PASSES = 2
"""How many gradients of one edge are shown, one for each backward pass."""


class Recording:
    """What was seen of the graph while a program ran."""

    def __init__(self, reads_saved: bool) -> None:
        self.reads_saved = reads_saved
        self.nodes: list[Any] = []  # kept alive, so that ids stay theirs
        self.tensors: list[Any] = []
        self.boxes: dict[int, Box] = {}
        self.leaves: dict[int, Any] = {}
        self.names: dict[int, str] = {}  # the last name of each tensor
        self.edges: dict[tuple[int, int], tuple[int, list[str]]] = {}
        """For each node and number of an input: the node that it leads to, and what flowed."""
        self.full = False

    def note(self, value: Any, title: str, name: str = "") -> Any:
        """Look at the graph behind a value of the program; return the value."""
        if not self.full:
            with suppress(Exception):  # a drawing is never worth a failure
                self._look(value, title, name)
        return value

    def _look(self, value: Any, title: str, name: str) -> None:
        if isinstance(value, tuple | list) and len(value) <= MOST_BOXES:
            for index, item in enumerate(value):
                self._look(item, title, f"{name}[{index}]" if name else "")
        elif hasattr(value, "named_parameters") and name:
            for own, parameter in value.named_parameters():
                self._look_at_tensor(parameter, f"{name}.{own}", f"{name}.{own}")
        elif hasattr(value, "grad_fn"):
            self._look_at_tensor(value, title, name)

    def _look_at_tensor(self, tensor: Any, title: str, name: str) -> None:
        if name:  # also of what requires no grad yet
            self.names[id(tensor)] = name
        if name or tensor.requires_grad:
            self.tensors.append(tensor)
        if not tensor.requires_grad:
            return
        node = tensor.grad_fn
        if node is None:
            if name and (box := self._leaf_box(tensor)):
                box.title = name
                box.names.append(name)
            return
        self._look_at_node(node)
        box = self.boxes.get(id(node))
        if box is None:
            return
        if box.title == box.node:
            box.title = title
        if name and name not in box.names:
            box.names.append(name)

    def _look_at_node(self, node: Any) -> None:
        pending = [node]
        while pending:
            node = pending.pop()
            if id(node) in self.boxes:
                continue
            if len(self.boxes) > MOST_BOXES:
                self.full = True
                return
            self.nodes.append(node)
            if (leaf := getattr(node, "variable", None)) is not None:
                self._leaf_box(leaf, id(node))
                continue
            shown = node.name().rpartition("::")[2]
            box = self.boxes[id(node)] = Box(title=shown, node=shown, saved=self._saved(node))
            followers = [(index, other) for index, (other, _) in enumerate(node.next_functions)]
            for index, other in reversed(followers):
                if other is not None:
                    self.edges[id(node), index] = (id(other), [])
                    pending.append(other)
            node.register_hook(self._watcher(node, box))

    def _watcher(self, node: Any, box: Box) -> Any:
        key = id(node)

        def watch(inputs: Iterable[Any], outputs: Iterable[Any]) -> None:
            for index, gradient in enumerate(inputs):
                if gradient is not None and (key, index) in self.edges:
                    self.edges[key, index][1].append(shown_value(gradient))
            box.arriving.append(", ".join(shown_value(g) for g in outputs if g is not None))

        return watch

    def _leaf_box(self, leaf: Any, node: int = 0) -> Box | None:
        known = self.leaves.get(id(leaf))
        if known is None:
            name = self.names.get(id(leaf), "")
            box = Box(title=name or "input", value=shown_value(leaf), names=[name] if name else [])
            known = self.leaves[id(leaf)] = (leaf, box)
        box = known[1]
        if node:
            self.boxes[node] = box
        return box

    def _saved(self, node: Any) -> list[str]:
        """What a node saves, by the name of the variable where it is one, else by its role."""
        found = []
        for role in getattr(type(node), "saved_names", ()):
            if role in ("self", "other", "result") or not self.reads_saved:
                found.append(self._name_of(node, role) or role)
        return list(dict.fromkeys(found))

    def _name_of(self, node: Any, role: str) -> str:
        if not self.reads_saved:
            return ""
        with suppress(Exception):
            saved = getattr(node, f"_saved_{role}")
            if role == "result":
                return "result"
            if isinstance(saved, int | float):
                return shown_numbers(saved)
            for tensor in reversed(self.tensors):
                same = tensor is saved or (
                    tensor.shape == saved.shape and tensor.data_ptr() == saved.data_ptr()
                )
                if same and id(tensor) in self.names:
                    return self.names[id(tensor)]
            return shown_value(saved) if saved.numel() <= MOST_NUMBERS else ""
        return ""

    def graph(self) -> Graph | None:
        """The graph that was recorded; None if there is none, or it is too large to be read."""
        if self.full or not any(not box.leaf for box in self.boxes.values()):
            return None
        for leaf, box in self.leaves.values():
            with suppress(Exception), warnings.catch_warnings():
                warnings.simplefilter("ignore")  # it may no longer be a leaf
                box.grad = shown_value(leaf.grad) if leaf.grad is not None else ""
        self._read_retained()
        boxes: list[Box] = []
        places: dict[int, int] = {}
        for key, box in self.boxes.items():
            place = next((i for i, other in enumerate(boxes) if other is box), len(boxes))
            if place == len(boxes):
                boxes.append(box)
            places[key] = place
        edges = self._joined(places)
        for edge in edges:
            boxes[edge.target].arriving = []
        return Graph(boxes, edges) if len(boxes) <= MOST_BOXES else None

    def _joined(self, places: Mapping[int, int]) -> list[Edge]:
        """The edges between boxes. Those between the same two are one, along which a sum flows."""
        between: dict[tuple[int, int], list[list[str]]] = {}
        for (source, _), (target, gradients) in self.edges.items():
            between.setdefault((places[source], places[target]), []).append(gradients[:PASSES])
        return [
            Edge(source, target, [" + ".join(terms) for terms in zip(*flowed, strict=False)])
            for (source, target), flowed in between.items()
        ]

    def _read_retained(self) -> None:
        for tensor in self.tensors:
            with suppress(Exception):
                if not tensor.is_leaf and tensor.retains_grad and tensor.grad is not None:
                    self.boxes[id(tensor.grad_fn)].grad = shown_value(tensor.grad)


def shown_value(tensor: Any) -> str:
    """A tensor's numbers if they are few, else its shape."""
    with suppress(Exception):
        plain = tensor.detach()
        if plain.numel() <= MOST_NUMBERS:
            text = shown_numbers(plain.tolist())
            if len(text) <= LONGEST_VALUE:
                return text
        return f"shape {tuple(plain.shape)}"
    return ""


def shown_numbers(value: Any) -> str:
    """Nested lists of numbers, each with at most three digits behind the point."""
    if isinstance(value, list):
        return f"[{', '.join(map(shown_numbers, value))}]"
    if isinstance(value, float):
        return f"{value:.4g}" if value != int_or_self(value) else f"{value:.1f}"
    return str(value)


def int_or_self(value: float) -> float:
    """A float rounded to a whole number where that is possible and short."""
    return float(int(value)) if abs(value) < 1e6 and value == value else value + 1


class _Wrapper(ast.NodeTransformer):
    """Wraps what may make a tensor in a call of `NOTE`."""

    def _wrapped(self, node: ast.expr, name: str = "") -> ast.expr:
        title = titled(node)
        inner = self.generic_visit(node)
        arguments = [inner, ast.Constant(title), *([ast.Constant(name)] if name else [])]
        made = ast.Call(ast.Name(NOTE, ast.Load()), arguments, [])  # type: ignore[arg-type]
        return ast.copy_location(made, node)

    def visit_Call(self, node: ast.Call) -> ast.expr:
        return self._wrapped(node)

    def visit_BinOp(self, node: ast.BinOp) -> ast.expr:
        return self._wrapped(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.expr:
        return self._wrapped(node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        return self._wrapped(node) if isinstance(node.ctx, ast.Load) else node

    def visit_Assign(self, node: ast.Assign) -> ast.stmt:
        target = node.targets[0]
        if isinstance(target, ast.Name) and not isinstance(node.value, ast.Lambda):
            node.value = self._wrapped(node.value, target.id)
            return node
        self.generic_visit(node)
        if isinstance(target, ast.Tuple):  # once more, each by its name
            names = [item for item in target.elts if isinstance(item, ast.Name)]
            return [node, *(self._noted(name.id, node) for name in names)]  # type: ignore[return-value]
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> Any:
        title = ast.unparse(node)
        self.generic_visit(node)
        if isinstance(node.target, ast.Name):
            return [node, self._noted(node.target.id, node, title)]
        return node

    def visit_With(self, node: ast.With) -> ast.stmt:
        node.body = [line for item in node.body for line in _listed(self.visit(item))]
        return node

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.stmt:
        node.body = [line for item in node.body for line in _listed(self.visit(item))]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.stmt:
        node.body = [line for item in node.body for line in _listed(self.visit(item))]
        return node

    def _noted(self, name: str, near: ast.stmt, title: str = "") -> ast.stmt:
        arguments: list[ast.expr] = [
            ast.Name(name, ast.Load()),
            ast.Constant(title or name),
            ast.Constant(name),
        ]
        made = ast.Expr(ast.Call(ast.Name(NOTE, ast.Load()), arguments, []))
        return ast.fix_missing_locations(ast.copy_location(made, near))


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else [value]


def titled(node: ast.expr) -> str:
    """An expression in a few characters. Operations within it have boxes of their own, and are an
    ellipsis here."""
    with suppress(Exception):
        text = ast.unparse(_shortened(node)).replace("\n", " ")
        return text if len(text) <= LONGEST_TITLE else f"{text[: LONGEST_TITLE - 1]}…"
    return ""


def _shortened(node: ast.AST) -> ast.AST:
    return type(node)(**{name: _part(getattr(node, name, None)) for name in node._fields})


def _part(value: Any) -> Any:
    if isinstance(value, list):
        return [_part(item) for item in value]
    if not isinstance(value, ast.AST):
        return value
    if isinstance(value, ast.BinOp | ast.Call | ast.Subscript) and _has_name(value):
        return ast.Name("…", ast.Load())
    return _shortened(value)


def _has_name(node: ast.AST) -> bool:
    return any(isinstance(item, ast.Name) for item in ast.walk(node))


@cache
def _engine() -> ReferenceEngine:
    return ReferenceEngine()


def graph_of(case: Case) -> Graph | None:
    """The graph that a case's program records; None where there is none to draw."""
    program = case.program
    tree = _Wrapper().visit(copy.deepcopy(program.tree))
    code = compile_program(ast.fix_missing_locations(tree), program.file, mediated=False)
    recording = Recording(reads_saved="saved-tensors-hooks" not in program.features)
    engine = _engine()
    needs = Needs(program.words, program.features, program.members, program.strangers)
    engine.namespace[NOTE] = recording.note
    set_aside()  # the engine looks through what is left for the tensors that a node saved
    try:
        engine.run_code(code, needs, program.file, SECONDS)
        return recording.graph()
    finally:
        engine.namespace.pop(NOTE, None)
        engine.reset()
