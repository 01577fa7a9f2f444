"""A run as a JUnit file, which CI services show as tests."""

from __future__ import annotations

import re
from collections.abc import Sequence
from xml.etree import ElementTree

from ..judging.verdict import FAILED, Verdict
from ..running.runner import Session
from ..text import printable
from .messages import explain

_NOT_XML = re.compile("[^\t\n\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit_of(session: Session, verdicts: Sequence[Verdict]) -> str:
    """The file: a test for each case, in the class of its behavior. As under pytest, what is unsupported,
    known to fail, or scored separately is skipped."""
    cases = {case.id: case for case in session.spec.cases}
    tests = ElementTree.Element("testsuite", name=f"gradspec {_xml(session.identity.name)}")
    counts = {"tests": 0, "failures": 0, "skipped": 0}
    for verdict in verdicts:
        behavior, _, name = verdict.case.partition("/")
        test = ElementTree.SubElement(
            tests, "testcase", classname=behavior, name=name, time=f"{verdict.seconds:.6f}"
        )
        counts["tests"] += 1
        message = _xml(verdict.reason if verdict.verdict == "known" else verdict.message)
        if verdict.verdict == "unexpected-pass" or (verdict.verdict in FAILED and verdict.must):
            counts["failures"] += 1
            found = ElementTree.SubElement(test, "failure", type=verdict.verdict, message=message)
            found.text = _xml(explain(cases[verdict.case], verdict, session.options.engine))
        elif verdict.verdict != "pass":
            counts["skipped"] += 1
            told = f"scored separately: {message}" if verdict.verdict in FAILED else message
            ElementTree.SubElement(test, "skipped", type=verdict.verdict, message=told)
    for key, count in {**counts, "errors": 0}.items():
        tests.set(key, str(count))
    tests.set("time", f"{sum(verdict.seconds for verdict in verdicts):.3f}")
    root = ElementTree.Element("testsuites")
    root.append(tests)
    ElementTree.indent(root)
    return ElementTree.tostring(root, encoding="unicode", xml_declaration=True) + "\n"


def _xml(text: str) -> str:
    """A text without what XML cannot hold."""
    return _NOT_XML.sub("?", printable(text))
