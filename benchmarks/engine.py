"""How fast the reference engine is, beside PyTorch, HIPS autograd and MyGrad.

    python benchmarks/engine.py [--rounds 30] [--only NAME] [--engines reference,torch,...]
    python benchmarks/engine.py --device cuda       # on a GPU, beside PyTorch if it has CUDA

Each engine lives in a process of its own, which imports nothing but that engine; the processes take
turns, one short burst each per round, so that a drift of the machine meets all alike. What counts
is CPU time, one thread each. The times shown are the smallest. Two ratios stand beside them: the
median over the rounds of the reference's time over the other's in the same round, and that of the
smallest times; where they differ the machine was busy, and a target is met where both meet it. The
collector of reference cycles is on, as users have it, except where the table says otherwise. On a
device the time until it is done counts, without a target.

Engines that are not installed are left out.
"""

from __future__ import annotations

import argparse
import ctypes
import gc
import importlib
import multiprocessing
import os
import platform
import resource
import statistics
import sys
import time
from collections.abc import Callable
from importlib.metadata import PackageNotFoundError, version
from itertools import pairwise
from typing import Any

THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS")
PACKAGES = {"reference": "gradspec", "torch": "torch", "autograd": "autograd", "mygrad": "mygrad"}
BURST = 0.03
"""Seconds of CPU time that one engine works before the next has its turn."""
CHAIN = 1000
LAYERS = (256, 1024, 1024, 10)
BATCH = 256
MIB = 1 << 20
LIBC = ctypes.CDLL(None) if sys.platform == "linux" else None


# -- the programs, in each engine's words ----------------------------------------------------------


class TorchLike:
    """The reference and PyTorch run the very same text."""

    def __init__(self, module: str) -> None:
        self.torch = importlib.import_module(module)
        self.device = "cpu"
        self.torch.set_num_threads(1) if module == "torch" else None

    def use(self, device: str) -> str:
        """Make all tensors on a device; why that cannot be, or nothing."""
        try:
            self.torch.set_default_device(device)
            self.torch.ones(1).item()
        except Exception as error:
            return f"{type(error).__name__}: {error}"
        self.device = device
        return ""

    def clock(self) -> float:
        """CPU time; on a device the time on the wall, once all work there is done."""
        if self.device == "cpu":
            return time.process_time()
        if self.device.startswith("cuda"):
            self.torch.cuda.synchronize()
        return time.perf_counter()

    def leaves(self, shape: tuple[int, ...], dtype: str) -> Any:
        torch, kind = self.torch, getattr(self.torch, dtype)
        values = (0.5, 0.99, 0.01)
        return [torch.full(shape, v, dtype=kind, requires_grad=True) for v in values]

    def forward(self, x: Any, a: Any, b: Any, n: int) -> Any:
        sin, y = self.torch.sin, x
        for _ in range(n // 4):
            y = -sin(y * a + b)
        return y

    def chain(self, shape: tuple[int, ...], dtype: str, n: int = CHAIN) -> Callable[[], Any]:
        x, a, b = self.leaves(shape, dtype)
        seed = self.torch.ones(shape, dtype=x.dtype)

        def step() -> Any:
            y = self.forward(x, a, b, n)
            y.backward(seed)
            found = x.grad
            x.grad = a.grad = b.grad = None
            return found

        return step

    def arithmetic(self, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        """The chain with a subtraction where the sine was."""
        x, a, b = self.leaves(shape, dtype)
        seed = self.torch.ones(shape, dtype=x.dtype)

        def step() -> Any:
            y = x
            for _ in range(CHAIN // 4):
                y = -((y * a + b) - a)
            y.backward(seed)
            found = x.grad
            x.grad = a.grad = b.grad = None
            return found

        return step

    def second(self, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        x, a, b = self.leaves(shape, dtype)
        seed = self.torch.ones(shape, dtype=x.dtype)
        grad = self.torch.autograd.grad

        def step() -> Any:
            y = self.forward(x, a, b, CHAIN)
            (g,) = grad(y, (x,), seed, create_graph=True)
            return grad(g, (x, a, b), seed)[0]

        return step

    def kernel(self, name: str, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        """One function without gradients, a hundred times."""
        x = self.torch.full(shape, 0.5, dtype=getattr(self.torch, dtype))
        fn = getattr(self.torch, name)

        def step() -> Any:
            with self.torch.no_grad():
                for _ in range(100):
                    fn(x)

        return step

    def perceptron(self) -> Callable[[], Any]:
        import numpy as np

        torch, rng = self.torch, np.random.default_rng(0)

        def tensor(*shape: int, scale: float = 1.0) -> Any:
            values = (rng.standard_normal(shape) * scale).astype(np.float32)
            return torch.from_numpy(values).to(self.device)

        sizes = list(pairwise(LAYERS))
        weights = [tensor(m, n, scale=n**-0.5).requires_grad_() for n, m in sizes]
        biases = [tensor(m).requires_grad_() for _, m in sizes]
        x, target = tensor(BATCH, LAYERS[0]), tensor(BATCH, LAYERS[-1])
        functional = torch.nn.functional

        def step() -> Any:
            h = x
            for k, (w, b) in enumerate(zip(weights, biases, strict=True)):
                h = functional.linear(h, w, b)
                if k + 1 < len(sizes):
                    h = functional.relu(h)
            loss = functional.mse_loss(h, target)
            loss.backward()
            found = float(loss.detach())
            for p in weights + biases:
                p.grad = None
            return found

        return step

    def deep(self, n: int, wide: bool, collect: bool) -> tuple[float, float, float]:
        """CPU seconds for building, walking and releasing a graph of ``n`` nodes."""
        x, a, b = self.leaves((1,), "float64")
        clock = time.process_time
        gc.collect()
        if not collect:
            gc.disable()
        start = clock()
        if wide:
            h = y = x * a
            for _ in range(n):
                y = y + h
        else:
            y = self.forward(x, a, b, n)
        built = clock()
        y.backward(retain_graph=True)
        walked = clock()
        h = y = None
        done = clock()
        gc.enable()
        return built - start, walked - built, done - walked

    def cycles(self) -> str:
        """What is left of a large graph and of a second-order pass, without the collector."""
        gc.collect()
        gc.disable()
        x, a, b = self.leaves((1,), "float64")

        def work(n: int) -> None:
            y = self.forward(x, a, b, n)
            (g,) = self.torch.autograd.grad((y * a).exp(), (x,), create_graph=True)
            g.backward()

        work(1000)
        before = status("VmRSS")
        work(200_000)
        trim()
        left = (status("VmRSS") - before) / MIB
        found = gc.collect()
        gc.enable()
        return f"{found} objects for the collector, {left:.0f} MiB more than before"


class Hips:
    """HIPS autograd: gradients of functions."""

    def __init__(self, module: str) -> None:
        import autograd.numpy
        import numpy

        self.np = autograd.numpy
        self.plain = numpy
        from autograd import make_vjp

        self.make_vjp = make_vjp

    def leaves(self, shape: tuple[int, ...], dtype: str) -> Any:
        return [self.plain.full(shape, v, dtype) for v in (0.5, 0.99, 0.01)]

    def forward(self, x: Any, a: Any, b: Any) -> Any:
        sin, y = self.np.sin, x
        for _ in range(CHAIN // 4):
            y = -sin(y * a + b)
        return y

    def chain(self, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        leaves = self.leaves(shape, dtype)
        seed = self.plain.ones(shape, dtype)
        record = self.make_vjp(self.forward, (0, 1, 2))

        def step() -> Any:
            vjp, _ = record(*leaves)
            return vjp(seed)[0]

        return step

    def second(self, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        leaves = self.leaves(shape, dtype)
        seed = self.plain.ones(shape, dtype)
        inner = self.make_vjp(self.forward, 0)

        def first(x: Any, a: Any, b: Any) -> Any:
            vjp, _ = inner(x, a, b)
            return vjp(seed)

        record = self.make_vjp(first, (0, 1, 2))

        def step() -> Any:
            vjp, _ = record(*leaves)
            return vjp(seed)[0]

        return step

    def perceptron(self) -> Callable[[], Any]:
        weights, biases, x, target = numpy_perceptron(self.plain)
        np, count = self.np, len(weights)

        def loss(parameters: Any) -> Any:
            h = x
            for k in range(count):
                h = np.dot(h, parameters[k].T) + parameters[count + k]
                if k + 1 < count:
                    h = np.maximum(h, self.plain.float32(0))
            return np.mean((h - target) ** 2)

        record = self.make_vjp(loss)

        def step() -> Any:
            vjp, value = record(weights + biases)
            vjp(self.plain.float32(1))
            return value

        return step


class MyGrad:
    """MyGrad: tensors with a ``backward`` method; first order only."""

    def __init__(self, module: str) -> None:
        import mygrad
        import numpy

        self.mg = mygrad
        self.plain = numpy

    def chain(self, shape: tuple[int, ...], dtype: str) -> Callable[[], Any]:
        mg = self.mg
        x, a, b = [mg.tensor(self.plain.full(shape, v, dtype)) for v in (0.5, 0.99, 0.01)]
        seed = self.plain.ones(shape, dtype)

        def step() -> Any:
            sin, y = mg.sin, x
            for _ in range(CHAIN // 4):
                y = -sin(y * a + b)
            y.backward(seed)
            found = x.grad
            for leaf in (x, a, b):
                leaf.null_grad()
            return found

        return step

    def perceptron(self) -> Callable[[], Any]:
        mg = self.mg
        weights, biases, x, target = numpy_perceptron(self.plain)
        weights = [mg.tensor(w, copy=False) for w in weights]
        biases = [mg.tensor(b, copy=False) for b in biases]

        def step() -> Any:
            h = x
            for k, (w, b) in enumerate(zip(weights, biases, strict=True)):
                h = mg.matmul(h, w.T) + b
                if k + 1 < len(weights):
                    h = mg.maximum(h, self.plain.float32(0))
            loss = mg.mean((h - target) ** 2)
            loss.backward()
            found = float(loss)
            for p in weights + biases:
                p.null_grad()
            return found

        return step


def numpy_perceptron(np: Any) -> tuple[Any, ...]:
    """The arrays of the perceptron step."""
    rng = np.random.default_rng(0)
    sizes = list(pairwise(LAYERS))
    weights = [(rng.standard_normal((m, n)) * n**-0.5).astype(np.float32) for n, m in sizes]
    biases = [rng.standard_normal(m).astype(np.float32) for _, m in sizes]
    x = rng.standard_normal((BATCH, LAYERS[0])).astype(np.float32)
    return weights, biases, x, rng.standard_normal((BATCH, LAYERS[-1])).astype(np.float32)


def peak_memory(engine: Any) -> float:
    """MiB by which one perceptron step raises the resident set, the BLAS buffers being there."""
    import numpy as np

    step = engine.perceptron()
    big = np.ones((1024, 1024), np.float32)
    if isinstance(engine, TorchLike) and engine.torch.__name__ == "torch":
        t = engine.torch.from_numpy(big)
        for _ in range(2):
            t @ t
        del t
    for _ in range(2):
        big @ big
    del big
    gc.collect()
    trim()
    with open("/proc/self/clear_refs", "w") as reset:
        reset.write("5")
    before = status("VmRSS")
    step()
    return (status("VmHWM") - before) / MIB


def trim() -> None:
    """Give freed memory back to the system, so that the resident set shows what is held."""
    if LIBC is not None:
        LIBC.malloc_trim(0)


def status(field: str) -> int:
    """One figure of /proc/self/status, in bytes."""
    with open("/proc/self/status") as lines:
        for line in lines:
            if line.startswith(field):
                return int(line.split()[1]) * 1024
    raise KeyError(field)


# -- one process per engine ------------------------------------------------------------------------

ENGINES: dict[str, tuple[type, str]] = {
    "reference": (TorchLike, "gradspec.reference_impl"),
    "torch": (TorchLike, "torch"),
    "autograd": (Hips, "autograd"),
    "mygrad": (MyGrad, "mygrad"),
}


def serve(name: str, pipe: Any) -> None:
    """Prepare programs and run bursts of them, as the other end of the pipe asks."""
    kind, module = ENGINES[name]
    engine = kind(module)
    clock = getattr(engine, "clock", time.process_time)
    step: Any = None
    gc.collect()
    gc.freeze()
    while True:
        order, *arguments = pipe.recv()
        if order == "stop":
            return
        if order == "prepare":
            method, *rest = arguments
            step = getattr(engine, method, None)
            step = step and step(*rest)
            pipe.send(step is not None)
        elif order == "burst":
            step()
            count, start = 0, clock()
            while clock() - start < BURST or not count:
                step()
                count += 1
            pipe.send((clock() - start) / count)
        elif order == "memory":
            pipe.send(peak_memory(engine))
        else:
            method = getattr(engine, order, None)
            pipe.send(method and method(*arguments))


class Worker:
    """An engine's process."""

    def __init__(self, name: str) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, other = context.Pipe()
        self.process = context.Process(target=serve, args=(name, other), daemon=True)
        self.process.start()

    def ask(self, *order: Any) -> Any:
        """Send one order and wait for its answer."""
        self.pipe.send(order)
        return self.pipe.recv()

    def stop(self) -> None:
        """Let the process end."""
        self.pipe.send(("stop",))
        self.process.join()


# -- what is measured ------------------------------------------------------------------------------

TIMED: dict[str, tuple[tuple[Any, ...], int, dict[str, float]]] = {
    f"{order}-{shape[0]}-{dtype}": (
        (method, shape, dtype),
        CHAIN,
        {"torch": first if method == "chain" else 1.0}
        | ({"autograd": 1 / 3, "mygrad": 1 / 3} if shape == (1,) else {}),
    )
    for order, method in (("first", "chain"), ("second", "second"))
    for shape, first in (((1,), 1.0), ((1000,), 1.1))
    for dtype in ("float64", "float32")
} | {
    "arithmetic-1000-float64": (("arithmetic", (1000,), "float64"), CHAIN, {"torch": 1.1}),
    "perceptron": (("perceptron",), 1, {"torch": 1.3}),
    "sin-1000-float64": (("kernel", "sin", (1000,), "float64"), 100, {}),
    "cos-1000-float64": (("kernel", "cos", (1000,), "float64"), 100, {}),
}
"""Name -> (what to prepare, units per call, largest ratio reference / engine)."""

DEPTHS = (1_000, 10_000, 100_000, 1_000_000)
WIDTHS = (1_000, 10_000, 100_000)


def on_device(engines: list[str], device: str) -> dict[str, Worker]:
    """Processes of the engines that can work on a device; it is told why others cannot."""
    workers = {name: Worker(name) for name in engines}
    for name in engines if device != "cpu" else ():
        able = hasattr(ENGINES[name][0], "use")
        why = workers[name].ask("use", device) if able else "knows no devices"
        if why:
            print(f"{name} is left out on {device}: {why}", file=sys.stderr)
            workers.pop(name).stop()
    return workers


def timed(names: list[str], engines: list[str], rounds: int, device: str) -> None:
    """The table of times."""
    workers = on_device(engines, device)
    engines = list(workers)
    if not engines:
        sys.exit(f"no engine can work on {device}")
    print(f"\nmicroseconds ({'CPU' if device == 'cpu' else device} time, smallest of {rounds} "
          "rounds); ratios: median, of smallest")  # fmt: skip
    print(f"{'':<24}" + "".join(f"{e:>11}" for e in engines) + "   reference/engine [target]")
    for name in names:
        prepare, units, targets = TIMED[name]
        able = [e for e in engines if workers[e].ask("prepare", *prepare)]
        times: dict[str, list[float]] = {e: [] for e in able}
        for _ in range(rounds):
            for e in able:
                times[e].append(workers[e].ask("burst") / units * 1e6)
        line = f"{name:<24}"
        line += "".join(f"{min(times[e]):>11.2f}" if e in able else f"{'-':>11}" for e in engines)
        for e in able[1:]:
            pairs = zip(times[able[0]], times[e], strict=True)
            median = statistics.median(a / b for a, b in pairs)
            least = min(times[able[0]]) / min(times[e])
            line += f"   {e} {median:.2f} {least:.2f}"
            if e in targets and device == "cpu":
                met = max(median, least) <= targets[e]
                line += f" [{targets[e]:.2f}{'' if met else ' MISSED'}]"
        print(line, flush=True)
    for worker in workers.values():
        worker.stop()


def memory(engines: list[str]) -> None:
    """Peak memory of a perceptron step, each time in a fresh process."""
    print("\nperceptron: growth of the peak resident set in one step (MiB, median of 3 processes)")
    found = {}
    for e in engines:
        figures = []
        for _ in range(3):
            worker = Worker(e)
            figures.append(worker.ask("memory"))
            worker.stop()
        found[e] = statistics.median(figures)
    line = f"{'memory':<24}" + "".join(f"{found[e]:>11.1f}" for e in engines)
    if "torch" in found and "reference" in found:
        ratio = found["reference"] / found["torch"]
        line += f"   torch {ratio:.2f} [1.20{'' if ratio <= 1.2 else ' MISSED'}]"
    print(line, flush=True)


def depth(engines: list[str], sizes: tuple[int, ...], wide: bool) -> None:
    """Time per node of ever larger graphs."""
    what = "consumers of one tensor" if wide else "nodes in a chain"
    print(f"\n{what}: microseconds per node for building / backward / release (best of several)")
    for e in engines:
        if not hasattr(ENGINES[e][0], "deep"):
            continue
        worker = Worker(e)
        for collect in (False, True):
            rows = []
            for n in sizes:
                count = max(3, 100_000 // n)
                runs = [worker.ask("deep", n, wide, collect) for _ in range(count)]
                rows.append([min(column) / n * 1e6 for column in zip(*runs, strict=True)])
            label = f"{e}, collector {'on' if collect else 'off'}"
            for n, row in zip(sizes, rows, strict=True):
                parts = " ".join(f"{v:>6.2f}" for v in row)
                print(f"{label:<26}{n:>10,} {parts}  total {sum(row):>5.2f}", flush=True)
            totals = [sum(row) for row in rows]
            growth = max(totals) / min(totals)
            print(f"{label:<26} largest / smallest {growth:.2f} [1.50]", flush=True)
        worker.stop()


def cycles(engines: list[str]) -> None:
    """Reference cycles left behind by first and second order."""
    print("\nleft by 200,000 nodes and a second-order pass through them, collector off")
    for e in engines:
        if hasattr(ENGINES[e][0], "cycles"):
            worker = Worker(e)
            print(f"{e:<12} {worker.ask('cycles')}", flush=True)
            worker.stop()


def main() -> None:
    """Parse the command line and print the tables."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--rounds", type=int, default=30)
    parser.add_argument("--only", default="", help="part of a name: first, second, perceptron, "
                        "memory, deep, wide, cycles")  # fmt: skip
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--device", default="cpu", help="where tensors live: cpu, cuda, strict")
    options = parser.parse_args()
    for variable in THREADS:
        os.environ[variable] = "1"
    engines, versions = [], []
    for e in options.engines.split(","):
        try:
            versions.append(f"{e} {version(PACKAGES[e])}")
            engines.append(e)
        except PackageNotFoundError:
            print(f"{e}: not installed", file=sys.stderr)
    print(f"Python {platform.python_version()}, NumPy {version('numpy')}, {', '.join(versions)}; "
          f"{platform.machine()}, {os.cpu_count()} cores, one thread each")  # fmt: skip
    if names := [name for name in TIMED if options.only in name]:
        timed(names, engines, options.rounds, options.device)
    if options.device != "cpu":
        return
    parts: dict[str, Callable[[], None]] = {
        "memory": lambda: memory(engines),
        "deep": lambda: depth(engines, DEPTHS, False),
        "wide": lambda: depth(engines, WIDTHS, True),
        "cycles": lambda: cycles(engines),
    }
    for name, part in parts.items():
        if options.only in name:
            part()
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"\nlargest process: {peak:.0f} MiB")


if __name__ == "__main__":
    main()
