"""Ways for an engine to misbehave. A lie is called where the tensor of 666 is made; it may return
another tensor in place of the honest one."""

from __future__ import annotations

import _thread
import atexit
import ctypes
import gc
import io
import os
import resource
import signal
import subprocess
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


@lie
def raises_what_exits_when_it_is_printed(made: honest.Tensor) -> None:
    class Last(BaseException):
        def __str__(self) -> str:
            sys.exit(0)

        __repr__ = __str__

    raise Last


@lie
def raises_what_exits_when_it_is_named(made: honest.Tensor) -> None:
    class Kind(type):
        def __getattribute__(cls, name: str) -> Any:
            if name in ("__name__", "__qualname__", "__module__", "__mro__"):
                sys.exit(0)
            return super().__getattribute__(name)

    class Last(BaseException, metaclass=Kind):
        pass

    raise Last


@lie
def raises_what_interrupts_when_it_is_printed(made: honest.Tensor) -> None:
    class Last(BaseException):
        def __str__(self) -> str:
            raise KeyboardInterrupt

    raise Last


@lie
def interrupts_the_main_thread(made: honest.Tensor) -> None:
    _thread.interrupt_main()
    time.sleep(0.1)


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


# --- leaving by other doors ---


@lie
def exits_in_a_thread(made: honest.Tensor) -> None:
    thread = threading.Thread(target=os._exit, args=(0,))
    thread.start()
    thread.join()


@lie
def exits_in_a_finalizer(made: honest.Tensor) -> None:
    class Last:
        def __del__(self) -> None:
            os._exit(0)

    Last()


@lie
def becomes_another_program(made: honest.Tensor) -> None:
    os.execv("/bin/true", ["true"])


@lie
def arranges_to_exit_with_0(made: honest.Tensor) -> None:
    atexit.register(os._exit, 0)


@lie
def stops_the_clock(made: honest.Tensor) -> None:
    signal.setitimer(signal.ITIMER_REAL, 0)
    loops(made)


# --- more wrong values and strange errors ---


class Agreeing(float):
    """A number that is equal to everything."""

    def __eq__(self, other: object) -> bool:
        return True

    __hash__ = float.__hash__


@lie
def gives_numbers_that_agree_with_everything(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [Agreeing(7.0)], detach=lambda self: self)


@lie
def gives_text_for_numbers(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: ["2.0"], detach=lambda self: self)


@lie
def gives_truth_for_numbers(made: honest.Tensor) -> Any:
    return Changed(made, tolist=lambda self: [True], detach=lambda self: self)


@lie
def gives_a_shape_beyond_all_memory(made: honest.Tensor) -> Any:
    return Changed(made, shape=(10**18,), detach=lambda self: self)


@lie
def raises_escapes(made: honest.Tensor) -> None:
    raise RuntimeError("\x1b]0;owned\x07\x1b[2J\x9b31m \u202egnp.exe\r\n\v# heading")


@lie
def raises_a_group(made: honest.Tensor) -> None:
    raise ExceptionGroup("several", [ValueError("one"), KeyError("two")])


@lie
def raises_what_has_no_name(made: honest.Tensor) -> None:
    raise type("", (RuntimeError,), {"__module__": None})("who am I")


@lie
def has_a_dtype_that_cannot_be_shown(made: honest.Tensor) -> Any:
    class Shy:
        def __str__(self) -> str:
            raise OSError("no")

        __repr__ = __str__

    return Changed(made, dtype=Shy(), detach=lambda self: self)


@lie
def raises_from_itself(made: honest.Tensor) -> None:
    error = RuntimeError("in a circle")
    error.__cause__ = error
    raise error


# --- more traces left behind ---


@lie
def raises_when_it_is_freed(made: honest.Tensor) -> None:
    class Sore:
        def __del__(self) -> None:
            raise RuntimeError("freed")

    Sore()


@lie
def raises_in_a_thread(made: honest.Tensor) -> None:
    def fail() -> None:
        raise RuntimeError("in a thread")

    thread = threading.Thread(target=fail)
    thread.start()
    thread.join()


@lie
def starts_a_program_that_stays(made: honest.Tensor) -> None:
    subprocess.Popen([sys.executable, "-S", "-c", "import time; time.sleep(60)"])


@lie
def starts_a_daemon(made: honest.Tensor) -> None:
    """A grandchild in a session of its own, whose parent is gone."""
    code = "import os, time\nif os.fork() == 0:\n    os.setsid()\n    time.sleep(60)\n"
    subprocess.run([sys.executable, "-S", "-c", code], check=True)


@lie
def clears_the_environment(made: honest.Tensor) -> None:
    os.environ.clear()


@lie
def floods_standard_error(made: honest.Tensor) -> None:
    for _ in range(200):
        os.write(2, b"never mind\n" * 10_000)


@lie
def closes_every_file(made: honest.Tensor) -> None:
    os.closerange(0, 256)


@lie
def forbids_more_files(made: honest.Tensor) -> None:
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, 0))


@lie
def deafens_itself_to_the_end(made: honest.Tensor) -> None:
    for number in (signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


# --- what one case may take from the cases after it ---


@lie
def blocks_the_alarm(made: honest.Tensor) -> None:
    signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGALRM})
    signal.setitimer(signal.ITIMER_REAL, 0)
    loops(made)


@lie
def deafens_python(made: honest.Tensor) -> None:
    """Every signal is blocked, but the interpreter goes on."""
    signal.pthread_sigmask(signal.SIG_BLOCK, set(signal.Signals))
    loops(made)


@lie
def puts_every_handler_back(made: honest.Tensor) -> None:
    """To the system's own, which for most signals is to end the process."""
    for number in signal.valid_signals() - {signal.SIGKILL, signal.SIGSTOP}:
        signal.signal(number, signal.SIG_DFL)
    loops(made)


@lie
def exits_by_a_timer(made: honest.Tensor) -> None:
    """Later: the case that sets it is through before."""
    for timer, number in (
        (signal.ITIMER_REAL, signal.SIGALRM),
        (signal.ITIMER_VIRTUAL, signal.SIGVTALRM),
    ):
        signal.signal(number, lambda *_: sys.exit(0))
        signal.setitimer(timer, 0.05, 0.001)


@lie
def exits_by_a_signal_of_a_thread(made: honest.Tensor) -> None:
    signal.signal(signal.SIGUSR1, lambda *_: sys.exit(0))
    signal.signal(signal.SIGRTMIN, lambda *_: sys.exit(0))

    def disturb() -> None:
        time.sleep(0.3)  # until this case is through
        for _ in range(20):
            time.sleep(0.002)
            os.kill(os.getpid(), signal.SIGUSR1)
            os.kill(os.getpid(), signal.SIGRTMIN)

    threading.Thread(target=disturb, daemon=True).start()


@lie
def collects_all_the_time(made: honest.Tensor) -> None:
    """And raises whenever it does."""

    def fail(phase: str, info: Any) -> None:
        raise RuntimeError("in a collection")

    gc.callbacks.append(fail)
    gc.set_threshold(1)


@lie
def closes_its_streams(made: honest.Tensor) -> None:
    for stream in (sys.stdout, sys.stderr):
        stream.close()
        with stream:
            pass


@lie
def lowers_the_limits(made: honest.Tensor) -> None:
    """Of open files and of their size."""
    for limit in (resource.RLIMIT_NOFILE, resource.RLIMIT_FSIZE):
        resource.setrlimit(limit, (1, resource.getrlimit(limit)[1]))
