"""Texts of answers and prompts, whichever form a trainer keeps them in."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trl_kernels.records import Verdict


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """The answer in a completion: the text itself, or that of the last message of a conversation."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text") or "" for part in content)


def next_message(verdict: Verdict) -> str:
    """What the author of a wrong answer is told, as the next message of a conversation: the verdict's reason, and what it says."""
    line = f" (line {verdict.row['line']} of the program)" if verdict.row.get("line") else ""
    why = f": {verdict.message}" if verdict.message else ""
    return f"The kernel isn't right. {verdict.reason}{line}{why}\nCorrect it, and answer with the whole program again."
