"""An environment for OpenEnv: `reset` gives a task, `step` takes an answer and gives its verdict. Server and client.

    python -m trl_kernels.openenv --suite level1 --turns 3        # serves the environment; TRL_SERVE_URL names the verifier

    from trl_kernels.openenv import KernelAction, KernelEnv
    with KernelEnv("http://127.0.0.1:8000").sync() as environment:
        task = environment.reset().observation
        result = environment.step(KernelAction(answer=…))

A step for which the service can't be reached fails with an error at the client, and changes nothing: it can be tried again.
"""

from __future__ import annotations

import argparse
import functools
import random
import uuid
from typing import Any

from openenv.core import EnvClient
from openenv.core.client_types import StepResult
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, EnvironmentMetadata, Observation, State
from pydantic import Field

from trl_kernels.client import Client
from trl_kernels.conversation import next_message
from trl_kernels.records import Task


class KernelAction(Action):
    answer: str = Field(description="A model's answer: text with the program of a kernel in it")


class KernelObservation(Observation):
    task: str = Field(default="", description="The task's id, such as level1/7")
    prompt: str = Field(default="", description="The task, as a model is given it")
    feedback: str = Field(default="", description="Why the last answer wasn't right; empty before the first answer and after a right one")
    correct: bool | None = Field(default=None, description="Whether the last answer was right; nothing before the first one")
    verdict: dict[str, Any] = Field(default_factory=dict, description="The service's row of the verdict")


class KernelState(State):
    task: str = ""
    turns: int = 1
    best_reward: float | None = None


class KernelEnvironment(Environment[KernelAction, KernelObservation, KernelState]):
    """Episodes of up to `turns` answers to one task; a right answer ends it. `reset(task=…)` names a task, else `seed` draws one."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, suite: str | None = None, turns: int = 1, reward: str | None = None, client: Client | None = None) -> None:
        super().__init__()
        self.client = client or Client()
        self.suite, self.turns, self.reward = suite, turns, reward
        self._task: Task | None = None
        self._over = False
        self._state = KernelState(turns=turns)

    def reset(self, seed: int | None = None, episode_id: str | None = None, task: str | None = None, **_: Any) -> KernelObservation:
        self._task = self.client.task(task) if task else self._drawn(seed)
        self._over = False
        self._state = KernelState(episode_id=episode_id or str(uuid.uuid4()), task=self._task.id, turns=self.turns)
        return KernelObservation(task=self._task.id, prompt=self._task.prompt)

    def step(self, action: KernelAction, timeout_s: float | None = None, **_: Any) -> KernelObservation:
        if self._task is None:
            raise RuntimeError("there is no task yet: call reset() before step()")
        if self._over:
            raise RuntimeError("this episode is over: call reset() before the next step()")
        reward = self.client.reward(self._task.id, action.answer, reward=self.reward)
        correct = reward.verdict.correct
        self._state.step_count += 1
        self._over = correct or self._state.step_count >= self.turns
        best = self._state.best_reward
        self._state.best_reward = reward.value if best is None else max(best, reward.value)
        return KernelObservation(
            task=self._task.id,
            prompt=self._task.prompt,
            feedback="" if correct else next_message(reward.verdict),
            correct=correct,
            verdict=dict(reward.verdict.row),
            reward=reward.value,
            done=self._over,
        )

    @property
    def state(self) -> KernelState:
        return self._state

    def get_metadata(self) -> EnvironmentMetadata:
        return EnvironmentMetadata(name="trl_kernels", description="Tasks of writing GPU kernels, judged by trl's verifier", version="1")

    def _drawn(self, seed: int | None) -> Task:
        tasks = [task for task in self.client.tasks(self.suite) if task.can_be_judged]
        if not tasks:
            raise RuntimeError(f"the service has no task of suite {self.suite!r} that it can judge")
        return random.Random(seed).choice(tasks)


class KernelEnv(EnvClient[KernelAction, KernelObservation, KernelState]):
    """The client of a server of KernelEnvironment. It is used as `async with KernelEnv(url)`, or
    as `with KernelEnv(url).sync()`."""

    def __init__(self, base_url: str | None = None, message_timeout_s: float = 360.0, **options: Any) -> None:
        super().__init__(base_url=base_url, message_timeout_s=message_timeout_s, **options)

    def _step_payload(self, action: KernelAction) -> dict[str, Any]:
        return {"answer": action.answer}

    def _parse_result(self, payload: dict[str, Any]) -> StepResult[KernelObservation]:
        reward, done = payload.get("reward"), bool(payload.get("done"))
        fields = {**payload.get("observation", {}), "reward": reward, "done": done}
        return StepResult(observation=KernelObservation(**fields), reward=reward, done=done)

    def _parse_state(self, payload: dict[str, Any]) -> KernelState:
        return KernelState(**payload)


def make_app(suite: str | None = None, turns: int = 1, reward: str | None = None, sessions: int = 64) -> Any:
    """Returns the server's application, for uvicorn or another ASGI server. Each session has its own environment."""
    environment = functools.partial(KernelEnvironment, suite, turns, reward)
    return create_fastapi_app(environment, KernelAction, KernelObservation, max_concurrent_envs=sessions, state_cls=KernelState)


def main() -> None:
    import uvicorn

    parser = argparse.ArgumentParser(prog="python -m trl_kernels.openenv", description="Serves the verifier's tasks as an OpenEnv environment.")
    parser.add_argument("--suite", help="the suite whose tasks are drawn; all of the service's without one")
    parser.add_argument("--turns", type=int, default=1, help="how many answers an episode may have")
    parser.add_argument("--reward", help="the name of one of the service's formulas")
    parser.add_argument("--sessions", type=int, default=64, help="how many episodes may run at once")
    parser.add_argument("--host", default="127.0.0.1")
    parser.add_argument("--port", type=int, default=8000)
    options = parser.parse_args()
    app = make_app(options.suite, options.turns, options.reward, options.sessions)
    uvicorn.run(app, host=options.host, port=options.port, log_level="warning")


if __name__ == "__main__":
    main()
