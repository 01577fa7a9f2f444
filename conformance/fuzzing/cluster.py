"""Spreads a search over the workers of a Dask cluster."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..running.cluster import connected
from .campaign import Campaign, Finding


def search_on_cluster(
    campaign: Campaign,
    address: str,
    impl: str,
    against: str,
    statements: int,
    seconds: float | None,
    examples: int | None,
    seed: int,
    told: Callable[[Finding], None],
) -> None:
    """Search on every worker with a seed of its own, and gather what they find: one finding for each
    set of statements. Each worker needs gradspec and the engine.

    Raises `ValueError` if Dask is not installed, and `OSError` if the cluster cannot be reached.
    """
    with connected(address) as client:
        threads = client.nthreads()
        workers = list(threads)
        share = None if examples is None else -(-examples // max(1, len(workers)))
        futures = [
            client.submit(
                search_alone,
                impl,
                against,
                statements,
                seconds,
                share,
                seed + 1_000_003 * number,
                workers=[worker],
                pure=False,
            )
            for number, worker in enumerate(workers)
        ]
        for future in futures:
            found, run, unsupported = future.result()
            campaign.run += run
            campaign.unsupported += unsupported
            for finding in found:
                if campaign.cause(finding.drawn, finding.divergence) is None:
                    campaign.findings.append(finding)
                    told(finding)


def search_alone(
    impl: str,
    against: str,
    statements: int,
    seconds: float | None,
    examples: int | None,
    seed: int,
) -> tuple[list[Finding], int, int]:
    """What one worker does: the findings, and how many programs were run and were unsupported."""
    from gradspec.adapters.framework.registry import open_engine
    from gradspec.spec.load import load_spec

    from ..running.runner import kinds_as_data

    kinds: Any = kinds_as_data(load_spec())
    engine = open_engine(impl, kinds=kinds)
    oracle = None if against == "itself" else open_engine(against, kinds=kinds)
    campaign = Campaign(engine, oracle, statements)
    campaign.go(seconds, examples, seed)
    engine.close()
    return campaign.findings, campaign.run, campaign.unsupported
