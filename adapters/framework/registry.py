"""Finds the engine that `--impl` names."""

from __future__ import annotations

import ast
import difflib
import importlib.util
import shlex
import sys
import traceback
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from .classify import message_of, type_name
from .engine import Engine, EngineUnavailable, Limits
from .surroundings import Surroundings, Terminated

GROUP = "gradspec.adapters"


def known_adapters() -> dict[str, EntryPoint]:
    """Every adapter that an installed distribution provides, by name."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


def open_engine(
    impl: str,
    *,
    device: str = "cpu",
    kinds: Sequence[Mapping[str, Any]] = (),
    python: str | None = None,
    isolate: bool = False,
    limits: Limits | None = None,
    trust_words: bool = False,
    imported: str | None = None,
) -> Engine:
    """Open an engine: an adapter's name, `module:NAME`, `exec:COMMAND`, or a path to an adapter
    file as `FILE.py:Class`. With `trust_words` a Python engine runs programs that use names outside
    gradspec's own vocabulary. `imported` is a module or a `FILE.py` that a Python engine's interpreter
    imports first, such as one that registers a device.

    Raises `EngineUnavailable` with what was wrong and what to do.
    """
    engine = _opened(impl, device, kinds, python, isolate, limits, imported)
    if trust_words:
        engine.trust_words = True  # type: ignore[attr-defined]
    return engine


def _opened(
    impl: str,
    device: str,
    kinds: Sequence[Mapping[str, Any]],
    python: str | None,
    isolate: bool,
    limits: Limits | None,
    imported: str | None,
) -> Engine:
    if imported and impl.startswith("exec:"):
        raise EngineUnavailable(
            f"--import={imported} needs an engine in Python; a process imports what it needs itself"
        )
    if impl.startswith("exec:"):
        from .process import ProcessEngine

        command = command_of(impl)
        return ProcessEngine(command, "", device, kinds, limits)
    target = adapter_target(impl)
    with while_opening(f"the engine {impl!r}"):
        if python or isolate:
            interpreter = python or sys.executable
            return isolated_engine(target, impl, interpreter, device, kinds, limits, imported)
        if imported:
            import_first(imported)
        if target.startswith("module:"):
            from .torch_like import ModuleEngine

            return ModuleEngine(target.removeprefix("module:"), device, kinds)
        return opened(load_adapter(target), target, device, kinds, limits)


def opened(
    adapter: Any,
    target: str,
    device: str,
    kinds: Sequence[Mapping[str, Any]],
    limits: Limits | None = None,
) -> Engine:
    """The engine of an adapter's class. Raises `EngineUnavailable` where making it fails."""
    options = {"limits": limits} if in_own_process(adapter) else {}
    with while_opening(f"the adapter {target}"):
        engine: Engine = adapter(device=device, kinds=kinds, **options)
    return engine


def command_of(impl: str) -> list[str]:
    """The command of `exec:COMMAND`, split as a shell would."""
    try:
        command = shlex.split(impl.removeprefix("exec:"))
    except ValueError as error:
        raise EngineUnavailable(f"--impl={impl!r} is not a command: {error}") from error
    if not command:
        raise EngineUnavailable("--impl=exec: needs a command; write --impl='exec:./harness'")
    return command


def in_own_process(adapter: Any) -> bool:
    """Whether an adapter's engine runs in a process of its own, to which limits apply."""
    from .process import ProcessEngine

    return isinstance(adapter, type) and issubclass(adapter, ProcessEngine)


@contextmanager
def while_opening(what: str) -> Iterator[None]:
    """Turn any exception of an engine while it is opened into `EngineUnavailable`; an engine that
    tries to end the process (`sys.exit(0)`) too. Only an interruption by the user goes through. What
    the engine changed in this process, such as the current folder, is restored."""
    surroundings = Surroundings()
    surroundings.callbacks = None  # an engine may register callbacks for collections
    try:
        yield
    except EngineUnavailable:
        raise
    except KeyboardInterrupt as error:
        if surroundings.interrupted or isinstance(error, Terminated):
            raise
        raise EngineUnavailable(f"{what} raised KeyboardInterrupt while it was opened") from error
    except SystemExit as error:
        raise EngineUnavailable(
            f"{what} tried to end the process while it was opened (SystemExit: {error.code}); "
            "an engine must not exit when it is imported"
        ) from error
    except BaseException as error:
        raise EngineUnavailable(f"{what} could not be opened: {told(error)}") from error
    finally:
        surroundings.restore()


def told(error: BaseException) -> str:
    """An exception and where it was raised, in a line."""
    frames = traceback.extract_tb(error.__traceback__)
    known = frames and not isinstance(error, SyntaxError)  # which names its place itself
    at = f" (at {Path(frames[-1].filename).name}:{frames[-1].lineno})" if known else ""
    return f"{type_name(error)}: {message_of(error)}{at}"


def adapter_target(impl: str) -> str:
    """The target of an adapter: `module:NAME`, `package.module:Class` or `FILE.py:Class`."""
    if impl.startswith("module:"):
        if not impl.removeprefix("module:"):
            raise EngineUnavailable("--impl=module: needs a module; write --impl=module:my_engine")
        return impl
    if impl.endswith(".py"):
        raise EngineUnavailable(f"--impl={impl} needs a class; {classes_hint(Path(impl))}")
    if ".py:" in impl:
        return impl
    known = known_adapters()
    if impl not in known:
        close = difflib.get_close_matches(impl, known, n=1)
        hint = f"did you mean {close[0]!r}? " if close else ""
        if not hint and module_here(impl):
            hint = f"a module of that name is here: write --impl=module:{impl}; "
        raise EngineUnavailable(
            f"unknown engine {impl!r}; {hint}known: {', '.join(sorted(known))}; "
            "or module:NAME, exec:COMMAND, FILE.py:Class"
        )
    return known[impl].value


def module_here(name: str) -> bool:
    """Whether a module of this name could be imported, from the current folder too."""
    if not name.isidentifier():
        return False
    here = Path(f"{name}.py").exists() or Path(name, "__init__.py").exists()
    return here or importlib.util.find_spec(name) is not None


def classes_hint(path: Path) -> str:
    """Which classes a file has that could be meant, or what to write for one that has none."""
    try:
        body = ast.parse(path.read_text("utf-8")).body
    except (OSError, SyntaxError, ValueError):
        return f"write --impl={path}:MyEngine"
    named = [
        f"--impl={path}:{node.name}"
        for node in body
        if isinstance(node, ast.ClassDef) and node.bases
    ]
    if named:
        return f"write {' or '.join(named)}"
    return f"it has no adapter's class; for an engine with PyTorch's names write --impl=module:{path.stem}"


def load_adapter(target: str) -> Any:
    """The adapter class at a target."""
    place, _, name = target.rpartition(":")
    if place.endswith(".py"):
        return adapter_in_file(Path(place), name)
    return getattr(importlib.import_module(place), name)


def import_first(name: str) -> None:
    """Import the module of `--import`, or run the file. Raises `EngineUnavailable`."""
    try:
        if name.endswith(".py"):
            path = Path(name).resolve()
            if not path.exists():
                raise EngineUnavailable(f"--import={name}: there is no such file")
            sys.path.insert(0, str(path.parent))
            importlib.import_module(path.stem)
        else:
            if "" not in sys.path:
                sys.path.insert(0, "")  # a module in the current folder, as `python -m` finds it
            importlib.import_module(name)
    except EngineUnavailable:
        raise
    except Exception as error:
        raise EngineUnavailable(f"--import={name} failed: {told(error)}") from error


def adapter_in_file(path: Path, name: str) -> Any:
    """The adapter class of a file that belongs to no package."""
    spec = importlib.util.spec_from_file_location(f"gradspec_adapter_{path.stem}", path)
    if spec is None or spec.loader is None or not path.exists():
        near = difflib.get_close_matches(str(path), map(str, path.parent.glob("*.py")), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise EngineUnavailable(f"there is no adapter file {str(path)!r}{hint}")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    for folder in (str(path.resolve().parent), ""):  # where the engine itself may be
        if folder not in sys.path:
            sys.path.insert(0, folder)
    try:
        spec.loader.exec_module(module)
        if not hasattr(module, name):
            raise EngineUnavailable(f"{path} has no class {name!r}; {classes_hint(path)}")
        return getattr(module, name)
    except EngineUnavailable:
        raise
    except Exception as error:
        raise EngineUnavailable(
            f"the adapter {path}:{name} cannot be loaded: {told(error)}"
        ) from error


def isolated_engine(
    target: str,
    impl: str,
    python: str,
    device: str,
    kinds: Sequence[Mapping[str, Any]],
    limits: Limits | None,
    imported: str | None = None,
) -> Engine:
    """A Python engine in an interpreter of its own."""
    if target.startswith("gradspec.adapters."):
        adapter = load_adapter(target) if python == sys.executable else None
        if in_own_process(adapter):
            return opened(adapter, target, device, kinds, limits)
    from .process import ProcessEngine

    host = Path(__file__).with_name("host.py")
    name = impl if impl.startswith("module:") else Path(impl.partition(":")[0]).stem
    command = [python, str(host), target, "--device", device]
    command += ["--import", imported] if imported else []
    return ProcessEngine(command, name, device, kinds, limits)
