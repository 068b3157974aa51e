"""The service's replies as frozen records. The `row` of each record holds the whole JSON object."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from trl_kernels.errors import Unjudged


@dataclass(frozen=True)
class Verdict:
    """The verdict on one answer. `speedup` is the reference's time divided by the answer's; None if nothing was
    timed."""

    task: str
    correct: bool
    reason: str
    message: str
    speedup: float | None
    id: str | None
    index: int
    row: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of(row: Mapping[str, Any]) -> Verdict:
        return Verdict(
            task=str(row.get("task", "")),
            correct=bool(row["correct"]),
            reason=str(row.get("reason") or ""),
            message=str(row.get("message") or ""),
            speedup=row.get("speedup"),
            id=row.get("id"),
            index=int(row.get("index", 0)),
            row=row,
        )


@dataclass(frozen=True)
class Reward:
    """The reward of one answer: `value` is the formula's value, `parts` has the values of the formula's parts by their text.

    `feedback` is the text of the next message to the answer's author; None after a right answer.
    """

    value: float
    parts: Mapping[str, Any]
    verdict: Verdict
    feedback: str | None
    id: str | None
    index: int
    row: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of(row: Mapping[str, Any]) -> Reward:
        """Reads a row. Raises Unjudged if the service says that the answer has no reward because it couldn't be
        judged."""
        verdict = Verdict.of(row["verdict"])
        if row["reward"] is None:
            raise Unjudged(f"an answer to {verdict.task} couldn't be judged ({verdict.reason}): {verdict.message}")
        return Reward(
            value=float(row["reward"]),
            parts=row.get("parts") or {},
            verdict=verdict,
            feedback=row.get("feedback"),
            id=row.get("id"),
            index=int(row.get("index", 0)),
            row=row,
        )


@dataclass(frozen=True)
class Task:
    """A task of the service. `prompt` is the text that a model gets. `why` says why the service can't judge answers to
    the task."""

    id: str
    suite: str
    prompt: str
    can_be_judged: bool
    why: str
    row: Mapping[str, Any] = field(repr=False)

    @staticmethod
    def of(row: Mapping[str, Any]) -> Task:
        return Task(
            id=str(row["id"]),
            suite=str(row.get("suite", "")),
            prompt=str(row.get("prompt", "")),
            can_be_judged=bool(row.get("can_be_judged", True)),
            why=str(row.get("why") or ""),
            row=row,
        )
