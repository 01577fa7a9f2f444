"""The other end of `--isolate` and `--python=PATH`: a Python engine behind the protocol.

Runs in the engine's own interpreter, with only the standard library:

    PYTHON adapters/framework/host.py ADAPTER [--device NAME]

where ADAPTER is `package.module:Class` or `module:NAME`. The engine is imported once; a forked
worker then answers, so that a crash costs a fork instead of a start; a worker whose engine ran out
of time or memory, or tried to exit, is replaced as well, together with its state. On a device other
than the CPU there is no such worker, because a driver like CUDA's does not work in a forked process:
this process answers itself, and is started again. The engine's
standard output is sent to standard error, so that nothing it prints is read as an answer.
"""

from __future__ import annotations

import base64
import importlib.util
import json
import marshal
import os
import sys
import traceback
from importlib.machinery import ModuleSpec
from pathlib import Path
from typing import Any

ENDED, REPLACE, FAILED = 119, 120, 121
"""Exit statuses of a worker: the requests ended; another worker should continue; an internal error.
Any other status, including 0, was caused by the engine."""


class OwnPackages:
    """Finds `gradspec.adapters` and its neighbours in the folder that this file belongs to, so that
    both sides are of one version and the engine's interpreter needs no gradspec of its own."""

    root = Path(__file__).resolve().parents[2]

    @classmethod
    def find_spec(cls, name: str, path: Any = None, target: Any = None) -> ModuleSpec | None:
        if name == "gradspec":
            package = ModuleSpec(name, None, is_package=True)
            package.submodule_search_locations = []
            return package
        folder = cls.root / name.removeprefix("gradspec.")
        if (
            name.count(".") != 1
            or not name.startswith("gradspec.")
            or not (folder / "__init__.py").exists()
        ):
            return None
        return importlib.util.spec_from_file_location(
            name, folder / "__init__.py", submodule_search_locations=[str(folder)]
        )


def take_over_output() -> Any:
    """Keep the protocol's channel to ourselves; the engine's own output goes to standard error."""
    channel = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    return channel


class Host:
    """Answers requests with one engine."""

    def __init__(self, adapter: str, device: str, imported: str | None = None) -> None:
        self.channel = take_over_output()
        self.requests = os.fdopen(os.dup(0), "rb")
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)  # an engine that reads its input finds nothing
        self.adapter = adapter
        self.device = device
        self.imported = imported
        self.engine: Any = None
        self.memory_mib: int | None = None

    def answer(self, message: dict[str, Any]) -> None:
        self.channel.write(written(message))

    def serve(self) -> int:
        """Greet, then answer until the requests end."""
        hello = json.loads(self.requests.readline() or b"{}")
        self.memory_mib = hello.get("memory_mib")
        try:
            self.engine = self.load(hello.get("kinds", []), hello.get("device", self.device))
        except BaseException as error:  # an engine that exits when it is imported, too
            from gradspec.adapters.framework.classify import message_of, type_name

            why = message_of(error)
            if not isinstance(error, Exception):
                why = f"the engine raised {type_name(error)}({why}) while it was opened"
            self.answer({"answer": "hello", "unavailable": why or type_name(error)})
            return 0
        identity = self.engine.identity
        on_cpu = identity.device == "cpu"
        self.answer({
            "answer": "hello", "gradspec": 1, "name": identity.name, "version": identity.version,
            "language": identity.language, "device": identity.device,
            "features": None if identity.features is None else sorted(identity.features),
            "exact_kinds": identity.exact_kinds, "widest_float": identity.widest_float,
            "form": "python-mediated" if getattr(self.engine, "mediated", False) else "python",
            "interpreter": sys.version,
        })  # fmt: skip
        if not on_cpu or not hasattr(os, "fork"):
            return 0 if self.work() == ENDED else 1
        while True:
            sys.stderr.flush()
            worker = os.fork()
            if worker == 0:
                os._exit(self.work())
            status = os.waitstatus_to_exitcode(os.waitpid(worker, 0)[1])
            if status == ENDED:
                return 0
            if status != REPLACE:
                how = (
                    f"was killed by signal {-status}"
                    if status < 0
                    else f"exited with status {status}"
                )
                self.answer({"answer": "died", "message": f"the engine's process {how}"})

    def load(self, kinds: list[Any], device: str) -> Any:
        from gradspec.adapters.framework.registry import import_first, load_adapter, opened

        if self.imported:
            import_first(self.imported)
        module, _, name = self.adapter.partition(":")
        if module == "module":
            from gradspec.adapters.framework.torch_like import ModuleEngine

            return ModuleEngine(name, device, kinds)

        return opened(load_adapter(self.adapter), self.adapter, device, kinds)

    def work(self) -> int:
        """Answer requests until they end, or until this process should be replaced."""
        from gradspec.adapters.framework.growth import Growth, limit_data

        mebibytes = self.memory_mib or 0
        growth = Growth(mebibytes << 20) if mebibytes and limit_data(mebibytes) else None
        while True:
            line = self.requests.readline()
            request = json.loads(line) if line else {"ask": "bye"}
            if request.get("ask") == "bye":
                return ENDED
            try:
                result = self.run(request)
                self.answer(result)
            except BaseException:
                traceback.print_exc()
                return FAILED
            leaks = growth is not None and growth.too_much()
            if leaks or result["end"]["how"] in ("crash", "timeout"):
                return REPLACE

    def run(self, request: dict[str, Any]) -> dict[str, Any]:
        program = request["program"]
        try:
            observations = self.run_program(program, request.get("seconds"))
        except KeyboardInterrupt:  # only the engine itself can have caused it here
            from gradspec.adapters.framework.engine import End, Observations

            end = End("crash", "exit", "KeyboardInterrupt", "the engine raised KeyboardInterrupt")
            observations = Observations([], end)
        end = observations.end
        lines = program.get("lines")  # code has the file's own line numbers, source its own
        line = end.line if lines is None else lines[end.line] if 0 < end.line < len(lines) else 0
        return {
            "answer": "run",
            "number": request["number"],
            "observed": observations.observed,
            "end": {
                "how": end.how,
                "kind": end.kind,
                "type": end.type,
                "message": end.message,
                "line": line,
                "where": end.where,
            },
            "seconds": observations.seconds,
        }

    def run_program(self, program: dict[str, Any], seconds: float | None) -> Any:
        from gradspec.adapters.framework.python_engine import Needs

        self.engine.trust_words = (
            True  # a program with strangers is sent where they are trusted only
        )
        if "code" in program:
            code = marshal.loads(base64.b64decode(program["code"]))
        else:
            module = compile(program["source"], f"<{program['id']}>", "exec", dont_inherit=True)
            code = next(item for item in module.co_consts if hasattr(item, "co_code"))
        timeout = 0.9 * seconds if seconds else None
        needs = Needs(
            program["words"],
            frozenset(program["features"]),
            frozenset(program["members"]),
            program.get("strangers", ()),
        )
        return self.engine.run_code(code, needs, code.co_filename, timeout)


def written(message: dict[str, Any]) -> bytes:
    """An answer as a line; one that cannot be serialized becomes an error of the engine."""
    try:
        text = json.dumps(message, separators=(",", ":"), allow_nan=False, default=stranger)
        return text.encode() + b"\n"
    except (TypeError, ValueError, RecursionError) as error:
        text = f"the engine's values cannot be written down: {error}"
        end = {
            "how": "error",
            "kind": "broken",
            "type": type(error).__name__,
            "message": text,
            "line": 0,
        }
        return json.dumps({**message, "observed": [], "end": end}).encode() + b"\n"


def stranger(value: Any) -> dict[str, str]:
    """The representation of an object that is not a plain value."""
    return {"object": type(value).__name__}


def main(arguments: list[str]) -> int:
    if not arguments:
        print(__doc__, file=sys.stderr)
        return 2
    options = dict(zip(arguments[1::2], arguments[2::2], strict=True))
    sys.meta_path.insert(0, OwnPackages)
    return Host(arguments[0], options.get("--device", "cpu"), options.get("--import")).serve()


if __name__ == "__main__":
    sys.path.pop(0)  # this folder, whose modules would hide an engine's own of the same name
    sys.path.insert(0, "")
    sys.exit(main(sys.argv[1:]))
