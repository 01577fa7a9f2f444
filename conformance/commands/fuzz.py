"""`gradspec fuzz`: generated programs, compared with another engine or with finite differences."""

from __future__ import annotations

import json
import sys
import time
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from .shared import engine_options, explained, misuse, say, spec_option

if TYPE_CHECKING:
    from gradspec.spec.model import Spec

    from ..fuzzing.campaign import Campaign, Finding

ALONE = "itself"
PROFILES = {"quick": 6, "deep": 14}
"""Maximum number of statements in a program."""


@click.command("fuzz")
@engine_options
@click.option("--against", default="reference", show_default=True, metavar="NAME",
              help="The engine to compare with, or `itself`: compare derivatives with finite differences.")  # fmt: skip
@click.option("--seconds", type=click.FloatRange(min=0, min_open=True), help="How long to search.")
@click.option("--examples", type=click.IntRange(min=1), help="How many programs to run.")
@click.option("--seed", type=int, default=0, show_default=True, help="Seed of the first program.")
@click.option("--hypothesis-profile", "size", type=click.Choice(list(PROFILES)), default="quick",
              show_default=True, help="Short programs, or long ones.")  # fmt: skip
@click.option("--journal", type=click.Path(path_type=Path),
              help="File to write the findings to (default: results/fuzz-NAME.jsonl).")  # fmt: skip
@click.option("--resume", is_flag=True, help="Start with the findings of the journal.")
@click.option("--database", type=click.Path(path_type=Path), default=Path(".hypothesis/gradspec"),
              show_default=True, help="Folder in which Hypothesis keeps failing examples.")  # fmt: skip
@click.option("--scheduler", metavar="ADDRESS", help="Spread the search over a Dask cluster.")
@spec_option
def command(
    against: str,
    seconds: float | None,
    examples: int | None,
    seed: int,
    size: str,
    journal: Path | None,
    resume: bool,
    database: Path,
    scheduler: str | None,
    spec_root: Path | None,
    **options: Any,
) -> None:
    """Run generated programs on an engine.

    Draws programs of the specification's language, from the words that the engine has, and compares
    all visible state after every statement with the reference engine, or with another one
    (--against). Programs that differ are shrunk, and printed as a script, as a case for the
    specification, and as a fault. Findings do not affect any score. Without --seconds or --examples it
    runs 1,000 programs. Exit status 0 when nothing differs, 1 otherwise.
    """
    if seconds is None and examples is None:
        examples = 1000
    try:
        import hypothesis  # noqa: F401
    except ImportError:
        misuse("gradspec fuzz needs Hypothesis: pip install 'gradspec[fuzz]'")
    from ..fuzzing.campaign import Campaign, database_in
    from ..running.runner import Options, kinds_as_data, open_session

    with explained():
        session = open_session(Options(**options), spec_root.resolve() if spec_root else None)
        oracle = None
        if against != ALONE:
            from gradspec.adapters.framework.registry import open_engine

            oracle = open_engine(against, kinds=kinds_as_data(session.spec))
        names = (session.engine.identity.name, against)
        kept = database_in(database, names)
        campaign = Campaign(session.engine, oracle, PROFILES[size], kept)
    impl = options["impl"]
    path = journal or Path("results") / f"fuzz-{names[0].replace('/', '_')}.jsonl"
    writer = FindingsFile(path, session.spec, impl)
    with explained():
        earlier = writer.read() if resume else []
        writer.begin({"engine": names[0], "against": against, "seed": seed, "size": size})
    told = Telling(session.spec, impl, writer)
    begun = time.monotonic()
    for drawn in earlier:
        finding = campaign.again(drawn)
        if finding:
            told(finding)
    if scheduler:
        from ..fuzzing.cluster import search_on_cluster

        with explained():
            search_on_cluster(
                campaign, scheduler, impl, against, PROFILES[size], seconds, examples, seed, told
            )
    else:
        campaign.go(seconds, examples, seed, told)
    spent = time.monotonic() - begun
    writer.end({"programs": campaign.run, "seconds": round(spent, 1)})
    summary(campaign, spent, path)
    session.engine.close()
    sys.exit(1 if campaign.findings else 0)


class Telling:
    """Prints a finding, and writes it to the journal."""

    def __init__(self, spec: Spec, impl: str, writer: FindingsFile) -> None:
        self.spec, self.impl, self.writer = spec, impl, writer
        self.count: Counter[str] = Counter()

    def __call__(self, finding: Finding) -> None:
        from ..fuzzing import findings

        self.writer.write(finding)
        cause = findings.cause_of(finding)
        self.count[cause] += 1
        number = sum(self.count.values())
        say(f"--- {number}. {findings.sentence(finding)}")
        if self.count[cause] > 1:
            say("(as before)\n")
            say(findings.program_of(finding))
            return
        say("\nAs a script:\n")
        say(findings.script(finding, self.impl, self.spec))
        say("As a case, to be completed and confirmed:\n")
        say(findings.as_yaml(finding, number))
        say(f"As a fault: {findings.as_fault(finding)}\n")


class FindingsFile:
    """The journal of a search: a header, a line for each finding, a last line when it ended."""

    def __init__(self, path: Path, spec: Spec, impl: str) -> None:
        self.path, self.spec, self.impl = path, spec, impl

    def begin(self, header: dict[str, Any]) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        self.path.write_text(json.dumps({"gradspec-fuzz": 1, **header}) + "\n", "utf-8")

    def write(self, finding: Finding) -> None:
        from ..fuzzing.findings import as_data

        self._append(as_data(finding, self.spec, self.impl))

    def end(self, footer: dict[str, Any]) -> None:
        self._append(footer)

    def _append(self, line: dict[str, Any]) -> None:
        with self.path.open("a", encoding="utf-8") as file:
            file.write(json.dumps(line) + "\n")

    def read(self) -> list[Any]:
        """The programs that an earlier run found. Raises `ValueError` for a file of another kind."""
        from ..fuzzing.findings import drawn_from

        if not self.path.exists():
            return []
        found = []
        for number, text in enumerate(self.path.read_text("utf-8").splitlines(), start=1):
            try:
                line = json.loads(text)
            except ValueError:
                continue  # the last line of a run that was killed
            if number == 1 and not (isinstance(line, dict) and "gradspec-fuzz" in line):
                raise ValueError(f"{self.path} is not a journal of gradspec fuzz")
            if isinstance(line, dict) and "statements" in line:
                found.append(drawn_from(line))
        return found


def summary(campaign: Campaign, seconds: float, path: Path) -> None:
    """The last lines: how much was run, what was found."""
    from ..fuzzing.findings import cause_of

    causes = Counter(cause_of(finding) for finding in campaign.findings)
    rate = campaign.run / seconds if seconds else 0.0
    say(f"{campaign.run} programs in {seconds:.0f} s ({rate:.0f} a second)")
    left = sorted({template.table for template in campaign.templates})
    say(f"drawn from {len(campaign.templates)} statements that the engine has: {', '.join(left)}")
    if campaign.unsupported:
        say(f"{campaign.unsupported} programs used something that the engine lacks")
    if not campaign.findings:
        say("nothing differs")
        return
    further = sum(campaign.explained.values())
    say(
        f"{len(campaign.findings)} shrunk programs differ, by {len(causes)} causes; "
        f"{further} further programs contain their statements and differ in the same way"
    )
    for cause, count in causes.most_common():
        say(f"  {count:3}  {cause}")
    if campaign.muted:
        say(
            f"no longer looked at, because it differs too often: {', '.join(sorted(campaign.muted))}"
        )
    say(f"journal: {path}")
