"""Ways for an engine to misbehave. A lie is called where the tensor of 666 is made; it may return
another tensor in place of the honest one."""

from __future__ import annotations

import ctypes
import gc
import io
import os
import signal
import sys
import threading
import time
import warnings
from collections.abc import Callable
from typing import Any

import honest

Lie = Callable[[honest.Tensor], Any]
LIES: dict[str, Lie] = {}


def lie(function: Lie) -> Lie:
    LIES[function.__name__] = function
    return function


# --- leaving ---


@lie
def exits_with_0(made: honest.Tensor) -> None:
    os._exit(0)


@lie
def exits_with_3(made: honest.Tensor) -> None:
    os._exit(3)


@lie
def calls_sys_exit(made: honest.Tensor) -> None:
    sys.exit(0)


@lie
def raises_system_exit(made: honest.Tensor) -> None:
    raise SystemExit("enough")


@lie
def raises_keyboard_interrupt(made: honest.Tensor) -> None:
    raise KeyboardInterrupt


@lie
def raises_base_exception(made: honest.Tensor) -> None:
    raise BaseException("neither error nor exit")


@lie
def raises_generator_exit(made: honest.Tensor) -> None:
    raise GeneratorExit


@lie
def reads_null(made: honest.Tensor) -> None:
    ctypes.string_at(0)


@lie
def kills_itself(made: honest.Tensor) -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@lie
def aborts(made: honest.Tensor) -> None:
    os.abort()


@lie
def runs_out_of_memory(made: honest.Tensor) -> None:
    made.kept = []
    while True:
        made.kept.append(bytearray(16 << 20))


@lie
def hoards_memory(made: honest.Tensor) -> None:
    """Leaves nothing to the cases that come after it."""
    HOARD.append(bytearray(150 << 20))
    raise MemoryError("no more")


HOARD: list[bytearray] = []


# --- hanging ---


@lie
def loops(made: honest.Tensor) -> None:
    while True:
        pass


@lie
def loops_in_a_hook(made: honest.Tensor) -> None:
    made.register_hook(lambda gradient: loops(made))


@lie
def waits_for_a_lock(made: honest.Tensor) -> None:
    lock = threading.Lock()
    lock.acquire()
    lock.acquire()


@lie
def swallows_the_timeout(made: honest.Tensor) -> None:
    try:
        loops(made)
    except BaseException:
        loops(made)


@lie
def never_gives_up(made: honest.Tensor) -> None:
    while True:
        try:
            loops(made)
        except BaseException:
            continue


@lie
def is_deaf(made: honest.Tensor) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    time.sleep(60)


@lie
def sleeps(made: honest.Tensor) -> None:
    time.sleep(60)


# --- talking ---


@lie
def prints(made: honest.Tensor) -> None:
    print('{"answer": "run", "number": 1}')
    sys.stdout.flush()


@lie
def writes_to_standard_output(made: honest.Tensor) -> None:
    os.write(1, b"junk\n")


@lie
def prints_from_c(made: honest.Tensor) -> None:
    library = ctypes.CDLL(None)
    library.puts(b"junk from C")
    library.fflush(None)


@lie
def closes_standard_output(made: honest.Tensor) -> None:
    sys.stdout.close()
    os.close(1)


@lie
def writes_to_every_pipe(made: honest.Tensor) -> None:
    for number in range(3, 20):
        try:
            os.write(number, b"junk\n")
        except OSError:
            continue


@lie
def writes_half_a_line(made: honest.Tensor) -> None:
    for number in range(3, 20):
        try:
            os.write(number, b'{"answer":')
        except OSError:
            continue
    os._exit(0)


# --- wrong values ---


class Changed(honest.Tensor):
    """A tensor whose gradient says something that is not so."""

    def __init__(self, made: honest.Tensor, **says: Any) -> None:
        super().__init__(made.values, made.requires_grad)
        self.__dict__["says"] = says

    def receive(self, gradient: list[float]) -> None:
        kind = type("Tensor", (honest.Tensor,), self.__dict__["says"])
        self.grad = kind(gradient)


@lie
def lies_about_the_shape(made: honest.Tensor) -> Any:
    return Changed(made, shape=(2, 3))


@lie
def gives_a_negative_shape(made: honest.Tensor) -> Any:
    return Changed(made, shape=(-1, -1), detach=lambda self: self)


@lie
def gives_a_shape_of_floats(made: honest.Tensor) -> Any:
    return Changed(made, shape=(1.0,), detach=lambda self: self)


@lie
def gives_a_shape_of_objects(made: honest.Tensor) -> Any:
    return Changed(made, shape=(object(),), detach=lambda self: self)


@lie
def lies_about_the_dtype(made: honest.Tensor) -> Any:
    return Changed(made, dtype="int64", detach=lambda self: self)


@lie
def gives_nan(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [float("nan")], detach=lambda self: self)


@lie
def gives_a_number_beyond_all_floats(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [10**400], detach=lambda self: self)


@lie
def gives_objects(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [object()], detach=lambda self: self)


@lie
def gives_a_list_within_itself(made: honest.Tensor) -> Any:
    endless: list[Any] = []
    endless.append(endless)
    return Changed(made, tolist=lambda self: endless, detach=lambda self: self)


@lie
def gives_much(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [1.0] * 300_000, detach=lambda self: self)


# --- strange errors ---


class Unprintable(RuntimeError):
    def __str__(self) -> str:
        raise RuntimeError("no text")


@lie
def raises_what_cannot_be_printed(made: honest.Tensor) -> None:
    raise Unprintable


@lie
def raises_half_a_character(made: honest.Tensor) -> None:
    raise RuntimeError("half \ud800 and \x1b[31m and \0")


@lie
def raises_markup(made: honest.Tensor) -> None:
    raise RuntimeError("<script>alert('gradspec')</script> | `x`\n|")


@lie
def raises_a_long_message(made: honest.Tensor) -> None:
    raise RuntimeError("no " * 3_000_000)


@lie
def recurses(made: honest.Tensor) -> None:
    recurses(made)


@lie
def cannot_be_asked(made: honest.Tensor) -> Any:
    """A tensor that raises whatever it is asked for."""

    class Tensor(honest.Tensor):
        def __getattribute__(self, name: str) -> Any:
            raise OSError(f"no {name}")

    return Tensor.__new__(Tensor)


# --- traces left behind ---


@lie
def changes_the_folder(made: honest.Tensor) -> None:
    os.chdir("/")


@lie
def replaces_standard_output(made: honest.Tensor) -> None:
    sys.stdout = io.StringIO()
    sys.stderr = io.StringIO()


@lie
def turns_warnings_into_errors(made: honest.Tensor) -> None:
    warnings.simplefilter("error")
    warnings.showwarning = None


@lie
def lowers_the_recursion_limit(made: honest.Tensor) -> None:
    sys.setrecursionlimit(200)


@lie
def takes_the_signals(made: honest.Tensor) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_IGN)
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@lie
def stops_collecting(made: honest.Tensor) -> None:
    gc.disable()


@lie
def forgets_its_module(made: honest.Tensor) -> None:
    sys.modules.pop("honest", None)
    sys.modules.pop("lies", None)


@lie
def forks(made: honest.Tensor) -> None:
    """The child goes on with the program, as its parent does."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        os.fork()


@lie
def forks_a_child_that_stays(made: honest.Tensor) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if os.fork() == 0:
            os.setsid()
            time.sleep(5)
            os._exit(0)


@lie
def starts_a_thread_that_stays(made: honest.Tensor) -> None:
    threading.Thread(target=time.sleep, args=(60,)).start()


@lie
def writes_to_the_journal(made: honest.Tensor) -> None:
    path = os.environ["LIARS_JOURNAL"]
    with open(path, "a", encoding="utf-8") as file:
        file.write('{"case": "tiny.departs/a-leaf-keeps-its-place", "verdict": "pass"}\nju')


@lie
def removes_the_journal(made: honest.Tensor) -> None:
    os.unlink(os.environ["LIARS_JOURNAL"])


@lie
def empties_the_journal(made: honest.Tensor) -> None:
    os.truncate(os.environ["LIARS_JOURNAL"], 0)
