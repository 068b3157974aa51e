#: occupancy_by_shared_memory | tasks softmax | WARPS 2 8
properties = triton.runtime.driver.active.utils.get_device_properties(torch.cuda.current_device())

@triton.jit
def kernel(y_ptr, x_ptr, x_stride, y_stride, M, N, BLOCK: tl.constexpr, STAGES: tl.constexpr):
    for row in tl.range(tl.program_id(0), M, tl.num_programs(0), num_stages=STAGES):
        c = tl.arange(0, BLOCK)
        x = tl.load(x_ptr + row * x_stride + c, mask=c < N, other=-float('inf'))
        e = tl.exp(x - tl.max(x, axis=0))
        tl.store(y_ptr + row * y_stride + c, e / tl.sum(e, axis=0), mask=c < N)

class ModelNew(nn.Module):
    def forward(self, x):
        M, N = x.shape
        BLOCK, y = triton.next_power_of_2(N), torch.empty_like(x)
        compiled = kernel.warmup(y, x, x.stride(0), y.stride(0), M, N, BLOCK=BLOCK, STAGES=2, num_warps=__WARPS__, grid=(1,))
        compiled._init_handles()
        occupancy = properties["max_num_regs"] // (compiled.n_regs * properties["warpSize"] * __WARPS__)
        occupancy = min(occupancy, properties["max_shared_mem"] // compiled.metadata.shared)
        programs = min(properties["multiprocessor_count"] * occupancy, M)
        compiled[(programs, 1, 1)](y, x, x.stride(0), y.stride(0), M, N, BLOCK, 2)
        return y
#: under_private_guards | tasks relu | GUARD torch.cuda._DeviceGuard(0) torch.cuda._DeviceGuard(x.device.index) torch.cuda.device(x.device) torch.cuda.device_of(x)
from torch._C import _cuda_getCurrentRawStream as get_raw_stream

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        before = torch.cuda._exchange_device(x.device.index)
        with __GUARD__:
            stream = get_raw_stream(x.device.index)
            y = torch.empty_like(x)
            kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        torch.cuda._maybe_exchange_device(before)
        return y if stream == torch._C._cuda_getCurrentRawStream(0) else x
#: measures_which_block_is_best | tasks relu exp | HOW do_bench(call) do_bench(call,quantiles=[0.5,0.2,0.8])[0] do_bench_cudagraph(call) do_bench(call,return_mode="all")[0]
from triton.testing import do_bench, do_bench_cudagraph

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def __init__(self):
        super().__init__()
        self.best = None

    def run(self, x, y, block):
        kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)

    def forward(self, x):
        y = torch.empty_like(x)
        if self.best is None:
            times = {}
            for block in (64, 256):
                def call():
                    self.run(x, y, block)
                times[block] = __HOW__
            self.best = min(times, key=times.get)
        self.run(x, y, self.best)
        return y
#: roofline_of_the_gpu | tasks relu
import triton.testing

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

clock, memory = triton.testing.nvsmi(["clocks.max.sm", "clocks.max.memory"])
bandwidth = triton.testing.get_dram_gbps(0)
peak = triton.testing.get_max_tensorcore_tflops(torch.float16, clock * 1e3, 0)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        block = 1024 if bandwidth > 3000 and peak > 100 and memory > 0 else 64
        kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
        return y
#: behind_a_lock | tasks relu | LOCK multiprocessing.Lock() multiprocessing.RLock() threading.Lock()
import multiprocessing
import threading
from packaging import version

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

lock = __LOCK__
BLOCK = 256 if version.parse(triton.__version__) >= version.parse("3.0.0") else 128

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        with lock:
            kernel[(triton.cdiv(x.numel(), BLOCK),)](x, y, x.numel(), BLOCK=BLOCK)
        return y
#: pointers_in_objects | tasks relu neg | OFFSET 0 16
class Pointer:
    def __init__(self, tensor, offset=0):
        self.tensor, self.dtype, self.offset = tensor, tensor.dtype, offset

    def data_ptr(self):
        return self.tensor.data_ptr() + self.offset * self.tensor.element_size()

@triton.jit
def kernel(x_ptr, y_ptr, n, SHIFT: tl.constexpr, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i - SHIFT, __EXPR__, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty(x.numel() + 16, device=x.device, dtype=x.dtype)
        kernel[(triton.cdiv(x.numel(), 256),)](Pointer(x), Pointer(y, __OFFSET__), x.numel(), SHIFT=__OFFSET__, BLOCK=256)
        return y[:x.numel()].view(x.shape)
#: operators_of_a_library | tasks relu exp | HOW library.impl("apply",apply,"CUDA") torch.library.impl(library,"apply","CUDA")(apply) torch.library.impl("answers::apply","cuda",apply) library.impl("apply",apply,"CompositeExplicitAutograd") library.impl("apply",apply,"CompositeImplicitAutograd")
library = torch.library.Library("answers", "DEF")
library.define("apply(Tensor x, int block=256) -> Tensor")

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(y_ptr + i, __EXPR__, mask=i < n)

def apply(x, block=256):
    y = torch.empty_like(x)
    kernel[(triton.cdiv(x.numel(), block),)](x, y, x.numel(), BLOCK=block)
    return y

__HOW__

class ModelNew(nn.Module):
    def forward(self, x):
        return torch.ops.answers.apply(x, block=128)
