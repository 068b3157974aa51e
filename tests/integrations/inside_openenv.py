"""In OpenEnv's environment: what its client sees of our server, in and out of order, and two sessions at once.

    inside_openenv.py URL [away]      # away: the verifier fails once
"""

import sys

from relu_answers import RIGHT
from openenv import GenericEnvClient

from trl_kernels.openenv import KernelAction, KernelEnv, KernelEnvironment

URL = sys.argv[1]


def absent():
    """A step without a verdict is an error and changes nothing; the same step then has its reward."""
    with KernelEnv(URL).sync() as one:
        one.reset(task="level1/1")
        try:
            one.step(KernelAction(answer="right"))
            raise AssertionError("a verifier that is away gave a reward")
        except RuntimeError as error:
            assert "draining" in str(error), error
        assert one.state().step_count == 0
        assert one.step(KernelAction(answer="right")).reward == 1
    print("OpenEnv's client without the service: as expected")


def present():
    with KernelEnv(URL).sync() as one, KernelEnv(URL).sync() as other:
        assert one.reset(seed=3).observation.task == other.reset(seed=3).observation.task, "a seed draws one task"
        first = one.reset(task="level1/1", episode_id="mine")
        assert first.observation.task == "level1/1" and "relu" in first.observation.prompt and first.reward is None and not first.done
        other.reset(task="level1/2")
        step = one.step(KernelAction(answer="no program"))
        assert step.reward == 0 and not step.done and step.observation.correct is False, step
        assert step.observation.feedback.startswith("The kernel isn't right. syntax_error"), step
        assert (one.state().episode_id, one.state().task, one.state().step_count, other.state().step_count) == ("mine", "level1/1", 1, 0)
        one.step(KernelAction(answer="no program"))
        assert one.step(KernelAction(answer="no program")).done
        for session, answer, why in ((one, "more", "episode is over"), (other, "x", None)):
            try:
                session.step(KernelAction(answer=answer))
                assert why is None
            except RuntimeError as error:
                assert why and why in str(error), error
        try:
            one.reset(task="level9/9")
            raise AssertionError("an unknown task was reset to")
        except RuntimeError as error:
            assert "unknown_task" in str(error), error
        one.reset(task="level1/1")
        right = one.step(KernelAction(answer=RIGHT))
        assert right.done and right.reward > 0.7 and right.observation.correct and not right.observation.feedback, right
    with GenericEnvClient(base_url=URL).sync() as generic:
        assert generic.reset(task="level1/1").observation["task"] == "level1/1"
        assert generic.step({"answer": "no program"}).reward == 0
    assert KernelEnvironment("level1").reset(seed=1).task.startswith("level1/")
    print("OpenEnv's clients: as expected")


absent() if sys.argv[2:] else present()
