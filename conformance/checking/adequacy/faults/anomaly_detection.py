"""Faults of anomaly detection: when it looks for NaN, and what it tells."""

from __future__ import annotations

import re
import threading
import traceback
import warnings
from collections.abc import Callable
from typing import Any

from ..breaking import Patch, around_pass, fault, inside, leaves_below, register, replaces, torch
from .saved_hooks import checked


def looks_for_nan() -> bool:
    """Whether anomaly detection is on, and looks for NaN."""
    return bool(torch.is_anomaly_enabled() and torch.is_anomaly_check_nan_enabled())


def without_a_look(run: Any, options: Any) -> Any:
    """A pass in which anomaly detection does not look for NaN."""
    inside.set_anomaly(True, False)
    try:
        return run(options)
    finally:
        inside.set_anomaly(True, True)


@fault
def anomaly_mode_never_looks_for_nan(patch: Patch) -> None:
    """Anomaly detection never looks for NaN."""

    def around(run: Any, options: Any) -> Any:
        return without_a_look(run, options) if looks_for_nan() else run(options)

    around_pass(patch, around)


@fault
def nan_that_is_given_is_overlooked(patch: Patch) -> None:
    """Anomaly detection overlooks NaN in the gradients that a pass is given."""

    def around(run: Any, options: Any) -> Any:
        given = [g for g in options.seeds or () if isinstance(g, torch.Tensor)]
        overlooked = looks_for_nan() and any(bool(g.isnan().any()) for g in given)
        return without_a_look(run, options) if overlooked else run(options)

    around_pass(patch, around)


@fault
def check_nan_is_ignored(patch: Patch) -> None:
    """detect_anomaly(check_nan=False) looks for NaN all the same."""
    patch.wrap(
        torch.autograd.anomaly_mode.detect_anomaly,
        "__init__",
        lambda original: lambda self, check_nan=True: original(self),
    )


@fault
def anomaly_mode_outlives_its_block(patch: Patch) -> None:
    """Anomaly detection stays on after a block of detect_anomaly."""
    left: list[Any] = []

    def make(original: Any) -> Any:
        def leave(self: Any, *error: Any) -> None:
            left.append(self)
            original(self, *error)

        return leave

    def make_init(original: Any) -> Any:
        def init(self: Any, *args: Any, **kwargs: Any) -> None:
            left.clear()
            original(self, *args, **kwargs)

        return init

    def around(run: Any, options: Any) -> Any:
        if not left or torch.is_anomaly_enabled():
            return run(options)
        inside.set_anomaly(True, True)
        try:
            return run(options)
        finally:
            inside.set_anomaly(False)

    modes = torch.autograd.anomaly_mode
    patch.wrap(modes.detect_anomaly, "__exit__", make)
    patch.wrap(modes.set_detect_anomaly, "__init__", make_init)
    around_pass(patch, around)


@replaces("autograd.anomaly_mode.set_detect_anomaly.__exit__")
def the_end_of_a_block_ends_anomaly_mode(original: Any, self: Any, *error: Any) -> None:
    """The end of a block of set_detect_anomaly switches the detection off, also that of an outer one."""
    original(self, *error)
    inside.set_anomaly(False)


def silent_when(patch: Patch, when: Callable[[], bool]) -> None:
    """Let passes not tell where the operation was called, where `when()`."""

    def around(run: Any, options: Any) -> Any:
        if not (torch.is_anomaly_enabled() and when()):
            return run(options)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return run(options)

    around_pass(patch, around)


@fault
def anomaly_mode_does_not_tell_the_forward_call(patch: Patch) -> None:
    """A failing pass under anomaly detection does not tell where the operation was called."""
    silent_when(patch, lambda: True)


@fault
def anomaly_mode_tells_in_its_own_thread_only(patch: Patch) -> None:
    """A pass in another thread than the one that switched anomaly detection on does not tell where the
    operation was called."""
    switched: list[int] = []

    def noting(original: Any) -> Any:
        def entered(self: Any, *args: Any, **kwargs: Any) -> Any:
            switched.append(threading.get_ident())
            return original(self, *args, **kwargs)

        return entered

    modes = torch.autograd.anomaly_mode
    patch.wrap(modes.detect_anomaly, "__enter__", noting)
    patch.wrap(modes.set_detect_anomaly, "__init__", noting)
    silent_when(patch, lambda: bool(switched) and switched[-1] != threading.get_ident())


# --- which gradients are looked at ---


def has_nan(gradients: tuple[Any, ...], part: Callable[[Any], Any]) -> bool:
    """Whether `part(gradient)` has NaN for any of some gradients."""
    return any(g is not None and bool(part(g).isnan().any()) for g in gradients)


def looking_at(name: str, sentence: str, part: Callable[[Any], Any]) -> None:
    """Put into the bank an anomaly detection that looks for NaN in `part(gradient)` only."""
    register(name, sentence, lambda patch: checked(patch, lambda gs: has_nan(gs, part)))


looking_at(
    "nan_is_looked_for_in_float32",
    "Anomaly detection does not look at gradients of other dtypes than float32.",
    lambda g: g if g.dtype == torch.float32 else torch.zeros(1),
)
looking_at(
    "nan_is_looked_for_in_real_parts",
    "Anomaly detection does not look at the imaginary part of gradients.",
    lambda g: g.real if g.is_complex() else g,
)
looking_at(
    "nan_is_looked_for_in_the_first_element",
    "Anomaly detection looks at the first element of each gradient only.",
    lambda g: g.reshape(-1)[:1],
)


def refuse_nan() -> None:
    found: Any = RuntimeError("Function 'backward' returned nan values in its 0th output.")
    found.kind = "anomaly"  # as errors of the reference have
    raise found


@fault
def nan_in_values_is_an_anomaly(patch: Patch) -> None:
    """Anomaly detection rejects a pass from a result that has NaN."""

    def around(run: Any, options: Any) -> Any:
        roots = [root for root in options.roots if isinstance(root, torch.Tensor)]
        if looks_for_nan() and any(bool(root.detach().isnan().any()) for root in roots):
            refuse_nan()
        return run(options)

    around_pass(patch, around)


@fault
def nan_is_looked_for_after_the_pass(patch: Patch) -> None:
    """Anomaly detection looks at the gradients of the leaves, when the pass has ended."""

    def around(run: Any, options: Any) -> Any:
        if not looks_for_nan():
            return run(options)
        inside.set_anomaly(True, False)
        try:
            found = run(options)
        finally:
            inside.set_anomaly(True, True)
        leaves = leaves_below(options.roots) if options.accumulates else []
        for g in (*(leaf.grad for leaf in leaves), *(found or ())):
            if isinstance(g, torch.Tensor) and bool(g.isnan().any()):
                refuse_nan()
        return found

    around_pass(patch, around)


def with_every_operand(right: Any, a: Any, b: Any) -> Any:
    """A product that gives a gradient to every floating operand, needed or not."""
    recorded = torch.is_grad_enabled() and looks_for_nan()
    operands = [
        x.detach().requires_grad_()
        if recorded
        and isinstance(x, torch.Tensor)
        and not x.requires_grad
        and x.is_floating_point()
        else x
        for x in (a, b)
    ]
    return right(*operands)


@fault
def unneeded_gradients_are_looked_at(patch: Patch) -> None:
    """Under anomaly detection a product looks for NaN in the gradients of constants too."""
    patch.wrap(
        torch.Tensor,
        "__mul__",
        lambda right: lambda a, b: with_every_operand(right, a, b),
    )


@fault
def inputs_of_the_pass_do_not_matter_for_nan(patch: Patch) -> None:
    """Anomaly detection looks at gradients that the inputs of the pass do not need."""

    def around(run: Any, options: Any) -> Any:
        if looks_for_nan() and options.inputs:
            leaves = [leaf for leaf in leaves_below(options.roots) if leaf.requires_grad]
            found = torch.autograd.grad(
                options.roots, leaves, options.seeds, retain_graph=True, allow_unused=True
            )
            if has_nan(found, lambda g: g):
                refuse_nan()
        return run(options)

    around_pass(patch, around)


# --- what is told ---


def rewording(name: str, sentence: str, change: Callable[[str, Any], str]) -> None:
    """Put into the bank an anomaly detection whose error says `change(text, options)`."""

    def around(run: Any, options: Any) -> Any:
        try:
            return run(options)
        except RuntimeError as error:
            if looks_for_nan() and "returned nan values" in str(error):
                error.args = (change(str(error), options),)
            raise

    register(name, sentence, lambda patch: around_pass(patch, around))


rewording(
    "nan_is_blamed_on_the_root",
    "The error of anomaly detection names the node of the root.",
    lambda text, options: re.sub("'.*?'", f"'{options.roots[0].grad_fn.name()}'", text),
)
rewording(
    "nan_is_blamed_on_nobody",
    "The error of anomaly detection names no node.",
    lambda text, options: re.sub("'.*?'", "'backward'", text),
)

Texts = list[str]


def retelling(
    name: str, sentence: str, change: Callable[[Texts], Texts], check_nan: bool | None = None
) -> None:
    """Put into the bank an anomaly detection that warns of `change(texts)`, of the texts of the
    right one; with `check_nan` only if that is set so."""

    def around(run: Any, options: Any) -> Any:
        if not torch.is_anomaly_enabled() or check_nan not in (
            None, torch.is_anomaly_check_nan_enabled()
        ):  # fmt: skip
            return run(options)
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                return run(options)
            finally:
                passed_on = change([str(item.message) for item in caught])
                caught.clear()
                told.extend(passed_on)

    told: Texts = []

    def telling(run: Any, options: Any) -> Any:
        try:
            return around(run, options)
        finally:
            for text in told:
                warnings.warn(text, UserWarning, stacklevel=2)
            told.clear()

    register(name, sentence, lambda patch: around_pass(patch, telling))


def without_functions(texts: Texts) -> Texts:
    return [re.sub(", in .*", ", in backward", text) for text in texts]


retelling(
    "anomaly_mode_shows_no_function",
    "What anomaly detection shows of the forward call names no function.",
    without_functions,
)
retelling(
    "anomaly_mode_shows_the_backward_pass",
    "Anomaly detection shows where the backward pass was called, as if that were the forward call.",
    lambda texts: ["Traceback of forward call:\n" + "".join(traceback.format_stack())] * len(texts),
)
retelling(
    "anomaly_mode_shows_one_call",
    "Anomaly detection does not show which backward pass recorded what failed.",
    lambda texts: texts[:1],
)
retelling(
    "anomaly_mode_shows_nothing_unless_it_looks_for_nan",
    "With check_nan=False anomaly detection does not show the forward call of an operation that fails.",
    lambda texts: [],
    check_nan=False,
)


@replaces("Tensor.sqrt")
def every_root_notes_where_it_was_called(original: Any, self: Any) -> Any:
    """Square roots note where they were called, whether or not anomaly detection is on."""
    if torch.is_anomaly_enabled():
        return original(self)
    inside.set_anomaly(True, torch.is_anomaly_check_nan_enabled())
    try:
        return original(self)
    finally:
        inside.set_anomaly(False)


@fault
def errors_in_hooks_are_not_shown(patch: Patch) -> None:
    """Anomaly detection does not show the forward call of an operation whose hook raises an error."""
    raised: list[BaseException] = []

    def noting(hook: Any) -> Any:
        def noted(*args: Any) -> Any:
            try:
                return hook(*args)
            except Exception as error:
                raised.append(error)
                raise

        return noted

    def around(run: Any, options: Any) -> Any:
        raised.clear()
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                return run(options)
            finally:
                said = [] if raised else list(caught)
                texts.extend((item.message, item.category) for item in said)

    texts: list[tuple[Any, Any]] = []

    def telling(run: Any, options: Any) -> Any:
        try:
            return around(run, options)
        finally:
            for message, category in texts:
                warnings.warn(message, category, stacklevel=2)
            texts.clear()

    patch.wrap(
        torch.Tensor, "register_hook", lambda right: lambda self, hook: right(self, noting(hook))
    )
    around_pass(patch, telling)
