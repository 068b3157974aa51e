"""The kernel compiler: TTIR or CUDA C++ to a cubin for sm_90, in a process that runs no candidate's code.

Requests {"id", "ttir", "options"} (with "portable": true for PTX in the cubin's place) or {"id", "source", "expressions", "expression", "options"} come as lines on standard
input; answers {"id", "ok", "cubin" (base64), "name", "threads", "shared", "message", "line"} leave as lines on standard output
(docs/seams.md, 4).
"""

import base64
import json
import os
import sys
import tempfile

from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget, Language
from triton.compiler import make_backend

TARGET = GPUTarget("cuda", 90, 32)
PORTABLE = GPUTarget("cuda", 80, 32)  # its PTX runs on every GPU from compute capability 8.0 on
OPTIONS = {"num_warps", "num_stages", "maxnreg", "enable_fp_fusion"}
MAX_SHARED = 232448  # bytes a block of an H100 or H200 may use


def compile_kernel(ttir, options, target=TARGET, result="cubin"):
    """The cubin's (or PTX's) bytes and what it uses; raises what Triton raises."""
    strange = set(options) - OPTIONS
    if strange:
        raise ValueError(f"the option {sorted(strange)[0]} is not allowed")
    backend = make_backend(target)
    parsed = backend.parse_options({name: value for name, value in options.items() if value is not None})
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    with tempfile.NamedTemporaryFile("w", suffix=".ttir") as file:
        file.write(ttir)
        file.flush()
        module = ir.parse_mlir_module(file.name, context)
    module.context = context
    stages, metadata = {}, {}
    backend.add_stages(stages, parsed, Language.TRITON)
    for name in ("ttgir", "llir", "ptx", "cubin"):
        module = stages[name](module, metadata)
        if name == result:
            break
    if metadata.get("global_scratch_size", 0) or metadata.get("cluster_dims", (1, 1, 1)) != (1, 1, 1):
        raise ValueError("the kernel needs scratch memory or clusters, which are not supported")
    if metadata.get("shared", 0) > MAX_SHARED:
        raise ValueError(f"the kernel needs {metadata['shared']} bytes of shared memory; there are {MAX_SHARED}")
    return module.encode() if isinstance(module, str) else module, metadata


def cuda_compiler():
    """NVRTC, loaded at the first CUDA kernel."""
    if cuda_compiler.one is None:
        import nvrtc
        cuda_compiler.one = nvrtc.Compiler()
    return cuda_compiler.one


cuda_compiler.one = None


def answer_cuda(request):
    cubin, names = cuda_compiler().compile(request["source"], request["expressions"], request["options"],
                                           request.get("portable", False))
    return {"id": request["id"], "ok": True, "cubin": base64.b64encode(cubin).decode(), "name": names[request["expression"]],
            "threads": 0, "shared": 0, "message": ""}


def answer(request):
    try:
        if "source" in request:
            return answer_cuda(request)
        portable = (PORTABLE, "ptx") if request.get("portable") else ()
        cubin, metadata = compile_kernel(request["ttir"], request["options"], *portable)
        warps = metadata.get("num_warps", request["options"].get("num_warps", 4))
        return {"id": request["id"], "ok": True, "cubin": base64.b64encode(cubin).decode(), "name": metadata["name"],
                "threads": 32 * warps, "shared": metadata.get("shared", 0), "message": ""}
    except Exception as error:  # whatever goes wrong, it is this kernel that does not compile
        text = str(error).strip() or type(error).__name__
        return {"id": request["id"], "ok": False, "message": text[:2000], "line": getattr(error, "line", None)}
    finally:
        # A failing ptxas leaves its files behind.
        for name in os.listdir(tempfile.tempdir):
            os.unlink(os.path.join(tempfile.tempdir, name))


def main():
    tempfile.tempdir = tempfile.mkdtemp(prefix="trl-compiler-")
    # Output of LLVM and ptxas must not mix with answers.
    out = os.dup(1)
    os.dup2(2, 1)
    os.write(out, b'{"ready": true}\n')
    for line in sys.stdin.buffer:
        data = memoryview(json.dumps(answer(json.loads(line))).encode() + b"\n")
        while data:
            data = data[os.write(out, data):]


if __name__ == "__main__":
    main()
