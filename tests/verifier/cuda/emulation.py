"""Runs the plans of generated CUDA answers on the CPU: their kernels, compiled by a C++ compiler with emulated_cuda.h."""

import ctypes
import os
import re
import subprocess
import tempfile

import numpy as np

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD = 1 << 16  # bytes before and behind each buffer, where nothing may be stored
UNTOUCHED = 0x5A
TYPES = {"f32": np.float32, "f16": np.float16}


def device_text(answer):
    """The kernels of a generated answer, which is the text before its wrapper."""
    text = answer.split("#include <torch/extension.h>\n", 1)[1].split("\ntorch::Tensor forward(", 1)[0]
    return re.sub(r"extern __shared__ float (\w+)\[\];", r"float* \1 = emulated::dynamic_shared.data();", text)


def carried_out(step, kernels, item):
    if "launch" in step:
        launch = step["launch"]
        arguments = ", ".join(f"emulated::Pointer{{buffers[{one['buffer']}] + {one['offset']}}}" if "buffer" in one
                              else str(next(iter(one.values()))) for one in launch["args"])
        kernel = kernels[launch["kernel"]]["expression"]
        grid, block = (", ".join(map(str, launch[name])) for name in ("grid", "block"))
        return f"emulated::launch({{{grid}}}, {{{block}}}, {launch['shared']}, [&] {{ {kernel}({arguments}); }});"
    to, source = step["copy"]["to"], step["copy"]["from"]  # a clone: contiguous
    return (f"std::memcpy(buffers[{to['buffer']}] + {to['offset']}, buffers[{source['buffer']}] + {source['offset']}, "
            f"{int(np.prod(to['shape'])) * item});")


class Emulation:
    """Compiles the plans of several answers together: `recorded` lists (answer, the recorder's answer, dtype)."""

    def __init__(self, recorded, compiler):
        text = [f'#include "{HERE}/emulated_cuda.h"']
        self.recorded = recorded
        for number, (answer, plans, dtype) in enumerate(recorded):
            text.append(f"namespace answer{number} {{\n{device_text(answer)}")
            for at, plan in enumerate(plans["plans"]):
                steps = [carried_out(step, plans["kernels"], np.dtype(TYPES[dtype]).itemsize) for step in plan.get("steps", [])]
                text.append(f'extern "C" void run_{number}_{at}(char** buffers) {{\n' + "\n".join(steps) + "\n}")
            text.append("}")
        with tempfile.TemporaryDirectory() as folder:
            source, library = os.path.join(folder, "kernels.cpp"), os.path.join(folder, "kernels.so")
            with open(source, "w") as file:
                file.write("\n".join(text))
            subprocess.run([compiler, "-O1", "-w", "-std=c++20", "-shared", "-fPIC", "-o", library, source], check=True)
            self.library = ctypes.CDLL(library)

    def run(self, number, at, inputs):
        """Runs an answer's plan and returns its output, and whether all stores were inside of buffers."""
        _, plans, dtype = self.recorded[number]
        plan = plans["plans"][at]
        memory = []
        for buffer in plan["buffers"]:
            bytes_ = np.full(buffer["bytes"] + 2 * GUARD, UNTOUCHED, np.uint8)
            if buffer["role"] == "input":
                bytes_[GUARD:-GUARD] = np.ascontiguousarray(inputs[buffer["input"]]).view(np.uint8).reshape(-1)
            else:
                bytes_[GUARD:-GUARD] = 0xFF  # NaN, until something is written
            memory.append(bytes_)
        places = (ctypes.c_void_p * len(memory))(*(one.ctypes.data + GUARD for one in memory))
        getattr(self.library, f"run_{number}_{at}")(places)
        output = plan["output"]
        values = memory[output["buffer"]][GUARD:-GUARD].view(TYPES[dtype])[:int(np.prod(output["shape"]))]
        inside = all((one[:GUARD] == UNTOUCHED).all() and (one[-GUARD:] == UNTOUCHED).all() for one in memory)
        return values.reshape(output["shape"]).astype(np.float64), inside
