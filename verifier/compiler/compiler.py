"""The kernel compiler: it turns TTIR or CUDA C++ into a cubin for sm_90, in one process per kernel, which runs no candidate's code.

What is compiled is hostile: templates can compute anything, and MLIR, LLVM, NVRTC and ptxas aren't hardened. So each text is
compiled by a confined child with limits of its own, forked from a process that never saw another (zygote/).

A child's request is {"ttir", "options"} or {"source", "expressions", "options"}. In the first, "portable": true asks for PTX instead
of a cubin, and "verdict": true only for whether it compiles. The answer is
{"ok", "cubin" (base64), "name" or "names", "threads", "shared", "message", "line", "reason"} (docs/interfaces.md, 4).
"""

import base64
import gc
import json
import os
import re
import resource
import shutil
import signal
import sys
import tempfile

sys.path.insert(1, os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "zygote"))

import dialects
import jail
import service
import zygote

OPTIONS = {"num_warps", "num_stages", "maxnreg", "enable_fp_fusion"}
MAX_SHARED = 232448  # bytes a block of an H100 or H200 may use
LIMITS = {"seconds": 10, "memory_bytes": 1 << 30, "file_bytes": 256 << 20}
TRITON, CUDA = 0, 1  # kinds of requests
# Operations that let a candidate write PTX itself: inline assembly, and names that the linker
# resolves.
FOREIGN = ("tt.elementwise_inline_asm", "tt.extern_elementwise")

WARM_UP = """module {
  tt.func public @kernel(%x: !tt.ptr<f32> {tt.divisibility = 16 : i32}) attributes {noinline = false} {
    %i = tt.make_range {end = 128 : i32, start = 0 : i32} : tensor<128xi32>
    %p = tt.splat %x : !tt.ptr<f32> -> tensor<128x!tt.ptr<f32>>
    %q = tt.addptr %p, %i : tensor<128x!tt.ptr<f32>>, tensor<128xi32>
    %v = tt.load %q : tensor<128x!tt.ptr<f32>>
    tt.store %q, %v : tensor<128x!tt.ptr<f32>>
    tt.return
  }
}
"""


class Lowered(Exception):
    """Raised when Triton has lowered the kernel, before LLVM begins."""


class NoLlvm:
    """Replaces Triton's binding of LLVM. `init_targets` is the first of the binding's functions that the pass `llir`
    calls."""

    @staticmethod
    def init_targets():
        raise Lowered


def compile_kernel(ttir, options, architecture=90, result="cubin"):
    """Returns the bytes of the cubin or PTX, and what the kernel uses. Raises what Triton raises. With "lowered",
    compiling ends before LLVM, and there are no bytes: LLVM and ptxas have so far accepted everything that Triton
    lowered, except a candidate's inline assembly and external names. A kernel with these is compiled to a cubin."""
    from triton._C.libtriton import ir
    from triton.backends.compiler import GPUTarget, Language
    from triton.compiler import make_backend

    strange = set(options) - OPTIONS
    if strange:
        raise ValueError(f"the option {sorted(strange)[0]} is not allowed")
    backend = make_backend(GPUTarget("cuda", architecture, 32))
    parsed = backend.parse_options({name: value for name, value in options.items() if value is not None})
    context = dialects.context()
    with tempfile.NamedTemporaryFile("w", suffix=".ttir") as file:
        file.write(ttir)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    module.context = context
    if result == "lowered" and any(name in str(module) for name in FOREIGN):
        result = "cubin"
    stages, metadata = {}, {}
    backend.add_stages(stages, parsed, Language.TRITON)
    if result == "lowered":
        import triton.backends.nvidia.compiler
        triton.backends.nvidia.compiler.llvm = NoLlvm  # this process compiles nothing else
    for name in ("ttgir", "llir", "ptx", "cubin"):
        try:
            module = stages[name](module, metadata)
        except Lowered:
            for used, attribute in (("shared", "ttg.shared"), ("global_scratch_size", "ttg.global_scratch_memory_size")):
                metadata[used] = module.get_int_attr(attribute) or 0
            metadata["name"] = ""
            module = ""
            break
        if name == result:
            break
    if metadata.get("global_scratch_size", 0) or metadata.get("cluster_dims", (1, 1, 1)) != (1, 1, 1):
        raise ValueError("the kernel needs scratch memory or clusters, which are not supported")
    if metadata.get("shared", 0) > MAX_SHARED:
        raise ValueError(f"the kernel needs {metadata['shared']} bytes of shared memory; there are {MAX_SHARED}")
    return module.encode() if isinstance(module, str) else module, metadata


def prepare(kind):
    """Loads NVRTC, before the first CUDA kernel."""
    if kind == CUDA:
        import nvrtc
        prepare.cuda = nvrtc.Compiler()


prepare.cuda = None


def too_slow(limits, what):
    return {"ok": False, "reason": "timeout", "message": f"{what} takes more than {limits['seconds']} s of computing"}


def ptxas_was_ended(limits):
    """Whether the compiler has used up its CPU time."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime >= limits["seconds"] - 0.5


def answer(request, limits):
    """Compiles to a cubin, or to PTX for compute capability 8.0, which every later GPU runs, too."""
    portable = bool(request.get("portable"))
    try:
        if "source" in request:
            cubin, names = prepare.cuda.compile(request["source"], request["expressions"], request["options"], portable)
            return {"ok": True, "cubin": base64.b64encode(cubin).decode(), "names": names, "threads": 0, "shared": 0}
        verdict = bool(request.get("verdict"))
        result = "lowered" if verdict else "ptx" if portable else "cubin"
        cubin, metadata = compile_kernel(request["ttir"], request["options"], 80 if portable else 90, result)
        if verdict:
            cubin = b""
        warps = metadata.get("num_warps", request["options"].get("num_warps", 4))
        return {"ok": True, "cubin": base64.b64encode(cubin).decode(), "name": metadata["name"], "threads": 32 * warps,
                "shared": metadata.get("shared", 0)}
    except MemoryError:
        return {"ok": False, "reason": "memory", "message": "the compiler runs out of memory over this kernel"}
    except Exception as error:  # whatever fails, it is a failure to compile this kernel
        if ptxas_was_ended(limits):
            return too_slow(limits, "assembling a kernel")
        text = str(error).partition("\nRepro command:")[0].strip() or type(error).__name__
        text = re.sub(re.escape(tempfile.tempdir) + r"/\w+\.ptx", "PTX", text)  # temporary files have random names
        return {"ok": False, "message": text[:2000], "line": getattr(error, "line", None)}


def run_child(question, result, limits):
    zygote.arrange(question, result)
    for fd in (3, 4):
        os.set_inheritable(fd, False)  # ptxas must not inherit it
    try:
        jail.enter(limits, "compiler")
        tempfile.tempdir = tempfile.mkdtemp(prefix="trl-compiler-", dir=os.environ["TMPDIR"])
        with open(4, "rb", closefd=False) as file:
            line = file.readline()
        if not line:
            os._exit(0)
        os.write(3, service.CONFINED)
        said = answer(json.loads(line), limits)
        shutil.rmtree(tempfile.tempdir, ignore_errors=True)  # a failing ptxas leaves its files behind
    except OSError as error:
        said = {"ok": False, "reason": "sandbox", "message": f"the sandbox cannot confine the compiler: {error}"}
    data = memoryview(json.dumps(said).encode())
    while data:
        data = data[os.write(3, data):]
    os.close(3)
    os._exit(0)


def interpret(reading, status, seconds, limits):
    """Explains why a child gave no answer."""
    def failure(reason, message):
        return {"ok": False, "reason": reason, "message": message}

    if reading.why == "timeout":
        return failure("timeout", f"compiling a kernel does not end in time: it computed for {seconds:.1f} s")
    if reading.why == "idle":
        return failure("timeout", f"the compiler sleeps over this kernel: it computed for {seconds:.1f} s, and slept for {reading.asleep:.1f} s")
    if reading.why == "too_large":
        return failure("compile_error", "the compiler's answer is too large")
    if status is not None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        if number in (signal.SIGXCPU, signal.SIGKILL):
            if seconds >= limits["seconds"] - 0.5:
                return too_slow(limits, "compiling a kernel")
            return failure("memory", "the machine ended the compiler, as it ends processes that take too much memory")
        return failure("compile_error", f"the compiler ended by signal {number} over this kernel")
    return failure("compile_error", "the compiler ended over this kernel")


def load():
    """In the zygote: loads Triton by compiling once."""
    gc.disable()  # for children, too (recorder/recorder.py)
    tempfile.tempdir = tempfile.mkdtemp(prefix="trl-compiler-")
    compile_kernel(WARM_UP, {"num_warps": 4}, result="llir")
    shutil.rmtree(tempfile.tempdir, ignore_errors=True)
    tempfile.tempdir = None
    gc.freeze()
    return zygote.strange_threads()


def main():
    service.Service(load, run_child, interpret, LIMITS, prepare=prepare, max_answer=48 << 20).go_on()


if __name__ == "__main__":
    main()
