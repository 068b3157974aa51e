"""The part of a seat that runs on a node of a Ray cluster: an actor that holds one trl-worker, the stage's folders, and the node's
cache of files. engine.py, on the head, makes it and passes it to the nodes by value, so that a node needs no file of this folder.

A node's folder ($TRL_CLUSTER_CACHE, or trl/cluster in $XDG_CACHE_HOME or ~/.cache) has

    files/DIGEST            files that stages read, by their SHA-256; TRL_CLUSTER_CACHE_BYTES (20 GB) bounds them, the longest unused go first
    work/PROCESS-STARTED-…/ of an actor: its stage's inputs (hard links into files/), output and checkpoint; removed with the actor
"""
import collections
import contextlib
import ctypes
import hashlib
import importlib.util
import json
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid

PIECE = 32 << 20  # bytes of a file that travel at once
INLINE = 64 << 10  # files up to this size travel with the list of files
MOST_CACHED = 20 * 10**9
LOG_LINES = 10
OWN_SILENCE = 3  # between two looks at the clock: this process was stopped, and its worker perhaps with it
NAMING = 3  # parts of a model's path by which it is known: models--ORGANISATION--NAME/snapshots/REVISION


def digest_of(file):
    """Returns the SHA-256 of the rest of an open file."""
    digest = hashlib.sha256()
    while piece := file.read(1 << 20):
        digest.update(piece)
    return digest.hexdigest()


class Digests:
    """SHA-256 of files, computed again when size, time or inode have changed."""

    def __init__(self):
        self.known = {}

    def of(self, path):
        status = os.stat(path)
        identity = (status.st_size, status.st_mtime_ns, status.st_ino, status.st_dev)
        if self.known.get(path, (None,))[0] != identity:
            with open(path, "rb") as file:
                self.known[path] = (identity, digest_of(file))
        return self.known[path][1]


def files_of(folder, digests):
    """Every file below a folder as [name, size, digest], sorted; links are followed, as the worker does."""
    found = []
    for place, _, names in os.walk(folder, followlinks=True):
        for name in names:
            path = os.path.join(place, name)
            if os.path.isfile(path):
                found.append([os.path.relpath(path, folder), os.path.getsize(path), digests.of(path)])
    return sorted(found)


def read_piece(path, offset):
    with open(path, "rb") as file:
        file.seek(offset)
        return file.read(PIECE)


class Cache:
    """Files by their digest, of bounded size. A file that is linked into a stage's folder outlives its removal here."""

    def __init__(self, folder, most):
        self.folder, self.most = pathlib.Path(folder), most
        self.owner = uuid.uuid4().hex  # several actors receive the same file at once
        self.folder.mkdir(parents=True, exist_ok=True)

    def link(self, digest, size, target):
        """Makes `target` a further name of the file with this digest. Returns False if the file isn't here in this
        size."""
        source = self.folder / digest
        try:
            if source.stat().st_size != size:
                return False
            os.utime(source)
            os.link(source, target)
            return True
        except FileNotFoundError:
            return False

    def receive(self, digest, size, offset, piece):
        """Adds a piece of a file. The last one makes it complete, if the digest is right; ValueError if it isn't."""
        unfinished = self.folder / f"{digest}.{self.owner}"
        with open(unfinished, "r+b" if offset else "w+b") as file:
            file.seek(offset)
            file.write(piece)
            if offset + len(piece) < size:
                return
            file.seek(0)
            arrived = digest_of(file)
        if arrived != digest:
            unfinished.unlink()
            raise ValueError(f"a file arrived with the digest {arrived} instead of {digest}")
        unfinished.rename(self.folder / digest)

    def trim(self):
        """Removes the files that were not used for longest until the rest is within the bound."""
        files = []
        for path in self.folder.iterdir():
            with contextlib.suppress(FileNotFoundError):
                status = path.stat()
                files.append((status.st_mtime_ns, status.st_size, path))
        total = sum(size for _, size, _ in files)
        for _, size, path in sorted(files):
            if total <= self.most:
                break
            path.unlink(missing_ok=True)
            total -= size


def started(process):
    """When a process started, in the kernel's ticks; nothing if it has ended."""
    try:
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[19]
    except (FileNotFoundError, ProcessLookupError):
        return None


def is_stopped(process):
    """Whether a process was stopped by a signal."""
    with contextlib.suppress(OSError):
        return pathlib.Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] in "Tt"
    return False


def remove_leftovers(works):
    """Removes the folders of actors that were killed."""
    for folder in works.glob("*-*-*"):
        process, begun, _ = folder.name.split("-", 2)
        if started(process) != begun:
            shutil.rmtree(folder, ignore_errors=True)


def cache_folder():
    named = os.environ.get("TRL_CLUSTER_CACHE")
    return pathlib.Path(named or pathlib.Path(os.environ.get("XDG_CACHE_HOME") or pathlib.Path.home() / ".cache", "trl/cluster"))


def installations(head):
    """Yields where trl's programs may be on this node, as (folder of programs, environment): first the head's own path,
    then the wheel."""
    yield head["bin"], {name: head[key] for name, key in (("TRL_HOME", "home"), ("TRL_PYTHON", "python"), ("LD_LIBRARY_PATH", "libraries")) if head[key]}
    wheel = importlib.util.find_spec("trl_kernels")
    if wheel and wheel.submodule_search_locations:
        home = wheel.submodule_search_locations[0]
        found = subprocess.run([sys.executable, os.path.join(home, "libraries.py")], capture_output=True, text=True, check=False)
        yield os.path.join(home, "bin"), {"TRL_HOME": home, "TRL_PYTHON": sys.executable, "LD_LIBRARY_PATH": found.stdout.strip()}


def find_installation(head, digests):
    """The first installation with the head's programs: (folder, environment, ""); or (None, {}, what this node lacks)."""
    lacks = []
    for folder, environment in installations(head):
        for name, digest in head["programs"].items():
            path = os.path.join(folder, name)
            if not os.access(path, os.X_OK):
                lacks.append(f"{path} isn't there")
                break
            if digests.of(path) != digest:
                lacks.append(f"{path} is another build than the head's")
                break
        else:
            python = environment.get("TRL_PYTHON")
            if not python or shutil.which(python):
                return folder, environment, ""
            lacks.append(f"{python} isn't there, the Python that reads candidates")
    return None, {}, "; ".join(lacks)


def why_not_confined(folder):
    """Why candidates can't be confined here; empty if they can."""
    sandbox = os.path.join(folder, "trl-sandbox")
    if not os.access(sandbox, os.X_OK):
        return f"{sandbox} isn't there"
    tried = subprocess.run([sandbox, "--", "/bin/true"], capture_output=True, text=True, check=False)
    return "" if tried.returncode == 0 else tried.stderr.strip() or f"trl-sandbox ended with exit status {tried.returncode}"


def describe(head):
    """This node as the engine sees it: its name, what it lacks, why it can't confine candidates, whether it has the head's store."""
    import ray  # there is one wherever Ray calls this

    folder, environment, lacks = find_installation(head, Digests())
    token = None
    with contextlib.suppress(OSError):
        token = pathlib.Path(head["token"]).read_text()
    return {"id": ray.get_runtime_context().get_node_id(), "name": socket.gethostname(), "process": os.getpid(), "lacks": lacks, "bin": folder, "environment": environment,
            "not_confined": why_not_confined(folder) if folder else lacks,
            "shared": token == head["token_text"] and os.access(os.path.dirname(head["token"]), os.W_OK)}


class Seat:
    """One trl-worker and the folders of its stage. Methods run on several threads: `events` waits while others are called."""

    def __init__(self, head):
        self.about = describe(head)
        self.worker = head["worker"]
        self.digests = Digests()
        root = cache_folder()
        self.cache = Cache(root / "files", int(os.environ.get("TRL_CLUSTER_CACHE_BYTES", MOST_CACHED)))
        works = root / "work"
        works.mkdir(exist_ok=True)
        remove_leftovers(works)
        self.work = pathlib.Path(tempfile.mkdtemp(prefix=f"{os.getpid()}-{started(os.getpid())}-", dir=works))
        self.log = self.work / "worker.log"
        self.changed = threading.Condition()
        self.lines, self.ended = collections.deque(), None
        self.process = self.channel = None
        self.silence = head["silence_s"]  # seconds that a worker may say nothing of its stage
        self.busy, self.spoken, self.heard, self.stuck = False, False, 0.0, None
        self.shared = False
        self.output = self.checkpoint = None

    def describe(self):
        return self.about

    def __ray_terminate__(self):
        self.end()

    # Files

    def receive(self, digest, size, offset, piece):
        self.cache.receive(digest, size, offset, piece)

    def result(self):
        """Returns the output's files as [name, size, digest, contents of small files]."""
        return self.described(self.output)

    def hold_checkpoint(self):
        """Returns the checkpoint's files at this moment, in the form of `result`. They are linked first, since the
        worker may replace them while they are read."""
        held = self.work / "held"
        shutil.rmtree(held, ignore_errors=True)
        held.mkdir()
        for path in self.checkpoint.iterdir() if self.checkpoint.is_dir() else ():
            if path.name.endswith(".safetensors"):
                with contextlib.suppress(FileNotFoundError):
                    os.link(path, held / path.name)
        return self.described(held)

    def described(self, folder):
        return [[*file, read_piece(os.path.join(folder, file[0]), 0) if file[1] <= INLINE else None] for file in files_of(folder, self.digests)]

    def piece(self, of_checkpoint, name, offset):
        return read_piece((self.work / "held" if of_checkpoint else self.output) / name, offset)

    # The worker

    def begin(self, number, request, inputs, checkpoint):
        """Starts a stage, the seat's `number`th. `inputs`: for each name its folder on the head and its files, [name, size, digest]; `checkpoint`: such files.
        Returns the digests of files that are missing here, and starts nothing then."""
        self.shared = self.about["shared"] and not self.head_copies(request)
        folder = self.work / str(number)
        missing, paths = [], {}
        for name, (place, files) in inputs.items():
            if self.shared or (not self.head_copies(request) and self.has_same(place, files)):
                paths[name] = place
            else:
                # An adapter's configuration names its model by the last parts of the folder's path.
                # These are kept as they are on the head node.
                paths[name] = str(folder.joinpath("inputs", name, *pathlib.Path(place).parts[-NAMING:]))
                missing += self.linked(paths[name], files)
        if checkpoint is not None and not self.shared:
            missing += self.linked(folder / "checkpoint", checkpoint)
        if missing:
            shutil.rmtree(folder, ignore_errors=True)
            return sorted(set(missing))
        self.cache.trim()
        request = {name: value for name, value in request.items() if name != "copies"} | {"inputs": paths}
        if not self.shared:
            (folder / "output").mkdir(parents=True)
            request["output"] = str(folder / "output")
            if checkpoint is not None:
                request["checkpoint"] = request["checkpoint"] | {"folder": str(folder / "checkpoint")}
        self.output = pathlib.Path(request["output"])
        self.checkpoint = pathlib.Path(request["checkpoint"]["folder"]) if "checkpoint" in request else None
        if self.process is None or self.ended is not None:
            self.start()
        with self.changed:
            self.busy, self.heard = True, time.monotonic()
        self.say(json.dumps(request))
        return []

    @staticmethod
    def head_copies(request):
        """Whether files are copied even if head and node share a file system. Tests request this."""
        return request.get("copies", False)

    def has_same(self, place, files):
        """Whether this node has these files at the same path."""
        try:
            return all(os.path.getsize(path := os.path.join(place, name)) == size and self.digests.of(path) == digest for name, size, digest in files)
        except OSError:
            return False

    def linked(self, folder, files):
        """Links files into a stage's folder. Returns the digests of the files that the cache lacks."""
        missing = []
        for name, size, digest in files:
            target = os.path.join(folder, name)
            os.makedirs(os.path.dirname(target), exist_ok=True)
            if not self.cache.link(digest, size, target):
                missing.append(digest)
        os.makedirs(folder, exist_ok=True)
        return missing

    def start(self):
        """Starts trl-worker, and a thread that reads its messages. The kernel kills the worker when that thread ends,
        and so when this process does."""
        begun = threading.Event()
        self.ended, self.spoken, self.stuck = None, False, None
        threading.Thread(target=self.listen, args=(begun,), daemon=True).start()
        begun.wait()
        threading.Thread(target=self.watch, args=(self.process,), daemon=True).start()

    def listen(self, begun):
        libc = ctypes.CDLL(None)
        ours, theirs = socket.socketpair()
        parent = os.getpid()

        def die_with_parent():
            libc.prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if os.getppid() != parent:
                os._exit(1)

        environment = os.environ | self.about["environment"]
        with open(self.log, "wb") as log:
            self.process = subprocess.Popen(
                [os.path.join(self.about["bin"], self.worker), "--protocol-fd", str(theirs.fileno())],
                stdin=subprocess.DEVNULL, stdout=log, stderr=log, pass_fds=[theirs.fileno()], env=environment, cwd=self.work,
                preexec_fn=die_with_parent, start_new_session=True)
        theirs.close()
        self.channel = ours
        begun.set()
        with ours.makefile("rb") as lines:
            for line in lines:
                with self.changed:
                    self.heard, self.spoken = time.monotonic(), True
                    with contextlib.suppress(ValueError, AttributeError):
                        self.busy = json.loads(line).get("event") not in ("done", "error")
                    self.lines.append(line)
                    self.changed.notify_all()
        status = self.process.wait()
        with self.changed:
            self.ended = self.stuck or f"was killed by signal {-status} ({signal.strsignal(-status)})" if status < 0 else f"ended with exit status {status}"
            self.changed.notify_all()

    def watch(self, process):
        """Kills a worker that carries out a stage and has sent nothing for too long. A worker that was just started may
        take minutes to load its libraries from a slow disk, so until its first message it is only killed if a signal
        has stopped it."""
        last = time.monotonic()
        while self.process is process and process.poll() is None:
            time.sleep(1)
            now = time.monotonic()
            with self.changed:
                if now - last > OWN_SILENCE:
                    self.heard += now - last
                last = now
                if self.busy and now - self.heard > self.silence and (self.spoken or is_stopped(process.pid)):
                    self.stuck = f"hasn't answered for {self.silence} s and was killed"
                    process.kill()
                    return

    def say(self, line):
        with contextlib.suppress(OSError):
            self.channel.sendall(line.encode() + b"\n")

    def events(self, seconds):
        """Waits for lines of the worker. Returns (lines, how the worker ended or None, the end of its log, a mark of
        its checkpoint's state)."""
        with self.changed:
            self.changed.wait_for(lambda: self.lines or self.ended, seconds)
            lines = list(self.lines)
            self.lines.clear()
            ended = self.ended
        log = b"".join(self.log.read_bytes().splitlines(keepends=True)[-LOG_LINES:]) if ended else b""
        return lines, ended, log.decode(errors="replace"), self.checkpoint_state()

    def checkpoint_state(self):
        if self.checkpoint is None or self.shared or not self.checkpoint.is_dir():
            return None
        with contextlib.suppress(FileNotFoundError):
            return sorted((path.name, path.stat().st_mtime_ns) for path in self.checkpoint.glob("*.safetensors"))
        return None

    def clear(self, number):
        """Removes the files of a stage that has ended, perhaps while the next one runs."""
        shutil.rmtree(self.work / str(number), ignore_errors=True)

    def end(self):
        """Ends the worker, as when its connection is closed, and removes the actor's folder."""
        if self.process is not None and self.ended is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.work, ignore_errors=True)
