"""Finds the texts of answers and prompts, in whichever form a trainer keeps them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from trl_kernels.records import Verdict


def text_of(completion: str | Sequence[Mapping[str, Any]]) -> str:
    """Returns the answer in a completion: the text itself, or the text of a conversation's last message."""
    if isinstance(completion, str):
        return completion
    content = completion[-1].get("content") if completion else ""
    if isinstance(content, str) or content is None:
        return content or ""
    return "".join(part.get("text") or "" for part in content)


def next_message(verdict: Verdict) -> str:
    """Returns the next message of a conversation for the author of a wrong answer: the verdict's reason and its
    message."""
    line = f" (line {verdict.row['line']} of the program)" if verdict.row.get("line") else ""
    why = f": {verdict.message}" if verdict.message else ""
    return f"The kernel isn't right. {verdict.reason}{line}{why}\nCorrect it, and answer with the whole program again."
