"""Triton's driver and torch.cuda without a GPU: launches are written down, kernels are taken as far as TTIR."""

import contextlib
import sys
import types

import torch
import triton
from torch._subclasses import fake_tensor
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, make_backend
from triton.runtime import autotuner, driver, jit

from ledger import Current, DTYPES, number
from refusal import Refused, line_of_frame

TARGET = GPUTarget("cuda", 90, 32)
# What a launch may choose; everything else must stay as it is. `ir_override`, `extern_libs` and `ptx_options`
# would bring in code that nobody reads.
OPTIONS = ("num_warps", "num_stages", "maxnreg", "enable_fp_fusion")
SCALARS = {"i1": "i1", "i8": "i32", "i16": "i32", "i32": "i32", "u32": "i32", "i64": "i64", "u64": "i64", "u8": "i32",
           "u16": "i32", "u1": "i1", "fp16": "f32", "bf16": "f32", "fp32": "f32", "f32": "f32", "fp64": "f64"}
PROPERTIES = {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536, "warpSize": 32,
              "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144}


class Utils:
    def get_device_properties(self, device):
        return dict(PROPERTIES)


class Driver:
    utils = Utils()

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    def set_current_device(self, device):
        pass

    def get_current_stream(self, device=None):
        return 0

    def get_active_torch_device(self):
        return torch.device("cuda", 0)

    def get_device_interface(self):
        return torch.cuda

    def get_device_capability(self, device=0):
        return (9, 0)

    def get_benchmarker(self):
        return lambda call, quantiles=None, **more: [1.0, 1.0, 1.0]

    def get_empty_cache_for_benchmark(self):
        return None

    def clear_cache(self, cache):
        pass


def flatten(kind, value):
    """Pairs of (type, value) that the compiled function takes; constants are compiled in."""
    if isinstance(kind, (tuple, list)):
        for one_kind, one_value in zip(kind, value):
            yield from flatten(one_kind, one_value)
    elif kind != "constexpr":
        yield kind, value


def encode(kind, value):
    ledger = Current.ledger
    if kind.startswith("*"):
        if not isinstance(value, torch.Tensor):
            ledger.refuse("unsupported", f"a pointer argument is a {type(value).__name__}, not a tensor")
        if value.device.type != "cuda":
            ledger.refuse("exception", "a pointer argument is a tensor on the CPU, which a kernel cannot reach")
        view = ledger.view(value)
        return {"buffer": view["buffer"], "offset": view["offset"], "dtype": view["dtype"]}
    if kind not in SCALARS:
        ledger.refuse("unsupported", f"arguments of type {kind} are not supported")
    name = SCALARS[kind]
    if name == "i1":
        return {"i1": bool(value)}
    return {name: number(float(value) if name[0] == "f" else int(value))}


class Kernel:
    """Stands for a compiled kernel: calling it writes a launch."""

    function, packed_metadata, module = 0, (), 0

    def __init__(self, fn, signature, options, number):
        self.src, self.signature, self.options, self.number = fn, signature, options, number
        self.name = fn.__name__
        self.metadata = types.SimpleNamespace(name=fn.__name__, **options)

    def launch_metadata(self, *args):
        return None

    def run(self, x, y, z, stream, function, packed, metadata, enter, leave, *values):
        grid = [int(x), int(y), int(z)]
        if min(grid) <= 0:  # nothing runs, as with Triton's own launcher
            Current.ledger.empty_grid(grid, line_of_frame(sys._getframe(1)))
            return
        args = [encode(kind, value) for top, one in zip(self.signature.values(), values)
                for kind, value in flatten(top, one)]
        Current.ledger.launch({"kernel": self.number, "grid": grid, "args": args,
                               "num_warps": self.options["num_warps"], "line": line_of_frame(sys._getframe(1))})


def check_options(options, defaults):
    for name, value in options.__dict__.items():
        if name not in OPTIONS and value != getattr(defaults, name):
            Current.ledger.refuse("option", f"the launch option {name} is not allowed")
    return {name: getattr(options, name) for name in OPTIONS}


def compile_kernel(self, key, signature, device, constexprs, options, attrs, warmup):
    """Replaces JITFunction._do_compile: Python to TTIR, no further."""
    cache, _, target, backend, _ = self.device_caches[device]
    defaults = backend.parse_options({"debug": False, "instrumentation_mode": ""})
    chosen = check_options(options, defaults)
    source = ASTSource(self, signature, constexprs, attrs)
    context = ir.context()
    ir.load_dialects(context)
    backend.load_dialects(context)
    module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                            context)
    stages = {}
    backend.add_stages(stages, options, source.language)
    text = str(stages["ttir"](module, {}))
    entry = {"name": self.__name__, "ttir": text, "options": chosen}
    if entry not in Current.kernels:
        if len(Current.kernels) >= 256:
            Current.ledger.refuse("too_large", "more than 256 kernels")
        Current.kernels.append(entry)
    kernel = Kernel(self, signature, chosen, Current.kernels.index(entry))
    cache[key] = kernel
    return kernel


def no_second_stream(*args, **more):
    Current.ledger.refuse("unsupported", "streams, events and graphs of one's own are not supported")


@contextlib.contextmanager
def on_device(device=None):
    yield


class Stream:
    cuda_stream, device_index, stream_id = 0, 0, 0
    device = torch.device("cuda", 0)

    def synchronize(self):
        pass

    def wait_stream(self, other):
        pass


class Properties:
    name, major, minor, total_memory = "NVIDIA H200", 9, 0, 150 << 30
    multi_processor_count, warp_size, max_threads_per_multi_processor = 132, 32, 2048
    shared_memory_per_block, shared_memory_per_block_optin, regs_per_multiprocessor = 49152, 232448, 65536
    shared_memory_per_multiprocessor, L2_cache_size = 233472, 60 << 20


def install():
    """Replaces what would need a GPU, for this process and those that it forks."""
    torch._C._ensureCUDADeviceGuardSet()
    driver.set_active(Driver())
    jit.JITFunction._do_compile = compile_kernel
    # The first configuration is the one that is used; measuring is not a candidate's business.
    autotuner.Autotuner._bench = lambda self, *args, config, **more: [1.0, 1.0, 1.0]
    autotuner.Autotuner.check_disk_cache = lambda self, key, configs, bench: bool(bench())
    fake_tensor.init_gpu_context = lambda device: None
    fake_tensor.FakeTensor.data_ptr = lambda self: Current.ledger.address(self)
    cuda = torch.cuda
    cuda.is_available = lambda: True
    cuda.is_initialized = lambda: False
    cuda.device_count = lambda: 1
    cuda.current_device = lambda: 0
    cuda.set_device = lambda device: None
    cuda.synchronize = lambda device=None: None
    cuda.empty_cache = lambda: None
    cuda.get_device_name = lambda device=None: Properties.name
    cuda.get_device_capability = lambda device=None: (9, 0)
    cuda.get_device_properties = lambda device=None: Properties()
    cuda.current_stream = lambda device=None: Stream()
    cuda.default_stream = lambda device=None: Stream()
    cuda.device = cuda.device_of = on_device
    for name in ("Stream", "stream", "Event", "CUDAGraph", "graph", "ExternalStream"):
        setattr(cuda, name, no_second_stream)
