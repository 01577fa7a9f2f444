"""Where each engine keeps what public names do not reach. This is the one file of the bank that
knows how an engine is made; a fault that needs more belongs here, under a name for its role."""

from __future__ import annotations

import functools
from collections import OrderedDict
from collections.abc import Callable
from contextlib import AbstractContextManager
from importlib import import_module
from types import FrameType, ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from .patch import Patch

AroundSeeds = Callable[[Callable[[Any, Any], Any], Any, Any], Any]
Around = Callable[[Callable[..., Any], SimpleNamespace], Any]


class Inside(Protocol):
    """What the inside of every engine has.

    `function_node` is the class of the nodes of custom functions, `function_context` that of their
    contexts, `multi_handle` that of the handles of hooks of several gradients.
    """

    function_node: Any
    function_context: Any
    multi_handle: Any

    def needs_input_grad(self, node: Any) -> tuple[bool, ...]:
        """What a custom function's node had when the engine was whole."""

    def saved_tensors(self, node: Any) -> tuple[Any, ...]:
        """What a custom function's node had when the engine was whole."""

    def set_recording(self, value: bool) -> None:
        """Switch recording in this thread."""

    def keeping_version(self, tensor: Any) -> AbstractContextManager[Any]:
        """A block within which changes of a tensor are not counted."""

    def set_anomaly(self, is_on: bool, check_nan: bool = True) -> None:
        """Switch anomaly detection on or off in all threads, with or without the search for NaN."""

    def set_version(self, tensor: Any, version: int) -> None:
        """Let a tensor have been changed in place so many times."""

    def forward_level(self) -> int:
        """The level of forward mode that is open, or -1."""

    def hooks_beside(self, handle: Any) -> dict[int, Any]:
        """All hooks of the tensor that a handle's hook is on, by their ids."""

    def handle_of_nothing(self) -> Any:
        """A handle that removes no hook."""

    def ignore_vjp(self, patch: Patch) -> None:
        """Let custom functions be differentiated by their `backward` only."""

    def holders(self, owner: Any, name: str) -> list[tuple[Any, str]]:
        """Every place where the engine itself looks up a function of `torch.autograd`."""

    def is_reading(self, frame: FrameType) -> bool:
        """Whether the engine itself reads an attribute here, for its own computation."""

    def ones_at(self, edge: Any) -> Any:
        """Ones of the form of the gradient that arrives at an edge."""

    def around_pass(self, patch: Patch, around: Around) -> None:
        """See `passes.around_pass`."""

    def around_seeds(self, patch: Patch, around: AroundSeeds) -> None:
        """Put `around(check, roots, seeds)` in the place of checking what a pass is given;
        `check(roots, seeds)` is the right check."""

    def change_edges(self, patch: Patch, change: Callable[[Any], Any]) -> None:
        """Let every pass take `change(root)` and `change(input)` for its roots and inputs."""


class InsidePyTorch:
    """PyTorch's."""

    def __init__(self, torch: Any) -> None:
        self.torch = torch
        self.set_recording = torch._C._set_grad_enabled
        self.set_anomaly = torch.set_anomaly_enabled
        self.keeping_version = torch.autograd._unsafe_preserve_version_counter
        self.function_node = torch.autograd.function.BackwardCFunction
        self.function_context = torch.autograd.function.FunctionCtx
        self.needs_input_grad = self.function_node.needs_input_grad.__get__
        self.saved_tensors = self.function_node.saved_tensors.__get__
        self.multi_handle = torch.autograd.graph._MultiHandle

    def hooks_beside(self, handle: Any) -> dict[int, Any]:
        hooks = handle.hooks_dict_ref()
        return {} if hooks is None else hooks

    def handle_of_nothing(self) -> Any:
        return self.torch.utils.hooks.RemovableHandle(OrderedDict())

    def ignore_vjp(self, patch: Patch) -> None:
        patch.set(self.function_node, "_get_user_fn", lambda self: self._forward_cls.backward)

    def holders(self, owner: Any, name: str) -> list[tuple[Any, str]]:
        return [(owner, name)]

    def is_reading(self, frame: FrameType) -> bool:
        return False  # what PyTorch computes in C++ reads no attribute of Python

    def set_version(self, tensor: Any, version: int) -> None:
        if not tensor.is_inference():
            self.torch._C._autograd._unsafe_set_version_counter((tensor,), (version,))

    def forward_level(self) -> int:
        return int(self.torch.autograd.forward_ad._current_level)

    def ones_at(self, edge: Any) -> Any:
        form = edge.node._input_metadata[edge.output_nr]
        return self.torch.ones(tuple(form.shape), dtype=form.dtype)

    def around_pass(self, patch: Patch, around: Around) -> None:
        def make(original: Any) -> Any:
            def run(options: SimpleNamespace) -> Any:
                return original(
                    tuple(options.roots), tuple(options.seeds), options.retain_graph,
                    options.create_graph, tuple(options.inputs), **options.others,
                )  # fmt: skip

            def passes(
                roots: Any, seeds: Any, retain_graph: Any, create_graph: Any, inputs: Any,
                allow_unreachable: bool = False, accumulate_grad: bool = False,
            ) -> Any:  # fmt: skip
                others = {
                    "allow_unreachable": allow_unreachable,
                    "accumulate_grad": accumulate_grad,
                }
                options = SimpleNamespace(
                    roots=roots, seeds=seeds, retain_graph=retain_graph, create_graph=create_graph,
                    inputs=inputs, accumulates=accumulate_grad, others=others,
                )  # fmt: skip
                return around(run, options)

            return passes

        patch.wrap(self.torch.autograd, "_engine_run_backward", make)

    def around_seeds(self, patch: Patch, around: AroundSeeds) -> None:
        def make(original: Any) -> Any:
            def seeds(roots: Any, given: Any, is_grads_batched: bool) -> Any:
                def check(roots: Any, seeds: Any) -> Any:
                    return original(roots, tuple(seeds), is_grads_batched=is_grads_batched)

                return check(roots, given) if is_grads_batched else around(check, roots, given)

            return seeds

        patch.wrap(self.torch.autograd, "_make_grads", make)

    def change_edges(self, patch: Patch, change: Callable[[Any], Any]) -> None:
        def make(original: Any) -> Any:
            def run(
                roots: Any, seeds: Any, keep: bool, create: bool, inputs: Any, *rest: Any, **others: Any
            ) -> Any:  # fmt: skip
                ends = tuple(map(change, roots)), tuple(map(change, inputs))
                return original(ends[0], seeds, keep, create, ends[1], *rest, **others)

            return run

        patch.wrap(self.torch.autograd, "_engine_run_backward", make)
        patch.wrap(
            self.torch.autograd.graph, "_get_grad_fn_or_grad_acc",
            lambda found: lambda tensor: change(found(tensor)),
        )  # fmt: skip


class InsideReference:
    """The reference's."""

    def __init__(self, module: ModuleType) -> None:
        self.module = module
        self.mode = self.part("mode").mode
        self.passes = self.part("engine.passes")
        self.function_node = self.function_context = self.part("autograd.function").FunctionNode
        self.needs_input_grad = lambda node: vars(node)["needs_input_grad"]
        self.saved_tensors = self.function_node.saved_tensors.__get__
        self.multi_handle = self.part("engine.multi_hooks").MultiHandle

    def part(self, name: str) -> Any:
        """A module of the engine."""
        return import_module(f"{self.module.__name__}.{name}")

    def set_recording(self, value: bool) -> None:
        self.mode.set(grad=value)

    def set_anomaly(self, is_on: bool, check_nan: bool = True) -> None:
        self.part("autograd.anomaly_mode").set_anomaly(check_nan if is_on else None)

    def keeping_version(self, tensor: Any) -> AbstractContextManager[Any]:
        return _KeepingVersion(tensor)

    def hooks_beside(self, handle: Any) -> dict[int, Any]:
        hooks = handle._table()
        return {} if hooks is None else hooks

    def handle_of_nothing(self) -> Any:
        return self.part("graph.node").RemovableHandle(self.part("graph.node").HookTable(), None)

    def ignore_vjp(self, patch: Patch) -> None:
        patch.set(self.function_node, "apply", lambda self, *g: self._function.backward(self, *g))

    def holders(self, owner: Any, name: str) -> list[tuple[Any, str]]:
        return self.users(getattr(owner, name))

    def is_reading(self, frame: FrameType) -> bool:
        name = str(frame.f_globals.get("__name__"))
        return name.startswith(self.module.__name__ + ".") and not name.endswith(".printing")

    def set_version(self, tensor: Any, version: int) -> None:
        if not tensor.is_inference():
            tensor._vc[0] = version

    def forward_level(self) -> int:
        return -1 if self.mode.level is None else 0

    def ones_at(self, edge: Any) -> Any:
        shape, dtype, _ = edge.meta or edge.node.out_meta(edge.output_nr)
        torch: Any = self.module
        return torch.ones(shape, dtype=self.part("backend.dtypes").from_numpy(dtype))

    def replace(self, patch: Patch, function: Any, make: Callable[[Any], Any]) -> None:
        """Replace a function by `make(it)`, the same one everywhere, so that it can be replaced again."""
        replaced = functools.update_wrapper(make(function), function, updated=())
        for owner, name in self.users(function):
            patch.set(owner, name, replaced)

    def around_pass(self, patch: Patch, around: Around) -> None:
        """The two functions that `autograd.backward`, `Tensor.backward` and `autograd.grad` end in."""
        passes = self.passes

        def make_backward(original: Any) -> Any:
            def backward(
                tensors: Any, grad_tensors: Any = None, retain_graph: bool | None = None,
                create_graph: bool = False, grad_variables: Any = None, inputs: Any = None,
            ) -> Any:  # fmt: skip
                if grad_variables is not None:
                    return original(
                        tensors, grad_tensors, retain_graph, create_graph, grad_variables, inputs
                    )

                def run(options: SimpleNamespace) -> None:
                    all_leaves = inputs is None and not options.inputs
                    original(
                        list(options.roots), list(options.seeds), options.retain_graph,
                        options.create_graph, None, None if all_leaves else options.inputs,
                    )  # fmt: skip

                roots = passes.listed(tensors)
                options = SimpleNamespace(
                    roots=roots, seeds=self.seeds(roots, grad_tensors),
                    retain_graph=create_graph if retain_graph is None else retain_graph,
                    create_graph=create_graph, accumulates=True,
                    others={"allow_unreachable": True},
                    inputs=passes.mapped(inputs)[0] if inputs is not None else (),
                )  # fmt: skip
                return around(run, options)

            return backward

        def make_gradients(original: Any) -> Any:
            def gradients(
                outs: Any, targets: Any, grad_outputs: Any, keep: bool, create_graph: bool,
                allow_unused: bool = True, materialize_grads: bool = False,
            ) -> Any:  # fmt: skip
                def run(options: SimpleNamespace) -> Any:
                    return original(
                        list(options.roots), list(options.inputs), list(options.seeds),
                        options.retain_graph, options.create_graph,
                        options.others["allow_unreachable"], materialize_grads,
                    )  # fmt: skip

                options = SimpleNamespace(
                    roots=outs, seeds=self.seeds(outs, grad_outputs), retain_graph=keep,
                    create_graph=create_graph, accumulates=False, inputs=targets,
                    others={"allow_unreachable": allow_unused},
                )  # fmt: skip
                return around(run, options)

            return gradients

        self.replace(patch, passes.backward, make_backward)
        self.replace(patch, passes.gradients, make_gradients)

    def users(self, function: Any) -> list[tuple[Any, str]]:
        """Every module of the engine that has a function, and under which name."""
        import sys

        lead = self.module.__name__
        modules = [
            m for name, m in sys.modules.items() if name == lead or name.startswith(lead + ".")
        ]
        return [
            (module, name) for module in modules for name, value in list(vars(module).items())
            if value is function
        ]  # fmt: skip

    def seeds(self, roots: list[Any], given: Any) -> list[Any]:
        """What a pass is given for each root; ones for a scalar that has none, as PyTorch does."""
        torch: Any = self.module
        chosen = self.given_seeds(roots, given)
        return [
            torch.ones_like(root)
            if seed is None and isinstance(root, torch.Tensor) and root.requires_grad
            and root.numel() == 1 and not root.is_complex() else seed
            for root, seed in zip(roots, chosen, strict=False)
        ] + chosen[len(roots):]  # fmt: skip

    def given_seeds(self, roots: list[Any], given: Any) -> list[Any]:
        """What a pass is given for each root, as a list."""
        if given is None:
            return [None] * len(roots)
        torch: Any = self.module
        return [given] if isinstance(given, torch.Tensor) else list(self.passes.listed(given))

    def around_seeds(self, patch: Patch, around: AroundSeeds) -> None:
        passes = self.passes

        def make(original: Any) -> Any:
            def roots_of(what: str, outputs: list[Any], grads: Any, *others: Any) -> Any:
                return around(
                    lambda roots, seeds: original(what, list(roots), list(seeds), *others),
                    outputs,
                    self.given_seeds(outputs, grads),
                )

            return roots_of

        patch.wrap(passes, "roots_of", make)

    def change_edges(self, patch: Patch, change: Callable[[Any], Any]) -> None:
        passes = self.passes
        patch.wrap(passes, "edge_of", lambda found: lambda value: found(change(value)))
        self.around_seeds(patch, lambda check, roots, seeds: check(list(map(change, roots)), seeds))


class _KeepingVersion:
    """A block within which changes of a tensor of the reference are not counted."""

    def __init__(self, tensor: Any) -> None:
        tensors = [tensor] if hasattr(tensor, "_vc") else list(tensor)
        self.tensors = [each for each in tensors if not each.is_inference()]

    def __enter__(self) -> None:
        self.before = [list(tensor._vc) for tensor in self.tensors]

    def __exit__(self, *error: object) -> None:
        for tensor, before in zip(self.tensors, self.before, strict=True):
            tensor._vc[:] = before
