"""Triton's driver and torch.cuda without a GPU: launches are recorded, and kernels are compiled to TTIR only."""

import contextlib
import functools
import multiprocessing
import operator
import os
import re
import sys
import threading
import types
import warnings

import torch
from torch._subclasses import fake_tensor
from triton import testing
from triton._C.libtriton import ir, nvidia, passes
from triton.backends.compiler import GPUTarget
from triton.compiler import ASTSource, code_generator
from triton._utils import get_iterable_path
from triton.runtime import autotuner, driver, jit

import dialects
from framework import as_tensor, implement, new_tensor, tensor
from launch_trace import NAMES, Current, number
from refusal import CANDIDATE_FILE, line_of_frame

TARGET = GPUTarget("cuda", 90, 32)
PTX_VERSION = 87  # of Triton's own ptxas
# Options that a launch may set; others must have their default. `ir_override`, `extern_libs` and
# `ptx_options` would bring in code that the verifier doesn't read.
OPTIONS = ("num_warps", "num_stages", "maxnreg", "enable_fp_fusion")
# Options that let a kernel begin before the previous one has ended. The launches of a plan run one
# after another, which gives the same values.
SPEED_ONLY = ("launch_pdl",)
# A kernel's text names the file of each of its lines. For lines of Triton itself, it mustn't
# contain Triton's folder: otherwise the commitment, and everything that is drawn from it, would
# differ from machine to machine.
TRITON_FOLDER = os.path.dirname(testing.__file__) + os.sep
SCALARS = {"i1": "i1", "i8": "i32", "i16": "i32", "i32": "i32", "u32": "i32", "i64": "i64", "u64": "i64", "u8": "i32",
           "u16": "i32", "u1": "i1", "fp16": "f32", "bf16": "f32", "fp32": "f32", "f32": "f32", "fp64": "f64"}
# Triton's names of pointers' element types, if the plan has other names for them.
SEEN_AS = {"fp8e4nv": "f8e4m3", "fp8e5": "f8e5m2", "fp16": "f16", "bf16": "bf16", "fp32": "f32", "fp64": "f64", "int1": "i1",
           **{f"{sign}int{bits}": f"{sign or 'i'}{bits}" for sign in ("", "u") for bits in (8, 16, 32, 64)}}
# Options that change the kind of launch, and what to call that kind in a message.
LAUNCH_KINDS = {"num_ctas": "launches in clusters of blocks (num_ctas)",
                "launch_cooperative_grid": "cooperative launches (launch_cooperative_grid)"}
# Options that show in the TTIR itself: `debug` makes assertions.
IN_THE_TEXT = ("debug",)
# The largest number of alternatives of an autotuned launch, and the largest number of kernels that
# are compiled only for alternatives.
MAX_ALTERNATIVES = 64
# Finds inline assembly, except the assembly of tl.extra.cuda.gdc_wait() and
# gdc_launch_dependents().
INLINE_ASSEMBLY = re.compile(r'tt\.elementwise_inline_asm (?!"griddepcontrol\.(?:wait|launch_dependents); // dummy \$0" \{)')
PROPERTIES = {"max_shared_mem": 232448, "multiprocessor_count": 132, "max_num_regs": 65536, "warpSize": 32,
              "sm_clock_rate": 1980000, "mem_clock_rate": 3201000, "mem_bus_width": 6144}


class Utils:
    def get_device_properties(self, device=0):
        return dict(PROPERTIES)


class Driver:
    utils = Utils()

    def get_current_target(self):
        return TARGET

    def get_current_device(self):
        return 0

    @staticmethod
    def is_active():
        return True

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
    """Yields pairs of (type, value) for the parameters of the compiled function, without compile-time constants."""
    if isinstance(kind, (tuple, list)):
        for one_kind, one_value in zip(kind, value):
            yield from flatten(one_kind, one_value)
    elif kind.startswith("tensordesc"):
        # The way in which Triton's launcher passes a descriptor to a kernel compiled without TMA.
        yield "*", value.base
        sizes = [*value.shape, *value.strides]
        yield from (("i64", size) for size in sizes)
        yield "i1", value.padding == "nan"
        yield from (("i32", size) if at < len(value.shape) else ("i64", size) for at, size in enumerate(sizes))
    elif kind != "constexpr":
        yield kind, value


def unreachable(what, tensor):
    """Says why a kernel can't use a tensor on the CPU: (reason, message)."""
    if isinstance(tensor, torch.nn.Parameter):
        return ("unsupported", f"{what} is a parameter of ModelNew whose contents are random or computed on the CPU; the"
                               " verifier only knows constants")
    return "exception", f"{what} is a tensor on the CPU, which a kernel cannot reach"


def pointer(kind, value):
    """Returns the plan's pointer argument for a value that is no tensor, but an object with a `data_ptr`, or an
    address."""
    launch_trace = Current.launch_trace
    address = value.data_ptr() if hasattr(value, "data_ptr") else value
    dtype = kind.lstrip("*k")
    dtype = SEEN_AS.get(dtype, dtype)
    if not isinstance(address, int) or dtype not in NAMES:
        launch_trace.refuse("unsupported", f"a pointer argument is a {type(value).__name__}, not a tensor")
    place = launch_trace.place_at(address)
    if place is None:
        launch_trace.refuse("unsupported", "a pointer argument is no address of a tensor that was allocated on the GPU in this call")
    return {**place, "dtype": dtype}


def encode(kind, value):
    launch_trace = Current.launch_trace
    if kind.startswith("*"):
        seen_as = None
        if isinstance(value, jit.TensorWrapper):  # triton.reinterpret: the same bytes as another type
            seen_as, value = SEEN_AS.get(str(value.dtype)), value.base
        if not isinstance(value, torch.Tensor):
            return pointer(kind, value)
        if value.device.type != "cuda":
            launch_trace.refuse(*unreachable("a pointer argument", value))
        view = launch_trace.view(value)
        return {"buffer": view["buffer"], "offset": view["offset"], "dtype": seen_as or view["dtype"]}
    if kind not in SCALARS:
        launch_trace.refuse("unsupported", f"arguments of type {kind} are not supported")
    name = SCALARS[kind]
    if name == "i1":
        return {"i1": bool(value)}
    if name == "i64" and launch_trace.is_address(operator.index(value)):
        place = launch_trace.place_at(operator.index(value))
        if place is None:
            launch_trace.refuse("unsupported", "an argument is an address of no tensor that was allocated on the GPU in this call")
        return place
    return {name: number(float(value) if name[0] == "f" else operator.index(value))}


class Metadata(types.SimpleNamespace):
    """A compiled kernel's metadata. The size of its shared memory is only found when somebody asks for it, by a part of
    Triton's lowering."""

    lower = staticmethod(lambda: 0)  # set by compile_kernel

    @functools.cached_property
    def shared(self):
        return self.lower()


class Kernel:
    """Stands for a compiled kernel; calling it records a launch."""

    function, packed_metadata, module = 0, (), 0

    def __init__(self, fn, signature, attrs, options, number):
        self.src, self.signature, self.attrs, self.options, self.number = fn, signature, attrs, options, number
        self.name = fn.__name__
        self.metadata = Metadata(name=fn.__name__, num_ctas=1, target=TARGET, arch="sm90", warp_size=32, tmem_size=0, **options)

    def _init_handles(self):
        # Values for occupancy heuristics. Usually a compiler determines them, but none runs here.
        self.n_regs, self.n_spills, self.n_max_threads = 32, 0, 1024

    def __getitem__(self, grid):
        """Launches what `warmup` returned: as in Triton, every parameter is positional, constants too, and the grid has three sizes."""

        def launch(*values, stream=None):
            if len(values) == len(self.signature):
                self.check_attributes(values)
            self.run(grid[0], grid[1], grid[2], stream, 0, (), None, None, None, *values)

        return launch

    def check_attributes(self, values):
        """Refuses an argument that is no multiple of 16 if the kernel was compiled for one that is, and relies on
        that."""
        for path, attributes in self.attrs.items():
            value = get_iterable_path(values, path)
            value = value.data_ptr() if hasattr(value, "data_ptr") else value
            if isinstance(value, int) and value % 16 and ["tt.divisibility", 16] in attributes:
                Current.launch_trace.refuse("wrong_launch", f"{self.name} was compiled for a multiple of 16 as argument {path[0] + 1},"
                                                      f" and is launched with {value}")

    def launch_metadata(self, *args):
        return None

    @property
    def asm(self):
        Current.launch_trace.refuse("unsupported", "the wrapper asks for a kernel's code, which is compiled later")

    def run(self, x, y, z, stream, function, packed, metadata, enter, leave, *values):
        self._init_handles()
        if len(values) != len(self.signature):  # as in Triton's launcher
            raise TypeError(f"function takes exactly {len(self.signature)} arguments ({len(values)} given), constants among them")
        grid = [operator.index(x), operator.index(y), operator.index(z)]
        if min(grid) <= 0:  # nothing runs, as in Triton's own launcher
            Current.launch_trace.empty_grid(grid, line_of_frame(sys._getframe(1)))
            return
        args = [encode(kind, value) for top, one in zip(self.signature.values(), values)
                for kind, value in flatten(top, one)]
        Current.launch_trace.launch({"kernel": self.number, "grid": grid, "args": args,
                               "num_warps": self.options["num_warps"], "line": line_of_frame(sys._getframe(1))})


def names_own_library(value, own):
    """Whether the libraries that a launch names under its own names are only the files that Triton links anyway."""
    try:
        return all(any(os.path.samefile(path, its) for _, its in own) for _, path in value)
    except (OSError, TypeError, ValueError):
        return False


def check_options(options, defaults):
    for name, value in options.__dict__.items():
        if name == "extern_libs" and names_own_library(value, defaults.extern_libs):
            continue
        if name not in OPTIONS + SPEED_ONLY + IN_THE_TEXT and value != getattr(defaults, name):
            if name in LAUNCH_KINDS:
                Current.launch_trace.refuse("unsupported", f"{LAUNCH_KINDS[name]} are not supported")
            Current.launch_trace.refuse("option", f"the launch option {name} is not allowed")
    return {name: getattr(options, name) for name in OPTIONS}


def line_in_source(ttir, operation):
    """Returns the line of the candidate's text from which an operation in a kernel's text was made, or None."""
    places = dict(re.findall(r"^(#loc\w*) = (.*)$", ttir, re.MULTILINE))
    text = next(line for line in ttir.splitlines() if operation.search(line) and not line.startswith("#"))
    for _ in range(16):  # an alias may refer to another alias
        found = re.search(re.escape(f'"{CANDIDATE_FILE}":') + r"(\d+)", text)
        if found:
            return int(found[1])
        alias = re.findall(r"#loc\w*", text)
        text = places.get(alias[-1], "") if alias else ""
    return None


def shared_bytes(backend, source, options, line):
    """Returns the bytes of shared memory that a kernel needs on the GPU that wrappers see. This takes the first half of
    Triton's lowering."""
    Current.on_compile(line)
    module = source.make_ir(TARGET, options, backend.get_codegen_implementation(options), backend.get_module_map(), dialects.context())
    metadata = {}
    module = backend.make_ttgir(backend.make_ttir(module, metadata, options, TARGET.arch), metadata, options, TARGET.arch)
    passes_of_lowering = ir.pass_manager(module.context)
    passes.ttgpuir.add_allocate_warp_groups(passes_of_lowering)
    passes.convert.add_scf_to_cf(passes_of_lowering)
    passes.gluon.add_inliner(passes_of_lowering)
    nvidia.passes.ttgpuir.add_allocate_shared_memory_nv(passes_of_lowering, TARGET.arch, PTX_VERSION)
    passes_of_lowering.run(module, "allocate_shared_memory")
    return module.get_int_attr("ttg.shared")


def without_hints(ttir):
    """Returns a kernel without its promises that arguments are multiples of 16. It can be used for all arguments of its
    types."""
    return re.sub(r"^  tt\.func public .*$", lambda line: line[0].replace(" {tt.divisibility = 16 : i32}", ""), ttir, count=1, flags=re.MULTILINE)


def compile_kernel(self, key, signature, device, constexprs, options, attrs, warmup):
    """Replaces JITFunction._do_compile; it compiles from Python to TTIR only."""
    line = line_of_frame(sys._getframe(1))
    if self.is_gluon():
        Current.launch_trace.refuse("unsupported", "kernels in Gluon are not supported: the verifier reads Triton's TTIR", line)
    Current.on_compile(line)
    cache, _, target, backend, _ = self.device_caches[device]
    defaults = backend.parse_options({"debug": False, "instrumentation_mode": ""})
    chosen = check_options(options, defaults)
    source = ASTSource(self, signature, constexprs, attrs)
    # Kernels for stretched sizes are only executed and never compiled further. So the text made for
    # other sizes is taken again, without the hints about its arguments.
    made = [text for *made_of, text in Current.made if Current.stretched and made_of == [self, signature, constexprs, chosen]]
    if made:
        text = without_hints(made[0])
    else:
        module = source.make_ir(target, options, backend.get_codegen_implementation(options), backend.get_module_map(),
                                dialects.context())
        # Compiles as for a GPU without TMA: descriptors become pointers, which the executor and every GPU
        # support.
        text = str(backend.make_ttir(module, {}, options, 80)).replace(TRITON_FOLDER, "triton/")
        Current.made.append([self, signature, constexprs, chosen, text])
    if INLINE_ASSEMBLY.search(text):
        Current.launch_trace.refuse("unsupported", f"the kernel {self.__name__} holds inline assembly, which nobody can check",
                              line_in_source(text, INLINE_ASSEMBLY))
    entry = {"name": self.__name__, "ttir": text, "options": chosen}
    if entry not in Current.kernels:
        if len(Current.kernels) >= 256:
            Current.launch_trace.refuse("too_large", "more than 256 kernels")
        Current.kernels.append(entry)
    kernel = Kernel(self, signature, attrs, chosen, Current.kernels.index(entry))
    kernel.metadata.lower = lambda: shared_bytes(backend, source, options, line)
    cache[key] = kernel
    return kernel


def attempt_configuration(tuner, config, args, kwargs):
    """Runs a configuration and returns (steps of its hook, its launch or None, its kernel)."""
    with Current.launch_trace.aside() as steps:
        if config.pre_hook is not None:
            config.pre_hook({**tuner.nargs, **kwargs, **config.all_kwargs()})
        kernel = tuner.fn.run(*args, **kwargs, **config.all_kwargs())
    launch = steps.pop() if steps and "launch" in steps[-1] else None
    return steps, launch, kernel


def pruned_configurations(tuner, kwargs):
    """Returns the configurations that Autotuner.run would time. The tuner's hook (reset_to_zero, pre_hook) runs as it does after
    timing: once for each key, not at later calls."""
    if len(tuner.configs) == 1:
        return tuner.configs
    named = {name: value for name, value in {**tuner.nargs, **kwargs}.items() if name in tuner.arg_names}
    key = (*(named[name] for name in tuner.keys if name in named),
           *(str(value.dtype) for value in named.values() if hasattr(value, "dtype")))
    if key not in tuner.cache:
        tuner.cache[key] = tuner.prune_configs(kwargs)
        tuner.pre_hook({**tuner.nargs, **kwargs, **tuner.cache[key][0].all_kwargs()}, reset_only=True)
    return tuner.cache[key]


def run_autotuned(self, *args, **kwargs):
    """Replaces Autotuner.run; nothing is timed. The first configuration that compiles is the launch; the others become its
    alternatives if they compile and their hooks do the same."""
    launch_trace = Current.launch_trace
    self.nargs = dict(zip(self.arg_names, args))
    chosen, failure, alternatives = None, None, []
    for config in pruned_configurations(self, kwargs):
        if chosen and (Current.repeated or Current.stretched or len(alternatives) >= MAX_ALTERNATIVES or Current.alternative_kernels >= MAX_ALTERNATIVES):
            break
        violation, kernels = launch_trace.violation, len(Current.kernels)
        try:
            steps, launch, kernel = attempt_configuration(self, config, args, kwargs)
        except Exception as error:  # a configuration that doesn't compile is skipped, unless none compiles
            failure = failure or (error, launch_trace.violation)
            launch_trace.violation = violation
            Current.alternative_kernels += 1
            continue
        if chosen is None:
            self.best_config, chosen = config, (steps, launch, kernel)
            continue
        Current.alternative_kernels += len(Current.kernels) - kernels
        if launch and chosen[1] and steps == chosen[0]:
            alternatives.append({name: launch["launch"][name] for name in ("kernel", "grid", "args")})
    self.nargs = None
    if chosen is None:
        error, launch_trace.violation = failure
        raise error
    steps, launch, kernel = chosen
    for step in steps:
        launch_trace.add_step(step)
    if launch:
        launch_trace.launch(launch["launch"] | ({"alternatives": alternatives} if alternatives else {}))
    return kernel


@contextlib.contextmanager
def on_stream(stream):
    """Replaces torch.cuda.stream; only the current stream is allowed."""
    if stream is not None and not isinstance(stream, Stream):
        no_second_stream()
    yield


def no_second_stream(*args, **more):
    Current.launch_trace.refuse("unsupported", "streams, events and graphs of one's own are not supported")


def bench(call, *args, quantiles=None, return_mode="mean", **more):
    """Replaces triton.testing.do_bench: calls the function once, and reports a millisecond whatever it does."""
    call()
    if quantiles is not None:
        return [1.0] * len(quantiles) if len(quantiles) > 1 else 1.0
    return [1.0] if return_mode == "all" else 1.0


# nvidia-smi's figures for an H200, as integers.
QUERIES = {"clocks.max.sm": 1980, "clocks.current.sm": 1980, "clocks.sm": 1980, "clocks.gr": 1980, "clocks.max.gr": 1980,
           "clocks.current.graphics": 1980, "clocks.max.graphics": 1980, "clocks.max.memory": 3201, "clocks.current.memory": 3201,
           "clocks.mem": 3201, "clocks.max.mem": 3201, "memory.total": 143771, "memory.used": 0, "memory.free": 143771,
           "power.limit": 700, "power.draw": 200, "temperature.gpu": 40, "utilization.gpu": 0, "index": 0, "count": 1}


def nvsmi(attrs):
    for attr in attrs:
        if attr not in QUERIES:
            raise ValueError(f"Field {attr!r} is not a valid field to query.")
    return [QUERIES[attr] for attr in attrs]


class OnDevice(contextlib.nullcontext):
    """Replaces torch.cuda.device for the only GPU. It is a class because PyTorch uses isinstance."""

    idx = prev_idx = 0

    def __init__(self, *args, **more):
        super().__init__()


class Stream:
    cuda_stream, device_index, stream_id, priority = 0, 0, 0, 0
    device = torch.device("cuda", 0)

    def __eq__(self, other):
        return isinstance(other, Stream)

    def __hash__(self):
        return 0

    def query(self):
        return True

    def record_event(self, event=None):
        no_second_stream()

    def synchronize(self):
        pass

    def wait_stream(self, other):
        pass


class Properties:
    name, major, minor, total_memory = "NVIDIA H200", 9, 0, 150109880320
    max_threads_per_block, gcnArchName, is_integrated, is_multi_gpu_board = 1024, "NVIDIA H200", 0, 0
    clock_rate, memory_clock_rate, memory_bus_width, pci_bus_id, pci_device_id, pci_domain_id = 1980000, 3201000, 6144, 1, 0, 0
    uuid = "00000000-0000-0000-0000-000000000000"
    multi_processor_count, warp_size, max_threads_per_multi_processor = 132, 32, 2048
    shared_memory_per_block, shared_memory_per_block_optin, regs_per_multiprocessor = 49152, 232448, 65536
    shared_memory_per_multiprocessor, L2_cache_size = 233472, 60 << 20


def install():
    """Replaces functions that would need a GPU, for this process and those that it forks."""
    torch._C._ensureCUDADeviceGuardSet()
    driver.set_active(Driver())
    jit.JITFunction._do_compile = compile_kernel
    # Triton's code generator sets two filters of warnings for each node of a kernel's syntax tree, which takes time.
    code_generator.warnings = types.SimpleNamespace(
        **{**vars(warnings), "catch_warnings": contextlib.nullcontext, "simplefilter": lambda *given: None})
    autotuner.Autotuner.run = run_autotuned
    fake_tensor.init_gpu_context = lambda device: None
    fake_tensor.FakeTensor.data_ptr = lambda self: Current.launch_trace.address(self)
    torch.tensor, torch.as_tensor, torch.asarray, torch.from_numpy = tensor, as_tensor, as_tensor, as_tensor
    torch.Tensor.new_tensor = new_tensor
    torch.library.Library.impl = implement
    # A kernel in torch.library.wrap_triton is launched like the kernel itself. PyTorch does the
    # same if nothing traces it.
    torch._library.triton.wrap_triton_enabled_default = False
    torch.Tensor.record_stream = lambda self, stream: None
    torch.Tensor.is_set_to = lambda self, other: (
        Current.launch_trace.buffer_of(self) == Current.launch_trace.buffer_of(other) and self.shape == other.shape
        and self.stride() == other.stride() and self.storage_offset() == other.storage_offset())
    torch.Tensor.is_pinned = lambda self, device=None: False
    torch.Tensor.pin_memory = lambda self, device=None: self
    # Moving a module swaps its parameters' contents. PyTorch refuses that for tensors with weak
    # references, and FakeTensor's bookkeeping holds some.
    torch.utils.weakref = types.SimpleNamespace(getweakrefs=lambda tensor: [])
    testing.do_bench = testing.do_bench_cudagraph = bench
    testing.nvsmi = nvsmi
    # Locks between processes need files that candidates may not have, and a candidate has one process.
    multiprocessing.Lock, multiprocessing.RLock = threading.Lock, threading.RLock
    install_cuda(torch.cuda)


def install_cuda(cuda):
    """Replaces the queries of torch.cuda that honest wrappers make. They return an H200's values."""
    answers = {
        "is_available": True, "is_initialized": False, "device_count": 1, "current_device": 0, "set_device": None,
        "synchronize": None, "empty_cache": None, "init": None, "ipc_collect": None, "get_device_name": Properties.name,
        "get_device_capability": (9, 0), "get_arch_list": ["sm_80", "sm_90"], "is_bf16_supported": True,
        "is_tf32_supported": True, "mem_get_info": (Properties.total_memory - (1 << 30), Properties.total_memory),
        "get_gencode_flags": "", "can_device_access_peer": False, "is_current_stream_capturing": False,
        "memory_stats": {}, "reset_peak_memory_stats": None, "reset_max_memory_allocated": None,
        "manual_seed": None, "manual_seed_all": None, "utilization": 0, "_sleep": None,
        "memory_summary": "", "reset_accumulated_memory_stats": None, "set_per_process_memory_fraction": None,
        "initial_seed": 0, "get_sync_debug_mode": 0, "set_sync_debug_mode": None, "clock_rate": 1980, "temperature": 40,
        "power_draw": 200000, "_exchange_device": 0, "_maybe_exchange_device": 0,
    }
    for name in ("memory_allocated", "max_memory_allocated", "memory_reserved", "max_memory_reserved"):
        answers[name] = 0
    for name, answer in answers.items():
        for module in (cuda, cuda.memory, cuda.random):
            if module is cuda or hasattr(module, name):
                setattr(module, name, lambda *args, answer=answer, **more: answer)
    cuda.get_device_properties = lambda device=None: Properties()
    cuda.current_stream = cuda.default_stream = lambda device=None: Stream()
    cuda.device = cuda.device_of = cuda._DeviceGuard = OnDevice
    torch._C._cuda_getCurrentRawStream = lambda device=0: 0
    torch._C._cuda_getDevice, torch._C._cuda_setDevice = lambda: 0, lambda device: None
    torch._C._cuda_exchangeDevice = torch._C._cuda_maybeExchangeDevice = lambda device: 0
    for name in ("range_push", "range_pop", "range_start", "range_end", "mark"):
        setattr(cuda.nvtx, name, lambda *args, **more: 0)
    cuda.nvtx.range = OnDevice
    cuda.stream = on_stream
    for name in ("Stream", "Event", "CUDAGraph", "graph", "ExternalStream", "set_stream"):
        setattr(cuda, name, no_second_stream)
