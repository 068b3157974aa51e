"""The client of `trl serve`.

    from trl_kernels import Client
    reward = Client().reward("level1/7", answer)
    print(reward.value, reward.verdict.reason, reward.feedback)
"""

from __future__ import annotations

import http.client
import json
import os
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from trl_kernels.deadline import Deadline
from trl_kernels.errors import Refused, Unavailable, Unjudged
from trl_kernels.records import Reward, Task, Verdict
from trl_kernels.retry import TEMPORARY, Retries, seconds_of
from trl_kernels.transport import exchange, lines

DEFAULT_URL = "http://127.0.0.1:8008"
# Codes of errors of one answer of a batch after which it is asked for again: the service's load, not the answer, is the cause.
NEVER_BEGUN = frozenset({"too_many_requests", "overloaded", "draining"})

Record = TypeVar("Record", Verdict, Reward)
Json = Mapping[str, Any]
# An answer and its task, or an object {"task", "answer", "tokens", "prompt"}: `tokens` is the answer's length, for formulas with it.
Item = tuple[str, str] | Json


class _Temporary(Exception):
    """An answer that says to come back after `seconds`."""

    def __init__(self, why: str, seconds: float) -> None:
        super().__init__(why)
        self.seconds = seconds


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
        """The reward of one answer by the service's formula of the name `reward`, or its only one. Raises Unjudged if it has none."""
        return Reward.of(self._ask("/v1/reward", self._body(_item((task, answer)), reward=reward, tokens=tokens)))

    def rewards(self, items: Sequence[Item], *, reward: str | None = None) -> Iterator[Reward]:
        """The rewards of pairs of task and answer, as `verify_batch` does."""
        return self._batch("/v1/reward", items, Reward.of, reward=reward)

    def tasks(self, suite: str | None = None, *, limit: int | None = None) -> Iterator[Task]:
        """The service's tasks, or those of one suite; at most `limit`."""
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
        """The service's protocols and the formulas of its rewards by their names."""
        return self._ask("/v1/protocols")

    def ready(self) -> bool:
        """Whether the service can be reached and takes answers now. This is asked once, for at most ten seconds."""
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
        """The JSON objects of one attempt's answer, a line each."""
        text = None if body is None else json.dumps(body).encode()
        with exchange(self.url, "GET" if body is None else "POST", path, self._headers(key), text, deadline) as response:
            if response.status != 200:
                raise _error(response)
            for line in lines(response):
                yield json.loads(line)

    def _ask(self, path: str, body: Json | None = None) -> Json:
        """The one object of an answer. All attempts have one key, so that none is verified twice."""
        retries = self._retries(self.timeout)
        key = None if body is None else str(uuid.uuid4())
        while True:
            try:
                for answer in self._send(path, body, key, retries.deadline):
                    return answer
                raise http.client.IncompleteRead(b"")
            except (OSError, http.client.HTTPException, json.JSONDecodeError, _Temporary) as error:
                self._wait(retries, error)

    def _batch(
        self, path: str, items: Sequence[Item], record: Callable[[Json], Record], **options: Any
    ) -> Iterator[Record]:
        """Yields each item's record once.

        A broken stream, and answers for which the service had no room, are asked for again under the same key: what has a verdict
        comes from the service's memory then.
        """
        retries = self._retries(self.timeout)
        key = str(uuid.uuid4())
        body = self._body({"answers": [_item(item) for item in items]}, **options)
        done: set[int] = set()
        unjudged: Unjudged | None = None
        while len(done) < len(items):
            full = 0
            try:
                for row in self._send(path, body, key, retries.deadline):
                    index, error = row["index"], row.get("error")
                    if index in done:
                        continue
                    if error and error.get("code") in NEVER_BEGUN:
                        full += 1
                        continue
                    done.add(index)
                    retries.note_progress()
                    try:
                        if error:
                            raise _refusal(200, error)
                        yield record(row)
                    except Unjudged as none:
                        unjudged = unjudged or none
                if len(done) + full < len(items):
                    raise http.client.IncompleteRead(b"")
                if full:
                    raise _Temporary(f"no room for {full} answers", 0)
            except (OSError, http.client.HTTPException, json.JSONDecodeError, _Temporary) as broken:
                self._wait(retries, broken, f"{len(items) - len(done)} of {len(items)} answers have no verdict yet: ")
        if unjudged:
            raise unjudged

    def _wait(self, retries: Retries, error: Exception, so_far: str = "") -> None:
        try:
            retries.wait(f"{so_far}{self.url}: {_words(error)}", error.seconds if isinstance(error, _Temporary) else 0.0)
        except Unavailable as unavailable:
            raise unavailable from error


def _words(error: Exception) -> str:
    if isinstance(error, _Temporary):
        return str(error)
    if isinstance(error, http.client.IncompleteRead):
        return "the answer was cut off"
    return f"{type(error).__name__}: {error}"


def _item(item: Item) -> dict[str, Any]:
    whole = dict(item) if isinstance(item, Mapping) else {"task": item[0], "answer": item[1]}
    # Half a surrogate pair has no UTF-8, and an answer that holds one is the model's.
    return {**whole, "answer": whole["answer"].encode("utf-8", "replace").decode()}


def _refusal(status: int, error: Json) -> Refused | Unjudged:
    code, message = error.get("code", "unknown"), error.get("message", "the service refused the request")
    return Unjudged(message) if code == "verifier_failed" else Refused(status, code, message, error.get("help") or "")


def _error(response: http.client.HTTPResponse) -> Exception:
    """The error of an answer whose status isn't 200."""
    text = response.read(1 << 16)
    try:
        error = json.loads(text)["error"]
    except (ValueError, KeyError, TypeError):
        error = {"message": text.decode(errors="replace").strip()[:200] or response.reason}
    if response.status in TEMPORARY:
        why = f"HTTP {response.status}, {error.get('message', '')}"
        return _Temporary(why, seconds_of(response.headers.get("Retry-After")))
    return _refusal(response.status, error)
