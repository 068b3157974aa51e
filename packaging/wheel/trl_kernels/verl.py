"""Rewards for verl: a function for `custom_reward_function`, and a reward manager for `reward_manager`.

    reward.custom_reward_function.path=pkg://trl_kernels.verl  reward.custom_reward_function.name=compute_score
or
    reward.reward_manager.source=importlib  reward.reward_manager.name=KernelRewardManager
    reward.reward_manager.module.path=pkg://trl_kernels.verl

A row's `reward_model.ground_truth` names its task. verl knows no absent reward, so Unavailable ends the training when the service
can't be reached for the client's timeout; it goes on from its last checkpoint (`trainer.resume_mode=auto`). An answer that has no
verdict since the verifier failed over it, and it alone, gets `unjudged` of `reward_kwargs`; without that it raises Unjudged.
"""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any

from trl_kernels.asynchronous import AsyncClient
from trl_kernels.client import Client
from trl_kernels.errors import Unjudged
from trl_kernels.records import Reward

if TYPE_CHECKING:
    from trl_kernels.verl_manager import KernelRewardManager as KernelRewardManager


@functools.cache
def _client(process: int) -> Client:
    """Returns a client for this process. Each process has its own, since verl forks."""
    return Client()


@functools.cache
def async_client(process: int) -> AsyncClient:
    """Returns an asynchronous client for this process. Each process has its own, since a pool's threads don't survive a
    fork."""
    return AsyncClient()


def row_of(reward: Reward) -> dict[str, Any]:
    """Returns the row that verl logs for an answer. All rows have the same keys, and each value is a number or a text,
    as verl's arrays require."""
    verdict = reward.verdict
    return {
        "score": reward.value,
        "acc": float(verdict.correct),
        "speedup": float(verdict.speedup or 0.0),
        "reason": "correct" if verdict.correct else verdict.reason,
    }


def unjudged_row(unjudged: float | None, error: Unjudged) -> dict[str, Any]:
    """Returns the row of an answer without a verdict, if a score for such answers was chosen; else raises the error."""
    if unjudged is None:
        raise error
    return {"score": float(unjudged), "acc": 0.0, "speedup": 0.0, "reason": "no verdict"}


def compute_score(
    data_source: Any = None,
    solution_str: str = "",
    ground_truth: str = "",
    extra_info: Any = None,
    *,
    reward: str | None = None,
    unjudged: float | None = None,
    **_: Any,
) -> dict[str, Any]:
    """The reward of one answer to the task `ground_truth`; `reward` of `reward_kwargs` names one of the service's formulas."""
    try:
        return row_of(_client(os.getpid()).reward(ground_truth, solution_str, reward=reward))
    except Unjudged as error:
        return unjudged_row(unjudged, error)


async def compute_score_async(
    data_source: Any = None,
    solution_str: str = "",
    ground_truth: str = "",
    extra_info: Any = None,
    *,
    reward: str | None = None,
    unjudged: float | None = None,
    **_: Any,
) -> dict[str, Any]:
    """The same as compute_score for verl's reward loop, which then waits for 64 answers at once in each of its
    workers."""
    try:
        return row_of(await async_client(os.getpid()).reward(ground_truth, solution_str, reward=reward))
    except Unjudged as error:
        return unjudged_row(unjudged, error)


def prompts(suite: str | None = None, *, split: str = "train", limit: int | None = None, client: Client | None = None) -> list[dict[str, Any]]:
    """Rows of verl's parquet files: the tasks of a suite that the service can judge."""
    return [
        {
            "data_source": f"trl_kernels/{task.suite}",
            "prompt": [{"role": "user", "content": task.prompt}],
            "ability": "kernels",
            "reward_model": {"style": "rule", "ground_truth": task.id},
            "extra_info": {"split": split, "index": index},
        }
        for index, task in enumerate((client or Client()).tasks(suite, limit=limit))
        if task.can_be_judged
    ]


def __getattr__(name: str) -> Any:
    if name == "KernelRewardManager":
        from trl_kernels.verl_manager import KernelRewardManager

        return KernelRewardManager
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
