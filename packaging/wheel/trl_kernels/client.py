"""The client of `trl serve`.

    from trl_kernels import Client
    reward = Client().reward("level1/7", answer)
    print(reward.value, reward.verdict.reason, reward.feedback)
"""

from __future__ import annotations

import http.client
import json
import os
import time
import urllib.parse
import uuid
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from trl_kernels.errors import Refused, Unavailable
from trl_kernels.records import Reward, Task, Verdict
from trl_kernels.retry import TEMPORARY, Retries, seconds_of
from trl_kernels.transport import exchange, lines

DEFAULT_URL = "http://127.0.0.1:8741"
# Codes of errors in a batch's lines that say that an answer's verification was never begun.
NEVER_BEGUN = frozenset({"too_many_requests", "draining"})

Record = TypeVar("Record", Verdict, Reward)
Json = Mapping[str, Any]


class _Temporary(Exception):
    """An answer that says to come back after `seconds`."""

    def __init__(self, why: str, seconds: float) -> None:
        super().__init__(why)
        self.seconds = seconds


class Client:
    """Asks the service for verdicts and rewards. It holds no connection, so that it can be shared by threads and forked or pickled.

    `url` and `token` default to TRL_SERVE_URL and TRL_SERVE_TOKEN. `timeout` is the most seconds that one call takes, all attempts
    together; after them it raises Unavailable. `deadline_s` is the most that the service spends on one answer, its own limit if None.
    """

    def __init__(
        self,
        url: str | None = None,
        *,
        token: str | None = None,
        timeout: float = 600.0,
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
        return Verdict.of(self._ask("/v1/verify", self._body(_item(task, answer), protocol=protocol)))

    def verify_batch(self, items: Sequence[tuple[str, str]], *, protocol: str = "exam") -> Iterator[Verdict]:
        """The verdicts on pairs of task and answer, as they come: `index` says of which pair. One request carries all of them.

        Raises Unavailable at the end if some never came, and Refused if the service refused some; those that came were yielded before.
        """
        return self._batch("/v1/verify", items, Verdict.of, protocol=protocol)

    def reward(self, task: str, answer: str, *, reward: str | None = None) -> Reward:
        """The reward of one answer by the service's formula of the name `reward`, or its only one."""
        return Reward.of(self._ask("/v1/reward", self._body(_item(task, answer), reward=reward)))

    def rewards(self, items: Sequence[tuple[str, str]], *, reward: str | None = None) -> Iterator[Reward]:
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
            with exchange(self.url, "GET", "/readyz", self._headers(None), None, time.monotonic() + min(10.0, self.timeout)) as response:
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

    def _send(self, path: str, body: Json | None, key: str | None, deadline: float) -> Iterator[Json]:
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
            except (OSError, http.client.HTTPException, ValueError, _Temporary) as error:
                self._wait(retries, error)

    def _batch(
        self, path: str, items: Sequence[tuple[str, str]], record: Callable[[Json], Record], **options: Any
    ) -> Iterator[Record]:
        """Yields each item's record once. A broken stream is asked for again with its key, which brings what was verified meanwhile.

        Answers whose verification was never begun go into another request, with a key of its own.
        """
        retries = self._retries(self.timeout)
        refused: Refused | None = None
        missing = list(range(len(items)))
        while missing:
            asked, key = missing, str(uuid.uuid4())
            body = self._body({"answers": [_item(*items[index]) for index in asked]}, **options)
            came: set[int] = set()
            never_begun: list[int] = []
            while len(came) + len(never_begun) < len(asked):
                never_begun, seconds = [], 0.0
                try:
                    for row in self._send(path, body, key, retries.deadline):
                        index = asked[row["index"]]
                        if index in came:
                            continue
                        error = row.get("error")
                        if error and error.get("code") in NEVER_BEGUN:
                            never_begun.append(index)
                            seconds = max(seconds, float(error.get("retry_after_s") or 0))
                            continue
                        came.add(index)
                        if error:
                            refused = refused or _refusal(200, error)
                        else:
                            yield record({**row, "index": index})
                    if len(came) + len(never_begun) < len(asked):
                        raise http.client.IncompleteRead(b"")
                except (OSError, http.client.HTTPException, ValueError, _Temporary) as broken:
                    self._wait(retries, broken, f"{len(asked) - len(came)} of {len(asked)} answers have no verdict yet: ")
            missing = never_begun
            if missing:
                retries.wait(f"{self.url} has no room for {len(missing)} of {len(asked)} answers", seconds)
        if refused:
            raise refused

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


def _item(task: str, answer: str) -> dict[str, str]:
    # Half a surrogate pair has no UTF-8, and an answer that holds one is the model's.
    return {"task": task, "answer": answer.encode("utf-8", "replace").decode()}


def _refusal(status: int, error: Json) -> Refused:
    return Refused(status, error.get("code", "unknown"), error.get("message", "the service refused the request"), error.get("help") or "")


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
