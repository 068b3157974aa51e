"""The client of `trl serve`.

    from trl_kernels import Client
    reward = Client().reward("level1/7", answer)
    print(reward.value, reward.verdict.reason, reward.feedback)
"""

from __future__ import annotations

import http.client
import json
import os
import ssl
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from trl_kernels.deadline import Deadline
from trl_kernels.errors import Unavailable, Unjudged
from trl_kernels.records import Reward, Task, Verdict
from trl_kernels.replies import BROKEN, Batch, Temporary, error_of, words
from trl_kernels.retry import Retries
from trl_kernels.transport import exchange, lines

DEFAULT_URL = "http://127.0.0.1:8008"
# The most answers in one request. The service accepts, and remembers, four times as many.
MOST_ANSWERS = 1024

Record = TypeVar("Record", Verdict, Reward)
Json = Mapping[str, Any]
# An answer as a pair of its task and its text, or an object {"task", "answer", "tokens", "prompt"}.
# `tokens` is the answer's length, which some formulas use.
Item = tuple[str, str] | Json


class Client:
    """Asks the service for verdicts and rewards. It holds no connection, so that it can be shared by threads and forked or pickled.

    `url` and `token` default to TRL_SERVE_URL and TRL_SERVE_TOKEN. `timeout` is the most seconds that a call waits for a verdict, all
    attempts together; after them it raises Unavailable. In a batch they begin anew with each verdict that comes. `deadline_s` is the
    most that the service spends on one answer, its own limit if None.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        timeout: float = 300.0,
        deadline_s: float | None = None,
        retries: Callable[[float], Retries] = Retries,
    ) -> None:
        self.url = (url or os.environ.get("TRL_SERVE_URL") or DEFAULT_URL).rstrip("/")
        base = urllib.parse.urlsplit(self.url)
        if base.scheme not in ("http", "https") or not base.hostname:
            raise ValueError(f"{self.url!r} isn't the address of a service, such as {DEFAULT_URL}")
        self.token = token if token is not None else os.environ.get("TRL_SERVE_TOKEN")
        self.timeout = timeout
        self.deadline_s = deadline_s
        self._retries = retries

    def verify(self, task: str, answer: str, *, protocol: str = "exam") -> Verdict:
        """The verdict on one answer."""
        return Verdict.of(self._ask("/v1/verify", self._body(_item((task, answer)), protocol=protocol)))

    def verify_batch(self, items: Sequence[Item], *, protocol: str = "exam") -> Iterator[Verdict]:
        """The verdicts on pairs of task and answer, as they come: `index` says of which pair. One request carries all of them.

        Raises Unavailable at the end if some never came, and Unjudged if some can't be judged; those that came were yielded before.
        """
        return self._batch("/v1/verify", items, Verdict.of, protocol=protocol)

    def reward(self, task: str, answer: str, *, reward: str | None = None, tokens: int | None = None) -> Reward:
        """The reward of one answer by the service's formula that has the name `reward`; without a name, by its only
        formula. Raises Unjudged if the answer has no reward."""
        return Reward.of(self._ask("/v1/reward", self._body(_item((task, answer)), reward=reward, tokens=tokens)))

    def rewards(self, items: Sequence[Item], *, reward: str | None = None) -> Iterator[Reward]:
        """The rewards of pairs of task and answer, yielded as `verify_batch` yields verdicts."""
        return self._batch("/v1/reward", items, Reward.of, reward=reward)

    def tasks(self, suite: str | None = None, *, limit: int | None = None) -> Iterator[Task]:
        """The service's tasks, or the tasks of one suite; at most `limit` of them."""
        query: dict[str, str] = {"suite": suite} if suite else {}
        left = limit
        while left is None or left > 0:
            page = self._ask("/v1/tasks?" + urllib.parse.urlencode(query | ({"limit": str(left)} if left else {})))
            for row in page["tasks"]:
                yield Task.of(row)
            if left is not None:
                left -= len(page["tasks"])
            if not page.get("next"):
                return
            query["after"] = page["next"]

    def task(self, id: str) -> Task:
        """One task, such as "level1/7"."""
        return Task.of(self._ask("/v1/tasks/" + urllib.parse.quote(id)))

    def protocols(self) -> Json:
        """Returns {"protocols", "rewards", "deadline_s"}: the service's protocols and the formulas of its rewards, both
        by name, and the service's own deadline in seconds."""
        return self._ask("/v1/protocols")

    def ready(self) -> bool:
        """Whether the service can be reached and accepts answers now. Asks it once, and waits at most ten seconds."""
        try:
            with exchange(self.url, "GET", "/readyz", self._headers(None), None, Deadline(min(10.0, self.timeout))) as response:
                return response.status == 200
        except (OSError, http.client.HTTPException):
            return False

    def _body(self, what: Json, **options: Any) -> dict[str, Any]:
        given = {name: value for name, value in options.items() if value is not None}
        return {**what, **given, **({} if self.deadline_s is None else {"deadline_s": self.deadline_s})}

    def _headers(self, key: str | None) -> dict[str, str]:
        headers = {"Content-Type": "application/json", "Connection": "close"}
        if self.token:
            headers["Authorization"] = f"Bearer {self.token}"
        if key:
            headers["Idempotency-Key"] = key
        return headers

    def _send(self, path: str, body: Json | None, key: str | None, deadline: Deadline) -> Iterator[Json]:
        """Sends a request once, and yields the JSON objects of the reply, one for each line."""
        text = None if body is None else json.dumps(body).encode()
        with exchange(self.url, "GET" if body is None else "POST", path, self._headers(key), text, deadline) as response:
            if response.status != 200:
                raise error_of(response)
            for line in lines(response):
                yield json.loads(line)

    def _ask(self, path: str, body: Json | None = None) -> Json:
        """Sends a request that has a single object as its reply, and returns it. All attempts have one key, so that no
        answer is verified twice."""
        retries = self._retries(self.timeout)
        key = None if body is None else str(uuid.uuid4())
        while True:
            try:
                for answer in self._send(path, body, key, retries.deadline):
                    return answer
                raise http.client.IncompleteRead(b"")
            except BROKEN as error:
                self._wait(retries, error)

    def _batch(
        self, path: str, items: Sequence[Item], record: Callable[[Json], Record], **options: Any
    ) -> Iterator[Record]:
        """Yields each item's record once. Sends one request for each thousand items."""
        unjudged: Unjudged | None = None
        for start in range(0, len(items), MOST_ANSWERS):
            try:
                for row in self._part(path, items[start : start + MOST_ANSWERS], options):
                    try:
                        yield record({**row, "index": start + row["index"]})
                    except Unjudged as error:
                        unjudged = error
            except Unjudged as error:
                unjudged = error
        if unjudged:
            raise unjudged

    def _part(self, path: str, items: Sequence[Item], options: Json) -> Iterator[Json]:
        """Yields the rows of one request.

        After a broken stream, and for answers for which the service had no room, the request is sent again under the same key.
        Verdicts that exist already then come from the service's memory.
        """
        retries = self._retries(self.timeout)
        key = str(uuid.uuid4())
        body = self._body({"answers": [_item(item) for item in items]}, **options)
        batch = Batch(len(items))
        while batch.missing:
            try:
                for row in batch.new(self._send(path, body, key, retries.deadline)):
                    retries.note_progress()
                    yield row
            except BROKEN as broken:
                self._wait(retries, broken, f"{batch.missing} of {len(items)} answers have no verdict yet: ")
        if batch.refused:
            raise batch.refused

    def _wait(self, retries: Retries, error: Exception, so_far: str = "") -> None:
        if isinstance(error, ssl.SSLCertVerificationError):
            raise Unavailable(f"{self.url}: its certificate isn't trusted: {error.verify_message}\n  help: SSL_CERT_FILE names one that is") from error
        try:
            retries.wait(f"{so_far}{self.url}: {words(error)}", error.seconds if isinstance(error, Temporary) else 0.0)
        except Unavailable as unavailable:
            raise unavailable from error


def _item(item: Item) -> dict[str, Any]:
    whole = dict(item) if isinstance(item, Mapping) else {"task": item[0], "answer": item[1]}
    # Half a surrogate pair has no UTF-8, so it is replaced. An answer may contain one, because a
    # model wrote it.
    return {**whole, "answer": whole["answer"].encode("utf-8", "replace").decode()}
