"""Compiles CUDA C++ to a cubin for sm_90 by NVRTC, which torch's wheel contains.

NVRTC has no headers of the host: `cuda_include/` holds what kernels use of them, and `IN_MEMORY` has those without a text of their
own. `cuda_target/` stands for the part of libcu++ that CUDA's own headers include.
"""

import ctypes
import importlib.util
import os
import re

ARCHITECTURE, PORTABLE = "sm_90", "compute_80"
FILE = "candidate.cu"
HEADERS = "of CUB there are WarpReduce, BlockReduce and BlockScan, and of libcu++ and CUTLASS nothing"
SUCCESS = 0
# Headers that only wrappers need. They are empty here, where wrappers aren't compiled.
OF_WRAPPERS = """
ATen/ATen.h ATen/Dispatch.h ATen/cuda/CUDAContext.h c10/cuda/CUDAException.h c10/cuda/CUDAGuard.h c10/cuda/CUDAStream.h
cstdio cuda.h cuda_runtime.h cuda_runtime_api.h device_functions.h device_launch_parameters.h functional iostream memory
stddef.h stdio.h string torch/all.h torch/extension.h torch/python.h torch/torch.h torch/types.h tuple utility vector
""".split()
# C++'s names of C's headers.
IN_MEMORY = {name: "" for name in OF_WRAPPERS} | {
    f"c{name}": f"#include <{name}.h>\n" for name in ("assert", "float", "limits", "math")}

cuda = list(importlib.util.find_spec("nvidia.cu13").submodule_search_locations)[0]
# The headers crt/ are missing in NVRTC's wheel; Triton's wheel has them.
crt = os.path.join(list(importlib.util.find_spec("triton").submodule_search_locations)[0], "backends/nvidia/include")
here = os.path.dirname(os.path.abspath(__file__))
headers, target = os.path.join(here, "cuda_include"), os.path.join(here, "cuda_target")
# With _CG_LIMIT_INCLUDED_DEPENDENCIES, cooperative groups use their own type traits instead of
# libcu++, which none of the installed wheels has.
OPTIONS = ["-std=c++17", f"-I{headers}", f"-I{target}", f"-I{cuda}/include", f"-I{crt}",
           "-D_CG_LIMIT_INCLUDED_DEPENDENCIES", "--diag-suppress=1,47,177,550"]


class CompileError(Exception):
    """NVRTC's first error message, and the source line or None."""

    def __init__(self, message, line=None):
        super().__init__(message)
        self.line = line


def strings(texts):
    """Texts as an array of C strings."""
    encoded = [text.encode() for text in texts]
    return (ctypes.c_char_p * len(encoded))(*encoded)


def load():
    # libnvrtc looks for this library by its bare name.
    ctypes.CDLL(f"{cuda}/lib/libnvrtc-builtins.so.13.0", ctypes.RTLD_GLOBAL)
    return ctypes.CDLL(f"{cuda}/lib/libnvrtc.so.13")


def first_error(log):
    """Returns the first error's text and its line; the line is None if the error is in a header."""
    for found in re.finditer(r"^(.*?)\((\d+)\): (?:catastrophic )?error: (.*)$", log, re.MULTILINE):
        missing = re.search(r"(?:cannot|could not) open source file \"(.*?)\"", found[3])
        message = f"<{missing[1]}> is not among the headers that kernels have here; {HEADERS}" if missing else found[3]
        return message, int(found[2]) if os.path.basename(found[1]) == FILE else None
    return (log.strip().splitlines() or ["NVRTC fails without a message"])[0], None


class Compiler:
    def __init__(self):
        self.library = load()

    def compile(self, source, expressions, options, portable=False):
        """Returns (cubin, names): a cubin (portable: PTX) with a kernel for each name expression, and the kernels' names in it."""
        program = ctypes.c_void_p()
        texts, names = strings(IN_MEMORY.values()), strings(IN_MEMORY)
        self.check(self.library.nvrtcCreateProgram(
            ctypes.byref(program), source.encode(), FILE.encode(), len(IN_MEMORY), texts, names))
        try:
            for expression in expressions:
                self.check(self.library.nvrtcAddNameExpression(program, expression.encode()))
            words = [*OPTIONS, f"--gpu-architecture={PORTABLE if portable else ARCHITECTURE}"]
            words += ["--use_fast_math"] if options.get("use_fast_math") else []
            if self.library.nvrtcCompileProgram(program, len(words), strings(words)) != SUCCESS:
                raise CompileError(*first_error(self.text(program, "ProgramLog")))
            return self.bytes(program, "PTX" if portable else "CUBIN"), {one: self.lowered(program, one) for one in expressions}
        finally:
            self.library.nvrtcDestroyProgram(ctypes.byref(program))

    def check(self, result):
        if result != SUCCESS:
            self.library.nvrtcGetErrorString.restype = ctypes.c_char_p
            raise CompileError(self.library.nvrtcGetErrorString(result).decode())

    def bytes(self, program, what):
        size = ctypes.c_size_t()
        self.check(getattr(self.library, f"nvrtcGet{what}Size")(program, ctypes.byref(size)))
        buffer = ctypes.create_string_buffer(size.value)
        self.check(getattr(self.library, f"nvrtcGet{what}")(program, buffer))
        return buffer.raw[:size.value]

    def text(self, program, what):
        return self.bytes(program, what).rstrip(b"\0").decode(errors="replace")

    def lowered(self, program, expression):
        name = ctypes.c_char_p()
        self.check(self.library.nvrtcGetLoweredName(program, expression.encode(), ctypes.byref(name)))
        return name.value.decode()
