"""An environment for verifiers 0.4 (Prime Intellect), of which prime-rl trains.

    vf-eval trl-kernels --env.taskset.suite level1 --model … -n 5
or
    from trl_kernels.verifiers import load_environment
    environment = load_environment("level1", turns=3)

With `turns` above 1 an answer that isn't right is followed by a message with the verdict's reason, and the last answer is the one
rewarded. When the service can't be reached for the client's timeout, the episode fails and has no reward: `--env.retries` repeats it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import verifiers.v1 as vf

from trl_kernels.asynchronous import AsyncClient
from trl_kernels.client import Client
from trl_kernels.conversation import next_message
from trl_kernels.records import Reward

__all__ = ["KernelEnv", "KernelTaskset", "load_environment"]


class KernelData(vf.TaskData):
    task_id: str
    """The task's id at the service, such as "level1/7"."""


class KernelTask(vf.Task[KernelData]):
    """A task of the service. The environment scores it, since it asks for a verdict after each turn anyway."""


class KernelTasksetConfig(vf.TasksetConfig):
    suite: str | None = None
    """The suite whose tasks are loaded; all of the service's without one."""
    url: str | None = None
    """The service's address; TRL_SERVE_URL without one."""


class KernelTaskset(vf.Taskset[KernelTask, KernelTasksetConfig]):
    """The tasks of a suite that the service can judge."""

    def load(self) -> Iterator[KernelTask]:
        for task in Client(self.config.url).tasks(self.config.suite):
            if task.can_be_judged:
                yield KernelTask(KernelData(id=task.id, name=task.id, prompt=task.prompt, task_id=task.id), self.config.task)


class KernelEnvConfig(vf.EnvConfig):
    taskset: KernelTasksetConfig = KernelTasksetConfig(id="trl-kernels")
    writer: vf.AgentConfig = vf.AgentConfig(harness={"id": "null"}, runtime={"type": "subprocess"})
    """The model that writes kernels; it converses, has no tools and runs no code, so that it needs no container."""
    turns: int = 1
    """How many answers to one task the model may give."""
    reward: str | None = None
    """The name of one of the service's formulas; its only one without a name."""
    timeout_s: float = 300.0
    """The most seconds that one verification takes, all attempts together."""


class KernelEnv(vf.Env[KernelEnvConfig]):
    """Has the model answer and asks the service for the verdict. If the answer is wrong and turns are left, tells the
    model the reason."""

    async def start(self) -> None:
        self.client = AsyncClient(self.config.taskset.url, timeout=self.config.timeout_s)

    async def stop(self) -> None:
        if hasattr(self, "client"):
            self.client.close()

    async def run(self, task: vf.Task, agents: vf.Agents) -> None:
        last: Reward | None = None
        turns = 0
        async with agents.writer.interaction(task) as interaction:
            segment = await interaction.turn()
            while not segment.terminated:
                turns += 1
                last = await self.client.reward(task.data.task_id, segment.last_reply, reward=self.config.reward)
                if last.verdict.correct or turns >= self.config.turns:
                    break
                segment = await interaction.turn(next_message(last.verdict))
        self._record(interaction.trace, last, turns)

    def _record(self, trace: vf.Trace, last: Reward | None, turns: int) -> None:
        """Records the last verdict. Without any verdict it records nothing: what ended the model's run then is an
        error on the trace, and no wrong answer."""
        if last is None:
            return
        trace.record_reward("kernel_reward", last.value)
        trace.record_metric("correct", float(last.verdict.correct))
        trace.record_metric("turns", float(turns))
        trace.info["verdict"] = dict(last.verdict.row)


def load_environment(suite: str | None = None, *, turns: int = 1, reward: str | None = None, url: str | None = None, **options: Any) -> KernelEnv:
    """The environment over a suite's tasks; `options` are further fields of its configuration, such as `retries`."""
    taskset = {"id": "trl-kernels", "suite": suite, "url": url}
    return KernelEnv(KernelEnvConfig.model_validate({"taskset": taskset, "turns": turns, "reward": reward, **options}))
