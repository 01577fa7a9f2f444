"""Collects from an installed CuPy which names it has, into the reference's ``cupy_names.json``.

python tests/reference/collect_cupy_names.py        # needs CuPy, and no GPU
"""

from __future__ import annotations

import datetime
import inspect
import json
import re
from typing import Any

from gradspec.reference_impl.backend.cupy_names import PATH

MODULES = ("", ".fft", ".linalg", ".lib.stride_tricks", ".cuda")


def parameters(function: Any) -> str:
    """The parameters of a function as they are written, ``a, axis=, *, dtype=``: what has a default
    ends in ``=``.

    Methods of compiled classes have them in the first line of their docstring.
    """
    try:
        found = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        line = (function.__doc__ or "").partition("\n")[0]
        parts = [part.strip() for part in line.partition("(")[2].partition(")")[0].split(",")]
        names = [name.split(" ")[-1] + "=" * bool(eq) for name, eq, _ in
                 (part.partition("=") for part in parts if part)]  # fmt: skip
        return ", ".join(names[1:] if names[:1] == ["self"] else names)
    bare = [p.replace(annotation=p.empty, default=p.empty) for p in found]
    signature = str(inspect.Signature(bare, __validate_parameters__=False))
    for p in found:
        if p.default is not p.empty:
            signature = re.sub(rf"(?<=[( ]){p.name}(?=[,)])", p.name + "=", signature)
    return signature[1:-1].removeprefix("self, ")


def functions_of(module: Any) -> dict[str, str]:
    """The public functions of a module."""
    names = [name for name in dir(module) if not name.startswith("_")]
    return {name: parameters(f) for name in names if inspect.isfunction(f := getattr(module, name))}


def ufuncs_of(module: Any, kind: type) -> dict[str, dict[str, Any]]:
    """The ufuncs of a module: element types of operands and results, and what ``at`` does."""
    found: dict[str, Any] = {
        name: getattr(module, name) for name in dir(module) if not name.startswith("_")
    }
    chosen: dict[str, Any] = {name: u for name, u in found.items() if isinstance(u, kind)}
    return {name: {"types": u.types, "at": bool(u._scatter_op)} for name, u in chosen.items()}


def collected() -> dict[str, Any]:
    """The list, from the CuPy that is installed."""
    import cupy
    import cupyx.scipy.special as special

    modules = {"numpy" + name: cupy for name in MODULES}
    for name in MODULES[1:]:
        for part in name[1:].split("."):
            modules["numpy" + name] = getattr(modules["numpy" + name], part)
    names = [n for n in dir(cupy.ndarray) if not n.startswith("_") or n.startswith("__")]
    methods = {n: getattr(cupy.ndarray, n) for n in names}
    return {
        "library": "cupy",
        "version": cupy.__version__,
        "collected": datetime.date.today().isoformat(),
        "functions": {name: functions_of(module) for name, module in modules.items()},
        "special": functions_of(special),
        "ufuncs": ufuncs_of(cupy, cupy.ufunc),
        "special_ufuncs": ufuncs_of(special, cupy.ufunc),
        "methods": {
            n: parameters(m) for n, m in methods.items() if callable(m) and not n.startswith("__")
        },
        "operators": [n for n, m in methods.items() if callable(m) and n.startswith("__")],
        "attributes": [n for n, m in methods.items() if not callable(m) and n[0] != "_"],
    }


if __name__ == "__main__":
    found = collected()
    PATH.write_text(json.dumps(found, indent=1, sort_keys=True) + "\n", "utf-8")
    print(f"{PATH.name}: {found['library']} {found['version']}")
