"""Finds what of a task's outputs trivial answers get right by KernelBench's protocol: answers that compute nothing, a part, or everything but
one operand. The tasks' files are carried out here, each in a process of its own, so they must be trusted.

The request is JSON on standard input:

    {"tasks": [{"id": text, "code": text, "entry": "Model"}…], "trials": 5, "seconds": number, "most_bytes": integer, "device": "cpu"}

and the answer one line on standard output, in the tasks' order:

    {"tasks": [{"id", "shares": {answer: number}, "accepts": [answer…]} or {"id", "why": text}…]}

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
import signal
import sys

import torch

import reference
from refusal import Refused

TOLERANCE = reference.TOLERANCES["f32"]


def share_right(expected, answer):
    """The share of elements that the protocol finds right; 0 where shapes differ."""
    if len(expected) != len(answer) or any(a.shape != b.shape for a, b in zip(expected, answer)):
        return 0.0
    right = sum(torch.isclose(a, b.to(a.dtype), atol=TOLERANCE, rtol=TOLERANCE).sum().item() for a, b in zip(expected, answer))
    return right / max(1, sum(a.numel() for a in expected))


def part_of(values, count):
    """The first elements of all outputs, and zeros."""
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
    """The outputs with an input or a weight as zeros; nothing where the module then fails."""
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
    """Whether other values of a weight give other outputs; a bias before a batch norm's mean doesn't, and an answer may leave it out."""
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


def in_process(request, one):
    """The same in a process that may end for any reason."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(read)
        status = 1
        try:
            signal.alarm(max(1, int(request["seconds"])))
            most = max(4 * request["most_bytes"], 1 << 32)
            resource.setrlimit(resource.RLIMIT_DATA, (most, most))
            sys.stdout = sys.stderr = open(os.devnull, "w")
            torch.set_num_threads(1)
            try:
                said = trivial(request, one["code"], one["entry"])
            except Refused as error:
                said = {"why": str(error)}
            except RuntimeError as error:
                memory = "can't allocate memory" in str(error)
                said = {"why": "its tensors need more memory than is tried" if memory else f"its module fails: RuntimeError: {str(error)[:80]}"}
            except (Exception, SystemExit) as error:  # a task may raise anything
                said = {"why": f"its module fails: {type(error).__name__}: {str(error)[:80]}"}
            with os.fdopen(write, "w") as pipe:
                pipe.write(json.dumps(said))
            status = 0
        finally:
            os._exit(status)
    os.close(write)
    with os.fdopen(read) as pipe:
        text = pipe.read()
    ended = os.waitpid(child, 0)[1]
    if os.WIFSIGNALED(ended) and os.WTERMSIG(ended) == signal.SIGALRM:
        return {"why": f"it takes more than {request['seconds']:g} s"}
    try:
        return json.loads(text)
    except ValueError:
        return {"why": f"its process ended by signal {os.WTERMSIG(ended)}" if os.WIFSIGNALED(ended) else "its process ended without an answer"}


def main():
    request = json.load(sys.stdin)
    print(json.dumps({"tasks": [{"id": one["id"], **in_process(request, one)} for one in request["tasks"]]}))


if __name__ == "__main__":
    main()
