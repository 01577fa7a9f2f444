"""Checks a harness against adapters/PROTOCOL.md, rule by rule."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from gradspec.adapters.framework.channel import AnswerLate, Channel, ProcessDied, ProtocolError
from gradspec.adapters.framework.engine import EngineUnavailable
from gradspec.adapters.framework.process import ProcessEngine, read_observations
from gradspec.adapters.framework.registry import command_of
from gradspec.spec.load import load_spec
from gradspec.spec.model import Case, Spec

from ..judging.compare import Malformed, checked_tensor
from ..running.runner import kinds_as_data

Rule = tuple[str, str]  # the rule, and how it is broken ("" if it is kept)
PATIENCE = 30.0


def check_protocol(impl: str, device: str = "cpu") -> Iterator[Rule]:
    """Try each rule in turn. Raises `EngineUnavailable` when the harness does not start at all."""
    spec = load_spec()
    command = command_of(impl)
    engine = ProcessEngine(command, device=device, kinds=kinds_as_data(spec))
    try:
        yield "answers hello with protocol 1, its name, version, language and device", ""
        unknown = sorted((engine.identity.features or frozenset()) - spec.features.keys())
        yield (
            "declares only features that exist",
            f"unknown: {', '.join(unknown)}" if unknown else "",
        )
        yield from _programs(engine, spec)
    finally:
        engine.close()
    yield "exits with status 0 after bye", _ends(command, device, say_bye=True)
    yield "exits with status 0 at the end of its input", _ends(command, device, say_bye=False)


def _programs(engine: ProcessEngine, spec: Spec) -> Iterator[Rule]:
    cases = [case for case in spec.cases if _offered(engine, case)]
    yield (
        "can run at least one case",
        "" if cases else "no case needs only the features that it declares",
    )
    problems: list[str] = []
    answered = 0
    for case in cases[:200]:
        observations = engine.run(case.program, PATIENCE)
        end = observations.end
        if end.how in ("crash", "timeout"):
            problems.append(f"{case.id}: {end.how}, {end.message}")
            continue
        answered += 1
        for index, value in observations.observed:
            if not 0 <= index < len(case.expectations):
                problems.append(f"{case.id}: the observation {index} does not exist")
            problems += [f"{case.id}: {fault}" for fault in malformed(value)]
    yield f"answers each program once, in protocol ({answered} tried)", "; ".join(problems[:3])
    yield "answers unsupported for unknown words", _unknown_word(engine)


def _offered(engine: ProcessEngine, case: Case) -> bool:
    features = engine.identity.features
    return features is None or case.program.features <= features


def malformed(value: Any) -> list[str]:
    """The problems of a plain value, if any."""
    if value is None or isinstance(value, bool | int | float | str):
        return []
    if not isinstance(value, dict) or len(value) != 1:
        return [f"{str(value)[:80]} is not a plain value"]
    kind, content = next(iter(value.items()))
    if kind in ("list", "tuple", "pair"):
        return (
            [fault for item in content for fault in malformed(item)]
            if isinstance(content, list)
            else [f"{kind} does not contain a list"]
        )
    if kind == "tensor":
        try:
            checked_tensor(content)
        except Malformed as error:
            return [str(error)]
        return []
    known = ("number", "complex", "dict", "dtype", "node", "object", "ended", "warnings")
    return [] if kind in known else [f"{kind!r} is not a kind of plain value"]


def _unknown_word(engine: ProcessEngine) -> str:
    call = {"is": "call", "of": {"is": "word", "word": "no_such_word"}, "args": [], "keywords": {}}
    body = [{"do": "evaluate", "line": 1, "value": call}]
    if engine.channel is None:
        try:
            engine.start()
        except EngineUnavailable as error:
            return str(error)
    channel = engine.channel
    assert channel is not None
    engine.number += 1
    program = {
        "id": "protocol/unknown-word",
        "words": ["no_such_word"],
        "features": [],
        "body": body,
    }
    try:
        channel.send(
            {"ask": "run", "number": engine.number, "seconds": PATIENCE, "program": program},
            PATIENCE,
        )
        end = read_observations(channel.receive(PATIENCE), engine.number).end
    except (AnswerLate, ProcessDied, ProtocolError) as error:
        return str(error) or "no answer"
    return "" if end.how == "unsupported" else f"ended with {end.how}: {end.message}"


def _ends(command: list[str], device: str, say_bye: bool) -> str:
    channel = Channel(command)
    try:
        channel.send({"ask": "hello", "gradspec": 1, "device": device, "kinds": []}, PATIENCE)
        channel.receive(PATIENCE)
        if say_bye:
            channel.send({"ask": "bye"}, PATIENCE)
        elif channel.input is not None:
            channel.input.close()
        status = channel.process.wait(timeout=5.0)
        return "" if status == 0 else f"it exited with status {status}"
    except (AnswerLate, ProcessDied, ProtocolError) as error:
        return str(error) or "no answer"
    except Exception as error:
        return f"it kept running: {type(error).__name__}"
    finally:
        channel.kill()
