"""The client of `trl serve` for asyncio."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from trl_kernels.client import Client, Item, Json
from trl_kernels.records import Reward, Task, Verdict

Result = TypeVar("Result")


class AsyncClient:
    """Client's calls as coroutines. Each call waits in a thread of this object's own pool.

    At most `calls` calls wait at once; further calls queue. The thread of a cancelled call goes on, at most for the client's
    timeout. The arguments are the same as Client's.
    """

    def __init__(self, url: str | None = None, *, calls: int = 64, **options: Any) -> None:
        self.client = Client(url, **options)
        self._threads = ThreadPoolExecutor(calls, "trl_kernels")

    async def verify(self, task: str, answer: str, *, protocol: str = "exam") -> Verdict:
        return await self._in_thread(self.client.verify, task, answer, protocol=protocol)

    async def verify_batch(self, items: Sequence[Item], *, protocol: str = "exam") -> list[Verdict]:
        """Returns all verdicts, in the order of the items."""
        return await self._in_thread(lambda: _sorted(self.client.verify_batch(items, protocol=protocol)))

    async def reward(self, task: str, answer: str, *, reward: str | None = None, tokens: int | None = None) -> Reward:
        return await self._in_thread(self.client.reward, task, answer, reward=reward, tokens=tokens)

    async def rewards(self, items: Sequence[Item], *, reward: str | None = None) -> list[Reward]:
        """Returns all rewards, in the order of the items."""
        return await self._in_thread(lambda: _sorted(self.client.rewards(items, reward=reward)))

    async def tasks(self, suite: str | None = None, *, limit: int | None = None) -> list[Task]:
        return await self._in_thread(lambda: list(self.client.tasks(suite, limit=limit)))

    async def task(self, id: str) -> Task:
        return await self._in_thread(self.client.task, id)

    async def protocols(self) -> Json:
        return await self._in_thread(self.client.protocols)

    async def ready(self) -> bool:
        return await self._in_thread(self.client.ready)

    def close(self) -> None:
        """Ends the pool; calls that wait for a thread are cancelled."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def _in_thread(self, call: Callable[..., Result], *arguments: Any, **options: Any) -> Result:
        return await asyncio.get_running_loop().run_in_executor(self._threads, functools.partial(call, *arguments, **options))


def _sorted(records: Any) -> list[Any]:
    return sorted(records, key=lambda record: record.index)
