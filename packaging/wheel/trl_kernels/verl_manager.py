"""The reward manager of trl_kernels.verl. Importing it imports verl."""

from __future__ import annotations

import os
from typing import Any

from verl import DataProto
from verl.experimental.reward_loop.reward_manager import register
from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from trl_kernels.verl import async_client, row_of


@register("trl_kernels")
class KernelRewardManager(RewardManagerBase):
    """Asks the service for each answer's reward. `reward.reward_kwargs.reward` names one of its formulas."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any = None, **_: Any) -> None:
        super().__init__(config, tokenizer, compute_score)
        self.reward = (config.reward.get("reward_kwargs") or {}).get("reward") if config is not None else None

    async def run_single(self, data: DataProto) -> dict[str, Any]:
        """The reward of the last sequence of `data`, as verl's other managers do it.

        `responses` are token ids [1, response length], right of them padding that `attention_mask` [1, prompt + response length] leaves out.
        """
        item = data[-1:][0]
        tokens = item.batch["responses"]
        length = int(item.batch["attention_mask"][-tokens.shape[-1] :].sum())
        answer = self.tokenizer.decode(tokens[:length], skip_special_tokens=True)
        task = item.non_tensor_batch["reward_model"]["ground_truth"]
        row = row_of(await async_client(os.getpid()).reward(task, answer, reward=self.reward))
        return {"reward_score": row["score"], "reward_extra_info": row}
