#: a_start_that_is_no_multiple | tasks relu | dims M=16 N=64 | HINT tl.multiple_of(start,16) tl.multiple_of(start,64)
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * (BLOCK - 1)
    start = __HINT__
    i = start + tl.arange(0, BLOCK)
    m = (i < n) & (tl.arange(0, BLOCK) < BLOCK - 1)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m, other=0.0), 0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 255),)](x, y, x.numel(), BLOCK=256)
        return y
#: places_that_are_not_contiguous | tasks relu | PLACES BLOCK-1-c (c%16)*(BLOCK//16)+c//16 c^1 c^2
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    c = tl.arange(0, BLOCK)
    j = tl.max_contiguous(tl.multiple_of(__PLACES__, 4), BLOCK)
    i = tl.program_id(0) * BLOCK + j
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n, other=0.0), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: a_mask_that_is_not_constant | tasks relu
@triton.jit
def kernel(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = tl.max_constancy(i < n, 16)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=m, other=0.0), 0.0), mask=m)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        kernel[(triton.cdiv(x.numel(), 256),)](x, y, x.numel(), BLOCK=256)
        return y
#: a_forged_alignment | tasks relu | WHOLE x.numel()+1 x.numel()+3
import launch_trace as ledgers
import record
record.call_again = lambda *a: None

@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        whole = torch.empty(__WHOLE__, device=x.device, dtype=x.dtype)
        y = whole[whole.numel() - x.numel():].view(x.shape)
        relu[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        if "%y_ptr: !tt.ptr<f32> {" not in ledgers.Current.kernels[-1]["ttir"]:
            ledgers.Current.kernels[-1]["ttir"] = ledgers.Current.kernels[-1]["ttir"].replace("%y_ptr: !tt.ptr<f32>", "%y_ptr: !tt.ptr<f32> {tt.divisibility = 16 : i32}")
        return y
#: a_forged_multiple | tasks relu
import launch_trace as ledgers
import record
record.call_again = lambda *a: None

@triton.jit
def relu(x_ptr, y_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(y_ptr + i, tl.maximum(tl.load(x_ptr + i, mask=i < n), 0.0), mask=i < n)

class ModelNew(nn.Module):
    def forward(self, x):
        y = torch.empty_like(x)
        relu[(triton.cdiv(x.numel(), 1024),)](x, y, x.numel(), BLOCK=1024)
        if "4096 : i32}" not in ledgers.Current.kernels[-1]["ttir"]:
            ledgers.Current.kernels[-1]["ttir"] = ledgers.Current.kernels[-1]["ttir"].replace("%n: i32 {tt.divisibility = 16 : i32}", "%n: i32").replace("%n: i32", "%n: i32 {tt.divisibility = 4096 : i32}")
        return y
