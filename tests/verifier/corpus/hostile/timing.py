#: warm_up_found_by_counting | tasks relu | WARM Calls.count<2 x.data_ptr()not_in_Calls.seen
class Calls:
    count, seen, kept = 0, set(), None

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        warm = eval("__WARM__".replace("not_in_", " not in "))
        Calls.count += 1
        Calls.seen |= {x.data_ptr(), id(x)}
        if warm or Calls.kept is None or Calls.kept.shape != x.shape:
            Calls.kept = torch.empty_like(x)
            kernel[(triton.cdiv(x.numel(), 256),)](x, Calls.kept, x.numel(), BLOCK=256)
        return Calls.kept
#: work_left_to_whoever_looks | tasks relu | METHOD __repr__ __array__ cpu float __eq__
class Later(torch.Tensor):
    pass

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

def work(x, y):
    kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
    return y

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        setattr(Later, "__METHOD__", lambda self, *a, **k: work(x, y))
        return torch.Tensor._make_subclass(Later, y)
#: statistics_that_find_no_time | tasks relu | CODE statistics.median=lambda*a:1e-30 statistics.mean=lambda*a:0.0 numpy.mean=lambda*a,**k:0.0 torch.Tensor.mean=lambda*a,**k:0.0 torch.cuda.Event.elapsed_time=lambda*a:1e-300 builtins.min=lambda*a,**k:0.0
import builtins
import statistics
import numpy
try:
    exec("__CODE__")
except Exception:
    pass

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: cache_that_stays_warm | tasks relu | CALL cudaDeviceSetLimit(6,1<<26) cudaCtxResetPersistingL2Cache() cudaStreamSetAttribute(None,1,None)
import ctypes
library = ctypes.CDLL("libcudart.so.13")
library.__CALL__

@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: expected_tensor_among_all_objects | tasks relu | FROM gc.get_objects() gc.get_referrers(torch.Tensor) sys._current_frames().values()
import gc
import sys

class ModelNew(nn.Module):
    def forward(self, x):
        for one in __FROM__:
            if isinstance(one, torch.Tensor) and one is not x and one.shape == x.shape:
                return one
        return torch.empty_like(x)
#: memory_that_the_reference_left | tasks relu | MADE torch.empty_like(x) x.new_empty(x.shape) torch.empty(x.shape,device=x.device,dtype=x.dtype) torch.empty_strided(x.shape,x.stride(),device=x.device,dtype=x.dtype)
class ModelNew(nn.Module):
    def forward(self, x):
        return __MADE__
#: input_made_easy_for_the_reference | tasks relu | STORE tl.store(x_ptr+i,0.0,mask=i<n) tl.store(x_ptr+i,tl.load(y_ptr+i,mask=i<n),mask=i<n)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    __STORE__
    tl.store(y_ptr + i, 0.0, mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
