"""In verl's environment: verl's loaders find our functions and our manager, and the service's absence is an error and no score."""

import asyncio
import os

import numpy
import torch
from omegaconf import OmegaConf
from verl import DataProto
from verl.trainer.ppo.reward import load_reward_manager

import trl_kernels
from trl_kernels import Client
from trl_kernels.verl import KernelRewardManager, prompts

MANAGER = {"reward_manager": {"source": "importlib", "name": "KernelRewardManager", "module": {"path": "pkg://trl_kernels.verl"}}}
NAIVE = {"reward_manager": {"source": "register", "name": "naive"}}


class Words:
    """A tokenizer with one token, whose text no program is."""

    def decode(self, ids, skip_special_tokens):
        return " ".join("word" for _ in ids)


def function(name):
    return NAIVE | {"custom_reward_function": {"path": "pkg://trl_kernels.verl", "name": name, "reward_kwargs": {"reward": "reinforce"}}}


def rows(task):
    return DataProto.from_dict(
        tensors={"prompts": torch.ones(1, 2, dtype=torch.long), "responses": torch.tensor([[1, 1, 0]]), "attention_mask": torch.tensor([[1, 1, 1, 1, 0]])},
        non_tensors={name: numpy.array([value], dtype=object) for name, value in
                     {"data_source": "test", "reward_model": {"ground_truth": task}, "extra_info": {}}.items()},
    )  # fmt: skip


def score(reward):
    manager = load_reward_manager(OmegaConf.create({"reward": reward}), Words())
    return manager.loop.run_until_complete(manager.run_single(rows("level1/1")))


def main():
    for reward in (MANAGER, MANAGER | {"reward_kwargs": {"reward": "reinforce"}}, function("compute_score"), function("compute_score_async")):
        scored = score(reward)
        assert scored["reward_score"] == 0 and scored["reward_extra_info"]["reason"] == "syntax_error", scored
    assert prompts("level1")[0]["reward_model"]["ground_truth"] == "level1/1"
    # The manager's client is that of this process.
    from trl_kernels import verl

    asynchronous = verl.async_client(os.getpid())
    asynchronous.client = Client("http://127.0.0.1:9", timeout=0.2)
    try:
        asyncio.new_event_loop().run_until_complete(KernelRewardManager(OmegaConf.create({"reward": {}}), Words(), None).run_single(rows("level1/1")))
        raise AssertionError("a service that can't be reached gave a score")
    except trl_kernels.Unavailable as error:
        print("verl's managers: as expected;", str(error)[:60])


main()
