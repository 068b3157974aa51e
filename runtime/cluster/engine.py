"""Runs stages of `trl run --on ray` on a Ray cluster. `trl` starts it once for a run and speaks to it over descriptor 3: one line of JSON
says what the head has, one answers what the cluster has; then `trl` hands over a socket for each seat, on which this program speaks the
worker's protocol (docs/interfaces.md, section 3) as trl-worker would. On the other side an actor of node.py holds the trl-worker.

Ray decides which node an actor is placed on, notices when a node vanishes, and moves bytes. Files travel by their digest, results are
compared with theirs before `trl` is told that a stage is done.

    engine.py --protocol-fd 3
"""
import asyncio
import collections
import contextlib
import hashlib
import json
import os
import pathlib
import shutil
import socket
import sys
import threading
import time
import traceback

import node

PATIENCE = 10.0  # seconds until the user is told that a seat waits for the cluster
POLL = 5.0  # seconds for which an actor waits for its worker's next line
ALIVE = 5.0  # seconds between two signs of life of a seat that works with others
MOST_LOST = 20  # nodes or actors that a shard of a stage may lose
SHARDS = 4  # of a stage for each seat that carries it out, so that fast seats take more of them
OUTBOX = 256 << 20  # bytes of files that are kept in the object store for the next node that asks for them


class Lost(Exception):
    """The actor or its node is gone, or sent other bytes than it had announced."""


class Crashed(Exception):
    """The worker ended on a node that is still there."""

    def __init__(self, message, log):
        super().__init__(message)
        self.log = log


class Refused(Exception):
    """The cluster can't carry the stage out. `help` says what to do."""

    def __init__(self, message, help):
        super().__init__(message)
        self.help = help


class Ended(Exception):
    """The worker answered with an error, which is passed on to the head unchanged."""

    def __init__(self, event):
        super().__init__(event.get("message"))
        self.event = event


class Outbox:
    """Pieces of files in Ray's object store, by digest and offset. The oldest go first."""

    def __init__(self, ray, most=OUTBOX):
        self.ray, self.most, self.pieces, self.total = ray, most, collections.OrderedDict(), 0

    def piece(self, path, digest, offset):
        if (digest, offset) in self.pieces:
            self.pieces.move_to_end((digest, offset))
            return self.pieces[digest, offset][0]
        data = node.read_piece(path, offset)
        reference = self.ray.put(data)
        self.pieces[digest, offset] = (reference, len(data))
        self.total += len(data)
        while self.total > self.most and len(self.pieces) > 1:
            self.total -= self.pieces.popitem(last=False)[1][1]
        return reference


def deal(rows, shards):
    """Divides the rows of candidates.jsonl (given as lines) into at most `shards` shards of about equal size. Returns
    each shard's row numbers. Candidates of one task stay together, since equal candidates are verified once."""
    of_task = collections.defaultdict(list)
    for number, line in enumerate(rows):
        of_task[json.loads(line)["task"]].append(number)
    dealt = [[] for _ in range(max(1, min(shards, len(of_task))))]
    for numbers in sorted(of_task.values(), key=len, reverse=True):
        min(dealt, key=len).extend(numbers)
    return [sorted(numbers) for numbers in dealt]


def joined_verdicts(dealt, texts):
    """Joins the shards' verdicts to the verdicts.jsonl of all rows."""
    lines = {}
    for numbers, text in zip(dealt, texts):
        found = text.splitlines(keepends=True)
        if len(found) != len(numbers):
            raise Lost(f"verdicts.jsonl has {len(found)} rows instead of {len(numbers)}")
        lines.update(zip(numbers, found))
    return b"".join(lines[number] for number in sorted(lines))


def joined_plans(dealt, texts):
    """Joins the shards' plans.jsonl. Row numbers become those of the whole stage; everything else stays unchanged."""
    start = b'{"rows":['
    plans = []
    for numbers, text in zip(dealt, texts):
        for line in text.splitlines(keepends=True):
            if not line.startswith(start):
                raise Lost("plans.jsonl has a line that doesn't begin with its rows")
            rows, _, rest = line[len(start):].partition(b"]")
            rows = [numbers[int(row)] for row in rows.split(b",")]
            plans.append((rows[0], start + ",".join(map(str, rows)).encode() + b"]" + rest))
    return b"".join(line for _, line in sorted(plans))


def write_whole(path, data):
    """Writes a new file, syncs it and renames it to its final name."""
    unfinished = f"{path}.new"
    with open(unfinished, "wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    os.replace(unfinished, path)


class Verification:
    """A stage `verify` that several seats (places at which the run carries out stages) carry out together. A seat takes
    the next shard when it is free."""

    def __init__(self, request, size, folder):
        self.folder = pathlib.Path(folder)
        with open(os.path.join(request["inputs"]["candidates"], "candidates.jsonl"), "rb") as file:
            rows = file.read().splitlines(keepends=True)
        self.size = size
        self.dealt = deal(rows, size * SHARDS)
        self.waiting = collections.deque(range(len(self.dealt)))
        self.losses = collections.Counter()
        self.done, self.progress = {}, {}
        self.changed = asyncio.Condition()
        self.failed = None
        self.tell = lambda event: None  # the first rank's events are the stage's
        self.metrics = set()  # those that were told, by name and step
        for shard, numbers in enumerate(self.dealt):
            (self.folder / f"candidates-{shard}").mkdir()
            (self.folder / f"candidates-{shard}" / "candidates.jsonl").write_bytes(b"".join(rows[number] for number in numbers))

    def open(self):
        return not self.failed and len(self.done) < len(self.dealt)

    def request(self, shard, request):
        output = self.folder / f"output-{shard}"
        shutil.rmtree(output, ignore_errors=True)
        output.mkdir()
        return request | {"inputs": request["inputs"] | {"candidates": str(self.folder / f"candidates-{shard}")}, "output": str(output)}

    def join(self, output):
        """Writes the whole stage's files, and returns its last event."""
        texts = lambda name: [(self.folder / f"output-{shard}" / name).read_bytes() for shard in range(len(self.dealt))]
        (output / "verdicts.jsonl").write_bytes(joined_verdicts(self.dealt, texts("verdicts.jsonl")))
        if (self.folder / "output-0" / "plans.jsonl").exists():
            (output / "plans.jsonl").write_bytes(joined_plans(self.dealt, texts("plans.jsonl")))
        events = [self.done[shard] for shard in range(len(self.dealt))]
        summary = joined_summaries([event["summary"] for event in events])
        if "seconds" in summary:
            summary["seconds"] /= self.size  # of each seat, as of a group
        return events[0] | {"summary": summary}


def joined_summaries(summaries):
    """Joins the shards' summaries by adding their numbers, those within objects one by one. Of anything else, the
    first shard's value is taken."""
    first = summaries[0]
    if isinstance(first, dict):
        names = dict.fromkeys(name for summary in summaries for name in summary)
        return {name: joined_summaries([summary[name] for summary in summaries if name in summary]) for name in names}
    return sum(summaries) if isinstance(first, (int, float)) and not isinstance(first, bool) else first


class Seat:
    """A seat of the run, that is, a place at which it carries out stages: the worker's end of the seat's socket, and
    the actor that carries out its stages."""

    def __init__(self, engine, number, channel):
        self.engine, self.number, self.channel = engine, number, channel
        self.actor = self.about = self.writer = None
        self.needs, self.begun = {}, 0
        self.cancelled = set()
        self.running = {}  # the tasks of stages that run, by the request's id

    async def serve(self):
        reader, self.writer = await asyncio.open_connection(sock=self.channel, limit=1 << 30)
        with contextlib.suppress(ConnectionError):
            while line := await reader.readline():
                message = json.loads(line)
                if "needs" in message:
                    self.needs = message["needs"]
                elif message.get("cancel"):
                    await self.cancel(message["id"])
                elif message.get("shutdown"):
                    break
                else:
                    self.running[message["id"]] = asyncio.create_task(self.answer(message))
        for task in self.running.values():
            task.cancel()
        await self.drop()
        self.writer.close()

    def send(self, event):
        if not self.writer.is_closing():
            self.writer.write(json.dumps(event, ensure_ascii=False).encode() + b"\n")

    async def cancel(self, request):
        """Passes a cancellation on. A stage that has not begun on a node ends at once."""
        self.cancelled.add(request)
        if self.about is not None:
            self.actor.say.remote(json.dumps({"id": request, "cancel": True}))
        elif request in self.running:
            self.running[request].cancel()
            self.send({"id": request, "event": "error", "message": "cancelled", "help": "", "cancelled": True})

    async def answer(self, request):
        """Carries a stage out, and sends its last event."""
        name = request["id"]
        try:
            group = request.pop("group", None)
            if group is None:
                last = await self.carry_out(request, self.send)
            elif request["stage"] == "verify":
                last = await self.verify_together(request, group)
            else:
                raise Refused(f"on a cluster one seat carries out a stage {request['stage']}", "")
        except Ended as error:
            last = error.event
        except Refused as error:
            last = {"event": "error", "message": str(error), "help": error.help}
        except Lost as error:
            last = {"event": "gone", "lost": True, "message": str(error), "cause": "a node is gone", "log": ""}
        except Crashed as error:
            last = {"event": "gone", "lost": False, "message": f"trl-worker on {self.where()} {error}", "cause": f"trl-worker {error}", "log": error.log}
        except (OSError, ValueError) as error:
            last = {"event": "error", "message": str(error), "help": "look at the disk's space and the folder's permissions, then run the same command again"}
        except Exception as error:
            traceback.print_exc()
            last = {"event": "error", "message": f"{type(error).__name__}: {error}", "help": "this is a defect of runtime/cluster: please report it, with the cluster's log"}
        finally:
            self.running.pop(name, None)
        self.send(last | {"id": name})

    async def carry_out(self, request, say):
        """Carries a stage out on this seat's actor, and returns the event `done` once its files are in the output folder."""
        async with self.with_ray():
            await self.place(request)
            return await self.on_actor(request, say)

    @contextlib.asynccontextmanager
    async def with_ray(self):
        """A context in which an error of Ray itself becomes Lost, and the actor is dropped, and an error in an actor's
        method becomes Refused."""
        try:
            yield
        except self.engine.ray.exceptions.RayTaskError as error:
            raise Refused(f"{self.where()}: {error.cause!r}", "look at that node's disk and memory, then run the same command again") from error
        except self.engine.ray.exceptions.RayError as error:
            where = self.where()
            await self.drop()
            raise Lost(f"{where} is gone: {str(error).strip().splitlines()[0]}") from error
        except Lost:
            await self.drop()
            raise

    def where(self):
        return f"node {self.about['name']} ({self.about['id'][:8]})" if self.about else "an actor of the cluster"

    async def place(self, request):
        """Unless this seat has an actor, has Ray place one on a node that can carry out the stage."""
        verifying = request["stage"] == "verify" and request.get("sandbox", True)
        if self.about and verifying and self.about["not_confined"]:
            self.engine.unconfined[self.about["id"]] = self.about["name"] + ": " + self.about["not_confined"]
            await self.drop()
        while self.about is None:
            refusing = self.engine.lacking | (self.engine.unconfined if verifying else {})
            if self.engine.none_left(refusing, self.needs):
                raise Refused("no node of the cluster can " + ("confine candidates" if verifying and not self.engine.none_left(self.engine.lacking, self.needs)
                                                               else "carry out stages of this run") + ":\n" + "\n".join(sorted(refusing.values())),
                              "`trl doctor --on ray` asks every node what it lacks")
            self.actor = self.engine.new_actor(self.number, self.needs, refusing)
            about = await self.patiently(self.actor.describe.remote(), request)
            if about["lacks"]:
                self.engine.lacking[about["id"]] = about["name"] + ": " + about["lacks"]
            elif verifying and about["not_confined"]:
                self.engine.unconfined[about["id"]] = about["name"] + ": " + about["not_confined"]
            else:
                self.about = about
                break
            await self.drop()
        self.send({"id": request["id"], "event": "place", "where": self.where()})

    async def patiently(self, reference, request):
        """Waits for an actor. If it takes longer than PATIENCE, tells the user once what a node must have free."""
        arriving = asyncio.ensure_future(got(reference))
        try:
            finished, _ = await asyncio.wait([arriving], timeout=PATIENCE)
            if finished:
                return await arriving
            wanted = " and ".join(f"{count:g} {name}" for name, count in self.needs.items() if count)
            self.send({"id": request["id"], "event": "note", "message": f"waits for a node with {wanted} free; `ray status` shows what is taken"})
            return await arriving
        finally:
            arriving.cancel()

    async def drop(self):
        """Ends the actor. Its worker ends with it."""
        actor, self.actor, self.about = self.actor, None, None
        if actor is not None:
            with contextlib.suppress(Exception):
                self.engine.ray.kill(actor)

    async def on_actor(self, request, say):
        engine, actor = self.engine, self.actor
        self.begun += 1
        name, output = request["id"], pathlib.Path(request["output"])
        sent = request | {"copies": engine.copies}
        if request["stage"] != "verify":
            sent["secret"] = ""
        inputs = {of: (place, await engine.files(place)) for of, place in request["inputs"].items()}
        kept = pathlib.Path(request["checkpoint"]["folder"]) if "checkpoint" in request else None
        checkpoint = None if kept is None else await engine.files(str(kept)) if kept.is_dir() else []
        await self.ship(sent, inputs, kept, checkpoint)
        if name in self.cancelled:
            actor.say.remote(json.dumps({"id": name, "cancel": True}))
        titled = actor.events.options(name=f"trl {request['stage']}")
        shipped, shipping, last = None, None, None
        while last is None:
            lines, ended, log, state = await got(titled.remote(POLL))
            for line in lines:
                event = json.loads(line)
                if event.get("id") != name:
                    continue
                if event["event"] in ("done", "error"):
                    last = event
                else:
                    say(event)
            if state and state != shipped and (shipping is None or shipping.done()):
                shipped, shipping = state, asyncio.create_task(self.fetch_checkpoint(actor, kept))
            if last is None and ended:
                break
        if shipping is not None:
            await shipping
        if state and state != shipped and (last is None or last["event"] == "error"):
            await self.fetch_checkpoint(actor, kept)
        if last is None:
            raise Crashed(ended, log)
        if last["event"] == "error":
            actor.clear.remote(self.begun)
            raise Ended(last)
        await self.fetch(actor, await got(actor.result.remote()), output, of_checkpoint=False)
        actor.clear.remote(self.begun)
        return last

    async def ship(self, request, inputs, kept, checkpoint):
        """Sends the node the files that it lacks, and then starts the stage there. A node gets its files one after the
        other."""
        async with self.engine.sending[self.about["id"]]:
            places = {digest: (os.path.join(place, name), size) for place, files in [*inputs.values(), (str(kept), checkpoint or [])] for name, size, digest in files}
            while missing := await got(self.actor.begin.remote(self.begun, request, inputs, checkpoint)):
                for digest in missing:
                    path, size = places[digest]
                    for offset in range(0, max(size, 1), node.PIECE):
                        piece = await asyncio.to_thread(self.engine.outbox.piece, path, digest, offset)
                        await got(self.actor.receive.remote(digest, size, offset, piece))

    async def fetch(self, actor, files, folder, of_checkpoint):
        """Copies files of the node into a folder, unless they are there already, and compares each with its digest."""
        for name, size, digest, data in files:
            path = pathlib.Path(name)
            if path.is_absolute() or ".." in path.parts:
                raise Lost(f"{self.where()} named a file {name}")
            target = folder / path
            if target.is_file() and self.engine.digests.of(str(target)) == digest:
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            arrived = hashlib.sha256()
            with open(target.with_name(target.name + ".new"), "wb") as file:
                for offset in range(0, size, node.PIECE):
                    piece = data if data is not None else await got(actor.piece.remote(of_checkpoint, name, offset))
                    arrived.update(piece)
                    file.write(piece)
                file.flush()
                if of_checkpoint:
                    os.fsync(file.fileno())
            if arrived.hexdigest() != digest:
                raise Lost(f"{self.where()} sent other bytes of {name} than it said")
            os.replace(target.with_name(target.name + ".new"), target)

    async def fetch_checkpoint(self, actor, kept):
        """Copies a checkpoint to the head. If one doesn't arrive, only the steps since the last one that arrived are
        lost."""
        with contextlib.suppress(Lost, self.engine.ray.exceptions.RayError):
            kept.mkdir(parents=True, exist_ok=True)
            await self.fetch(actor, await got(actor.hold_checkpoint.remote()), kept, of_checkpoint=True)

    async def verify_together(self, request, group):
        """This seat's part in a stage `verify`. The first rank joins the shards' results; the others' results are empty."""
        verifications = self.engine.verifications
        if group["meeting"] not in verifications:
            verifications[group["meeting"]] = Verification(request, group["size"], group["meeting"])
        together = verifications[group["meeting"]]
        if group["rank"] == 0:
            together.tell = lambda event: self.send(event | {"id": request["id"]})
        alive = asyncio.create_task(self.stay_alive(request["id"]))
        total = sum(len(numbers) for numbers in together.dealt)
        try:
            while len(together.done) < len(together.dealt):
                if together.failed:
                    raise together.failed
                if request["id"] in self.cancelled:
                    raise Ended({"event": "error", "message": "cancelled", "help": "", "cancelled": True})
                if not await self.settled(request, together):
                    continue
                if not together.waiting:
                    async with together.changed:
                        with contextlib.suppress(asyncio.TimeoutError):
                            await asyncio.wait_for(together.changed.wait(), ALIVE)
                    continue
                shard = together.waiting.popleft()

                def say(event, shard=shard):
                    if event["event"] == "progress":
                        together.progress[shard] = event["done"]
                        event = event | {"done": min(total, sum(together.progress.values())), "total": total}
                    if event["event"] == "metric":  # the stage's, which each shard tells, and one that is dealt out again
                        if (event["name"], event["step"]) in together.metrics:
                            return
                        together.metrics.add((event["name"], event["step"]))
                    together.tell(event)

                try:
                    together.done[shard] = await self.carry_out(together.request(shard, request), say)
                    together.progress[shard] = len(together.dealt[shard])
                except Lost as error:
                    together.losses[shard] += 1
                    if together.losses[shard] == MOST_LOST:
                        raise
                    together.waiting.append(shard)
                    together.tell({"event": "note", "message": f"{error}; its candidates are verified elsewhere"})
                async with together.changed:
                    together.changed.notify_all()
        except Exception as error:
            together.failed = together.failed or error
            raise
        finally:
            alive.cancel()
        if group["rank"] == 0:
            del verifications[group["meeting"]]
            return together.join(pathlib.Path(request["output"]))
        return {"event": "done", "summary": {}}  # the first rank's counts

    async def settled(self, request, together):
        """Gets this seat an actor before it takes a shard, so that no shard waits for a node while other seats are
        free. Returns False if there is no actor yet, or nothing left to do."""
        placing = asyncio.ensure_future(self.place(request))
        while not placing.done() and together.open() and request["id"] not in self.cancelled:
            await asyncio.wait([placing], timeout=0.1)
        if not placing.done():
            placing.cancel()
            await self.drop()
            return False
        try:
            async with self.with_ray():
                await placing
        except Lost:
            return False
        return True

    async def stay_alive(self, request):
        while True:
            self.send({"id": request, "event": "alive"})
            await asyncio.sleep(ALIVE)


async def got(reference):
    """Waits for a reference of Ray, or of Ray's client, and returns its value."""
    return await asyncio.wrap_future(reference.future())


class Engine:
    """The state that the seats of a run share."""

    def __init__(self, ray, head):
        self.ray, self.head = ray, head
        self.copies = os.environ.get("TRL_CLUSTER_COPIES") == "always"
        self.digests = node.Digests()
        self.outbox = Outbox(ray)
        self.sending = collections.defaultdict(asyncio.Lock)  # by node
        self.lacking, self.unconfined = {}, {}  # nodes that refuse, with their reasons
        self.verifications = {}
        self.actor_class = ray.remote(node.Seat)

    async def files(self, folder):
        """The files below a folder of the head, with their digests."""
        return await asyncio.to_thread(node.files_of, folder, self.digests)

    def none_left(self, refusing, needs):
        """Whether every node with the resources `needs` is in `refusing`. False if the cluster has no such node."""
        large = {one["NodeID"] for one in nodes_of(self.ray) if all(one["Resources"].get(name, 0) >= count for name, count in needs.items())}
        return bool(large) and large <= refusing.keys()

    def examine(self):
        """For `trl doctor --on ray`: returns every node's description of itself (node.describe), or why a node sent
        none."""
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy as affinity

        describe = self.ray.remote(node.describe)
        asked = [(one, describe.options(name="trl doctor", num_cpus=0, max_retries=0, scheduling_strategy=affinity(one["NodeID"], soft=False)).remote(self.head))
                 for one in nodes_of(self.ray)]
        said = []
        for one, reference in asked:
            resources = {"cores": one["Resources"].get("CPU", 0), "gpus": one["Resources"].get("GPU", 0)}
            try:
                said.append(self.ray.get(reference, timeout=60) | resources)
            except self.ray.exceptions.RayError as error:
                said.append({"id": one["NodeID"], "name": one["NodeName"], "lacks": f"it doesn't answer: {type(error).__name__}", "not_confined": "", "shared": False} | resources)
        return said

    def new_actor(self, number, needs, refusing):
        options = {"num_cpus": needs.get("CPU", 0), "num_gpus": needs.get("GPU", 0), "max_concurrency": 8, "name": f"trl seat {number}"}
        if refusing:
            options["label_selector"] = {"ray.io/node-id": "!in(" + ",".join(sorted(refusing)) + ")"}
        return self.actor_class.options(**options).remote(self.head)


def nodes_of(ray):
    return [one for one in ray.nodes() if one["Alive"]]


def read_line(channel, line=b""):
    """Reads one message, whose first bytes may have been read before. Reads byte by byte, since descriptors follow the
    message."""
    while not line.endswith(b"\n"):
        byte = channel.recv(1)
        if not byte:
            sys.exit(0)
        line += byte
    return json.loads(line)


def connect(head, answer):
    """Connects Ray to the cluster. If that isn't possible, sends an answer with the reason and ends this program."""
    try:
        import ray
    except ImportError:
        answer({"event": "error", "message": f"{sys.executable} has no ray, which --on ray takes",
                "help": f"{sys.executable} -m pip install ray, or 'trl-kernels[ray]'; TRL_RAY_PYTHON names another Python that has it"})
        sys.exit(1)
    ray.cloudpickle.register_pickle_by_value(node)
    try:
        ray.init(address=head["address"], log_to_driver=False, configure_logging=False, namespace=f"trl-{os.getpid()}-{time.time_ns()}")
    except (ConnectionError, ValueError, RuntimeError, OSError) as error:
        reason = str(error).strip().splitlines()
        answer({"event": "error", "message": f"no Ray cluster answers at {head['address']}: {reason[0] if reason else type(error).__name__}",
                "help": "`ray start --head` starts one here; --on ray://HOST:10001, RAY_ADDRESS or `cluster` of trl.toml names another"})
        sys.exit(1)
    return ray


def main():
    control = socket.socket(fileno=int(sys.argv[sys.argv.index("--protocol-fd") + 1]))
    head = read_line(control)
    digests = node.Digests()
    head["programs"] = {name: digests.of(os.path.join(head["bin"], name)) for name in head["programs"]}
    head["token_text"] = os.urandom(16).hex()
    write_whole(head["token"], head["token_text"].encode())
    answer = lambda event: control.sendall(json.dumps(event).encode() + b"\n")
    ray = connect(head, answer)
    answer({"event": "ready", "nodes": [{"name": one["NodeName"], "cores": one["Resources"].get("CPU", 0), "gpus": one["Resources"].get("GPU", 0)} for one in nodes_of(ray)]})
    asyncio.run(serve(Engine(ray, head), control))


async def serve(engine, control):
    loop, seats = asyncio.get_running_loop(), set()
    over = asyncio.Event()

    def begin(number, channel):
        task = asyncio.create_task(Seat(engine, number, channel).serve())
        seats.add(task)
        task.add_done_callback(seats.discard)

    def accept():
        """Takes the seats' sockets, until the head closes its end."""
        for number in range(1, 1 << 30):
            byte, descriptors, _, _ = socket.recv_fds(control, 1, 1)
            if byte == b"{":
                read_line(control, byte)
                control.sendall(json.dumps({"event": "examined", "nodes": engine.examine()}).encode() + b"\n")
                continue
            if not descriptors:
                break
            loop.call_soon_threadsafe(begin, number, socket.socket(fileno=descriptors[0]))
        loop.call_soon_threadsafe(over.set)

    threading.Thread(target=accept, daemon=True).start()
    await over.wait()
    if seats:
        await asyncio.wait(seats, timeout=5)
    engine.ray.shutdown()


if __name__ == "__main__":
    main()
