"""Times a task's PyTorch module on the GPU: as a CUDA graph of its eager operations, from Python, and compiled.

This process runs the reference alone, never a candidate. Requests come as lines on standard input, answers leave as lines
on standard output:
  {"id", "source", "inputs": [{"dtype", "shape", "below"}], "warmup", "trials", "compile"}
  {"id", "ok": true, "graph_us": [...], "python_us": [...], "compiled_us": [...] or null}   microseconds, a trial each
Each run has a cold L2 cache and is timed by events, as the runner times a candidate (runner/measure.cpp).
"""

import json
import os
import sys

import torch
import torch.nn as nn
import torch.nn.functional as F

DTYPES = {"f64": torch.float64, "f32": torch.float32, "f16": torch.float16, "bf16": torch.bfloat16, "i64": torch.int64,
          "i32": torch.int32, "i16": torch.int16, "i8": torch.int8, "u8": torch.uint8, "bool": torch.bool}


def draw(entry):
    dtype = DTYPES[entry["dtype"]]
    if dtype.is_floating_point:
        return torch.randn(entry["shape"], device="cuda", dtype=torch.float32).to(dtype)
    return torch.randint(0, max(entry.get("below") or 2, 1), entry["shape"], device="cuda").to(dtype)


class Clock:
    def __init__(self, warmup, trials):
        self.warmup, self.trials = warmup, trials
        l2 = torch.cuda.get_device_properties(0).L2_cache_size
        self.flush = torch.empty(2 * l2, dtype=torch.uint8, device="cuda")

    def time(self, work):
        events = []
        for trial in range(self.warmup + self.trials):
            self.flush.fill_(0x5A)
            begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
            begin.record()
            work()
            end.record()
            if trial >= self.warmup:
                events.append((begin, end))
        torch.cuda.synchronize()
        return [begin.elapsed_time(end) * 1e3 for begin, end in events]


def captured(work):
    """The work as one CUDA graph."""
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


def answer(request):
    scope = {"torch": torch, "nn": nn, "F": F}
    exec(compile(request["source"], "reference.py", "exec"), scope)
    inputs = [draw(entry) for entry in request["inputs"]]
    model = scope["Model"]()
    clock = Clock(request["warmup"], request["trials"])
    with torch.no_grad():
        graph = captured(lambda: model(*inputs))
        out = {"ok": True, "graph_us": clock.time(graph.replay), "python_us": clock.time(lambda: model(*inputs)),
               "compiled_us": None}
        if request.get("compile"):
            compiled = torch.compile(model)
            out["compiled_us"] = clock.time(captured(lambda: compiled(*inputs)).replay)
    return out


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
    torch.zeros(1, device="cuda")
    write({"ready": True})
    for line in sys.stdin.buffer:
        request = json.loads(line)
        try:
            reply = answer(request)
        except Exception as error:  # a reference that does not run is the caller's to report
            reply = {"ok": False, "message": f"{type(error).__name__}: {error}"[:2000]}
        torch.cuda.empty_cache()
        write({**reply, "id": request["id"]})


if __name__ == "__main__":
    main()
