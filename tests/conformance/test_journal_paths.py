"""`--journal` destroys nothing: only a new file, an empty one or a journal is ever written to. Whatever
else it names is refused with one line and exit status 2, and stays as it was."""

from __future__ import annotations

import json
import os
import resource
import shutil
import socket
import stat
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from gradspec.conformance.judging.verdict import Verdict
from gradspec.conformance.running.journal import JournalError, read_journal
from gradspec.conformance.running.journal_writer import JournalWriter
from suite_kit import VERDICTS, environment, gradspec, run_pytest, verdicts_of

HEADER: dict[str, Any] = {
    "gradspec": 1, "version": "1", "engine": {"name": "e"}, "spec": {"cases": 3}, "options": {},
}  # fmt: skip


def fifo(path: Path) -> None:
    os.mkfifo(path)


def device(path: Path) -> None:
    try:
        os.mknod(path, stat.S_IFCHR | 0o666, os.makedev(1, 3))  # as /dev/null
    except PermissionError:
        pytest.skip("needs the right to make a device")


def local_socket(path: Path) -> None:
    os.chdir(path.parent)  # its whole path may be too long
    with socket.socket(socket.AF_UNIX) as made:
        made.bind(path.name)


def link_to_fifo(path: Path) -> None:
    os.mkfifo(path.with_name("fifo"))
    path.symlink_to("fifo")


def link_to_a_text(path: Path) -> None:
    path.with_name("text").write_text("my diary\n")
    path.symlink_to("text")


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


def text(path: Path) -> None:
    path.write_text("my diary\nline two\n")


def report(path: Path) -> None:
    path.write_text('{\n "gradspec": 1,\n "engines": []\n}\n')


def array(path: Path) -> None:
    path.write_text('["gradspec", "engine"]\n')


def nested(path: Path) -> None:
    path.write_text("[" * 100_000 + "\n")


def binary(path: Path) -> None:
    path.write_bytes(bytes(range(256)) * 40)


def one_long_line(path: Path) -> None:
    path.write_bytes(b'{"gradspec": 1, "engine": {}, "' + b"x" * (2 << 20))


def notes_after_a_journal(path: Path) -> None:
    path.write_text(json.dumps(HEADER) + "\nmy precious notes\n")


def journal_of_another_format(path: Path) -> None:
    path.write_text(json.dumps({**HEADER, "gradspec": 99}) + "\n")


def torn_header(path: Path) -> None:
    path.write_text('{"gradspec": 1, "engi')


REFUSED: list[Callable[[Path], None]] = [
    Path.mkdir, fifo, device, local_socket, link_to_fifo, link_to_a_text, link_to_itself, text,
    report, array, nested, binary, one_long_line, torn_header,
    notes_after_a_journal, journal_of_another_format,
]  # fmt: skip


def seen(folder: Path) -> dict[str, tuple[int, bytes]]:
    """What stands in a folder: the kind of each entry, and of files and links what they hold."""
    found = {}
    for path in sorted(folder.iterdir()):
        status = path.lstat()
        content = b""
        if stat.S_ISLNK(status.st_mode):
            content = os.fsencode(os.readlink(path))
        elif stat.S_ISREG(status.st_mode):
            content = path.read_bytes()
        found[path.name] = (stat.S_IFMT(status.st_mode), content)
    return found


@pytest.mark.parametrize("resume", [False, True])
@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_what_is_no_journal_stays_as_it_was(
    make: Callable[[Path], None], resume: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "run.jsonl"
    make(path)
    before = seen(tmp_path)
    with pytest.raises(JournalError) as raised:
        JournalWriter(path, HEADER, resume)
    assert str(tmp_path) in str(raised.value)
    assert "\n" not in str(raised.value)
    assert seen(tmp_path) == before


@pytest.mark.parametrize("front", ["command", "pytest"])
@pytest.mark.parametrize(
    ("make", "name", "told"),
    [
        (fifo, "run.jsonl", "is not a regular file"),
        (Path.mkdir, "run.jsonl", "is a folder"),
        (text, "run.jsonl", "is not a journal, and is left as it is"),
        (link_to_fifo, "run.jsonl", "is not a regular file"),
        (None, "x" * 300, "File name too long"),
        (text, "run.jsonl/run.jsonl", "its folder is a file"),
    ],
)
def test_both_fronts_say_so_in_a_line(
    front: str, make: Callable[[Path], None] | None, name: str, told: str, tiny_spec: Path,
    tmp_path: Path,
) -> None:  # fmt: skip
    """Not through a FIFO either, which a run that opened it would wait for."""
    if make is not None:
        make(tmp_path / "run.jsonl")
    arguments = ("--impl=module:honest", f"--spec={tiny_spec}", f"--journal={name}")
    command = front == "command"
    found = (
        gradspec("run", *arguments, cwd=tmp_path)
        if command
        else run_pytest(*arguments, cwd=tmp_path)
    )
    said = found.stdout + found.stderr
    assert found.returncode == 2, said
    assert told in said
    assert "Traceback" not in said
    lines = [line for line in said.splitlines() if "run.jsonl" in line or "xxx" in line]
    assert len(lines) == 1
    assert not list(tmp_path.glob("*.running"))


def test_a_link_to_a_journal_is_followed_and_stays_a_link(tmp_path: Path) -> None:
    header = {**HEADER, "spec": {}}
    (tmp_path / "today.jsonl").write_text(json.dumps(header) + "\n")
    for name, target in (("link", "today.jsonl"), ("dangling", "new.jsonl")):
        (tmp_path / name).symlink_to(target)
        writer = JournalWriter(tmp_path / name, header)
        writer.write(Verdict("a.b/c", "pass"))
        writer.finish(1)
        assert (tmp_path / name).is_symlink()
        assert read_journal(tmp_path / target).complete
        again = JournalWriter(tmp_path / name, header, resume=True)
        again.write(Verdict("a.b/d", "pass"))
        again.finish(2)
        assert (tmp_path / name).is_symlink()
        assert len(read_journal(tmp_path / target).verdicts) == 2


def test_a_journal_is_not_executable(tmp_path: Path) -> None:
    for resume in (False, True):
        writer = JournalWriter(tmp_path / "j.jsonl", HEADER, resume)
        writer.write(Verdict(f"a.b/{resume}", "pass"))
        writer.finish(1)
        assert not (tmp_path / "j.jsonl").stat().st_mode & 0o111


def test_a_name_that_no_file_can_have(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="null"):
        JournalWriter(tmp_path / "a\0b", HEADER)


def test_whatever_an_engine_calls_itself_its_journal_has_a_name() -> None:
    from gradspec.adapters.framework.engine import Identity
    from gradspec.conformance.running.journal import journal_path

    for name in ("../../etc/passwd", "a\0b", "x" * 5000, "", "...", "\n\x1b[2J", "~/x", "é" * 400):
        path = journal_path(Identity(name, "1", device=name))
        assert path.parent == Path("results")
        assert len(os.fsencode(path.name)) < 250
        assert path.name.isprintable()
        assert not path.name.startswith(".")


def test_nothing_is_written_where_nothing_is_run(tiny_spec: Path, tmp_path: Path) -> None:
    """A selection without a match leaves an earlier journal alone, and says so."""
    arguments = ("--impl=module:honest", f"--spec={tiny_spec}", "--journal=run.jsonl")
    gradspec("run", *arguments, cwd=tmp_path)
    before = (tmp_path / "run.jsonl").read_bytes()
    found = gradspec("run", *arguments, "-k", "nowhere", cwd=tmp_path)
    assert found.returncode == 2
    assert "no case's id contains 'nowhere'" in found.stderr
    found = run_pytest(*arguments, "-k", "nowhere", cwd=tmp_path)
    assert found.returncode == 5
    assert "no case was selected" in found.stdout
    assert (tmp_path / "run.jsonl").read_bytes() == before


# --- two runs ---


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_the_second_of_two_runs_is_refused(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    """And the first goes on undisturbed; once it is over the journal is free again."""
    code = (
        "import sys\n"
        "from pathlib import Path\n"
        "from gradspec.conformance.running.journal_writer import JournalWriter\n"
        "from gradspec.conformance.judging.verdict import Verdict\n"
        f"writer = JournalWriter(Path('run.jsonl'), {HEADER!r})\n"
        "writer.begin('a.b/c')\n"
        "print('begun', flush=True)\n"
        "input()\n"
        "writer.write(Verdict('a.b/c', 'pass'))\n"
        "writer.finish(1)\n"
    )
    first = subprocess.Popen(
        [sys.executable, "-c", code], cwd=tmp_path, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert first.stdout is not None
    assert first.stdout.readline() == b"begun\n"
    arguments = ("--impl=module:honest", f"--spec={tiny_spec}", "--journal=run.jsonl")
    for more in ((), ("--resume",)):
        if front == "command":
            found = gradspec("run", *arguments, *more, cwd=tmp_path)
        else:
            found = run_pytest(*arguments, *more, cwd=tmp_path)
        assert found.returncode == 2
        assert "is being written by another run" in found.stdout + found.stderr
    first.communicate(b"\n", timeout=20)
    assert [item.case for item in read_journal(tmp_path / "run.jsonl").verdicts] == ["a.b/c"]
    assert gradspec("run", *arguments, cwd=tmp_path).returncode == 1
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


# --- in the middle of a run ---

VANISHES = """
import os, shutil
from honest import *
import honest

def tensor(values, requires_grad=False):
    if values == [666.0]:
        shutil.rmtree("gone")
    return honest.tensor(values, requires_grad)
"""


def cut_short(front: str, cwd: Path, spec: Path, limit: int | None, *more: str) -> tuple[int, str]:
    """The exit status and the output of a run in which files may have so many bytes at most."""

    def confine() -> None:
        if limit is not None:
            resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    (cwd / "pytest.ini").write_text("[pytest]\n", "utf-8")
    (cwd / "vanishes.py").write_text(VANISHES, "utf-8")
    from suite_kit import SUITE

    command = ["-m", "gradspec.conformance.cli", "run"]
    if front == "pytest":
        command = ["-m", "pytest", str(SUITE), "-c", "pytest.ini", "--rootdir", ".",
                   "-p", "no:cacheprovider", "--capture=no"]  # fmt: skip
    found = subprocess.run(
        [sys.executable, "-B", *command, f"--spec={spec}", *more],
        cwd=cwd, env=environment(), capture_output=True, text=True, timeout=60, check=False,
        stdin=subprocess.DEVNULL, preexec_fn=confine,
    )  # fmt: skip
    return found.returncode, found.stdout + found.stderr


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_full_disk_is_reported_as_such(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    """What was written stays a journal that can be resumed, and nothing else is left behind."""
    status, said = cut_short(
        front, tmp_path, tiny_spec, 1500, "--impl=module:honest", "--journal=run.jsonl"
    )
    assert status == 1
    assert "cannot be written: File too large; the run ends after" in said
    assert "Traceback" not in said
    journal = read_journal(tmp_path / "run.jsonl")
    assert 0 < len(journal.verdicts) < len(VERDICTS)
    assert not journal.complete
    assert (tmp_path / "run.jsonl").read_bytes().endswith(b"\n")
    assert not list(tmp_path.glob("run.jsonl?*")) + list(tmp_path.glob(".run*"))
    gradspec("run", "--impl=module:honest", f"--spec={tiny_spec}", "--journal=run.jsonl", "--resume",
             cwd=tmp_path)  # fmt: skip
    assert verdicts_of(read_journal(tmp_path / "run.jsonl")) == VERDICTS


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_disk_that_is_full_from_the_start(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    status, said = cut_short(
        front, tmp_path, tiny_spec, 100, "--impl=module:honest", "--journal=run.jsonl"
    )
    assert status == 1
    assert "cannot be written: File too large" in said
    assert not list(tmp_path.glob("run.jsonl*"))


@pytest.mark.parametrize("front", ["command", "pytest"])
def test_a_vanished_folder_is_reported_as_such(front: str, tiny_spec: Path, tmp_path: Path) -> None:
    status, said = cut_short(
        front, tmp_path, tiny_spec, None, "--impl=module:vanishes", "--journal=gone/run.jsonl"
    )
    assert status == 1
    assert "cannot be written: No such file or directory; the run ends after" in said
    assert "Traceback" not in said
    assert not (tmp_path / "gone").exists()


def test_an_engine_that_puts_something_else_in_the_place_of_the_journal(tmp_path: Path) -> None:
    """What stands there then is not destroyed; what was closed is opened again."""
    for strange in (fifo, text, Path.mkdir):
        folder = tmp_path / strange.__name__
        folder.mkdir()
        writer = JournalWriter(folder / "j.jsonl", HEADER)
        writer.write(Verdict("a.b/c", "pass"))
        (folder / "j.jsonl").unlink()
        strange(folder / "j.jsonl")
        before = seen(folder)
        with pytest.raises(JournalError, match=r"j\.jsonl"):
            writer.write(Verdict("a.b/d", "pass"))
        writer.close()
        del before["j.jsonl.running"]
        assert seen(folder) == before
        shutil.rmtree(folder)
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    writer.write(Verdict("a.b/c", "pass"))
    os.close(writer.file)
    with (tmp_path / "other").open("wb") as other:  # which gets the number that was free
        writer.write(Verdict("a.b/d", "pass"))
        writer.finish(2)
        other.write(b"still mine")
    assert (tmp_path / "other").read_bytes() == b"still mine"
    assert len(read_journal(tmp_path / "j.jsonl").verdicts) == 2


def test_a_case_that_does_not_always_pass_does_not_pass(tmp_path: Path) -> None:
    """Every case has one verdict in a journal, whoever runs it how often."""
    writer = JournalWriter(tmp_path / "j.jsonl", HEADER)
    for name in ("pass", "fail", "pass"):
        writer.write(Verdict("a.b/c", name))  # type: ignore[arg-type]
    writer.finish(1)
    assert [item.verdict for item in read_journal(tmp_path / "j.jsonl").verdicts] == ["fail"]
