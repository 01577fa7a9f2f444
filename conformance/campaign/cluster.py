"""Puts the engines of a campaign on the workers of a Dask cluster, each on one of them.

A worker needs gradspec, and installs the engine itself. It need not share a file system: half-run
journals are sent to it, and what it wrote comes back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from ..running.cluster import connected, dask
from .campaign import Audience, Result, Silence, carry_out
from .runs import Job

Files = dict[str, bytes]


def on_cluster(
    address: str, jobs: Sequence[Job], audience: Audience, only_install: bool, again: bool
) -> Iterator[Result]:
    """The results of a campaign, as they come. Raises `ValueError` without Dask, and `OSError` if the
    cluster cannot be reached."""
    with connected(address) as client:
        futures = {}
        for job in jobs:
            audience.begin(job.entry.name, "sent to the cluster")
            future = client.submit(
                on_worker, job, files_of(job), only_install, again, pure=False, retries=0
            )
            futures[future] = job
        for future in dask().as_completed(futures):
            job = futures[future]
            try:
                result, files = future.result()
                put(files, job.folder, anew=True)
            except Exception as error:  # the worker was lost, or has another version of gradspec
                why = f"its worker failed: {type(error).__name__}: {error}"
                result = Result(job.entry.name, "not run", why)
            audience.end(result)
            yield result


def on_worker(job: Job, files: Files, only_install: bool, again: bool) -> tuple[Result, Files]:
    """What a worker does: the result, and the files that it wrote."""
    put(files, job.folder, anew=False)
    result = carry_out(job, Silence(), only_install, again)
    return result, files_of(job)


def files_of(job: Job) -> Files:
    """The journal of an engine, its record and its logs, as far as they are there."""
    files: Files = {}
    for path in (job.journal, job.record, job.run_log, job.install_log):
        with suppress(OSError):
            files[str(path.relative_to(job.folder))] = path.read_bytes()
    return files


def put(files: Files, folder: Path, anew: bool) -> None:
    """Write files that came from elsewhere; unless `anew`, those that are there stay."""
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if anew or not path.exists():
            path.write_bytes(content)
