"""A reward function for the GRPOTrainer of Hugging Face's TRL, and for its other trainers that take `reward_funcs`.

    from trl_kernels.hf_trl import prompts, reward_func
    train_dataset = datasets.Dataset.from_list(prompts("level1"))
    GRPOTrainer(model=…, reward_funcs=reward_func, train_dataset=train_dataset, args=…)

An answer for which no verdict came gets None, which the trainer takes for "no reward": its advantage is zero, and it counts in no mean.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from trl_kernels.client import Client
from trl_kernels.conversation import text_of
from trl_kernels.errors import Unavailable, Unjudged, VerifierError

log = logging.getLogger("trl_kernels")


class KernelReward:
    """A reward function: the column `task` of the dataset names each answer's task, and one request carries a batch.

    `reward` is the name of one of the service's formulas, or None for its only one. After `patience` calls in a row in which no answer at
    all got a verdict, the error ends the training, since steps without rewards teach nothing. Metrics of the trainer's log:
    `kernels/correct` and `kernels/unjudged`, shares of a batch.
    """

    def __init__(self, client: Client | None = None, *, reward: str | None = None, patience: int = 3) -> None:
        self.client = client
        self.reward = reward
        self.patience = patience
        self.__name__ = "kernel_reward"
        self._calls_without = 0

    def __call__(
        self,
        completions: Sequence[Any],
        task: Sequence[str] | None = None,
        completion_ids: Sequence[Sequence[int]] | None = None,
        **context: Any,
    ) -> list[float | None]:
        if task is None:
            raise ValueError("the dataset lacks the column `task`, such as \"level1/7\"; trl_kernels.hf_trl.prompts(SUITE) makes such rows")
        self.client = self.client or Client()
        rewards: list[Any] = [None] * len(completions)
        try:
            for reward in self.client.rewards(_items(task, completions, completion_ids), reward=self.reward):
                rewards[reward.index] = reward
        except (Unavailable, Unjudged) as error:
            self._note_absence(rewards, error)
        else:
            self._calls_without = 0
        self._report(rewards, context)
        return [reward and reward.value for reward in rewards]

    def _note_absence(self, rewards: Sequence[Any], error: VerifierError) -> None:
        self._calls_without = 0 if any(rewards) else self._calls_without + 1
        if self._calls_without >= self.patience:
            raise error
        log.error("%d of %d answers get no reward: %s", rewards.count(None), len(rewards), error)

    def _report(self, rewards: Sequence[Any], context: Mapping[str, Any]) -> None:
        """Writes shares and reasons to the trainer's log, if the trainer's version has functions for that."""
        judged = [reward for reward in rewards if reward]
        log_metric: Callable[[str, float], None] | None = context.get("log_metric")
        if log_metric and rewards:
            log_metric("kernels/unjudged", 1 - len(judged) / len(rewards))
            if judged:
                log_metric("kernels/correct", sum(reward.verdict.correct for reward in judged) / len(judged))
        log_extra: Callable[[str, list[str]], None] | None = context.get("log_extra")
        if log_extra:
            log_extra("reason", [_word(reward) for reward in rewards])


def _items(task: Sequence[str], completions: Sequence[Any], completion_ids: Sequence[Sequence[int]] | None) -> list[dict[str, Any]]:
    """Returns the items for the service, with the answers' lengths if the trainer passes them."""
    items = [{"task": one, "answer": text_of(completion)} for one, completion in zip(task, completions)]
    return [{**item, "tokens": len(ids)} for item, ids in zip(items, completion_ids)] if completion_ids is not None else items


def _word(reward: Any) -> str:
    if not reward:
        return "no verdict"
    return "correct" if reward.verdict.correct else reward.verdict.reason


# Reads TRL_SERVE_URL and TRL_SERVE_TOKEN at the first call.
reward_func = KernelReward()


def prompts(suite: str | None = None, *, limit: int | None = None, client: Client | None = None) -> list[dict[str, Any]]:
    """Rows of a dataset: the tasks of a suite that the service can judge, as conversations of one message, with the column `task`."""
    return [
        {"prompt": [{"role": "user", "content": task.prompt}], "task": task.id}
        for task in (client or Client()).tasks(suite, limit=limit)
        if task.can_be_judged
    ]
