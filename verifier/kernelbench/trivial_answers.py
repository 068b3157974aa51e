"""Finds what of a task's outputs trivial answers get right by KernelBench's protocol: answers that compute nothing, a part, or everything but
one operand. The tasks' files are carried out here, each in a process of its own, so they must be trusted.

The request is JSON on standard input:

    {"tasks": [{"id": text, "code": text, "entry": "Model"}…], "trials": 5, "operations": integer, "most_bytes": integer, "processes": 1, "device": "cpu"}

and the answer a line on standard output for each task as it ends, with its place among the tasks:

    {"task": integer, "id", "shares": {answer: number}, "accepts": [answer…]} or {"task", "id", "why": text, "counted": true | absent}

A task is given up after so many `operations`, of which `Budget` counts those of tensors, and where it needs more than `most_bytes` of memory, so that the
answer doesn't depend on how fast or busy a machine is; `counted` says that this was the reason. One whose Python itself doesn't end is stopped after ten minutes of processor time.

`shares` are the shares of output elements that an answer gets right, the mean over the trials; `accepts` are the answers that the protocol accepts, so that
the task says little of a kernel. Answers are `zeros`; `constant`, the mean of the first draw's output everywhere; `copy of NAME`, an input of the output's shape; `output of another
draw`; `first tile alone` and `last tile missing`, as verification has them (1,024 elements or half, and a sixteenth); `NAME as zeros` for each input and
parameter of real numbers that has an effect, which is what is left where an answer forgets it. Inputs, weights, seeds and tolerances are those of `reference.py`, in f32.
"""

import copy
import inspect
import json
import os
import resource
import select
import signal
import sys

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves
from torch.utils.flop_counter import flop_registry

import reference
from refusal import Refused

TOLERANCE = reference.TOLERANCES["f32"]
MOST_SECONDS = 600  # of processor time, for Python that doesn't end: no task's tensors take a tenth of it


class Spent(BaseException):
    """Raised when the operations are used up. It is no Exception, because a task might catch that."""


class Budget(TorchDispatchMode):
    """Counts operations: of each of PyTorch's functions the elements that it reads and writes, and the multiplications and additions of products,
    convolutions and attention."""

    def __init__(self, operations):
        super().__init__()
        self.operations = self.left = operations

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        kwargs = kwargs or {}
        out = func(*args, **kwargs)
        self.left -= sum(v.numel() for v in tree_leaves((args, kwargs, out)) if isinstance(v, torch.Tensor))
        if (flops := flop_registry.get(func.overloadpacket)) is not None:
            self.left -= flops(*args, **kwargs, out_val=out)
        if self.left < 0:
            raise Spent(f"it takes more than {self.operations:g} operations")
        return out


def share_right(expected, answer):
    """Returns the share of elements that are right by the protocol; 0 if the shapes differ."""
    if len(expected) != len(answer) or any(a.shape != b.shape for a, b in zip(expected, answer)):
        return 0.0
    right = sum(torch.isclose(a, b.to(a.dtype), atol=TOLERANCE, rtol=TOLERANCE).sum().item() for a, b in zip(expected, answer))
    return right / max(1, sum(a.numel() for a in expected))


def part_of(values, count):
    """Returns all outputs with only their first elements; the others are zeros."""
    kept = []
    for value in values:
        flat = torch.zeros_like(value).reshape(-1)
        some = count(flat.numel())
        flat[:some] = value.reshape(-1)[:some]
        kept.append(flat.reshape(value.shape))
    return kept


def names_of_inputs(module, inputs):
    names = [name for name in inspect.signature(module.forward).parameters]
    return [names[i] if i < len(names) else f"input {i}" for i in range(len(inputs))]


def is_real(value):
    return isinstance(value, torch.Tensor) and value.is_floating_point()


def without(module, seed, inputs, place=None, weight=None):
    """Returns the outputs with an input or a weight replaced by zeros; None if the module then fails."""
    one = copy.deepcopy(module)
    given = copy.deepcopy(inputs)
    if place is not None:
        given[place] = torch.zeros_like(given[place])
    else:
        one.get_parameter(weight).zero_()
    reference.set_seed(seed)
    try:
        return [v.clone() for v in reference.flat(one(*given))]
    except Exception:
        return None


def matters(module, trial, weight):
    """Whether other values of a weight change the outputs by more than the tolerance. The bias before a batch
    norm's mean doesn't change them, and an answer may leave it out."""
    seed, inputs, expected = trial
    one = copy.deepcopy(module)
    reference.set_seed(seed)
    one.get_parameter(weight).copy_(torch.randn_like(one.get_parameter(weight)))
    reference.set_seed(seed)
    try:
        return not reference.right(expected, reference.flat(one(*copy.deepcopy(inputs))), TOLERANCE)
    except Exception:
        return True


def task_of(request, code, entry):
    return reference.Task({"code": code, "entry": entry, "pair": False, "seed": 42, "trials": request["trials"], "precision": "f32", "cast": "floats",
                           "device": request.get("device", "cpu")})


def trivial(request, code, entry):
    task = task_of(request, code, entry)
    with torch.no_grad():
        module = task.construct().to(task.device)
        seeds, trials = task.seeds(), []
        shares, accepts = {}, {}

        def judge(name, expected, answer):
            share = 0.0 if answer is None else share_right(expected, answer)
            shares[name] = shares.get(name, 0.0) + share / len(seeds)
            accepts[name] = accepts.get(name, True) and answer is not None and reference.right(expected, answer, TOLERANCE)

        for seed in seeds:
            inputs = task.inputs(seed)
            if reference.size_of(inputs) > request["most_bytes"]:
                raise Refused(f"its inputs take {reference.size_of(inputs)} bytes; {request['most_bytes']} are tried")
            before = copy.deepcopy(inputs)
            reference.set_seed(seed)
            trials.append((seed, before, [v.clone() for v in reference.flat(module(*inputs))]))
        matter = [name for name, _ in module.named_parameters() if matters(module, trials[0], name)]
        for number, (seed, inputs, expected) in enumerate(trials):
            judge("zeros", expected, [torch.zeros_like(v) for v in expected])
            judge("constant", expected, [torch.full_like(v, first.double().mean().item()) for v, first in zip(expected, trials[0][2])])
            judge("output of another draw", expected, trials[(number + 1) % len(trials)][2])
            if sum(v.numel() for v in expected) > 1:
                judge("first tile alone", expected, part_of(expected, lambda n: min(1024, n // 2)))
                judge("last tile missing", expected, part_of(expected, lambda n: n - max(1, n // 16)))
            for place, (name, value) in enumerate(zip(names_of_inputs(module, inputs), inputs)):
                if isinstance(value, torch.Tensor) and len(expected) == 1 and value.shape == expected[0].shape:
                    judge(f"copy of {name}", expected, [value])
                if is_real(value):
                    judge(f"{name} as zeros", expected, without(module, seed, inputs, place=place))
            for name in matter:
                judge(f"{name} as zeros", expected, without(module, seed, inputs, weight=name))
    return {"shares": shares, "accepts": [name for name, all_right in accepts.items() if all_right]}


def said_of(request, one):
    """Returns the findings on a task. Runs in a process that is started for this task."""
    try:
        with Budget(request["operations"]):
            return trivial(request, one["code"], one["entry"])
    except (Spent, Refused) as error:
        return {"why": str(error), "counted": True}
    except RuntimeError as error:
        if "can't allocate memory" in str(error):
            return {"why": "its tensors need more memory than is tried", "counted": True}
        return {"why": f"its module fails: RuntimeError: {str(error)[:80]}"}
    except MemoryError:
        return {"why": "its tensors need more memory than is tried", "counted": True}
    except (Exception, SystemExit) as error:  # a task may raise anything
        return {"why": f"its module fails: {type(error).__name__}: {str(error)[:80]}"}


def start(request, one):
    """Starts a process, which may end for any reason. Returns its number, and the pipe on which it writes its
    findings."""
    read, write = os.pipe()
    child = os.fork()
    if child != 0:
        os.close(write)
        return child, read
    os.close(read)
    status = 1
    try:
        resource.setrlimit(resource.RLIMIT_CPU, (request.get("seconds", MOST_SECONDS),) * 2)
        with open("/proc/self/statm") as sizes:
            own = int(sizes.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (own + request["most_bytes"],) * 2)
        sys.stdout = sys.stderr = open(os.devnull, "w")
        torch.set_num_threads(1)
        said = said_of(request, one)
        with os.fdopen(write, "w") as pipe:
            pipe.write(json.dumps(said))
        status = 0
    finally:
        os._exit(status)


def ended(child, text):
    """Returns the findings of a process that has ended, or how it ended."""
    status = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGXCPU, signal.SIGKILL):
        return {"why": "its Python doesn't end, or its process was killed"}
    try:
        return json.loads(text)
    except ValueError:
        return {"why": f"its process ended by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "its process ended without an answer"}


def all_tried(request):
    """Yields (place, findings) of each task when it ends. Several tasks run at once."""
    waiting, running, poll = list(enumerate(request["tasks"])), {}, select.poll()
    while waiting or running:
        while waiting and len(running) < request.get("processes", 1):
            place, one = waiting.pop(0)
            child, pipe = start(request, one)
            running[pipe] = place, child, []
            poll.register(pipe, select.POLLIN | select.POLLHUP)
        for pipe, _ in poll.poll():
            place, child, parts = running[pipe]
            if part := os.read(pipe, 1 << 16):
                parts.append(part)
                continue
            poll.unregister(pipe)
            os.close(pipe)
            del running[pipe]
            yield place, ended(child, b"".join(parts).decode())


def main():
    request = json.load(sys.stdin)
    torch.set_num_threads(1)  # a process of several threads must not fork
    with Budget(1000):
        copy.deepcopy(torch.zeros(1)).clone()  # what PyTorch imports for a mode takes a second, once instead of in each process
    for place, said in all_tried(request):
        print(json.dumps({"task": place, "id": request["tasks"][place]["id"], **said}), flush=True)


if __name__ == "__main__":
    main()
