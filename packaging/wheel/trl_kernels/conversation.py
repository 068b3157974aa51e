"""Texts of answers and prompts, whichever form a trainer keeps them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """The answer in a completion: the text itself, or that of the last message of a conversation."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text") or "" for part in content)


def feedback_of(reward: Any) -> str:
    """The next message after an answer that isn't right: the service's feedback, else the verdict's reason and message."""
    verdict = reward.verdict
    return reward.feedback or ": ".join(filter(None, (verdict.reason, verdict.message))) or "The answer isn't right."
