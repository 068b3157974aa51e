"""Times a task's PyTorch module on the GPU: as a CUDA graph of its eager operations, from Python, and compiled.

This process runs the reference alone, never a candidate. Requests are lines on standard input, answers are lines
on standard output:
  {"id", "source", "entry", "arguments", "keywords", ["forward"], "inputs": [TensorShape::to_json, and "parameter"], "warmup", "trials", "compile"}
An input with a "parameter" is that one of the module's parameters or buffers; the others are what forward takes.
  {"id", "ok": true, "graph_us": [...], "python_us": [...], "compiled_us": [...] or null}   microseconds, one number per trial
Of a module that can't be captured, since it copies from the host, "graph_us" are the times from Python. "compiled_us" is null where nobody asked for it,
and where torch.compile fails.
  {"id", "open": {the fields above, and those of Drawn or Trial}} draws a test case in the memory of the runner, and computes what it gives
  {"id", "compare": true}                                         judges the outputs that now lie there (own_sizes.py)
  {"id", "close": true}                                           forgets the test case
  {"id", "forget": true}                                          gives back the memory of the references that were timed
Each run has a cold L2 cache and is timed by events, as the runner times a candidate (runner/measure.cpp). The graphs of modules
that were asked for before are kept, so that they can be timed beside every candidate; the time from Python is measured once.
"""

import collections
import json
import os
import sys

import torch
import torch.nn.functional as F

from draws import DTYPES, MATRICES, CannotDraw
from modules import construct, forward_arguments
from own_sizes import opened


def real_numbers(entry):
    """Draws real numbers on the GPU as the task describes them, in f32."""
    shape, values = entry["shape"], entry.get("values", "unbounded")
    if values == "range":
        return entry["low"] + (entry["high"] - entry["low"]) * torch.rand(shape, device="cuda")
    if values in MATRICES:
        drawn = torch.rand(shape, device="cuda") * (entry["high"] - entry["low"]) + entry["low"] if entry["low"] < entry["high"] else \
            torch.randn(shape, device="cuda")
        return MATRICES[values](drawn)
    if values == "one_hot":
        places = torch.randint(0, shape[-1], shape[:-1], device="cuda")
        return F.one_hot(places, shape[-1]).float()
    drawn = entry.get("mean", 0.0) + entry.get("deviation", 1.0) * torch.randn(shape, device="cuda")
    return drawn.abs().clamp_min(1e-30) if values == "positive" else drawn


def draw(entry):
    dtype, shape = DTYPES[entry["dtype"]], entry["shape"]
    if dtype.is_floating_point:
        return real_numbers(entry).to(dtype)
    low, high = int(entry.get("low", 0)), int(entry.get("high", 1))
    if entry.get("values") != "offsets":
        return torch.randint(low, max(high, low) + 1, shape, device="cuda").to(dtype)
    cuts = torch.randint(0, high + 1, shape, device="cuda").sort().values
    cuts[0], cuts[-1] = 0, high
    return cuts.to(dtype)


class Clock:
    """Times work on a GPU. The GPU is kept busy before, since an idle GPU lowers its clock."""

    BUSY_FLUSHES = 60

    def __init__(self):
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2, dtype=torch.uint8, device="cuda")
        self.events = []

    def time(self, work, warmup, trials):
        while len(self.events) < trials:
            self.events.append((torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)))
        for _ in range(self.BUSY_FLUSHES):
            self.flush.fill_(0x5A)
        for _ in range(warmup):
            self.flush.fill_(0x5A)
            work()
        for begin, end in self.events[:trials]:
            self.flush.fill_(0x5A)
            begin.record()
            work()
            end.record()
        torch.cuda.synchronize()
        return [begin.elapsed_time(end) * 1e3 for begin, end in self.events[:trials]]


def captured(work):
    """Returns the work as one CUDA graph."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            work()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        work()
    return graph


def graph_or_none(work):
    """Returns the work as one CUDA graph; None if it can't be captured, or fails for another reason."""
    try:
        return captured(work)
    except Exception as error:  # torch.compile and capture raise many kinds
        print(f"not captured: {type(error).__name__}: {error}"[:500], file=sys.stderr)
        torch.cuda.synchronize()
        return None


class Reference:
    """A module on the GPU, captured as a CUDA graph."""

    def __init__(self, request, clock):
        model = construct(request, {entry["parameter"]: draw(entry) for entry in request["inputs"] if entry.get("parameter")})
        inputs = forward_arguments(request, [draw(entry) for entry in request["inputs"] if not entry.get("parameter")])
        def eager():
            return model(*inputs)

        self.eager = graph_or_none(eager)
        self.python_us = clock.time(eager, request["warmup"], request["trials"])
        self.compiled = None
        if request.get("compile"):
            compiled = torch.compile(model)
            self.compiled = graph_or_none(lambda: compiled(*inputs))
        # A CUDA graph replays on these addresses, so the tensors must stay alive.
        self.kept = inputs, model


class References:
    """The most recently used modules, as long as they take less than a quarter of the GPU's memory."""

    def __init__(self):
        self.clock, self.kept = Clock(), collections.OrderedDict()
        self.most_bytes = torch.cuda.get_device_properties(0).total_memory // 4

    def find(self, request):
        key = json.dumps({name: value for name, value in request.items() if name != "id"}, sort_keys=True)
        if key not in self.kept:
            self.kept[key] = Reference(request, self.clock)
            while len(self.kept) > 1 and (len(self.kept) > 256 or torch.cuda.memory_reserved() > self.most_bytes):
                self.kept.popitem(last=False)
                torch.cuda.empty_cache()
        self.kept.move_to_end(key)
        return self.kept[key]

    def time(self, request):
        reference = self.find(request)
        time = lambda graph: self.clock.time(graph.replay, request["warmup"], request["trials"])
        return {"graph_us": time(reference.eager) if reference.eager else reference.python_us, "python_us": reference.python_us,
                "compiled_us": time(reference.compiled) if reference.compiled else None}

    def forget(self):
        self.kept.clear()
        torch.cuda.empty_cache()


class Server:
    def __init__(self):
        self.references, self.test_case = References(), None

    def answer(self, request):
        with torch.no_grad():
            if "compare" in request:
                return self.test_case.compare()
            if "forget" in request:
                self.references.forget()
                return {}
            if "open" not in request and "close" not in request:
                return self.references.time(request)
            if self.test_case:
                self.test_case.close()
                self.test_case = None
            if "close" in request:
                return {}
            try:
                self.test_case = opened(request["open"])
            except CannotDraw as error:
                torch.cuda.empty_cache()
                return {"left": str(error)}
            return {"reference": self.test_case.reference}


def main():
    out = os.dup(1)
    os.dup2(2, 1)

    def write(value):
        data = memoryview(json.dumps(value).encode() + b"\n")
        while data:
            data = data[os.write(out, data):]

    if not torch.cuda.is_available():
        write({"ready": False, "message": "PyTorch sees no GPU"})
        return
    server = Server()
    torch.cuda.synchronize()
    write({"ready": True})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            reply = {"ok": True, **server.answer(request)}
        except Exception as error:  # the caller reports a reference that does not run
            reply = {"ok": False, "message": f"{type(error).__name__}: {error}"[:2000]}
            torch.cuda.empty_cache()
        write({**reply, "id": request["id"]})


if __name__ == "__main__":
    main()
