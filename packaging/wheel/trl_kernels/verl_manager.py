"""The reward manager of trl_kernels.verl. Importing it imports verl."""

from __future__ import annotations

from typing import Any

from verl import DataProto
from verl.experimental.reward_loop.reward_manager import register
from verl.experimental.reward_loop.reward_manager.base import RewardManagerBase

from trl_kernels.verl import compute_score_async


@register("trl_kernels")
class KernelRewardManager(RewardManagerBase):
    """Asks the service for each answer's reward. `reward.reward_kwargs` are the last arguments of `compute_score`."""

    def __init__(self, config: Any, tokenizer: Any, compute_score: Any = None, **_: Any) -> None:
        super().__init__(config, tokenizer, compute_score)
        self.options = dict(config.reward.get("reward_kwargs") or {})

    async def run_single(self, data: DataProto) -> dict[str, Any]:
        """Computes the reward of the last sequence of `data`, as verl's other managers do.

        `responses` are token ids [1, response length]. `attention_mask` [1, prompt + response length] leaves out the padding on
        their right.
        """
        item = data[-1:][0]
        tokens = item.batch["responses"]
        length = int(item.batch["attention_mask"][-tokens.shape[-1] :].sum())
        answer = self.tokenizer.decode(tokens[:length], skip_special_tokens=True)
        task = item.non_tensor_batch["reward_model"]["ground_truth"]
        row = await compute_score_async(solution_str=answer, ground_truth=task, **self.options)
        return {"reward_score": row["score"], "reward_extra_info": row}
