"""Computes what a task in KernelBench's form expects, by KernelBench's protocol: the reference's side of an exam, in a process that no
candidate ever enters. The task's file is carried out here. It may come from somebody else's store, so `verifier/services/module_references`
starts this script in trl-sandbox, where it can write to standard output alone, and reads what it writes as forged.

The request is JSON on standard input:

    {"code": text, "entry": "Model", "pair": false, "seed": 42, "trials": 5, "precision": "f32" | "f16" | "bf16", "cast": "all" | "floats",
     "device": "cpu" | "cuda", "most_bytes": integer}

It writes files to standard output in this order, each as a line {"file": name, "bytes": integer} and its bytes, in the format of safetensors,

    state.safetensors    parameters and buffers of the module, by their names, in the precision that is asked for
    init.safetensors     tensors among the constructor's arguments, args.0 … and kwargs.NAME; the others are in the report
    trial_0.safetensors  … one for each trial: inputs.0 …, outputs.0 …, and exact.0 …, the same in f64

and a report as the last line:

    {"seeds": [integer…], "tolerance": number, "init": {"args", "kwargs"}, "inputs": [value | null…] (null: a tensor), "outputs": [{"shape", "dtype"}…],
     "error": number | null, "accepts": {"itself", "zeros", "constant", "another_trial"}, "bytes": integer}

The protocol is that of KernelBench's eval.py (commit 423217d9): the seed is set before get_init_inputs and again before each construction, so that
module and answer have equal weights; the trials' seeds are drawn from it, below 2^32 - 1; a trial sets its own before get_inputs and again
before the two forward passes, first the module's and then the answer's, without another seed between them. Every tensor is converted to the
precision, integers too (`cast = all`), so that tasks with class numbers or token ids fail by it; with `floats` integers stay, which is not KernelBench's
protocol. `eval()` is never called, and gradients are off. An answer is right if it has the shape and |expected - answer| <= t + t |answer| in
every trial, t being 1e-4 in f32 and 1e-2 in f16 and bf16.

`error` is the largest |output - exact| / (t + t |exact|) over the trials: above 1, an answer that is more exact than the reference may be refused; null: it isn't a number.
`accepts` says which answers the protocol accepts in every trial: the module itself, constructed as an answer is (not one with dropout); zeros; the
mean of the first trial's output everywhere; and what another trial expects, so that nothing depends on the inputs. Of a task that accepts one of the last three the exam says little.
"""

import copy
import json
import math
import os
import sys

import torch

from refusal import Refused

TOLERANCES = {"f32": 1e-4, "f16": 1e-2, "bf16": 1e-2}
DTYPES = {"f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16}
NAMES = {torch.float64: "F64", torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16", torch.int64: "I64", torch.int32: "I32",
         torch.int16: "I16", torch.int8: "I8", torch.uint8: "U8", torch.bool: "BOOL"}


def safetensors(tensors):
    """Returns a file in the format of safetensors as pieces: the header's length, the header, and the tensors' bytes
    one after the other."""
    header, at, parts = {}, 0, []
    for name, tensor in tensors.items():
        if tensor.dtype not in NAMES:
            raise Refused(f"{name} has the dtype {tensor.dtype}, which isn't written", "use a task of real numbers, integers and booleans")
        data = tensor.detach().cpu().contiguous().reshape(-1).view(torch.uint8).numpy().tobytes()
        header[name] = {"dtype": NAMES[tensor.dtype], "shape": list(tensor.shape), "data_offsets": [at, at + len(data)]}
        at += len(data)
        parts.append(data)
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    return [len(text).to_bytes(8, "little") + text, *parts]


def set_seed(seed):
    torch.manual_seed(seed)
    if torch.cuda.is_available():
        torch.cuda.manual_seed(seed)


def size_of(values):
    return sum(v.numel() * v.element_size() for v in values if isinstance(v, torch.Tensor))


def flat(value):
    """Returns the tensors of a result, in order."""
    if isinstance(value, torch.Tensor):
        return [value]
    if isinstance(value, (list, tuple)):
        return [tensor for one in value for tensor in flat(one)]
    raise Refused(f"forward gives {type(value).__name__}, not tensors")


def right(expected, answer, tolerance):
    """Whether the protocol accepts an answer in a trial."""
    return len(expected) == len(answer) and all(
        a.shape == b.shape and torch.allclose(a, b.to(a.dtype), atol=tolerance, rtol=tolerance) for a, b in zip(expected, answer))


class Task:
    """Executes a task's file, and constructs its module as the protocol does."""

    def __init__(self, request):
        self.request, self.names = request, {"__name__": "task"}
        self.device, self.dtype = torch.device(request["device"]), DTYPES[request["precision"]]
        exec(compile(request["code"], "task.py", "exec"), self.names)
        for name in (request["entry"], "get_inputs", "get_init_inputs"):
            if name not in self.names:
                raise Refused(f"the task has no `{name}`")
        set_seed(request["seed"])
        init = self.names["get_init_inputs"]()
        self.args, self.kwargs = (list(init[0]), dict(init[1])) if request["pair"] else (list(init), {})
        self.args = [self.moved(v) for v in self.args]
        self.kwargs = {k: self.moved(v) for k, v in self.kwargs.items()}

    def moved(self, value):
        """Returns an argument or input. A tensor is moved to the device, and cast to the requested precision if its
        values are floats or `cast` is "all". Other values stay as they are."""
        if not isinstance(value, torch.Tensor):
            return value
        cast = self.request["cast"] == "all" or value.is_floating_point()
        return value.to(device=self.device, dtype=self.dtype if cast else value.dtype)

    def moved_weight(self, value):
        """Returns a parameter or buffer on the device, in the requested precision. Integers stay integers, as with
        Module.to."""
        return value.to(device=self.device, dtype=self.dtype if value.is_floating_point() else value.dtype)

    def construct(self):
        set_seed(self.request["seed"])
        return self.names[self.request["entry"]](*copy.deepcopy(self.args), **copy.deepcopy(self.kwargs))

    def seeds(self):
        torch.manual_seed(self.request["seed"])
        return [torch.randint(0, 2**32 - 1, (1,)).item() for _ in range(self.request["trials"])]

    def inputs(self, seed):
        set_seed(seed)
        return [self.moved(v) for v in self.names["get_inputs"]()]


def doubled(value):
    return value.double() if isinstance(value, torch.Tensor) and value.is_floating_point() else value


def compute(request, write):
    """Returns the report; calls `write` with each file's name and its tensors by name."""
    tolerance, task = TOLERANCES[request["precision"]], Task(request)
    with torch.no_grad():
        module, twin = (task.construct() for _ in range(2))
        state = {name: task.moved_weight(value) for name, value in module.state_dict().items()}
        exact = copy.deepcopy(module).to(device=task.device).double()
        module, twin = (one.to(device=task.device, dtype=task.dtype) for one in (module, twin))
        exact.load_state_dict({name: doubled(value) for name, value in state.items()})
        write("state.safetensors", state)
        given = {f"args.{i}": v for i, v in enumerate(task.args)} | {f"kwargs.{k}": v for k, v in task.kwargs.items()}
        write("init.safetensors", {name: v for name, v in given.items() if isinstance(v, torch.Tensor)})
        accepts = dict.fromkeys(("itself", "zeros", "constant", "another_trial"), True)
        first, error, total, said, outputs = None, 0.0, size_of(state.values()), [], []
        seeds = task.seeds()
        for number, seed in enumerate(seeds):
            inputs = task.inputs(seed)
            total += size_of(inputs)
            if total > request["most_bytes"]:
                raise Refused(f"inputs and weights take {total} bytes; {request['most_bytes']} are allowed", "allow more, or take a machine with more memory")
            before = copy.deepcopy(inputs)
            set_seed(seed)
            given = flat(module(*inputs))
            expected = [v.clone() for v in given]  # the module may give its input, which the answer may change
            accepts["itself"] &= right(given, flat(twin(*inputs)), tolerance)
            set_seed(seed)
            truth = flat(exact(*[doubled(copy.deepcopy(v)) for v in before]))
            total += size_of(expected) + size_of(truth)
            accepts["zeros"] &= right(expected, [torch.zeros_like(v) for v in expected], tolerance)
            first = first if first is not None else expected
            accepts["constant"] &= right(expected, [torch.full_like(v, mean_of.double().mean().item()) for v, mean_of in zip(expected, first)], tolerance)
            if number > 0:
                accepts["another_trial"] &= right(expected, first, tolerance)
            for a, b in zip(expected, truth):
                if a.numel() and a.is_floating_point():
                    error = max(error, ((a.double() - b).abs() / (tolerance + tolerance * b.abs())).max().item())
            write(f"trial_{number}.safetensors",
                  {f"{kind}.{i}": v for kind, values in (("inputs", before), ("outputs", expected), ("exact", truth))
                   for i, v in enumerate(values) if isinstance(v, torch.Tensor)})
            if number == 0:
                said = before
                outputs = [{"shape": list(v.shape), "dtype": NAMES[v.dtype].lower()} for v in expected]
    accepts["another_trial"] &= len(seeds) > 1

    def plain(value):
        """Returns a value in the form of JSON; None for a tensor."""
        if isinstance(value, (list, tuple)):
            return [plain(v) for v in value]
        if isinstance(value, dict):
            return {str(k): plain(v) for k, v in value.items()}
        return value if isinstance(value, (bool, int, float, str)) else None

    return {"seeds": seeds, "tolerance": tolerance, "init": {"args": plain(task.args), "kwargs": plain(task.kwargs)},
            "inputs": plain(said), "outputs": outputs, "error": error if math.isfinite(error) else None, "accepts": accepts, "bytes": total}


def main():
    request = json.load(sys.stdin)
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what the task prints

    def write(name, tensors):
        pieces = safetensors(tensors)
        out.write(json.dumps({"file": name, "bytes": sum(map(len, pieces))}).encode() + b"\n")
        for piece in pieces:
            out.write(piece)

    try:
        report = compute(request, write)
    except Refused as error:
        sys.exit(error.for_trl())
    except Exception as error:  # a task may raise anything
        sys.exit(f"error: the task failed: {type(error).__name__}: {error}")
    out.write(json.dumps(report).encode() + b"\n")
    out.flush()


if __name__ == "__main__":
    main()
